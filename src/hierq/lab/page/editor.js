// @ts-check
/** The world's toolbar: shipped worlds, tools, undo, a generator, the map as text. */

import { MOST } from "./declared.js";
import { button, byId, download, element, field, icon, problemLine, radioGroup, saying, select, tellProblem } from "./dom.js";
import { sentence } from "./words.js";
import { SIGNS, toText } from "./world_map.js";

/** @typedef {import("./app.js").App} App */

const TOOLS = /** @type {[import("./editing.js").Tool, string, string][]} */ ([
  ["ask", "Ask", "Click a cell to ask about it as a goal; drag S or G to move them"],
  ["walls", "Walls", "Draw walls on free cells, remove them from walls"],
  ["start", "Start", "Put the start S here, and nowhere else"],
  ["goal", "Goal", "Put the goal G here, and nowhere else"],
]);
const MORE = [
  ["", "More …"], ["H", "Hole"], ["^", "Door north"], ["v", "Door south"], ["<", "Door west"], [">", "Door east"],
  ["teleport", "Teleport: two clicks"], ["another start", "Another start"], ["another goal", "Another goal"],
];

/** @param {App} app */
export function mountEditor(app) {
  const worlds = select("world", [["", "your own"]]);
  const tools = radioGroup("Tool", "tool", TOOLS.map(([tool, words, title]) => {
    const tile = element("span", { class: `tile tile-${tool}`, "aria-hidden": "true", text: words[0] });
    return [tool, [tool === "ask" || tool === "walls" ? icon(tool) : tile, words], title];
  }), (tool) => app.editing.choose(tool));
  const more = select("tool-more", MORE, { "aria-label": "More tools", title: "What is painted on free cells; on the same it is taken away" });
  more.addEventListener("change", () => app.editing.choose(more.value || "ask"));
  const slip = element("input", { id: "slip", type: "number", min: 0, max: 0.99, step: 0.1, title: "The chance that a move goes sideways instead" });
  slip.addEventListener("change", () => saying((words) => app.problem(words, "world"), () => {
    app.editing.replace(toText({ ...app.editing.kept, slip: Number(slip.value) }));
  }));
  const undo = button("undo", [icon("undo")], () => app.editing.undo(), { title: "Take the last change of the world back", "aria-label": "Undo" });
  byId("editor").append(
    field("World", worlds), tools.group, more, undo, field("Slip", slip),
    generateDialog(app), textDialog(app),
  );
  /** @type {{name: string, map: string, is_own?: boolean}[]} */
  let shipped = [];
  worlds.addEventListener("change", () => {
    const chosen = shipped.find((world) => world.name === worlds.value);
    if (chosen) app.editing.replace(chosen.map);
  });
  const follow = () => {
    const { tool } = app.editing;
    tools.mark(tool);
    more.value = MORE.some(([each]) => each === tool) ? tool : "";
    if (document.activeElement !== slip) slip.value = String(app.editing.kept.slip);
    undo.disabled = app.editing.past.length === 0;
    worlds.value = shipped.find((world) => world.map === app.state.map)?.name ?? "";
    for (const id of ["canvas-a", "canvas-b"]) document.getElementById(id)?.setAttribute("data-tool", tool);
  };
  app.follow(["draft", "map", "world"], follow);
  app.socket.on("condition", async (condition) => {
    if (condition !== "open") return;
    try {
      shipped = (await app.socket.ask({ do: "worlds" })).worlds;
    } catch {
      return; // The connection broke; it is asked again with the next.
    }
    const own = shipped.find((world) => world.is_own);
    if (own && !location.hash) app.training.adopt({ ...app.state, map: own.map });
    worlds.replaceChildren(...shipped.map(({ name }) => element("option", { value: name, text: name })), element("option", { value: "", text: "your own" }));
    follow();
  });
}

/** A button that opens a dialog with a title, content and buttons. @param {string} name @param {string} title @param {Node[]} content
 * @param {Node[]} buttons @param {() => void} [prepare] what is done before it opens */
function dialog(name, title, content, buttons, prepare = () => {}) {
  const id = `${name}-dialog`;
  const close = element("button", { type: "button", class: "quiet", text: "Close", onclick: () => made.close() });
  const made = element("dialog", { id, "aria-labelledby": `${id}-title` }, [
    element("h2", { id: `${id}-title`, text: title }),
    ...content,
    element("div", { class: "buttons" }, [close, ...buttons]),
  ]);
  made.addEventListener("click", (/** @type {Event} */ event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  return button(`open-${name}`, `${name[0].toUpperCase()}${name.slice(1)} …`, () => {
    prepare();
    made.showModal();
  });
}

/** @param {App} app */
function generateDialog(app) {
  const number = (/** @type {string} */ id, /** @type {number} */ value, /** @type {number} */ max, min = 0, step = 1) =>
    element("input", { id: `generate-${id}`, type: "number", min, max, step, value });
  const kind = select("generate-kind", [["maze", "Maze"], ["rooms", "Rooms"], ["empty", "Empty grid"]]);
  const [height, width] = [number("rows", 21, MOST.side, 3), number("columns", 21, MOST.side, 3)];
  const [seed, loops] = [number("seed", 1, 999999), number("loops", 0.1, 1, 0, 0.05)];
  const labels = { Kind: kind, Rows: height, Columns: width, "Seed of the maze": seed, "Loops (0: one way only, 1: many ways)": loops };
  const problem = problemLine();
  const make = () => saying((words) => tellProblem(problem, sentence(words)), async () => {
    const [rows, columns, ...others] = [height, width, seed, loops].map((control) => Number(control.value));
    const made = await app.socket.ask({ do: "generate", kind: kind.value, rows, columns, seed: others[0], loops: others[1] });
    app.editing.replace(made.map);
  });
  kind.addEventListener("change", () => [seed, loops].forEach((control) => control.toggleAttribute("disabled", kind.value !== "maze")));
  const rows = Object.entries(labels).map(([words, control]) => element("p", { class: "row" }, [element("label", { for: control.id, text: words }), control]));
  const next = button("generate-next", "Next seed", () => {
    seed.value = String(Number(seed.value) + 1);
    make();
  });
  const done = button("generate", "Generate", make, { class: "primary" });
  return dialog("generate", "Generate a world", [...rows, problem], [next, done]);
}

/** @param {App} app */
function textDialog(app) {
  const text = element("textarea", { id: "map-text", rows: 18, cols: 40, spellcheck: "false", "aria-describedby": "map-legend" });
  const file = element("input", { type: "file", id: "map-file", accept: ".txt,text/plain" });
  const problem = problemLine();
  const take = () => saying((words) => tellProblem(problem, words), () => {
    app.editing.replace(text.value);
    text.closest("dialog").close();
  });
  file.addEventListener("change", async () => {
    if (file.files?.[0]) text.value = (await file.files[0].slice(0, 20_000).text());
    file.value = "";
  });
  const save = button("map-download", "Download", () => download("world.txt", new Blob([app.state.map], { type: "text/plain" })));
  const use = button("map-use", "Use this map", take, { class: "primary" });
  const signs = Object.entries(SIGNS).map(([sign, name]) => `${sign} ${name}`).join(", ");
  const words = `${signs}, 1 … 9 two ends of a teleport each. A line “slip: 0.2” above the map lets moves go sideways. All rows equally long, at most ${MOST.side} × ${MOST.side}. Cells are (row,column), counted from 0 at the top left. hierq run takes the same file.`;
  const legend = element("p", { class: "hint", id: "map-legend", text: words });
  return dialog("text", "The world as text", [
    element("label", { for: "map-text", class: "for-readers", text: "Map" }), legend, text, problem,
    element("p", { class: "row" }, [element("label", { for: "map-file", text: "Open a file" }), file]),
  ], [save, use], () => {
    text.value = app.state.map;
    tellProblem(problem, "");
  });
}
