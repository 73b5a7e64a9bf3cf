// @ts-check
// A small GIF89a encoder: one palette for all frames, LZW, and only what changed from frame to frame.

const MOST_COLOURS = 255; // one of the 256 entries is left for "as before"
const MOST_CODES = 4096;

/** A palette for some pictures: their most frequent colours, told apart to five bits a channel.
 * @param {Uint8ClampedArray[]} pictures RGBA bytes @returns {number[][]} at most 255 colours as [red, green, blue] */
export function paletteOf(pictures) {
  /** @type {Map<number, number[]>} */
  const bins = new Map();
  for (const picture of pictures) {
    for (const word of wordsOf(picture)) {
      const bin = bins.get(binOf(word)) ?? [0, 0, 0, 0];
      [1, ...partsOf(word)].forEach((part, index) => (bin[index] += part));
      bins.set(binOf(word), bin);
    }
  }
  const frequent = [...bins.values()].sort((a, b) => b[0] - a[0]).slice(0, MOST_COLOURS);
  return frequent.map(([count, red, green, blue]) => [red, green, blue].map((sum) => Math.round(sum / count)));
}

/** A function that turns RGBA bytes into numbers of a palette's colours, the nearest ones. @param {number[][]} palette
 * @returns {(picture: Uint8ClampedArray) => Uint8Array} */
export function indexer(palette) {
  const known = new Int16Array(1 << 15).fill(-1);
  return (picture) => {
    const words = wordsOf(picture);
    const indices = new Uint8Array(words.length);
    words.forEach((word, at) => {
      const key = binOf(word);
      if (known[key] < 0) known[key] = nearest(palette, partsOf(word));
      indices[at] = known[key];
    });
    return indices;
  };
}

/** Encodes frames as an animated GIF that repeats for ever. @param {number} width @param {number} height
 * @param {number[][]} palette at most 255 colours @param {{indices: Uint8Array, milliseconds: number}[]} frames
 * @returns {Uint8Array} the bytes of the file */
export function encodeGif(width, height, palette, frames) {
  if (palette.length > MOST_COLOURS) throw new RangeError(`a palette has at most ${MOST_COLOURS} colours`);
  /** @type {number[]} */
  const file = [];
  const asBefore = palette.length;
  file.push(...letters("GIF89a"), ...shorts(width, height));
  file.push(0xf7, 0, 0); // a global palette of 256 colours
  for (let i = 0; i < 256; i += 1) file.push(...(palette[i] ?? [0, 0, 0]));
  file.push(0x21, 0xff, 11, ...letters("NETSCAPE2.0"));
  file.push(3, 1, 0, 0, 0); // for ever
  let before = null;
  for (const { indices, milliseconds } of frames) {
    const box = before ? changedBox(before, indices, width, height) : { left: 0, top: 0, width, height };
    file.push(0x21, 0xf9, 4, before ? 0x05 : 0x04); // leave in place; the second bit: one colour is see-through
    file.push(...shorts(Math.round(milliseconds / 10)), asBefore, 0);
    file.push(0x2c, ...shorts(box.left, box.top, box.width, box.height), 0);
    compress(cut(before, indices, width, box, asBefore), file);
    before = indices;
  }
  file.push(0x3b);
  return Uint8Array.from(file);
}

/** @param {string} words */
const letters = (words) => [...words].map((letter) => letter.charCodeAt(0));

/** Two bytes for each number. @param {number[]} numbers */
const shorts = (...numbers) => numbers.flatMap((number) => [number & 255, (number >> 8) & 255]);

/** One number for each pixel. @param {Uint8ClampedArray} picture RGBA bytes */
const wordsOf = (picture) => new Uint32Array(picture.buffer, picture.byteOffset, picture.length >> 2);

/** Red, green and blue of a pixel. @param {number} word */
const partsOf = (word) => [word & 255, (word >> 8) & 255, (word >> 16) & 255];

/** @param {number} word */
const binOf = (word) => ((word & 0xf8) << 7) | ((word >> 6) & 0x3e0) | ((word >> 19) & 0x1f);

/** @param {number[][]} palette @param {number[]} parts */
function nearest(palette, [red, green, blue]) {
  const far = palette.map((colour) => 2 * (colour[0] - red) ** 2 + 4 * (colour[1] - green) ** 2 + 3 * (colour[2] - blue) ** 2);
  return far.indexOf(Math.min(...far));
}

/** The smallest box with all pixels that changed; one pixel if none did. */
function changedBox(before, now, width, height) {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (before[y * width + x] !== now[y * width + x]) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = y;
      }
    }
  }
  return right < 0
    ? { left: 0, top: 0, width: 1, height: 1 }
    : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The pixels of a box, with the see-through colour where nothing changed: long runs compress well. */
function cut(before, now, width, box, asBefore) {
  const part = new Uint8Array(box.width * box.height);
  for (let y = 0; y < box.height; y += 1) {
    for (let x = 0; x < box.width; x += 1) {
      const at = (box.top + y) * width + box.left + x;
      part[y * box.width + x] = before && before[at] === now[at] ? asBefore : now[at];
    }
  }
  return part;
}

/** LZW as in GIF: codes of nine to twelve bits, least significant bit first, in blocks of at most 255 bytes.
 * @param {Uint8Array} pixels @param {number[]} file */
function compress(pixels, file) {
  const [clear, end] = [256, 257];
  let [size, next] = [9, 258];
  let [bits, filled] = [0, 0];
  /** @type {number[]} */
  let block = [];
  const table = new Map();
  const emit = (code) => {
    bits |= code << filled;
    filled += size;
    while (filled >= 8) {
      block.push(bits & 255);
      bits >>>= 8;
      filled -= 8;
      if (block.length === 255) flush();
    }
  };
  const flush = () => {
    if (block.length > 0) file.push(block.length, ...block);
    block = [];
  };
  file.push(8);
  emit(clear);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at += 1) {
    const key = prefix * 256 + pixels[at];
    const code = table.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    emit(prefix);
    if (next < MOST_CODES) {
      table.set(key, next);
      if (next === 1 << size) size += 1; // the decoder is one code behind
      next += 1;
    } else {
      emit(clear);
      table.clear();
      [size, next] = [9, 258];
    }
    prefix = pixels[at];
  }
  emit(prefix);
  if (next === 1 << size && size < 12) size += 1;
  emit(end);
  if (filled > 0) block.push(bits & 255);
  flush();
  file.push(0);
}
