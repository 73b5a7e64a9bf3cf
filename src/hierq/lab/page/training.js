// @ts-check
/** The pair of agents on the server: asks for it, keeps what it tells, and makes it again when the page changes. */

import { compact, complete } from "./config.js";
import { Curve } from "./curves.js";
import { MOST } from "./declared.js";
import { onceAFrame, quietly } from "./dom.js";
import { ViewAsker } from "./views.js";
import { aboutAgents, sentence, withCells } from "./words.js";
import { numberOf } from "./world_map.js";

const SECOND = 1000;
/** @typedef {import("./frames.js").EpisodeFrame} EpisodeFrame */
/** @typedef {import("./frames.js").ManyFrame} ManyFrame */
/** @typedef {{states: number, positions: [number, number][], goal: number, optimum: number}} WorldFacts positions of the cells by
 *   number, free ones first */
/** @typedef {{levels: number, conditioned: boolean[], start_values: number[], settings: import("./config.js").Config}} AgentFacts */
/** @typedef {"away"|"opening"|"idle"|"episode"|"fast"} Running */

export class Training {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.forget();
    /** @type {WorldFacts|null} */
    this.world = null;
    /** @type {AgentFacts[]} */
    this.agents = [];
    /** The text whose world this is. */
    this.map = "";
    /** @type {Running} */
    this.running = "away";
    this.manyRunning = false;
    this.manyId = 0; // of the message that asked for many seeds
    this.writtenDown = 0;
    /** What the server says about its kernels. @type {{state: string, text: string}|null} */
    this.status = null;
    this.adopting = false;
    this.batch = { id: 0, until: 0 }; // the message that asked for episodes, and how many there will be after many of them
    /** @type {(() => void)[]} */
    this.afterEpisode = [];
    this.views = new ViewAsker(app, this);
    this.reopenSoon = quietly(() => this.open(), 60);
    // The server sends the next batch only after this one is on the screen.
    this.readyAfterDrawing = onceAFrame(() => {
      if (this.running === "fast") app.socket.tell({ do: "ready" });
    });
    app.subscribe((changed) => this.#follow(changed));
    app.socket.on("frame", (frame) => this.#take(frame));
    app.socket.on("message", (message) => this.#hear(message));
    app.socket.on("condition", (condition) => this.#connection(condition));
  }

  /** Everything learnt is gone. */
  forget() {
    /** Steps of the evaluation episodes of A and B. */
    this.evaluated = [new Curve(), new Curve()];
    /** Steps of their training episodes. */
    this.practised = [new Curve(), new Curve()];
    /** The last episode of each. @type {(EpisodeFrame|null)[]} */
    this.episodes = [null, null];
    /** @type {(ManyFrame|null)[]} */
    this.many = [null, null];
  }

  /** Takes over the state of a link as a whole, what it says about training included. @param {import("./state.js").State} state */
  adopt(state) {
    this.adopting = true;
    this.app.update(state);
    this.adopting = false;
  }

  /** Makes a new pair from the page's state, and trains it for as many episodes as the state says. */
  async open() {
    const { app } = this;
    if (app.socket.condition !== "open") return;
    this.#become("opening");
    const { map, seed } = app.state;
    try {
      const message = { do: "open", map, agents: app.state.agents.map((config) => compact(config)), seed };
      const opened = await app.socket.ask(message);
      if (map !== app.state.map) return;
      this.forget();
      this.views.forget();
      this.#settle(); // an episode that was begun with the former pair will not end
      Object.assign(this, { world: opened.world, agents: opened.agents, map });
      app.problem("", "world");
      app.problem("", "agents");
      this.#keepInside();
      this.#become("idle");
      app.changed("world", "curves", "views", "episodes", "many");
      this.views.ask();
      if (app.state.episodes > 0) this.#run(app.state.episodes);
    } catch (problem) {
      this.#refused(/** @type {Error} */ (problem).message);
    }
  }

  /** Trains both agents for some episodes. @param {number} [count] @returns {Promise<void>} when it is done */
  episode(count = 1) {
    return new Promise((resolve) => {
      if (this.running !== "idle") return resolve();
      this.afterEpisode.push(resolve);
      this.app.update({ at: -1 });
      this.#run(count);
    });
  }

  fast() {
    if (this.running !== "idle" || !this.app.socket.tell({ do: "fast" })) return;
    this.app.update({ at: -1 });
    this.#become("fast");
    this.app.socket.tell({ do: "ready" });
  }

  /** Ends "fast", or a run of many episodes; the server adds one episode whose steps can be looked at. */
  pause() {
    if (this.running !== "fast" && !this.goesOn) return;
    const id = this.app.socket.tell({ do: "pause" });
    if (this.running === "fast") this.batch = { id, until: 0 };
    else this.batch.until = 0;
    this.#become("episode");
    this.app.changed("running");
  }

  /** How many episodes both agents were trained for. @returns {number} */
  get trained() {
    return Math.min(...this.evaluated.map((curve) => curve.count));
  }

  /** The level shown of an agent: the one that is wanted, or the highest there is. @param {number} agent @returns {number} */
  levelShown(agent) {
    const { levels, agents } = this.app.state;
    return Math.min(levels[agent], (this.agents[agent]?.levels ?? complete(agents[agent]).levels) - 1);
  }

  /** Whether many episodes run, as when a link is opened. @returns {boolean} */
  get goesOn() {
    return this.running === "episode" && this.batch.until > 0;
  }

  /** Both agents forget; the same seed gives the same again. */
  reset() {
    this.app.update({ episodes: 0, at: -1 });
    this.open();
  }

  /** Many seeds at once. @param {number} seeds @param {number} iterations */
  startMany(seeds, iterations) {
    const id = this.app.socket.tell({ do: "many", seeds, iterations });
    if (!id) return;
    this.manyId = id;
    this.many = [null, null];
    this.manyRunning = true;
    this.app.changed("many");
  }

  stopMany() {
    this.app.socket.tell({ do: "stop" });
    this.manyRunning = false;
    this.app.changed("many");
  }

  /** Steps of the longer of the last episodes. @returns {number} */
  get longest() {
    return Math.max(0, ...this.episodes.map((episode) => episode?.steps ?? 0));
  }

  /** @param {number} count */
  #run(count) {
    const id = this.app.socket.tell({ do: "episode", count: Math.min(count, MOST.episodes) });
    if (!id) return;
    this.batch = { id, until: count > 1 ? this.trained + Math.min(count, MOST.episodes) : 0 };
    this.#become("episode");
  }

  /** @param {import("./frames.js").Frame} frame */
  #take(frame) {
    if (frame.kind === "curve") this.#takeCurve(frame);
    else if (frame.kind === "episode") this.#takeEpisode(frame);
    else if (frame.kind === "many") this.#takeMany(frame);
    else this.views.take(frame);
    if (this.running === "fast") this.readyAfterDrawing();
  }

  /** @param {import("./frames.js").CurveFrame} frame */
  #takeCurve(frame) {
    if (frame.first !== this.evaluated[frame.agent].count) return; // of a pair that is gone
    this.practised[frame.agent].add(frame.trained);
    this.evaluated[frame.agent].add(frame.evaluated);
    if (performance.now() - this.writtenDown > SECOND) this.writeDown();
    this.views.ask();
    this.app.changed("curves");
  }

  /** @param {EpisodeFrame} frame */
  #takeEpisode(frame) {
    this.episodes[frame.agent] = frame;
    this.app.changed("episodes");
    if (this.running !== "episode" || this.episodes.some((each) => each?.id !== this.batch.id)) return;
    this.#become("idle");
    this.writeDown();
    this.views.ask();
    this.#settle();
  }

  #settle() {
    for (const resolve of this.afterEpisode.splice(0)) resolve();
  }

  /** @param {ManyFrame} frame */
  #takeMany(frame) {
    if (!this.manyRunning || frame.id !== this.manyId) return;
    this.many[frame.agent] = frame;
    if (this.many.every((each) => each?.finished)) this.manyRunning = false;
    this.app.changed("many");
  }

  /** Writes down how much was trained, for the link; what a link wants is not forgotten while it is being trained. */
  writeDown() {
    this.writtenDown = performance.now();
    if (this.running === "fast" || this.running === "idle") this.app.update({ episodes: Math.min(MOST.episodes, this.trained) });
  }

  /** @param {Set<string>} changed */
  #follow(changed) {
    const anew = ["map", "agents", "seed"].some((part) => changed.has(part));
    if (anew && !this.adopting && this.app.state.episodes) this.app.update({ episodes: 0, at: -1 });
    if (anew) this.stopForChange();
    if (anew || (changed.has("episodes") && this.adopting)) this.reopenSoon();
    else if (["levels", "goal", "at"].some((part) => changed.has(part))) this.views.ask();
  }

  /** A change ends what runs. */
  stopForChange() {
    if (this.running === "fast") this.app.socket.tell({ do: "pause" });
    if (this.manyRunning) this.stopMany();
    this.#settle();
  }

  /** Levels and goals that are no longer there are not asked about. Walls are sub-goals only of agents that take all cells. */
  #keepInside() {
    const { goal } = this.app.state;
    const { positions, states } = /** @type {WorldFacts} */ (this.world);
    const known = this.agents.some(({ settings }) => settings.subgoal_cells === "grid") ? positions : positions.slice(0, states);
    this.app.update({ levels: [this.levelShown(0), this.levelShown(1)], goal: numberOf(known, goal) < 0 ? null : goal });
  }

  /** @param {any} message */
  #hear(message) {
    if (message.tell === "status") {
      this.status = message;
      this.app.changed("connection");
    }
    if (message.tell !== "problem") return undefined;
    const ofMany = message.id !== 0 && message.id === this.manyId;
    if (ofMany || message.id === 0) this.manyRunning = false;
    this.app.changed("many");
    if (ofMany) return this.app.problem(sentence(message.text), "curves");
    if (this.views.dropped(message.id)) return undefined;
    if (message.id === this.batch.id && this.running === "episode") this.#become("idle");
    this.#settle();
    return this.app.problem(sentence(message.text), "run");
  }

  /** @param {string} words */
  #refused(words) {
    if (this.app.socket.condition !== "open") return;
    this.world = null;
    this.#become("away");
    this.app.problem(sentence(withCells(words, this.app.state.map)), aboutAgents(words) ? "agents" : "world");
    this.app.changed("world", "curves", "views", "episodes", "many");
  }

  /** @param {import("./socket.js").Condition} condition */
  #connection(condition) {
    if (condition === "open") this.open();
    else {
      if (this.running === "fast") this.writeDown();
      if (condition === "closed") this.app.problem("", "run"); // the notice says it
      this.manyRunning = false;
      this.views.release();
      this.#become("away");
      this.#settle();
    }
    this.app.changed("connection");
  }

  /** @param {Running} running */
  #become(running) {
    if (this.running === running) return;
    this.running = running;
    if (running === "episode" || running === "fast") this.app.problem("", "run");
    this.app.changed("running");
  }
}
