import assert from "node:assert/strict";
import { test } from "node:test";

import { backupOf, brief, complete, describe, horizonsOf, packConfig, presetOf, PRESETS, spansOf, unpackConfig, USUAL } from "../../../src/hierq/lab/page/config.js";
import { defaultState, fromFragment, toFragment } from "../../../src/hierq/lab/page/state.js";

test("the default state needs no words", () => {
  assert.equal(toFragment(defaultState()), "");
  assert.deepEqual(fromFragment(""), { state: defaultState(), problems: [] });
  assert.deepEqual(fromFragment("#"), { state: defaultState(), problems: [] });
});

function unusual() {
  return {
    map: "#####\n#S.G#\n#..##\n#####\n",
    agents: [
      { levels: 4, horizons: [2, 3, 4, 5], backup: backupOf({ kind: "Traces", decay: 0.75 }), discount: 1, pseudo_reward: "penalty" },
      {
        levels: 3,
        horizons: 4,
        backup: backupOf({ n: 12 }),
        step_size: 0.5,
        explore_train: 0,
        explore_eval: 0.2,
        behaviour: "flat",
        subgoals: "anywhere",
        subgoal_cells: "grid",
        goal_preference: "published",
        initial_value: -3.5,
        universal_top: true,
        target: { kind: "Softmax", temperature: 0.25 },
        evaluation: "published",
        step_limit: 500,
        credit_span: "single",
      },
    ],
    seed: 42,
    episodes: 1_000_000,
    levels: [3, 2],
    goal: [2, 1],
    layers: ["values", "path"],
    at: 5,
    speed: 2,
    curve: "many",
    many: [1000, 7],
    tab: "credit",
    credit: { source: "page", agent: 0, moves: "NSWE", goal: [1, 2], at: 3, view: "backward", level: 1 },
    stop: 4,
    theme: "dark",
  };
}

test("every part survives the way through a link", () => {
  const state = unusual();
  const fragment = toFragment(state);
  assert.match(fragment, /^v1&[\w.,:=&-]+$/, "it needs no escaping");
  assert.deepEqual(fromFragment(`#${fragment}`), { state, problems: [] });
});

test("a large world still makes a short link", () => {
  const rows = Array.from({ length: 64 }, (_, row) => Array.from({ length: 64 }, (_, column) => ((row * 7 + column * 3) % 5 ? "." : "#")));
  [rows[1][1], rows[62][62]] = ["S", "G"];
  const state = { ...defaultState(), map: rows.map((row) => `${row.join("")}\n`).join("") };
  const fragment = toFragment(state);
  assert.ok(fragment.length < 800, String(fragment.length));
  assert.equal(fromFragment(fragment).state.map, state.map);
});

const NONSENSE = [
  "v1&map=3.3.0.0.AAA", "v1&map=3.3.0.8.A", "v1&map=99999.3.0.1.AAAA", "v1&map=%E0%A4%A", "v1&map=", "v1&a=k:7", "v1&a=k:2.5", "v1&a=H:3.3,k:3",
  "v1&a=__proto__:1", "v1&a=backup:n-3", "v1&b=backup:l2", "v1&b=backup:n1001", "v1&b=backup:max", "v1&b=backup:nope_3", "v1&b=backup:one_3", "v1&b=backup:constructor_3", "v1&a=hops:double", "v1&b=discount:NaN", "v1&b=discount:", "v1&a=target:maxInfinity", "v1&seed=-1",
  "v1&seed=1e3", "v1&seed=99999999999999999", "v1&levels=0", "v1&levels=9.9", "v1&goal=a.b", "v1&goal=1", "v1&layers=walls", "v1&tab=settings",
  "v1&at=-2", "v1&episodes=1000001", "v1&many=1.50", "v1&many=200", "v1&many=200.50.1", "v1&many=200.201", "v1&theme=pink", "v1&stop=6", "v1&credit=example,1,ENX,,0,forward,", "v1&credit=example", "v1&constructor=1", "v1&what", "v1&=",
  `v1&credit=page,1,${"N".repeat(201)},,0,forward,`,
];
for (const fragment of NONSENSE) {
  test(`nonsense is left out politely: ${fragment.slice(0, 40)}`, () => {
    const { state, problems } = fromFragment(fragment);
    assert.deepEqual(state, defaultState());
    assert.equal(problems.length, 1);
    assert.match(problems[0], /left as usual/);
  });
}

test("good parts beside nonsense are kept", () => {
  const { state, problems } = fromFragment("v1&seed=9&theme=pink");
  assert.equal(state.seed, 9);
  assert.equal(problems.length, 1);
});

test("another version is not guessed at", () => {
  const { state, problems } = fromFragment("v2&seed=9");
  assert.deepEqual(state, defaultState());
  assert.match(problems[0], /version/);
});

test("presets are told apart and survive a link", () => {
  for (const { id, config } of PRESETS) {
    assert.equal(presetOf(config), id);
    assert.equal(presetOf(unpackConfig(packConfig(config))), id);
    assert.equal(presetOf(complete(config)), id);
  }
  assert.equal(presetOf({ discount: 0.5 }), "");
});

test("links of before are still written and read the same", () => {
  const links = {
    "k:4,H:2.3.4.5,backup:l0.75,discount:1,reward:penalty": { levels: 4, horizons: [2, 3, 4, 5], backup: backupOf({ kind: "Traces", decay: 0.75 }), discount: 1, pseudo_reward: "penalty" },
    "backup:n12,alpha:0.5,train:0,eval:0.2,behaviour:flat,subgoals:anywhere,cells:grid,prefer:published,initial:-3.5,universal:yes,target:max0.25,evaluation:published,limit:500":
      { backup: backupOf({ n: 12 }), step_size: 0.5, explore_train: 0, explore_eval: 0.2, behaviour: "flat", subgoals: "anywhere", subgoal_cells: "grid", goal_preference: "published", initial_value: -3.5, universal_top: true, target: { kind: "Softmax", temperature: 0.25 }, evaluation: "published", step_limit: 500 },
    "initial:pessimistic,target:soft0.1": { initial_value: "pessimistic", target: { kind: "EpsilonSoft", epsilon: 0.1 } },
  };
  for (const [link, config] of Object.entries(links)) {
    assert.equal(packConfig(config), link);
    assert.deepEqual(unpackConfig(link), config);
  }
  assert.deepEqual(unpackConfig("backup:one,universal:no,target:greedy"), { backup: USUAL.backup, universal_top: false, target: "greedy" });
});

test("every backup has its place in links", () => {
  const links = {
    "backup:one_episode": { backup: { kind: "Backup", operator: "one-step", when: "episode" } },
    "backup:n5_l0.5": { backup: { kind: "Backup", operator: "tree-backup", n: 5, decay: 0.5 } },
    "backup:max_n5,hops:all-max": { backup: { kind: "Backup", operator: "max", n: 5 }, credit_span: "all-max" },
    "backup:peng_n5_l0.25_episode,hops:single": { backup: { kind: "Backup", operator: "peng", n: 5, decay: 0.25, when: "episode" }, credit_span: "single" },
    "backup:rival.dyna_u25": { backup: { kind: "Rival", rule: "dyna", updates: 25 } },
    "backup:rival.option-td_n4": { backup: { kind: "Rival", rule: "option-td", n: 4 } },
    "backup:rival.limit": { backup: { kind: "Rival", rule: "limit" } },
    "backup:never-cut_l0.5": { backup: { kind: "Traces", operator: "never-cut", decay: 0.5 } },
  };
  for (const [link, config] of Object.entries(links)) {
    assert.equal(packConfig(config), link);
    assert.deepEqual(unpackConfig(link), config);
  }
  for (const nonsense of ["max_n5_l0.5", "max", "best_n3", "n3_n4", "l0.5_episode", "one_n3", "", "n0", "__proto___n3", "rival.limit_u3", "rival.max_n3", "rival.__proto__", "dyna_u10"]) {
    assert.throws(() => unpackConfig(`backup:${nonsense}`));
  }
});

test("horizons and spans are the paper's", () => {
  assert.deepEqual(spansOf({ levels: 4 }), [1, 3, 9, 27]);
  assert.deepEqual(spansOf({ levels: 3, horizons: [2, 5, 7] }), [1, 2, 10]);
  assert.deepEqual(horizonsOf({ levels: 2, horizons: 4 }), [4, 4]);
});

test("agents are described in words", () => {
  assert.equal(describe({ levels: 1 }), "flat (1 level), one-step");
  assert.equal(describe({ levels: 3, backup: backupOf({ kind: "Traces", decay: 0 }), behaviour: "flat" }), "3 levels, traces λ = 0, flat behaviour");
  assert.equal(describe(unpackConfig("backup:peng_n5_l0.25_episode,hops:single")), "2 levels, peng n = 5, λ = 0.25, backward, single hops");
  assert.equal(describe(unpackConfig("k:3,backup:n3")), "3 levels, Tree-Backup n = 3");
  assert.equal(describe(unpackConfig("backup:peng_l0.5")), "2 levels, peng traces λ = 0.5");
  assert.equal(brief(unpackConfig("backup:max_n5,hops:all-max")), "2 levels, max n = 5");
  const paper = PRESETS.filter(({ id }) => !["flat-backward", "three-all"].includes(id));
  assert.deepEqual(paper.map(({ config }) => brief(config)), paper.map(({ name }) => name.replace("as published", "n = 3")));
});
