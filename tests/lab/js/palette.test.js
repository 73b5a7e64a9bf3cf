import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { DARK, heatColour, heatShare, levelColour, LIGHT, mixed } from "../../../src/hierq/lab/page/palette.js";

const source = (path) => readFileSync(new URL(`../../../src/hierq/${path}`, import.meta.url), "utf8");

/** Contrast of two colours after WCAG, 1 … 21. */
function contrast(...colours) {
  const [light, dark] = colours.map(luminance).sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour) {
  const [red, green, blue] = colour.match(/[0-9a-f]{2}/g).map((part) => {
    const share = Number.parseInt(part, 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("levels and sub-goals have the colours of the figures", () => {
  const style = source("figures/style.py");
  const colours = (name) => new RegExp(`${name} = \\(([^)]*)\\)`).exec(style)[1].match(/#[0-9a-f]{6}/g);
  assert.deepEqual(LIGHT.levels, colours("LEVEL_COLOURS"));
});

test("the signs of a map have the colours of the figures", () => {
  const pictures = source("worlds/pictures.py");
  const colour = (name) => `#${new RegExp(`${name}(?:_COLOUR =|:|S,) \\(([^)]*)\\)`).exec(pictures)[1].split(",").map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  for (const sign of ["wall", "start", "goal", "hole", "door", "teleport", "sign", "agent"]) assert.equal(LIGHT[sign], colour(sign.toUpperCase()), sign);
});

test("after the fourth level the colours come again", () => {
  assert.equal(levelColour(LIGHT, 4), levelColour(LIGHT, 0));
  assert.equal(levelColour(DARK, 5), levelColour(DARK, 1));
});

for (const palette of [LIGHT, DARK]) {
  test(`words are readable: ${palette.name}`, () => {
    for (const colour of [palette.ink, palette.quiet, palette.accent]) assert.ok(contrast(colour, palette.ground) >= 4.5, colour);
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      assert.ok(contrast(palette.levels[0], heatColour(palette, share)) >= 2.5, `arrows on values, ${share}`);
    }
  });

  test(`higher values are stronger: ${palette.name}`, () => {
    const steps = [0, 0.25, 0.5, 0.75, 1].map((share) => contrast(heatColour(palette, share), palette.free));
    assert.deepEqual(steps, steps.slice().sort((a, b) => a - b));
  });
}

test("values become shares", () => {
  assert.equal(heatShare(0, 0), 0);
  assert.equal(heatShare(1, 0), 1);
  assert.equal(heatShare(-3, -3), 0);
  assert.equal(heatShare(0, -3), 1);
  assert.equal(mixed("#000000", "#ffffff", 0.5), "#808080");
});
