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

/**
 * A picture that can be exported.
 * @typedef {object} Picture
 * @property {string} title in words, "World and agent A"
 * @property {() => {width: number, height: number}} size in CSS pixels, as on the screen now
 * @property {(pen: import("./pen.js").Pen, width: number, height: number) => void} draw without the ground
 */

/** @typedef {ReturnType<typeof createApp>} App */

/** Makes the app. @param {State} state @param {import("./socket.js").LabSocket} socket */
export function createApp(state, socket) {
  /** @type {((changed: Set<string>) => void)[]} */
  const listeners = [];
  // A moment later, because browsers allow only so many changes of the address.
  const writeLink = quietly(() => history.replaceState(null, "", `#${toFragment(state)}`), 200);
  const dark = matchMedia("(prefers-color-scheme: dark)");

  /** @param {Set<string>} changed */
  function tell(changed) {
    const { theme } = app;
    useTheme();
    if (theme !== app.theme) changed.add("theme");
    for (const listener of listeners) listener(changed);
  }

  function useTheme() {
    app.theme = state.theme === "auto" ? (dark.matches ? "dark" : "light") : state.theme;
    document.documentElement.dataset.theme = app.theme;
  }

  const app = {
    /** Read it; change it with `update` only. */
    state,
    socket,
    /** The theme in use now. @type {"light"|"dark"} */
    theme: "light",
    get palette() {
      return paletteOf(app.theme);
    },
    /** By name: "world-a", "world-b", "curves", "credit", … @type {Map<string, Picture>} */
    pictures: new Map(),
    /** The pair of agents on the server and all it has told; set by main.js. @type {import("./training.js").Training} */
    training: /** @type {any} */ (null),
    /** The world while it is being drawn; set by main.js. @type {import("./editing.js").Editing} */
    editing: /** @type {any} */ (null),
    /** Says something to screen readers; set by notices.js. @type {(words: string) => void} */
    announce: () => {},
    /** Shows words about a problem near its cause; empty words take it away; set by notices.js.
     * @type {(words: string, place?: "world"|"agents"|"run"|"curves"|"credit"|"page") => void} */
    problem: () => {},
    /** Merges changes into the state, tells the listeners and writes the link. @param {Partial<State>} changes */
    update(changes) {
      const before = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (state));
      const changed = Object.entries(changes).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value));
      if (changed.length === 0) return;
      Object.assign(state, Object.fromEntries(changed));
      writeLink();
      tell(new Set(changed.map(([name]) => name)));
    },
    /** Calls a listener with the names of what changed. @param {(changed: Set<string>) => void} listener */
    subscribe: (listener) => listeners.push(listener),
    /** Calls now, and whenever one of the topics changed. @param {string[]} topics @param {() => void} call */
    follow(topics, call) {
      app.subscribe((changed) => {
        if (topics.some((topic) => changed.has(topic))) call();
      });
      call();
    },
    /** Tells the listeners that something other than the state changed. @param {string[]} topics */
    changed: (...topics) => tell(new Set(topics)),
    /** The address that opens the page as it is now. */
    link: () => `${location.origin}${location.pathname}#${toFragment(state)}`,
  };
  useTheme();
  dark.addEventListener("change", () => tell(new Set()));
  return app;
}
