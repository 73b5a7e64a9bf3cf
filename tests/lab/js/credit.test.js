import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

import { backupOf } from "../../../src/hierq/lab/page/config.js";
import { drawCredit, fitted, tilesIn } from "../../../src/hierq/lab/page/credit_draw.js";
import { bestActionOf, bestOf, laneAt, short, tableAt, unrolled } from "../../../src/hierq/lab/page/credit_model.js";
import { inWords, knowingOf, lastMoment, mapOf, momentsOf, originWords, momentWords, pictureOf, sceneOf } from "../../../src/hierq/lab/page/credit_scene.js";
import { DARK, LIGHT } from "../../../src/hierq/lab/page/palette.js";
import { defaultState } from "../../../src/hierq/lab/page/state.js";
import { STOPS, stateOfStop } from "../../../src/hierq/lab/page/tour_stops.js";
import { ListPen } from "./list_pen.js";

const CREDITS = JSON.parse(fs.readFileSync(new URL("credit_example.json", import.meta.url), "utf8"));
const TRACES = [1, 2].map((levels) => ({ levels, backup: backupOf({ kind: "Traces", decay: 1 }) }));
const EXAMPLE = { ...defaultState(), map: STOPS[0].state.map, agents: TRACES, credit: { ...defaultState().credit, moves: "ENSEESWEN" } };
const SCENE = sceneOf(EXAMPLE);
const STATES = new Map(SCENE.numbered.map((cell, number) => [cell.join(), number]));
const LAST = SCENE.moves.length;
const SEEN = { width: 900, left: 0 };

const best = (credit, level, step = LAST) => {
  const table = tableAt(credit, level, step);
  return (cell) => bestOf(credit, level, table, STATES.get(cell));
};

test("the worked example has the paper's numbers", () => {
  const level0 = { "2,2": 0.6634, "2,3": 0.7738, "1,3": 0.7351, "2,4": 0.8145, "2,5": 0.8574, "3,5": 0.95, "3,6": 1 };
  const level1 = { "2,2": 0.9025, "2,3": 0.95, "1,3": 0.95, "2,4": 0.95, "2,5": 1, "3,5": 1, "3,6": 1 };
  for (const [cell, value] of Object.entries(level0)) {
    assert.equal(short(best(CREDITS.two, 0)(cell)), String(value));
    assert.equal(short(best(CREDITS.flat, 0)(cell)), String(value));
  }
  for (const [cell, value] of Object.entries(level1)) assert.equal(short(best(CREDITS.two, 1)(cell)), String(value));
});

test("greedy actions: moves below, sub-goals above", () => {
  const subgoals = { "2,2": "1,3", "1,3": "2,5", "2,3": "2,5", "2,4": "2,5", "2,5": "2,6", "3,5": "2,6", "3,6": "2,6" };
  const table = tableAt(CREDITS.two, 1, LAST);
  for (const [cell, subgoal] of Object.entries(subgoals)) {
    assert.equal(bestActionOf(CREDITS.two, 1, table, STATES.get(cell)), STATES.get(subgoal));
  }
  assert.equal(bestActionOf(CREDITS.two, 0, tableAt(CREDITS.two, 0, LAST), STATES.get("3,6")), 0);
  assert.equal(bestActionOf(CREDITS.two, 1, table, STATES.get("1,1")), null);
});

test("nothing is known before the last step, seven cells after it", () => {
  for (let step = 0; step < LAST; step += 1) assert.equal(laneAt(CREDITS.two, 1, step).knowing, 0);
  assert.equal(laneAt(CREDITS.two, 1, LAST).knowing, 7);
});

test("arcs of level 1 fan into every third tile, over the bump", () => {
  const lane = laneAt(CREDITS.two, 1, LAST);
  const arcs = lane.arcs.filter((arc) => arc.kind === "update").map(({ from, to }) => [from, to]).sort((a, b) => a[0] - b[0]);
  assert.deepEqual(arcs, [[0, 2], [1, 2], [2, 5], [3, 5], [4, 5], [5, 9], [6, 9], [8, 9]]);
  assert.equal(lane.places[7].there, false);
  assert.deepEqual(lane.arcs.find((arc) => arc.from === 5).skipped, [6, 8]);
  assert.deepEqual(lane.bootstrap, { tile: 9, value: null });
});

test("a Tree-Backup looks along hops that do not learn themselves", () => {
  const lane = laneAt(CREDITS.tree, 1, 5);
  assert.deepEqual(lane.arcs.filter((arc) => arc.kind === "hop").map(({ from, to }) => [from, to]), [[2, 5]]);
  assert.deepEqual(lane.arcs.filter((arc) => arc.kind === "update").map(({ from, to }) => [from, to]), [[0, 2], [1, 2]]);
});

test("arcs end at the right visit of a cell that was visited more than once", () => {
  for (const [name, steps] of Object.entries({ two: 9, tree: 9, cut: 12, best: 9, mean: 9, random: 9 })) {
    for (let step = 1; step <= steps; step += 1) {
      CREDITS[name].hop_lengths.forEach((span, level) => {
        for (const { from, to, kind } of laneAt(CREDITS[name], level, step).arcs) {
          const places = level === 0 ? to - from : CREDITS[name].moved.indexOf(to) - CREDITS[name].moved.indexOf(from);
          assert.ok(places >= 1 && places <= span && to <= step, `${name} ${kind} ${from} → ${to} at ${step}`);
        }
        if (level === 0) return;
        const updates = CREDITS[name].steps[step - 1].filter((backup) => backup.level === level).flatMap((backup) => backup.updates);
        const arcs = laneAt(CREDITS[name], level, step).arcs.filter((arc) => arc.kind === "update");
        const entries = (all) => new Set(all.map((pair) => pair.join(" → ")));
        const drawn = entries(arcs.map((arc) => [arc.from, arc.to].map((tile) => CREDITS[name].states[tile])));
        assert.deepEqual(drawn, entries(updates.map((update) => [update.state, update.action])));
      });
    }
  }
});

test("the number below a tile is the entry that its arc writes, not the best of the cell", () => {
  const written = (credit, level) => laneAt(credit, level, LAST).places.map(({ value }) => value && short(value));
  const level0 = ["0.6634", "0.6983", "0.7351", "0.7738", "0.8145", "0.8574", "0.9025", "0.95", "1", null];
  assert.deepEqual(written(CREDITS.flat, 0), level0); // S₁ and S₃ are (2,3): N there is worth less than E
  for (const name of ["two", "tree", "cut", "best", "mean", "random"]) {
    CREDITS[name].hop_lengths.forEach((_, level) => {
      const last = CREDITS[name].steps.length;
      const { places, arcs } = laneAt(CREDITS[name], level, last);
      const table = tableAt(CREDITS[name], level, last);
      for (const { from, to } of arcs.filter((arc) => arc.kind === "update" && arc.changed)) {
        const action = level === 0 ? CREDITS[name].actions[from] : CREDITS[name].states[to];
        assert.equal(places[from].value, table.get(CREDITS[name].states[from]).get(action), `${name} ${from} → ${to}`);
      }
    });
  }
});

test("a level that does not learn says why", () => {
  assert.match(laneAt(CREDITS.two, 1, 7).words, /blocked/);
  assert.deepEqual(laneAt(CREDITS.two, 1, 7).arcs, []);
  assert.equal(laneAt(CREDITS.two, 1, 0).words, "nothing learnt yet");
});

test("a cut trace: a cross with its reason, and grey arcs behind it", () => {
  const lane = laneAt(CREDITS.cut, 0, 12);
  assert.match(lane.words, /1 entry changes; cut ✕: the action was not greedy here/);
  assert.equal(lane.arcs.filter((arc) => arc.cut).length, 1);
  assert.equal(lane.arcs.filter((arc) => arc.dead).length, 11);
  assert.equal(lane.arcs.find((arc) => arc.cut).from, 11);
});

test("of all paths the best is strong and the rest is faint, and it is said how many there are", () => {
  const lane = laneAt(CREDITS.best, 1, LAST);
  const hops = lane.arcs.filter((arc) => arc.kind === "hop");
  assert.ok(lane.arcs.filter((arc) => arc.strength === 1).length < lane.arcs.length);
  assert.ok(hops.some((arc) => arc.strength === 0 && !arc.dead && !arc.cut));
  assert.match(lane.words, /^8 entries change; 15 of 15 hops drawn, the best path strong$/);
  assert.doesNotMatch(laneAt(CREDITS.best, 0, LAST).words, /drawn/); // one path only
  assert.doesNotMatch(laneAt(CREDITS.tree, 1, LAST).words, /drawn/);
  const mean = laneAt(CREDITS.mean, 1, LAST);
  assert.match(mean.words, /hops drawn, as strong as they count$/);
  assert.ok(new Set(mean.arcs.map((arc) => arc.strength)).size > 2);
});

test("a thicket of hops is thinned out", () => {
  const [record] = CREDITS.best.steps[LAST - 1].slice(-1);
  const [hop] = record.hops;
  const many = Array.from({ length: 100 }, (_, index) => ({ ...hop, from: index % 8, to: (index % 8) + 1 + (index % 3), weight: 0 }));
  const thick = { ...CREDITS.best, moved: Array.from({ length: 12 }, (_, index) => index), steps: CREDITS.best.steps.with(LAST - 1, [{ ...record, hops: [...many, ...record.hops], left_out: 300 }]) };
  const lane = laneAt(thick, 1, LAST);
  assert.ok(lane.arcs.filter((arc) => arc.kind === "hop").length <= 40);
  assert.match(lane.words, / of 4\d\d hops drawn/);
});

test("learning backward has moments of its own, from the end to the start", () => {
  const agents = [{ levels: 2, backup: { kind: "Backup", operator: "tree-backup", n: 2, decay: 1, when: "episode" } }, TRACES[1]];
  const scene = { ...SCENE, agents };
  const credits = momentsOf(scene, [CREDITS.backward, CREDITS.two]);
  assert.equal(lastMoment(scene), 2 * LAST);
  assert.equal(lastMoment(SCENE), LAST);
  assert.equal(credits[1], CREDITS.two);
  assert.equal(credits[0].steps.length, 2 * LAST);
  assert.match(laneAt(credits[0], 1, 3).words, /nothing is learnt before the episode is over/);
  assert.match(laneAt(credits[0], 1, LAST).words, /the episode is over; now it is gone through backward/);
  assert.equal(laneAt(credits[0], 1, LAST).knowing, 0);
  const known = Array.from({ length: LAST }, (_, back) => laneAt(credits[0], 0, LAST + back + 1).knowing);
  assert.deepEqual(known, [1, 2, 2, 3, 4, 5, 6, 6, 7]); // the bump teaches nothing new, nor does a cell seen before
  assert.deepEqual(tableAt(credits[0], 1, 2 * LAST), tableAt(CREDITS.backward, 1, LAST));
  assert.deepEqual(laneAt(credits[0], 0, LAST + 3).bootstrap.tile, 8); // two hops ahead of step 6, not the end of the trace
  assert.equal(laneAt(credits[1], 0, LAST + 3).words, "has learnt all of it");
  const picture = pictureOf(scene, credits, LAST + 3, "forward");
  assert.deepEqual([picture.tile, picture.back, momentWords(scene, LAST + 3)], [6, true, "back at 6 of 9"]);
  assert.match(inWords(SCENE, picture), /back at step 6 of 9/);
});

test("numbers are short", () => {
  assert.deepEqual([0.66342, 1, -1.5, 0.95, -12.3456].map((value) => short(value)), ["0.6634", "1", "−1.5", "0.95", "−12.35"]);
});

test("a trace is a shortest path at first; one that begins elsewhere has its start there", () => {
  assert.equal(sceneOf(defaultState()).moves.length, 20);
  const elsewhere = sceneOf({ ...EXAMPLE, credit: { ...EXAMPLE.credit, moves: "EE", start: [2, 4] } });
  assert.deepEqual([elsewhere.cells, elsewhere.reached], [[[2, 4], [2, 5], [2, 6]], true]);
  assert.equal(elsewhere.map.split("\n")[2], "#...S.G.#");
  assert.equal(stateOfStop(1, []).credit.moves, SCENE.moves);
});

test("the picture in words names agents, levels and counts", () => {
  const picture = pictureOf(SCENE, [CREDITS.flat, CREDITS.two], LAST);
  assert.deepEqual(picture.agents.map(knowingOf), [7, 7]);
  assert.match(inWords(SCENE, picture), /at step 9 of 9.*Agent A, level 0: 9 entries change.*Values: \(2,2\) 0\.6634.*Agent B, level 1: 8 entries change.*Values: \(2,2\) 0\.9025/);
  assert.deepEqual(picture.tiles.map((tile) => tile.bump).indexOf(true), 6);
});

test("every step is drawn in both themes", () => {
  for (const palette of [LIGHT, DARK]) {
    for (let step = 0; step <= LAST; step += 1) {
      for (const pair of [["flat", "two"], ["best", "mean"], ["random", "backward"]]) {
        const picture = pictureOf(SCENE, pair.map((name) => (name === "backward" ? unrolled(CREDITS[name]) : CREDITS[name])), step);
        const pen = new ListPen();
        drawCredit(pen, palette, picture, SEEN);
        assert.ok(pen.isSound);
      }
    }
  }
});

test("agents that could not be explained are left out", () => {
  const pen = new ListPen();
  drawCredit(pen, LIGHT, pictureOf(SCENE, [CREDITS.flat, null], LAST), SEEN);
  assert.ok(pen.words.includes("Agent A") && !pen.words.includes("Agent B"));
});

test("on a phone a lane says how far it spans and what it knows, and nothing by halves", () => {
  const pen = new ListPen();
  drawCredit(pen, LIGHT, pictureOf(SCENE, [CREDITS.flat, CREDITS.two], LAST), { width: 330, left: 0 });
  assert.ok(pen.words.includes("spans 3 steps, knows 7 cells"));
  assert.ok(!pen.words.some((words) => words.endsWith("…")));
});

test("what a lane says is cut off where there is little room", () => {
  assert.equal(fitted("much too long for this", 63), "much too …");
  assert.equal(fitted("short", 63), "short");
});

test("the trace says where it comes from", () => {
  const scene = sceneOf(EXAMPLE);
  assert.equal(originWords({ ...EXAMPLE.credit, of: [1, 7] }, scene), "The last 9 steps of agent B’s episode 7.");
  assert.equal(originWords(EXAMPLE.credit, scene), "A path of 9 steps.");
  assert.equal(originWords({ ...EXAMPLE.credit, moves: "" }, scene), "A shortest path, 9 steps.");
});

test("every state of a long trace has a place, and values do not touch", () => {
  const [roomy, long, phone] = [[10, 900], [41, 900], [41, 340]].map(([count, width]) => tilesIn(count, width));
  assert.equal(roomy.width, 900);
  for (const { left, pitch, width } of [long, phone]) {
    assert.ok(left + 40 * pitch < width, "the last one is on the canvas, which is scrolled");
    assert.ok(pitch > 4 * 10.5 * 0.62 + 3, "four letters of the small size");
  }
});

test("the map shows what the top level knows after a step", () => {
  const [before, after] = [0, LAST].map((step) => mapOf(SCENE, CREDITS.two, step));
  assert.deepEqual([before, after].map(({ view }) => view.policy.filter((each) => each >= 0).length), [0, 7]);
  assert.deepEqual([after.level, after.at, before.at, after.episode.steps], [1, 9, 0, 9]);
  const start = STATES.get("2,2");
  assert.equal(short(after.view.values[start]), "0.9025");
  assert.deepEqual(after.positions[after.view.policy[start]], [1, 3]);
  assert.equal(mapOf(SCENE, null, 0).view.policy.length, 40);
});

test("a walk into a hole ends in one", () => {
  const scene = sceneOf({ ...EXAMPLE, map: "######\n#SH.G#\n######\n", credit: { ...EXAMPLE.credit, moves: "E" } });
  const backup = { level: 0, time: 1, kind: "tree", n: 1, hops: [{ from: 0, to: 1, continued: true, reason: null, weight: 1 }], bootstrap_state: 1, bootstrap_value: null, updates: [], goals_changed: 0, skipped_reason: null };
  const credit = { hop_lengths: [1], states: [0, 1], moved: [0, 1], start_values: [0], goal: 3, steps: [[backup]] };
  const picture = pictureOf(scene, [credit, null], 1);
  assert.deepEqual(picture.tiles.map(({ kind }) => kind), ["start", "hole"]);
  const pen = new ListPen();
  drawCredit(pen, LIGHT, picture, SEEN);
  assert.ok(pen.words.includes("hole") && !pen.words.includes("goal"));
});

test("a goal that is a wall or outside is not asked about", () => {
  const state = EXAMPLE;
  for (const goal of [[0, 0], [60, 60], null, [2, 6]]) {
    const scene = sceneOf({ ...state, credit: { ...state.credit, goal } });
    assert.deepEqual([scene.goal, scene.goalNumber], [[2, 6], null]);
  }
  assert.equal(sceneOf({ ...state, credit: { ...state.credit, goal: [1, 3] } }).goalNumber, 2);
});
