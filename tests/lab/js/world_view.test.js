import assert from "node:assert/strict";
import { test } from "node:test";

import { stepsTaken } from "../../../src/hierq/lab/page/episode_view.js";
import { fitWorld } from "../../../src/hierq/lab/page/geometry.js";
import { DARK, LIGHT } from "../../../src/hierq/lab/page/palette.js";
import { SvgPen } from "../../../src/hierq/lab/page/svg_pen.js";
import { parseMap } from "../../../src/hierq/lab/page/world_map.js";
import { describeScene, drawWorld, usesBoxes } from "../../../src/hierq/lab/page/world_view.js";

const grid = parseMap("#####\n#S.G#\n#####\n");
// Free cells first, then walls, as the server numbers them.
const positions = [[1, 1], [1, 2], [1, 3], [0, 0]];
const view = (level, policy) => ({ kind: "view", agent: 0, flags: 0, level, id: 0, goal: 2, at: -1, values: Float32Array.of(0.9, 1, 0), policy: Int32Array.from(policy) });
const episode = {
  kind: "episode", agent: 0, flags: 1, level: 0, id: 0, steps: 2, levels: 2, reached: true, evaluation: false,
  states: Uint32Array.of(0, 1, 2), goals: Uint32Array.of(1, 2, 2, 2), actions: Uint8Array.of(3, 3), actors: Uint8Array.of(1, 1),
};

/** @param {object} changes */
function scene(changes = {}) {
  return {
    grid, positions, layers: ["values", "moves", "subgoals", "stack", "path"], level: 0, view: view(0, [3, 3, -1]), moves: null, asked: null,
    episode, at: -1, start: 0, cursor: null, hover: null, ...changes,
  };
}

function drawn(changes, palette = LIGHT) {
  const pen = new SvgPen(200, 120);
  drawWorld(pen, fitWorld(3, 5, 200, 120), scene(changes), palette);
  const text = pen.toString();
  assert.doesNotMatch(text, /NaN|undefined/);
  return text;
}

test("start, goal and an arrow for each known move", () => {
  const text = drawn({ layers: ["moves"] });
  assert.ok(text.includes(">S<") && text.includes(">G<"));
  assert.equal(text.match(/<g transform[^>]*><path/g).length, 2);
});

test("sub-goals are boxes and circles with the same letters", () => {
  const text = drawn({ level: 1, view: view(1, [1, 2, -1]), moves: view(0, [3, 3, -1]), layers: ["subgoals"] });
  assert.equal(text.match(/>a</g).length, 2);
  assert.equal(text.match(/>b</g).length, 2);
});

test("small cells get rings instead of boxes", () => {
  const small = fitWorld(3, 5, 50, 30);
  assert.ok(!usesBoxes(scene({ level: 1, view: view(1, [1, 2, -1]) }), small));
});

test("the stack is drawn during an episode, not at its end", () => {
  const ring = /<circle[^>]*fill="none"/g;
  assert.equal(drawn({ layers: ["stack"] }).match(ring), null);
  assert.equal(drawn({ layers: ["stack"], at: 1 }).match(ring).length, 4, "two levels, each with a halo");
});

test("a world without anything known is drawn in both themes", () => {
  for (const palette of [LIGHT, DARK]) drawn({ positions: [], view: null, episode: null, cursor: [1, 1], asked: [[1, 2]] }, palette);
});

test("a long episode is drawn once along each edge", () => {
  const states = Uint32Array.from({ length: 1001 }, (_, step) => step % 2);
  const text = drawn({ layers: ["path"], episode: { ...episode, steps: 1000, states } });
  assert.equal(/<path d="([^"]*)"[^>]*opacity="0.4"/.exec(text)[1].match(/M/g).length, 1);
});

test("what is shown can be read", () => {
  const words = describeScene(scene({ at: 1 }), "Agent A");
  assert.match(words, /3 rows and 5 columns/);
  assert.match(words, /in 2 of 3 cells/);
  assert.match(words, /training episode took 2 steps and reached the goal. Shown after 1 steps/);
  assert.equal(stepsTaken(episode, -1), 2);
  assert.equal(stepsTaken(episode, 99), 2);
});

test("holes, doors and teleports are drawn, and a box for any of several goals", () => {
  const plain = { positions: [], view: null, episode: null, layers: [] };
  const without = drawn({ ...plain, grid: parseMap("#####\n#S.G#\n#####\n") });
  const signs = (line) => drawn({ ...plain, grid: parseMap(`#####\n#S${line}G#\n#####\n`) });
  for (const sign of ["H", ">", "1"]) assert.notEqual(signs(sign), without, sign);
  assert.ok(signs("1").includes(">1<"));
  const any = drawn({ level: 1, view: view(1, [positions.length, 1, -1]), layers: ["subgoals"], grid: parseMap("#####\n#S.G#\n####G\n") });
  assert.equal(any.match(/>G</g).length, 3, "two goals and a box");
});

test("whose sub-goals and arrows are shown is marked and said", () => {
  const frames = (asked) => drawn({ asked, layers: [] }).match(/<rect[^>]*rx=/g)?.length ?? 0;
  assert.deepEqual([frames([]), frames([[1, 2]]), frames([[1, 3], [1, 1]])], [0, 1, 2]);
  assert.match(describeScene(scene({ asked: [[1, 2]] }), "Agent A"), /towards \(1,2\) in 2 of 3 cells/);
  const fallen = { ...episode, reached: false };
  assert.match(describeScene(scene({ grid: parseMap("#####\n#S.H#\n###G#\n"), episode: fallen }), "A"), /Holes \(1,3\).*fell into a hole/);
});
