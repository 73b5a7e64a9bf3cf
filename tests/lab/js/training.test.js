import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { defaultState } from "../../../src/hierq/lab/page/state.js";
import { Training } from "../../../src/hierq/lab/page/training.js";

const WORLD = { states: 3, positions: [[0, 0], [0, 1], [0, 2], [0, 3]], goal: 2, optimum: 2 };
const AGENT = { levels: 1, spans: [1], horizons: [3], conditioned: [false], settings: { subgoal_cells: "free" } };

let app, opened, told;

/** The app and the server, played by the test. */
function makeApp() {
  const state = defaultState();
  const listeners = { frame: [], message: [], condition: [], change: [] };
  const socket = {
    condition: "connecting",
    lastId: 0,
    tell: (message) => {
      told.push({ ...message, id: (socket.lastId += 1) });
      return socket.lastId;
    },
    ask: async (message) => {
      socket.tell(message);
      return opened;
    },
    on: (what, call) => listeners[what].push(call),
  };
  return {
    state, socket,
    problems: {},
    problem(words, place) {
      this.problems[place] = words;
    },
    changed: (...topics) => listeners.change.forEach((call) => call(new Set(topics))),
    update(changes) {
      const changed = Object.keys(changes).filter((name) => JSON.stringify(state[name]) !== JSON.stringify(changes[name]));
      Object.assign(state, changes);
      if (changed.length) this.changed(...changed);
    },
    subscribe: (call) => listeners.change.push(call),
    frame: (frame) => listeners.frame.forEach((call) => call(frame)),
    says: (message) => listeners.message.forEach((call) => call(message)),
    become(condition) {
      socket.condition = condition;
      listeners.condition.forEach((call) => call(condition));
    },
  };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));
const last = (what) => told.filter((message) => message.do === what).at(-1);

function curve(first, steps, id = 0) {
  for (const agent of [0, 1]) app.frame({ kind: "curve", agent, first, trained: steps, evaluated: steps, id });
}

function episodes(id) {
  for (const agent of [0, 1]) app.frame({ kind: "episode", agent, steps: 2, levels: 1, id });
}

async function open(changes = {}) {
  Object.assign(app.state, changes);
  const training = new Training(app);
  app.become("open");
  await settled();
  return training;
}

beforeEach(() => {
  told = [];
  opened = { world: WORLD, agents: [AGENT, AGENT] };
  globalThis.requestAnimationFrame = () => 0;
  app = makeApp();
});

test("a link trains as long as it says, tells how far it is, and can be stopped", async () => {
  const training = await open({ episodes: 250_000 });
  assert.equal(last("episode").count, 250_000);
  curve(0, [9, 8, 7], last("episode").id);
  assert.equal(training.trained, 3);
  assert.equal(training.batch.until, 250_000);
  assert.ok(training.goesOn);
  training.writeDown();
  assert.equal(app.state.episodes, 250_000, "what the link wants is not forgotten meanwhile");
  training.pause();
  assert.ok(last("pause"));
  assert.ok(!training.goesOn);
  curve(3, [6], last("episode").id);
  episodes(last("episode").id);
  assert.equal(training.running, "idle");
  assert.equal(app.state.episodes, 4);
});

test("what was trained fast is not lost when the server goes away", async () => {
  const training = await open();
  training.fast();
  curve(0, new Array(5000).fill(4));
  app.become("away");
  assert.equal(app.state.episodes, 5000);
  app.become("open");
  await settled();
  assert.equal(last("episode").count, 5000);
});

test("an episode that a new pair cuts short is not waited for", async () => {
  const training = await open();
  let isOver = false;
  training.episode().then(() => (isOver = true));
  await training.open();
  await settled();
  assert.ok(isOver);
});

test("numbers of a pair that is gone are left out", async () => {
  const training = await open();
  curve(40, [9, 9]);
  assert.equal(training.trained, 0);
  curve(0, [9]);
  curve(1, [8]);
  assert.deepEqual(training.evaluated.map((each) => each.count), [2, 2]);
});

test("only a problem of the many seeds, or of the whole page, ends them", async () => {
  const training = await open();
  training.startMany(200, 50);
  app.says({ tell: "problem", id: 77, text: "the map is empty" });
  assert.ok(training.manyRunning);
  app.says({ tell: "problem", id: last("many").id, text: "a run failed" });
  assert.ok(!training.manyRunning);
  assert.equal(app.problems.curves, "A run failed.");
  training.startMany(200, 50);
  app.says({ tell: "problem", id: 0, text: "closed" });
  assert.ok(!training.manyRunning);
});

test("frames of many seeds that were stopped do not mix with the next ones", async () => {
  const training = await open();
  training.startMany(200, 50);
  const first = last("many").id;
  training.stopMany();
  training.startMany(100, 50);
  app.frame({ kind: "many", agent: 0, id: first, done: 3, planned: 200, finished: true, mean: [1], low: [1], high: [1] });
  assert.equal(training.many[0], null);
  app.frame({ kind: "many", agent: 0, id: last("many").id, done: 3, planned: 100, finished: false, mean: [1], low: [1], high: [1] });
  assert.equal(training.many[0].planned, 100);
});

for (const [cells, goal, kept] of [["free", [0, 3], null], ["grid", [0, 3], [0, 3]], ["free", [0, 1], [0, 1]], ["grid", [0, 4], null]]) {
  test(`a goal at ${goal} with sub-goals among ${cells} cells`, async () => {
    opened = { world: WORLD, agents: [AGENT, { ...AGENT, settings: { subgoal_cells: cells } }] };
    await open({ goal });
    assert.deepEqual(app.state.goal, kept);
  });
}
