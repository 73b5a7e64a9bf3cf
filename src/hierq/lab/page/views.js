// @ts-check
/** Values and greedy actions of the level and goal that are looked at: asked for, never more often than drawn. */

/** @typedef {import("./frames.js").ViewFrame} ViewFrame */

const LEAST_PAUSE = 50;

/** The goal asked about, if one of the agents can know it: walls are sub-goals only of agents that take all cells of the grid.
 * @param {import("./world_map.js").Cell|null} goal @param {import("./training.js").WorldFacts} world
 * @param {import("./training.js").AgentFacts[]} agents @returns {import("./world_map.js").Cell|null} */
export function goalKept(goal, { positions, states }, agents) {
  const cell = goal ? positions.findIndex(([row, column]) => row === goal[0] && column === goal[1]) : -1;
  const walls = agents.some(({ settings }) => settings.subgoal_cells === "grid");
  return cell >= 0 && (walls || cell < states) ? goal : null;
}

export class ViewAsker {
  /** @type {Map<number, "shown"|"moves">} */
  waiting = new Map();

  /** @param {import("./app.js").App} app @param {import("./training.js").Training} training */
  constructor(app, training) {
    this.app = app;
    this.training = training;
    this.asked = 0;
    this.timer = 0;
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

  /** The cell number asked about; null where it is the environment's goal or the level knows no other.
   * @param {number} agent @param {number} level @returns {number|null} */
  goalOf(agent, level) {
    const { world, agents } = this.training;
    const { goal } = this.app.state;
    if (!goal || !world || !agents[agent]?.conditioned[level]) return null;
    const cell = world.positions.findIndex(([row, column]) => row === goal[0] && column === goal[1]);
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
    [0, 1].forEach((agent) => {
      const level = this.#levelOf(agent);
      const steps = this.training.episodes[agent]?.steps ?? 0;
      const { at } = this.app.state;
      const place = at < 0 || at >= steps ? -1 : at;
      const goal = this.goalOf(agent, level); // of the arrows as well: what is drawn together is about the same goal
      this.#look(agent, level, goal, place, "shown");
      if (level > 0) this.#look(agent, 0, goal, place, "moves");
    });
  }

  /** @param {number} agent @param {number} level @param {number|null} goal @param {number} at @param {"shown"|"moves"} slot */
  #look(agent, level, goal, at, slot) {
    const id = this.app.socket.tell({ do: "look", agent, level, goal, at });
    if (id) this.waiting.set(id, slot);
  }

  /** @param {ViewFrame} frame */
  take(frame) {
    const slot = this.waiting.get(frame.id) ?? "shown";
    this.waiting.delete(frame.id);
    if (slot === "moves" || frame.level === this.#levelOf(frame.agent)) this[slot][frame.agent] = frame;
    if (this.waiting.size === 0 && this.again) this.ask();
    this.app.changed("views");
  }

  /** A question that was refused is no longer waited for. @param {number} id @returns {boolean} whether it was one */
  dropped(id) {
    return this.waiting.delete(id);
  }

  /** @param {number} agent @returns {number} */
  #levelOf(agent) {
    return Math.min(this.app.state.levels[agent], (this.training.agents[agent]?.levels ?? 1) - 1);
  }
}
