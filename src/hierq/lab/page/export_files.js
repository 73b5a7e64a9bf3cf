// @ts-check
/** Files made from what is on the screen: PNG, SVG, GIF, video, and a page that plays without a server. */

import { bundle, standAlonePage } from "./bundle.js";
import { filmOf } from "./film.js";
import { encodeGif, indexer, paletteOf as coloursOf } from "./gif.js";
import { CanvasPen } from "./pen.js";
import { SvgPen } from "./svg_pen.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Picture} Picture */
/** @typedef {import("./film.js").Recording} Recording */

const SHARPER = 2;
const MOST_GIF_FRAMES = 160;
const GIF_WIDTH = 800;
const LAST_PAUSE = 2000;

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

/** The moments of a film that a GIF shows: all, or so many evenly spread ones; first and last always. @param {number} count
 * @param {number} [most] @returns {number[]} */
function momentsShown(count, most = MOST_GIF_FRAMES) {
  const shown = Math.min(count, most);
  return Array.from({ length: shown }, (_, index) => (shown < 2 ? 0 : Math.round((index * (count - 1)) / (shown - 1))));
}

/** @param {App} app @param {Recording} recording @param {(share: number) => void} progress @returns {Promise<Blob>} */
export async function gifOf(app, recording, progress) {
  const film = filmOf(recording);
  const scale = Math.min(1, GIF_WIDTH / film.width);
  const { canvas, context, pen } = stage(film, scale);
  const moments = momentsShown(film.count);
  const look = (/** @type {number} */ moment) => {
    film.draw(pen, app.palette, moment);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const samples = [0, 0.5, 1].map((share) => look(moments[Math.round(share * (moments.length - 1))]));
  const colours = coloursOf(samples);
  const indicesOf = indexer(colours);
  const pause = Math.max(40, (film.pause * film.count) / moments.length);
  const frames = [];
  for (const [index, moment] of moments.entries()) {
    frames.push({ indices: indicesOf(look(moment)), milliseconds: index === moments.length - 1 ? LAST_PAUSE : pause });
    progress(index / moments.length);
    await nextFrame(); // the page stays alive meanwhile
  }
  return new Blob([encodeGif(canvas.width, canvas.height, colours, frames)], { type: "image/gif" });
}

/** The first kind of video this browser can record, or "" where it cannot. @returns {string} */
export function videoKind() {
  const kinds = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
  const able = typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
  return able ? kinds.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? "" : "";
}

/** Records a film while it plays, in real time. @param {App} app @param {Recording} recording
 * @param {(share: number) => void} progress @returns {Promise<Blob>} */
export async function videoOf(app, recording, progress) {
  const kind = videoKind();
  if (!kind) throw new Error("This browser cannot record videos; take the GIF.");
  const film = filmOf(recording);
  const { canvas, pen } = stage(film, 1);
  film.draw(pen, app.palette, 0);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 4_000_000 });
  /** @type {Blob[]} */
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const began = performance.now();
  const length = film.pause * film.count + LAST_PAUSE / 2;
  for (let passed = 0; passed < length; passed = performance.now() - began) {
    film.draw(pen, app.palette, Math.min(film.count - 1, Math.floor(passed / film.pause)));
    progress(passed / length);
    await nextFrame();
  }
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: kind.split(";")[0] });
}

/** One HTML file that plays recordings without a server. @param {App} app @param {Recording[]} recordings @returns {Promise<Blob>} */
export async function pageOf(app, recordings) {
  const { parts } = await app.socket.ask({ do: "player" });
  const made = `Made with the hierq lab on ${new Date().toISOString().slice(0, 10)}. It plays without a server.`;
  const data = { recordings, made };
  const page = standAlonePage({ title: "hierq lab: a recording", style: parts["player.css"], script: bundle(parts, "player.js"), data });
  return new Blob([page], { type: "text/html" });
}

/** A canvas nobody sees, whose pixels are read. @param {{width: number, height: number}} size @param {number} scale */
function stage({ width, height }, scale) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("The browser gives no room to draw.");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { canvas, context, pen: new CanvasPen(context) };
}

/** @returns {Promise<unknown>} */
function nextFrame() {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}
