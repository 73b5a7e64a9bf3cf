import assert from "node:assert/strict";
import { test } from "node:test";

import { encodeGif, indexer, paletteOf } from "../../../src/hierq/lab/page/gif.js";
import { decodeGif } from "./gif_decoder.js";

/** A generator of numbers from 0 to 1 that are the same every time. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const GREYS = Array.from({ length: 255 }, (_, i) => [i, i, i]);

test("what is encoded can be decoded again, whatever its length", () => {
  const random = numbers(1);
  for (const count of [1, 2, 3, 254, 255, 256, 257, 511, 512, 767, 4093, 5000]) {
    const indices = Uint8Array.from({ length: count }, () => Math.floor(random() * 255));
    const [frame] = decodeGif(encodeGif(count, 1, GREYS, [{ indices, milliseconds: 40 }])).frames;
    assert.deepEqual(frame.indices, indices, `${count} pixels`);
  }
});

test("every length of a plain picture ends where it should", () => {
  for (let count = 1; count < 1200; count += 1) {
    const indices = Uint8Array.from({ length: count }, (_, i) => (i * i) % 7);
    const [frame] = decodeGif(encodeGif(count, 1, GREYS, [{ indices, milliseconds: 40 }])).frames;
    assert.deepEqual(frame.indices, indices, `${count} pixels`);
  }
});

test("a large noisy picture fills the table of codes more than once", () => {
  const random = numbers(2);
  const indices = Uint8Array.from({ length: 200 * 150 }, () => Math.floor(random() * 40));
  const [frame] = decodeGif(encodeGif(200, 150, GREYS, [{ indices, milliseconds: 40 }])).frames;
  assert.deepEqual(frame.indices, indices);
});

test("frames after the first hold only what changed, and add up to the same pictures", () => {
  const random = numbers(3);
  const frames = [];
  const picture = new Uint8Array(30 * 20);
  for (let f = 0; f < 12; f += 1) {
    for (let change = 0; change < f; change += 1) picture[Math.floor(random() * 600)] = Math.floor(random() * 255);
    frames.push({ indices: picture.slice(), milliseconds: 50 + f * 10 });
  }
  const decoded = decodeGif(encodeGif(30, 20, GREYS, frames));
  assert.equal(decoded.frames.length, 12);
  assert.equal(decoded.repeats, 0);
  decoded.frames.forEach((frame, f) => {
    assert.deepEqual(frame.indices, frames[f].indices);
    assert.equal(frame.milliseconds, frames[f].milliseconds);
  });
});

test("a palette keeps the colours of a flat picture exactly", () => {
  const colours = [
    [255, 255, 255],
    [29, 29, 59],
    [163, 41, 122],
  ];
  const picture = new Uint8ClampedArray(4 * 90);
  for (let i = 0; i < 90; i += 1) picture.set([...colours[i % 3], 255], 4 * i);
  const palette = paletteOf([picture]);
  assert.deepEqual([...palette].sort(), [...colours].sort());
  const indices = indexer(palette)(picture);
  assert.deepEqual(palette[indices[4]], colours[1]);
});

test("many colours are brought down to the nearest of 255", () => {
  const random = numbers(4);
  const picture = Uint8ClampedArray.from({ length: 4 * 5000 }, () => Math.floor(random() * 256));
  const palette = paletteOf([picture]);
  assert.equal(palette.length, 255);
  for (const index of indexer(palette)(picture)) assert.ok(index < 255);
});

test("a palette that is too large is refused", () => {
  const frame = { indices: new Uint8Array(1), milliseconds: 10 };
  assert.throws(() => encodeGif(1, 1, [...GREYS, [1, 2, 3]], [frame]), RangeError);
});
