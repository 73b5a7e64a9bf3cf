import assert from "node:assert/strict";
import { test } from "node:test";

import { backupOf, compact, complete, USUAL, valueOf } from "../../../src/hierq/lab/page/config.js";
import { DECLARED, OPERATORS, RIVALS } from "../../../src/hierq/lab/page/declared.js";
import { changed, FIRST, labelOf, MORE } from "../../../src/hierq/lab/page/settings.js";
import { sentence } from "../../../src/hierq/lab/page/dom.js";
import { withCells } from "../../../src/hierq/lab/page/world_map.js";

const settings = [...FIRST, ...MORE];
const named = (id) => settings.find((setting) => setting.id === id);
const AGENTS = [
  { levels: 1 }, { levels: 3, backup: backupOf({ n: 3 }) }, { backup: backupOf({ kind: "Traces", decay: 0.5 }) }, { levels: 2, horizons: 5 },
  { backup: backupOf({ operator: "peng", n: 4, when: "episode", hops: "single" }) }, { levels: 1, backup: backupOf({ kind: "Rival", rule: "sweeping" }) },
];

test("two settings are seen at once, the rest is under More", () => {
  assert.deepEqual(FIRST.map(labelOf), ["Levels (k)", "Hops (n)"]);
  assert.ok(settings.every((setting) => setting.about.length > 20));
  assert.equal(new Set(settings.map((setting) => setting.id)).size, settings.length);
});

test("every setting that is declared has a control", () => {
  const able = AGENTS.map(complete).flatMap((config) => settings.filter((each) => !each.idle?.(config)).map((setting) => [setting, config]));
  const touched = new Set(able.flatMap(([setting, config]) => Object.keys(setting.take(setting.show(config), config))));
  assert.deepEqual([...touched].sort(), Object.keys(USUAL).sort());
  for (const key of Object.keys(DECLARED)) assert.ok(named(key === "backup" ? "operator" : key.replaceAll("_", "-")), key);
});

test("what a control shows it also takes", () => {
  for (const config of AGENTS) {
    for (const setting of settings.filter((each) => !each.idle?.(complete(config)) && each.id !== "levels" && each.id !== "hops")) {
      const shown = setting.show(complete(config));
      assert.deepEqual(complete(changed(config, setting, shown)), complete(config), setting.id);
    }
  }
});

test("hops: one-step backups become Tree-Backup over more", () => {
  const one = complete({ backup: backupOf({ operator: "one-step" }) });
  assert.equal(named("hops").show(one), "1");
  assert.deepEqual(changed({}, named("hops"), "4").backup, backupOf({ n: 4 }));
  assert.equal(changed({ backup: backupOf({ operator: "max", n: 2 }) }, named("hops"), "5").backup.operator, "max");
  assert.throws(() => changed({}, named("hops"), "0"), /from 1 to 1,000/);
  assert.ok(named("hops").idle(complete({ backup: backupOf({ kind: "Traces" }) })));
});

test("horizons: one for all levels; a link may have one for each", () => {
  assert.equal(changed({ levels: 3 }, named("horizons"), "4").horizons, 4);
  assert.throws(() => changed({}, named("horizons"), "0"), /whole number from 1/);
  assert.equal(named("horizons").show({ horizons: [2, 3] }), "2, 3");
  assert.equal(changed({ levels: 3, horizons: [2, 3, 4] }, named("levels"), "2").horizons, 2);
});

test("kinds of backups bring what belongs to them", () => {
  assert.deepEqual(changed({}, named("backup"), "Traces").backup, { kind: "Traces", operator: "tree-backup", decay: 0.8 });
  const rival = changed({ levels: 3 }, named("backup"), "Rival");
  assert.deepEqual([rival.levels, rival.universal_top, rival.backup.rule], [1, true, "dyna"]);
  assert.deepEqual(changed({ backup: backupOf({ n: 2 }) }, named("operator"), "peng").backup, backupOf({ operator: "peng", n: 2 }));
  assert.equal(changed({}, named("when"), "episode").backup.when, "episode");
  for (const operator of Object.keys(OPERATORS)) assert.equal(backupOf({ operator }).operator, operator);
  for (const rule of Object.keys(RIVALS)) assert.equal(backupOf({ kind: "Rival", rule }).rule, rule);
});

test("both thresholds of the published program can be set, the one of traces where there are traces", () => {
  assert.equal(changed({}, named("tie-tolerance"), "1e-8").tie_tolerance, 1e-8);
  assert.equal(changed({}, named("trace-cutoff"), "1e-8").trace_cutoff, 1e-8);
  assert.throws(() => changed({}, named("tie-tolerance"), "-1"), /from 0 to 1/);
  assert.deepEqual(AGENTS.map((config) => named("trace-cutoff").idle(complete(config))), [true, true, false, true, true, true]);
});

test("values are checked as declared, in words", () => {
  assert.equal(valueOf("Discount", DECLARED.discount, "0,9"), 0.9);
  assert.throws(() => valueOf("Discount", DECLARED.discount, "0"), /above 0 and at most 1/);
  assert.throws(() => valueOf("Discount", DECLARED.discount, "x"), /is a number/);
  assert.throws(() => valueOf("Who", DECLARED.behaviour, "me"), /hierarchy, flat/);
});

test("what is as usual is left out", () => {
  assert.deepEqual(compact({ levels: 2, discount: 0.95, step_size: 0.1 }), { step_size: 0.1 });
});

test("the server's words find their place", () => {
  assert.equal(withCells("line 3, column 2", "slip: 0.1\nS.G\n"), "(1,1)");
  assert.equal(sentence("no way"), "No way.");
});
