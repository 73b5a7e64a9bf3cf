// @ts-check
/** Run: at the speed that is wanted, or one step, or one episode; reset, seed. */

import { valueOf } from "./config.js";
import { grouped } from "./curves.js";
import { MOST } from "./declared.js";
import { button, byId, element, field, icon, saying, setSlider, setText } from "./dom.js";
import { SPEEDS } from "./state.js";

/** @param {number} speed steps a second */
const speedWords = (speed) => (speed === Infinity ? "as fast as possible" : `${speed} step${speed === 1 ? "" : "s"} a second`);

/** @param {import("./app.js").App} app */
export function mountRun(app) {
  const { training } = app;
  const pace = new Pace(app, () => show());
  const run = button("fast", [], () => (training.goesOn ? training.pause() : pace.go(!pace.going)), { class: "primary", title: "Train both agents, episode after episode" });
  const episode = button("episode", [icon("episode"), "Episode"], () => training.episode(), { title: "Train both agents for one episode" });
  const further = "Go one step further in the last episode, or begin the next one";
  const step = button("step", [icon("step"), "Step"], () => pace.step(), { title: further });
  const reset = button("reset", [icon("reset"), "Reset"], () => training.reset(), { title: "Both agents forget everything" });
  const speed = element("input", { id: "speed", type: "range", min: 0, step: 1 });
  speed.addEventListener("input", () => app.update({ speed: Number(speed.value) }));
  const words = element("output", { id: "speed-words", for: "speed" });
  const seed = element("input", { id: "seed", type: "number", min: 0, max: MOST.seed, step: 1, value: app.state.seed });
  seed.addEventListener("change", () => saying((refused) => app.problem(refused, "run"), () => {
    app.update({ seed: valueOf("The seed", { low: 0, high: MOST.seed, whole: true }, seed.value) });
  }));
  const count = element("p", { id: "count", class: "count" });
  byId("run").append(run, step, episode, reset, element("span", { class: "field" }, [field("Speed", speed), words]), field("Seed", seed), count);

  let shown = "";
  const show = () => {
    const { running } = training;
    const stops = pace.going || training.goesOn;
    const learning = training.goesOn ? `${grouped(training.trained)} of ${grouped(training.batch.until)} …` : "learning …";
    setText(count, { opening: "opening …", episode: learning }[/** @type {string} */ (running)] ?? `episode ${grouped(training.trained)}`);
    if (`${running} ${stops}` === shown) return;
    shown = `${running} ${stops}`;
    run.replaceChildren(icon(stops ? "pause" : "play"), stops ? "Pause" : "Run");
    run.disabled = running !== "idle" && !stops;
    for (const each of [episode, step]) each.disabled = running !== "idle" || pace.going;
    reset.disabled = running === "away";
  };
  app.follow(["running", "curves", "world"], show);
  app.follow(["seed", "speed"], () => {
    seed.value = String(app.state.seed);
    setText(words, speedWords(SPEEDS[app.state.speed]));
    setSlider(speed, app.state.speed, SPEEDS.length - 1, words.textContent);
  });
}

/** Goes through training episodes step by step, as fast as the state says; or lets the server go as fast as it can. */
class Pace {
  going = false;
  last = 0;
  exact = 0; // steps of the episode, and a part of the next one

  /** @param {import("./app.js").App} app @param {() => void} changed */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    app.follow(["running"], () => {
      if (["away", "opening"].includes(app.training.running)) this.go(false);
    });
  }

  /** @param {boolean} going */
  go(going) {
    if (going === this.going) return;
    this.going = going;
    this.last = performance.now();
    if (going) requestAnimationFrame((now) => this.#tick(now));
    else this.app.training.pause();
    this.changed();
  }

  /** One step further: through the last episode, and at its end into the next. */
  async step() {
    const { state, training } = this.app;
    const within = state.at >= 0 && state.at < training.longest;
    if (!within) await training.episode();
    if (training.longest > 0) this.app.update({ at: within ? state.at + 1 : 1 });
  }

  /** @param {number} now */
  #tick(now) {
    if (!this.going) return;
    const { app, last } = this;
    const { running } = app.training;
    const speed = SPEEDS[app.state.speed];
    this.last = now;
    if (running === "fast" && speed !== Infinity) app.training.pause();
    else if (running === "idle" && speed === Infinity) app.training.fast();
    else if (running === "idle") this.#walk(((now - last) / 1000) * speed);
    requestAnimationFrame((next) => this.#tick(next));
  }

  /** @param {number} steps */
  async #walk(steps) {
    const { app } = this;
    const { at } = app.state;
    this.exact = (Math.floor(this.exact) === at ? this.exact : at) + steps;
    if (at >= 0 && this.exact < app.training.longest + 1) return app.update({ at: Math.floor(this.exact) });
    await app.training.episode();
    if (this.going && app.training.running === "idle") app.update({ at: 0 });
    return undefined;
  }
}
