// @ts-check
/** The two worlds side by side: canvases with pointer and keyboard, and what each agent did, in words. */

import { brief, describe, spansOf } from "./config.js";
import { grouped } from "./curves.js";
import { byId, element, radioGroup, setText } from "./dom.js";
import { stepsTaken } from "./episode_view.js";
import { cellAt, fitWorld } from "./geometry.js";
import { levelColour } from "./palette.js";
import { Surface } from "./surface.js";
import { cellsOf, cellWords, isTheGoal, numberOf, sameCell, signAt, signWords } from "./world_map.js";
import { describeScene, drawWorld, endOf } from "./world_view.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./world_map.js").Cell} Cell */

const STEPS = /** @type {Record<string, Cell>} */ ({ ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] });
const KEYS = /** @type {Record<string, import("./editing.js").Tool>} */ ({
  a: "ask", w: "walls", s: "start", g: "goal", S: "another start", G: "another goal", h: "H", t: "teleport", "^": "^", v: "v", "<": "<", ">": ">",
});
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
    /** @type {Cell|null} */
    this.cursor = null;
    /** @type {Cell|null} */
    this.hover = null;
    this.#build();
    this.surface = new Surface(this.canvas, (pen, width, height) => this.draw(pen, width, height));
    this.#listen();
    const still = { draw: (pen, width, height) => this.draw(pen, width, height, true) };
    app.pictures.set(`world-${this.letter}`, { ...this.surface.picture(`World and agent ${"AB"[agent]}`), ...still });
    const shown = ["map", "draft", "world", "agents", "levels", "layers", "goal", "at", "theme", "views", "episodes", "curves", "running"];
    app.follow(shown, () => this.#show());
  }

  #build() {
    const { letter } = this;
    this.badge = element("span", { class: "badge", text: "AB"[this.agent] });
    this.summary = element("span", { class: "summary", id: `summary-${letter}` });
    this.levels = element("div", {});
    this.canvas = element("canvas", {
      id: `canvas-${letter}`,
      tabindex: 0,
      role: "application",
      "aria-roledescription": "map",
      "aria-label": `World of agent ${"AB"[this.agent]}`,
      "aria-describedby": `description-${letter} map-keys`,
    });
    this.result = element("p", { class: "result", id: `result-${letter}` });
    this.description = element("p", { class: "for-readers", id: `description-${letter}` });
    byId(`world-${letter}`).append(
      element("figcaption", {}, [
        element("h2", { id: `name-${letter}` }, [
          element("span", { class: "for-readers", text: "Agent " }),
          this.badge,
        ]),
        this.summary,
        this.levels,
      ]),
      this.canvas,
      this.result,
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
    const tool = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
    if (step) {
      const [row, column] = this.cursor ? [this.cursor[0] + step[0], this.cursor[1] + step[1]] : grid.start;
      this.cursor = [Math.min(grid.rows - 1, Math.max(0, row)), Math.min(grid.columns - 1, Math.max(0, column))];
      this.app.announce(this.#words(this.cursor));
    } else if (event.ctrlKey) editing.undo();
    else if (event.key === "Escape") {
      editing.cancel();
      this.app.update({ goal: null });
    }
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
    const layout = fitWorld(grid.rows, grid.columns, box.width, box.height);
    return cellAt(layout, event.clientX - box.left, event.clientY - box.top);
  }

  /** What is at a cell. @param {Cell} cell @returns {string} */
  #words(cell) {
    const scene = this.scene();
    const state = numberOf(scene.positions, cell);
    const { view } = scene;
    const place = `${cellWords(cell)} ${signWords(signAt(scene.grid, cell))}`;
    if (!view || state < 0 || state >= view.values.length) return place;
    const action = view.policy[state];
    const target = scene.positions[action];
    const best = scene.level === 0 ? MOVE_WORDS[action] : `sub-goal ${target ? cellWords(target) : "any goal"}`;
    return `${place} · value ${view.values[state].toFixed(3)} · ${action < 0 ? "nothing known" : `best ${best}`}`;
  }

  /** Draws the map again; the line below it says what is at the pointer or the cursor, or else what is drawn. */
  #refresh() {
    const cell = this.hover ?? this.cursor;
    setText(this.result, cell ? this.#words(cell) : this.#resultWords());
    this.surface.changed();
  }

  /** Everything there is to draw. @returns {import("./world_view.js").Scene} */
  scene() {
    const { state, editing, training } = this.app;
    const { agent } = this;
    const { grid } = editing;
    const known = training.world !== null && training.map === state.map && !editing.isDraft;
    const level = training.levelShown(agent);
    const view = known && training.views.shown[agent]?.level === level ? training.views.shown[agent] : null;
    const about = view && training.world?.positions[view.goal];
    const asked = !state.goal || isTheGoal(grid, state.goal) ? [] : about ? [about] : view ? cellsOf(grid, "G") : [state.goal];
    return {
      grid,
      positions: known && training.world ? training.world.positions : [],
      layers: state.layers,
      level,
      view,
      moves: known ? training.views.moves[agent] : null,
      asked,
      episode: known ? training.episodes[agent] : null,
      at: training.running === "fast" ? -1 : state.at,
      start: Math.fround(training.agents[agent]?.start_values[level] ?? 0),
      cursor: this.cursor,
      hover: this.hover,
    };
  }

  /** @param {any} pen @param {number} width @param {number} height @param {boolean} [still] for a file: nothing of the pointer */
  draw(pen, width, height, still = false) {
    const scene = this.scene();
    const layout = fitWorld(scene.grid.rows, scene.grid.columns, width, height);
    drawWorld(pen, layout, still ? { ...scene, cursor: null, hover: null } : scene, this.app.palette);
  }

  #show() {
    const { grid } = this.app.editing;
    this.#buildLevels();
    this.canvas.style.aspectRatio = `${grid.columns} / ${grid.rows}`;
    this.#refresh();
    if (this.app.training.running !== "fast") setText(this.description, describeScene(this.scene(), `Agent ${"AB"[this.agent]}`));
  }

  #buildLevels() {
    const { app, agent } = this;
    const config = app.state.agents[agent];
    const spans = spansOf(config);
    const shown = Math.min(app.state.levels[agent], spans.length - 1);
    setText(this.summary, brief(config));
    this.summary.title = describe(config);
    const signature = `${spans.join()}|${shown}|${app.theme}`;
    if (this.signature === signature) return;
    this.signature = signature;
    this.badge.style.setProperty("--level", levelColour(app.palette, spans.length - 1));
    const focused = this.levels.contains(document.activeElement);
    const { group, mark } = radioGroup(`Level shown of agent ${"AB"[agent]}`, `level-${this.letter}`, spans.map((span, level) => {
      const what = `Level ${level}: ${level === 0 ? "moves" : `sub-goals up to ${span} steps away`}`;
      return [level, String(level), what, { "aria-label": what }];
    }), (level) => app.update({ levels: /** @type {any} */ (app.state.levels).with(agent, level) }));
    mark(shown);
    [...group.children].forEach((button, level) => button.style.setProperty("--level", levelColour(app.palette, level)));
    group.classList.add("levels");
    group.prepend(element("span", { class: "segments-name", "aria-hidden": "true", text: "level" }));
    this.levels.replaceWith(group);
    this.levels = group;
    if (focused) this.levels.querySelector("[aria-checked=true]").focus();
  }

  /** What is drawn, in words. @returns {string} */
  #resultWords() {
    const { training } = this.app;
    const { agent } = this;
    const scene = this.scene();
    const { episode } = scene;
    const { world } = training;
    const { count, latest } = training.evaluated[agent];
    if (!world || scene.positions.length === 0) return "";
    const number = grouped(count);
    const ended = episode && !episode.reached ? `, ${endOf(scene, episode)}` : "";
    let words = "has not learnt anything yet";
    if (scene.at >= 0 && episode) words = `training ${number}: step ${grouped(stepsTaken(episode, scene.at))} of ${grouped(episode.steps)}`;
    else if (episode?.evaluation) words = `evaluation ${number}: ${grouped(episode.steps)} steps${ended}; optimum ${world.optimum}`;
    else if (episode) words = `training ${number}: ${grouped(episode.steps)} steps${ended}; evaluation ${grouped(latest)}; optimum ${world.optimum}`;
    if (scene.asked.length === 0) return words;
    const knowsAll = training.agents[agent]?.conditioned[scene.level] !== false;
    return `shown: level ${scene.level} towards ${knowsAll ? scene.asked.map(cellWords).join(", ") : "G, all that its top level knows"}; ${words}`;
  }
}
