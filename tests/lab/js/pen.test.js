import assert from "node:assert/strict";
import { test } from "node:test";

import { CanvasPen } from "../../../src/hierq/lab/page/pen.js";
import { SvgPen } from "../../../src/hierq/lab/page/svg_pen.js";

/** A pen that has drawn one of everything. */
function drawn(pen) {
  pen.group("Agent <A> & “B”", () => {
    pen.rect(1, 2, 3, 4, { fill: "#fff", stroke: "#000", radius: 2 });
    pen.line(0, 0, 5, 5, { stroke: "red", dash: [2, 1], cap: "round" });
    pen.polyline([[0, 0], [1, 1], [2, 0]], { fill: "blue", closed: true, opacity: 0.5 });
    pen.polylines([[[0, 0], [1, 1]], [[2, 2], [3, 3]]], { stroke: "green" });
    pen.curve([0, 0], [5, 10], [10, 0], { stroke: "black" });
    pen.circle(5, 5, 4, { fill: "black" });
    pen.tiles("dot", 0, 0, 4, 2, [0, -1, 1, 0], (small, kind) => small.circle(0, 0, 1 + kind, { fill: "black" }));
    pen.arrow(0, 0, 10, 0, { fill: "black", width: 2, head: 4 });
    pen.text(3, 3, "γ < 1 & more", { align: "middle", baseline: "middle", halo: "#fff" });
    pen.tiles("cell", 0, 0, 2, 2, [0, -1, 0, 1], (small, kind) => small.rect(-1, -1, 2, 2, { fill: ["#111111", "#222222"][kind] }));
  });
  return pen;
}

test("both pens have the same words", () => {
  const words = (pen) => Object.getOwnPropertyNames(pen.prototype).filter((name) => name !== "constructor" && name !== "toString");
  assert.deepEqual(words(CanvasPen).sort(), words(SvgPen).sort());
});

test("an SVG is well formed, escaped and complete", () => {
  const text = drawn(new SvgPen(20, 10, "What <this> shows")).toString();
  assert.match(text, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="20" height="10" viewBox="0 0 20 10"><title>What &lt;this&gt; shows/);
  assert.match(text, /<g><title>Agent &lt;A&gt; &amp; “B”<\/title>/);
  assert.match(text, />γ &lt; 1 &amp; more<\/text>/);
  assert.doesNotMatch(text, /NaN|undefined/);
  const open = [];
  for (const [, close, name, empty] of text.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (close) assert.equal(open.pop(), name);
    else if (!empty) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.equal(text.match(/<rect/g).length, 4, "one rectangle and three cells");
});

test("an arrow without length draws nothing", () => {
  const pen = new SvgPen(5, 5);
  pen.arrow(1, 1, 1, 1, { fill: "black" });
  assert.doesNotMatch(pen.toString(), /path/);
});
