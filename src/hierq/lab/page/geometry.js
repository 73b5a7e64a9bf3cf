// @ts-check
/** Where things go: pure functions from cells, values and lengths to pixels and back. */

/**
 * Where a world lies on a picture.
 * @typedef {object} Layout
 * @property {number} cell side of a cell in pixels, a whole number where cells are large
 * @property {number} x left edge @property {number} y upper edge
 * @property {number} rows @property {number} columns
 */

/** @typedef {[number, number]} Point */

/** The largest square cells that fit, the world in the middle. @param {number} rows @param {number} columns
 * @param {number} width @param {number} height @returns {Layout} */
export function fitWorld(rows, columns, width, height) {
  const exact = Math.min(width / columns, height / rows);
  const cell = exact >= 16 ? Math.floor(exact) : exact; // small cells would waste much of the space
  return { cell, x: Math.round((width - cell * columns) / 2), y: Math.round((height - cell * rows) / 2), rows, columns };
}

/** Middle of a cell. @param {Layout} layout @param {number} row @param {number} column @returns {Point} */
export function centreOf(layout, row, column) {
  return [layout.x + (column + 0.5) * layout.cell, layout.y + (row + 0.5) * layout.cell];
}

/** The cell under a point as [row, column], or null. @param {Layout} layout @param {number} x @param {number} y
 * @returns {[number, number]|null} */
export function cellAt(layout, x, y) {
  const row = Math.floor((y - layout.y) / layout.cell);
  const column = Math.floor((x - layout.x) / layout.cell);
  return row >= 0 && row < layout.rows && column >= 0 && column < layout.columns ? [row, column] : null;
}

/** All cells a straight stroke passes, ends included. @param {[number, number]} from @param {[number, number]} to
 * @returns {[number, number][]} */
export function cellsBetween(from, to) {
  const count = Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  return Array.from({ length: count + 1 }, (_, step) => {
    const share = count ? step / count : 0;
    return [Math.round(from[0] + share * (to[0] - from[0])), Math.round(from[1] + share * (to[1] - from[1]))];
  });
}

/** The way from one point to another: its direction and its length. @param {Point} from @param {Point} to
 * @returns {[number, number, number]} */
function wayTo(from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  return [(to[0] - from[0]) / (length || 1), (to[1] - from[1]) / (length || 1), length];
}

/** The point some way from one towards another. @param {Point} from @param {Point} to @param {number} way @returns {Point} */
export function towards(from, to, way) {
  const [ux, uy] = wayTo(from, to);
  return [from[0] + ux * way, from[1] + uy * way];
}

/** The outline of a straight arrow from tail to tip; its head is as wide as it is long. @param {number} x1 @param {number} y1
 * @param {number} x2 @param {number} y2 @param {number} width of the shaft @param {number} head length of the head
 * @returns {Point[]} */
export function arrowOutline(x1, y1, x2, y2, width, head) {
  const [ux, uy, length] = wayTo([x1, y1], [x2, y2]);
  if (length === 0) return [];
  const neck = Math.max(0, length - head);
  /** @param {number} along @param {number} aside @returns {Point} */
  const at = (along, aside) => [x1 + ux * along - uy * aside, y1 + uy * along + ux * aside];
  const [half, wide] = [width / 2, head / 2];
  return [at(0, half), at(neck, half), at(neck, wide), at(length, 0), at(neck, -wide), at(neck, -half), at(0, -half)];
}

/** The three corners of an arrow's head alone. @param {Point} from @param {Point} tip @param {number} length
 * @param {number} [width] @returns {Point[]} */
export function arrowHead(from, tip, length, width = length) {
  const [ux, uy] = wayTo(from, tip);
  const [bx, by] = [tip[0] - ux * length, tip[1] - uy * length];
  return [tip, [bx - (uy * width) / 2, by + (ux * width) / 2], [bx + (uy * width) / 2, by - (ux * width) / 2]];
}

/** A curve over a line of places, as high as `lift`; wider hops may be given higher lifts with `liftOf`. @param {number} x1
 * @param {number} x2 @param {number} y @param {number} lift above y (negative: below)
 * @returns {{from: Point, control: Point, to: Point}} */
export function arcOver(x1, x2, y, lift) {
  const middle = (x1 + x2) / 2;
  return { from: [x1, y], control: [middle, y - 2 * lift], to: [x2, y] };
}

/** The height of an arc: grows with the root of its span, up to `most`.
 * @param {number} span @param {number} first height of span 1 @param {number} most @returns {number} */
export function liftOf(span, first, most) {
  return Math.min(most, first * Math.sqrt(Math.max(1, Math.abs(span))));
}

/** The control point of a curve that bends to one side, as the figures' pointers do. @param {Point} from @param {Point} to
 * @param {number} [bend] share of the distance @returns {Point} */
export function bentControl(from, to, bend = 0.22) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  return [(from[0] + to[0]) / 2 - dy * bend, (from[1] + to[1]) / 2 + dx * bend];
}

/** Row and column steps of the moves N, S, W, E. @type {readonly (readonly [number, number])[]} */
export const MOVES = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/** The arrow of a move in a tile, as [x1, y1, x2, y2]. @param {Layout} layout @param {number} row @param {number} column
 * @param {number} move 0 … 3 @returns {[number, number, number, number]} */
export function movePlace(layout, row, column, move) {
  const [x, y] = centreOf(layout, row, column);
  const reach = 0.29 * layout.cell;
  const [down, right] = MOVES[move];
  return [x - right * reach, y - down * reach, x + right * reach, y + down * reach];
}

/** From a number to a pixel on a logarithmic axis. @param {number} low @param {number} high @param {number} start
 * @param {number} end @returns {(value: number) => number} */
export function logScale(low, high, start, end) {
  const [from, range] = [Math.log(low), Math.log(high) - Math.log(low) || 1];
  return (value) => start + ((Math.log(Math.max(value, 1e-300)) - from) / range) * (end - start);
}

/** The same on a linear axis. @param {number} low @param {number} high @param {number} start @param {number} end
 * @returns {(value: number) => number} */
export function linearScale(low, high, start, end) {
  const range = high - low || 1;
  return (value) => start + ((value - low) / range) * (end - start);
}

/** Round numbers 1, 2, 5 × 10^n for a log axis; only powers of ten where these would be too many.
 * @param {number} low @param {number} high @param {number} [most] @returns {number[]} */
export function logTicks(low, high, most = 8) {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from({ length: Math.ceil(Math.log10(high)) - first + 1 }, (_, place) => first + place);
  const ticksOf = (/** @type {number[]} */ digits) => powers
    .flatMap((power) => digits.map((digit) => Number((digit * 10 ** power).toPrecision(2))))
    .filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  return [[1, 2, 5], [1, 3]].map(ticksOf).find((ticks) => ticks.length <= most) ?? ticksOf([1]);
}

/** Round whole numbers for a linear axis. @param {number} low @param {number} high @param {number} [most] @returns {number[]} */
export function linearTicks(low, high, most = 6) {
  const rough = Math.max(1, (high - low) / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((candidate) => candidate >= rough - 1e-9) ?? 10 * power;
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + 1e-9; tick += step) ticks.push(tick);
  return ticks;
}

/** Moves labels apart that would overlap; order is kept. @param {number[]} places wanted middles
 * @param {number} gap least distance @param {number} low @param {number} high @returns {number[]} */
export function spread(places, gap, low, high) {
  const order = places.map((_, index) => index).sort((a, b) => places[a] - places[b]);
  const result = places.slice();
  let previous = -Infinity;
  for (const index of order) previous = result[index] = Math.max(places[index], previous + gap, low);
  let next = Infinity;
  for (const index of order.reverse()) next = result[index] = Math.min(result[index], next - gap, high);
  return result;
}
