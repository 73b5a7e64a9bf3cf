import assert from "node:assert/strict";
import { test } from "node:test";

import { cellNumbers, movesBetween, shortestPath, tailOf, walk } from "../../../src/hierq/lab/page/trace.js";
import { afterMove, parseMap } from "../../../src/hierq/lab/page/world_map.js";

const WALK = "ENSEESWEN";
const GRID = parseMap("#########\n#...#...#\n#.S...G.#\n#...#...#\n##.###.##\n#...#...#\n#.......#\n#...#...#\n#########\n");

test("the worked example walks where the paper says, with a bump", () => {
  const { cells, moves, reached } = walk(GRID, WALK);
  const way = [[2, 2], [2, 3], [1, 3], [2, 3], [2, 4], [2, 5], [3, 5], [3, 5], [3, 6], [2, 6]];
  assert.deepEqual(cells, way);
  assert.equal(moves, WALK);
  assert.ok(reached);
});

test("what comes after the goal is left out", () => {
  assert.equal(walk(GRID, "EEEENNN").moves, "EEEE");
});

test("walls and the border stop a move", () => {
  assert.deepEqual(afterMove(GRID, [1, 1], 0), [1, 1]);
  assert.deepEqual(afterMove(GRID, [1, 1], 1), [2, 1]);
  const open = parseMap("SG\n..\n");
  assert.deepEqual(afterMove(open, [0, 0], 2), [0, 0]);
});

test("a trace goes through doors and teleports, and ends in a hole", () => {
  const grid = parseMap("S>1.H\n.#.1G\n");
  assert.deepEqual(walk(grid, "EWEEE").cells, [[0, 0], [0, 1], [0, 1], [1, 3], [1, 4]], "no way back through the door");
  assert.ok(walk(grid, "EEE").reached);
  const fallen = walk(parseMap("S.H\n..G\n"), "EEE");
  assert.deepEqual([fallen.moves, fallen.reached], ["EE", false]);
  assert.equal(movesBetween(grid, [0, 0], [1, 3]), "EE");
});

test("a click on a neighbour is one move, against a wall too", () => {
  assert.equal(movesBetween(GRID, [2, 2], [2, 3]), "E");
  assert.equal(movesBetween(GRID, [1, 1], [0, 1]), "N");
});

test("a click farther away takes a shortest way, and none into a wall or nowhere", () => {
  assert.equal(movesBetween(GRID, [2, 2], [2, 6]), "EEEE");
  assert.equal(movesBetween(GRID, [2, 2], [0, 0]), "");
  assert.equal(movesBetween(GRID, [2, 2], [2, 2]), "");
  assert.equal(movesBetween(parseMap("S#.\n##.\nG..\n"), [0, 0], [0, 2]), "");
});

test("cells are numbered as hierq numbers them: free ones first", () => {
  const { numbers, cells } = cellNumbers(parseMap("#S#\n.G.\n"));
  assert.deepEqual(numbers, [4, 0, 5, 1, 2, 3]);
  assert.deepEqual(cells[0], [0, 1]);
  assert.deepEqual(cells[4], [0, 0]);
});

test("a shortest path leads to the nearest goal", () => {
  assert.equal(shortestPath(GRID), "EEEE");
  assert.equal(shortestPath(parseMap("G...S.G\n")), "EE");
});

test("the end of an episode is a trace with a start of its own, unless a move slipped", () => {
  const grid = parseMap(`S${".".repeat(60)}G\n`);
  const positions = Array.from({ length: 62 }, (_, column) => [0, column]);
  const states = positions.map((_, state) => state);
  const actions = states.slice(1).map(() => 3);
  assert.deepEqual(tailOf(grid, positions, { steps: 61, states, actions }), { moves: "E".repeat(40), start: [0, 21] });
  assert.deepEqual(tailOf(grid, positions, { steps: 2, states: [0, 1, 2], actions: [3, 3] }), { moves: "EE", start: null });
  assert.equal(tailOf(grid, positions, { steps: 2, states: [0, 1, 1], actions: [3, 3] }), null);
  const doors = parseMap(`S${">".repeat(60)}G\n`);
  assert.equal(tailOf(doors, positions, { steps: 61, states, actions }).start, null, "a start does not replace a door");
});
