// @ts-check
/** Answers the page from a recording instead of a server; see hierq.lab.recording. */

import { decodeFrame } from "./frames.js";
import { LabSocket, Problem } from "./socket.js";

/**
 * @typedef {object} Recording
 * @property {string} state the fragment of a link @property {any} opened what "open" is answered
 * @property {number[]} stops after how many episodes the agents were kept
 * @property {any[]} credits what "credit" is answered for agents A and B
 * @property {number[]} lengths of the frames @property {string} frames one after another, compressed, in base64
 */

/** The frames of a recording; the id of each is its stop. @param {Recording} recording @returns {Promise<any[]>} */
export async function framesOf({ lengths, frames }) {
  const packed = Uint8Array.from(atob(frames), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  let end = 0;
  return lengths.map((length) => decodeFrame(bytes.slice(end, (end += length))));
}

export class RecordedSocket extends LabSocket {
  stop = 0;

  /** @param {Recording} recording @param {any[]} frames @param {any[]} agents whose credit was recorded */
  constructor(recording, frames, agents) {
    super();
    this.recording = recording;
    this.frames = frames;
    this.asked = agents.map((agent) => JSON.stringify(agent));
  }

  connect() {
    this.condition = "open";
    this.listeners.condition.forEach((listener) => listener("open", "connecting"));
  }

  /** @param {any} message @returns {Promise<any>} */
  async ask(message) {
    if (message.do === "worlds") return { worlds: [] };
    if (message.do === "open") {
      this.stop = 0;
      return this.recording.opened;
    }
    const credit = message.do === "credit" ? this.recording.credits[this.asked.indexOf(JSON.stringify(message.agent))] : null;
    if (!credit || credit.problem) throw new Problem(credit?.problem ?? "this is not in the recording");
    return credit;
  }

  /** @param {any} message @returns {number} */
  tell(message) {
    const id = (this.lastId += 1);
    queueMicrotask(() => {
      for (const frame of this.#answer(message)) this.listeners.frame.forEach((listener) => listener({ ...frame, id }));
    });
    return id;
  }

  /** @param {any} message @returns {any[]} */
  #answer(message) {
    if (message.do === "many") return this.#kind("many");
    if (message.do === "episode") return this.#train(message.count);
    return message.do === "look" ? this.#view(message) : [];
  }

  /** @param {string} kind */
  #kind(kind) {
    return this.frames.filter((frame) => frame.kind === kind);
  }

  /** @param {number} count */
  #train(count) {
    const [first, wanted] = [this.stop, this.stop + count];
    this.stop = Math.max(...this.recording.stops.filter((stop) => stop <= wanted));
    const curves = this.#kind("curve").map((curve) => ({ ...curve, first, evaluated: curve.evaluated.subarray(first, this.stop) }));
    return [...curves, ...this.#kind("episode").filter((frame) => frame.id === this.stop)];
  }

  /** What a level knew after the episodes so far. @param {any} message */
  #view({ agent, level }) {
    return this.#kind("view").filter((frame) => frame.id === this.stop && frame.agent === agent && frame.level === level);
  }
}
