// @ts-check
// The map beside the credit view: the trace, and the best value of every level at each cell of it.

import { bestActionOf, bestOf, short, tableAt } from "./credit_model.js";
import { bentControl, centreOf, fitWorld, MOVES, movePlace } from "./geometry.js";
import { heatColour, heatShare, levelColour, mixed } from "./palette.js";
import { isFree } from "./world_map.js";
import { drawFrame, drawSigns } from "./world_view.js";

const ROOM_FOR_NUMBERS = 40;
const LANE = 2;

/** @typedef {import("./world_map.js").Cell} Cell */

/** @typedef {import("./credit_scene.js").Scene & {credit: import("./credit_model.js").Credit|null, step: number, tile: number, whole: boolean}} CreditMap
 *   whole: the whole world is shown; else only the part with the trace, so that numbers find room */

/** The part of the world that is shown, and where it lies. @param {CreditMap} map @param {number} width @param {number} height */
export function mapLayout(map, width, height) {
  const { rows, columns } = map.grid;
  if (map.whole || map.cells.length < 2) return { ...fitWorld(rows, columns, width, height), top: 0, left: 0 };
  const [down, right] = [0, 1].map((axis) => [...map.cells, map.goal].map((cell) => cell[axis]));
  const top = Math.max(0, Math.min(...down) - 1);
  const left = Math.max(0, Math.min(...right) - 1);
  const tall = Math.min(rows, Math.max(...down) + 2) - top;
  const wide = Math.min(columns, Math.max(...right) + 2) - left;
  return { ...fitWorld(tall, wide, width, height), top, left };
}

/** @param {any} pen @param {import("./palette.js").Palette} palette @param {CreditMap} map @param {number} width
 * @param {number} height */
export function drawCreditMap(pen, palette, map, width, height) {
  const layout = mapLayout(map, width, height);
  pen.rect(0, 0, width, height, { fill: palette.ground });
  const tables = map.credit ? map.credit.spans.map((_, level) => tableAt(map.credit, level, map.step)) : [];
  const { visited, numberOf } = map;
  const top = tables.length - 1;
  const best = (level, cell) => (map.credit ? bestOf(map.credit, level, tables[level], numberOf(cell)) : null);
  for (let row = 0; row < layout.rows; row += 1) {
    for (let column = 0; column < layout.columns; column += 1) {
      const cell = /** @type {Cell} */ ([row + layout.top, column + layout.left]);
      const value = top >= 0 ? best(top, cell) : null;
      const known = value === null ? palette.free : heatColour(palette, 0.75 * heatShare(value, Math.min(0, value)));
      const fill = isFree(map.grid, cell) ? known : palette.wall;
      pen.rect(layout.x + column * layout.cell, layout.y + row * layout.cell, layout.cell - 1, layout.cell - 1, { fill });
    }
  }
  drawSigns(pen, layout, map.grid, { ...palette, start: mixed(palette.free, palette.start, 0.6) }, [layout.top, layout.left], layout.cell >= ROOM_FOR_NUMBERS);
  drawTrace(pen, palette, map, layout);
  if (!map.credit) return;
  for (const cell of visited) {
    const values = tables.map((_, level) => best(level, cell));
    const move = bestActionOf(map.credit, 0, tables[0], numberOf(cell));
    if (layout.cell >= ROOM_FOR_NUMBERS) drawNumbers(pen, palette, layout, cell, values, move);
    else if (move !== null) pen.arrow(...movePlace(layout, cell[0] - layout.top, cell[1] - layout.left, move, false), { fill: palette.ink, width: 2.5, head: 7 });
  }
  if (layout.cell < ROOM_FOR_NUMBERS && top > 0) drawPointers(pen, palette, map, layout, tables[top], visited.map(numberOf));
  drawFrame(pen, layout, [map.goal[0] - layout.top, map.goal[1] - layout.left], palette.ink, 2, 2);
}

/** Where the top level sends the agent from each cell: a thin curve to a ring. */
function drawPointers(pen, palette, map, layout, table, states) {
  const level = map.credit.spans.length - 1;
  const colour = levelColour(palette, level);
  const middle = (/** @type {number} */ number) => centreOf(layout, map.numbered[number][0] - layout.top, map.numbered[number][1] - layout.left);
  const sent = states.map((state) => [state, bestActionOf(map.credit, level, table, state)]).filter(([, subgoal]) => subgoal !== null);
  for (const [state, subgoal] of sent) {
    const [from, to] = [middle(state), middle(subgoal)];
    pen.curve(from, bentControl(from, to, 0.18), to, { stroke: colour, width: 1.2, opacity: 0.75 });
  }
  for (const subgoal of new Set(sent.map(([, each]) => each))) {
    pen.circle(...middle(subgoal), layout.cell * 0.24, { stroke: colour, width: 2 });
  }
}

/** The trace from cell to cell, where numbers are beside them; the newest state as a dot. */
function drawTrace(pen, palette, map, layout) {
  const aside = layout.cell >= ROOM_FOR_NUMBERS ? 0.36 * layout.cell : 0;
  const points = map.cells.map((cell) => centreOf(layout, cell[0] - layout.top, cell[1] - layout.left).map((place) => place + aside));
  const taken = Math.min(map.step, points.length - 1);
  if (points.length > 1) pen.polyline(onTheRight(points), { stroke: palette.path, width: 2, opacity: 0.35, dash: [4, 3] });
  if (taken > 0) pen.polyline(onTheRight(points.slice(0, taken + 1)), { stroke: palette.path, width: 2, opacity: 0.9 });
  const newest = points[map.tile];
  pen.circle(newest[0], newest[1], Math.max(3, Math.min(6, layout.cell * 0.12)), { fill: palette.agent, stroke: palette.agentEdge, width: 1.5 });
}

/** A way that keeps to the right of its middle, so that ways back can be seen. @param {number[][]} points @returns {number[][]} */
function onTheRight(points) {
  return points.slice(1).flatMap(([x, y], index) => {
    const [fromX, fromY] = points[index];
    const [right, down] = [-Math.sign(y - fromY) * LANE, Math.sign(x - fromX) * LANE];
    return [[fromX + right, fromY + down], [x + right, y + down]];
  });
}

/** A line for every level, left of the trace: its colour, its value, and for level 0 its move. */
function drawNumbers(pen, palette, layout, cell, values, move) {
  const [x, y] = centreOf(layout, cell[0] - layout.top, cell[1] - layout.left);
  const shown = values.map((value, level) => ({ value, level })).filter(({ value }) => value !== null).slice(-3).reverse();
  const size = Math.min(13, layout.cell / 5);
  const line = size + 1.5;
  shown.forEach(({ value, level }, index) => {
    const [left, middle] = [x - layout.cell / 2 + 2, y - layout.cell / 2 + 3 + line * (index + 0.5)];
    pen.rect(left, middle - size / 2, 3, size, { fill: levelColour(palette, level) });
    const letters = { fill: palette.ink, size, mono: true, weight: 600, baseline: "middle" };
    pen.text(left + 5, middle + 0.5, short(value).replace(/^(−?)0\./, "$1."), letters);
  });
  if (move === null) return;
  const [dy, dx] = MOVES[move].map((way) => way * size * 0.45);
  const [cx, cy] = [x - layout.cell * 0.2, y + layout.cell * 0.34];
  pen.arrow(cx - dx, cy - dy, cx + dx, cy + dy, { fill: levelColour(palette, 0), width: 2.5, head: size * 0.7 });
}
