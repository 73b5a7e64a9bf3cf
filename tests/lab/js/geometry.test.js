import assert from "node:assert/strict";
import { test } from "node:test";

import * as geometry from "../../../src/hierq/lab/page/geometry.js";

test("a world fits and lies in the middle", () => {
  const layout = geometry.fitWorld(10, 20, 405, 405);
  assert.ok(Math.abs(geometry.fitWorld(40, 40, 398, 398).cell - 9.95) < 1e-9, "small cells use all the space");
  assert.equal(layout.cell, 20);
  assert.deepEqual([layout.x, layout.y], [3, 103]);
});

test("cell to pixel and back, for every cell", () => {
  for (const [rows, columns, width, height] of [[3, 3, 90, 100], [40, 40, 398, 398], [64, 7, 200, 211]]) {
    const layout = geometry.fitWorld(rows, columns, width, height);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const [x, y] = geometry.centreOf(layout, row, column);
        assert.deepEqual(geometry.cellAt(layout, x, y), [row, column]);
      }
    }
  }
});

test("outside a world there is no cell", () => {
  const layout = geometry.fitWorld(4, 4, 100, 120);
  assert.equal(geometry.cellAt(layout, 50, 5), null);
  assert.equal(geometry.cellAt(layout, 101, 60), null);
});

test("a stroke leaves no gaps", () => {
  const cells = geometry.cellsBetween([1, 1], [4, 9]);
  assert.deepEqual(cells[0], [1, 1]);
  assert.deepEqual(cells.at(-1), [4, 9]);
  for (let index = 1; index < cells.length; index += 1) {
    assert.ok(Math.abs(cells[index][0] - cells[index - 1][0]) <= 1 && Math.abs(cells[index][1] - cells[index - 1][1]) <= 1);
  }
  assert.deepEqual(geometry.cellsBetween([2, 2], [2, 2]), [[2, 2]]);
});

test("an arrow's outline ends at its tip and is symmetrical", () => {
  const outline = geometry.arrowOutline(0, 0, 10, 0, 2, 4);
  assert.deepEqual(outline[3], [10, 0]);
  for (let index = 0; index < 3; index += 1) {
    assert.equal(outline[index][0], outline[6 - index][0]);
    assert.equal(outline[index][1], -outline[6 - index][1]);
  }
  assert.deepEqual(geometry.arrowOutline(3, 3, 3, 3, 1, 4), []);
});

test("an arrow's head points away from where it comes from", () => {
  const [tip, left, right] = geometry.arrowHead([0, 0], [0, 10], 4, 2);
  assert.deepEqual(tip, [0, 10]);
  assert.deepEqual([left, right].map(([, y]) => y), [6, 6]);
  assert.equal(Math.abs(left[0] - right[0]), 2);
});

test("an arc reaches its lift in the middle", () => {
  const { from, control, to } = geometry.arcOver(10, 50, 100, 24);
  assert.deepEqual([from, to], [[10, 100], [50, 100]]);
  const middle = [0, 1].map((axis) => (from[axis] + 2 * control[axis] + to[axis]) / 4); // of a quadratic curve
  assert.deepEqual(middle, [30, 76]);
});

test("longer hops rise higher, up to a limit", () => {
  const lifts = [1, 3, 9, 27].map((span) => geometry.liftOf(span, 10, 40));
  assert.deepEqual(lifts, lifts.slice().sort((a, b) => a - b));
  assert.equal(lifts[0], 10);
  assert.equal(lifts[3], 40);
});

test("moves point where the paper's actions go", () => {
  const layout = geometry.fitWorld(3, 3, 300, 300);
  const directions = [0, 1, 2, 3].map((move) => {
    const [x1, y1, x2, y2] = geometry.movePlace(layout, 1, 1, move);
    return [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  });
  assert.deepEqual(directions, [[0, -1], [0, 1], [-1, 0], [1, 0]]);
});

test("ticks of a log axis are round, inside and not too many", () => {
  assert.deepEqual(geometry.logTicks(10, 1000), [10, 20, 50, 100, 200, 500, 1000]);
  assert.ok(geometry.logTicks(1, 20000).length <= 8);
  assert.deepEqual(geometry.logTicks(18, 25), [20]);
});

test("ticks of a linear axis are whole and inside", () => {
  assert.deepEqual(geometry.linearTicks(0, 50), [0, 10, 20, 30, 40, 50]);
  assert.deepEqual(geometry.linearTicks(1, 3), [1, 2, 3]);
});

test("a log scale maps its ends and equal ratios to equal lengths", () => {
  const scale = geometry.logScale(10, 1000, 200, 0);
  assert.equal(scale(10), 200);
  assert.ok(Math.abs(scale(100) - 100) < 1e-9);
  assert.ok(Math.abs(scale(1000)) < 1e-9);
});

test("labels are moved apart and stay inside", () => {
  const places = geometry.spread([50, 52, 10], 14, 0, 60);
  assert.equal(places[2], 10);
  assert.ok(Math.abs(places[0] - places[1]) >= 14 - 1e-9);
  assert.ok(Math.max(...places) <= 60);
});
