import assert from "node:assert/strict";
import { test } from "node:test";

import { backupOf } from "../../../src/hierq/lab/page/config.js";
import { sceneOf } from "../../../src/hierq/lab/page/credit_scene.js";
import { fromFragment } from "../../../src/hierq/lab/page/state.js";
import { storyOf } from "../../../src/hierq/lab/page/tour.js";
import { fileOfStop, linkOfStop, stateOfStop, STOPS } from "../../../src/hierq/lab/page/tour_stops.js";

const OFFERED = [{ name: "maze-41", map: "S..G\n", is_own: false }];
const NUMBERS = STOPS.map((_, index) => index + 1);

test("every stop has few words, a question, and an answer that is not shown before", () => {
  for (const { title, text, question, choices, right, answer } of STOPS) {
    assert.ok(title.length > 5 && text.length > 100 && answer.length > 20, title);
    assert.ok(text.length < 500, `${title}: keep it short`);
    assert.ok(question.endsWith("?") && choices.length === 3 && choices.includes(right), title);
  }
});

test("the page says why one agent is faster, where it can be told from how far credit goes back", () => {
  const [flat, three] = [{ levels: 1, backup: backupOf({ n: 3 }) }, { levels: 3, backup: backupOf({ n: 3 }) }];
  const why = "Each episode hands the reward back up to 3\u00a0steps in A, 27 in B.";
  const ahead = [[900, 800], [90, 24]];
  assert.equal(storyOf([flat, three], [3, 21], ahead), `Why is B faster? ${why} Bumps and detours count as steps: episode 1 taught A 3\u00a0cells, B 21.`);
  assert.equal(storyOf([flat, three], [0, 12], ahead), `Why is B faster? ${why}`);
  assert.match(storyOf([three, flat], [], ahead.toReversed()), /^Why is A faster\? Each episode .* up to 3\u00a0steps in B, 27 in A/);
  assert.equal(storyOf([flat, flat], [3, 3], ahead), "Episode 1 taught A 3\u00a0cells, B 3.");
  assert.match(storyOf([{ backup: backupOf({ kind: "Traces" }) }, three], [], ahead), /who is faster/);
});

test("the page does not ask why B is faster when A is", () => {
  const [flat, three] = [{ levels: 1, backup: backupOf({ n: 3 }) }, { levels: 3, backup: backupOf({ n: 3 }) }];
  const overtaken = storyOf([flat, three], [1, 12], [[900, 22, 20, 21], [90, 24, 25, 24]]);
  assert.equal(overtaken, "B learnt faster: its reward goes back 27 steps an episode, that of A 3. Now A takes fewer steps. B counts sub-goals, not steps, and may take a detour.");
  assert.match(storyOf([flat, three], [], [[900, 20, 20, 20], [90, 20, 20, 20]]), /^B learnt faster: .* that of A 3\. Now A is as good\.$/);
  assert.match(storyOf([flat, three], [1, 1], [[40], [90]]), /^In all A has needed fewer steps so far, although .*Many seeds/);
  assert.match(storyOf([flat, three], [0, 0], [[20000], [20000]]), /^Neither is ahead yet/);
});

test("every stop is a link that opens its state, before anything is learnt", () => {
  for (const number of NUMBERS) {
    const { state, problem } = fromFragment(linkOfStop(number, OFFERED));
    assert.equal(problem, "");
    assert.deepEqual(state, stateOfStop(number, OFFERED));
    assert.equal(state.credit.at, 0);
    assert.equal(state.episodes, 0);
  }
  assert.equal(stateOfStop(6, OFFERED).map, "S..G\n");
});

test("recordings are called after the stops", () => {
  assert.deepEqual(NUMBERS.map(fileOfStop), [
    "1-one-reward-one-lesson.html", "2-reach-multiplies.html", "3-discounted-once-a-decision.html", "4-cut-or-jumped-over.html",
    "5-does-it-learn-faster.html", "6-the-large-maze.html", "7-the-rest-of-the-truth.html",
  ]);
});

test("the traces of the stops go where their words say", () => {
  const ends = [1, 2, 3, 4].map((number) => sceneOf(stateOfStop(number, OFFERED)));
  assert.deepEqual(ends.map((scene) => scene.reached), [true, true, true, false]);
  assert.equal(ends[1].moves.length, 20);
  assert.deepEqual(ends[3].cells[6], [1, 3]); // found by a detour of six steps
  assert.deepEqual(ends[3].cells[12], [1, 3]);
});
