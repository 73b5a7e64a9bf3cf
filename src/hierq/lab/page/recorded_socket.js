// @ts-check
/** Answers the page from a recording instead of a server; see hierq.lab.recording. */

import { LabSocket, Problem } from "./socket.js";

/**
 * @typedef {object} Recording
 * @property {string} state the fragment of a link @property {any} opened what "open" is answered
 * @property {number[]} stops after how many episodes the agents were kept
 * @property {any[]} credits what "credit" is answered for agents A and B
 * @property {string} told what the server would tell, as JSON, compressed, in base64; what belongs to a stop has its "stop"
 */

/** What is told in a recording. @param {Recording} recording @returns {Promise<any[]>} */
export function toldBy({ told }) {
  const packed = Uint8Array.from(atob(told), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

export class RecordedSocket extends LabSocket {
  stop = 0;

  /** @param {Recording} recording @param {any[]} told @param {any[]} agents whose credit was recorded */
  constructor(recording, told, agents) {
    super();
    this.recording = recording;
    this.told = told;
    this.asked = agents.map((agent) => JSON.stringify(agent));
  }

  connect() {
    this.condition = "open";
    this.listeners.condition.forEach((listener) => listener("open"));
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
      for (const answer of this.#answer(message)) this.listeners.message.forEach((listener) => listener({ ...answer, id }));
    });
    return id;
  }

  /** @param {any} message @returns {any[]} */
  #answer(message) {
    if (message.do === "many") return this.#all("many");
    if (message.do === "episode") return this.#train(message.count);
    return message.do === "look" ? this.#view(message) : [];
  }

  /** @param {string} kind */
  #all(kind) {
    return this.told.filter(({ tell }) => tell === kind);
  }

  /** @param {number} count */
  #train(count) {
    const [first, wanted] = [this.stop, this.stop + count];
    this.stop = Math.max(...this.recording.stops.filter((stop) => stop <= wanted));
    const curves = this.#all("curve").map((curve) => ({ ...curve, first, evaluated: curve.evaluated.slice(first, this.stop) }));
    return [...curves, ...this.#all("episode").filter(({ stop }) => stop === this.stop)];
  }

  /** What a level knew after the episodes so far. @param {any} message */
  #view({ agent, level }) {
    return this.#all("view").filter((view) => view.stop === this.stop && view.agent === agent && view.level === level);
  }
}
