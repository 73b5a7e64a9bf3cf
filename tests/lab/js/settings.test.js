import assert from "node:assert/strict";
import { test } from "node:test";

import { backupOf, complete, PRESETS, USUAL } from "../../../src/hierq/lab/page/config.js";
import { changed, GROUPS, labelOf, refusal } from "../../../src/hierq/lab/page/settings.js";
import { aboutAgents, sentence, withCells } from "../../../src/hierq/lab/page/words.js";

const settings = GROUPS.flatMap((group) => group.settings);
const named = (id) => settings.find((setting) => setting.id === id);

test("labels are words with the paper's symbol", () => {
  assert.deepEqual(["levels", "horizons", "discount", "step-size"].map((id) => labelOf(named(id))), [
    "Levels (k)", "Own actions per level (H)", "Discount (γ)", "Step size (α)",
  ]);
  assert.ok(settings.every((setting) => setting.about.length > 20));
  assert.equal(new Set(settings.map((setting) => setting.id)).size, settings.length);
});

test("what a control shows it also takes", () => {
  for (const { config } of PRESETS) {
    for (const setting of settings) {
      if (setting.idle?.(complete(config))) continue;
      const shown = setting.show(complete(config));
      assert.deepEqual(complete(changed(config, setting, shown)), complete(config), setting.id);
    }
  }
});

test("every knob of an agent can be turned", () => {
  const able = settings.filter((setting) => !setting.idle?.(complete({})));
  const touched = new Set(able.flatMap((setting) => Object.keys(setting.take(setting.show(complete({})), complete({})))));
  assert.deepEqual([...touched].sort(), Object.keys(USUAL).sort());
});

test("horizons: one for all, or one for each", () => {
  const take = (text, levels) => changed({ levels }, named("horizons"), text).horizons;
  assert.equal(take("4", 3), 4);
  assert.deepEqual(take("3, 4 2", 3), [3, 4, 2]);
  assert.equal(take("5,5,5", 3), 5);
  assert.throws(() => take("3, 4", 3), /each of the 3 levels/);
  assert.throws(() => take("0", 3), /whole number/);
});

test("another number of levels keeps the horizons that are left", () => {
  const config = { levels: 3, horizons: [2, 3, 4] };
  assert.deepEqual(changed(config, named("levels"), "2").horizons, [2, 3]);
  assert.deepEqual(changed(config, named("levels"), "4").horizons, [2, 3, 4, 4]);
});

test("n and λ have a field each, of which a backup has none, one or both", () => {
  const [depth, decay] = [named("depth"), named("decay")];
  const backups = [{ operator: "one-step" }, { operator: "max", n: 3 }, { kind: "Traces", decay: 0 }, { operator: "peng", n: 3, decay: 0.5 }].map(backupOf);
  assert.deepEqual(backups.map((backup) => depth.idle(complete({ backup }))), [true, false, true, false]);
  assert.deepEqual(backups.map((backup) => decay.idle(complete({ backup }))), [true, true, false, false]);
  assert.deepEqual(backups.map((backup) => depth.show(complete({ backup }))), ["", "3", "", "3"]);
  assert.deepEqual(backups.map((backup) => decay.show(complete({ backup }))), ["", "", "0", "0.5"]);
  assert.deepEqual(changed({ backup: backups[1] }, depth, "7").backup, { kind: "Backup", operator: "max", n: 7 });
  assert.deepEqual(changed({ backup: backups[2] }, decay, "0,5").backup, { kind: "Traces", operator: "tree-backup", decay: 0.5 });
  assert.deepEqual(changed({ backup: backups[3] }, depth, "7").backup, { ...backups[3], n: 7 });
  assert.throws(() => changed({ backup: backups[2] }, decay, "2"), /^Error: Decay is a number from 0 to 1\.$/);
  assert.throws(() => changed({ backup: backups[1] }, depth, "1001"), /Hops is a whole number from 1 to 1,000\./);
});

test("another operator has its usual decay and keeps the rest", () => {
  const take = (operator, backup) => changed({ backup: backupOf(backup) }, named("operator"), operator).backup;
  const mine = { operator: "peng", n: 7, decay: 0.1, when: "episode" };
  assert.deepEqual(take("peng", mine), { kind: "Backup", ...mine });
  assert.deepEqual(take("retrace", mine), { kind: "Backup", operator: "retrace", n: 7, decay: 1, when: "episode" });
  assert.deepEqual(take("one-step", mine), { kind: "Backup", operator: "one-step", when: "episode" });
  assert.deepEqual(take("never-cut", { kind: "Traces", decay: 1 }), { kind: "Traces", operator: "never-cut", decay: 0.8 });
});

test("another kind of backup brings what goes with it", () => {
  const config = { backup: backupOf({ operator: "max", n: 7, when: "episode" }), credit_span: "all-max" };
  const traces = changed(config, named("backup"), "Traces");
  assert.deepEqual(traces, { backup: { kind: "Traces", operator: "tree-backup", decay: 0.8 }, credit_span: "full" });
  const kept = changed({ backup: backupOf({ operator: "peng" }), credit_span: "single" }, named("backup"), "Traces");
  assert.deepEqual([kept.backup.operator, kept.credit_span], ["peng", "single"]);
  assert.deepEqual(changed(traces, named("backup"), "Backup").backup, { kind: "Backup", operator: "tree-backup", n: 3, decay: 1 });
  assert.ok(named("when").idle(complete(traces)) && !named("when").idle(complete(config)));
});

test("what does not go together is not offered, and says with what", () => {
  const offered = (config, id) => named(id).choices.map(([value]) => value).filter((value) => refusal(config, named(id), value) === "");
  assert.deepEqual(offered({ backup: backupOf({ kind: "Traces" }) }, "operator"), ["tree-backup", "peng", "never-cut"]);
  assert.deepEqual(offered({ backup: backupOf({ kind: "Traces" }) }, "hops"), ["full", "single"]);
  assert.ok(!offered({ backup: backupOf({ operator: "retrace" }) }, "hops").includes("executed"));
  assert.ok(!offered({ credit_span: "executed" }, "behaviour").includes("flat"));
  assert.equal(refusal({}, named("operator"), "expected-sarsa"), "not with greedy");
  assert.equal(refusal({ target: { kind: "Softmax", temperature: 1 } }, named("operator"), "uncorrected"), "not with softmax");
  assert.deepEqual(offered({ backup: backupOf({ operator: "max" }), credit_span: "all-max" }, "backup"), ["Backup", "Traces", "Rival"]);
});

test("a rival brings its terms, and has its own numbers", () => {
  const rival = changed({ levels: 3, backup: backupOf({ operator: "max" }), credit_span: "all-max" }, named("backup"), "Rival");
  assert.deepEqual(rival.backup, { kind: "Rival", rule: "limit" });
  assert.deepEqual([rival.levels, rival.universal_top, rival.credit_span], [1, true, "full"]);
  assert.equal(refusal(rival, named("levels"), "2"), "not with a rival");
  const dyna = changed(rival, named("rival"), "dyna");
  assert.deepEqual(dyna.backup, { kind: "Rival", rule: "dyna", updates: 10 });
  assert.equal(changed(dyna, named("updates"), "25").backup.updates, 25);
  assert.ok(named("updates").idle(complete(rival)) && named("operator").idle(complete(dyna)) && named("rival").idle(complete({})));
  assert.equal(changed(dyna, named("backup"), "Backup").backup.operator, "tree-backup");
});

test("hops have seven spans", () => {
  assert.deepEqual(named("hops").choices.map(([value]) => value), ["full", "single", "random", "executed", "all-max", "all-mean", "all-paths"]);
  assert.equal(changed({}, named("hops"), "all-max").credit_span, "all-max");
  assert.ok(named("hops").idle(complete({ levels: 1 })));
});

test("what a number may be is said", () => {
  const take = (id, text) => () => changed({}, named(id), text);
  assert.throws(take("discount", "0"), /^Error: Discount is a number above 0 and at most 1\.$/);
  assert.throws(take("explore-train", ""), /^Error: In training is a number from 0 to 1\.$/);
  assert.throws(take("initial-value", "low"), /^Error: Start value is a number from .* or pessimistic\.$/);
  assert.equal(take("initial-value", " pessimistic ")().initial_value, "pessimistic");
  assert.equal(take("initial-value", "-2,5")().initial_value, -2.5);
  assert.throws(take("step-limit", "20001"), /from 1 to 20,000/);
  assert.throws(take("behaviour", "wild"), /one of hierarchy, flat/);
  assert.throws(take("levels", "7"), /from 1 to 6/);
});

test("the rules are three switches at once", () => {
  const published = changed({}, named("rules"), "published");
  assert.deepEqual([published.subgoal_cells, published.goal_preference, published.evaluation], ["grid", "published", "published"]);
  assert.equal(named("rules").show(complete(published)), "published");
  assert.equal(named("rules").show(complete({ evaluation: "published" })), "own");
});

test("the server's refusals find their place", () => {
  assert.ok(!aboutAgents("the goal at line 2, column 3 cannot be reached from the start at line 1, column 1; open a way through"));
  assert.ok(!aboutAgents("line 2 of the map has 3 characters but line 1 has 4"));
  assert.ok(aboutAgents("discount γ = 1 does not go with binary pseudo-rewards"));
  assert.ok(aboutAgents("an agent with 3 levels in a world of 1,444 free cells may need 524 MB of memory"));
  assert.equal(withCells("the start at line 1, column 4 and line 3, column 1", "S.G"), "the start at (0,3) and (2,0)");
  assert.equal(withCells("at line 2, column 1", "slip: 0.2\nS.G"), "at (0,0)");
  assert.equal(sentence("the map is empty"), "The map is empty.");
  assert.equal(sentence(""), "");
});
