// @ts-check
/** The connection to the server: questions and answers by number, frames, and coming back after a break. */

import { decodeFrame } from "./frames.js";

/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {"connecting"|"open"|"away"|"refused"} Condition
 *   "away": the server does not answer; "refused": a server answers, but does not know this page's token */

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;

/** The answer "problem" of the server, or a connection that broke; its message is for the user. */
export class Problem extends Error {}

/** @typedef {{resolve: (answer: any) => void, reject: (problem: Problem) => void}} Waiting */

/**
 * @typedef {object} SocketOptions
 * @property {string} [address] ws://…; this page's server if left out
 * @property {new (address: string) => WebSocket} [Socket] for tests
 * @property {() => Promise<boolean>} [alive] whether a server answers at all; for tests
 * @property {(call: () => void, milliseconds: number) => unknown} [later] for tests
 */

/** Talks to the server; starts with `connect()`. */
export class LabSocket {
  /** @param {SocketOptions} [options] */
  constructor(options = {}) {
    this.address = options.address ?? `ws://${globalThis.location?.host}/socket`;
    this.Socket = options.Socket ?? globalThis.WebSocket;
    this.alive = options.alive ?? serverAnswers;
    this.later = options.later ?? ((call, milliseconds) => setTimeout(call, milliseconds));
    /** @type {Condition} */
    this.condition = "connecting";
    /** @type {WebSocket|null} */
    this.socket = null;
    this.pause = FIRST_PAUSE;
    this.lastId = 0;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Set<(frame: Frame) => void>} */
    this.frameListeners = new Set();
    /** @type {Set<(message: any) => void>} */
    this.messageListeners = new Set();
    /** @type {Set<(condition: Condition, before: Condition) => void>} */
    this.conditionListeners = new Set();
  }

  /** Opens the connection, and opens it again whenever it breaks. */
  connect() {
    const socket = new this.Socket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE;
      this.#become("open");
    };
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = () => {
      if (this.socket === socket) this.#lost();
    };
  }

  /** Asks and waits for the answer with the same number. @param {{do: string, [key: string]: unknown}} message
   * @returns {Promise<any>} @throws {Problem} */
  ask(message) {
    return new Promise((resolve, reject) => {
      const id = this.tell(message);
      if (id === 0) reject(new Problem("The server is away; this is tried again when it is back."));
      else this.waiting.set(id, { resolve, reject });
    });
  }

  /** Says something without waiting. @param {{do: string, [key: string]: unknown}} message
   * @returns {number} the number of the message, echoed in its answers and frames; 0 when nobody is there */
  tell(message) {
    if (this.condition !== "open" || !this.socket) return 0;
    this.lastId += 1;
    this.socket.send(JSON.stringify({ ...message, id: this.lastId }));
    return this.lastId;
  }

  /** Calls back for every frame. @param {(frame: Frame) => void} listener @returns {() => void} to stop it */
  onFrame(listener) {
    this.frameListeners.add(listener);
    return () => this.frameListeners.delete(listener);
  }

  /** Calls back for messages that answer no open question. @param {(message: any) => void} listener
   * @returns {() => void} to stop it */
  onMessage(listener) {
    this.messageListeners.add(listener);
    return () => this.messageListeners.delete(listener);
  }

  /** Calls back when the server goes away and comes back. @param {(condition: Condition, before: Condition) => void} listener
   * @returns {() => void} to stop it */
  onCondition(listener) {
    this.conditionListeners.add(listener);
    return () => this.conditionListeners.delete(listener);
  }

  /** @param {string|ArrayBuffer} data */
  #receive(data) {
    if (typeof data !== "string") {
      const frame = decodeFrame(data);
      this.#answer(frame.id, frame);
      for (const listener of this.frameListeners) listener(frame);
      return;
    }
    const message = JSON.parse(data);
    if (message.tell === "problem" && this.waiting.has(message.id)) {
      this.waiting.get(message.id)?.reject(new Problem(message.text));
      this.waiting.delete(message.id);
    } else if (!this.#answer(message.id, message)) {
      for (const listener of this.messageListeners) listener(message);
    }
  }

  /** @param {number} id @param {unknown} answer @returns {boolean} whether somebody waited for it */
  #answer(id, answer) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    waiting?.resolve(answer);
    return waiting !== undefined;
  }

  async #lost() {
    this.socket = null;
    for (const { reject } of this.waiting.values()) reject(new Problem("The connection to the server broke."));
    this.waiting.clear();
    const answers = await this.alive();
    this.#become(answers && this.condition !== "open" ? "refused" : "away");
    this.later(() => this.connect(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 1.6);
  }

  /** @param {Condition} condition */
  #become(condition) {
    const before = this.condition;
    if (condition === before) return;
    this.condition = condition;
    for (const listener of this.conditionListeners) listener(condition, before);
  }
}

/** @returns {Promise<boolean>} */
async function serverAnswers() {
  try {
    return (await fetch("/health", { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}
