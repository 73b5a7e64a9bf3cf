import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { defaultState } from "../../../src/hierq/lab/page/state.js";
import { Training } from "../../../src/hierq/lab/page/training.js";

const WORLD = { states: 3, positions: [[0, 0], [0, 1], [0, 2], [0, 3]], goal: 2, optimum: 2 };
const AGENT = { levels: 1, start_values: [0] };

let app, isOwn, opened, told;

/** The app and the server, played by the test. */
function makeApp() {
  const state = defaultState();
  const listeners = { message: [], condition: [], change: [] };
  const socket = {
    condition: "connecting",
    lastId: 0,
    tell: (message) => {
      told.push({ ...message, id: (socket.lastId += 1) });
      return socket.lastId;
    },
    ask: async (message) => {
      socket.tell(message);
      return message.do === "worlds" ? { worlds: [{ name: "one", map: "S.G\n", is_own: isOwn }] } : opened;
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
  for (const agent of [0, 1]) app.says({ tell: "curve", agent, first, evaluated: steps, id });
}

function episodes(id) {
  for (const agent of [0, 1]) app.says({ tell: "episode", agent, steps: 2, id });
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
  isOwn = false;
  globalThis.location = { hash: "" };
  opened = { world: WORLD, agents: [AGENT, AGENT] };
  globalThis.requestAnimationFrame = () => 0;
  app = makeApp();
});

/** The server has trained what it was asked for last. */
async function trained(training) {
  const { id, count } = last("episode");
  curve(training.trained, new Array(count).fill(4), id);
  episodes(id);
  await settled();
}

test("a link trains as long as it says, a few episodes at a time", async () => {
  const training = await open({ episodes: 50 });
  for (const count of [20, 20, 10]) {
    assert.equal(last("episode").count, count);
    await trained(training);
  }
  assert.equal(training.running, "idle");
  assert.equal(training.trained, 50);
  assert.equal(told.filter((message) => message.do === "episode").length, 3);
});

test("what was trained is not lost when the server goes away", async () => {
  const training = await open();
  training.episode(15);
  await trained(training);
  assert.equal(app.state.episodes, 15);
  app.become("away");
  app.become("open");
  await settled();
  assert.equal(last("episode").count, 15);
});

test("no more episodes are asked for than the lab trains", async () => {
  const training = await open();
  curve(0, new Array(1995).fill(4));
  training.episode(50);
  assert.equal(last("episode").count, 5);
  await trained(training);
  const asked = told.length;
  training.episode();
  assert.equal(told.length, asked);
});

test("views are asked for again only when they were answered, and those of a pair that is gone are left out", async () => {
  const training = await open({ levels: [5, 5] });
  const looks = () => told.filter((message) => message.do === "look");
  assert.deepEqual(looks().map(({ agent, level }) => [agent, level]), [[0, 0], [1, 2]], "the top level of each");
  training.look();
  assert.equal(looks().length, 2);
  for (const { agent, level, id } of looks()) app.says({ tell: "view", agent, level, id, values: [], policy: [] });
  assert.equal(looks().length, 4);
  app.says({ tell: "view", agent: 0, level: 0, id: 1, values: [7], policy: [] });
  assert.deepEqual(training.views[0].values, []);
});

test("the user's own world is opened, unless a link says which", async () => {
  isOwn = true;
  await open();
  assert.equal(app.state.map, "S.G\n");
  app = makeApp();
  location.hash = "#link";
  const { map } = app.state;
  await open();
  assert.equal(app.state.map, map);
});

test("an episode that a new pair cuts short is not waited for", async () => {
  const training = await open();
  let isOver = false;
  training.episode().then(() => (isOver = true));
  app.update({ seed: 3 });
  await settled();
  assert.ok(isOver);
});

test("numbers of a pair that is gone are left out", async () => {
  const training = await open();
  curve(40, [9, 9]);
  assert.equal(training.trained, 0);
  curve(0, [9]);
  curve(1, [8]);
  assert.deepEqual(training.evaluated.map((each) => each.length), [2, 2]);
});

test("only a problem of the many seeds ends them", async () => {
  const training = await open();
  training.startMany(200, 50);
  app.says({ tell: "problem", id: 77, text: "the map is empty" });
  assert.ok(training.manyRunning);
  app.says({ tell: "problem", id: last("many").id, text: "a run failed" });
  assert.ok(!training.manyRunning);
  assert.equal(app.problems.curves, "A run failed.");
});

test("results of many seeds that were stopped do not mix with the next ones", async () => {
  const training = await open();
  training.startMany(200, 50);
  const first = last("many").id;
  training.stopMany();
  training.startMany(100, 50);
  app.says({ tell: "many", agent: 0, id: first, done: 3, planned: 200, finished: true, mean: [1], low: [1], high: [1] });
  assert.equal(training.many[0], null);
  app.says({ tell: "many", agent: 0, id: last("many").id, done: 3, planned: 100, finished: false, mean: [1], low: [1], high: [1] });
  assert.equal(training.many[0].planned, 100);
});
