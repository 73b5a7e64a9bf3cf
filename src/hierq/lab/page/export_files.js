// @ts-check
/** Files made from what is on the screen: PNG, SVG and video. */

import { CanvasPen } from "./pen.js";
import { SvgPen } from "./svg_pen.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Picture} Picture */

const SHARPER = 2;
const LAST_PAUSE = 1000;

/** @param {App} app @param {Picture} picture @returns {Promise<Blob>} */
export function pngOf(app, picture) {
  const { canvas, pen } = stage(picture.size(), SHARPER);
  drawOnGround(app, picture, pen);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The browser made no PNG."))), "image/png");
  });
}

/** @param {App} app @param {Picture} picture @returns {Blob} */
export function svgOf(app, picture) {
  const { width, height } = picture.size();
  const pen = new SvgPen(width, height, picture.title);
  drawOnGround(app, picture, pen);
  return new Blob([pen.toString()], { type: "image/svg+xml" });
}

/** @param {App} app @param {Picture} picture @param {import("./pen.js").Pen} pen */
function drawOnGround(app, picture, pen) {
  const { width, height } = picture.size();
  /** @type {any} */ (pen).rect(0, 0, width, height, { fill: app.palette.ground });
  picture.draw(pen, width, height);
}

/** The first kind of video this browser can record, or "" where it cannot. @returns {string} */
export function videoKind() {
  const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
  const able = typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
  return able ? kinds.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? "" : "";
}

/** Records a film while it plays, in real time. @param {App} app @param {import("./film.js").Film} film
 * @param {(share: number) => void} progress @returns {Promise<Blob>} */
export async function videoOf(app, film, progress) {
  const kind = videoKind();
  if (!kind) throw new Error("This browser cannot record videos.");
  const { canvas, pen } = stage(film, 1);
  film.draw(pen, app.palette, 0);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 4_000_000 });
  /** @type {Blob[]} */
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const began = performance.now();
  const length = film.pause * film.count + LAST_PAUSE;
  for (let passed = 0; passed < length; passed = performance.now() - began) {
    film.draw(pen, app.palette, Math.min(film.count - 1, Math.floor(passed / film.pause)));
    progress(passed / length);
    await nextFrame();
  }
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: kind.split(";")[0] });
}

/** A canvas nobody sees. @param {{width: number, height: number}} size @param {number} scale */
function stage({ width, height }, scale) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser gives no room to draw.");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { canvas, pen: new CanvasPen(context) };
}

/** @returns {Promise<unknown>} */
function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
