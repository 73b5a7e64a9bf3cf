// @ts-check
/**
 * The whole state of the page as one plain object, and as the fragment of a link. What a link does not say is as in
 * `defaultState`; what it says wrongly is left out, with words about it.
 */

import { packConfig, unpackConfig } from "./config.js";
import { packGrid, parseMap, toText, unpackGrid } from "./world_map.js";

/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("./world_map.js").Cell} Cell */

/**
 * The credit view's part.
 * @typedef {object} CreditState
 * @property {"example"|"page"} source the paper's worked example, or the page's world and agents
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
 * @property {"evaluation"|"training"|"many"} curve what the learning curves show
 * @property {[number, number]} many seeds and episodes of "Run many seeds"
 * @property {"train"|"credit"} tab
 * @property {CreditState} credit
 * @property {number} stop of the tour, 1 … 5; 0: not on tour
 * @property {"auto"|"light"|"dark"} theme
 */

export const VERSION = 1;
export const LAYERS = ["values", "moves", "subgoals", "stack", "path"];
export const MOST_SEED = 2 ** 31 - 1;
export const MOST_EPISODES = 1_000_000;
export const MOST_SEEDS = 1000;
export const MOST_ITERATIONS = 200;
export const MOST_MOVES = 200;

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
      { levels: 1, backup: { kind: "TreeBackup", n: 3 } },
      { levels: 3, backup: { kind: "TreeBackup", n: 3 } },
    ],
    seed: 0,
    episodes: 0,
    levels: [0, 0],
    goal: null,
    layers: LAYERS.slice(),
    at: -1,
    curve: "evaluation",
    many: [200, 50],
    tab: "train",
    credit: { source: "example", agent: 1, moves: "ENSEESWEN", goal: null, at: 9, view: "forward", level: null },
    stop: 0,
    theme: "auto",
  };
}

/** How each part is written into a link and read again; `read` throws an Error for nonsense. A part equal to the
 * default is left out. @type {Record<string, {write: (state: State) => string, read: (text: string, state: State) => void}>} */
const PARTS = {
  map: {
    write: (state) => packGrid(parseMap(state.map)),
    read: (text, state) => {
      state.map = toText(unpackGrid(text));
    },
  },
  a: configPart(0),
  b: configPart(1),
  seed: wholePart("seed", 0, MOST_SEED),
  episodes: wholePart("episodes", 0, MOST_EPISODES),
  levels: {
    write: (state) => state.levels.join("."),
    read: (text, state) => {
      const [a, b] = text.split(".");
      state.levels = [whole(a, 0, 5), whole(b, 0, 5)];
    },
  },
  goal: {
    write: (state) => writeCell(state.goal),
    read: (text, state) => {
      state.goal = readCell(text);
    },
  },
  layers: {
    write: (state) => LAYERS.filter((layer) => state.layers.includes(layer)).join("."),
    read: (text, state) => {
      state.layers = text === "" ? [] : text.split(".").map((layer) => oneOf(layer, LAYERS));
    },
  },
  at: wholePart("at", -1, 20_000),
  curve: choicePart("curve", ["evaluation", "training", "many"]),
  many: {
    write: (state) => state.many.join("."),
    read: (text, state) => {
      const [seeds, iterations, ...rest] = text.split(".");
      if (rest.length) throw new Error("not two numbers");
      state.many = [whole(seeds, 2, MOST_SEEDS), whole(iterations, 1, MOST_ITERATIONS)];
    },
  },
  tab: choicePart("tab", ["train", "credit"]),
  credit: {
    write: (state) => {
      const { source, agent, moves, goal, at, view, level } = state.credit;
      return [source, agent, moves, writeCell(goal), at, view, level ?? ""].join(",");
    },
    read: (text, state) => {
      state.credit = readCredit(text);
    },
  },
  stop: wholePart("stop", 0, 5),
  theme: choicePart("theme", ["auto", "light", "dark"]),
};

/** The state as the fragment of a link, without "#"; empty for the default state. @param {State} state @returns {string} */
export function toFragment(state) {
  const usual = defaultState();
  const parts = Object.entries(PARTS)
    .map(([name, part]) => [name, part.write(state), part.write(usual)])
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
      PARTS[name].read(decodeURIComponent(part.slice(cut + 1)), state);
    } catch {
      problems.push(`The link's “${(known ? name : part).slice(0, 20)}” was not understood and is left as usual.`);
    }
  }
  return { state, problems };
}

/** @param {0|1} agent */
function configPart(agent) {
  return {
    /** @param {State} state */
    write: (state) => packConfig(state.agents[agent]),
    /** @param {string} text @param {State} state */
    read: (text, state) => {
      state.agents[agent] = unpackConfig(text);
    },
  };
}

/** @param {"seed"|"episodes"|"at"|"stop"} name @param {number} low @param {number} high */
function wholePart(name, low, high) {
  return {
    /** @param {State} state */
    write: (state) => String(state[name]),
    /** @param {string} text @param {State} state */
    read: (text, state) => {
      state[name] = whole(text, low, high);
    },
  };
}

/** @param {"curve"|"tab"|"theme"} name @param {string[]} choices */
function choicePart(name, choices) {
  return {
    /** @param {State} state */
    write: (state) => state[name],
    /** @param {string} text @param {State} state */
    read: (text, state) => {
      /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (state))[name] = oneOf(text, choices);
    },
  };
}

/** @param {string} text @param {number} low @param {number} high @returns {number} */
function whole(text, low, high) {
  const number = Number(text);
  if (!/^-?\d+$/.test(text ?? "") || number < low || number > high) throw new Error("not a whole number in its range");
  return number;
}

/** @param {string} text @param {string[]} choices @returns {string} */
function oneOf(text, choices) {
  if (!choices.includes(text)) throw new Error("not one of the choices");
  return text;
}

/** @param {Cell|null} cell @returns {string} */
const writeCell = (cell) => (cell ? cell.join(".") : "");

/** @param {string} text @returns {Cell|null} */
function readCell(text) {
  if (text === "") return null;
  const parts = text.split(".");
  if (parts.length !== 2) throw new Error("not a cell");
  return [whole(parts[0], 0, 63), whole(parts[1], 0, 63)];
}

/** @param {string} text @returns {CreditState} */
function readCredit(text) {
  const [source, agent, moves, goal, at, view, level, ...rest] = text.split(",");
  if (rest.length || level === undefined || !/^[NSWE]*$/.test(moves) || moves.length > MOST_MOVES) throw new Error("not a trace");
  return {
    source: /** @type {"example"|"page"} */ (oneOf(source, ["example", "page"])),
    agent: /** @type {0|1} */ (whole(agent, 0, 1)),
    moves,
    goal: readCell(goal),
    at: whole(at, 0, MOST_MOVES),
    view: /** @type {"forward"|"backward"} */ (oneOf(view, ["forward", "backward"])),
    level: level === "" ? null : whole(level, 0, 5),
  };
}
