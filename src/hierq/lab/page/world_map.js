// @ts-check
/** A world as a text map and what can be done to it; pure. */

import { MAX } from "./declared.js";

/** @typedef {[number, number]} Cell row and column, from 0 at the top left */
/** @typedef {{rows: number, columns: number, slip: number, signs: string[], walls: boolean[], start: Cell, goal: Cell}} Grid
 *   signs and walls row by row; start and goal are the first of several */

/** The signs of a map but for the digits of teleports, and what they stand for. @type {Record<string, string>} */
export const SIGNS = {
  "#": "wall", ".": "free", S: "start", G: "goal", H: "hole",
  "^": "door north", v: "door south", "<": "door west", ">": "door east",
};

/** @param {string} sign @returns {string} */
export const signWords = (sign) => SIGNS[sign] ?? `teleport ${sign}`;

/** How a cell is written everywhere. @param {ArrayLike<number>} cell */
export const cellWords = (cell) => `(${cell[0]},${cell[1]})`;

/** @param {number} rows @param {number} columns @param {number} slip @param {string[]} signs @returns {Grid} */
function gridOf(rows, columns, slip, signs) {
  const [start, goal] = ["S", "G"].map((sign) => /** @type {Cell} */ ([Math.floor(signs.indexOf(sign) / columns), signs.indexOf(sign) % columns]));
  return { rows, columns, slip, signs, walls: signs.map((sign) => sign === "#"), start, goal };
}

/** Reads a text map. The server checks it again and knows more (whether a goal can be reached). @param {string} text
 * @returns {Grid} @throws {Error} with words for the user */
export function parseMap(text) {
  const [, slip, map] = /** @type {string[]} */ (/^(?:slip:[ \t]*([^\n]*)\n)?([^]*?)\n*$/i.exec(text.replace(/\r\n/g, "\n")));
  if (!map.trim()) throw new Error("The map is empty. Write # for a wall, . for a free cell, S for the start, G for the goal.");
  if (!(Number(slip ?? 0) >= 0 && Number(slip ?? 0) < 1)) throw new Error(`The slip is a number from 0 to below 1, not “${slip}”.`);
  const lines = map.split("\n");
  const columns = lines[0].length;
  lines.forEach((line, row) => {
    if (line.length !== columns) throw new Error(`Row ${row} has ${line.length} cells, row 0 has ${columns}. Make all rows equally long.`);
    const foreign = line.search(/[^#.SGH^v<>1-9]/);
    if (foreign >= 0) throw new Error(`Cell ${cellWords([row, foreign])} holds “${line[foreign]}”. A map is made of ${Object.keys(SIGNS).join(" ")} and 1 to 9.`);
  });
  if (lines.length > MAX.side || columns > MAX.side) {
    throw new Error(`The map has ${lines.length} × ${columns} cells. The lab takes at most ${MAX.side} × ${MAX.side}.`);
  }
  const signs = [...lines.join("")];
  for (const sign of ["S", "G"]) {
    if (!signs.includes(sign)) throw new Error(`The map has no ${SIGNS[sign]}. Put ${sign} into it.`);
  }
  return gridOf(lines.length, columns, Number(slip ?? 0), signs);
}

/** The text of a grid, each line ended by a newline. @param {Grid} grid @returns {string} */
export function toText({ rows, columns, slip, signs }) {
  const lines = Array.from({ length: rows }, (_, row) => signs.slice(row * columns, (row + 1) * columns).join(""));
  return [...(slip ? [`slip: ${slip}`] : []), ...lines, ""].join("\n");
}

/** @param {Grid} grid @param {Cell} cell @returns {string} */
export const signAt = (grid, cell) => grid.signs[cell[0] * grid.columns + cell[1]];

/** The cells that hold a sign. @param {Grid} grid @param {string} sign @returns {Cell[]} */
export function cellsOf({ signs, columns }, sign) {
  return signs.flatMap((each, place) => (each === sign ? [/** @type {Cell} */ ([Math.floor(place / columns), place % columns])] : []));
}

/** Whether a cell lies in the world and is not a wall. @param {Grid} grid @param {Cell} cell @returns {boolean} */
export function isFree({ rows, columns, walls }, [row, column]) {
  return row >= 0 && column >= 0 && row < rows && column < columns && !walls[row * columns + column];
}

/** Whether an episode ends at a cell. @param {Grid} grid @param {Cell} cell */
export const isEnd = (grid, cell) => "GH".includes(signAt(grid, cell));

/** Where a move leads that does not slip: walls and doors may stop it, a teleport carries it on. @param {Grid} grid
 * @param {Cell} cell @param {number} move 0 … 3 for N, S, W, E @returns {Cell} */
export function afterMove(grid, cell, move) {
  const next = /** @type {Cell} */ ([cell[0] + [-1, 1, 0, 0][move], cell[1] + [0, 0, -1, 1][move]]);
  if (!isFree(grid, next)) return cell;
  const [own, sign] = [signAt(grid, cell), signAt(grid, next)];
  const isShut = ("^v<>".includes(sign) && "^v<>"[move] !== sign) || own === "v^><"[move];
  const ends = /\d/.test(sign) ? cellsOf(grid, sign) : [];
  return isShut ? cell : ends.find((end) => !sameCell(end, next)) ?? next;
}

/** @param {ArrayLike<number>|null} one @param {ArrayLike<number>|null} other @returns {boolean} */
export function sameCell(one, other) {
  return one !== null && other !== null && one[0] === other[0] && one[1] === other[1];
}

/** The number of a cell among the positions of all; −1 if it has none. @param {Cell[]} positions @param {Cell|null} cell */
export const numberOf = (positions, cell) => positions.findIndex((position) => sameCell(position, cell));

/** A copy in which a cell is a wall or is free. Starts and goals are not painted over. @param {Grid} grid @param {Cell} cell
 * @param {"#"|"."} sign @returns {Grid} the same object when nothing changed */
export function painted(grid, cell, sign) {
  const here = signAt(grid, cell);
  return here === sign || "SG".includes(here) ? grid : withSigns(grid, [[cell, sign]]);
}

/** A copy with a start or goal moved to a cell from others. @param {Grid} grid @param {string} sign @param {Cell} cell
 * @param {Cell[]} from @returns {Grid} the same object when nothing changed */
export function moved(grid, sign, cell, from) {
  if ("SG".includes(signAt(grid, cell))) return grid;
  return withSigns(grid, [...from.map((each) => /** @type {[Cell, string]} */ ([each, "."])), [cell, sign]]);
}

/** @param {Grid} grid @param {[Cell, string][]} changes @returns {Grid} */
function withSigns(grid, changes) {
  const signs = grid.signs.slice();
  for (const [[row, column], sign] of changes) {
    const here = signs[row * grid.columns + column];
    if (/\d/.test(here)) signs.forEach((each, place) => (signs[place] = each === here ? "." : each)); // a teleport goes with its other end
    signs[row * grid.columns + column] = sign;
  }
  return gridOf(grid.rows, grid.columns, grid.slip, signs);
}

/** The server's words with cells as the page counts them: files have lines and columns from 1, and perhaps a line above the map.
 * @param {string} words @param {string} map @returns {string} */
export function withCells(words, map) {
  const above = /^slip:/i.test(map) ? 2 : 1;
  return words.replace(/line (\d+), column (\d+)/g, (_, line, column) => cellWords([line - above, column - 1]));
}
