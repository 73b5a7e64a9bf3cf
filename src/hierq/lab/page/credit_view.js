// @ts-check
/** The credit view: one trace, both agents, and which entries every level changes after each step. */

import { CreditControls } from "./credit_controls.js";
import { creditHeight, drawCredit, tilesIn } from "./credit_draw.js";
import { inWords, knowingOf, lastMoment, mapOf, momentsOf, originWords, pictureOf, questionsOf, sceneOf } from "./credit_scene.js";
import { MAX } from "./declared.js";
import { button, byId, element, later, problemLine, setText } from "./dom.js";
import { cellAt, fitWorld } from "./geometry.js";
import { Surface } from "./surface.js";
import { movesBetween } from "./trace.js";
import { cellWords } from "./world_map.js";
import { drawWorld } from "./world_view.js";

/** @typedef {import("./app.js").App} App @typedef {import("./credit_model.js").Credit} Credit */

const WORDS = "An arc is an entry of a level’s table that learns, and the number where it begins is its new value. Dashed arcs are looked along. A bar on a state: its move hit a wall. Arrow keys and clicks on a map add moves, Backspace takes one back; a click with Shift asks about another goal.";
const KEYS = { ArrowUp: "N", ArrowDown: "S", ArrowLeft: "W", ArrowRight: "E" };

/** @param {number} count */
const statesWords = (count) => `${count} more ${count === 1 ? "state" : "states"}`;

/** @param {App} app */
export const mountCredit = (app) => new CreditView(app);

export class CreditView {
  /** @type {Surface} */
  lanes = /** @type {any} */ (null);
  /** @type {{canvas: HTMLCanvasElement, caption: HTMLElement, surface: Surface, figure: HTMLElement}[]} */
  maps = [];

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.scene = sceneOf(app.state);
    /** @type {(Credit|null)[]} */
    this.credits = [null, null];
    this.asked = "";
    this.timer = 0;
    this.controls = new CreditControls(this);
    this.ask = later(() => this.#ask(), 60);
    this.#build();
    app.subscribe((changed) => this.#changed(changed));
    this.#changed(new Set(["credit"]));
  }

  #build() {
    const lanes = element("canvas", { id: "credit-lanes", role: "img", "aria-label": "The trace and its backups" });
    this.lanes = new Surface(lanes, (pen) => drawCredit(pen, this.app.palette, this.picture, { width: this.scroller.clientWidth, left: this.scroller.scrollLeft }));
    this.counts = element("p", { id: "credit-counts", role: "status" });
    this.origin = element("p", { id: "credit-origin", class: "hint" });
    this.maps = [0, 1].map((agent) => this.#buildMap(agent));
    this.scroller = element("div", { class: "scroller" }, [lanes]);
    this.scroller.addEventListener("scroll", () => this.#scrolled());
    const scroll = (/** @type {number} */ way) => this.scroller.scrollBy({ left: 0.8 * way * this.scroller.clientWidth, behavior: "smooth" });
    this.beside = element("div", { id: "credit-beside" }, [button("credit-before", "", () => scroll(-1), { class: "quiet" }), button("credit-after", "", () => scroll(1), { class: "quiet" })]);
    byId("credit").append(
      this.controls.time,
      problemLine("problem-credit"),
      element("div", { class: "credit-pictures" }, [
        element("div", { class: "lanes" }, [this.origin, this.counts, this.beside, this.scroller, element("p", { class: "hint", text: WORDS })]),
        element("div", { class: "credit-maps" }, this.maps.map((map) => map.figure)),
      ]),
    );
    new ResizeObserver(() => this.#fit()).observe(this.scroller);
  }

  /** @param {number} agent */
  #buildMap(agent) {
    const name = `World of agent ${"AB"[agent]} with the trace. Arrow keys add moves, Backspace takes one back, Enter learns.`;
    const canvas = element("canvas", { id: `credit-map-${"ab"[agent]}`, tabindex: 0, role: "application", "aria-label": name });
    const caption = element("figcaption", {});
    const surface = new Surface(canvas, (pen, width, height) => {
      const scene = mapOf(this.scene, this.credits[agent], this.step);
      drawWorld(pen, fitWorld(scene.grid.rows, scene.grid.columns, width, height), scene, this.app.palette);
    });
    canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.#pointed(event, canvas));
    canvas.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#pressed(event));
    return { canvas, caption, surface, figure: element("figure", { class: "credit-map" }, [caption, canvas]) };
  }

  get step() {
    return Math.min(this.app.state.credit.at, lastMoment(this.scene));
  }

  get picture() {
    return pictureOf(this.scene, this.credits, this.step);
  }

  /** Changes the credit view's part of the state. @param {Partial<import("./state.js").CreditState>} changes */
  change(changes) {
    const { credit } = this.app.state;
    const of = changes.moves === undefined ? credit.of : null; // other moves are no longer those of an episode
    this.app.update({ credit: { ...credit, of, ...changes } });
  }

  /** Plays the episode from the beginning, or from where it is. @param {boolean} [again] */
  play(again = false) {
    if (this.timer) return this.pause();
    const last = lastMoment(this.scene);
    if (last === 0) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.change({ at: last });
    if (again || this.step >= last) this.change({ at: 0 });
    const pause = Math.max(120, Math.min(750, 9000 / last));
    this.timer = Number(setInterval(() => (this.step >= last ? this.pause() : this.change({ at: this.step + 1 })), pause));
    this.controls.show();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.controls.show();
  }

  /** Adds moves to the trace. @param {string} moves */
  add(moves) {
    if (!this.scene.reached) this.change({ moves: (this.scene.moves + moves).slice(0, MAX.moves), at: 0 });
    else this.app.announce("The trace has reached the goal; take moves back first.");
  }

  /** @param {PointerEvent} event @param {HTMLCanvasElement} canvas */
  #pointed(event, canvas) {
    const box = canvas.getBoundingClientRect();
    const { rows, columns } = this.scene.grid;
    const cell = cellAt(fitWorld(rows, columns, box.width, box.height), event.clientX - box.left, event.clientY - box.top);
    if (cell && event.shiftKey) this.change({ goal: cell });
    else if (cell) this.add(movesBetween(this.scene.grid, this.scene.cells[this.scene.cells.length - 1], cell));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const letter = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (letter) this.add(letter);
    else if (event.key === "Backspace") this.change({ moves: this.scene.moves.slice(0, -1), at: 0 });
    else if (event.key === "Enter") this.play(true);
    else return;
    event.preventDefault();
  }

  /** @param {Set<string>} changed */
  #changed(changed) {
    const mine = ["map", "agents", "credit", "tab", "theme", "connection", "episodes"].some((topic) => changed.has(topic));
    if (!mine) return;
    this.scene = sceneOf(this.app.state);
    if (changed.has("connection") && this.credits.includes(null)) this.asked = "";
    if (this.app.state.tab !== "credit") return this.timer ? this.pause() : undefined;
    if (this.scene.key !== this.asked) {
      if (this.timer && changed.has("credit")) this.pause();
      this.ask();
    }
    this.#show();
  }

  async #ask() {
    const { key, moves } = this.scene;
    if (this.app.socket.condition !== "open" || key === this.asked) return;
    this.asked = key;
    const questions = moves ? questionsOf(this.scene) : []; // a start that is a goal
    const answers = await Promise.allSettled(questions.map((question) => this.app.socket.ask(question)));
    if (key !== this.scene.key) return;
    const credits = [0, 1].map((agent) => (answers[agent]?.status === "fulfilled" ? answers[agent].value : null));
    const failed = answers.flatMap((answer, agent) => (answer.status === "rejected" ? [`Agent ${"AB"[agent]}: ${answer.reason.message}`] : []));
    this.credits = momentsOf(this.scene, credits);
    this.app.problem(failed.join(" "), "credit");
    this.#show();
  }

  #show() {
    const picture = this.picture;
    this.controls.show();
    this.#fit();
    this.lanes.changed();
    this.lanes.canvas.setAttribute("aria-label", inWords(this.scene, picture));
    setText(this.origin, `${originWords(this.app.state.credit, this.scene)} Two new agents, who know nothing yet, learn from it.`);
    this.#showCounts(picture);
    const { rows, columns } = this.scene.grid;
    for (const [agent, { canvas, caption, surface }] of this.maps.entries()) {
      canvas.style.aspectRatio = `${columns} / ${rows}`;
      surface.changed();
      const towards = this.scene.goalNumber === null ? "" : `, to ${cellWords(this.scene.goal)}`;
      setText(caption, `Agent ${"AB"[agent]}, top level${towards}`);
    }
    const { scroller } = this; // of a trace that does not fit, the place where something happens
    scroller.scrollLeft = (scroller.scrollWidth - scroller.clientWidth) * (picture.tile / Math.max(1, this.scene.moves.length));
  }

  /** @param {import("./credit_draw.js").CreditPicture} picture */
  #showCounts(picture) {
    const each = picture.agents.map((agent) => element("strong", { text: `${agent.name}: ${knowingOf(agent)}` }));
    const done = this.step === lastMoment(this.scene) ? "after this episode" : picture.after;
    const words = `Cells that know where to go ${done}: `;
    const text = words + each.map((part) => part.textContent).join(" · ");
    if (this.counts.textContent !== text) this.counts.replaceChildren(words, ...each.flatMap((part, index) => (index ? [" · ", part] : [part])));
  }

  /** Makes the lanes as large as what there is to draw; what does not fit the screen is scrolled. */
  #fit() {
    const { style } = this.lanes.canvas;
    style.height = `${creditHeight(this.picture)}px`;
    style.width = `${tilesIn(this.scene.cells.length, this.scroller.clientWidth).width}px`;
    this.#scrolled();
  }

  /** Says how many states there are beside those on the screen. */
  #scrolled() {
    const { clientWidth, scrollLeft } = this.scroller;
    const { left, pitch } = tilesIn(this.scene.cells.length, clientWidth);
    const before = Math.max(0, Math.ceil((scrollLeft - left) / pitch));
    const after = Math.max(0, this.scene.cells.length - 1 - Math.floor((scrollLeft + clientWidth - left) / pitch));
    [`◀ ${statesWords(before)}`, `${statesWords(after)} ▶`].forEach((words, side) => setText(this.beside.children[side], words));
    [before, after].forEach((count, side) => this.beside.children[side].style.setProperty("visibility", count ? "visible" : "hidden"));
    this.beside.hidden = before + after === 0;
    this.lanes.changed();
  }
}
