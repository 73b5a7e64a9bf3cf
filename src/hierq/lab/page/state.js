// @ts-check
/**
 * The whole state of the page as one plain object, and as the fragment of a link. What a link does not say is as in
 * `defaultState`; what it says wrongly is left out, with words about it.
 */

import { backupOf, packConfig, unpackConfig } from "./config.js";
import { MOST } from "./declared.js";
import { packGrid, parseMap, toText, unpackGrid } from "./world_map.js";

/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("./world_map.js").Cell} Cell */

/**
 * The credit view's part.
 * @typedef {object} CreditState
 * @property {"example"|"page"} source the walk of the paper's worked example, or one through the page's world
 * @property {0|1} agent which of the page's agents, where source is "page"
 * @property {string} moves letters of NSWE, at most 200
 * @property {Cell|null} goal whose entries are shown; null: the environment's goal
 * @property {number} at scrubber: steps learnt so far
 * @property {"forward"|"backward"} view
 * @property {number|null} level the one level shown; null: all
 */

/**
 * @typedef {object} State
 * @property {string} map text of the world
 * @property {[Config, Config]} agents
 * @property {number} seed
 * @property {number} episodes how many were trained; a link trains as many again
 * @property {[number, number]} levels level shown of each agent
 * @property {Cell|null} goal the cell asked about; null: the environment's goal
 * @property {string[]} layers which of LAYERS are drawn
 * @property {number} at scrubber over the last episode; −1: its end
 * @property {number} speed of training; place in SPEEDS
 * @property {"evaluation"|"training"|"many"} curve what the learning curves show
 * @property {[number, number]} many seeds and episodes of "Run many seeds"
 * @property {"train"|"credit"} tab
 * @property {CreditState} credit
 * @property {number} stop of the tour, 1 … 5; 0: not on tour
 * @property {"auto"|"light"|"dark"} theme
 */

export const VERSION = 1;
export const LAYERS = ["values", "moves", "subgoals", "stack", "path"];
/** Steps a second. */
export const SPEEDS = [1, 2, 5, 10, 30, 100, Infinity];

const MAZE = `#############
#S..........#
#.###.###.#.#
#.#.#.#...#.#
#.#.###.#.#.#
#.......#.#.#
#.#####.###.#
#.#...#.....#
#.#.#.#####.#
#.#.#.....#.#
#.###.#.###.#
#.....#.#..G#
#############
`;

/** How the page looks when nothing is said. @returns {State} */
export function defaultState() {
  return {
    map: MAZE,
    agents: [
      { levels: 1, backup: backupOf({ n: 3 }) },
      { levels: 3, backup: backupOf({ n: 3 }) },
    ],
    seed: 0,
    episodes: 0,
    levels: [0, 0],
    goal: null,
    layers: LAYERS.slice(),
    at: -1,
    speed: SPEEDS.length - 1,
    curve: "evaluation",
    many: [200, 50],
    tab: "train",
    credit: { source: "example", agent: 1, moves: "ENSEESWEN", goal: null, at: 9, view: "forward", level: null },
    stop: 0,
    theme: "auto",
  };
}

/** How a value is written into a link and read again; `read` throws an Error for nonsense.
 * @typedef {{write: (value: any) => string, read: (text: string) => any}} Form */

/** A text that passes a test. @param {(text: string) => boolean} isGood @param {(text: string) => unknown} [taken] @returns {Form} */
const checked = (isGood, taken = String) => ({
  write: String,
  read: (text) => {
    if (!isGood(text)) throw new Error(`not understood: ${text}`);
    return taken(text);
  },
});

/** @param {number} low @param {number} high */
const whole = (low, high) => checked((text) => /^-?\d+$/.test(text) && Number(text) >= low && Number(text) <= high, Number);

/** @param {string[]} choices */
const oneOf = (choices) => checked((text) => choices.includes(text));

/** Values one after another, each in its form. @param {string} mark between them @param {Record<string|number, Form>} forms @returns {Form} */
const several = (mark, forms) => ({
  write: (value) => Object.entries(forms).map(([key, form]) => form.write(value[key])).join(mark),
  read: (text) => {
    const parts = text.split(mark);
    if (parts.length !== Object.keys(forms).length) throw new Error("not as many as there are");
    const entries = Object.entries(forms).map(([key, form], place) => [key, form.read(parts[place])]);
    return Array.isArray(forms) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  },
});

/** @param {Form} form @returns {Form} */
const orNone = (form) => ({
  write: (value) => (value === null ? "" : form.write(value)),
  read: (text) => (text === "" ? null : form.read(text)),
});

const LEVEL = whole(0, 5);
const CELL = orNone(several(".", [whole(0, 63), whole(0, 63)]));
const LAYER = oneOf(LAYERS);
const CONFIG = { write: packConfig, read: unpackConfig };
const TRACE = checked((text) => /^[NSWE]*$/.test(text) && text.length <= MOST.moves);

/** The form of each part; a part equal to the default is left out. @type {Record<string, Form>} */
const PARTS = {
  map: { write: (map) => packGrid(parseMap(map)), read: (text) => toText(unpackGrid(text)) },
  a: CONFIG,
  b: CONFIG,
  seed: whole(0, MOST.seed),
  episodes: whole(0, MOST.episodes),
  levels: several(".", [LEVEL, LEVEL]),
  goal: CELL,
  layers: {
    write: (layers) => LAYERS.filter((layer) => layers.includes(layer)).join("."),
    read: (text) => (text === "" ? [] : text.split(".").map(LAYER.read)),
  },
  at: whole(-1, 20_000),
  speed: whole(0, SPEEDS.length - 1),
  curve: oneOf(["evaluation", "training", "many"]),
  many: several(".", [whole(2, MOST.seeds), whole(1, MOST.iterations)]),
  tab: oneOf(["train", "credit"]),
  credit: several(",", {
    source: oneOf(["example", "page"]),
    agent: whole(0, 1),
    moves: TRACE,
    goal: CELL,
    at: whole(0, 2 * MOST.moves), // back again, where learning waits for the end
    view: oneOf(["forward", "backward"]),
    level: orNone(LEVEL),
  }),
  stop: whole(0, 5),
  theme: oneOf(["auto", "light", "dark"]),
};

/** Where a part lies: a and b in the pair of agents, all others in the state itself. @param {State} state @param {string} name
 * @returns {[any, string|number]} */
const placeOf = (state, name) => (PARTS[name] === CONFIG ? [state.agents, "ab".indexOf(name)] : [state, name]);

/** @param {State} state @param {string} name @returns {string} */
function writePart(state, name) {
  const [home, key] = placeOf(state, name);
  return PARTS[name].write(home[key]);
}

/** The state as the fragment of a link, without "#"; empty for the default state. @param {State} state @returns {string} */
export function toFragment(state) {
  const usual = defaultState();
  const parts = Object.keys(PARTS)
    .map((name) => [name, writePart(state, name), writePart(usual, name)])
    .filter(([, text, usually]) => text !== usually)
    .map(([name, text]) => `${name}=${encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":")}`);
  return parts.length ? `v${VERSION}&${parts.join("&")}` : "";
}

/** The state of a link. Never throws: nonsense is left out. @param {string} fragment with or without "#"
 * @returns {{state: State, problems: string[]}} */
export function fromFragment(fragment) {
  const state = defaultState();
  /** @type {string[]} */
  const problems = [];
  const [version, ...parts] = fragment.replace(/^#/, "").split("&");
  if (version === "" && parts.length === 0) return { state, problems };
  if (version !== `v${VERSION}`) {
    return { state, problems: ["The link is not from this version of the lab, so it opens as usual."] };
  }
  for (const part of parts) {
    const cut = part.indexOf("=");
    const name = part.slice(0, Math.max(0, cut));
    const known = Object.hasOwn(PARTS, name);
    try {
      if (!known) throw new Error("unknown");
      const [home, key] = placeOf(state, name);
      home[key] = PARTS[name].read(decodeURIComponent(part.slice(cut + 1)));
    } catch {
      problems.push(`The link's “${(known ? name : part).slice(0, 20)}” was not understood and is left as usual.`);
    }
  }
  return { state, problems };
}
