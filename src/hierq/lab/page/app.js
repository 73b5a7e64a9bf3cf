// @ts-check
/**
 * What the parts of the page share. Each part is mounted with the app and listens to it; parts do not know each other.
 *
 * A listener gets the set of what changed: names of parts of the state ("map", "agents", "levels", "credit", …) and
 * topics of the training ("draft", "world", "curves", "views", "episodes", "many", "running", "connection") and "theme".
 */

import { quietly } from "./dom.js";
import { paletteOf } from "./palette.js";
import { toFragment } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./palette.js").Palette} Palette */

/**
 * A picture that can be exported.
 * @typedef {object} Picture
 * @property {string} title in words, "World and agent A"
 * @property {() => {width: number, height: number}} size in CSS pixels, as on the screen now
 * @property {(pen: import("./pen.js").Pen, width: number, height: number) => void} draw without the ground
 */

/**
 * @typedef {object} App
 * @property {State} state the state; read it, change it with `update` only
 * @property {(changes: Partial<State>) => void} update merges changes, tells the listeners and writes the link
 * @property {(listener: (changed: Set<string>) => void) => void} subscribe
 * @property {(topics: string[], call: () => void) => void} follow calls now, and whenever one of the topics changed
 * @property {(...topics: string[]) => void} changed tells the listeners that something beside the state changed
 * @property {import("./socket.js").LabSocket} socket
 * @property {import("./training.js").Training} training the pair of agents on the server and all it has told
 * @property {import("./editing.js").Editing} editing the world while it is being drawn
 * @property {"light"|"dark"} theme the theme in use now
 * @property {Palette} palette its colours
 * @property {Map<string, Picture>} pictures by name: "world-a", "world-b", "curves", "credit"
 * @property {(words: string) => void} announce says something to screen readers (polite live region "live")
 * @property {(words: string, place?: "world"|"agents"|"run"|"curves"|"page") => void} problem shows words about a problem near
 *   its cause; empty words take it away
 * @property {() => string} link the address that opens the page as it is now
 */

/** Makes the app. `training`, `announce` and `problem` are put in by main.js. @param {State} state
 * @param {import("./socket.js").LabSocket} socket @returns {App} */
export function createApp(state, socket) {
  /** @type {((changed: Set<string>) => void)[]} */
  const listeners = [];
  // A moment later, because browsers allow only so many changes of the address.
  const writeLink = quietly(() => history.replaceState(null, "", `#${toFragment(state)}`), 200);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const themeOf = () => (state.theme === "auto" ? (dark.matches ? "dark" : "light") : state.theme);

  /** @param {Set<string>} changed */
  function tell(changed) {
    if (themeOf() !== app.theme) {
      app.theme = themeOf();
      app.palette = paletteOf(app.theme);
      document.documentElement.dataset.theme = app.theme;
      changed.add("theme");
    }
    for (const listener of listeners) listener(changed);
  }

  /** @type {App} */
  const app = {
    state,
    socket,
    theme: themeOf(),
    palette: paletteOf(themeOf()),
    pictures: new Map(),
    training: /** @type {any} */ (null),
    editing: /** @type {any} */ (null),
    announce: () => {},
    problem: () => {},
    update(changes) {
      const before = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (state));
      const changed = new Set();
      for (const [name, value] of Object.entries(changes)) {
        if (JSON.stringify(before[name]) === JSON.stringify(value)) continue;
        before[name] = value;
        changed.add(name);
      }
      if (changed.size === 0) return;
      writeLink();
      tell(changed);
    },
    subscribe: (listener) => listeners.push(listener),
    follow(topics, call) {
      app.subscribe((changed) => {
        if (topics.some((topic) => changed.has(topic))) call();
      });
      call();
    },
    changed: (...topics) => tell(new Set(topics)),
    link: () => `${location.origin}${location.pathname}#${toFragment(state)}`,
  };
  document.documentElement.dataset.theme = app.theme;
  dark.addEventListener("change", () => tell(new Set()));
  return app;
}
