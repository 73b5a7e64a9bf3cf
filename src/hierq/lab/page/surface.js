// @ts-check
/** A canvas that is sharp on every screen and drawn at most once a frame, only when something changed. */

import { onceAFrame } from "./dom.js";
import { CanvasPen } from "./pen.js";

/** Counts frames that were drawn; read by the benchmark. @type {{drawn: number, milliseconds: number}} */
export const drawing = { drawn: 0, milliseconds: 0 };

export class Surface {
  /** @param {HTMLCanvasElement} canvas its CSS size decides how large it is
   * @param {(pen: CanvasPen, width: number, height: number) => void} draw in CSS pixels, on a cleared canvas */
  constructor(canvas, draw) {
    this.canvas = canvas;
    this.draw = draw;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.pen = new CanvasPen(this.context);
    this.width = 0;
    this.height = 0;
    /** Asks for a new drawing with the next frame. */
    this.changed = onceAFrame(() => this.now());
    // Its size comes from here, because asking for it while drawing would make the browser lay out the page each time.
    new ResizeObserver((entries) => {
      const box = entries[entries.length - 1].contentRect;
      [this.width, this.height] = [box.width, box.height];
      this.now();
    }).observe(canvas);
  }

  /** Draws at once. */
  now() {
    if (!this.width) [this.width, this.height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const { width, height } = this;
    if (!width || !height) return;
    const began = performance.now();
    const ratio = globalThis.devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high) [this.canvas.width, this.canvas.height] = [wide, high];
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.draw(this.pen, width, height);
    drawing.drawn += 1;
    drawing.milliseconds += performance.now() - began;
  }
}
