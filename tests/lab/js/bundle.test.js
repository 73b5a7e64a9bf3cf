import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";

import { bundle, importsOf, inOrder, standAlonePage } from "../../../src/hierq/lab/page/bundle.js";

const SOURCES = {
  "main.js": `import { twice, Counter as Tally } from "./tools.js";
import {
  half,
} from "./parts.js";
const secret = 3;
globalThis.result = [twice(secret), new Tally().count, half(8)];
`,
  "tools.js": `import { half } from "./parts.js";
const secret = 2;
export function twice(x) { return half(x * secret * 2); }
export class Counter { constructor() { this.count = 7; } }
`,
  "parts.js": `const secret = 0.5;
export const half = (x) => x * secret;
`,
};

test("imports are found, over several lines too", () => {
  assert.deepEqual(importsOf(SOURCES["main.js"]), ["tools.js", "parts.js"]);
});

test("a file comes after what it imports", () => {
  assert.deepEqual(inOrder(SOURCES, "main.js"), ["parts.js", "tools.js", "main.js"]);
});

test("the bundle does what the modules do, and equal names do not clash", () => {
  const context = vm.createContext({});
  vm.runInContext(bundle(SOURCES, "main.js"), context);
  assert.deepEqual([...context.result], [6, 7, 4]);
});

test("missing files, circles and strange exports are refused", () => {
  assert.throws(() => bundle({ "a.js": 'import { b } from "./b.js";' }, "a.js"), /b\.js is missing/);
  const circle = { "a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";' };
  assert.throws(() => bundle(circle, "a.js"), /each other/);
  assert.throws(() => bundle({ "a.js": "export default 3;" }, "a.js"), /not understood/);
});

test("data cannot break out of the page", () => {
  const page = standAlonePage({ title: "<b>", style: "p{}", script: "1", data: { text: "</script><script>alert(1)" } });
  assert.ok(!page.includes("</script><script>alert"));
  assert.ok(page.includes("<title>&lt;b&gt;</title>"));
  const data = page.match(/id="recording">(.*?)<\/script>/)[1];
  assert.equal(JSON.parse(data).text, "</script><script>alert(1)");
});
