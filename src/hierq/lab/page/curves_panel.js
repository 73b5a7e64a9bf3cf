// @ts-check
/** The learning curves beside the worlds, of this run or of many seeds. */

import { complete } from "./config.js";
import { drawCurves, grouped, outcomeOf } from "./curves.js";
import { button, byId, element, problemLine, radioGroup, setText } from "./dom.js";
import { MANY } from "./state.js";
import { Surface } from "./surface.js";

const KINDS = /** @type {[string, string, string][]} */ ([
  ["run", "This run", "Steps of the evaluation episode after each training episode"],
  ["many", "Many seeds", "Mean over many runs with different seeds, with its 95 % band"],
]);

/** @param {import("./app.js").App} app */
export function mountCurves(app) {
  const { training } = app;
  const kinds = radioGroup("What the curves show", "curve", KINDS, (curve) => app.update({ curve }));
  const canvas = element("canvas", { id: "curves-canvas", role: "img", "aria-labelledby": "curves-title", "aria-describedby": "curves-words" });
  const words = element("p", { class: "for-readers", id: "curves-words" });
  byId("curves").append(
    element("div", { class: "panel-head" }, [element("h2", { id: "curves-title", text: "Steps to the goal" }), kinds.group]),
    canvas, words, manyControls(app),
  );

  /** @returns {import("./curves.js").Plot} */
  const plot = () => {
    const isMany = app.state.curve === "many";
    const lines = app.state.agents.map((config, agent) => {
      const { mean, low, high } = training.many[agent] ?? { mean: [], low: [], high: [] };
      const steps = isMany ? { mean, low, high } : { mean: training.evaluated[agent] };
      return { name: "AB"[agent], top: complete(config).levels - 1, ...steps };
    });
    return { lines, optimum: training.world?.optimum ?? null, steps: isMany ? "evaluation steps (mean)" : "evaluation steps" };
  };
  const surface = new Surface(canvas, (pen, width, height) => {
    const shown = plot();
    drawCurves(pen, width, height, shown, app.palette);
    if (!training.world || shown.lines.some(({ mean }) => mean.length)) return;
    const press = app.state.curve === "many" ? `Press “Run ${MANY[0]} seeds”.` : "Press “Run”.";
    const hint = app.state.stop > 0 && !document.body.hasAttribute("data-answered") ? "Predict first." : press;
    pen.text(width / 2 - 14, height / 2 - 10, hint, { fill: app.palette.quiet, size: 13, align: "middle" });
  });

  app.follow(["curve", "curves", "many", "agents", "theme", "world"], () => {
    kinds.mark(app.state.curve);
    byId("many-controls").hidden = app.state.curve !== "many";
    surface.changed();
    const said = plot().lines.map(({ name, mean }) => (mean.length
      ? `Agent ${name}: ${grouped(mean[0])} steps at first, ${grouped(mean[mean.length - 1])} in episode ${mean.length}` : `Agent ${name}: nothing yet`));
    setText(words, `${said.join(". ")}. The best possible is ${training.world?.optimum ?? "unknown"}.`);
  });
}

/** @param {import("./app.js").App} app */
function manyControls(app) {
  const { training } = app;
  const run = button("many", "", () => (training.manyRunning ? training.stopMany() : training.startMany(...MANY)));
  const progress = element("progress", { id: "many-progress", max: 1, value: 0, "aria-label": "Seeds done" });
  const state = element("span", { id: "many-state", class: "hint" });
  app.follow(["many", "running"], () => {
    setText(run, training.manyRunning ? "Stop" : `Run ${MANY[0]} seeds`);
    run.disabled = !training.manyRunning && (training.running === "away" || training.running === "opening");
    const done = training.many.reduce((sum, each) => sum + (each?.done ?? 0), 0);
    const planned = training.many.reduce((sum, each) => sum + (each?.planned ?? 0), 0);
    progress.hidden = !training.manyRunning;
    progress.value = planned ? done / planned : 0;
    const outcome = training.many.every((each) => each?.finished) ? outcomeOf(/** @type {import("./training.js").ManyRuns[]} */ (training.many)) : "";
    const words = training.manyRunning ? `${done} of ${2 * MANY[0]} runs` : outcome;
    if (outcome && state.textContent !== outcome) app.announce(outcome);
    setText(state, words);
  });
  return element("div", { class: "many", id: "many-controls" }, [
    run,
    progress, state, problemLine("problem-curves"),
  ]);
}
