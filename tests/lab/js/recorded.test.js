import assert from "node:assert/strict";
import { test } from "node:test";

import { framesOf, RecordedSocket } from "../../../src/hierq/lab/page/recorded_socket.js";

const curve = (agent) => ({ kind: "curve", agent, id: 0, first: 0, trained: Uint32Array.of(9, 8, 7, 6), evaluated: Uint32Array.of(5, 4, 3, 2) });
const episode = (agent, id) => ({ kind: "episode", agent, id, steps: 10 - id });
const view = (id, at, goal = 7) => ({ kind: "view", agent: 1, level: 0, id, at, goal, values: [id + at / 100] });
const FRAMES = [
  curve(0), curve(1), { kind: "many", agent: 0, id: 0 }, ...[1, 2, 4].flatMap((stop) => [episode(0, stop), episode(1, stop)]),
  view(0, -1), ...[1, 2, 4].flatMap((stop) => [view(stop, 0), view(stop, 5), view(stop, -1), view(stop, -1, 3)]),
];
const AGENTS = [{ levels: 1 }, { levels: 2 }];

async function answers(...messages) {
  const recording = { opened: { world: { goal: 7 } }, stops: [0, 1, 2, 4], credits: [{ spans: [1] }, { problem: "no" }] };
  const socket = new RecordedSocket(recording, FRAMES, AGENTS);
  const heard = [];
  socket.on("frame", (frame) => heard.push(frame));
  for (const message of messages) await (message.do === "open" ? socket.ask(message) : socket.tell(message));
  await null;
  return { heard, socket };
}

test("training goes to the last stop that was kept, with the curves up to there", async () => {
  const { heard } = await answers({ do: "open" }, { do: "episode", count: 1 }, { do: "episode", count: 2 });
  assert.deepEqual(heard.map(({ kind, id }) => [kind, id]), [
    ["curve", 1], ["curve", 1], ["episode", 1], ["episode", 1], ["curve", 2], ["curve", 2], ["episode", 2], ["episode", 2],
  ]);
  assert.deepEqual([heard[4].first, [...heard[4].trained], [...heard[4].evaluated]], [1, [8], [4]]); // there is no stop 3
  assert.equal(heard[6].steps, 8);
  const again = await answers({ do: "episode", count: 4 }, { do: "open" }, { do: "episode", count: 1 });
  assert.deepEqual([...again.heard.at(-4).trained], [9]);
});

test("a view is that of the last moment that was kept", async () => {
  const look = { do: "look", agent: 1, level: 0, goal: null };
  const moments = [{ ...look, at: 3 }, { ...look, at: 5 }, { ...look, at: -1 }, { ...look, goal: 3, at: -1 }, { ...look, goal: 99, at: -1 }];
  const { heard } = await answers({ do: "episode", count: 2 }, ...moments);
  const seen = heard.filter(({ kind }) => kind === "view").map(({ values, at, goal }) => [values[0], at, goal]);
  assert.deepEqual(seen, [[2, 3, 7], [2.05, 5, 7], [1.99, -1, 7], [1.99, -1, 3]]);
});

test("credit is answered for the agents that were recorded, and nothing else is", async () => {
  const { socket } = await answers({ do: "open" });
  assert.deepEqual(await socket.ask({ do: "credit", agent: AGENTS[0] }), { spans: [1] });
  await assert.rejects(socket.ask({ do: "credit", agent: AGENTS[1] }), /no/);
  await assert.rejects(socket.ask({ do: "credit", agent: { levels: 5 } }), /not in the recording/);
  await assert.rejects(socket.ask({ do: "snippet" }), /not in the recording/);
});

test("frames are unpacked", async () => {
  const bytes = new Uint8Array([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 21, 0, 0, 0]);
  const packed = await new Response(new Blob([bytes, bytes]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
  const [first, second] = await framesOf({ lengths: [24, 24], frames: btoa(String.fromCharCode(...new Uint8Array(packed))) });
  assert.deepEqual([first.kind, [...first.trained], [...second.evaluated]], ["curve", [20], [21]]);
});
