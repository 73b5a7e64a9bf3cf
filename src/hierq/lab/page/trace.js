// @ts-check
// A trace drawn by hand: letters N, S, W, E and the cells they lead through; pure.

import { MOVES } from "./geometry.js";
import { afterMove, cellsOf, isEnd, isFree, sameCell, signAt } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {import("./world_map.js").Grid} Grid */

export const MOVE_LETTERS = "NSWE";

/** Moves as letters. @param {ArrayLike<number>} actions @returns {string} */
export const lettersOf = (actions) => Array.from(actions, (action) => MOVE_LETTERS[action]).join("");

/** The cells S_0 … S_T of a trace. What comes after its end is left out. @param {Grid} grid @param {string} moves
 * @param {Cell} [from] @returns {{cells: Cell[], moves: string, reached: boolean}} */
export function walk(grid, moves, from = grid.start) {
  const cells = [from];
  let kept = "";
  for (const letter of moves) {
    if (isEnd(grid, cells[cells.length - 1])) break;
    cells.push(afterMove(grid, cells[cells.length - 1], MOVE_LETTERS.indexOf(letter)));
    kept += letter;
  }
  return { cells, moves: kept, reached: signAt(grid, cells[cells.length - 1]) === "G" };
}

const TAIL = 40; // moves: enough for the reach of three levels, and a picture that can be read

/** The end of an episode as a trace; null where a move slipped. @param {Grid} grid @param {Cell[]} positions of the cells by number
 * @param {{steps: number, states: ArrayLike<number>, actions: ArrayLike<number>}} episode @returns {{moves: string, start: Cell|null}|null} */
export function tailOf(grid, positions, { steps, states, actions }) {
  let first = Math.max(0, steps - TAIL);
  while (first > 0 && signAt(grid, positions[states[first]]) !== ".") first -= 1; // a start is put there, which must not replace a door
  const start = positions[states[first]];
  const moves = lettersOf(Array.from(actions).slice(first));
  const { cells } = walk(grid, moves, start);
  const isTheSame = cells.every((cell, step) => sameCell(cell, positions[states[first + step]]));
  return isTheSame ? { moves, start: first === 0 && sameCell(start, grid.start) ? null : start } : null;
}

/** The moves of a shortest path to the nearest goal. @param {Grid} grid @returns {string} */
export function shortestPath(grid) {
  const paths = cellsOf(grid, "G").map((goal) => movesBetween(grid, grid.start, goal)).filter(Boolean);
  return paths.reduce((best, path) => (best === "" || path.length < best.length ? path : best), "");
}

/** The moves from one cell to another: one move to a neighbour (against a wall too), else a shortest way. @param {Grid} grid
 * @param {Cell} from @param {Cell} to @returns {string} empty where there is no way */
export function movesBetween(grid, from, to) {
  const beside = MOVES.findIndex(([down, right]) => sameCell([from[0] + down, from[1] + right], to));
  if (beside >= 0) return MOVE_LETTERS[beside];
  if (sameCell(from, to) || !isFree(grid, to)) return "";
  const number = (/** @type {Cell} */ cell) => cell[0] * grid.columns + cell[1];
  /** @type {Map<number, string>} */
  const ways = new Map([[number(from), ""]]);
  /** @type {Cell[]} */
  const open = [from];
  for (let cell = open.shift(); cell; cell = open.shift()) {
    const way = ways.get(number(cell)) ?? "";
    if (sameCell(cell, to)) return way;
    for (const [move, letter] of [...MOVE_LETTERS].entries()) {
      const next = afterMove(grid, cell, move);
      if (ways.has(number(next))) continue;
      ways.set(number(next), way + letter);
      open.push(next);
    }
  }
  return "";
}

/** The numbers hierq gives to cells: free ones first, then walls, each row by row. @param {Grid} grid
 * @returns {{numbers: number[], cells: Cell[]}} number of each place of the grid; cell of each number */
export function cellNumbers(grid) {
  const places = grid.walls.map((_, place) => place);
  const order = [...places.filter((place) => !grid.walls[place]), ...places.filter((place) => grid.walls[place])];
  /** @type {number[]} */
  const numbers = [];
  order.forEach((place, number) => (numbers[place] = number));
  return { numbers, cells: order.map((place) => [Math.floor(place / grid.columns), place % grid.columns]) };
}
