import assert from "node:assert/strict";
import { test } from "node:test";

import { fitWorld } from "../../../src/hierq/lab/page/geometry.js";
import { DARK, LIGHT } from "../../../src/hierq/lab/page/palette.js";
import { parseMap } from "../../../src/hierq/lab/page/world_map.js";
import { describeScene, drawWorld, knownCells, planOf, planStart, stepsTaken } from "../../../src/hierq/lab/page/world_view.js";
import { ListPen } from "./list_pen.js";

const grid = parseMap("#######\n#S...G#\n#######\n");
// Free cells first, then walls, as the server numbers them.
const positions = [[1, 1], [1, 2], [1, 3], [1, 4], [1, 5], [0, 0]];
const view = (policy) => ({ values: Float32Array.of(0.8, 0.9, 0.95, 1, 0), policy: Int32Array.from(policy) });
const episode = { steps: 2, states: Uint32Array.of(0, 1, 2) };
const scene = (changes = {}) => ({ grid, positions, level: 0, view: view([3, 3, 3, 3, -1]), episode, at: -1, start: 0, cursor: null, ...changes });

function drawn(changes, palette = LIGHT) {
  const pen = new ListPen();
  drawWorld(pen, fitWorld(3, 7, 210, 90), scene(changes), palette);
  assert.ok(pen.isSound);
  return pen;
}

test("level 0 is drawn as an arrow for each known move, with start and goal", () => {
  const pen = drawn({ episode: null });
  assert.equal(pen.drawn.find(([name]) => name === "polylines")[1].length, 4);
  assert.deepEqual(pen.words, ["S", "G"]);
  assert.equal(pen.count("curve"), 0);
});

test("a level above is drawn as its plan from the start: an arc and a ring for each sub-goal", () => {
  const pen = drawn({ level: 1, view: view([2, 3, 4, 4, -1]), episode: null });
  assert.equal(pen.count("polylines"), 0);
  assert.equal(pen.count("curve"), 4, "two arcs, each with a halo");
  assert.equal(pen.count("circle"), 5, "two rings with halos, and where it begins");
});

test("the plan begins under the pointer, else at the start, else where credit has come farthest", () => {
  const all = view([2, 3, 4, 4, -1]);
  assert.deepEqual(planOf(scene({ view: all }), 0), [0, 2, 4]);
  assert.equal(planStart(scene({ view: all })), 0);
  assert.equal(planStart(scene({ view: all, cursor: [1, 2] })), 1);
  assert.equal(planStart(scene({ view: all, cursor: [0, 0] })), 0, "nothing is planned in a wall");
  assert.equal(planStart(scene({ view: view([-1, -1, 4, 4, -1]) })), 2);
  assert.equal(planStart(scene({ view: view([-1, -1, -1, -1, -1]) })), -1);
  assert.deepEqual(planOf(scene({ view: view([1, 0, 4, 4, -1]) }), 0), [0, 1], "a circle ends");
  assert.deepEqual(planOf(scene({ view: all, end: 2 }), 0), [0, 2], "what is asked about is the end");
  assert.deepEqual(planOf(scene({ view: view([9, -1, -1, -1, -1]) }), 0), [0], "any of several goals has no place");
});

test("a world without anything known is drawn in both themes", () => {
  for (const palette of [LIGHT, DARK]) drawn({ positions: [], view: null, episode: null, cursor: [1, 1], isFocused: true }, palette);
});

test("a long episode is drawn once along each edge, and no line follows a teleport", () => {
  const states = Uint32Array.from({ length: 1001 }, (_, step) => step % 2);
  const lines = (changes) => drawn({ view: null, ...changes }).drawn.find(([name]) => name === "polylines")[1];
  assert.equal(lines({ episode: { steps: 1000, states } }).length, 1);
  assert.equal(lines({ episode: { steps: 2, states: [0, 1, 4] } }).length, 1);
  assert.equal(lines({ at: 1 }).length, 1);
});

test("holes, doors and teleports are drawn as in the figures", () => {
  const signs = (sign) => drawn({ grid: parseMap(`#####\n#S${sign}G#\n#####\n`), positions: [], view: null, episode: null }).drawn;
  const found = (sign) => signs(sign).filter((each) => [LIGHT.hole, LIGHT.door, LIGHT.teleport, LIGHT.sign].includes(each.at(-1).fill)).map(([name]) => name);
  assert.deepEqual([found("H"), found(">"), found("1"), found(".")], [["circle"], ["rect", "polylines"], ["circle", "text"], []]);
  const [head] = signs("v").find(([name]) => name === "polylines")[1];
  assert.ok(head[0][1] > head[1][1] && head[0][0] < head[1][0] === head[0][0] > head[2][0], "it points south");
});

test("what is shown can be read", () => {
  const words = describeScene(scene({ at: 1, level: 1, view: view([2, 3, 4, 4, -1]) }), "Agent B");
  assert.match(words, /3 rows and 7 columns/);
  assert.match(words, /Level 1 knows what to do in 4 of 5 cells/);
  assert.match(words, /sub-goals: \(1,1\) → \(1,3\) → \(1,5\)/);
  assert.match(words, /took 2 steps; shown after 1/);
  assert.deepEqual([stepsTaken(episode, -1), stepsTaken(episode, 99), knownCells(null)], [2, 2, 0]);
});
