// @ts-check
/** A world as a text map and what can be done to it; pure. `#` wall, `.` free, `S` start, `G` goal. */

/** @typedef {[number, number]} Cell row and column, from 0 at the top left */
/** @typedef {{rows: number, columns: number, walls: boolean[], start: Cell, goal: Cell}} Grid walls row by row */

export const MOST_SIDE = 64;

/** Reads a text map. The server checks it again and knows more (whether the goal can be reached). @param {string} text
 * @returns {Grid} @throws {Error} with words for the user */
export function parseMap(text) {
  const lines = text.replace(/\r\n/g, "\n").replace(/\n+$/, "").split("\n");
  if (!text.trim()) throw new Error("The map is empty. Write # for a wall, . for a free cell, S for the start, G for the goal.");
  const columns = lines[0].length;
  lines.forEach((line, index) => {
    if (line.length !== columns) {
      throw new Error(`Line ${index + 1} has ${line.length} characters, line 1 has ${columns}. Make all lines equally long.`);
    }
    const foreign = line.search(/[^#.SG]/);
    if (foreign >= 0) {
      throw new Error(`Line ${index + 1}, column ${foreign + 1} holds “${line[foreign]}”. A map is made of # . S and G.`);
    }
  });
  if (lines.length > MOST_SIDE || columns > MOST_SIDE) {
    throw new Error(`The map has ${lines.length} × ${columns} cells. The lab takes at most ${MOST_SIDE} × ${MOST_SIDE}.`);
  }
  const cells = lines.join("");
  const walls = Array.from(cells, (sign) => sign === "#");
  return { rows: lines.length, columns, walls, start: only(cells, columns, "S", "start"), goal: only(cells, columns, "G", "goal") };
}

/** @param {string} cells @param {number} columns @param {string} sign @param {string} name @returns {Cell} */
function only(cells, columns, sign, name) {
  const place = cells.indexOf(sign);
  if (place < 0) throw new Error(`The map has no ${name}. Put one ${sign} into it.`);
  if (cells.indexOf(sign, place + 1) >= 0) throw new Error(`The map has more than one ${name}. Leave only one ${sign} in it.`);
  return [Math.floor(place / columns), place % columns];
}

/** The text of a grid, each line ended by a newline. @param {Grid} grid @returns {string} */
export function toText(grid) {
  const lines = [];
  for (let row = 0; row < grid.rows; row += 1) {
    let line = "";
    for (let column = 0; column < grid.columns; column += 1) line += signAt(grid, [row, column]);
    lines.push(`${line}\n`);
  }
  return lines.join("");
}

/** The sign of a cell. @param {Grid} grid @param {Cell} cell @returns {"#"|"."|"S"|"G"} */
export function signAt(grid, cell) {
  if (sameCell(cell, grid.start)) return "S";
  if (sameCell(cell, grid.goal)) return "G";
  return grid.walls[cell[0] * grid.columns + cell[1]] ? "#" : ".";
}

/** Whether a cell lies in the world and is no wall. @param {Grid} grid @param {Cell} cell @returns {boolean} */
export function isFree({ rows, columns, walls }, [row, column]) {
  return row >= 0 && column >= 0 && row < rows && column < columns && !walls[row * columns + column];
}

/** @param {ArrayLike<number>|null} one @param {ArrayLike<number>|null} other @returns {boolean} */
export function sameCell(one, other) {
  return one !== null && other !== null && one[0] === other[0] && one[1] === other[1];
}

/** A copy with cells made walls or free; start and goal stay. @param {Grid} grid @param {Cell[]} cells @param {boolean} wall
 * @returns {Grid} the same object when nothing changed */
export function painted(grid, cells, wall) {
  const walls = grid.walls.slice();
  let changed = false;
  for (const cell of cells) {
    const place = cell[0] * grid.columns + cell[1];
    if (sameCell(cell, grid.start) || sameCell(cell, grid.goal) || walls[place] === wall) continue;
    walls[place] = wall;
    changed = true;
  }
  return changed ? { ...grid, walls } : grid;
}

/** A copy with the start or goal moved; a wall there is opened. @param {Grid} grid @param {"start"|"goal"} which
 * @param {Cell} cell @returns {Grid} the same object when nothing changed */
export function moved(grid, which, cell) {
  const other = which === "start" ? grid.goal : grid.start;
  if (sameCell(cell, grid[which]) || sameCell(cell, other)) return grid;
  const walls = grid.walls.slice();
  walls[cell[0] * grid.columns + cell[1]] = false;
  return { ...grid, walls, [which]: cell };
}

/** A grid in few URL-safe characters: "rows.columns.start.goal.walls", walls as bits in base64url. @param {Grid} grid @returns {string} */
export function packGrid(grid) {
  const bytes = new Uint8Array(Math.ceil(grid.walls.length / 8));
  grid.walls.forEach((wall, index) => {
    if (wall) bytes[index >> 3] |= 128 >> (index & 7);
  });
  const bits = btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const number = (/** @type {Cell} */ cell) => cell[0] * grid.columns + cell[1];
  return [grid.rows, grid.columns, number(grid.start), number(grid.goal), bits].join(".");
}

/** The inverse. @param {string} packed @returns {Grid} @throws {Error} with words for the user */
export function unpackGrid(packed) {
  const parts = packed.split(".");
  const [rows, columns, start, goal] = parts.slice(0, 4).map(Number);
  const cells = rows * columns;
  const sound = parts.length === 5 && [rows, columns].every((side) => Number.isInteger(side) && side >= 1 && side <= MOST_SIDE);
  const inside = [start, goal].every((place) => Number.isInteger(place) && place >= 0 && place < cells);
  if (!sound || !inside || start === goal || !/^[\w-]*$/.test(parts[4])) throw new Error("The world in the link is damaged.");
  const bytes = atob(parts[4].replace(/-/g, "+").replace(/_/g, "/"));
  if (bytes.length !== Math.ceil(cells / 8)) throw new Error("The world in the link is cut off.");
  const walls = Array.from({ length: cells }, (_, index) => (bytes.charCodeAt(index >> 3) & (128 >> (index & 7))) !== 0);
  walls[start] = walls[goal] = false;
  const cell = (/** @type {number} */ place) => /** @type {Cell} */ ([Math.floor(place / columns), place % columns]);
  return { rows, columns, walls, start: cell(start), goal: cell(goal) };
}
