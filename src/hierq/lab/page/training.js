// @ts-check
/** The pair of agents on the server: asks for it, keeps what it tells, and makes it again when the page changes. */

import { compact, complete } from "./config.js";
import { MAX } from "./declared.js";
import { later, sentence } from "./dom.js";
import { withCells } from "./world_map.js";

/** The path of a training episode. @typedef {{agent: number, id: number, steps: number, states: number[], actions: number[]}} Episode */
/** What a level knows about the goal, in every state. @typedef {{agent: number, id: number, level: number, values: number[], policy: number[]}} View */
/** Runs of many seeds so far. @typedef {{agent: number, id: number, done: number, planned: number, finished: boolean,
 *   mean: number[], low: number[], high: number[]}} ManyRuns */
/** @typedef {{states: number, positions: [number, number][], goal: number, optimum: number}} WorldFacts positions of the cells by
 *   number, free ones first */
/** @typedef {{levels: number, start_values: number[]}} AgentFacts */
/** @typedef {"away"|"opening"|"idle"|"episode"} Running */

const CHUNK = 20; // episodes that are asked for at a time while a link is trained again

export class Training {
  /** Steps of the evaluation episodes of A and B. @type {number[][]} */
  evaluated = [[], []];
  /** The last training episode of each. @type {(Episode|null)[]} */
  episodes = [null, null];
  /** What the level shown knows. @type {(View|null)[]} */
  views = [null, null];
  /** @type {(ManyRuns|null)[]} */
  many = [null, null];

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {WorldFacts|null} */
    this.world = null;
    /** @type {AgentFacts[]} */
    this.agents = [];
    /** The text whose world this is. */
    this.map = "";
    /** The worlds that the server offers. @type {{name: string, map: string, is_own: boolean}[]} */
    this.offered = [];
    /** @type {Running} */
    this.running = "away";
    this.pairs = 0; // how many have been opened
    this.wasRefused = false; // the latest pair
    this.manyRunning = false;
    this.manyId = 0; // of the message that asked for many seeds
    this.asked = 0; // of the message that asked for episodes
    /** Messages that asked for views. @type {Set<number>} */
    this.looks = new Set();
    this.looksAgain = false;
    /** Why the server lets the page wait; empty if it does not. */
    this.status = "";
    this.adopting = false;
    /** @type {(() => void)[]} */
    this.afterEpisodes = [];
    this.reopenSoon = later(() => this.open(), 60);
    app.subscribe((changed) => this.#follow(changed));
    app.socket.on("message", (message) => this.#receive(message));
    app.socket.on("condition", (condition) => this.#connection(condition));
  }

  /** Everything learnt is gone. */
  forget() {
    this.evaluated = [[], []];
    this.episodes = [null, null];
    this.views = [null, null];
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
    if (this.wasRefused) app.problem(""); // that was about the pair before
    this.wasRefused = false;
    this.#become("opening");
    const { map, seed, episodes } = app.state;
    try {
      const opened = await app.socket.ask({ do: "open", map, agents: app.state.agents.map(compact), seed });
      if (map !== app.state.map) return;
      this.forget();
      this.looks.clear();
      this.pairs += 1;
      Object.assign(this, { world: opened.world, agents: opened.agents, map });
      this.#become("idle");
      app.changed("world", "curves", "views", "episodes", "many");
      this.look();
      await this.#trainTo(episodes);
    } catch (problem) {
      this.#refused(/** @type {Error} */ (problem).message);
    }
  }

  /** @param {number} episodes */
  async #trainTo(episodes) {
    const pair = this.pairs;
    while (this.pairs === pair && this.trained < episodes && this.running === "idle") await this.#run(Math.min(CHUNK, episodes - this.trained));
    if (this.pairs === pair && episodes > 0) this.app.changed("views");
  }

  /** Trains both agents for some episodes. @param {number} [count] @param {number} [at] the step of the last one that is shown
   * @returns {Promise<void>} when it is done */
  async episode(count = 1, at = -1) {
    const left = MAX.episodes - this.trained;
    if (this.running !== "idle" || left <= 0) return;
    this.app.update({ at });
    await this.#run(Math.min(count, left));
    if (this.running === "idle") this.app.update({ episodes: this.trained });
  }

  /** @param {number} count @returns {Promise<void>} */
  #run(count) {
    return new Promise((resolve) => {
      this.asked = this.app.socket.tell({ do: "episode", count });
      if (!this.asked) return resolve();
      this.afterEpisodes.push(resolve);
      this.#become("episode");
    });
  }

  /** How many episodes both agents were trained for. @returns {number} */
  get trained() {
    return Math.min(...this.evaluated.map((curve) => curve.length));
  }

  /** The level shown of an agent: the one that is wanted, or the highest there is. @param {number} agent @returns {number} */
  levelShown(agent) {
    const { levels, agents } = this.app.state;
    return Math.min(levels[agent], complete(agents[agent]).levels - 1);
  }

  /** Both agents forget; the same seed gives the same again. */
  reset() {
    this.app.update({ episodes: 0, at: -1 });
    this.open();
  }

  /** Many seeds at once. @param {number} seeds @param {number} iterations */
  startMany(seeds, iterations) {
    this.manyId = this.app.socket.tell({ do: "many", seeds, iterations });
    this.many = [null, null];
    this.manyRunning = this.manyId !== 0;
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

  /** Asks for what the levels shown know, never more often than it is answered. In the midst of an episode one sees what was
   * known before it. */
  look() {
    const { at } = this.app.state;
    if (!this.world || (at >= 0 && at < this.longest)) return;
    this.looksAgain = this.looks.size > 0;
    if (this.looksAgain) return;
    for (const agent of [0, 1]) {
      const id = this.app.socket.tell({ do: "look", agent, level: this.levelShown(agent) });
      if (id) this.looks.add(id);
    }
  }

  /** What the server tells without being asked, or more than once. @param {any} message */
  #receive(message) {
    if (message.tell === "curve") this.#takeCurve(message);
    else if (message.tell === "episode") this.#takeEpisode(message);
    else if (message.tell === "view") this.#takeView(message);
    else if (message.tell === "many") this.#takeMany(message);
    else if (message.tell === "problem") this.#takeProblem(message);
    else if (message.tell === "status") {
      this.status = message.text;
      this.app.changed("connection");
    }
  }

  /** @param {{agent: number, first: number, evaluated: number[]}} curve */
  #takeCurve({ agent, first, evaluated }) {
    if (first !== this.evaluated[agent].length) return; // of a pair that is gone
    this.evaluated[agent].push(...evaluated);
    this.app.changed("curves");
  }

  /** @param {View} view */
  #takeView(view) {
    if (!this.#answered(view.id)) return; // of a pair that is gone
    this.views[view.agent] = view;
    this.app.changed("views");
  }

  /** Whether a message asked for a view; it does so no longer. @param {number} id */
  #answered(id) {
    const isMine = this.looks.delete(id);
    if (this.looks.size === 0 && this.looksAgain) this.look();
    return isMine;
  }

  /** @param {Episode} episode */
  #takeEpisode(episode) {
    if (episode.id !== this.asked) return;
    this.episodes[episode.agent] = episode;
    this.app.changed("episodes");
    if (this.episodes.some((each) => each?.id !== this.asked)) return;
    this.#become("idle");
    this.look();
    this.#settle();
  }

  #settle() {
    for (const resolve of this.afterEpisodes.splice(0)) resolve();
  }

  /** @param {ManyRuns} runs */
  #takeMany(runs) {
    if (!this.manyRunning || runs.id !== this.manyId) return;
    this.many[runs.agent] = runs;
    if (this.many.every((each) => each?.finished)) this.manyRunning = false;
    this.app.changed("many");
  }

  /** @param {Set<string>} changed */
  #follow(changed) {
    const anew = ["map", "agents", "seed"].some((part) => changed.has(part));
    if (anew && !this.adopting && this.app.state.episodes) this.app.update({ episodes: 0, at: -1 });
    if (anew && this.manyRunning) this.stopMany();
    if (anew || (changed.has("episodes") && this.adopting)) {
      this.#become("opening");
      this.#settle();
      this.reopenSoon();
    } else if (["levels", "at"].some((part) => changed.has(part))) this.look();
  }

  /** @param {{id: number, text: string}} problem */
  #takeProblem({ id, text }) {
    if (this.#answered(id)) return;
    const ofMany = id !== 0 && id === this.manyId;
    if (ofMany) this.manyRunning = false;
    this.app.changed("many");
    if (id === this.asked && this.running === "episode") this.#become("idle");
    this.#settle();
    this.app.problem(sentence(text), ofMany ? "curves" : "run");
  }

  /** @param {string} words */
  #refused(words) {
    if (this.app.socket.condition !== "open") return;
    this.world = null;
    this.wasRefused = true;
    this.#become("away");
    this.app.problem(sentence(withCells(words, this.app.state.map)), "run");
    this.app.changed("world", "curves", "views", "episodes", "many");
  }

  /** @param {import("./socket.js").Condition} condition */
  async #connection(condition) {
    this.app.changed("connection");
    if (condition === "open") return this.#begin();
    this.manyRunning = false;
    this.looks.clear();
    this.#become("away");
    this.#settle();
    return undefined;
  }

  async #begin() {
    const opening = this.app.socket.ask({ do: "worlds" });
    this.open();
    try {
      this.offered = (await opening).worlds;
    } catch {
      return; // The connection broke; it is asked again with the next.
    }
    const own = this.offered.find((world) => world.is_own);
    if (own && !location.hash) this.adopt({ ...this.app.state, map: own.map });
    this.app.changed("world");
  }

  /** @param {Running} running */
  #become(running) {
    if (this.running === running) return;
    this.running = running;
    if (running === "episode") this.app.problem("", "run");
    this.app.changed("running");
  }
}
