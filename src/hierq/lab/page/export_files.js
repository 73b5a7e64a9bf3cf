// @ts-check
/** Files made from what is on the screen: PNG, SVG and video. */

import { lastMoment, sceneOf } from "./credit_scene.js";
import { CanvasPen } from "./pen.js";
import { SvgPen } from "./svg_pen.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Picture} Picture */

const SHARPER = 2;
const [MARGIN, TITLE] = [12, 36];
const LEAST_BYTES = 1000; // of a video with a picture in it
const [LEAST_LENGTH, MOST_LENGTH, MOST_PAUSE, LAST_PAUSE] = [2000, 12_000, 700, 1000]; // milliseconds

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

/** What the tab that is open can play: how many moments, how to go to one, and which pictures show it, in rows. @param {App} app */
function playOf({ state, training, update }) {
  if (state.tab === "credit") {
    const count = lastMoment(sceneOf(state)) + 1;
    if (count === 1) throw new Error("The credit view has no trace yet.");
    return { count, go: (/** @type {number} */ at) => update({ credit: { ...state.credit, at } }), rows: [["credit"], ["credit-map-a", "credit-map-b"]] };
  }
  if (training.longest === 0) throw new Error("There is no episode yet: press “Episode” first.");
  return { count: training.longest + 1, go: (/** @type {number} */ at) => update({ at }), rows: [["world-a", "world-b"]] };
}

/** Where pictures stand that are drawn in rows, each below its title. @param {Picture[][]} rows */
function placed(rows) {
  let [width, top] = [0, 0];
  const places = rows.flatMap((row) => {
    let left = MARGIN;
    const line = row.map((picture) => ({ picture, ...picture.size(), x: (left += picture.size().width + MARGIN) - picture.size().width - MARGIN, y: top + TITLE }));
    [width, top] = [Math.max(width, left), top + TITLE + Math.max(...line.map(({ height }) => height)) + MARGIN];
    return line;
  });
  return { places, width, height: top };
}

/** Plays what the open tab shows, and records it. @param {App} app @param {(share: number) => void} progress @returns {Promise<Blob>} */
export async function videoOf(app, progress) {
  const kind = videoKind();
  const { count, go, rows } = playOf(app);
  const { places, ...size } = placed(rows.map((row) => row.map((name) => /** @type {Picture} */ (app.pictures.get(name)))));
  const { canvas, context, pen } = stage(size, 1);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 4_000_000 });
  /** @type {Blob[]} */
  const parts = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const stopped = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  const began = performance.now();
  const length = Math.max(LEAST_LENGTH, Math.min(MOST_LENGTH, count * MOST_PAUSE)) + LAST_PAUSE;
  for (let passed = 0; passed < length; passed = performance.now() - began) {
    go(Math.min(count - 1, Math.floor((passed / (length - LAST_PAUSE)) * count)));
    context.setTransform(1, 0, 0, 1, 0, 0);
    pen.rect(0, 0, size.width, size.height, { fill: app.palette.ground });
    for (const { picture, x, y, width, height } of places) {
      context.setTransform(1, 0, 0, 1, x, y);
      pen.text(0, -10, picture.title, { fill: app.palette.ink, size: 14, weight: 700 });
      picture.draw(pen, width, height);
    }
    progress(passed / length);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  recorder.stop();
  await stopped;
  const file = new Blob(parts, { type: kind.split(";")[0] });
  if (file.size < LEAST_BYTES) throw new Error("The browser recorded nothing. Try again when the machine has less to do.");
  return file;
}

/** A canvas that is not shown. @param {{width: number, height: number}} size @param {number} scale */
function stage({ width, height }, scale) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser cannot make a canvas.");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  return { canvas, context, pen: new CanvasPen(context) };
}
