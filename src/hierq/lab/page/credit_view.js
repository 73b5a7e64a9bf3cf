// @ts-check
/** The credit view: one trace, both agents, and which entries every level changes after each step. */

import { CreditControls } from "./credit_controls.js";
import { creditHeight, drawCredit } from "./credit_draw.js";
import { drawCreditMap, mapLayout } from "./credit_map.js";
import { inWords, knowingOf, lastMoment, momentsOf, pictureOf, questionsOf, sceneOf, tileAt } from "./credit_scene.js";
import { fillNumbers, fillValues } from "./credit_tables.js";
import { MOST } from "./declared.js";
import { byId, element, problemLine, quietly, setText } from "./dom.js";
import { cellAt } from "./geometry.js";
import { Surface } from "./surface.js";
import { movesBetween } from "./trace.js";
import { cellWords } from "./world_map.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./credit_model.js").Credit} Credit */

const KEYS = { ArrowUp: "N", ArrowDown: "S", ArrowLeft: "W", ArrowRight: "E" };

/** @param {App} app */
export const mountCredit = (app) => new CreditView(app);

export class CreditView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.scene = sceneOf(app.state);
    /** @type {(Credit|null)[]} */
    this.credits = [null, null];
    this.asked = "";
    this.timer = 0;
    this.controls = new CreditControls(app, this);
    this.ask = quietly(() => this.#ask(), 60);
    this.#build();
    app.subscribe((changed) => this.#changed(changed));
    this.#changed(new Set(["credit"]));
  }

  #build() {
    const lanes = element("canvas", { id: "credit-lanes", role: "img", "aria-label": "The trace and its backups" });
    this.lanes = new Surface(lanes, (pen, width) => drawCredit(pen, this.app.palette, this.picture, width));
    this.counts = element("p", { id: "credit-counts", role: "status" });
    const settings = element("details", { id: "credit-agents" }, [element("summary", { text: "Agents: levels, operators, hops …" })]);
    // There is one panel for both tabs.
    this.app.follow(["tab"], () => (this.app.state.tab === "credit" ? settings : byId("side")).append(byId("agents")));
    this.maps = [0, 1].map((agent) => this.#buildMap(agent));
    this.numbers = element("table", { id: "credit-numbers", class: "numbers" });
    this.values = element("table", { id: "credit-values", class: "numbers" });
    byId("credit").append(
      element("div", { class: "credit-head" }, [
        element("h2", { text: "Where does the credit go?" }),
        element("p", { text: "After every step, or backward at the end, each level writes entries of its table: a full arc is an entry that learns, and the number where it begins is what that entry now holds; a dashed arc is looked along to find out what it is worth, and fainter the less it counts." }),
      ]),
      this.controls.trace,
      problemLine("problem-credit"),
      this.controls.time,
      settings,
      element("div", { class: "credit-pictures" }, [
        element("div", { class: "lanes" }, [lanes, this.counts]),
        element("div", { class: "credit-maps" }, this.maps.map((map) => map.figure)),
      ]),
      element("div", { class: "credit-tables" }, [
        element("section", {}, [element("h3", { text: "Best values on the trace" }), scroller(this.values, "Best values on the trace")]),
        element("section", {}, [element("h3", { text: "Entries written at this step" }), scroller(this.numbers, "Entries written at this step")]),
      ]),
    );
    new ResizeObserver(() => this.#fitHeight()).observe(lanes);
    const size = () => ({ width: this.lanes.width || 900, height: creditHeight(this.picture) });
    this.app.pictures.set("credit", { ...this.lanes.picture("Credit view"), size });
    this.maps.forEach(({ surface }, agent) => {
      this.app.pictures.set(`credit-map-${"ab"[agent]}`, surface.picture(`Map of the credit view, agent ${"AB"[agent]}`));
    });
  }

  /** @param {number} agent */
  #buildMap(agent) {
    const name = `World of agent ${"AB"[agent]} with the trace. Arrow keys add moves, Backspace takes one back, Enter learns. The values are in the table.`;
    const canvas = element("canvas", { id: `credit-map-${"ab"[agent]}`, tabindex: 0, role: "application", "aria-label": name });
    const caption = element("figcaption", {});
    const surface = new Surface(canvas, (pen, width, height) => {
      drawCreditMap(pen, this.app.palette, this.#mapOf(agent), width, height);
    });
    canvas.addEventListener("pointerdown", (event) => this.#pointed(event, agent, surface));
    canvas.addEventListener("keydown", (event) => this.#pressed(event));
    return { canvas, caption, surface, figure: element("figure", { class: "credit-map" }, [caption, canvas]) };
  }

  /** @param {number} agent @returns {import("./credit_map.js").CreditMap} */
  #mapOf(agent) {
    const whole = !this.scene.reached && this.scene.goalNumber === null;
    return { ...this.scene, credit: this.credits[agent], step: this.step, tile: tileAt(this.scene, this.step), whole };
  }

  get step() {
    return Math.min(this.app.state.credit.at, lastMoment(this.scene));
  }

  get picture() {
    return pictureOf(this.scene, this.credits, this.step, this.app.state.credit.view);
  }

  /** Changes the credit view's part of the state. @param {Partial<import("./state.js").CreditState>} changes */
  change(changes) {
    this.app.update({ credit: { ...this.app.state.credit, ...changes } });
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
    if (!this.scene.reached) this.change({ moves: (this.scene.moves + moves).slice(0, MOST.moves), at: 0 });
    else this.app.announce("The trace has reached the goal; take moves back first.");
  }

  /** @param {PointerEvent} event @param {number} agent @param {Surface} surface */
  #pointed(event, agent, surface) {
    const box = surface.canvas.getBoundingClientRect();
    const layout = mapLayout(this.#mapOf(agent), box.width, box.height);
    const found = cellAt(layout, event.clientX - box.left, event.clientY - box.top);
    if (!found) return;
    const cell = /** @type {[number, number]} */ ([found[0] + layout.top, found[1] + layout.left]);
    if (event.shiftKey) this.change({ goal: cell });
    else this.add(movesBetween(this.scene.grid, this.scene.cells[this.scene.cells.length - 1], cell));
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
    const questions = moves ? questionsOf(this.scene) : [];
    const answers = await Promise.allSettled(questions.map((question) => this.app.socket.ask(question)));
    if (key !== this.scene.key) return;
    const credits = [0, 1].map((agent) => (answers[agent]?.status === "fulfilled" ? answers[agent].value : null));
    const failed = answers.flatMap((answer, agent) => (answer.status === "rejected" ? [`Agent ${"AB"[agent]}: ${answer.reason.message}`] : []));
    this.credits = momentsOf(this.scene, credits);
    this.app.problem(moves ? failed.join(" ") : "Draw a trace: press arrow keys on a map, click cells, or type moves.", "credit");
    this.#show();
  }

  #show() {
    const picture = this.picture;
    this.controls.show();
    this.#fitHeight();
    this.lanes.changed();
    this.lanes.canvas.setAttribute("aria-label", inWords(picture));
    this.#showCounts(picture);
    for (const [agent, { canvas, caption, surface }] of this.maps.entries()) {
      const { rows, columns } = mapLayout(this.#mapOf(agent), 400, 400);
      canvas.style.aspectRatio = `${columns} / ${rows}`;
      surface.changed();
      setText(caption, `Agent ${"AB"[agent]}: best values for goal ${cellWords(this.scene.goal)}`);
    }
    fillValues(this.values, this.scene, this.credits, this.step);
    fillNumbers(this.numbers, this.scene, this.credits, this.step);
  }

  /** @param {import("./credit_draw.js").CreditPicture} picture */
  #showCounts(picture) {
    const each = picture.agents.map((agent) => element("strong", { text: `${agent.name}: ${knowingOf(agent)}` }));
    const done = this.step === lastMoment(this.scene) ? "after this episode" : picture.after;
    const words = `Cells that know where to go ${done}: `;
    const text = words + each.map((part) => part.textContent).join(" · ");
    if (this.counts.textContent !== text) this.counts.replaceChildren(words, ...each.flatMap((part, index) => (index ? [" · ", part] : [part])));
  }

  #fitHeight() {
    const height = `${creditHeight(this.picture)}px`;
    if (this.lanes.canvas.style.height !== height) this.lanes.canvas.style.height = height;
  }
}

/** @param {HTMLElement} table @param {string} name */
function scroller(table, name) {
  return element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": name }, [table]);
}
