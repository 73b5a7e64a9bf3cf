// @ts-check
// A trace drawn by hand: letters N, S, W, E and the cells they lead through; pure.

import { MOVES } from "./geometry.js";
import { afterMove, isEnd, isFree, sameCell, signAt } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {import("./world_map.js").Grid} Grid */

export const MOVE_LETTERS = "NSWE";

/** Moves as letters. @param {ArrayLike<number>} actions @returns {string} */
export const lettersOf = (actions) => Array.from(actions, (action) => MOVE_LETTERS[action]).join("");

/** The cells S_0 … S_T of a trace from the start. What comes after its end is left out. @param {Grid} grid
 * @param {string} moves @returns {{cells: Cell[], moves: string, reached: boolean}} */
export function walk(grid, moves) {
  const cells = [grid.start];
  let kept = "";
  for (const letter of moves) {
    if (isEnd(grid, cells[cells.length - 1])) break;
    cells.push(afterMove(grid, cells[cells.length - 1], MOVE_LETTERS.indexOf(letter)));
    kept += letter;
  }
  return { cells, moves: kept, reached: signAt(grid, cells[cells.length - 1]) === "G" };
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

/** The moves that a text names, at most `most` of them. @param {string} text @param {number} most */
export function onlyMoves(text, most) {
  return text.toUpperCase().replace(/[^NSWE]/g, "").slice(0, most);
}
