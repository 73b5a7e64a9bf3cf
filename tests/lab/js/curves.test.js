import assert from "node:assert/strict";
import { test } from "node:test";

import { axesOf, binsOf, Curve, drawCurves, merged } from "../../../src/hierq/lab/page/curves.js";
import { LIGHT } from "../../../src/hierq/lab/page/palette.js";
import { SvgPen } from "../../../src/hierq/lab/page/svg_pen.js";

test("the first episodes are kept one by one", () => {
  const curve = new Curve();
  curve.add([100, 50, 20]);
  assert.deepEqual(curve.bins().map(({ first, last, mean }) => [first, last, Math.round(mean)]), [[1, 1, 100], [2, 2, 50], [3, 3, 20]]);
});

test("a million episodes need a few hundred bins, none is lost", () => {
  const curve = new Curve();
  const steps = Uint32Array.from({ length: 10_000 }, (_, index) => 20 + (index % 7));
  for (let batch = 0; batch < 100; batch += 1) curve.add(steps);
  const bins = curve.bins();
  assert.equal(curve.count, 1_000_000);
  assert.ok(bins.length < 700, String(bins.length));
  bins.forEach((bin, index) => assert.equal(bin.first, index ? bins[index - 1].last + 1 : 1));
  assert.equal(bins.at(-1).last, 1_000_000);
  assert.ok(bins.every((bin) => bin.low <= bin.mean + 1e-9 && bin.mean <= bin.high + 1e-9));
});

test("bins that lie close together are put together with their weights", () => {
  const bins = binsOf([10, 1000, 30], [10, 1000, 30], [10, 1000, 30]);
  const [one, two] = merged(bins, (episode) => (episode === 3 ? 50 : episode), 10);
  assert.deepEqual([one.first, one.last, Math.round(one.mean), one.low, one.high], [1, 2, 100, 10, 1000]);
  assert.equal(two.mean, 30);
});

/** @param {number[]} a @param {number[]} b */
function plot(a, b) {
  const line = (name, values, top) => ({ name, words: `${top + 1} levels`, top, bins: binsOf(values, values, values) });
  return { lines: [line("A", a, 0), line("B", b, 2)], optimum: 20, steps: "evaluation steps" };
}

test("axes hold everything there is", () => {
  for (const shown of [plot([], []), plot([5000, 20], [131, 25]), plot(Array(500).fill(30), [20_000])]) {
    const axes = axesOf(shown, 400, 240);
    for (const { bins } of shown.lines) {
      for (const bin of bins) {
        assert.ok(axes.up(bin.high) >= axes.frame.top && axes.up(bin.low) <= axes.frame.bottom);
        assert.ok(axes.across(bin.last) <= axes.frame.right + 1e-9);
      }
    }
    assert.ok(axes.up(20) < axes.frame.bottom && axes.up(20) > axes.frame.top);
  }
});

test("the picture names both lines and the optimum", () => {
  const pen = new SvgPen(400, 240);
  drawCurves(pen, 400, 240, plot([5000, 300, 20], [131, 25, 22]), LIGHT);
  const text = pen.toString();
  for (const words of [">A<", ">B<", ">optimum 20<", ">episode<", "A: 1 levels"]) assert.ok(text.includes(words), words);
  assert.doesNotMatch(text, /NaN|Infinity/);
  assert.match(text, /stroke-dasharray="5 4"/);
});
