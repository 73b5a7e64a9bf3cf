// @ts-check
/** The whole state of the page as one plain object, and as a link: what differs from the usual, as JSON in base64url. */

import { backupOf } from "./config.js";
import { MAX } from "./declared.js";
import { parseMap } from "./world_map.js";

/** @typedef {import("./config.js").Config} Config */
/** @typedef {import("./world_map.js").Cell} Cell */

/**
 * The credit view's part.
 * @typedef {object} CreditState
 * @property {string} moves letters of NSWE, at most 200; empty: a shortest path
 * @property {Cell|null} start where the trace begins; null: at the world's start
 * @property {Cell|null} goal whose entries are shown; null: the world's goal
 * @property {number} at steps learnt so far
 * @property {[number, number]|null} of agent and number of the episode whose end it is; null: of none
 */

/**
 * @typedef {object} State
 * @property {string} map text of the world
 * @property {[Config, Config]} agents
 * @property {number} seed
 * @property {number} episodes how many were trained; a link trains as many again
 * @property {[number, number]} levels level shown of each agent, or the highest there is
 * @property {number} at step of the last episode; −1: its end
 * @property {number} speed of training; place in SPEEDS
 * @property {"run"|"many"} curve what the learning curves show
 * @property {"train"|"credit"} tab
 * @property {CreditState} credit
 * @property {number} stop of the tour, from 1; 0: not on tour
 */

/** Seeds and episodes of "Many seeds". @type {[number, number]} */
export const MANY = [200, 50];
/** Episodes a second; "step": single steps. @type {(number|"step")[]} */
export const SPEEDS = ["step", 0.5, 2, 10, Infinity];

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

/** The state that an empty link opens. @returns {State} */
export function defaultState() {
  const top = MAX.levels - 1;
  return {
    map: MAZE,
    agents: [{ levels: 1, backup: backupOf({ n: 3 }) }, { levels: 3, backup: backupOf({ n: 3 }) }],
    seed: 0,
    episodes: 0,
    levels: [top, top],
    at: -1,
    speed: SPEEDS.indexOf(2),
    curve: "run",
    tab: "train",
    credit: { moves: "", start: null, goal: null, at: 2 * MAX.moves, of: null },
    stop: 0,
  };
}

const whole = (/** @type {number} */ low, /** @type {number} */ high) => (/** @type {any} */ value) => Number.isInteger(value) && value >= low && value <= high;
const oneOf = (/** @type {any[]} */ ...choices) => (/** @type {any} */ value) => choices.includes(value);
const pairOf = (/** @type {((value: any) => boolean)[]} */ ...checks) => (/** @type {any} */ value) =>
  Array.isArray(value) && value.length === checks.length && checks.every((check, place) => check(value[place]));
const isObject = (/** @type {any} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isCell = (/** @type {any} */ value) => value === null || pairOf(whole(0, MAX.side - 1), whole(0, MAX.side - 1))(value);
const level = whole(0, MAX.levels - 1);

/** Whether a map can be read. @param {any} map */
function isMap(map) {
  try {
    return Boolean(parseMap(map));
  } catch {
    return false;
  }
}

/** Whether it is a state of the credit view. @param {any} value */
function isCredit(value) {
  if (!isObject(value) || !/^[NSWE]{0,200}$/.test(value.moves) || !whole(0, 2 * MAX.moves)(value.at)) return false;
  return isCell(value.start) && isCell(value.goal) && (value.of === null || pairOf(whole(0, 1), whole(1, MAX.episodes))(value.of));
}

/** What each part of a link must be; the server checks the settings of agents. @type {Record<string, (value: any) => boolean>} */
const CHECKS = {
  map: isMap,
  agents: pairOf(isObject, isObject),
  seed: whole(0, MAX.seed),
  episodes: whole(0, MAX.episodes),
  levels: pairOf(level, level),
  at: whole(-1, MAX.steps),
  speed: whole(0, SPEEDS.length - 1),
  curve: oneOf("run", "many"),
  tab: oneOf("train", "credit"),
  credit: isCredit,
  stop: whole(0, 9),
};

/** The state as the fragment of a link, without "#"; empty for the usual state. @param {State} state @returns {string} */
export function toFragment(state) {
  const usual = /** @type {Record<string, any>} */ (defaultState());
  const changed = Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name]));
  if (changed.length === 0) return "";
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(changed)));
  return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The state of a link. Never throws: what cannot be read is as usual. @param {string} fragment with or without "#"
 * @returns {{state: State, problem: string}} */
export function fromFragment(fragment) {
  const state = defaultState();
  const text = fragment.replace(/^#/, "");
  if (!text) return { state, problem: "" };
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    const read = Object.entries(JSON.parse(new TextDecoder().decode(bytes)));
    const good = read.filter(([name, value]) => Object.hasOwn(CHECKS, name) && CHECKS[name](value));
    const bad = read.filter((entry) => !good.includes(entry)).map(([name]) => `“${name.slice(0, 20)}”`);
    const problem = bad.length ? `The link's ${bad.join(", ")} cannot be read and is as usual.` : "";
    return { state: { ...state, ...Object.fromEntries(good) }, problem };
  } catch {
    return { state, problem: "The link cannot be read, so the lab opens as usual." };
  }
}
