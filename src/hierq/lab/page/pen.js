// @ts-check
/** A small drawing interface over a canvas. Lengths are CSS pixels, colours CSS colours. */

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

const FACE = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace";

/** Draws on a 2D canvas context whose transform already maps CSS pixels to the device's. */
export class CanvasPen {
  /** @param {CanvasRenderingContext2D} context */
  constructor(context) {
    this.context = context;
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {Style} style */
  line(x1, y1, x2, y2, style) {
    this.polyline([[x1, y1], [x2, y2]], style);
  }

  /** @param {ArrayLike<number>[]} points as [x, y] @param {Style} style */
  polyline(points, style) {
    this.polylines([points], style);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {Style} style */
  rect(x, y, width, height, style) {
    this.#paint(style, (path) => (style.radius ? path.roundRect(x, y, width, height, style.radius) : path.rect(x, y, width, height)));
  }

  /** Many squares with one style, in one go. @param {number[][]} corners upper left, as [x, y] @param {number} side @param {Style} style */
  squares(corners, side, style) {
    this.#paint(style, (path) => corners.forEach(([x, y]) => path.rect(x, y, side, side)));
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
