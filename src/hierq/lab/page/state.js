// @ts-check
/**
 * The whole state of the page as one plain object, and as the fragment of a link. What a link does not say is as in
 * `defaultState`; what cannot be read is left out, with words about it.
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
const CONFIG = { write: packConfig, read: unpackConfig };

/** Each part of a link: its usual value, with which it is left out, and its form. Agents A and B are parts of their own.
 * @type {Record<string, [any, Form]>} */
const PARTS = {
  map: [MAZE, { write: (map) => packGrid(parseMap(map)), read: (text) => toText(unpackGrid(text)) }],
  a: [{ levels: 1, backup: backupOf({ n: 3 }) }, CONFIG],
  b: [{ levels: 3, backup: backupOf({ n: 3 }) }, CONFIG],
  seed: [0, whole(0, MOST.seed)],
  episodes: [0, whole(0, MOST.episodes)],
  levels: [[0, 0], several(".", [LEVEL, LEVEL])],
  goal: [null, CELL],
  layers: [LAYERS, {
    write: (layers) => LAYERS.filter((layer) => layers.includes(layer)).join("."),
    read: (text) => (text === "" ? [] : text.split(".").map(oneOf(LAYERS).read)),
  }],
  at: [-1, whole(-1, 20_000)],
  speed: [SPEEDS.length - 1, whole(0, SPEEDS.length - 1)],
  curve: ["evaluation", oneOf(["evaluation", "training", "many"])],
  many: [[200, 50], several(".", [whole(2, MOST.seeds), whole(1, MOST.iterations)])],
  tab: ["train", oneOf(["train", "credit"])],
  credit: [{ source: "example", agent: 1, moves: "ENSEESWEN", goal: null, at: 9, view: "forward", level: null }, several(",", {
    source: oneOf(["example", "page"]),
    agent: whole(0, 1),
    moves: checked((text) => /^[NSWE]*$/.test(text) && text.length <= MOST.moves),
    goal: CELL,
    at: whole(0, 2 * MOST.moves), // back again, where learning waits for the end
    view: oneOf(["forward", "backward"]),
    level: orNone(LEVEL),
  })],
  stop: [0, whole(0, 5)],
  theme: ["auto", oneOf(["auto", "light", "dark"])],
};

/** The state that an empty link opens. @returns {State} */
export function defaultState() {
  return fromFragment("").state;
}

/** The state as the fragment of a link, without "#"; empty for the default state. @param {State} state @returns {string} */
export function toFragment(state) {
  const values = /** @type {Record<string, any>} */ ({ ...state, a: state.agents[0], b: state.agents[1] });
  const parts = Object.entries(PARTS)
    .filter(([name, [usual, { write }]]) => write(values[name]) !== write(usual))
    .map(([name, [, { write }]]) => `${name}=${encodeURIComponent(write(values[name])).replace(/%2C/g, ",").replace(/%3A/g, ":")}`);
  return parts.length ? `v${VERSION}&${parts.join("&")}` : "";
}

/** The state of a link. Never throws: what cannot be read keeps its usual value. @param {string} fragment with or without "#"
 * @returns {{state: State, problems: string[]}} */
export function fromFragment(fragment) {
  const values = structuredClone(Object.fromEntries(Object.entries(PARTS).map(([name, [usual]]) => [name, usual])));
  /** @type {string[]} */
  const problems = [];
  const [version, ...parts] = fragment.replace(/^#/, "").split("&");
  const isOurs = version === `v${VERSION}`;
  if (!isOurs && (version || parts.length)) problems.push("The link is not from this version of the lab, so it opens as usual.");
  for (const part of isOurs ? parts : []) {
    const cut = part.indexOf("=");
    const name = part.slice(0, Math.max(0, cut));
    const known = Object.hasOwn(PARTS, name);
    try {
      if (!known) throw new Error("unknown");
      values[name] = PARTS[name][1].read(decodeURIComponent(part.slice(cut + 1)));
    } catch {
      problems.push(`The link's “${(known ? name : part).slice(0, 20)}” was not understood and is left as usual.`);
    }
  }
  const { a, b, ...others } = values;
  return { state: /** @type {State} */ ({ agents: [a, b], ...others }), problems };
}
