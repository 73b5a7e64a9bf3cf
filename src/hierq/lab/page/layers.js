// @ts-check
/** What the maps show: switches that are the legend as well. */

import { button, byId, element } from "./dom.js";
import { heatColour } from "./palette.js";
import { LAYERS } from "./state.js";
import { cellWords } from "./world_map.js";

const WORDS = /** @type {Record<string, [string, string]>} */ ({
  values: ["Values", "Colour of a cell: the best value of the level shown for the goal asked about, from 0 to 1"],
  moves: ["Moves", "Arrows: the greedy moves of level 0"],
  subgoals: ["Sub-goals", "Box: the sub-goal a level above 0 chooses here; circle of the same letter: where it lies"],
  stack: ["Stack", "During an episode: where every level was sent, joined from the agent up to the goal"],
  path: ["Path", "The way of the agent in the last episode"],
});

/** @param {import("./app.js").App} app */
export function mountLayers(app) {
  const choose = () => app.update({ layers: LAYERS.filter((_, place) => boxes[place].checked) });
  const boxes = LAYERS.map((layer) => element("input", { type: "checkbox", id: `layer-${layer}`, onchange: choose }));
  const scale = element("span", { class: "scale", "aria-hidden": "true" });
  const hint = element("p", { class: "hint", id: "asked" });
  const clear = button("ask-goal", "Back to G", () => app.update({ goal: null }), { class: "quiet" });
  byId("layers").append(
    ...LAYERS.map((layer, place) => {
      const sample = layer === "values" ? scale : element("span", { class: `sample sample-${layer}`, "aria-hidden": "true" });
      return element("label", { class: "layer", title: WORDS[layer][1] }, [boxes[place], sample, WORDS[layer][0]]);
    }),
    hint, clear,
  );
  app.follow(["layers", "theme", "goal"], () => {
    boxes.forEach((box, place) => (box.checked = app.state.layers.includes(LAYERS[place])));
    const colours = [0, 0.25, 0.5, 0.75, 1].map((share) => heatColour(app.palette, share));
    scale.style.background = `linear-gradient(90deg, ${colours.join(",")})`;
    const { goal } = app.state;
    hint.textContent = goal ? `Goal asked about: ${cellWords(goal)}` : "Click a cell to ask about it.";
    clear.hidden = !goal;
  });
}
