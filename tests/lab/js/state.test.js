import assert from "node:assert/strict";
import { test } from "node:test";

import { backupOf, describe, reachWords, hopLengthsOf } from "../../../src/hierq/lab/page/config.js";
import { defaultState, fromFragment, SPEEDS, toFragment } from "../../../src/hierq/lab/page/state.js";

const linkOf = (parts) => Buffer.from(JSON.stringify(parts)).toString("base64url");

test("the usual state is an empty link", () => {
  assert.equal(toFragment(defaultState()), "");
  assert.deepEqual(fromFragment("#"), { state: defaultState(), problem: "" });
});

test("at first one sees the lesson: flat beside three levels, the top level, two episodes a second", () => {
  const { agents, levels, speed, tab } = defaultState();
  assert.deepEqual(agents.map(describe), ["Flat, 3 hops", "3 levels, 3 hops"]);
  assert.deepEqual([levels, SPEEDS[speed], tab], [[5, 5], 2, "train"]);
  assert.deepEqual(agents.map((agent) => reachWords(agent).replaceAll("\u00a0", " ")), ["credit: 3 hops × 1 step = 3", "credit: 3 hops × 9 steps = 27"]);
});

test("every part of a state comes back, whatever it holds", () => {
  const state = {
    ...defaultState(), map: "slip: 0.1\nS.H\n..G\n", agents: [{ levels: 2, explore: "épsilon…" }, { levels: 4, horizons: [2, 3, 3, 2] }], seed: 2 ** 53 - 1,
    episodes: 2000, levels: [0, 3], at: 7, speed: 4, curve: "many", tab: "credit", stop: 7,
    credit: { moves: "NSWE", start: [1, 1], goal: [0, 1], at: 3, of: [1, 2] },
  };
  const fragment = toFragment(state);
  assert.match(fragment, /^[\w-]+$/);
  assert.deepEqual(fromFragment(`#${fragment}`), { state, problem: "" });
});

test("only what differs is in a link", () => {
  assert.deepEqual(JSON.parse(Buffer.from(toFragment({ ...defaultState(), seed: 5 }), "base64url").toString()), { seed: 5 });
});

for (const [part, value] of Object.entries({
  map: "S..", agents: [{}], seed: -1, episodes: 2001, levels: [0, 6], at: 0.5, speed: 9, curve: "training", tab: "x", stop: "1", theme: "dark",
  credit: { moves: "X", start: null, goal: null, at: 0 },
})) {
  test(`nonsense in a link is left out, and said: ${part}`, () => {
    const { state, problem } = fromFragment(linkOf({ [part]: value, curve: part === "curve" ? value : "many" }));
    assert.match(problem, new RegExp(`“${part}”`));
    assert.deepEqual(state, { ...defaultState(), curve: part === "curve" ? "run" : "many" });
  });
}

test("what is no link opens as usual", () => {
  for (const fragment of ["v1&seed=3", "%%%", "AAAA", linkOf(3), linkOf(null), "x".repeat(9000)]) {
    const { state } = fromFragment(fragment);
    assert.deepEqual(state, defaultState(), fragment.slice(0, 20));
  }
  assert.match(fromFragment("v1&seed=3").problem, /cannot be read/);
});

test("agents in words", () => {
  const words = (backup, more = {}) => describe({ levels: 1, backup: backupOf(backup), ...more });
  assert.deepEqual([words({ operator: "one-step", when: "episode" }), words({ kind: "Traces", decay: 0.5 }), words({ operator: "max", n: 2 }), words({ kind: "Rival" })], [
    "Flat, 1 hop, backward", "Flat, traces λ = 0.5", "Flat, max, 2 hops", "Flat, dyna, N = 10",
  ]);
  assert.equal(words({ n: 3 }, { levels: 2, behaviour: "flat" }), "2 levels, 3 hops, acts flat");
  assert.deepEqual(hopLengthsOf({ levels: 3, horizons: [2, 3, 4] }), [1, 2, 6]);
  for (const backup of [{ kind: "Traces" }, { kind: "Rival" }, { operator: "one-step", when: "episode" }].map(backupOf)) {
    assert.doesNotMatch(reachWords({ levels: 3, backup }), /=/);
  }
});
