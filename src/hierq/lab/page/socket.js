// @ts-check
/** The connection to the server: questions and answers by number, and coming back after a break. */

/** @typedef {"connecting"|"open"|"away"|"closed"} Condition "away": there is no server, or one that does not know this page's token;
 *   "closed": the server closed this page for a reason that trying again by itself would not change */

const TOKEN = "hierq lab token";
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4000;
/** Why the server closed a page on purpose, by the code of RFC 6455, where it gave no reason. A server that stops has another code. */
const CLOSED = /** @type {Record<number, string>} */ ({
  1001: "this page was closed because it was idle for a long time",
  1008: "this page was closed because it broke a rule",
  1009: "this page was closed because it sent a message that was too long",
  1013: "too many pages are open already; close one of them first",
});

/** Takes the token out of the address into the storage of the page's own origin, which no other port can read. */
export function keepToken() {
  const token = new URLSearchParams(location.search).get("token");
  if (token === null) return;
  localStorage.setItem(TOKEN, token);
  history.replaceState(null, "", location.pathname + location.hash);
}

/** The answer "problem" of the server, or a connection that broke; its message is for the user. */
export class Problem extends Error {}

/** Talks to the server; starts with `connect()`. */
export class LabSocket {
  /** @type {Condition} */
  condition = "connecting";
  /** @type {WebSocket|null} */
  socket = null;
  pause = FIRST_PAUSE;
  /** Why the page was closed, in words; where the condition is "closed". */
  reason = "";
  lastId = 0;
  /** @type {Map<number, {resolve: (answer: any) => void, reject: (problem: Problem) => void}>} */
  waiting = new Map();
  /** @type {{message: ((message: any) => void)[], condition: ((condition: Condition) => void)[]}} */
  listeners = { message: [], condition: [] };

  /** Opens the connection, and opens it again whenever it breaks; after "closed" only when it is called again. */
  connect() {
    if (this.condition === "closed") this.#become("connecting");
    const socket = new WebSocket(`ws://${location.host}/socket`, ["hierq-lab", localStorage.getItem(TOKEN) ?? "none"]);
    this.socket = socket;
    socket.onopen = () => this.#become("open");
    socket.onmessage = (event) => {
      if (this.socket === socket) this.#receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.#lost(event.code, event.reason);
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
   * @returns {number} the number of the message, echoed in its answers; 0 without a connection */
  tell(message) {
    if (this.condition !== "open" || !this.socket) return 0;
    this.lastId += 1;
    this.socket.send(JSON.stringify({ ...message, id: this.lastId }));
    return this.lastId;
  }

  /** Calls back for every "message" that answers no open question, or when the "condition" changes.
   * @param {"message"|"condition"} what @param {(news: any) => void} listener */
  on(what, listener) {
    this.listeners[what].push(listener);
  }

  /** @param {any} message */
  #receive(message) {
    this.pause = FIRST_PAUSE;
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!waiting) return this.listeners.message.forEach((listener) => listener(message));
    if (message.tell === "problem") return waiting.reject(new Problem(message.text));
    return waiting.resolve(message);
  }

  /** @param {number} code @param {string} reason */
  #lost(code, reason) {
    this.socket = null;
    for (const { reject } of this.waiting.values()) reject(new Problem("The connection to the server broke."));
    this.waiting.clear();
    if (code in CLOSED) {
      this.reason = reason || CLOSED[code];
      this.#become("closed");
      return;
    }
    this.#become("away");
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE, this.pause * 1.6);
  }

  /** @param {Condition} condition */
  #become(condition) {
    if (condition === this.condition) return;
    this.condition = condition;
    for (const listener of this.listeners.condition) listener(condition);
  }
}
