// @ts-check
/** Draws a world and what an agent knows and does in it, with either pen; pure. */

import { drawAgent, drawPath, drawStack, stepsTaken } from "./episode_view.js";
import { bentControl, boxPlace, centreOf, circlePlace, movePlace, MOVES } from "./geometry.js";
import { heatShare, heatStep, levelColour, SUBGOAL_COLOURS, SUBGOAL_INK, SUBGOAL_LETTERS } from "./palette.js";
import { cellsOf, cellWords, isFree, numberOf } from "./world_map.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./frames.js").ViewFrame} ViewFrame */
/** @typedef {import("./frames.js").EpisodeFrame} EpisodeFrame */
/** @typedef {import("./world_map.js").Cell} Cell */

/**
 * Everything that is drawn.
 * @typedef {object} Scene
 * @property {import("./world_map.js").Grid} grid
 * @property {Cell[]} positions of the cells by number; empty while the server does not know the world
 * @property {string[]} layers @property {number} level shown
 * @property {ViewFrame|null} view of that level @property {ViewFrame|null} moves view of level 0
 * @property {Cell[]|null} asked the goal that values, sub-goals and arrows are about, where another one than G is asked about
 * @property {EpisodeFrame|null} episode @property {number} at step of the episode; −1: its end
 * @property {number} start value of the tables: there nothing is known
 * @property {Cell|null} cursor of the keyboard @property {Cell|null} hover under the pointer
 */

const SMALL_CELL = 16;
const GOAL_BOX = "#7fd6b8";
const ANY_GOAL = SUBGOAL_LETTERS.length; // what a box shows where there are several goals, and any of them will do

/** @param {any} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
export function drawWorld(pen, layout, scene, palette) {
  const has = (/** @type {string} */ layer) => scene.layers.includes(layer);
  drawTiles(pen, layout, scene, palette, has("values"));
  drawSigns(pen, layout, scene.grid, palette);
  const thick = Math.max(2, layout.cell * 0.09);
  for (const cell of scene.asked ?? []) drawFrame(pen, layout, cell, palette.ink, thick, thick);
  if (has("path") && scene.episode) drawPath(pen, layout, scene, palette);
  const subgoals = has("subgoals") && scene.level > 0;
  const boxes = subgoals && usesBoxes(scene, layout);
  if (has("moves") && (!subgoals || boxes)) drawMoves(pen, layout, scene, palette, boxes);
  if (boxes) drawBoxes(pen, layout, scene, /** @type {ViewFrame} */ (scene.view));
  else if (subgoals && scene.view) drawPointers(pen, layout, scene, scene.view, palette);
  if (has("path") && scene.episode) drawAgent(pen, layout, scene, palette);
  if (has("stack") && scene.episode) drawStack(pen, layout, scene, palette);
  if (!scene.cursor) return;
  drawFrame(pen, layout, scene.cursor, palette.ground, 4);
  drawFrame(pen, layout, scene.cursor, palette.accent, 2);
}

/** Walls, free cells and values, and thin lines between free cells. @param {any} pen @param {Layout} layout @param {Scene} scene
 * @param {Palette} palette @param {boolean} values */
function drawTiles(pen, { x, y, cell }, scene, palette, values) {
  const { grid, view } = scene;
  const [WALL, FREE] = [palette.shades.length, palette.shades.length + 1];
  const colours = [...palette.shades, palette.wall, palette.free];
  const lowest = view ? view.values.reduce((low, value) => Math.min(low, value), 0) : 0;
  const shadeOf = (/** @type {number} */ value) => (value === scene.start ? FREE : heatStep(palette, heatShare(value, lowest)));
  const known = onGrid(scene, values && view ? view.values : [], shadeOf);
  const kinds = grid.walls.map((wall, place) => (wall ? WALL : known[place] < 0 ? FREE : known[place]));
  const seam = { fill: palette.seam, opacity: cell < 14 ? 0.6 : 1 };
  pen.tiles(`ground ${palette.name}`, x, y, cell, grid.columns, kinds, (/** @type {any} */ tile, /** @type {number} */ kind) => {
    tile.rect(-cell / 2, -cell / 2, cell, cell, { fill: colours[kind] });
    if (kind === WALL || cell < 6) return;
    tile.rect(-cell / 2, -cell / 2, cell, 1, seam);
    tile.rect(-cell / 2, -cell / 2, 1, cell, seam);
  });
}

/** One number for each cell of the grid, from one for each state; −1 elsewhere and on walls. @param {Scene} scene
 * @param {ArrayLike<number>} numbers @param {(number: number, state: number) => number} kindOf @returns {Int16Array} */
function onGrid(scene, numbers, kindOf) {
  const { walls, rows, columns } = scene.grid;
  const kinds = new Int16Array(rows * columns).fill(-1);
  for (let state = 0; state < numbers.length; state += 1) {
    const position = scene.positions[state];
    if (!position) continue;
    const place = position[0] * columns + position[1];
    if (!walls[place]) kinds[place] = kindOf(numbers[state], state);
  }
  return kinds;
}

/** Starts, goals, holes, doors and teleports. @param {any} pen @param {Layout} layout @param {import("./world_map.js").Grid} grid
 * @param {Palette} palette @param {Cell} [corner] the cell in the upper left, where only a part is shown
 * @param {boolean} [crowded] whether numbers and a way need most of the room */
export function drawSigns(pen, layout, grid, palette, corner = [0, 0], crowded = false) {
  const side = layout.cell;
  const half = side / 2;
  grid.signs.forEach((sign, place) => {
    const [row, column] = [Math.floor(place / grid.columns) - corner[0], (place % grid.columns) - corner[1]];
    if ("#.".includes(sign) || row < 0 || column < 0 || row >= layout.rows || column >= layout.columns) return;
    const [x, y] = centreOf(layout, row, column);
    const door = "^v<>".indexOf(sign);
    const isEnd = "SG".includes(sign);
    if (sign === "H") pen.circle(x, y, side * 0.4, { fill: palette.wall, stroke: palette.cut, width: Math.max(1, side * 0.05) });
    else if (door >= 0) drawDoor(pen, x, y, half, MOVES[door], palette);
    else if (isEnd) pen.rect(x - half, y - half, side, side, { fill: sign === "S" ? palette.start : palette.goal });
    else pen.circle(x, y, side * 0.4, { stroke: palette.ink, width: Math.max(1, side * 0.06), dash: [side * 0.16, side * 0.1] });
    if (side < 12 || sign === "H" || door >= 0 || (isEnd && crowded)) return;
    const isCorner = side >= SMALL_CELL && !crowded;
    const ink = isEnd ? { fill: "#ffffff" } : { fill: palette.ink, halo: palette.free };
    const letters = { ...ink, size: side * (side >= SMALL_CELL ? 0.34 : 0.6), weight: 700, align: "middle", baseline: "middle" };
    pen.text(x + half * (crowded ? 0.4 : isCorner ? 0.56 : 0), y + (isCorner ? half * 0.58 : 0), sign, letters);
  });
}

/** Posts beside the way through, and where it leads. @param {any} pen @param {number} x @param {number} y @param {number} half
 * @param {readonly [number, number]} move @param {Palette} palette */
function drawDoor(pen, x, y, half, [down, right], palette) {
  const at = (/** @type {number} */ ahead, /** @type {number} */ aside) => [x + (right * ahead + down * aside) * half, y + (down * ahead + right * aside) * half];
  for (const post of [-0.88, 0.88]) pen.polyline([at(-1, post), at(1, post)], { stroke: palette.wall, width: half * 0.24 });
  for (const tip of [-0.1, 0.5]) pen.polyline([at(tip - 0.45, -0.5), at(tip, 0), at(tip - 0.45, 0.5)], { stroke: palette.cut, width: half * 0.2 });
}

/** A frame around a cell. @param {any} pen @param {Layout} layout @param {Cell} cell @param {string} stroke @param {number} width
 * @param {number} [inside] how much smaller than the cell it is */
export function drawFrame(pen, layout, [row, column], stroke, width, inside = 0) {
  const [x, y] = centreOf(layout, row, column);
  const side = layout.cell - inside;
  pen.rect(x - side / 2, y - side / 2, side, side, { stroke, width, radius: inside && layout.cell * 0.12 });
}

/** @param {any} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette @param {boolean} lowered */
function drawMoves(pen, layout, scene, palette, lowered) {
  const view = scene.level === 0 ? scene.view : scene.moves;
  if (!view || layout.cell < 5) return;
  const { cell } = layout;
  const style = { fill: levelColour(palette, 0), width: Math.max(0.9, cell * 0.07), head: cell * (lowered ? 0.2 : 0.27), opacity: 0.92 };
  const own = { cell, x: -cell / 2, y: -cell / 2, rows: 1, columns: 1 };
  const kinds = onGrid(scene, view.policy, (move) => (move > 3 ? -1 : move));
  pen.tiles(`moves ${lowered} ${palette.name}`, layout.x, layout.y, cell, scene.grid.columns, kinds, (/** @type {any} */ tile, /** @type {number} */ move) => {
    tile.arrow(...movePlace(own, 0, 0, move, lowered), style);
  });
}

/** The greedy sub-goals in the order of the states. @param {Scene} scene @param {ViewFrame} view @returns {number[]} */
function subgoalsOf(scene, view) {
  return [...new Set(view.policy)].filter((cell) => scene.positions[cell]);
}

/** Whether letters can tell the sub-goals apart. @param {Scene} scene @param {Layout} layout @returns {boolean} */
export function usesBoxes(scene, layout) {
  return layout.cell >= SMALL_CELL && scene.view !== null && subgoalsOf(scene, scene.view).length <= SUBGOAL_LETTERS.length;
}

/** Boxes: the sub-goal chosen here; circles: that sub-goal. @param {any} pen @param {Layout} layout @param {Scene} scene @param {ViewFrame} view */
function drawBoxes(pen, layout, scene, view) {
  const { x, y, cell } = layout;
  const { columns, rows } = scene.grid;
  const subgoals = subgoalsOf(scene, view);
  const index = new Map(subgoals.map((subgoal, place) => [subgoal, place]));
  const outline = { stroke: SUBGOAL_INK, width: Math.max(0.6, cell * 0.025) };
  const letters = { fill: SUBGOAL_INK, size: cell * 0.3, weight: 700, align: "middle", baseline: "middle" };
  const own = { cell, x: -cell / 2, y: -cell / 2, rows: 1, columns: 1 };
  const look = (/** @type {number} */ kind) => ({ fill: kind === ANY_GOAL ? GOAL_BOX : SUBGOAL_COLOURS[kind % SUBGOAL_COLOURS.length], ...outline });
  const kindOf = (/** @type {number} */ subgoal) => (subgoal === scene.positions.length ? ANY_GOAL : index.get(subgoal) ?? -1);
  pen.tiles("boxes", x, y, cell, columns, onGrid(scene, view.policy, kindOf), (/** @type {any} */ tile, /** @type {number} */ kind) => {
    const place = boxPlace(own, 0, 0);
    tile.rect(place.x, place.y, place.side, place.side, look(kind));
    tile.text(place.textX, place.textY, SUBGOAL_LETTERS[kind] ?? "G", letters);
  });
  const circles = new Int16Array(rows * columns).fill(-1);
  for (const [subgoal, kind] of index) circles[scene.positions[subgoal][0] * columns + scene.positions[subgoal][1]] = kind;
  pen.tiles("circles", x, y, cell, columns, circles, (/** @type {any} */ tile, /** @type {number} */ kind) => {
    const place = circlePlace(own, 0, 0);
    tile.circle(place.x, place.y, place.radius, look(kind));
    tile.text(place.x, place.y, SUBGOAL_LETTERS[kind], letters);
  });
}

/** A thin line from each state to its sub-goal, where there is space; strong where the pointer is. @param {any} pen
 * @param {Layout} layout @param {Scene} scene @param {ViewFrame} view @param {Palette} palette */
function drawPointers(pen, layout, scene, view, palette) {
  const colour = levelColour(palette, scene.level);
  const lines = [];
  const near = layout.cell >= SMALL_CELL;
  const states = near ? view.policy.length : 0;
  for (let state = 0; state < states; state += 1) {
    const [from, to] = [scene.positions[state], scene.positions[view.policy[state]]];
    if (from && to && isFree(scene.grid, from)) lines.push([centreOf(layout, from[0], from[1]), centreOf(layout, to[0], to[1])]);
  }
  pen.polylines(lines, { stroke: colour, width: Math.max(0.8, layout.cell * 0.045), opacity: 0.5 });
  const rings = new Int16Array(scene.grid.walls.length).fill(-1);
  for (const subgoal of subgoalsOf(scene, view)) rings[scene.positions[subgoal][0] * scene.grid.columns + scene.positions[subgoal][1]] = 0;
  pen.tiles(`rings ${colour}`, layout.x, layout.y, layout.cell, scene.grid.columns, rings, (/** @type {any} */ tile) => {
    tile.circle(0, 0, Math.max(1.8, layout.cell * 0.17), { stroke: colour, width: near ? 1.4 : 1.6 });
  });
  const pointed = scene.cursor ?? scene.hover;
  const target = scene.positions[view.policy[numberOf(scene.positions, pointed)]];
  if (!pointed || !target) return;
  const [from, to] = [centreOf(layout, pointed[0], pointed[1]), centreOf(layout, target[0], target[1])];
  pen.curve(from, bentControl(from, to, 0.12), to, { stroke: colour, width: 2.5, cap: "round" });
  pen.circle(to[0], to[1], layout.cell * 0.3, { stroke: colour, width: 2.5 });
}

/** How an episode ended. @param {Scene} scene @param {EpisodeFrame} episode @returns {string} */
export function endOf({ grid, positions }, { reached, states, steps }) {
  const [row, column] = positions[states[steps]] ?? [0, 0];
  return reached ? "reached the goal" : grid.signs[row * grid.columns + column] === "H" ? "fell into a hole" : "was given up";
}

/** What is drawn, in words. @param {Scene} scene @param {string} name @returns {string} */
export function describeScene(scene, name) {
  const { grid, view, episode } = scene;
  const all = (/** @type {string} */ sign) => cellsOf(grid, sign).map(cellWords).join(", ");
  const parts = [`${name} in a world of ${grid.rows} rows and ${grid.columns} columns.`, `Start ${all("S")}; goal ${all("G")}.`];
  if (grid.signs.includes("H")) parts.push(`Holes ${all("H")}.`);
  if (grid.slip) parts.push(`Moves slip with probability ${grid.slip}.`);
  if (view) {
    const known = view.policy.reduce((count, action) => count + (action >= 0 ? 1 : 0), 0);
    parts.push(`Level ${scene.level} knows what to do towards ${scene.asked?.map(cellWords).join(" or ") || "G"} in ${known} of ${view.policy.length} cells.`);
  }
  if (episode) {
    const kind = episode.evaluation ? "evaluation" : "training";
    parts.push(`The last ${kind} episode took ${episode.steps} steps and ${endOf(scene, episode)}.`);
    if (scene.at >= 0) parts.push(`Shown after ${stepsTaken(episode, scene.at)} steps.`);
  }
  return parts.join(" ");
}
