// @ts-check
/** The world's toolbar: shipped worlds, tools, undo, a generator, the map as text. */

import { byId, download, element, icon, setText } from "./dom.js";
import { check, rove } from "./tabs.js";
import { sentence } from "./words.js";

/** @typedef {import("./app.js").App} App */

const TOOLS = /** @type {[import("./editing.js").Tool, string, string][]} */ ([
  ["ask", "Ask", "Click a cell to ask about it as a goal; drag S or G to move them"],
  ["walls", "Walls", "Draw walls on free cells, remove them from walls"],
  ["start", "Start", "Put the start S"],
  ["goal", "Goal", "Put the goal G"],
]);

/** @param {App} app */
export function mountEditor(app) {
  const worlds = element("select", { id: "world" }, [element("option", { value: "", text: "your own" })]);
  const tools = element("div", { class: "segments", role: "radiogroup", "aria-label": "Tool" }, TOOLS.map(([tool, words, title]) => {
    const tile = element("span", { class: `tile tile-${tool}`, "aria-hidden": "true", text: words[0] });
    const picture = tool === "ask" || tool === "walls" ? icon(tool) : tile;
    const attributes = { type: "button", role: "radio", id: `tool-${tool}`, title, onclick: () => app.editing.choose(tool) };
    return element("button", attributes, [picture, words]);
  }));
  rove(tools);
  const undo = element("button", { type: "button", id: "undo", title: "Take the last change of the world back", "aria-label": "Undo" }, [icon("undo")]);
  undo.addEventListener("click", () => app.editing.undo());
  const [generate, text] = [generateDialog(app), textDialog(app)];
  byId("editor").append(
    element("span", { class: "field" }, [element("label", { for: "world", text: "World" }), worlds]),
    tools, undo,
    element("button", { type: "button", id: "open-generate", text: "Generate …", onclick: () => generate.showModal() }),
    element("button", { type: "button", id: "open-text", text: "Text …", onclick: () => text.showModal() }),
  );
  document.body.append(generate, text);
  /** @type {{name: string, map: string}[]} */
  let shipped = [];
  worlds.addEventListener("change", () => {
    const chosen = shipped.find((world) => world.name === worlds.value);
    if (chosen) app.editing.replace(chosen.map);
  });
  const follow = () => {
    for (const [tool] of TOOLS) check(byId(`tool-${tool}`), app.editing.tool === tool);
    undo.disabled = app.editing.past.length === 0;
    worlds.value = shipped.find((world) => world.map === app.state.map)?.name ?? "";
    for (const id of ["canvas-a", "canvas-b"]) document.getElementById(id)?.setAttribute("data-tool", app.editing.tool);
  };
  app.subscribe((changed) => {
    if (changed.has("draft") || changed.has("map") || changed.has("world")) follow();
  });
  app.socket.onCondition(async (condition) => {
    if (condition !== "open") return;
    try {
      shipped = (await app.socket.ask({ do: "worlds" })).worlds;
    } catch {
      return; // The connection broke; it is asked again with the next.
    }
    worlds.replaceChildren(...shipped.map(({ name }) => element("option", { value: name, text: name })), element("option", { value: "", text: "your own" }));
    follow();
  });
  follow();
}

/** A dialog with a title, content and buttons. @param {string} id @param {string} title @param {Node[]} content @param {Node[]} buttons */
function dialog(id, title, content, buttons) {
  const close = element("button", { type: "button", class: "quiet", text: "Close", onclick: () => made.close() });
  const made = element("dialog", { id, "aria-labelledby": `${id}-title` }, [
    element("h2", { id: `${id}-title`, text: title }),
    ...content,
    element("div", { class: "buttons" }, [close, ...buttons]),
  ]);
  made.addEventListener("click", (/** @type {Event} */ event) => {
    if (event.target === made) made.close();
  });
  return made;
}

/** @param {App} app @returns {HTMLDialogElement} */
function generateDialog(app) {
  const kinds = [["maze", "Maze"], ["rooms", "Rooms"], ["empty", "Empty grid"]];
  const fields = {
    kind: element("select", { id: "generate-kind" }, kinds.map(([value, words]) => element("option", { value, text: words }))),
    rows: element("input", { id: "generate-rows", type: "number", min: 3, max: 64, value: 21 }),
    columns: element("input", { id: "generate-columns", type: "number", min: 3, max: 64, value: 21 }),
    seed: element("input", { id: "generate-seed", type: "number", min: 0, max: 999999, value: 1 }),
    loops: element("input", { id: "generate-loops", type: "number", min: 0, max: 1, step: 0.05, value: 0.1 }),
  };
  const labels = { kind: "Kind", rows: "Rows", columns: "Columns", seed: "Seed of the maze", loops: "Loops (0: one way only, 1: many ways)" };
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const make = async () => {
    const names = /** @type {("rows"|"columns"|"seed"|"loops")[]} */ (["rows", "columns", "seed", "loops"]);
    const numbers = Object.fromEntries(names.map((name) => [name, Number(fields[name].value)]));
    try {
      const answer = await app.socket.ask({ do: "generate", kind: fields.kind.value, ...numbers });
      app.editing.replace(answer.map);
      problem.hidden = true;
    } catch (refused) {
      setText(problem, sentence(/** @type {Error} */ (refused).message));
      problem.hidden = false;
    }
  };
  fields.kind.addEventListener("change", () => {
    fields.seed.disabled = fields.loops.disabled = fields.kind.value !== "maze";
  });
  const rows = Object.entries(fields).map(([name, field]) => {
    const words = labels[/** @type {keyof typeof labels} */ (name)];
    return element("p", { class: "row" }, [element("label", { for: field.id, text: words }), field]);
  });
  const next = element("button", { type: "button", id: "generate-next", text: "Next seed", onclick: () => {
    fields.seed.value = String(Number(fields.seed.value) + 1);
    make();
  } });
  const done = element("button", { type: "button", class: "primary", id: "generate", text: "Generate", onclick: make });
  return dialog("generate-dialog", "Generate a world", [...rows, problem], [next, done]);
}

/** @param {App} app @returns {HTMLDialogElement} */
function textDialog(app) {
  const text = element("textarea", { id: "map-text", rows: 18, cols: 40, spellcheck: "false", "aria-describedby": "map-legend" });
  const file = element("input", { type: "file", id: "map-file", accept: ".txt,text/plain" });
  const problem = element("p", { class: "problem", role: "alert", hidden: true });
  const take = () => {
    try {
      app.editing.replace(text.value);
      problem.hidden = true;
      made.close();
    } catch (refused) {
      setText(problem, /** @type {Error} */ (refused).message);
      problem.hidden = false;
    }
  };
  file.addEventListener("change", async () => {
    if (file.files?.[0]) text.value = (await file.files[0].slice(0, 20_000).text());
    file.value = "";
  });
  const save = element("button", { type: "button", id: "map-download", text: "Download" });
  save.addEventListener("click", () => download("world.txt", new Blob([app.state.map], { type: "text/plain" })));
  const use = element("button", { type: "button", class: "primary", id: "map-use", text: "Use this map", onclick: take });
  const words = "# wall, . free, S start, G goal; all lines equally long, at most 64 × 64. hierq run takes the same file.";
  const legend = element("p", { class: "hint", id: "map-legend", text: words });
  const made = dialog("text-dialog", "The world as text", [
    element("label", { for: "map-text", class: "for-readers", text: "Map" }), legend, text, problem,
    element("p", { class: "row" }, [element("label", { for: "map-file", text: "Open a file" }), file]),
  ], [save, use]);
  const show = made.showModal.bind(made);
  made.showModal = () => {
    text.value = app.state.map;
    problem.hidden = true;
    show();
  };
  return made;
}
