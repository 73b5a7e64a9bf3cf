// @ts-check
/** Draws the credit view: the trace as a line of tiles, and below it, for every agent, one lane a level with the arcs of its backup. */

import { short } from "./credit_model.js";
import { arcOver, arrowHead, liftOf, MOVES } from "./geometry.js";
import { levelColour, mixed } from "./palette.js";

const LEFT = 24;
const RIGHT = 26;
const TOP = 74;
const HEADER = 30;
const ARCS = 64;
const LANE = 20 + ARCS + 36;
const GAP = 14;
const ARROWS = ["↑", "↓", "←", "→"];
const SMALLEST_PITCH = 30; // at which values do not touch
const ROOMY_PITCH = 46;
const LETTER = 6.3; // how wide one is, about

/** @typedef {"free"|"start"|"goal"|"hole"} Kind of a cell */

/**
 * @typedef {object} CreditPicture
 * @property {{name: string, summary: string, lanes: import("./credit_model.js").Lane[]}[]} agents
 * @property {{label: string, kind: Kind, action: number|null, bump: boolean}[]} tiles
 * @property {number} tile the state at which something happens @property {boolean} back whether it is on the way back
 * @property {string} after which step, in words
 */

/** How high the picture will be. @param {CreditPicture} picture */
export function creditHeight(picture) {
  const lanes = picture.agents.map((agent) => HEADER + agent.lanes.length * LANE);
  return TOP + lanes.reduce((sum, height) => sum + height + GAP, 0);
}

/** Where the tiles stand. @param {number} count of tiles @param {number} width of the screen */
export function tilesIn(count, width) {
  const gaps = Math.max(1, count - 1);
  const pitch = Math.max(SMALLEST_PITCH, Math.min(88, (width - LEFT - RIGHT) / gaps));
  return { left: LEFT, pitch, width: Math.max(width, Math.ceil(LEFT + gaps * pitch + RIGHT)) };
}

/** @param {any} pen @param {import("./palette.js").Palette} palette @param {CreditPicture} picture
 * @param {{width: number, left: number}} seen the part on the screen: labels stay where one sees them */
export function drawCredit(pen, palette, picture, seen) {
  const height = creditHeight(picture);
  const { left, pitch, width } = tilesIn(picture.tiles.length, seen.width);
  const edge = 8 + seen.left; // where labels begin
  const x = (tile) => left + tile * pitch;
  pen.rect(0, 0, width, height, { fill: palette.ground });
  const band = Math.min(38, pitch - 4);
  const tint = mixed(palette.ground, palette.accent, 0.13);
  pen.rect(x(picture.tile) - band / 2, 2, band, height - GAP, { fill: tint, radius: 6 });
  drawTiles(pen, palette, picture, pitch, x);
  let y = TOP;
  for (const agent of picture.agents) {
    pen.line(8, y + 2, width - 8, y + 2, { stroke: palette.rule });
    pen.text(edge, y + 21, agent.name, { fill: palette.ink, size: 14, weight: 700 });
    pen.text(edge + 72, y + 21, fitted(agent.summary, seen.width - 90), { fill: palette.quiet, size: 12.5 });
    y += HEADER;
    for (const lane of [...agent.lanes].reverse()) {
      const end = lane.bootstrap ? picture.tiles[lane.bootstrap.tile].kind : "free";
      const place = { base: y + 20 + ARCS, x, narrow: pitch < ROOMY_PITCH, end };
      drawLabels(pen, palette, lane, edge, y, seen.width);
      drawLane(pen, palette, lane, place);
      y += LANE;
    }
    y += GAP;
  }
}

/** The line of tiles S_0 … S_T, each with the move that was made there. */
function drawTiles(pen, palette, picture, pitch, x) {
  const side = Math.min(34, pitch - 6);
  for (const [tile, { label, kind, action, bump }] of picture.tiles.entries()) {
    const ahead = tile > picture.tile && !picture.back;
    const fill = { free: palette.free, start: palette.start, goal: palette.goal, hole: palette.wall }[kind];
    const edge = tile === picture.tile ? palette.accent : palette.quiet;
    const look = { fill, stroke: edge, width: tile === picture.tile ? 2.5 : 1, radius: 4, opacity: ahead ? 0.45 : 1 };
    pen.text(x(tile), 14, `S${subscript(tile)}`, { fill: palette.quiet, size: 11, align: "middle" });
    pen.rect(x(tile) - side / 2, 20, side, side, look);
    if (action !== null) {
      const ink = kind === "free" ? palette.ink : "#101014";
      const letters = { fill: ink, size: 16, weight: 700, align: "middle", baseline: "middle", opacity: ahead ? 0.5 : 1 };
      pen.text(x(tile), 20 + side / 2, ARROWS[action], letters);
    }
    if (bump && action !== null) drawWall(pen, palette, [x(tile), 20 + side / 2], side / 2, MOVES[action]);
    pen.text(x(tile), 20 + side + 13, label, { fill: palette.quiet, size: pitch < ROOMY_PITCH ? 9 : 10.5, align: "middle" });
  }
}

/** The wall that a move hit, on the edge of its tile. @param {any} pen @param {any} palette @param {[number, number]} middle
 * @param {number} half side of the tile @param {readonly [number, number]} move */
function drawWall(pen, palette, [x, y], half, [down, right]) {
  const [across, along] = [x + right * half, y + down * half];
  pen.line(across - down * half, along - right * half, across + down * half, along + right * half, { stroke: palette.ink, width: 5 });
}

/** Words that fit a width, about. @param {string} words @param {number} width @returns {string} */
export function fitted(words, width) {
  const most = Math.floor(width / LETTER);
  return words.length > most ? `${words.slice(0, most - 1)}…` : words;
}

const spanWords = (/** @type {{hopLength: number}} */ { hopLength }) => (hopLength === 1 ? "spans 1 step" : `spans ${hopLength} steps`);
const knowsWords = (/** @type {{knowing: number}} */ { knowing }) => `knows ${knowing} ${knowing === 1 ? "cell" : "cells"}`;

/** What a level is and does, in a line above its lane. */
function drawLabels(pen, palette, lane, edge, top, width) {
  pen.rect(edge, top + 1, 5, 16, { fill: levelColour(palette, lane.level), radius: 2.5 });
  pen.text(edge + 12, top + 13, `Level ${lane.level}`, { fill: palette.ink, size: 13, weight: 700 });
  const known = `${spanWords(lane)}, ${knowsWords(lane)}`;
  const parts = lane.words.split("; ");
  const long = parts.map((_, place) => `${known}: ${parts.slice(0, parts.length - place).join("; ")}`);
  const words = long.find(({ length }) => length * LETTER < width - 96) ?? known;
  pen.text(edge + 72, top + 13, words, { fill: palette.quiet, size: 12, halo: palette.ground });
}

/** One level: its dots, the arcs of its backup, and the values below. */
function drawLane(pen, palette, lane, place) {
  const colour = levelColour(palette, lane.level);
  const { base, x, narrow } = place;
  const { places, arcs } = lane;
  pen.line(x(0), base, x(places.length - 1), base, { stroke: palette.rule, width: 2 });
  for (const arc of [...arcs].sort((a, b) => a.strength - b.strength || Number(a.changed) - Number(b.changed))) {
    drawArc(pen, palette, colour, arc, x, base, narrow);
  }
  const skipped = new Set(arcs.filter((arc) => arc.changed || (arc.kind === "hop" && arc.strength === 1)).flatMap((arc) => arc.skipped));
  places.forEach((spot, tile) => drawDot(pen, palette, colour, spot, skipped.has(tile), x(tile), base, narrow));
  for (const arc of arcs.filter((each) => each.cut)) drawCut(pen, palette, x(arc.from), base);
  if (lane.bootstrap) drawSource(pen, palette, lane.bootstrap, x(lane.bootstrap.tile), place);
}

/** An entry that learns is a full line, a hop that is looked along a dashed one, the fainter the less it counts. */
function drawArc(pen, palette, colour, arc, x, base, narrow) {
  const lift = liftOf(arc.to - arc.from, 24, ARCS - 6);
  const curve = arcOver(x(arc.from) + 3, x(arc.to) - 5, base - 4, lift);
  const hop = arc.kind === "hop";
  const strong = hop || arc.changed;
  const stroke = arc.dead ? palette.cut : mixed(palette.ground, colour, strong ? 0.35 + 0.65 * arc.strength : 0.3);
  const width = hop ? 1 + 0.8 * arc.strength : arc.changed ? 1.2 + (narrow ? 0.8 : 1.6) * arc.weight : 1.2;
  pen.curve(curve.from, curve.control, curve.to, { stroke, width, dash: hop ? [5, 4] : [] });
  if (arc.strength < 0.1) return;
  const head = hop || narrow ? 8 : arc.changed ? 8 + arc.weight * 2 : 6;
  pen.polyline(arrowHead(curve.control, curve.to, head, head * 0.85), { fill: stroke, closed: true });
}

/** @param {any} pen @param {any} palette @param {string} colour @param {import("./credit_model.js").Place} spot */
function drawDot(pen, palette, colour, spot, skipped, x, base, narrow) {
  if (!spot.there) {
    pen.line(x - 4, base, x + 4, base, { stroke: palette.cut, width: 2 });
    return;
  }
  const known = spot.value !== null;
  if (skipped && !known) pen.circle(x, base, 4, { fill: palette.ground, stroke: palette.quiet, width: 1.4, dash: [2, 2] });
  else pen.circle(x, base, spot.changed ? 5.5 : 4, { fill: known ? colour : palette.ground, stroke: known ? colour : palette.quiet, width: 1.4 });
  if (spot.value === null) return;
  const write = (/** @type {number} */ value) => (narrow ? short(value, 3).replace(/^(−?)0\./, "$1.") : short(value));
  const letters = { fill: palette.ink, size: narrow ? 10.5 : 11.5, mono: true, align: "middle", weight: spot.changed ? 700 : 400 };
  pen.text(x, base + 18, write(spot.value), letters);
  if (spot.changed && !narrow) pen.text(x, base + 31, `was ${write(spot.before)}`, { fill: palette.quiet, size: 10, align: "middle" });
}

/** A cross where the return is not followed on. */
function drawCut(pen, palette, x, base) {
  const arm = 5;
  for (const way of [1, -1]) {
    pen.line(x - arm, base - 12 - arm * way, x + arm, base - 12 + arm * way, { stroke: palette.ink, width: 2, cap: "round" });
  }
}

/** Where the return comes from: the goal or a hole, after which nothing follows, or what is known at the newest state. */
function drawSource(pen, palette, { value }, x, { base, narrow, end }) {
  const stroke = value !== null ? palette.accent : end === "goal" ? palette.goal : palette.quiet;
  pen.circle(x, base, 9, { stroke, width: 2.5 });
  const words = value === null ? end : `V = ${short(value, narrow ? 3 : 4)}`;
  pen.text(x, base + (value === null ? 23 : 31), words, { fill: palette.ink, size: 11, weight: 600, align: "middle", halo: palette.ground });
}

/** @param {number} number */
function subscript(number) {
  return [...String(number)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]).join("");
}
