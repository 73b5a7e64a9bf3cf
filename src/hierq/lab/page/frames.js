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

/** Reads arrays one after another, and says so when there are not enough numbers. They are copies, because arrays may start at any
 * byte. @param {ArrayBuffer} buffer */
function readerOf(buffer) {
  const reader = { place: 0, array: (/** @type {any} */ Numbers, /** @type {number} */ count) => {
    const [place, end] = [reader.place, reader.place + Numbers.BYTES_PER_ELEMENT * count];
    if (end > buffer.byteLength) throw new RangeError("the frame is shorter than it says");
    reader.place = end;
    return new Numbers(buffer.slice(place, end));
  } };
  return reader;
}

/** Decodes one frame. @param {ArrayBuffer} buffer @returns {Frame} @throws {RangeError} when it is not one */
export function decodeFrame(buffer) {
  const reader = readerOf(buffer);
  const [kind, agent, flags, level] = reader.array(Uint8Array, 4);
  const [id] = reader.array(Uint32Array, 1);
  const decoder = DECODERS[kind];
  if (!decoder) throw new RangeError(`there is no frame of kind ${kind}`);
  const frame = decoder(reader, { agent, flags, level, id });
  if (reader.place !== buffer.byteLength) throw new RangeError("the frame is longer than it says");
  return frame;
}

/** @type {Record<number, (reader: ReturnType<typeof readerOf>, header: Header) => Frame>} */
const DECODERS = {
  1: (reader, header) => {
    const [first, count] = reader.array(Uint32Array, 2);
    return { ...header, kind: "curve", first, trained: reader.array(Uint32Array, count), evaluated: reader.array(Uint32Array, count) };
  },
  2: (reader, header) => {
    const [steps, levels] = reader.array(Uint32Array, 2);
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
    const [goal, at, states] = reader.array(Int32Array, 3);
    return { ...header, kind: "view", goal, at, values: reader.array(Float32Array, states), policy: reader.array(Int32Array, states) };
  },
  4: (reader, header) => {
    const [done, planned, iterations] = reader.array(Uint32Array, 4);
    const [mean, low, high] = [1, 2, 3].map(() => reader.array(Float32Array, iterations));
    return { ...header, kind: "many", done, planned, iterations, finished: (header.flags & 1) !== 0, mean, low, high };
  },
};
