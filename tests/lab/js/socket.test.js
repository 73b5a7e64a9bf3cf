import assert from "node:assert/strict";
import { test } from "node:test";

import { keepToken, LabSocket, Problem } from "../../../src/hierq/lab/page/socket.js";

/** A server that is played by the test. */
class FakeSocket {
  static all = [];

  constructor(address, words) {
    this.address = address;
    this.words = words;
    this.sent = [];
    FakeSocket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  says(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const { setTimeout: afterwards } = globalThis;

/** A page whose browser and clock are played by the test. */
function connected() {
  FakeSocket.all = [];
  const pauses = [];
  const again = [];
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    location: { host: "test" },
    setTimeout: (call, milliseconds) => {
      pauses.push(milliseconds);
      again.push(call);
    },
  });
  Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => `token ${FakeSocket.all.length}` }, configurable: true });
  const socket = new LabSocket();
  const conditions = [];
  socket.on("condition", (condition) => conditions.push(condition));
  socket.connect();
  return { socket, pauses, again, conditions };
}

const settled = () => new Promise((resolve) => afterwards(resolve, 0));

test("an answer finds its question, in any order", async () => {
  const { socket } = connected();
  FakeSocket.all[0].onopen();
  const [first, second] = [socket.ask({ do: "worlds" }), socket.ask({ do: "generate" })];
  const [one, two] = FakeSocket.all[0].sent;
  FakeSocket.all[0].says({ tell: "map", id: two.id, map: "x" });
  FakeSocket.all[0].says({ tell: "worlds", id: one.id, worlds: [] });
  assert.equal((await second).map, "x");
  assert.deepEqual((await first).worlds, []);
});

test("a problem becomes an error with the server's words", async () => {
  const { socket } = connected();
  FakeSocket.all[0].onopen();
  const asked = socket.ask({ do: "open" });
  FakeSocket.all[0].says({ tell: "problem", id: 1, text: "the map is empty" });
  await assert.rejects(asked, (problem) => problem instanceof Problem && problem.message === "the map is empty");
});

test("what nobody asked for goes to the listeners", () => {
  const { socket } = connected();
  FakeSocket.all[0].onopen();
  const messages = [];
  socket.on("message", (message) => messages.push(message.text));
  FakeSocket.all[0].says({ tell: "problem", id: 0, text: "closed after an hour" });
  assert.deepEqual(messages, ["closed after an hour"]);
});

test("a break is told, questions fail, and it tries again with growing pauses", async () => {
  const { socket, pauses, again, conditions } = connected();
  FakeSocket.all[0].onopen();
  const asked = socket.ask({ do: "episode" });
  FakeSocket.all[0].onclose({ code: 1006, reason: "" });
  await assert.rejects(asked, Problem);
  await settled();
  assert.equal(socket.tell({ do: "worlds" }), 0);
  await assert.rejects(socket.ask({ do: "worlds" }), Problem);
  for (let attempt = 1; attempt < 9; attempt += 1) {
    again.at(-1)();
    FakeSocket.all.at(-1).onclose({ code: 1006, reason: "" });
    await settled();
  }
  assert.ok(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1]));
  assert.equal(pauses.at(-1), 4000);
  again.at(-1)();
  FakeSocket.all.at(-1).onopen();
  assert.deepEqual(conditions, ["open", "away", "open"]);
});

test("every attempt shows the token that is stored then", async () => {
  const { again } = connected();
  FakeSocket.all[0].onopen();
  FakeSocket.all[0].onclose({ code: 1006, reason: "" });
  await settled();
  again.at(-1)();
  assert.deepEqual(FakeSocket.all.map(({ words }) => words), [["hierq-lab", "token 0"], ["hierq-lab", "token 1"]]);
});

for (const [code, reason, said] of [
  [1001, "it was idle for 60 minutes", /60 minutes/],
  [1008, "", /broke a rule/],
  [1009, "", /too long/],
  [1013, "8 pages are open already", /8 pages/],
]) {
  test(`a page that was closed on purpose (${code}) stays closed until the user connects again`, async () => {
    const { socket, again, conditions } = connected();
    FakeSocket.all[0].onopen();
    const asked = socket.ask({ do: "worlds" });
    FakeSocket.all[0].onclose({ code, reason });
    await assert.rejects(asked, Problem);
    await settled();
    assert.deepEqual(again, []);
    assert.equal(FakeSocket.all.length, 1);
    assert.match(socket.reason, said);
    socket.connect();
    FakeSocket.all[1].onopen();
    assert.deepEqual(conditions, ["open", "closed", "connecting", "open"]);
    FakeSocket.all[0].onclose({ code: 1006, reason: "" }); // the old one does not matter any more
    assert.equal(socket.condition, "open");
  });
}

test("a server that was stopped (1012) is tried again", async () => {
  const { again, conditions } = connected();
  FakeSocket.all[0].onopen();
  FakeSocket.all[0].onclose({ code: 1012, reason: "" });
  await settled();
  assert.equal(again.length, 1);
  assert.deepEqual(conditions, ["open", "away"]);
});

test("only a connection that said something makes the pauses short again", async () => {
  const { pauses, again } = connected();
  for (let attempt = 0; attempt < 9; attempt += 1) {
    FakeSocket.all.at(-1).onopen();
    FakeSocket.all.at(-1).onclose({ code: 1011, reason: "" });
    await settled();
    again.at(-1)();
  }
  assert.equal(pauses.at(-1), 4000);
  FakeSocket.all.at(-1).onopen();
  FakeSocket.all.at(-1).says({ tell: "status", id: 0, state: "ready", text: "ready" });
  FakeSocket.all.at(-1).onclose({ code: 1006, reason: "" });
  await settled();
  assert.equal(pauses.at(-1), 250);
});

test("the token is taken out of the address and kept", () => {
  const kept = {};
  const shown = [];
  Object.defineProperty(globalThis, "localStorage", { value: { setItem: (name, value) => (kept[name] = value) }, configurable: true });
  Object.assign(globalThis, { location: { search: "?token=abc", pathname: "/", hash: "#x" }, history: { replaceState: (...values) => shown.push(values[2]) } });
  keepToken();
  assert.deepEqual([kept, shown], [{ "hierq lab token": "abc" }, ["/#x"]]);
  location.search = "";
  keepToken();
  assert.equal(shown.length, 1);
});
