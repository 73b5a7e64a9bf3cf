import assert from "node:assert/strict";
import { test } from "node:test";

import { RecordedSocket, toldBy } from "../../../src/hierq/lab/page/recorded_socket.js";

const curve = (agent) => ({ tell: "curve", agent, first: 0, evaluated: [5, 4, 3, 2] });
const episode = (agent, stop) => ({ tell: "episode", agent, stop, steps: 10 - stop });
const view = (stop, level) => ({ tell: "view", agent: 1, level, stop, values: [10 * level + stop] });
const TOLD = [
  curve(0), curve(1), { tell: "many", agent: 0 }, ...[1, 2, 4].flatMap((stop) => [episode(0, stop), episode(1, stop)]),
  ...[0, 1, 2, 4].flatMap((stop) => [view(stop, 0), view(stop, 1)]),
];
const AGENTS = [{ levels: 1 }, { levels: 2 }];

async function answers(...messages) {
  const recording = { opened: { world: { goal: 7 } }, stops: [0, 1, 2, 4], credits: [{ hop_lengths: [1] }, { problem: "no" }] };
  const socket = new RecordedSocket(recording, TOLD, AGENTS);
  const heard = [];
  socket.on("message", (message) => heard.push(message));
  for (const message of messages) await (message.do === "open" ? socket.ask(message) : socket.tell(message));
  await null;
  return { heard, socket };
}

test("training goes to the last stop that was kept, with the curves up to there", async () => {
  const { heard } = await answers({ do: "open" }, { do: "episode", count: 1 }, { do: "episode", count: 2 });
  assert.deepEqual(heard.map(({ tell, id }) => [tell, id]), [
    ["curve", 1], ["curve", 1], ["episode", 1], ["episode", 1], ["curve", 2], ["curve", 2], ["episode", 2], ["episode", 2],
  ]);
  assert.deepEqual([heard[4].first, [...heard[4].evaluated]], [1, [4]]); // there is no stop 3
  assert.equal(heard[6].steps, 8);
  const again = await answers({ do: "episode", count: 4 }, { do: "open" }, { do: "episode", count: 1 });
  assert.deepEqual([...again.heard.at(-4).evaluated], [5]);
});

test("a view is that of the level after the episodes so far", async () => {
  const look = { do: "look", agent: 1, level: 0 };
  const { heard } = await answers(look, { do: "episode", count: 2 }, look, { ...look, level: 1 }, { ...look, agent: 0 });
  assert.deepEqual(heard.filter(({ tell }) => tell === "view").map(({ values }) => values[0]), [0, 2, 12]);
});

test("credit is answered for the agents that were recorded, and nothing else is", async () => {
  const { socket } = await answers({ do: "open" });
  assert.deepEqual(await socket.ask({ do: "credit", agent: AGENTS[0] }), { hop_lengths: [1] });
  await assert.rejects(socket.ask({ do: "credit", agent: AGENTS[1] }), /no/);
  await assert.rejects(socket.ask({ do: "credit", agent: { levels: 5 } }), /not in the recording/);
  await assert.rejects(socket.ask({ do: "snippet" }), /not in the recording/);
});

test("what is told is unpacked", async () => {
  const packed = await new Response(new Blob([JSON.stringify(TOLD)]).stream().pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
  assert.deepEqual(await toldBy({ told: btoa(String.fromCharCode(...new Uint8Array(packed))) }), TOLD);
});
