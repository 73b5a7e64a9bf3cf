// @ts-check
// What the credit view is about, worked out of the page's state: world, agents, trace and goal; pure.

import { complete, describe } from "./config.js";
import { bestActionOf, bestOf, laneAt, short, tableAt, unrolled } from "./credit_model.js";
import { MAX } from "./declared.js";
import { cellNumbers, MOVE_LETTERS, shortestPath, walk } from "./trace.js";
import { cellsOf, cellWords, isFree, moved, parseMap, sameCell, signAt, toText } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {import("./config.js").Config} Config */

/**
 * @typedef {object} Scene
 * @property {string} map @property {import("./world_map.js").Grid} grid @property {[Config, Config]} agents
 * @property {string} moves @property {Cell[]} cells S_0 … S_T @property {boolean} reached
 * @property {Cell} goal whose entries are shown @property {number|null} goalNumber null: the environment's
 * @property {Cell[]} numbered cell of each number
 * @property {(cell: Cell) => number} numberOf a cell @property {string} key equal scenes have equal keys
 */

/** @param {import("./state.js").State} state @returns {Scene} */
export function sceneOf({ map, agents, credit }) {
  const world = parseMap(map);
  const grid = credit.start ? moved(world, "S", credit.start, cellsOf(world, "S")) : world;
  const { cells, moves, reached } = walk(grid, credit.moves || shortestPath(grid).slice(0, MAX.moves));
  const { numbers, cells: numbered } = cellNumbers(grid);
  const goal = credit.goal !== null && isFree(grid, credit.goal) ? credit.goal : grid.goal;
  const numberOf = (/** @type {Cell} */ cell) => numbers[cell[0] * grid.columns + cell[1]];
  const goalNumber = sameCell(goal, grid.goal) ? null : numberOf(goal);
  const key = JSON.stringify([toText(grid), agents, moves, goalNumber]);
  return { map: toText(grid), grid, agents, moves, cells, reached, goal, goalNumber, numbered, numberOf, key };
}

/** What the server is asked about a scene, for each agent. @param {Scene} scene */
export function questionsOf({ map, agents, moves, goalNumber }) {
  return agents.map((agent) => ({ do: "credit", map, agent, moves, goal: goalNumber }));
}

/** Whether an agent learns when the episode is over. @param {Config} config */
const isBackward = (config) => complete(config).backup.when === "episode";

/** The last moment that there is to see: after all steps, or after as many again on the way back. @param {Scene} scene */
export function lastMoment({ agents, moves }) {
  return moves.length * (agents.some(isBackward) ? 2 : 1);
}

/** The tile of the trace at which something happens. @param {Scene} scene @param {number} step */
export function tileAt({ moves }, step) {
  return step <= moves.length ? step : 2 * moves.length - step;
}

/** A moment as it is called: "3 of 9", and on the way back "back at 2 of 9". @param {Scene} scene @param {number} step */
export function momentWords(scene, step) {
  return `${step > scene.moves.length ? "back at " : ""}${tileAt(scene, step)} of ${scene.moves.length}`;
}

/** What the server told, with moments of their own for what is learnt backward. @param {Scene} scene
 * @param {(import("./credit_model.js").Credit|null)[]} credits */
export function momentsOf({ agents }, credits) {
  return credits.map((credit, index) => (credit && isBackward(agents[index]) ? unrolled(credit) : credit));
}

/** Where the trace comes from. @param {import("./state.js").CreditState} credit @param {Scene} scene */
export function originWords({ of, moves, start }, scene) {
  const steps = `${scene.moves.length} ${scene.moves.length === 1 ? "step" : "steps"}`;
  if (of) return `The last ${steps} of agent ${"AB"[of[0]]}’s episode ${of[1]}${start ? "; here they begin at S" : ""}.`;
  return moves ? `A path of ${steps}.` : `A shortest path, ${steps}.`;
}

/** The picture of a scene after some steps. @param {Scene} scene
 * @param {(import("./credit_model.js").Credit|null)[]} credits of agents A and B @param {number} step
 * @returns {import("./credit_draw.js").CreditPicture} */
export function pictureOf(scene, credits, step) {
  const agents = credits.flatMap((credit, index) => {
    if (!credit) return [];
    const lanes = credit.hop_lengths.map((_, level) => laneAt(credit, level, step));
    return [{ name: `Agent ${"AB"[index]}`, summary: describe(scene.agents[index]), lanes }];
  });
  const tiles = scene.cells.map((cell, index) => ({
    label: String(cell),
    kind: kindOf(scene, cell),
    action: index < scene.moves.length ? MOVE_LETTERS.indexOf(scene.moves[index]) : null,
    bump: index < scene.moves.length && sameCell(cell, scene.cells[index + 1]),
  }));
  return { agents, tiles, tile: tileAt(scene, step), back: step > scene.moves.length, after: `at step ${momentWords(scene, step)}`.replace("at step back at", "back at step") };
}

/** With several goals any of them will do, unless one cell is asked about. @param {Scene} scene @param {Cell} cell
 * @returns {import("./credit_draw.js").Kind} */
function kindOf({ grid, goal, goalNumber }, cell) {
  const sign = signAt(grid, cell);
  if (goalNumber === null ? sign === "G" : sameCell(cell, goal)) return "goal";
  return sign === "S" ? "start" : sign === "H" ? "hole" : "free";
}

/** In how many cells an agent knows where to go: the most that any of its levels knows.
 * @param {import("./credit_draw.js").CreditPicture["agents"][number]} agent */
export function knowingOf(agent) {
  return Math.max(0, ...agent.lanes.map((lane) => lane.knowing));
}

/** The map beside the lanes: what the top level of an agent knows after some steps. @param {Scene} scene
 * @param {import("./credit_model.js").Credit|null} credit @param {number} step @returns {import("./world_view.js").Scene} */
export function mapOf(scene, credit, step) {
  const states = scene.cells.map(scene.numberOf);
  const level = (credit?.hop_lengths.length ?? 1) - 1;
  const start = credit?.start_values[level] ?? 0;
  const table = credit ? tableAt(credit, level, step) : new Map();
  const free = scene.grid.walls.filter((wall) => !wall).length;
  const values = Array.from({ length: free }, (_, state) => (credit && bestOf(credit, level, table, state)) ?? start);
  const policy = Array.from({ length: free }, (_, state) => (credit && bestActionOf(credit, level, table, state)) ?? -1);
  const episode = { steps: states.length - 1, states };
  return { grid: scene.grid, positions: scene.numbered, level, view: { values, policy }, episode, at: tileAt(scene, step), start, cursor: scene.cells[0], end: scene.numberOf(scene.goal) };
}

/** The picture in words, for screen readers: what every level did, and what it knows along the trace. @param {Scene} scene
 * @param {import("./credit_draw.js").CreditPicture} picture */
export function inWords(scene, picture) {
  const levels = picture.agents.flatMap((agent) => agent.lanes.map((lane) => {
    const values = lane.places.flatMap(({ value }, tile) => (value === null ? [] : [`${cellWords(scene.cells[tile])} ${short(value)}`]));
    return `${agent.name}, level ${lane.level}: ${lane.words}; it knows ${lane.knowing} cells. ${values.length ? `Values: ${values.join(", ")}.` : ""}`;
  }));
  return `The trace of ${scene.moves.length} steps as a line of tiles, ${picture.after}. ${levels.join(" ")}`;
}
