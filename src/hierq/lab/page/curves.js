// @ts-check
/** Learning curves: what is kept of them and how they are drawn; pure. */

import { linearScale, linearTicks, logScale, logTicks, spread } from "./geometry.js";
import { levelColour, mixed } from "./palette.js";

/** @typedef {import("./geometry.js").Point} Point */
/** @typedef {{first: number, last: number, mean: number, low: number, high: number}} Bin episodes first … last, counted from 1 */

const SINGLE = 200;
const RATIO = 1.025;

/**
 * Steps of episode after episode. The first ones are kept one by one, later ones in bins that grow with the number of
 * episodes, so that a million of them need a few hundred bins.
 */
export class Curve {
  constructor() {
    this.count = 0;
    /** Steps of the latest episode. */
    this.latest = 0;
    /** @type {{first: number, last: number, until: number, logs: number, low: number, high: number}[]} */
    this.kept = [];
  }

  /** @param {ArrayLike<number>} steps of the next episodes */
  add(steps) {
    for (let index = 0; index < steps.length; index += 1) this.#addOne(steps[index]);
    this.latest = steps[steps.length - 1] ?? this.latest;
  }

  /** @param {number} steps */
  #addOne(steps) {
    this.count += 1;
    const value = Math.max(1, steps);
    const bin = this.kept[this.kept.length - 1];
    if (!bin || bin.last >= bin.until) {
      const until = this.count <= SINGLE ? this.count : Math.floor(this.count * RATIO);
      this.kept.push({ first: this.count, last: this.count, until, logs: Math.log(value), low: value, high: value });
      return;
    }
    bin.last = this.count;
    bin.logs += Math.log(value);
    bin.low = Math.min(bin.low, value);
    bin.high = Math.max(bin.high, value);
  }

  /** Bins with the geometric mean of their steps. @returns {Bin[]} */
  bins() {
    return this.kept.map(({ first, last, logs, low, high }) => ({ first, last, low, high, mean: Math.exp(logs / (last - first + 1)) }));
  }
}

/** A finished curve as bins, for means over many seeds. @param {ArrayLike<number>} mean @param {ArrayLike<number>} low
 * @param {ArrayLike<number>} high @returns {Bin[]} */
export function binsOf(mean, low, high) {
  return Array.from({ length: mean.length }, (_, index) => {
    return { first: index + 1, last: index + 1, mean: mean[index], low: Math.max(1, low[index]), high: high[index] };
  });
}

/**
 * @typedef {object} Plot
 * @property {{name: string, words: string, top: number, bins: Bin[]}[]} lines one per agent; top is its highest level
 * @property {number|null} optimum
 * @property {string} steps what the vertical axis counts
 */

/** How the axes run. @param {Plot} plot @param {number} width @param {number} height */
export function axesOf(plot, width, height) {
  const shown = plot.lines.flatMap((line) => line.bins);
  const most = Math.max(10, ...shown.map((bin) => bin.last));
  const highest = Math.max(...shown.map((bin) => bin.high), (plot.optimum ?? 10) * 4);
  const lowest = Math.min(...shown.map((bin) => bin.low), plot.optimum ?? 10);
  const frame = { left: 46, right: width - 88, top: 24, bottom: height - 34 };
  const many = most > SINGLE;
  const across = (many ? logScale : linearScale)(1, most, frame.left + 6, frame.right);
  const up = logScale(lowest / 1.3, highest * 1.15, frame.bottom, frame.top);
  return { frame, many, across, up, most, low: lowest / 1.3, high: highest * 1.15 };
}

/** Draws the curves of both agents with the optimum. @param {any} pen @param {number} width @param {number} height
 * @param {Plot} plot @param {import("./palette.js").Palette} palette */
export function drawCurves(pen, width, height, plot, palette) {
  const axes = axesOf(plot, width, height);
  drawAxes(pen, plot, axes, palette);
  const { frame, across, up } = axes;
  if (plot.optimum !== null) {
    const y = up(plot.optimum);
    pen.line(frame.left, y, frame.right, y, { stroke: palette.goal, width: 1.5, dash: [5, 4] });
  }
  const ends = plot.lines.map((line) => (line.bins.length ? up(line.bins[line.bins.length - 1].mean) : NaN));
  const alike = plot.lines.length > 1 && levelColour(palette, plot.lines[0].top) === levelColour(palette, plot.lines[1].top);
  plot.lines.forEach((line, index) => {
    const colour = levelColour(palette, line.top);
    pen.group(`${line.name}: ${line.words}`, () => drawLine(pen, line.bins, across, up, colour, alike && index > 0));
  });
  drawNames(pen, plot, ends, axes, palette);
}

/** Bins that would begin closer together than `gap` pixels, put together. @param {Bin[]} bins
 * @param {(episode: number) => number} across place of an episode @param {number} gap @returns {Bin[]} */
export function merged(bins, across, gap) {
  /** @type {Bin[]} */
  const result = [];
  for (const bin of bins) {
    const last = result[result.length - 1];
    if (!last || across(last.first) + gap <= across(bin.first)) {
      result.push({ ...bin });
      continue;
    }
    const [before, more] = [last.last - last.first + 1, bin.last - bin.first + 1];
    last.mean = Math.exp((before * Math.log(last.mean) + more * Math.log(bin.mean)) / (before + more));
    [last.last, last.low, last.high] = [bin.last, Math.min(last.low, bin.low), Math.max(last.high, bin.high)];
  }
  return result;
}

/** @param {any} pen @param {Bin[]} all @param {(value: number) => number} across @param {(value: number) => number} up
 * @param {string} colour @param {boolean} dashed */
function drawLine(pen, all, across, up, colour, dashed) {
  if (!all.length) return;
  const at = (/** @type {Bin} */ bin) => across(Math.sqrt(bin.first * bin.last));
  const bins = merged(all, across, 3);
  if (bins.some((bin) => bin.high > bin.low)) {
    const upper = bins.map((bin) => /** @type {Point} */ ([at(bin), up(bin.high)]));
    const lower = bins.map((bin) => /** @type {Point} */ ([at(bin), up(bin.low)])).reverse();
    pen.polyline([...upper, ...lower], { fill: colour, opacity: 0.16, closed: true });
  }
  const points = bins.map((bin) => /** @type {Point} */ ([at(bin), up(bin.mean)]));
  pen.polyline(points, { stroke: colour, width: 2, dash: dashed ? [2, 3] : [], cap: dashed ? "butt" : "round" });
  const last = points[points.length - 1];
  pen.circle(last[0], last[1], 3, { fill: colour });
}

/** @param {any} pen @param {Plot} plot @param {ReturnType<typeof axesOf>} axes @param {import("./palette.js").Palette} palette */
function drawAxes(pen, plot, axes, palette) {
  const { frame, many, across, up } = axes;
  const words = { fill: palette.quiet, size: 11 };
  for (const tick of logTicks(axes.low, axes.high, 6)) {
    const y = up(tick);
    pen.line(frame.left, y, frame.right, y, { stroke: palette.rule });
    pen.text(frame.left - 6, y, grouped(tick), { ...words, align: "end", baseline: "middle" });
  }
  const ticks = many ? logTicks(1, axes.most, 6) : [1, ...linearTicks(1, axes.most, 6).filter((tick) => tick > axes.most / 8)];
  for (const tick of ticks) pen.text(across(tick), frame.bottom + 15, grouped(tick), { ...words, align: "middle" });
  pen.line(frame.left, frame.bottom, frame.right, frame.bottom, { stroke: palette.quiet });
  pen.text((frame.left + frame.right) / 2, frame.bottom + 29, "episode", { ...words, align: "middle" });
  pen.text(4, frame.top - 12, plot.steps, { ...words, halo: palette.ground });
}

/** Each line's name at its end, instead of a legend. @param {any} pen @param {Plot} plot @param {number[]} ends
 * @param {ReturnType<typeof axesOf>} axes @param {import("./palette.js").Palette} palette */
function drawNames(pen, plot, ends, axes, palette) {
  const { frame, up } = axes;
  const names = plot.lines.map((line, index) => ({ words: line.name, y: ends[index], colour: levelColour(palette, line.top) }));
  if (plot.optimum !== null) names.push({ words: `optimum ${plot.optimum}`, y: up(plot.optimum), colour: palette.goal });
  const seen = names.filter((name) => Number.isFinite(name.y));
  const places = spread(seen.map((name) => name.y), 14, frame.top, frame.bottom);
  seen.forEach((name, index) => {
    const bold = name.words.startsWith("optimum") ? 500 : 650;
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
