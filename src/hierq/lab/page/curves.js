// @ts-check
/** Learning curves and how they are drawn; pure. */

import { linearScale, linearTicks, logScale, logTicks, spread } from "./geometry.js";
import { levelColour, mixed } from "./palette.js";

/** @typedef {import("./pen.js").CanvasPen} CanvasPen */
/** @typedef {import("./geometry.js").Point} Point */

/**
 * @typedef {object} Line one agent
 * @property {string} name @property {number} top its highest level
 * @property {ArrayLike<number>} mean steps of each episode @property {ArrayLike<number>} [low] the band, if there is one
 * @property {ArrayLike<number>} [high]
 */

/** @typedef {{lines: Line[], optimum: number|null, steps: string}} Plot steps: what the vertical axis counts */

/** How the axes run. @param {Plot} plot @param {number} width @param {number} height */
export function axesOf(plot, width, height) {
  const shown = plot.lines.flatMap(({ mean, low, high }) => [mean, low ?? [], high ?? []].flatMap((each) => Array.from(each)));
  const most = Math.max(10, ...plot.lines.map(({ mean }) => mean.length));
  const highest = shown.reduce((one, other) => Math.max(one, other), (plot.optimum ?? 10) * 4) * 1.15;
  const lowest = shown.reduce((one, other) => Math.min(one, Math.max(1, other)), plot.optimum ?? 10) / 1.3;
  const frame = { left: 46, right: width - 88, top: 24, bottom: height - 34 };
  const across = linearScale(1, most, frame.left + 6, frame.right);
  const up = logScale(lowest, highest, frame.bottom, frame.top);
  return { frame, across, up, most, low: lowest, high: highest };
}

/** Draws the curves of both agents with the optimum. @param {CanvasPen} pen @param {number} width @param {number} height
 * @param {Plot} plot @param {import("./palette.js").Palette} palette */
export function drawCurves(pen, width, height, plot, palette) {
  const axes = axesOf(plot, width, height);
  drawAxes(pen, plot, axes, palette);
  const { frame, up } = axes;
  if (plot.optimum !== null) {
    const y = up(plot.optimum);
    pen.line(frame.left, y, frame.right, y, { stroke: palette.goal, width: 1.5, dash: [5, 4] });
  }
  plot.lines.forEach((line, index) => drawLine(pen, line, axes, levelColour(palette, line.top), index > 0 && line.top === plot.lines[0].top));
  drawNames(pen, plot, plot.lines.map(({ mean }) => (mean.length ? up(mean[mean.length - 1]) : NaN)), axes, palette);
}

/** @param {CanvasPen} pen @param {Line} line @param {ReturnType<typeof axesOf>} axes @param {string} colour @param {boolean} dashed */
function drawLine(pen, { mean, low, high }, { across, up }, colour, dashed) {
  if (!mean.length) return;
  const points = (/** @type {ArrayLike<number>} */ steps) => Array.from(steps, (each, place) => /** @type {Point} */ ([across(place + 1), up(Math.max(1, each))]));
  if (low && high) pen.polyline([...points(high), ...points(low).reverse()], { fill: colour, opacity: 0.16, closed: true });
  pen.polyline(points(mean), { stroke: colour, width: 2, dash: dashed ? [2, 3] : [], cap: dashed ? "butt" : "round" });
  pen.circle(across(mean.length), up(mean[mean.length - 1]), 3, { fill: colour });
}

/** @param {CanvasPen} pen @param {Plot} plot @param {ReturnType<typeof axesOf>} axes @param {import("./palette.js").Palette} palette */
function drawAxes(pen, plot, axes, palette) {
  const { frame, across, up } = axes;
  const words = { fill: palette.quiet, size: 11 };
  for (const tick of logTicks(axes.low, axes.high, 6)) {
    const y = up(tick);
    pen.line(frame.left, y, frame.right, y, { stroke: palette.rule });
    pen.text(frame.left - 6, y, grouped(tick), { ...words, align: "end", baseline: "middle" });
  }
  const room = Math.max(2, Math.floor((frame.right - frame.left) / 44));
  const ticks = [1, ...linearTicks(1, axes.most, Math.min(6, room)).filter((tick) => tick > 1 + axes.most / 8)];
  for (const tick of ticks) pen.text(across(tick), frame.bottom + 15, grouped(tick), { ...words, align: "middle" });
  pen.line(frame.left, frame.bottom, frame.right, frame.bottom, { stroke: palette.quiet });
  pen.text((frame.left + frame.right) / 2, frame.bottom + 29, "episode", { ...words, align: "middle" });
  pen.text(4, frame.top - 12, plot.steps, { ...words, halo: palette.ground });
}

/** Each line's name at its end, instead of a legend. @param {CanvasPen} pen @param {Plot} plot @param {number[]} ends
 * @param {ReturnType<typeof axesOf>} axes @param {import("./palette.js").Palette} palette */
function drawNames(pen, plot, ends, axes, palette) {
  const { frame, up } = axes;
  const names = plot.lines.map((line, index) => ({ words: line.name, y: ends[index], colour: levelColour(palette, line.top) }));
  if (plot.optimum !== null) names.push({ words: `shortest ${plot.optimum}`, y: up(plot.optimum), colour: palette.goal });
  const seen = names.filter((name) => Number.isFinite(name.y));
  const places = spread(seen.map((name) => name.y), 14, frame.top, frame.bottom);
  seen.forEach((name, index) => {
    const bold = name.colour === palette.goal ? 500 : 650;
    pen.text(frame.right + 8, places[index], name.words, { fill: readable(name.colour, palette), size: 11.5, weight: bold, baseline: "middle" });
  });
}

/** Amber and green are too light for small letters on white. @param {string} colour @param {import("./palette.js").Palette} palette */
function readable(colour, palette) {
  return palette.name === "light" ? mixed(colour, palette.ink, 0.4) : colour;
}

/** A whole number as people write it: 12,345. */
export const grouped = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 }).format;

/** Finished runs of many seeds in words: what was done, not what was planned. @param {{done: number, planned: number, mean: ArrayLike<number>}[]} many
 * @returns {string} */
export function outcomeOf(many) {
  const done = Math.min(...many.map((each) => each.done));
  const planned = Math.max(...many.map((each) => each.planned));
  const means = (/** @type {number} */ episode) => many.map(({ mean }, agent) => `${"AB"[agent]} ${grouped(mean[episode - 1])}`).join(", ");
  const last = Math.min(...many.map(({ mean }) => mean.length));
  const ends = [5, last].filter((episode, place) => episode > 0 && (place === 1 || episode < last)).map((episode) => `episode ${episode}: ${means(episode)}`);
  return `${done < planned ? `${done} of ${planned}` : done} seeds done.${ends.length ? ` Mean steps, ${ends.join("; ")}.` : ""}`;
}
