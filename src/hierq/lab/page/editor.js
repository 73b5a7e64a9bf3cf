// @ts-check
/** The tools below the maps: look, walls, undo; and the map as text. */

import { MAX } from "./declared.js";
import { button, byId, download, element, icon, problemLine, radioGroup, saying, sentence, tellProblem } from "./dom.js";
import { heatColour } from "./palette.js";
import { SIGNS } from "./world_map.js";

/** @typedef {import("./app.js").App} App */

const TOOLS = /** @type {[import("./editing.js").Tool, string, string][]} */ ([
  ["look", "Look", "Point at a cell to see the plan from there; drag S or G to move them"],
  ["walls", "Walls", "Draw walls on free cells, remove them from walls; drag S or G to move them"],
]);

/** @param {App} app */
export function mountEditor(app) {
  const tools = radioGroup("Tool", "tool", TOOLS.map(([tool, words, title]) => {
    return [tool, [icon(tool), element("span", { text: words })], title, { "aria-label": words }];
  }), (tool) => app.editing.choose(tool));
  const undo = button("undo", [icon("undo")], () => app.editing.undo(), { title: "Take the last change of the world back", "aria-label": "Undo" });
  const scale = element("span", { class: "scale", "aria-hidden": "true" });
  const legend = element("p", { class: "legend" }, [
    element("span", {}, [scale, "value"]), element("span", { class: "sample-move", text: "best move" }),
    element("span", { class: "sample-plan", text: "sub-goals" }), element("span", { class: "sample-path", text: "training walk" }),
  ]);
  byId("map-tools").append(tools.group, undo, textDialog(app), legend);
  app.follow(["draft", "map", "world"], () => {
    tools.mark(app.editing.tool);
    undo.disabled = app.editing.past.length === 0;
    for (const id of ["canvas-a", "canvas-b"]) document.getElementById(id)?.setAttribute("data-tool", app.editing.tool);
  });
  app.follow(["theme"], () => {
    scale.style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map((share) => heatColour(app.palette, share)).join(",")})`;
  });
}

/** The button of the dialog with the map as text. @param {App} app */
function textDialog(app) {
  const text = element("textarea", { id: "map-text", rows: 16, cols: 40, spellcheck: "false", "aria-label": "Map", "aria-describedby": "map-legend" });
  const problem = problemLine();
  const say = (/** @type {string} */ words) => tellProblem(problem, sentence(words));
  const close = button(undefined, "Close", () => made.close(), { class: "quiet" });
  const save = button("map-download", "Download", () => download("world.txt", new Blob([text.value], { type: "text/plain" })));
  const use = button("map-use", "Use this map", () => saying(say, () => {
    app.editing.replace(text.value);
    made.close();
  }), { class: "primary" });
  const signs = Object.entries(SIGNS).map(([sign, name]) => `${sign} ${name}`).join(", ");
  const words = `${signs}, 1 … 9 the two ends of a teleport. A line “slip: 0.2” above the map makes moves slip sideways. All rows equally long, at most ${MAX.side} × ${MAX.side}. hierq run takes the same file, and hierq world new makes some.`;
  const made = element("dialog", { id: "text-dialog", "aria-labelledby": "text-title" }, [
    element("h2", { id: "text-title", text: "The map as text" }),
    element("p", { class: "hint", id: "map-legend", text: words }),
    text, problem,
    element("div", { class: "buttons" }, [close, save, use]),
  ]);
  document.body.append(made);
  return button("open-text", "Edit as text", () => {
    text.value = app.state.map;
    say("");
    made.showModal();
  });
}
