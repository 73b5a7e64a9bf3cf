// @ts-check
/** Draws a world and what an agent knows and does in it; pure. */

import { arrowHead, arrowOutline, bentControl, centreOf, movePlace, MOVES, towards } from "./geometry.js";
import { heatColour, heatShare, levelColour } from "./palette.js";
import { cellsOf, cellWords, numberOf } from "./world_map.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./pen.js").CanvasPen} CanvasPen */
/** @typedef {import("./world_map.js").Cell} Cell */

/**
 * Everything that is drawn.
 * @typedef {object} Scene
 * @property {import("./world_map.js").Grid} grid
 * @property {Cell[]} positions of the cells by number; empty while the server does not know the world
 * @property {number} level shown
 * @property {{values: ArrayLike<number>, policy: ArrayLike<number>}|null} view what that level knows
 * @property {{steps: number, states: ArrayLike<number>}|null} episode @property {number} at step of the episode; −1: its end
 * @property {number} start value of the tables: there nothing is known
 * @property {Cell|null} cursor of the keyboard, or cell under the pointer
 * @property {number} [end] the state that is asked about, if it is not the world's goal: there a plan ends
 * @property {boolean} [isFocused] whether the cursor is the keyboard's
 */

const SMALL_CELL = 16;
const LONG_PATH = 400;
const LONGEST_PLAN = 200;
/** Places ahead of and beside the middle of a tile, as in hierq.figures.worlds. */
const DOOR_SIGN = [[[0.36, 0], [-0.18, 0.36], [-0.18, -0.36]], [[-0.36, 0.36], [-0.26, 0.36], [-0.26, -0.36], [-0.36, -0.36]]];

/** Where an episode stands. @param {{steps: number}} episode @param {number} at @returns {number} steps taken */
export const stepsTaken = (episode, at) => (at < 0 ? episode.steps : Math.min(at, episode.steps));

/** @param {CanvasPen} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
export function drawWorld(pen, layout, scene, palette) {
  drawTiles(pen, layout, scene, palette);
  drawSigns(pen, layout, scene.grid, palette);
  if (scene.episode) drawPath(pen, layout, scene, palette);
  if (scene.view && scene.level === 0) drawMoves(pen, layout, scene, palette);
  if (scene.view && scene.level > 0) drawPlan(pen, layout, scene, palette);
  if (scene.episode) drawAgent(pen, layout, scene, palette);
  if (!scene.cursor || !scene.isFocused) return;
  drawFrame(pen, layout, scene.cursor, palette.ground, 4);
  drawFrame(pen, layout, scene.cursor, palette.accent, 2);
}

/** Walls, free cells and values, all of a colour in one go; free cells have a seam. @param {CanvasPen} pen @param {Layout} layout
 * @param {Scene} scene @param {Palette} palette */
function drawTiles(pen, layout, { grid, positions, view, start }, palette) {
  const { cell, x, y } = layout;
  const lowest = Array.from(view?.values ?? []).reduce((low, value) => Math.min(low, value), 0);
  /** @type {Map<string, number[][]>} */
  const corners = new Map([[palette.free, []]]);
  grid.walls.forEach((wall, place) => {
    if (!wall) corners.get(palette.free)?.push([x + (place % grid.columns) * cell, y + Math.floor(place / grid.columns) * cell]);
  });
  Array.from(view?.values ?? []).forEach((value, state) => {
    if (value === start || !positions[state]) return;
    const colour = heatColour(palette, heatShare(value, lowest));
    if (!corners.has(colour)) corners.set(colour, []);
    corners.get(colour)?.push([x + positions[state][1] * cell, y + positions[state][0] * cell]);
  });
  pen.rect(x, y, cell * grid.columns, cell * grid.rows, { fill: palette.wall });
  for (const [colour, places] of corners) pen.squares(places, cell, { fill: colour, stroke: palette.seam, width: cell < 14 ? 0.5 : 1 });
}

/** Starts, goals, holes, doors and teleports, as the figures draw them. @param {CanvasPen} pen @param {Layout} layout
 * @param {import("./world_map.js").Grid} grid @param {Palette} palette */
function drawSigns(pen, layout, grid, palette) {
  const side = layout.cell;
  grid.signs.forEach((sign, place) => {
    if ("#.".includes(sign)) return;
    const [x, y] = centreOf(layout, Math.floor(place / grid.columns), place % grid.columns);
    const door = "^v<>".indexOf(sign);
    const fill = { S: palette.start, G: palette.goal, H: palette.hole }[sign] ?? (door >= 0 ? palette.door : palette.teleport);
    if (sign === "H" || /\d/.test(sign)) pen.circle(x, y, side * 0.42, { fill });
    else pen.rect(x - side / 2, y - side / 2, side, side, { fill });
    if (door >= 0) drawDoorSign(pen, x, y, side, MOVES[door], palette);
    else if (sign !== "H" && side >= 12) drawLetter(pen, x, y, side, sign, palette);
  });
}

/** An arrow head and a bar behind it. @param {CanvasPen} pen @param {number} x @param {number} y @param {number} side
 * @param {readonly [number, number]} move @param {Palette} palette */
function drawDoorSign(pen, x, y, side, [down, right], palette) {
  const at = (/** @type {number[]} */ [ahead, aside]) => [x + (right * ahead - down * aside) * side, y + (down * ahead + right * aside) * side];
  pen.polylines(DOOR_SIGN.map((corners) => corners.map(at)), { fill: palette.sign, closed: true });
}

/** The letter of a start or goal, in the corner if there is room; the digit of a teleport. @param {CanvasPen} pen @param {number} x
 * @param {number} y @param {number} side @param {string} sign @param {Palette} palette */
function drawLetter(pen, x, y, side, sign, palette) {
  const isEnd = "SG".includes(sign);
  const aside = isEnd && side >= SMALL_CELL ? side * 0.32 : 0;
  const size = side * (aside ? 0.32 : 0.55);
  pen.text(x + aside, y + aside, sign, { fill: isEnd ? "#ffffff" : palette.sign, size, weight: 700, align: "middle", baseline: "middle" });
}

/** A frame around a cell. @param {CanvasPen} pen @param {Layout} layout @param {Cell} cell @param {string} stroke @param {number} width */
export function drawFrame(pen, layout, [row, column], stroke, width) {
  const [x, y] = centreOf(layout, row, column);
  pen.rect(x - layout.cell / 2, y - layout.cell / 2, layout.cell, layout.cell, { stroke, width });
}

/** The greedy moves of level 0. @param {CanvasPen} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
function drawMoves(pen, layout, { positions, view }, palette) {
  const { cell } = layout;
  if (cell < 7) return;
  const arrows = Array.from(view?.policy ?? []).flatMap((move, state) => {
    if (move < 0 || !positions[state]) return [];
    return [arrowOutline(...movePlace(layout, ...positions[state], move), Math.max(1, cell * 0.08), cell * 0.28)];
  });
  pen.polylines(arrows, { fill: levelColour(palette, 0), closed: true });
}

/** The states that a level's greedy sub-goals lead through, one after another. @param {Scene} scene @param {number} from @returns {number[]} */
export function planOf({ view, positions, end }, from) {
  const plan = [from];
  while (plan.length < LONGEST_PLAN && plan[plan.length - 1] !== end) {
    const next = view?.policy[plan[plan.length - 1]] ?? -1;
    if (!positions[next] || plan.includes(next)) break;
    plan.push(next);
  }
  return plan;
}

/** Where the plan that is drawn begins: under the pointer, at the start, or where credit has come farthest. @param {Scene} scene */
export function planStart({ grid, positions, view, cursor }) {
  const policy = view?.policy ?? [];
  const pointed = numberOf(positions, cursor);
  if (pointed >= 0 && policy[pointed] >= 0) return pointed;
  const start = numberOf(positions, grid.start);
  if (policy[start] >= 0) return start;
  const known = Array.from(policy, (_, state) => state).filter((state) => policy[state] >= 0);
  return known.reduce((least, state) => (least < 0 || (view?.values[state] ?? 0) < (view?.values[least] ?? 0) ? state : least), -1);
}

/** The plan of a level above 0: an arc to each sub-goal, which is a ring. @param {CanvasPen} pen @param {Layout} layout
 * @param {Scene} scene @param {Palette} palette */
function drawPlan(pen, layout, scene, palette) {
  const from = planStart(scene);
  if (from < 0) return;
  const colour = levelColour(palette, scene.level);
  const points = planOf(scene, from).map((state) => centreOf(layout, ...scene.positions[state]));
  const width = Math.max(1.6, layout.cell * 0.09);
  const radius = Math.max(2.5, layout.cell * 0.24);
  pen.circle(...points[0], radius * 0.6, { fill: colour });
  points.slice(1).forEach((to, place) => {
    const control = bentControl(points[place], to, 0.2);
    const tip = towards(to, control, radius);
    const tail = towards(points[place], control, place ? radius : 0);
    pen.curve(tail, control, tip, { stroke: palette.ground, width: width + 2.5, opacity: 0.55 });
    pen.curve(tail, control, tip, { stroke: colour, width, cap: "round" });
    pen.circle(...to, radius, { stroke: palette.ground, width: width + 2, opacity: 0.55 });
    pen.circle(...to, radius, { stroke: colour, width });
    pen.polyline(arrowHead(control, tip, 3.2 * width + 2), { fill: colour, closed: true });
  });
}

/** The agent's path so far. @param {CanvasPen} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
function drawPath(pen, layout, scene, palette) {
  const { states, ...episode } = /** @type {{steps: number, states: ArrayLike<number>}} */ (scene.episode);
  const taken = Array.from(states).slice(0, stepsTaken(episode, scene.at) + 1);
  const width = Math.max(1.2, layout.cell * 0.09);
  const centre = (/** @type {number} */ state) => centreOf(layout, ...scene.positions[state]);
  const isStep = (/** @type {number[]} */ [from, to]) => from !== to && isNear(scene.positions[from], scene.positions[to]); // no teleport
  const lines = edgesOf(taken).filter(isStep).map(([from, to]) => [centre(from), centre(to)]);
  pen.polylines(lines, { stroke: palette.path, width, opacity: taken.length > LONG_PATH ? 0.4 : 0.65, cap: "round" });
}

/** @param {Cell|undefined} one @param {Cell|undefined} other */
const isNear = (one, other) => one !== undefined && other !== undefined && Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) === 1;

/** Every pair of neighbours that an episode passed, once: a long one passes the same ones over and over.
 * @param {number[]} states @returns {number[][]} */
function edgesOf(states) {
  /** @type {Map<number, number[]>} */
  const edges = new Map();
  for (let step = 1; step < states.length; step += 1) {
    const pair = [Math.min(states[step - 1], states[step]), Math.max(states[step - 1], states[step])];
    edges.set(pair[0] * 8192 + pair[1], pair);
  }
  return [...edges.values()];
}

/** The agent itself. @param {CanvasPen} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
function drawAgent(pen, layout, scene, palette) {
  const episode = /** @type {{steps: number, states: ArrayLike<number>}} */ (scene.episode);
  const position = scene.positions[episode.states[stepsTaken(episode, scene.at)]];
  if (!position) return;
  pen.circle(...centreOf(layout, ...position), layout.cell * 0.24, { fill: palette.agent, stroke: palette.agentEdge, width: Math.max(1, layout.cell * 0.07) });
}

/** In how many cells the level shown knows what to do. @param {{policy: ArrayLike<number>}|null} view @returns {number} */
export function knownCells(view) {
  return Array.from(view?.policy ?? []).filter((action) => action >= 0).length;
}

/** What is drawn, in words. @param {Scene} scene @param {string} name @returns {string} */
export function describeScene(scene, name) {
  const { grid, view, episode } = scene;
  const all = (/** @type {string} */ sign) => cellsOf(grid, sign).map(cellWords).join(", ");
  const parts = [`${name} in a world of ${grid.rows} rows and ${grid.columns} columns.`, `Start ${all("S")}; goal ${all("G")}.`];
  if (grid.signs.includes("H")) parts.push(`Holes ${all("H")}.`);
  if (view) {
    parts.push(`Level ${scene.level} knows what to do in ${knownCells(view)} of ${view.policy.length} cells.`);
    const plan = scene.level > 0 ? planOf(scene, planStart(scene)) : [];
    if (plan.length > 1) parts.push(`Its sub-goals: ${plan.map((state) => cellWords(scene.positions[state])).join(" → ")}.`);
  }
  if (episode) parts.push(`The last training episode took ${episode.steps} steps; shown after ${stepsTaken(episode, scene.at)}.`);
  return parts.join(" ");
}
