// @ts-check
/** The controls of the credit view: which trace, which goal, and where in time. */

import { EXAMPLE, lastMoment, momentWords } from "./credit_scene.js";
import { MOST } from "./declared.js";
import { button, element, field, icon, radioGroup, select, setSlider, setText } from "./dom.js";
import { lettersOf, onlyMoves, walk } from "./trace.js";
import { cellWords, sameCell } from "./world_map.js";

export class CreditControls {
  /** @param {import("./app.js").App} app @param {import("./credit_view.js").CreditView} view */
  constructor(app, view) {
    this.app = app;
    this.view = view;
    this.trace = this.#traceBar();
    this.time = this.#timeBar();
  }

  #traceBar() {
    this.source = select("credit-source", [
      ["example", "the paper's walk"],
      ["page", "the world of “Train”"],
    ]);
    this.source.addEventListener("change", () => this.#chooseSource(this.source.value));
    this.moves = element("input", { id: "credit-moves", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "characters", maxlength: MOST.moves, size: 22 });
    this.moves.addEventListener("input", () => this.view.change({ moves: onlyMoves(this.moves.value, MOST.moves), at: 0 }));
    this.goal = element("select", { id: "credit-goal" });
    this.goal.addEventListener("change", () => this.view.change({ goal: this.goal.value ? this.goal.value.split(",").map(Number) : null }));
    const back = () => this.view.change({ moves: this.view.scene.moves.slice(0, -1), at: 0 });
    const undo = button("credit-undo", [icon("undo")], back, { "aria-label": "Take back a move", title: "Take back a move" });
    const clear = button("credit-clear", "New trace", () => this.view.change({ moves: "", at: 0 }));
    const take = [0, 1].map((agent) => button(`credit-take-${"ab"[agent]}`, `Episode of ${"AB"[agent]}`, () => this.#takeEpisode(agent)));
    return element("div", { class: "bar credit-bar", role: "group", "aria-label": "Trace" }, [
      field("Look at", this.source),
      field("Moves (N S W E)", this.moves),
      undo,
      clear,
      ...take,
      field("Goal (g)", this.goal),
    ]);
  }

  #timeBar() {
    this.learn = button("credit-learn", "Learn", () => this.view.play(true), { class: "primary" });
    this.back = button("credit-back", "◀ Step back", () => this.#go(this.view.step - 1));
    this.forth = button("credit-forth", "Step ▶", () => this.#go(this.view.step + 1));
    this.slider = element("input", { id: "credit-at", type: "range", min: 0, step: 1 });
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    this.where = element("output", { id: "credit-where", for: "credit-at" });
    this.views = radioGroup("Direction of the arrows", "credit", [
      ["forward", "Forward view", "Arrows from an entry to what it looks ahead to"],
      ["backward", "Backward view", "Arrows from the newest state to what its error is sent back to"],
    ], (view) => this.view.change({ view }));
    return element("div", { class: "bar credit-bar", role: "group", "aria-label": "Learn" }, [
      this.learn,
      this.back,
      this.forth,
      field("Step", this.slider),
      this.where,
      this.views.group,
    ]);
  }

  /** Shows the state in the controls. */
  show() {
    const { scene, step, timer } = this.view;
    const { credit } = this.app.state;
    this.source.value = credit.source;
    if (document.activeElement !== this.moves || onlyMoves(this.moves.value, MOST.moves) !== credit.moves) this.moves.value = credit.moves;
    const last = lastMoment(scene);
    setSlider(this.slider, step, last, `step ${momentWords(scene, step)}`);
    setText(this.where, momentWords(scene, step));
    setText(this.learn, timer ? "Pause" : "Learn");
    this.learn.disabled = scene.moves.length === 0;
    this.back.disabled = step === 0;
    this.forth.disabled = step >= last;
    this.views.mark(credit.view);
    this.#showGoals();
  }

  #showGoals() {
    const { scene } = this.view;
    const others = [...scene.cells, scene.goal].filter((cell) => !sameCell(cell, scene.grid.goal));
    const names = [...new Set(others.map(String))];
    const options = [["", `the world's, ${cellWords(scene.grid.goal)}`], ...names.map((name) => [name, `cell (${name})`])];
    const key = JSON.stringify(options);
    if (this.goal.dataset.options !== key) {
      this.goal.dataset.options = key;
      this.goal.replaceChildren(...options.map(([value, text]) => element("option", { value, text })));
    }
    this.goal.value = sameCell(scene.goal, scene.grid.goal) ? "" : String(scene.goal);
  }

  /** @param {string} source */
  #chooseSource(source) {
    if (source === "example") this.view.change({ source, moves: EXAMPLE.moves, goal: null, at: EXAMPLE.moves.length });
    else this.view.change({ source: "page", moves: "", goal: null, at: 0 });
  }

  /** @param {number} step */
  #go(step) {
    if (this.view.timer) this.view.pause();
    this.view.change({ at: Math.max(0, Math.min(lastMoment(this.view.scene), step)) });
  }

  /** @param {number} agent */
  #takeEpisode(agent) {
    const episode = this.app.training.episodes[agent];
    const name = `agent ${"AB"[agent]}`;
    const say = (/** @type {string} */ words) => this.app.problem(words, "credit");
    if (!episode) return say(`There is no episode of ${name} yet: train it on the “Train” tab first.`);
    const { actions } = episode;
    if (actions.length > MOST.moves) {
      return say(`The last episode of ${name} has ${actions.length.toLocaleString("en")} steps; the credit view takes at most ${MOST.moves}. Train it for a few more episodes.`);
    }
    const moves = lettersOf(actions);
    const { cells } = walk(this.app.editing.kept, moves);
    const { positions = [] } = this.app.training.world ?? {};
    if (!cells.every((cell, step) => sameCell(cell, positions[episode.states[step]]))) {
      return say(`A move of ${name} slipped, or it began at another start: the credit view cannot walk as it did.`);
    }
    say("");
    this.view.change({ source: "page", moves, goal: null, at: 2 * MOST.moves });
  }
}
