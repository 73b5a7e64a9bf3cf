// @ts-check
/** Draws what happened in an episode: the way, the agent, and where every level was sent; pure. */

import { centreOf, shortened } from "./geometry.js";
import { levelColour } from "./palette.js";

/** @typedef {import("./geometry.js").Layout} Layout */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./frames.js").EpisodeFrame} EpisodeFrame */
/** @typedef {import("./world_view.js").Scene} Scene */

const LONG_PATH = 400;

/** Where an episode stands. @param {EpisodeFrame} episode @param {number} at @returns {number} steps taken */
export const stepsTaken = (episode, at) => (at < 0 ? episode.steps : Math.min(at, episode.steps));

/** The agent's way so far. @param {any} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
export function drawPath(pen, layout, scene, palette) {
  const episode = /** @type {EpisodeFrame} */ (scene.episode);
  const steps = stepsTaken(episode, scene.at);
  const width = Math.max(1.2, layout.cell * 0.09);
  const centre = (/** @type {number} */ state) => {
    const position = scene.positions[state];
    return position ? centreOf(layout, position[0], position[1]) : null;
  };
  if (steps > LONG_PATH) {
    const lines = edgesOf(episode, steps).map(([from, to]) => [centre(from), centre(to)]).filter((line) => line[0] && line[1]);
    pen.polylines(lines.filter(([from, to]) => isStep(layout, from, to)), { stroke: palette.path, width, opacity: 0.4 });
    return;
  }
  /** @type {any[][]} */
  const lines = [[]];
  for (const point of Array.from(episode.states.subarray(0, steps + 1), centre).filter(Boolean)) {
    const line = lines[lines.length - 1];
    if (line.length && !isStep(layout, line[line.length - 1], point)) lines.push([point]);
    else line.push(point);
  }
  pen.polylines(lines, { stroke: palette.path, width, opacity: 0.7, cap: "round" });
}

/** Whether there is no teleport between two places. @param {Layout} layout @param {any} from @param {any} to */
const isStep = ({ cell }, from, to) => Math.abs(from[0] - to[0]) + Math.abs(from[1] - to[1]) < 1.5 * cell;

/** @type {WeakMap<EpisodeFrame, number[][]>} */
const edges = new WeakMap();

/** Every pair of neighbours that an episode passed, once: a long one passes the same ones over and over.
 * @param {EpisodeFrame} episode @param {number} steps @returns {number[][]} */
function edgesOf(episode, steps) {
  const kept = steps === episode.steps ? edges.get(episode) : undefined;
  if (kept) return kept;
  const seen = new Set();
  const found = [];
  for (let step = 0; step < steps; step += 1) {
    const [from, to] = [episode.states[step], episode.states[step + 1]];
    const key = from < to ? from * 8192 + to : to * 8192 + from;
    if (from === to || seen.has(key)) continue;
    seen.add(key);
    found.push([from, to]);
  }
  if (steps === episode.steps) edges.set(episode, found);
  return found;
}

/** The agent itself. @param {any} pen @param {Layout} layout @param {Scene} scene @param {Palette} palette */
export function drawAgent(pen, layout, scene, palette) {
  const episode = /** @type {EpisodeFrame} */ (scene.episode);
  const position = scene.positions[episode.states[stepsTaken(episode, scene.at)]];
  if (!position) return;
  const [x, y] = centreOf(layout, position[0], position[1]);
  pen.circle(x, y, layout.cell * 0.3, { fill: palette.agent, stroke: palette.agentEdge, width: Math.max(1, layout.cell * 0.07) });
}

/** Where every level has been sent: a chain from the agent over its levels' goals. @param {any} pen @param {Layout} layout
 * @param {Scene} scene @param {Palette} palette */
export function drawStack(pen, layout, scene, palette) {
  const episode = /** @type {EpisodeFrame} */ (scene.episode);
  const steps = stepsTaken(episode, scene.at);
  if (episode.levels < 2 || scene.at < 0 || steps >= episode.steps) return;
  const agent = scene.positions[episode.states[steps]];
  if (!agent) return;
  let from = centreOf(layout, agent[0], agent[1]);
  /** @type {Map<string, {to: import("./geometry.js").Point, levels: number[]}>} */
  const names = new Map();
  for (let level = 0; level < episode.levels; level += 1) {
    const goal = scene.positions[episode.goals[steps * episode.levels + level]];
    if (!goal) continue;
    const colour = levelColour(palette, level);
    const to = centreOf(layout, goal[0], goal[1]);
    const radius = layout.cell * (0.24 + 0.07 * level);
    const [x1, y1, x2, y2] = shortened(from, to, layout.cell * 0.2, radius);
    pen.line(x1, y1, x2, y2, { stroke: colour, width: 1.8, dash: [4, 3] });
    pen.circle(to[0], to[1], radius, { stroke: palette.ground, width: 4.5, opacity: 0.7 });
    pen.circle(to[0], to[1], radius, { stroke: colour, width: 2.5 });
    from = to;
    const name = names.get(String(goal)) ?? { to, levels: [] };
    name.levels.push(level);
    names.set(String(goal), name);
  }
  if (layout.cell < 13) return;
  const size = Math.max(10, layout.cell * 0.36);
  for (const { to, levels } of names.values()) {
    const above = to[1] - layout.cell > layout.y;
    const y = to[1] + (above ? -0.72 : 0.76) * layout.cell;
    pen.text(to[0], y, levels.join(" "), { fill: palette.ink, halo: palette.ground, size, weight: 700, align: "middle", baseline: "middle" });
  }
}
