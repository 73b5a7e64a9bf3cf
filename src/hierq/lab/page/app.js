// @ts-check
/**
 * What the parts of the page share. Each part is mounted with the app and listens to it; parts do not know each other.
 *
 * A listener gets the set of what changed: names of parts of the state ("map", "agents", "levels", "credit", …) and
 * topics of the training ("draft", "world", "curves", "views", "episodes", "many", "running", "connection") and "theme".
 */

import { byId, later, markChosen, walkWithArrows } from "./dom.js";
import { paletteOf } from "./palette.js";
import { defaultState, toFragment } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {ReturnType<typeof createApp>} App */

const TABS = /** @type {("train"|"credit")[]} */ (["train", "credit"]);

/** Makes the app. @param {State} state @param {import("./socket.js").LabSocket} socket */
export function createApp(state, socket) {
  /** @type {((changed: Set<string>) => void)[]} */
  const listeners = [];
  // A moment later, because browsers allow only so many changes of the address.
  const writeLink = later(() => history.replaceState(null, "", `#${toFragment(state)}`), 200);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const tell = (/** @type {string[]} */ topics) => {
    const changed = new Set(topics);
    for (const listener of listeners) listener(changed);
  };

  const app = {
    /** Read it; change it with `update` only. */
    state,
    socket,
    get palette() {
      return paletteOf(dark.matches ? "dark" : "light");
    },
    /** The pair of agents on the server and all it has told; set by main.js. @type {import("./training.js").Training} */
    training: /** @type {any} */ (null),
    /** The world while it is being drawn; set by main.js. @type {import("./editing.js").Editing} */
    editing: /** @type {any} */ (null),
    /** What the page was when the tour began. */
    beforeTour: defaultState(),
    /** Says something to screen readers; set by notices.js. @type {(words: string) => void} */
    announce: () => {},
    /** Shows words about a problem; empty words take it away; set by notices.js. @type {(words: string, place?: "run"|"curves"|"credit") => void} */
    problem: () => {},
    /** Merges changes into the state, tells the listeners and writes the link. @param {Partial<State>} changes */
    update(changes) {
      const before = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (state));
      const changed = Object.entries(changes).filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value));
      if (changed.length === 0) return;
      Object.assign(state, Object.fromEntries(changed));
      writeLink();
      tell(changed.map(([name]) => name));
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
    changed: (...topics) => tell(topics),
    /** The address that opens the page as it is now. */
    link: () => `${location.origin}${location.pathname}#${toFragment(state)}`,
  };
  dark.addEventListener("change", () => tell(["theme"]));
  return app;
}

/** The tabs "Train" and "Credit". @param {App} app */
export function mountTabs(app) {
  const buttons = TABS.map((tab) => byId(`tab-${tab}`));
  TABS.forEach((tab, place) => buttons[place].addEventListener("click", () => app.update({ tab })));
  walkWithArrows(buttons);
  // The state lives in the fragment, so this link must not change it.
  byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
    event.preventDefault();
    app.update({ tab: "train" });
    byId("canvas-a").focus();
  });
  app.follow(["tab"], () => TABS.forEach((tab, place) => {
    markChosen(buttons[place], "aria-selected", app.state.tab === tab);
    byId(tab).hidden = app.state.tab !== tab;
  }));
}
