// @ts-check
/** Drawing the world: one gesture after another, with a way back. */

import { cellsBetween } from "./geometry.js";
import { isFree, isTheGoal, moved, nextTeleport, painted, parseMap, sameCell, signAt, toText } from "./world_map.js";

/** @typedef {import("./world_map.js").Cell} Cell */
/** @typedef {string} Tool "ask", one of SIGN_OF, or the sign of what is painted */

const MOST_UNDO = 200;
/** @type {Record<Tool, string>} */
const SIGN_OF = { walls: "#", start: "S", goal: "G", "another start": "S", "another goal": "G" };

export class Editing {
  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    /** @type {Tool} */
    this.tool = "ask";
    /** @type {string[]} */
    this.past = [];
    /** @type {{kind: "ask"|"drag"|"put"|"paint"|"erase", sign: string, first: Cell, last: Cell, before: import("./world_map.js").Grid}|null} */
    this.gesture = null;
    this.#begin();
    app.subscribe((changed) => {
      if (changed.has("map")) this.#begin();
    });
  }

  #begin() {
    /** The world as it is drawn now, and as it was before. */
    this.grid = this.kept = parseMap(this.app.state.map);
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
    const sign = tool === "teleport" ? nextTeleport(grid).digit : SIGN_OF[tool] ?? tool;
    const erases = tool === "teleport" ? /\d/.test(here) && !nextTeleport(grid).isHalf : here === sign;
    /** @type {"ask"|"drag"|"put"|"paint"|"erase"} */
    let kind = erases ? "erase" : "paint";
    if ("SG".includes(here) && !(erases && tool.startsWith("another"))) kind = "drag";
    else if (tool === "ask") kind = "ask";
    else if (tool === "start" || tool === "goal" || (tool === "teleport" && !erases)) kind = "put";
    if (kind === "put" && !sign) return;
    this.gesture = { kind, sign: kind === "drag" || erases ? here : sign, first: cell, last: cell, before: grid };
    if (kind !== "drag") this.#apply(cell);
  }

  /** Continues the gesture at another cell. @param {Cell} cell */
  move(cell) {
    if (!this.gesture || sameCell(cell, this.gesture.last)) return;
    for (const between of cellsBetween(this.gesture.last, cell).slice(1)) this.#apply(between);
    this.gesture.last = cell;
  }

  /** Ends the gesture and keeps what was drawn. */
  end() {
    const { gesture } = this;
    this.gesture = null;
    if (!gesture) return;
    if (gesture.kind === "drag" && this.tool === "ask" && gesture.before === this.grid) this.#ask(gesture.first);
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
    if (text === undefined) return;
    this.app.update({ map: text, goal: null });
  }

  commit() {
    const text = toText(this.grid);
    if (text === this.app.state.map) return;
    if (nextTeleport(this.grid).isHalf) {
      this.app.announce("Now the other end of the teleport.");
      return;
    }
    this.past.push(this.app.state.map);
    if (this.past.length > MOST_UNDO) this.past.shift();
    const { goal } = this.app.state;
    this.app.update({ map: text, goal: goal && isFree(this.grid, goal) ? goal : null });
  }

  /** @param {Cell} cell */
  #ask(cell) {
    if (isFree(this.grid, cell)) this.app.update({ goal: isTheGoal(this.grid, cell) ? null : cell });
  }

  /** @param {Cell} cell */
  #apply(cell) {
    if (!this.gesture) return;
    const { kind, sign, first, before } = this.gesture;
    if (kind === "ask") return this.#ask(cell);
    // From the grid before the gesture: walls that were only passed stay.
    if (kind === "drag") this.grid = moved(before, sign, cell, [first]);
    else if (kind === "put") this.grid = "SG".includes(sign) ? moved(before, sign, cell) : painted(before, cell, sign);
    else this.grid = painted(this.grid, cell, sign, kind === "erase");
    this.app.changed("draft");
  }
}
