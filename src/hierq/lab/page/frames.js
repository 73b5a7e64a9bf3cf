// @ts-check
/** The server's binary frames: little endian, a header of 8 bytes, then the arrays; see hierq.lab.frames. */

/** @typedef {{agent: number, flags: number, level: number, id: number}} Header */
/** @typedef {Header & {kind: "curve", first: number, evaluated: Uint32Array}} CurveFrame */
/** @typedef {Header & {kind: "episode", steps: number, reached: boolean, states: Uint32Array, actions: Uint8Array}} EpisodeFrame */
/** @typedef {Header & {kind: "view", goal: number, values: Float32Array, policy: Int32Array}} ViewFrame */
/** @typedef {Header & {kind: "many", done: number, planned: number, iterations: number, finished: boolean,
 *   mean: Float32Array, low: Float32Array, high: Float32Array}} ManyFrame */
/** @typedef {CurveFrame | EpisodeFrame | ViewFrame | ManyFrame} Frame */

/** Decodes one frame. Its arrays are copies, because they may start at any byte of the buffer. @param {ArrayBuffer} buffer
 * @returns {Frame} @throws {RangeError} when it is not one */
export function decodeFrame(buffer) {
  let place = 0;
  const next = (/** @type {any} */ Numbers, /** @type {number} */ count) => {
    const start = place;
    place += Numbers.BYTES_PER_ELEMENT * count;
    if (place > buffer.byteLength) throw new RangeError("the frame is shorter than it says");
    return new Numbers(buffer.slice(start, place));
  };
  const [kind, agent, flags, level] = next(Uint8Array, 4);
  const [id] = next(Uint32Array, 1);
  if (!(kind in DECODERS)) throw new RangeError(`there is no frame of kind ${kind}`);
  const frame = { agent, flags, level, id, ...DECODERS[kind](next, flags) };
  if (place !== buffer.byteLength) throw new RangeError("the frame is longer than it says");
  return frame;
}

/** What each kind of frame holds after the header. `next` gives the next numbers of a type.
 * @type {Record<number, (next: (Numbers: any, count: number) => any, flags: number) => any>} */
const DECODERS = {
  1: (next) => {
    const [first, count] = next(Uint32Array, 2);
    return { kind: "curve", first, evaluated: next(Uint32Array, count) };
  },
  2: (next, flags) => {
    const [steps] = next(Uint32Array, 1);
    return { kind: "episode", steps, reached: (flags & 1) !== 0, states: next(Uint32Array, steps + 1), actions: next(Uint8Array, steps) };
  },
  3: (next) => {
    const [goal, states] = next(Uint32Array, 2);
    return { kind: "view", goal, values: next(Float32Array, states), policy: next(Int32Array, states) };
  },
  4: (next, flags) => {
    const [done, planned, iterations] = next(Uint32Array, 4);
    const [mean, low, high] = [1, 2, 3].map(() => next(Float32Array, iterations));
    return { kind: "many", done, planned, iterations, finished: (flags & 1) !== 0, mean, low, high };
  },
};
