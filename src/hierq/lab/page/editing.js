// @ts-check
/** Drawing the world: one gesture after another, with a way back. */

import { cellsBetween } from "./geometry.js";
import { isFree, moved, painted, parseMap, sameCell, signAt, toText } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {"ask"|"walls"|"start"|"goal"} Tool */

const MOST_UNDO = 200;

export class Editing {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Tool} */
    this.tool = "ask";
    /** The world as it is drawn now. */
    this.grid = parseMap(app.state.map);
    /** @type {string[]} */
    this.past = [];
    /** @type {{kind: "ask"|"wall"|"free"|"start"|"goal", last: Cell, moved: boolean, before: import("./world_map.js").Grid}|null} */
    this.gesture = null;
    app.subscribe((changed) => {
      if (changed.has("map")) this.grid = parseMap(app.state.map);
    });
  }

  /** @param {Tool} tool */
  choose(tool) {
    this.tool = tool;
    this.app.changed("draft");
  }

  /** A gesture begins. On the start and the goal it drags them, whatever the tool. @param {Cell} cell */
  begin(cell) {
    const sign = signAt(this.grid, cell);
    const kind = sign === "S" ? "start" : sign === "G" ? "goal" : this.tool === "walls" ? (sign === "#" ? "free" : "wall") : this.tool;
    this.gesture = { kind, last: cell, moved: false, before: this.grid };
    if (sign !== "S" && sign !== "G") this.#apply(cell);
  }

  /** It goes on to another cell. @param {Cell} cell */
  move(cell) {
    if (!this.gesture || sameCell(cell, this.gesture.last)) return;
    this.gesture.moved = true;
    for (const between of cellsBetween(this.gesture.last, cell).slice(1)) this.#apply(between);
    this.gesture.last = cell;
  }

  /** It ends, and what was drawn counts. */
  end() {
    const { gesture } = this;
    this.gesture = null;
    if (!gesture) return;
    const clicked = !gesture.moved && this.tool === "ask";
    if (clicked && gesture.kind === "goal") this.app.update({ goal: null });
    else if (clicked && gesture.kind === "start") this.app.update({ goal: this.grid.start });
    this.commit();
  }

  /** The gesture did not happen. */
  cancel() {
    this.gesture = null;
    this.grid = parseMap(this.app.state.map);
    this.app.changed("draft");
  }

  /** Applies a tool at one cell, as the keyboard does. @param {Cell} cell @param {Tool} tool */
  use(cell, tool) {
    const before = this.tool;
    this.tool = tool;
    const sign = signAt(this.grid, cell);
    if (tool === "ask" || (sign !== "S" && sign !== "G")) {
      this.begin(cell);
      this.end();
    }
    this.tool = before;
  }

  /** Takes another world. @param {string} text of its map @throws {Error} when it is no map */
  replace(text) {
    this.grid = parseMap(text);
    this.commit();
  }

  /** The last change to the world is taken back. */
  undo() {
    const text = this.past.pop();
    if (text === undefined) return;
    this.app.update({ map: text, goal: null });
  }

  commit() {
    const text = toText(this.grid);
    if (text === this.app.state.map) return;
    this.past.push(this.app.state.map);
    if (this.past.length > MOST_UNDO) this.past.shift();
    const { goal } = this.app.state;
    const kept = goal && isFree(this.grid, goal) ? goal : null;
    this.app.update({ map: text, goal: kept });
  }

  /** @param {Cell} cell */
  #apply(cell) {
    if (!this.gesture) return;
    const { kind, before } = this.gesture;
    if (kind === "ask") {
      if (signAt(this.grid, cell) === "#") return;
      this.app.update({ goal: sameCell(cell, this.grid.goal) ? null : cell });
      return;
    }
    // From the grid before the gesture: walls that were only passed stay.
    if (kind === "start" || kind === "goal") this.grid = moved(before, kind, cell);
    else this.grid = painted(this.grid, [cell], kind === "wall");
    this.app.changed("draft");
  }
}
