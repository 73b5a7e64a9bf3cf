import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { decodeFrame } from "../../../src/hierq/lab/page/frames.js";

const { frames } = JSON.parse(readFileSync(new URL("../frames.json", import.meta.url), "utf8"));

function bytes(hex) {
  return Uint8Array.from(Buffer.from(hex, "hex")).buffer;
}

for (const { name, hex, decoded } of frames) {
  test(`the server's fixture is read: ${name}`, () => {
    const frame = decodeFrame(bytes(hex));
    for (const [key, expected] of Object.entries(decoded)) {
      const value = ArrayBuffer.isView(frame[key]) ? Array.from(frame[key]) : frame[key];
      assert.deepEqual(value, expected, key);
    }
  });

  test(`cut or padded it is refused: ${name}`, () => {
    assert.throws(() => decodeFrame(bytes(hex.slice(0, -2))), RangeError);
    assert.throws(() => decodeFrame(bytes(`${hex}00`)), RangeError);
  });
}

test("an unknown kind is refused", () => {
  assert.throws(() => decodeFrame(bytes("0900000000000000")), /kind 9/);
});
