// @ts-check
/** Drawing the world: one gesture after another, with a way back. */

import { cellsBetween } from "./geometry.js";
import { cellsOf, moved, painted, parseMap, sameCell, signAt, toText } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {"look"|"walls"|"start"|"goal"} Tool */

const MAX_UNDO = 200;

export class Editing {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** The world as it is drawn now, and as it was before. */
    this.grid = this.kept = parseMap(app.state.map);
    /** @type {Tool} */
    this.tool = "look";
    /** @type {string[]} */
    this.past = [];
    /** What a stroke does: paints this sign, or moves it from these cells.
     * @type {{sign: string, from: Cell[], last: Cell, before: import("./world_map.js").Grid}|null} */
    this.gesture = null;
    app.subscribe((changed) => {
      if (changed.has("map")) this.grid = this.kept = parseMap(app.state.map);
    });
  }

  /** Whether a change has been begun that is not finished yet. */
  get isDraft() {
    return this.grid !== this.kept;
  }

  /** @param {Tool} tool */
  choose(tool) {
    this.tool = tool;
    this.cancel();
  }

  /** Begins a gesture. On starts and goals it drags them, whatever the tool. @param {Cell} cell */
  begin(cell) {
    const { tool, grid } = this;
    const here = signAt(grid, cell);
    const stroke = (/** @type {string} */ sign, /** @type {Cell[]} */ from = []) => (this.gesture = { sign, from, last: cell, before: grid });
    if ("SG".includes(here)) return stroke(here, [cell]);
    if (tool === "look") return null;
    if (tool === "walls") stroke(here === "#" ? "." : "#");
    else stroke(tool === "start" ? "S" : "G", cellsOf(grid, tool === "start" ? "S" : "G"));
    return this.#apply(cell);
  }

  /** Continues the gesture at another cell. @param {Cell} cell */
  move(cell) {
    if (!this.gesture || sameCell(cell, this.gesture.last)) return;
    for (const between of cellsBetween(this.gesture.last, cell).slice(1)) this.#apply(between);
    this.gesture.last = cell;
  }

  /** Ends the gesture and keeps what was drawn. */
  end() {
    this.gesture = null;
    this.commit();
  }

  /** Discards what is not finished. */
  cancel() {
    this.gesture = null;
    this.grid = this.kept;
    this.app.changed("draft");
  }

  /** Applies a tool at one cell, as the keyboard does. @param {Cell} cell @param {Tool} tool */
  use(cell, tool) {
    const before = this.tool;
    this.tool = tool;
    this.begin(cell);
    this.end();
    this.tool = before;
  }

  /** Takes another world. @param {string} text of its map @throws {Error} when it is not a map */
  replace(text) {
    this.grid = parseMap(text);
    this.commit();
  }

  /** Takes the last change of the world back. */
  undo() {
    const text = this.past.pop();
    if (text !== undefined) this.#take(text);
  }

  /** Keeps what was drawn, unless it is the world as it was. */
  commit() {
    const text = toText(this.grid);
    if (text === this.app.state.map) return this.cancel();
    this.past = [...this.past, this.app.state.map].slice(-MAX_UNDO);
    return this.#take(text);
  }

  /** The trace of the credit view is one of the world before. @param {string} map */
  #take(map) {
    this.app.update({ map, credit: { ...this.app.state.credit, moves: "", start: null, goal: null } });
  }

  /** @param {Cell} cell */
  #apply(cell) {
    if (!this.gesture) return;
    const { sign, from, before } = this.gesture;
    // Start and goal move over the grid before the gesture: walls that were only passed stay.
    this.grid = from.length ? moved(before, sign, cell, from) : painted(this.grid, cell, /** @type {"#"|"."} */ (sign));
    this.app.changed("draft");
  }
}
