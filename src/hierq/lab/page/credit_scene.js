// @ts-check
// What the credit view is about, worked out of the page's state: world, agents, trace and goal; pure.

import { complete, describe } from "./config.js";
import { laneAt, unrolled } from "./credit_model.js";
import { cellNumbers, MOVE_LETTERS, walk } from "./trace.js";
import { isFree, parseMap, sameCell, signAt } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {import("./config.js").Config} Config */

/** The walk of the paper's worked example: with a detour and a bump. */
export const EXAMPLE = {
  map: "#########\n#...#...#\n#.S...G.#\n#...#...#\n##.###.##\n#...#...#\n#.......#\n#...#...#\n#########\n",
  moves: "ENSEESWEN",
};

/**
 * @typedef {object} Scene
 * @property {string} map @property {import("./world_map.js").Grid} grid @property {[Config, Config]} agents
 * @property {string} moves @property {Cell[]} cells S_0 … S_T @property {boolean} reached
 * @property {Cell} goal whose entries are shown @property {number|null} goalNumber null: the environment's
 * @property {Cell[]} visited the cells of the trace, each once @property {Cell[]} numbered cell of each number
 * @property {(cell: Cell) => number} numberOf a cell @property {string} key equal scenes have equal keys
 */

/** @param {import("./state.js").State} state @returns {Scene} */
export function sceneOf(state) {
  const { source, moves, goal } = state.credit;
  const { map } = source === "example" ? EXAMPLE : state;
  const { agents } = state;
  const grid = parseMap(map);
  const { cells, moves: kept, reached } = walk(grid, moves);
  const { numbers, cells: numbered } = cellNumbers(grid);
  const asked = goal !== null && isFree(grid, goal) ? goal : grid.goal;
  const numberOf = (/** @type {Cell} */ cell) => numbers[cell[0] * grid.columns + cell[1]];
  const goalNumber = sameCell(asked, grid.goal) ? null : numberOf(asked);
  const visited = cells.filter((cell, index) => cells.findIndex((other) => sameCell(cell, other)) === index);
  const key = JSON.stringify([map, agents, kept, goalNumber]);
  return { map, grid, agents, moves: kept, cells, reached, goal: asked, goalNumber, visited, numbered, numberOf, key };
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

/** The same in a sentence. @param {Scene} scene @param {number} step */
export function afterWords(scene, step) {
  const count = `${tileAt(scene, step)} of ${scene.moves.length}`;
  return step > scene.moves.length ? `on the way back, at step ${count}` : `after ${count} steps`;
}

/** What the server told, with moments of their own for what is learnt backward. @param {Scene} scene
 * @param {(import("./credit_model.js").Credit|null)[]} credits */
export function momentsOf({ agents }, credits) {
  return credits.map((credit, index) => (credit && isBackward(agents[index]) ? unrolled(credit) : credit));
}

/** The picture of a scene after some steps. @param {Scene} scene
 * @param {(import("./credit_model.js").Credit|null)[]} credits of agents A and B @param {number} step
 * @param {"forward"|"backward"} view @returns {import("./credit_draw.js").CreditPicture} */
export function pictureOf(scene, credits, step, view) {
  const agents = credits.flatMap((credit, index) => {
    if (!credit) return [];
    const lanes = credit.spans.map((_, level) => laneAt(credit, level, step));
    return [{ name: `Agent ${"AB"[index]}`, summary: describe(scene.agents[index]), lanes }];
  });
  const tiles = scene.cells.map((cell, index) => ({
    label: String(cell),
    kind: kindOf(scene, cell),
    action: index < scene.moves.length ? MOVE_LETTERS.indexOf(scene.moves[index]) : null,
    bump: index < scene.moves.length && sameCell(cell, scene.cells[index + 1]),
  }));
  return { agents, tiles, tile: tileAt(scene, step), back: step > scene.moves.length, after: afterWords(scene, step), view };
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

/** The picture in words, for screen readers. @param {import("./credit_draw.js").CreditPicture} picture */
export function inWords(picture) {
  const steps = picture.tiles.length - 1;
  const levels = picture.agents.flatMap((agent) =>
    agent.lanes.map((lane) => `${agent.name}, level ${lane.level}: ${lane.words}; it knows ${lane.knowing} cells.`),
  );
  return `The trace of ${steps} steps as a line of tiles, ${picture.after}. ${levels.join(" ")}`;
}
