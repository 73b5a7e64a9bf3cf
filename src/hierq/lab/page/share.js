// @ts-check
/** The share menu: link, the Python program, and a recording that is a small lab of its own. */

import { compact } from "./config.js";
import { questionsOf, sceneOf } from "./credit_scene.js";
import { button, byId, download, element, saying, setText } from "./dom.js";
import { MANY, toFragment } from "./state.js";
import { STOPS } from "./tour_stops.js";
import { tailOf } from "./trace.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function mountShare(app) {
  const place = byId("share");
  const said = element("p", { id: "share-said", role: "status" });
  const save = (/** @type {string} */ name, /** @type {Blob} */ file) => {
    download(name, file);
    setText(said, `Saved ${name} (${Math.max(1, Math.round(file.size / 1000)).toLocaleString("en")} kB).`);
  };
  /** @param {string} id @param {string} text @param {() => Promise<void>} call */
  const action = (id, text, call) => {
    const made = button(id, text, async () => {
      made.disabled = true;
      await saying((words) => words && setText(said, words), call);
      made.disabled = false;
      made.focus();
    });
    return made;
  };
  const menu = element("div", { id: "share-menu", hidden: true, role: "group", "aria-label": "Share" }, [
    section("Link", "It holds world, agents and seed. A lab that opens it trains the agents again as far as they are now.", action("share-link", "Copy the link", () => copyLink(app, said))),
    section("Recording", "One HTML file that is a small lab: it needs no server.", action("share-page", "Save the recording", async () => {
      setText(said, "Both agents are trained again for the recording …");
      save("hierq-recording.html", new Blob([await recordingOf(app)], { type: "text/html" }));
    })),
    section("Python", "The program that trains the same agents.", action("share-snippet", "Save the program", async () => {
      save("hierq_lab.py", new Blob([await programOf(app)], { type: "text/x-python" }));
    })),
    said,
  ]);
  const open = (/** @type {boolean} */ isOpen) => {
    menu.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) setText(said, "");
  };
  const toggle = button("share-toggle", "Share", () => open(menu.hidden), { "aria-expanded": "false", "aria-controls": "share-menu" });
  place.append(toggle, menu);
  place.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || menu.hidden) return;
    open(false);
    toggle.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.hidden && !place.contains(event.target)) open(false);
  });
}

/** @param {App} app @param {HTMLElement} said */
async function copyLink(app, said) {
  const link = app.link();
  try {
    await navigator.clipboard.writeText(link);
    setText(said, "The link is copied. It opens on a machine where the lab runs.");
  } catch {
    setText(said, `Copy it from here: ${link}`);
  }
}

/** A recording of the page as it is. A stop of the tour may open earlier than its agents were trained. @param {App} app @returns {Promise<string>} */
async function recordingOf({ state, training, socket, editing }) {
  const { map, seed, episodes } = state;
  const last = training.episodes[1];
  const trace = state.tab === "train" && state.stop === 0 && last ? tailOf(editing.kept, training.world?.positions ?? [], last) : null;
  /** @type {import("./state.js").CreditState} */
  const credit = trace ? { ...trace, goal: null, at: state.credit.at, of: [1, training.trained] } : state.credit;
  const kept = { ...state, credit, at: -1, episodes: STOPS[state.stop - 1]?.opens ?? episodes };
  const scene = sceneOf(kept);
  const questions = scene.moves ? questionsOf(scene).map(({ do: _, ...question }) => ({ id: 0, ...question })) : [];
  const [seeds, iterations] = training.many.every(Boolean) ? MANY : [0, 1];
  const message = { do: "record", map, agents: state.agents.map(compact), seed, episodes, seeds, iterations, credit: questions, state: toFragment(kept) };
  return (await socket.ask(message)).page;
}

/** @param {App} app @returns {Promise<string>} */
async function programOf({ state, socket }) {
  const { map, agents, seed, episodes } = state;
  const message = { do: "snippet", map, agents: agents.map(compact), seed, ...(episodes > 0 && { episodes }) };
  return (await socket.ask(message)).text;
}

/** @param {string} title @param {string} words @param {Node} control */
function section(title, words, control) {
  const id = `share-title-${title.toLowerCase()}`;
  return element("div", { class: "share-part", role: "group", "aria-labelledby": id }, [element("h2", { id, text: title }), element("p", { text: words }), control]);
}
