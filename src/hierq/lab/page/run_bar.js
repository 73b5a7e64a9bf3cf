// @ts-check
/** Run: fast and pause, one episode, one step, reset, seed. */

import { grouped } from "./curves.js";
import { button, byId, element, field, icon, setText } from "./dom.js";
import { MOST_SEED } from "./state.js";

/** @param {import("./app.js").App} app */
export function mountRun(app) {
  const { training } = app;
  const fast = button("fast", [icon("play"), "Run fast"], () => {
    if (training.running === "fast" || training.goesOn) training.pause();
    else training.fast();
  }, { class: "primary", title: "Train both agents as fast as they go" });
  const episode = button("episode", [icon("episode"), "Episode"], () => training.episode(), { title: "Train both agents for one episode" });
  const further = "Go one step further in the last episode, or begin the next one";
  const step = button("step", [icon("step"), "Step"], () => oneStep(app), { title: further });
  const reset = button("reset", [icon("reset"), "Reset"], () => training.reset(), { title: "Both agents forget everything" });
  const seed = element("input", { id: "seed", type: "number", min: 0, max: MOST_SEED, step: 1, value: app.state.seed });
  seed.addEventListener("change", () => {
    const number = Number(seed.value);
    const sound = seed.value !== "" && Number.isInteger(number) && number >= 0 && number <= MOST_SEED;
    app.problem(sound ? "" : `The seed is a whole number from 0 to ${MOST_SEED.toLocaleString("en-GB")}.`, "run");
    if (sound) app.update({ seed: number });
  });
  const count = element("p", { id: "count", class: "count" });
  byId("run").append(fast, episode, step, reset, field("Seed", seed), count);

  let shown = "";
  app.follow(["running", "curves", "world"], () => {
    const running = training.running;
    const stops = running === "fast" || training.goesOn;
    const learning = training.goesOn ? `learning … ${grouped(training.trained)} of ${grouped(training.batch.until)}` : "learning …";
    setText(count, { opening: "opening …", episode: learning }[/** @type {string} */ (running)] ?? `episode ${grouped(training.trained)}`);
    if (`${running} ${stops}` === shown) return;
    shown = `${running} ${stops}`;
    fast.replaceChildren(icon(stops ? "pause" : "play"), stops ? "Pause" : "Run fast");
    fast.disabled = running !== "idle" && !stops;
    for (const each of [episode, step]) each.disabled = running !== "idle";
    reset.disabled = running === "away";
  });
  app.follow(["seed"], () => (seed.value = String(app.state.seed)));
}

/** One step further: through the last episode, and at its end into the next. @param {import("./app.js").App} app */
async function oneStep(app) {
  const { training } = app;
  const { at } = app.state;
  if (at >= 0 && at < training.longest && training.episodes.some(Boolean)) {
    app.update({ at: at + 1 });
    return;
  }
  await training.episode();
  if (training.longest > 0) app.update({ at: 1 });
}
