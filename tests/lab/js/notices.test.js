import assert from "node:assert/strict";
import { test } from "node:test";

import { outcomeOf } from "../../../src/hierq/lab/page/curves.js";
import { noticeOf } from "../../../src/hierq/lab/page/notices.js";

test("a page that was closed says why", () => {
  assert.equal(noticeOf("closed", "8 pages are open already; close one of them first", 0), "8 pages are open already; close one of them first.");
  assert.equal(noticeOf("open", "", 0), "");
});

test("what a restart does not bring back is not promised", () => {
  assert.match(noticeOf("away", "", 1_000_000), /trains its agents again as far as they were\.$/);
  assert.match(noticeOf("away", "", 1_000_001), /as far as they were \(the first 1,000,000 episodes\)\.$/);
});

test("many seeds are announced as they were done", () => {
  const whole = { done: 200, planned: 200, mean: [90, 30.2] };
  assert.equal(outcomeOf([whole, { ...whole, mean: [80, 24] }]), "200 seeds done. Mean steps, episode 2: A 30, B 24.");
  const long = { ...whole, mean: [9, 8, 7, 6, 5.2, 4] };
  assert.equal(outcomeOf([long, long]), "200 seeds done. Mean steps, episode 5: A 5, B 5; episode 6: A 4, B 4.");
  assert.match(outcomeOf([whole, { done: 3, planned: 200, mean: [80, 24] }]), /^3 of 200 seeds done\. /);
  assert.equal(outcomeOf([{ done: 0, planned: 200, mean: [] }, { done: 0, planned: 200, mean: [] }]), "0 of 200 seeds done.");
});
