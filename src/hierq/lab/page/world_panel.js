// @ts-check
/** The two worlds side by side: canvases with pointer and keyboard, and what each agent knows, in words. */

import { describe, reachWords, hopLengthsOf } from "./config.js";
import { grouped } from "./curves.js";
import { MAX } from "./declared.js";
import { button, byId, element, radioGroup, setText } from "./dom.js";
import { cellAt, fitWorld } from "./geometry.js";
import { levelColour } from "./palette.js";
import { Surface } from "./surface.js";
import { tailOf } from "./trace.js";
import { cellWords, numberOf, sameCell, signAt, signWords } from "./world_map.js";
import { describeScene, drawWorld, knownCells } from "./world_view.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./world_map.js").Cell} Cell */

const STEPS = /** @type {Record<string, Cell>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] });
const KEYS = /** @type {Record<string, import("./editing.js").Tool>} */ ({ w: "walls", s: "start", g: "goal" });
const WIDE = 2.5; // columns to a row, from where on the maps stand one below the other
const MOVE_WORDS = ["north", "south", "west", "east"];

/** @param {App} app */
export function mountWorlds(app) {
  for (const agent of [0, 1]) new WorldPanel(app, agent);
}

class WorldPanel {
  /** @param {App} app @param {number} agent */
  constructor(app, agent) {
    this.app = app;
    this.agent = agent;
    this.letter = "ab"[agent];
    this.signature = "";
    /** Of the keyboard. @type {Cell|null} */
    this.cursor = null;
    /** Under the pointer. @type {Cell|null} */
    this.hover = null;
    this.#build();
    this.surface = new Surface(this.canvas, (pen, width, height) => {
      const scene = this.scene();
      drawWorld(pen, fitWorld(scene.grid.rows, scene.grid.columns, width, height), scene, app.palette);
    });
    this.#listen();
    app.follow(["map", "draft", "world", "agents", "levels", "at", "theme", "views", "episodes", "curves", "running"], () => this.#show());
  }

  #build() {
    const { letter } = this;
    const name = "AB"[this.agent];
    this.badge = element("span", { class: "badge", text: name });
    this.summary = element("strong", { id: `summary-${letter}` });
    this.reach = element("span", { class: "hint", id: `reach-${letter}` });
    this.levels = element("div", {});
    this.canvas = element("canvas", {
      id: `canvas-${letter}`,
      tabindex: 0,
      role: "application",
      "aria-roledescription": "map",
      "aria-label": `World of agent ${name}`,
      "aria-describedby": `description-${letter} map-keys`,
    });
    this.known = element("strong", { id: `known-${letter}` });
    this.walk = element("span", { id: `walk-${letter}` });
    this.result = element("span", { id: `result-${letter}` });
    this.explain = button(`explain-${letter}`, "Show its credit", () => this.#explain(), { title: `What two new agents learn from the end of ${name}'s last episode, step by step` });
    this.description = element("p", { class: "for-readers", id: `description-${letter}` });
    byId(`world-${letter}`).append(
      element("figcaption", {}, [
        element("h2", { id: `name-${letter}` }, [element("span", { class: "for-readers", text: "Agent " }), this.badge]),
        element("span", { class: "summary" }, [this.summary, this.reach]),
        this.levels,
      ]),
      this.canvas,
      element("p", { class: "facts" }, [this.known, this.walk, this.result, this.explain]),
      this.description,
    );
  }

  #listen() {
    const { canvas, app } = this;
    canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
      const cell = this.#cellOf(event);
      if (!cell || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      this.cursor = null;
      app.editing.begin(cell);
    });
    canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const cell = this.#stroke(event);
      if (sameCell(cell, this.hover) || (!cell && !this.hover)) return;
      this.hover = cell;
      this.#refresh();
    });
    canvas.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
      this.#stroke(event); // a busy browser places its last move between two points; where it was released is exact
      app.editing.end();
    });
    canvas.addEventListener("pointercancel", () => app.editing.cancel());
    canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.#refresh();
    });
    canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    canvas.addEventListener("blur", () => {
      this.cursor = null;
      this.#refresh();
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { editing } = this.app;
    const { grid } = editing;
    if (event.altKey || (event.ctrlKey && event.key !== "z") || event.metaKey) return;
    const step = STEPS[event.key];
    const tool = KEYS[event.key.toLowerCase()];
    if (step) {
      const [row, column] = this.cursor ? [this.cursor[0] + step[0], this.cursor[1] + step[1]] : grid.start;
      this.cursor = [Math.min(grid.rows - 1, Math.max(0, row)), Math.min(grid.columns - 1, Math.max(0, column))];
      this.app.announce(this.#words(this.cursor));
    } else if (event.ctrlKey) editing.undo();
    else if (event.key === "Escape") editing.cancel();
    else if ((event.key === "Enter" || event.key === " ") && this.cursor) editing.use(this.cursor, editing.tool);
    else if (tool && this.cursor) editing.use(this.cursor, tool);
    else return;
    event.preventDefault();
    this.hover = null;
    this.#refresh();
  }

  /** A stroke that has begun goes on to the cell of an event. @param {PointerEvent} event */
  #stroke(event) {
    const cell = this.#cellOf(event);
    if (this.app.editing.gesture && cell) this.app.editing.move(cell);
    return cell;
  }

  /** @param {PointerEvent} event @returns {Cell|null} */
  #cellOf(event) {
    const box = this.canvas.getBoundingClientRect();
    const { grid } = this.app.editing;
    return cellAt(fitWorld(grid.rows, grid.columns, box.width, box.height), event.clientX - box.left, event.clientY - box.top);
  }

  /** What is at a cell. @param {Cell} cell @returns {string} */
  #words(cell) {
    const { positions, view, level, grid } = this.scene();
    const state = numberOf(positions, cell);
    const place = `${cellWords(cell)} ${signWords(signAt(grid, cell))}`;
    if (!view || state < 0 || state >= view.values.length) return place;
    const action = view.policy[state];
    if (action < 0) return `${place}: nothing known`;
    const target = positions[action];
    const best = level === 0 ? MOVE_WORDS[action] : `sub-goal ${target ? cellWords(target) : "any goal"}`;
    return `${place}: ${best}, value ${view.values[state].toFixed(3)}`;
  }

  /** Everything there is to draw. @returns {import("./world_view.js").Scene} */
  scene() {
    const { state, editing, training } = this.app;
    const { agent } = this;
    const known = training.world !== null && training.map === state.map && !editing.isDraft;
    const level = training.levelShown(agent);
    const view = training.views[agent];
    return {
      grid: editing.grid,
      positions: known && training.world ? training.world.positions : [],
      level,
      view: known && view?.level === level ? view : null,
      episode: known ? training.episodes[agent] : null,
      at: state.at,
      start: training.agents[agent]?.start_values[level] ?? 0,
      cursor: this.cursor ?? this.hover,
      isFocused: this.cursor !== null,
    };
  }

  #show() {
    const { grid } = this.app.editing;
    this.#buildLevels();
    this.canvas.style.aspectRatio = `${grid.columns} / ${grid.rows}`;
    byId("worlds").classList.toggle("wide", grid.columns > WIDE * grid.rows);
    this.#refresh();
    setText(this.description, describeScene(this.scene(), `Agent ${"AB"[this.agent]}`));
    this.explain.disabled = !this.app.training.episodes[this.agent] || this.app.training.running === "opening";
  }

  /** Draws the map again; the line below it says what is at the pointer or the cursor, or else how well the agent does. */
  #refresh() {
    const cell = this.cursor ?? this.hover;
    const { view, episode } = this.scene();
    const { world, evaluated } = this.app.training;
    const latest = evaluated[this.agent].at(-1);
    const shortest = world?.optimum ?? "…";
    setText(this.known, view ? `knows ${knownCells(view)} of ${view.policy.length} cells` : "…");
    setText(this.walk, episode ? `training walk: ${this.#stepWords(episode.steps)}` : "no training walk yet");
    const result = latest === undefined ? `shortest path: ${shortest} steps` : `evaluation: ${this.#stepWords(latest, `; shortest ${shortest}`)}`;
    setText(this.result, cell ? this.#words(cell) : result);
    this.surface.changed();
  }

  /** How an episode of this agent went. @param {number} steps @param {string} [more] said where it came to the goal */
  #stepWords(steps, more = "") {
    const limit = this.app.state.agents[this.agent].step_limit ?? MAX.steps;
    return steps < limit ? `${grouped(steps)} steps${more}` : `gave up at ${grouped(steps)}`;
  }

  #buildLevels() {
    const { app, agent } = this;
    const config = app.state.agents[agent];
    const lengths = hopLengthsOf(config);
    const shown = app.training.levelShown(agent);
    setText(this.summary, describe(config));
    setText(this.reach, reachWords(config));
    const signature = `${lengths.join()}|${shown}|${app.palette.name}`;
    if (this.signature === signature) return;
    this.signature = signature;
    this.badge.style.setProperty("--level", levelColour(app.palette, lengths.length - 1));
    const focused = this.levels.contains(document.activeElement);
    const { group, mark } = radioGroup(`Level shown of agent ${"AB"[agent]}`, `level-${this.letter}`, lengths.map((length, level) => {
      const what = `Level ${level}: ${level === 0 ? "moves" : `sub-goals up to ${length} steps away`}`;
      return [level, String(level), what, { "aria-label": what }];
    }), (level) => app.update({ levels: /** @type {any} */ (app.state.levels).with(agent, level) }));
    mark(shown);
    [...group.children].forEach((each, level) => each.style.setProperty("--level", levelColour(app.palette, level)));
    group.classList.add("levels");
    group.prepend(element("span", { class: "segments-name", "aria-hidden": "true", text: "level" }));
    group.style.visibility = lengths.length === 1 ? "hidden" : "";
    this.levels.replaceWith(group);
    this.levels = group;
    if (focused) this.levels.querySelector("[aria-checked=true]").focus();
  }

  /** Opens the credit view with the end of the last episode. */
  #explain() {
    const { training, editing } = this.app;
    const { episodes, world } = training;
    const trace = tailOf(editing.kept, world?.positions ?? [], /** @type {any} */ (episodes[this.agent]));
    if (!trace) return this.app.problem("A move of this episode slipped, so its credit cannot be told from its moves alone.", "run");
    this.app.problem("", "run");
    return this.app.update({ tab: "credit", credit: { ...trace, goal: null, at: 2 * MAX.moves, of: [this.agent, training.trained] } });
  }
}
