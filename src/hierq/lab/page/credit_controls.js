// @ts-check
/** The controls of the credit view: where in time, and a trace to begin with. */

import { lastMoment, momentWords } from "./credit_scene.js";
import { button, element, setSlider, setText } from "./dom.js";

export class CreditControls {
  /** @param {import("./credit_view.js").CreditView} view */
  constructor(view) {
    this.view = view;
    this.learn = button("credit-learn", "Learn", () => this.view.play(true), { class: "primary" });
    this.back = button("credit-back", "◀ Back", () => this.#go(this.view.step - 1));
    this.forth = button("credit-forth", "Step ▶", () => this.#go(this.view.step + 1));
    this.slider = element("input", { id: "credit-at", type: "range", min: 0, step: 1, "aria-label": "Step of the trace" });
    this.slider.addEventListener("input", () => this.#go(Number(this.slider.value)));
    this.where = element("output", { id: "credit-where", for: "credit-at" });
    const shortest = button("credit-shortest", "Shortest path", () => this.view.change({ moves: "", start: null, goal: null, at: 0 }), { title: "Take a shortest path as the trace" });
    const parts = [this.learn, this.back, this.forth, this.slider, this.where, shortest];
    this.time = element("div", { class: "toolbar", role: "group", "aria-label": "Learn" }, parts);
  }

  /** Shows the state in the controls. */
  show() {
    const { scene, step, timer } = this.view;
    const last = lastMoment(scene);
    setSlider(this.slider, step, last, `step ${momentWords(scene, step)}`);
    setText(this.where, momentWords(scene, step));
    setText(this.learn, timer ? "Pause" : "Learn");
    this.learn.disabled = scene.moves.length === 0;
    this.back.disabled = step === 0;
    this.forth.disabled = step >= last;
  }

  /** @param {number} step */
  #go(step) {
    if (this.view.timer) this.view.pause();
    this.view.change({ at: Math.max(0, Math.min(lastMoment(this.view.scene), step)) });
  }
}
