// @ts-check
// What the credit view is about, worked out of the page's state: world, agents, trace and goal; pure.

import { describe } from "./config.js";
import { laneAt } from "./credit_model.js";
import { cellNumbers, MOVE_LETTERS, walk } from "./trace.js";
import { isFree, parseMap, sameCell } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {import("./config.js").Config} Config */

/** The worked example of the paper: a walk with a detour and a bump, γ = 0.95, λ = 1. */
export const EXAMPLE = {
  map: "#########\n#...#...#\n#.S...G.#\n#...#...#\n##.###.##\n#...#...#\n#.......#\n#...#...#\n#########\n",
  agents: /** @type {[Config, Config]} */ ([
    { levels: 1, backup: { kind: "Traces", decay: 1 } },
    { levels: 2, backup: { kind: "Traces", decay: 1 } },
  ]),
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
  const { map, agents } = source === "example" ? EXAMPLE : state;
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
    label: written(cell),
    kind: /** @type {"free"|"start"|"goal"} */ (kindOf(scene, cell)),
    action: index < scene.moves.length ? MOVE_LETTERS.indexOf(scene.moves[index]) : null,
    bump: index < scene.moves.length && sameCell(cell, scene.cells[index + 1]),
  }));
  return { agents, tiles, step, view };
}

/** @param {Scene} scene @param {Cell} cell */
function kindOf(scene, cell) {
  if (sameCell(cell, scene.goal)) return "goal";
  return sameCell(cell, scene.grid.start) ? "start" : "free";
}

/** A cell as row and column. @param {Cell} cell */
export function written(cell) {
  return `${cell[0]},${cell[1]}`;
}

/** In how many cells an agent knows where to go: the most that any of its levels knows.
 * @param {import("./credit_draw.js").CreditPicture["agents"][number]} agent */
export function knowingOf(agent) {
  return Math.max(0, ...agent.lanes.map((lane) => lane.knowing));
}

/** The picture in words, for those who do not see it. @param {import("./credit_draw.js").CreditPicture} picture */
export function inWords(picture) {
  const steps = picture.tiles.length - 1;
  const levels = picture.agents.flatMap((agent) =>
    agent.lanes.map((lane) => `${agent.name}, level ${lane.level}: ${lane.words}; it knows ${lane.knowing} cells.`),
  );
  return `The trace of ${steps} steps as a line of tiles, after step ${picture.step}. ${levels.join(" ")}`;
}
