import assert from "node:assert/strict";
import { test } from "node:test";

import { LabSocket, Problem } from "../../../src/hierq/lab/page/socket.js";

/** A server that is played by the test. */
class FakeSocket {
  static all = [];

  constructor(address) {
    this.address = address;
    this.sent = [];
    FakeSocket.all.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  says(message) {
    this.onmessage({ data: typeof message === "string" || message instanceof ArrayBuffer ? message : JSON.stringify(message) });
  }
}

function connected({ alive = async () => false } = {}) {
  FakeSocket.all = [];
  const pauses = [];
  const again = [];
  const socket = new LabSocket({
    address: "ws://test/socket",
    Socket: FakeSocket,
    alive,
    later: (call, milliseconds) => {
      pauses.push(milliseconds);
      again.push(call);
    },
  });
  const conditions = [];
  socket.onCondition((condition) => conditions.push(condition));
  socket.connect();
  return { socket, pauses, again, conditions };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

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
  const [messages, frames] = [[], []];
  socket.onMessage((message) => messages.push(message.text));
  const stop = socket.onFrame((frame) => frames.push(frame.kind));
  FakeSocket.all[0].says({ tell: "problem", id: 0, text: "closed after an hour" });
  const curve = Uint8Array.from(Buffer.from("01000000000000000000000000000000", "hex")).buffer;
  FakeSocket.all[0].says(curve);
  stop();
  FakeSocket.all[0].says(curve);
  assert.deepEqual(messages, ["closed after an hour"]);
  assert.deepEqual(frames, ["curve"]);
});

test("a break is told, questions fail, and it tries again with growing pauses", async () => {
  const { socket, pauses, again, conditions } = connected();
  FakeSocket.all[0].onopen();
  const asked = socket.ask({ do: "episode" });
  FakeSocket.all[0].onclose();
  await assert.rejects(asked, Problem);
  await settled();
  assert.equal(socket.tell({ do: "ready" }), 0);
  await assert.rejects(socket.ask({ do: "ready" }), Problem);
  for (let attempt = 1; attempt < 9; attempt += 1) {
    again.at(-1)();
    FakeSocket.all.at(-1).onclose();
    await settled();
  }
  assert.ok(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1]));
  assert.equal(pauses.at(-1), 4000);
  again.at(-1)();
  FakeSocket.all.at(-1).onopen();
  assert.deepEqual(conditions, ["open", "away", "open"]);
});

test("a server that answers but refuses the page is told apart", async () => {
  const { again, conditions } = connected({ alive: async () => true });
  FakeSocket.all[0].onopen();
  FakeSocket.all[0].onclose();
  await settled();
  again.at(-1)();
  FakeSocket.all[1].onclose();
  await settled();
  assert.deepEqual(conditions, ["open", "away", "refused"]);
});
