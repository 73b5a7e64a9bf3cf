import assert from "node:assert/strict";
import { test } from "node:test";

import { afterMove, cellsOf, moved, painted, parseMap, signAt, signWords, toText } from "../../../src/hierq/lab/page/world_map.js";

const TEXT = "#####\n#S..#\n#.#G#\n#####\n";

test("a map is read and written", () => {
  const grid = parseMap(TEXT);
  assert.deepEqual([grid.rows, grid.columns, grid.start, grid.goal], [4, 5, [1, 1], [2, 3]]);
  assert.equal(toText(grid), TEXT);
  assert.equal(toText(parseMap(TEXT.replace(/\n/g, "\r\n"))), TEXT);
  assert.equal(signAt(grid, [2, 2]), "#");
});

const SIGNS = "slip: 0.2\n######\n#S1H>#\n#G.1G#\n######\n";

test("holes, doors, teleports, slip and several goals are read and written", () => {
  const grid = parseMap(SIGNS);
  assert.equal(toText(grid), SIGNS);
  assert.equal(grid.slip, 0.2);
  assert.deepEqual(cellsOf(grid, "G"), [[2, 1], [2, 4]]);
  assert.deepEqual(["H", ">", "1"].map(signWords), ["hole", "door east", "teleport 1"]);
});

test("what is wrong with a map is said with its place, counted from 0", () => {
  assert.throws(() => parseMap(""), /empty/);
  assert.throws(() => parseMap("###\n#S#G\n"), /Row 1 has 4 cells, row 0 has 3/);
  assert.throws(() => parseMap("S G\n...\n"), /Cell \(0,1\) holds “ ”/);
  assert.throws(() => parseMap("S..\n...\n"), /no goal/);
  assert.throws(() => parseMap("slip: 1\nS.G\n"), /slip is a number from 0 to below 1/);
  assert.throws(() => parseMap(`${`S${"G".padEnd(64, ".")}`}\n`), /at most 64/);
});

test("painting spares start and goal and tells whether anything changed", () => {
  const grid = parseMap(TEXT);
  for (const cell of [[1, 1], [2, 3]]) assert.equal(painted(grid, cell, "#"), grid);
  const walled = painted(grid, [1, 2], "#");
  assert.equal(toText(walled), "#####\n#S#.#\n#.#G#\n#####\n");
  assert.equal(painted(walled, [1, 2], "#"), walled);
  assert.equal(toText(painted(walled, [1, 2], ".")), TEXT);
  assert.equal(toText(grid), TEXT, "the old grid is as it was");
});

test("a teleport goes with its other end", () => {
  assert.equal(toText(painted(parseMap(SIGNS), [2, 3], "#")), "slip: 0.2\n######\n#S.H>#\n#G.#G#\n######\n");
});

test("start and goal move, never onto each other, and open walls", () => {
  const grid = parseMap(TEXT);
  assert.equal(toText(moved(grid, "G", [2, 2], [[2, 3]])), "#####\n#S..#\n#.G.#\n#####\n");
  assert.equal(moved(grid, "S", [2, 3], [[1, 1]]), grid);
  assert.deepEqual(cellsOf(moved(parseMap(SIGNS), "G", [2, 2], [[2, 4]]), "G"), [[2, 1], [2, 2]]);
});

test("a move is stopped by walls and doors, and carried on by a teleport", () => {
  const grid = parseMap("S>1.\n.v#1\nG...\n");
  assert.deepEqual([0, 1, 2, 3].map((move) => afterMove(grid, [0, 1], move)), [[0, 1], [1, 1], [0, 1], [1, 3]]);
  assert.deepEqual(afterMove(grid, [1, 0], 3), [1, 0], "a door is entered in its direction only");
  assert.deepEqual(afterMove(grid, [1, 1], 0), [1, 1], "and not left backwards");
  assert.deepEqual(afterMove(grid, [0, 3], 2), [1, 3]);
});
