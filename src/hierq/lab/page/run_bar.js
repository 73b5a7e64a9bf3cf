// @ts-check
/** The toolbar: Run at the pace that is wanted, one step, reset, the pace, the world; and the steps of the last episode. */

import { grouped } from "./curves.js";
import { MAX } from "./declared.js";
import { button, byId, element, icon, select, setText } from "./dom.js";
import { SPEEDS } from "./state.js";

/** Where Run pauses by itself: what there is to see has been seen by then. */
export const PAUSE_AT = 50;
const STEPS_A_SECOND = 5;
const WORDS = ["single steps", "½ episode/s", "2 episodes/s", "10 episodes/s", "full speed"];
const BUSY = 30; // milliseconds that the agents may train between two pictures

/** @param {import("./app.js").App} app */
export function mountRun(app) {
  const { training } = app;
  const pace = new Pace(app, () => show());
  const run = button("run-pause", [], () => pace.go(!pace.going), { class: "primary" });
  const step = button("step", [icon("step"), element("span", { text: "Step" })], () => pace.step());
  const reset = button("reset", [icon("reset"), element("span", { text: "Reset" })], () => training.reset(), { title: "Both agents forget everything" });
  const speed = select("speed", WORDS.map((words, place) => [place, words]), { "aria-label": "Speed", title: "How fast Run goes" });
  speed.addEventListener("change", () => app.update({ speed: Number(speed.value) }));
  const world = select("world", [], { "aria-label": "World", title: "The world of both agents" });
  world.addEventListener("change", () => {
    const chosen = training.offered.find(({ name }) => name === world.value);
    if (chosen) app.editing.replace(chosen.map);
  });
  const count = element("p", { id: "count", class: "count" });
  byId("run").append(run, step, reset, speed, world, count);

  const show = () => {
    const { running, trained } = training;
    const at = app.state.at >= 0 ? `, step ${grouped(Math.min(app.state.at, training.longest))} of ${grouped(training.longest)}` : "";
    const goesOn = pace.hasPaused ? "Go on" : "Run";
    setText(count, running === "opening" ? "opening …" : `${pace.hasPaused ? "paused at " : ""}episode ${grouped(trained)}${at}`);
    run.replaceChildren(icon(pace.going ? "pause" : "play"), pace.going ? "Pause" : goesOn);
    run.title = pace.going ? "Pause" : `Train both agents, one episode after another; pauses at ${PAUSE_AT}`;
    run.disabled = !pace.going && (["away", "opening"].includes(running) || trained >= MAX.episodes);
    step.disabled = pace.going || running !== "idle" || trained >= MAX.episodes;
    reset.disabled = running === "away";
  };
  app.follow(["running", "curves", "at", "world"], show);
  app.follow(["speed"], () => {
    speed.value = String(app.state.speed);
    step.title = SPEEDS[app.state.speed] === "step" ? "One step further in the last episode, or into the next one" : "Train both agents for one episode";
  });
  app.follow(["map", "world"], () => {
    const names = training.offered.map(({ name }) => [name, name]);
    const options = [...names, ["", "your own map"]];
    if (world.options.length !== options.length) world.replaceChildren(...options.map(([value, text]) => element("option", { value, text })));
    world.value = training.offered.find(({ map }) => map === app.state.map)?.name ?? "";
  });
}

/** Asks for episodes at the pace of the state, or goes through them step by step. */
class Pace {
  going = false;
  last = 0; // when the last episode or step was begun
  chunk = 1; // episodes asked for at a time at full speed
  pauseAt = PAUSE_AT;
  hasPaused = false; // by itself

  /** @param {import("./app.js").App} app @param {() => void} changed */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    app.follow(["running"], () => {
      if (["away", "opening"].includes(app.training.running)) this.go(false);
      if (app.training.running !== "idle") this.hasPaused = false;
    });
  }

  /** @param {boolean} going */
  go(going) {
    if (going === this.going) return;
    this.going = going;
    this.last = -Infinity;
    this.chunk = 1;
    this.pauseAt = this.app.training.trained < PAUSE_AT ? PAUSE_AT : MAX.episodes;
    if (going) requestAnimationFrame((now) => this.#tick(now));
    this.changed();
  }

  /** One episode further; or one step, through the last episode and at its end into the next. */
  async step() {
    if (SPEEDS[this.app.state.speed] === "step") await this.#walk();
    else await this.app.training.episode();
  }

  async #walk() {
    const { state, training } = this.app;
    const within = state.at >= 0 && state.at < training.longest;
    if (!within) await training.episode(1, 0);
    if (training.longest > 0) this.app.update({ at: state.at + 1 });
  }

  /** @param {number} now */
  #tick(now) {
    if (!this.going) return;
    const { training, state } = this.app;
    const speed = SPEEDS[state.speed];
    const pause = speed === "step" ? 1000 / STEPS_A_SECOND : 1000 / speed;
    if (training.running === "idle" && now - this.last >= pause - 4) {
      this.last = now;
      if (speed === "step") this.#walk();
      else this.#train(speed === Infinity ? this.chunk : 1);
    }
    requestAnimationFrame((next) => this.#tick(next));
  }

  /** @param {number} count */
  async #train(count) {
    const { training } = this.app;
    const began = performance.now();
    await training.episode(Math.min(count, this.pauseAt - training.trained));
    this.chunk = performance.now() - began < BUSY ? 2 * count : Math.max(1, Math.floor(count / 2));
    if (!this.going || training.trained < this.pauseAt) return;
    this.hasPaused = true;
    this.go(false);
    this.app.announce(training.trained < MAX.episodes ? `Paused after ${PAUSE_AT} episodes: “Go on” trains more.` : `The lab trains at most ${grouped(MAX.episodes)} episodes.`);
  }
}
