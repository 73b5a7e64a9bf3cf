// @ts-check
/**
 * Two pens with the same small drawing interface, so that whatever is drawn on the screen can be exported:
 * CanvasPen draws on a canvas, SvgPen (svg_pen.js) writes an SVG file. Lengths are CSS pixels, colours CSS colours.
 */

import { arrowOutline } from "./geometry.js";

/**
 * @typedef {object} Style
 * @property {string} [fill] colour inside
 * @property {string} [stroke] colour of the line
 * @property {number} [width] of the line, 1 if left out
 * @property {number[]} [dash] lengths of dashes and gaps
 * @property {number} [opacity] 0 … 1
 * @property {number} [radius] of the corners of a rect
 * @property {"butt"|"round"} [cap] ends of lines
 * @property {boolean} [closed] whether a polyline returns to its first point
 * @property {number} [head] length of an arrow's head
 */

/**
 * @typedef {object} Letters
 * @property {string} [fill] colour
 * @property {number} [size] in pixels, 12 if left out
 * @property {number|string} [weight] 400 if left out
 * @property {boolean} [mono] a typewriter face, for numbers in columns
 * @property {"start"|"middle"|"end"} [align]
 * @property {"middle"|"alphabetic"|"top"} [baseline]
 * @property {number} [opacity]
 * @property {string} [halo] colour of an outline that keeps letters readable on a busy ground
 */

export const FACE = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
export const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace";

/** What every pen draws with its polylines. */
export class Pen {
  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style */
  line(x1, y1, x2, y2, style) {
    this.polyline([[x1, y1], [x2, y2]], style);
  }

  /** @param {ArrayLike<number>[]} points as [x, y] @param {Style} style */
  polyline(points, style) {
    /** @type {any} */ (this).polylines([points], style);
  }

  /** A straight arrow, filled. @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
   * @param {Style} style `fill` is its colour, `width` its shaft's, `head` the length of its head */
  arrow(x1, y1, x2, y2, style) {
    this.polyline(arrowOutline(x1, y1, x2, y2, style.width ?? 1, style.head ?? 6), { ...style, width: undefined, closed: true });
  }
}

/** Draws on a 2D canvas context whose transform already maps CSS pixels to the device's. */
export class CanvasPen extends Pen {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    super();
    this.context = context;
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {Style} style */
  rect(x, y, width, height, style) {
    this.#paint(style, (path) => (style.radius ? path.roundRect(x, y, width, height, style.radius) : path.rect(x, y, width, height)));
  }

  /** Many separate polylines with one style, in one go. @param {ArrayLike<number>[][]} lines @param {Style} style */
  polylines(lines, style) {
    this.#paint(style, (path) => lines.forEach((points) => {
      points.forEach((point, index) => (index ? path.lineTo(point[0], point[1]) : path.moveTo(point[0], point[1])));
      if (style.closed && points.length) path.closePath();
    }));
  }

  /** A quadratic curve, as geometry's `arcOver` gives it. @param {ArrayLike<number>} from @param {ArrayLike<number>} control
   * @param {ArrayLike<number>} to @param {Style} style */
  curve(from, control, to, style) {
    this.#paint(style, (path) => {
      path.moveTo(from[0], from[1]);
      path.quadraticCurveTo(control[0], control[1], to[0], to[1]);
    });
  }

  /** @param {number} x @param {number} y @param {number} radius @param {Style} style */
  circle(x, y, radius, style) {
    this.#paint(style, (path) => path.arc(x, y, radius, 0, 2 * Math.PI));
  }

  /** @param {number} x @param {number} y @param {string} words @param {Letters} letters */
  text(x, y, words, letters = {}) {
    const context = this.context;
    context.save();
    context.globalAlpha = letters.opacity ?? 1;
    context.font = `${letters.weight ?? 400} ${letters.size ?? 12}px ${letters.mono ? MONO : FACE}`;
    context.textAlign = letters.align === "middle" ? "center" : letters.align ?? "start";
    context.textBaseline = letters.baseline ?? "alphabetic";
    if (letters.halo) {
      context.lineJoin = "round";
      context.lineWidth = 3;
      context.strokeStyle = letters.halo;
      context.strokeText(words, x, y);
    }
    context.fillStyle = letters.fill ?? "#000";
    context.fillText(words, x, y);
    context.restore();
  }

  /** A grid in which every cell shows one of a few small pictures. What was drawn is kept, and only cells that changed are
   * drawn again: thousands of arrows cost little more than one picture.
   * @param {string} key names what is drawn, colours included; equal keys and kinds are equal pictures @param {number} x
   * @param {number} y @param {number} cell side of a cell @param {number} columns
   * @param {ArrayLike<number>} kinds row by row; below 0 for nothing
   * @param {(pen: any, kind: number) => void} draw a kind around the point (0, 0); what lies outside the cell is cut off */
  tiles(key, x, y, cell, columns, kinds, draw) {
    const ratio = this.context.getTransform().a;
    const rows = Math.ceil(kinds.length / columns);
    const layer = layerOf(this.context.canvas, `${key}|${cell}|${columns}|${rows}|${ratio}`, kinds.length, columns * cell * ratio, rows * cell * ratio);
    const paper = /** @type {any} */ (layer.picture.getContext("2d"));
    const side = cell * ratio;
    for (let index = 0; index < kinds.length; index += 1) {
      if (layer.kinds[index] === kinds[index]) continue;
      layer.kinds[index] = kinds[index];
      const [column, row] = [index % columns, Math.floor(index / columns)];
      const [left, top] = [Math.round(column * side), Math.round(row * side)];
      const [width, height] = [Math.round((column + 1) * side) - left, Math.round((row + 1) * side) - top];
      paper.clearRect(left, top, width, height);
      if (kinds[index] < 0) continue;
      const stamp = stampOf(`${key}|${kinds[index]}|${cell}|${ratio}`, Math.ceil(side), cell, (pen) => draw(pen, kinds[index]));
      paper.drawImage(stamp, 0, 0, width, height, left, top, width, height);
    }
    this.context.imageSmoothingEnabled = false;
    this.context.drawImage(layer.picture, x, y, layer.picture.width / ratio, layer.picture.height / ratio);
  }

  /** Groups drawings; in SVG the title is shown where the pointer is. @param {string} _title @param {() => void} draw */
  group(_title, draw) {
    draw();
  }

  /** @param {Style} style @param {(path: Path2D) => void} draw */
  #paint(style, draw) {
    const [context, path] = [this.context, new Path2D()];
    draw(path);
    context.globalAlpha = style.opacity ?? 1;
    if (style.fill) {
      context.fillStyle = style.fill;
      context.fill(path);
    }
    if (style.stroke) {
      context.strokeStyle = style.stroke;
      context.lineWidth = style.width ?? 1;
      context.lineCap = style.cap ?? "butt";
      context.lineJoin = "round";
      context.setLineDash(style.dash ?? []);
      context.stroke(path);
    }
    context.globalAlpha = 1;
  }
}

/** What is stored under a key, made if it is not there yet; a store that has grown too large is emptied first.
 * @template T @param {Map<string, T>} store @param {string} key @param {number} most @param {() => T} make @returns {T} */
function kept(store, key, most, make) {
  let found = store.get(key);
  if (found === undefined) {
    if (store.size > most) store.clear();
    found = make();
    store.set(key, found);
  }
  return found;
}

/** @typedef {{kinds: Int32Array, picture: OffscreenCanvas}} Layer */
/** @type {WeakMap<object, Map<string, Layer>>} */
const layers = new WeakMap();

/** What was drawn on a canvas under a key before; empty at first. @param {object} canvas @param {string} key
 * @param {number} cells @param {number} width @param {number} height @returns {Layer} */
function layerOf(canvas, key, cells, width, height) {
  const own = layers.get(canvas) ?? new Map();
  layers.set(canvas, own);
  return kept(own, key, 8, () => {
    const picture = new OffscreenCanvas(Math.max(1, Math.ceil(width)), Math.max(1, Math.ceil(height)));
    return { kinds: new Int32Array(cells).fill(-1), picture };
  });
}

/** @type {Map<string, OffscreenCanvas>} */
const stamps = new Map();

/** A small picture that a cell fills. @param {string} key @param {number} pixels its side @param {number} cell side of the cell
 * @param {(pen: any) => void} draw @returns {OffscreenCanvas} */
function stampOf(key, pixels, cell, draw) {
  return kept(stamps, key, 400, () => {
    const picture = new OffscreenCanvas(pixels, pixels);
    const context = /** @type {any} */ (picture.getContext("2d"));
    context.setTransform(pixels / cell, 0, 0, pixels / cell, pixels / 2, pixels / 2);
    draw(new CanvasPen(context));
    return picture;
  });
}
