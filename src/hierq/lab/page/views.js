// @ts-check
/** Values and greedy actions of the level and goal that are looked at: asked for, never more often than drawn. */

import { numberOf } from "./world_map.js";

/** @typedef {import("./frames.js").ViewFrame} ViewFrame */

const LEAST_PAUSE = 50;

export class ViewAsker {
  /** Messages whose answers are still to come. @type {Set<number>} */
  waiting = new Set();
  asked = 0;
  timer = 0;

  /** @param {import("./app.js").App} app @param {import("./training.js").Training} training */
  constructor(app, training) {
    this.app = app;
    this.training = training;
    this.forget();
  }

  forget() {
    /** The level looked at of each agent. @type {(ViewFrame|null)[]} */
    this.shown = [null, null];
    /** Level 0 towards the same goal, for the arrows below boxes. @type {(ViewFrame|null)[]} */
    this.moves = [null, null];
    this.release();
  }

  /** Answers that were waited for will not come; what is known stays on the screen. */
  release() {
    this.waiting.clear();
    this.again = false;
  }

  /** The number of the cell asked about; null where it is the environment's goal or the level knows no other.
   * @param {number} agent @param {number} level @returns {number|null} */
  goalOf(agent, level) {
    const { world, agents } = this.training;
    if (!world || !agents[agent]?.conditioned[level]) return null;
    const cell = numberOf(world.positions, this.app.state.goal);
    return cell < 0 || cell === world.goal ? null : cell;
  }

  /** Asks for the views at the scrubber's place, soon. */
  ask() {
    if (!this.training.world) return;
    if (this.waiting.size > 0 || this.timer) {
      this.again = true;
      return;
    }
    const wait = Math.max(0, this.asked + LEAST_PAUSE - performance.now());
    this.timer = Number(setTimeout(() => {
      this.timer = 0;
      this.#askNow();
    }, wait));
  }

  #askNow() {
    if (!this.training.world) return;
    this.asked = performance.now();
    this.again = false;
    const { at } = this.app.state;
    for (const agent of [0, 1]) {
      const level = this.training.levelShown(agent);
      const isOver = at < 0 || at >= (this.training.episodes[agent]?.steps ?? 0);
      const goal = this.goalOf(agent, level); // of the arrows as well: what is drawn together is about the same goal
      for (const each of new Set([level, 0])) {
        const id = this.app.socket.tell({ do: "look", agent, level: each, goal, at: isOver ? -1 : at });
        if (id) this.waiting.add(id);
      }
    }
  }

  /** @param {ViewFrame} frame */
  take(frame) {
    this.waiting.delete(frame.id);
    if (frame.level === this.training.levelShown(frame.agent)) this.shown[frame.agent] = frame;
    else if (frame.level === 0) this.moves[frame.agent] = frame;
    if (this.waiting.size === 0 && this.again) this.ask();
    this.app.changed("views");
  }

  /** A question that was refused is no longer waited for. @param {number} id @returns {boolean} whether it was one */
  dropped(id) {
    return this.waiting.delete(id);
  }
}
