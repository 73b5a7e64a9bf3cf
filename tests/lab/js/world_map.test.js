import assert from "node:assert/strict";
import { test } from "node:test";

import { moved, packGrid, painted, parseMap, signAt, toText, unpackGrid } from "../../../src/hierq/lab/page/world_map.js";

const TEXT = "#####\n#S..#\n#.#G#\n#####\n";

test("a map is read and written", () => {
  const grid = parseMap(TEXT);
  assert.deepEqual([grid.rows, grid.columns, grid.start, grid.goal], [4, 5, [1, 1], [2, 3]]);
  assert.equal(toText(grid), TEXT);
  assert.equal(toText(parseMap(TEXT.replace(/\n/g, "\r\n"))), TEXT);
  assert.equal(signAt(grid, [2, 2]), "#");
});

test("what is wrong with a map is said with its place", () => {
  assert.throws(() => parseMap(""), /empty/);
  assert.throws(() => parseMap("###\n#S#G\n"), /Line 2 has 4 characters/);
  assert.throws(() => parseMap("S G\n...\n"), /Line 1, column 2/);
  assert.throws(() => parseMap("S..\n...\n"), /no goal/);
  assert.throws(() => parseMap("S.S\n..G\n"), /more than one start/);
  assert.throws(() => parseMap(`${`S${"G".padEnd(64, ".")}`}\n`), /at most 64/);
});

test("painting spares start and goal and tells whether anything changed", () => {
  const grid = parseMap(TEXT);
  const walled = painted(grid, [[1, 1], [1, 2], [2, 3]], true);
  assert.equal(toText(walled), "#####\n#S#.#\n#.#G#\n#####\n");
  assert.equal(painted(walled, [[1, 2]], true), walled);
  assert.equal(toText(painted(walled, [[1, 2]], false)), TEXT);
  assert.equal(toText(grid), TEXT, "the old grid is as it was");
});

test("start and goal move, never onto each other, and open walls", () => {
  const grid = parseMap(TEXT);
  assert.equal(toText(moved(grid, "goal", [2, 2])), "#####\n#S..#\n#.G.#\n#####\n");
  assert.equal(moved(grid, "start", [2, 3]), grid);
});

test("packed maps come back", () => {
  const grid = parseMap(TEXT);
  assert.deepEqual(unpackGrid(packGrid(grid)), grid);
});
