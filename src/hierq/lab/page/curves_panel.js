// @ts-check
/** The learning curves beside the worlds, of this run or of many seeds. */

import { complete, describe, valueOf } from "./config.js";
import { binsOf, drawCurves, grouped, outcomeOf } from "./curves.js";
import { MOST } from "./declared.js";
import { button, byId, element, problemLine, radioGroup, saying, setText } from "./dom.js";
import { Surface } from "./surface.js";

const KINDS = /** @type {[string, string, string][]} */ ([
  ["evaluation", "Evaluation", "Steps of the evaluation episode after each training episode"],
  ["training", "Training", "Steps of each training episode"],
  ["many", "Many seeds", "Mean over many runs with different seeds, with its 95 % band"],
]);

/** @param {import("./app.js").App} app */
export function mountCurves(app) {
  const { training } = app;
  const kinds = radioGroup("What the curves show", "curve", KINDS, (curve) => app.update({ curve }));
  const canvas = element("canvas", { id: "curves-canvas", role: "img", "aria-labelledby": "curves-title", "aria-describedby": "curves-words" });
  const words = element("p", { class: "for-readers", id: "curves-words" });
  byId("curves").append(
    element("div", { class: "panel-head" }, [element("h2", { id: "curves-title", text: "Learning" }), kinds.group]),
    canvas, words, manyControls(app),
  );

  /** @returns {import("./curves.js").Plot} */
  const plot = () => {
    const { curve } = app.state;
    const lines = app.state.agents.map((config, agent) => {
      const frame = training.many[agent];
      const own = curve === "training" ? training.practised[agent] : training.evaluated[agent];
      const bins = curve === "many" ? (frame ? binsOf(frame.mean, frame.low, frame.high) : []) : own.bins();
      return { name: "AB"[agent], words: describe(config), top: complete(config).levels - 1, bins };
    });
    const steps = curve === "training" ? "training steps" : curve === "many" ? "mean evaluation steps" : "evaluation steps";
    return { lines, optimum: training.world?.optimum ?? null, steps };
  };
  /** @param {any} pen @param {number} width @param {number} height */
  const draw = (pen, width, height) => {
    const shown = plot();
    drawCurves(pen, width, height, shown, app.palette);
    if (training.world && shown.lines.every((line) => line.bins.length === 0)) {
      const hint = app.state.curve === "many" ? "Press “Run many seeds”." : "Press “Run”.";
      pen.text(width / 2 - 14, height / 2 - 10, hint, { fill: app.palette.quiet, size: 13, align: "middle" });
    }
  };
  const surface = new Surface(canvas, draw);
  app.pictures.set("curves", surface.picture("Learning curves"));

  app.follow(["curve", "curves", "many", "agents", "theme", "world", "running"], () => {
    kinds.mark(app.state.curve);
    surface.changed();
    if (training.running === "fast") return;
    const said = plot().lines.map(({ name, words: who, bins }) => {
      const [first, last] = [bins[0], bins[bins.length - 1]];
      if (!first) return `Agent ${name}, ${who}: nothing yet`;
      return `Agent ${name}, ${who}: ${grouped(first.mean)} steps at first, ${grouped(last.mean)} in episode ${last.last}`;
    });
    setText(words, `${said.join(". ")}. Optimum ${training.world?.optimum ?? "unknown"}.`);
  });
}

/** @param {import("./app.js").App} app */
function manyControls(app) {
  const { training } = app;
  const seeds = element("input", { type: "number", id: "many-seeds", min: 2, max: MOST.seeds });
  const iterations = element("input", { type: "number", id: "many-iterations", min: 1, max: MOST.iterations });
  const run = button("many", "", () => (training.manyRunning ? training.stopMany() : read(() => {
    app.update({ curve: "many" });
    training.startMany(...app.state.many);
  })));
  const progress = element("progress", { id: "many-progress", max: 1, value: 0, "aria-label": "Seeds done" });
  const state = element("span", { id: "many-state", class: "hint" });
  const read = (/** @type {() => void} */ then) => saying((words) => app.problem(words, "curves"), () => {
    const count = valueOf("The number of seeds", { low: 2, high: MOST.seeds, whole: true }, seeds.value);
    app.update({ many: [count, valueOf("The number of episodes", { low: 1, high: MOST.iterations, whole: true }, iterations.value)] });
    then();
  });
  for (const input of [seeds, iterations]) input.addEventListener("change", () => read(() => {}));
  app.follow(["many", "running"], () => {
    [seeds, iterations].forEach((input, place) => {
      if (document.activeElement !== input) input.value = String(app.state.many[place]);
    });
    setText(run, training.manyRunning ? "Stop" : "Run many seeds");
    run.disabled = !training.manyRunning && (training.running === "away" || training.running === "opening" || training.running === "fast");
    const done = training.many.reduce((sum, frame) => sum + (frame?.done ?? 0), 0);
    const planned = training.many.reduce((sum, frame) => sum + (frame?.planned ?? 0), 0);
    progress.hidden = !training.manyRunning;
    progress.value = planned ? done / planned : 0;
    const outcome = training.many.every((frame) => frame?.finished) ? outcomeOf(/** @type {import("./frames.js").ManyFrame[]} */ (training.many)) : "";
    const words = training.manyRunning ? `${done} of ${2 * app.state.many[0]} runs` : outcome;
    if (outcome && state.textContent !== outcome) app.announce(outcome);
    setText(state, words);
  });
  return element("div", { class: "many" }, [
    run,
    element("span", { class: "field" }, [seeds, element("label", { for: "many-seeds", text: "seeds" })]),
    element("span", { class: "field" }, [iterations, element("label", { for: "many-iterations", text: "episodes" })]),
    progress, state, problemLine("problem-curves"),
  ]);
}
