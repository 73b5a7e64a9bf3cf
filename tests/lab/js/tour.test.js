import assert from "node:assert/strict";
import { test } from "node:test";

import { sceneOf } from "../../../src/hierq/lab/page/credit_scene.js";
import { fromFragment } from "../../../src/hierq/lab/page/state.js";
import { linkOfStop, stateOfStop, STOPS } from "../../../src/hierq/lab/page/tour_stops.js";

test("there are five stops, each with words and something to check", () => {
  assert.equal(STOPS.length, 5);
  for (const { title, text, check } of STOPS) {
    assert.ok(title.length > 5 && text.length > 100 && check.length > 30, title);
    assert.ok(text.length < 500, `${title}: keep it short`);
  }
});

test("every stop is a link that opens its state", () => {
  for (let number = 1; number <= 5; number += 1) {
    const { state, problems } = fromFragment(linkOfStop(number, "dark"));
    assert.deepEqual(problems, []);
    assert.deepEqual(state, stateOfStop(number, "dark"));
    assert.ok(linkOfStop(number, "auto").length < 400);
  }
});

test("the traces of the stops go where their words say", () => {
  const ends = [1, 2, 3, 4].map((number) => sceneOf(stateOfStop(number, "auto")));
  assert.deepEqual(ends.map((scene) => scene.reached), [true, true, true, false]);
  assert.equal(ends[1].moves.length, 20);
  assert.deepEqual(ends[3].cells[6], [1, 3]); // found by a detour of six steps
  assert.deepEqual(ends[3].cells[12], [1, 3]);
});
