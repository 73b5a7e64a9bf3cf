// @ts-check
/** The pen that writes an SVG document; its methods are those of CanvasPen. */

import { FACE, MONO, Pen } from "./pen.js";

/** @typedef {import("./pen.js").Style} Style */

export class SvgPen extends Pen {
  /** @param {number} width @param {number} height @param {string} [title] what the picture shows */
  constructor(width, height, title = "") {
    super();
    this.width = width;
    this.height = height;
    this.title = title;
    /** @type {string[]} */
    this.parts = [];
  }

  rect(x, y, width, height, style) {
    const corner = style.radius ? ` rx="${short(style.radius)}"` : "";
    const place = `x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
    this.parts.push(`<rect ${place}${corner}${attributes(style)}/>`);
  }

  polylines(lines, style) {
    const path = lines.filter(({ length }) => length).map((points) => `M${points.map(pair).join("L")}${style.closed ? "Z" : ""}`).join("");
    if (path) this.parts.push(`<path d="${path}"${attributes(style)}/>`);
  }

  curve(from, control, to, style) {
    const path = `M${pair(from)}Q${pair(control)} ${pair(to)}`;
    this.parts.push(`<path d="${path}"${attributes(style)}/>`);
  }

  circle(x, y, radius, style) {
    this.parts.push(`<circle cx="${short(x)}" cy="${short(y)}" r="${short(radius)}"${attributes(style)}/>`);
  }

  text(x, y, words, letters = {}) {
    const size = letters.size ?? 12;
    const drop = letters.baseline === "middle" ? 0.35 * size : letters.baseline === "top" ? 0.8 * size : 0;
    const halo = letters.halo ? ` stroke="${escaped(letters.halo)}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"` : "";
    const face = escaped(letters.mono ? MONO : FACE);
    this.parts.push(
      `<text x="${short(x)}" y="${short(y + drop)}" font-family="${face}" font-size="${short(size)}"` +
        ` font-weight="${letters.weight ?? 400}" text-anchor="${letters.align ?? "start"}" fill="${escaped(letters.fill ?? "#000")}"` +
        `${letters.opacity === undefined ? "" : ` opacity="${short(letters.opacity)}"`}${halo}>${escaped(words)}</text>`,
    );
  }

  tiles(_key, x, y, cell, columns, kinds, draw) {
    for (let index = 0; index < kinds.length; index += 1) {
      if (kinds[index] < 0) continue;
      const tile = new SvgPen(0, 0);
      draw(tile, kinds[index]);
      const place = [x + ((index % columns) + 0.5) * cell, y + (Math.floor(index / columns) + 0.5) * cell];
      this.parts.push(`<g transform="translate(${pair(place)})">${tile.parts.join("")}</g>`);
    }
  }

  group(title, draw) {
    this.parts.push("<g>", `<title>${escaped(title)}</title>`);
    draw();
    this.parts.push("</g>");
  }

  /** The whole document. @returns {string} */
  toString() {
    const size = `width="${short(this.width)}" height="${short(this.height)}" viewBox="0 0 ${short(this.width)} ${short(this.height)}"`;
    const title = this.title ? `<title>${escaped(this.title)}</title>` : "";
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${title}${this.parts.join("")}</svg>\n`;
  }
}

/** @param {number} number @returns {string} */
const short = (number) => String(Math.round(number * 100) / 100);

/** @param {ArrayLike<number>} point @returns {string} */
const pair = (point) => `${short(point[0])} ${short(point[1])}`;

/** @param {Style} style @returns {string} */
function attributes(style) {
  let words = ` fill="${escaped(style.fill ?? "none")}"`;
  if (style.stroke) {
    words += ` stroke="${escaped(style.stroke)}" stroke-width="${short(style.width ?? 1)}" stroke-linejoin="round"`;
    if (style.cap) words += ` stroke-linecap="${style.cap}"`;
    if (style.dash?.length) words += ` stroke-dasharray="${style.dash.map(short).join(" ")}"`;
  }
  if (style.opacity !== undefined) words += ` opacity="${short(style.opacity)}"`;
  return words;
}

/** Words as XML and HTML take them. @param {string} words @returns {string} */
export function escaped(words) {
  return words.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);
}
