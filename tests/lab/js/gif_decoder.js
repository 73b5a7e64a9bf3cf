// A plain GIF decoder for the tests, written from the specification.

export function decodeGif(bytes) {
  let at = 0;
  const byte = () => bytes[at++];
  const short = () => byte() + 256 * byte();
  const text = (length) => String.fromCharCode(...bytes.slice(at, (at += length)));
  if (text(6) !== "GIF89a") throw new Error("no GIF");
  const [width, height] = [short(), short()];
  const flags = byte();
  at += 2 + 3 * 2 ** ((flags & 7) + 1);
  const frames = [];
  let canvas = new Uint8Array(width * height);
  let [milliseconds, seeThrough, repeats] = [0, -1, -1];
  for (;;) {
    const kind = byte();
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      const label = byte();
      const body = blocks();
      if (label === 0xf9) {
        milliseconds = 10 * (body[1] + 256 * body[2]);
        seeThrough = body[0] & 1 ? body[3] : -1;
      } else if (label === 0xff) {
        repeats = body[12] + 256 * body[13];
      }
    } else if (kind === 0x2c) {
      const [left, top, w, h] = [short(), short(), short(), short()];
      if (byte() !== 0) throw new Error("only global palettes are known");
      const size = byte();
      const pixels = expand(blocks(), size);
      if (pixels.length !== w * h) throw new Error(`${pixels.length} pixels instead of ${w * h}`);
      canvas = canvas.slice();
      pixels.forEach((pixel, i) => {
        if (pixel !== seeThrough) canvas[(top + Math.floor(i / w)) * width + left + (i % w)] = pixel;
      });
      frames.push({ indices: canvas, milliseconds });
    } else {
      throw new Error(`what is ${kind}?`);
    }
  }
  if (at !== bytes.length) throw new Error("bytes after the end");
  return { width, height, frames, repeats };

  function blocks() {
    const body = [];
    for (let length = byte(); length > 0; length = byte()) for (let i = 0; i < length; i += 1) body.push(byte());
    return body;
  }
}

function expand(body, size) {
  const [clear, end] = [1 << size, (1 << size) + 1];
  let [table, width, before] = [[], size + 1, null];
  let [bits, filled] = [0, 0];
  const out = [];
  for (const piece of body) {
    bits |= piece << filled;
    filled += 8;
    while (filled >= width) {
      const code = bits & ((1 << width) - 1);
      bits >>>= width;
      filled -= width;
      if (code === clear) {
        table = Array.from({ length: end + 1 }, (_, i) => [i]);
        [width, before] = [size + 1, null];
        continue;
      }
      if (code === end) return out;
      const word = code < table.length ? table[code] : [...before, before[0]];
      if (before && table.length < 4096) table.push([...before, word[0]]);
      if (table.length === 1 << width && width < 12) width += 1;
      out.push(...word);
      before = word;
    }
  }
  throw new Error("no end");
}
