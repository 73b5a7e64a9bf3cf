// @ts-check
/** The server's binary frames: little endian, a header of 8 bytes, then the arrays; see hierq.lab.frames. */

/** @typedef {{agent: number, flags: number, level: number, id: number}} Header */
/** @typedef {Header & {kind: "curve", first: number, trained: Uint32Array, evaluated: Uint32Array}} CurveFrame */
/** @typedef {Header & {kind: "episode", steps: number, levels: number, reached: boolean, evaluation: boolean,
 *   states: Uint32Array, goals: Uint32Array, actions: Uint8Array, actors: Uint8Array}} EpisodeFrame
 *   goals is row by row: the goal of level l at step t is goals[t * levels + l] */
/** @typedef {Header & {kind: "view", goal: number, at: number, values: Float32Array, policy: Int32Array}} ViewFrame */
/** @typedef {Header & {kind: "many", done: number, planned: number, iterations: number, finished: boolean,
 *   mean: Float32Array, low: Float32Array, high: Float32Array}} ManyFrame */
/** @typedef {CurveFrame | EpisodeFrame | ViewFrame | ManyFrame} Frame */

/** Reads numbers one after another, and says so when there are not enough. */
class Reader {
  /** @param {ArrayBuffer} buffer */
  constructor(buffer) {
    this.buffer = buffer;
    this.view = new DataView(buffer);
    this.place = 0;
  }

  u8() {
    return this.view.getUint8(this.#step(1));
  }

  u32() {
    return this.view.getUint32(this.#step(4), true);
  }

  i32() {
    return this.view.getInt32(this.#step(4), true);
  }

  /** A copy, because arrays may start at any byte. @template T @param {{new (buffer: ArrayBuffer): T, BYTES_PER_ELEMENT: number}} Numbers
   * @param {number} count @returns {T} */
  array(Numbers, count) {
    const bytes = Numbers.BYTES_PER_ELEMENT * count;
    const place = this.#step(bytes);
    return new Numbers(this.buffer.slice(place, place + bytes));
  }

  /** @param {number} bytes @returns {number} */
  #step(bytes) {
    const place = this.place;
    if (place + bytes > this.buffer.byteLength) throw new RangeError("the frame is shorter than it says");
    this.place = place + bytes;
    return place;
  }
}

/** Decodes one frame. @param {ArrayBuffer} buffer @returns {Frame} @throws {RangeError} when it is not one */
export function decodeFrame(buffer) {
  const reader = new Reader(buffer);
  const kind = reader.u8();
  const header = { agent: reader.u8(), flags: reader.u8(), level: reader.u8(), id: reader.u32() };
  const decoder = DECODERS[kind];
  if (!decoder) throw new RangeError(`there is no frame of kind ${kind}`);
  const frame = decoder(reader, header);
  if (reader.place !== buffer.byteLength) throw new RangeError("the frame is longer than it says");
  return frame;
}

/** @type {Record<number, (reader: Reader, header: Header) => Frame>} */
const DECODERS = {
  1: (reader, header) => {
    const [first, count] = [reader.u32(), reader.u32()];
    return { ...header, kind: "curve", first, trained: reader.array(Uint32Array, count), evaluated: reader.array(Uint32Array, count) };
  },
  2: (reader, header) => {
    const [steps, levels] = [reader.u32(), reader.u32()];
    return {
      ...header,
      kind: "episode",
      steps,
      levels,
      reached: (header.flags & 1) !== 0,
      evaluation: (header.flags & 2) !== 0,
      states: reader.array(Uint32Array, steps + 1),
      goals: reader.array(Uint32Array, steps * levels),
      actions: reader.array(Uint8Array, steps),
      actors: reader.array(Uint8Array, steps),
    };
  },
  3: (reader, header) => {
    const [goal, at, states] = [reader.i32(), reader.i32(), reader.u32()];
    return { ...header, kind: "view", goal, at, values: reader.array(Float32Array, states), policy: reader.array(Int32Array, states) };
  },
  4: (reader, header) => {
    const [done, planned, iterations] = [reader.u32(), reader.u32(), reader.u32()];
    reader.u32();
    const [mean, low, high] = [1, 2, 3].map(() => reader.array(Float32Array, iterations));
    return { ...header, kind: "many", done, planned, iterations, finished: (header.flags & 1) !== 0, mean, low, high };
  },
};
