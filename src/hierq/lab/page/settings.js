// @ts-check
/** Every knob of an agent: its words, and how it is shown and taken; what it means and may be is declared. Pure. */

import { backupOf, complete, horizonsOf, USUAL, valueOf } from "./config.js";
import { DECLARED, EQUAL_TERMS, OPERATORS, PARTS, PUBLISHED, REFUSED, RIVALS, TARGETS } from "./declared.js";

/** @typedef {import("./config.js").Config} Config */

/**
 * @typedef {object} Setting
 * @property {string} id part of the control's id: "a-levels" @property {string} words @property {string} [symbol]
 * @property {string} about one or two sentences
 * @property {(config: Required<Config>) => string} show what the control holds
 * @property {(text: string, config: Required<Config>) => Partial<Config>} take changes; throws an Error with words for the user
 * @property {[string, string][]} [choices] value and words of a list; without it the control is a field for text
 * @property {boolean} [number] whether the field is for one number
 * @property {[number, number, number]} [range] lowest, highest and step of the number
 * @property {(config: Required<Config>) => boolean} [idle] whether it has no effect now
 */

/** A control as a setting is declared. @param {any} declared @param {string} words @param {number} [step] of the number @returns {any} */
function control(declared, words, step = 1) {
  const { low, high, symbol, about, choices = [] } = declared;
  const isNumber = low !== undefined && choices.length === 0;
  return { words, symbol, about, ...(isNumber ? { number: true, range: [low, high, declared.whole ? 1 : step] } : {}) };
}

/** A setting that is one value of the configuration. @param {string} key @param {string} words
 * @param {Partial<Setting> & {step?: number, called?: Record<string, string>}} [own] called: words for choices, where they have others @returns {Setting} */
function knob(key, words, { step, called = {}, ...own } = {}) {
  const declared = DECLARED[key];
  const listed = declared.choices && declared.low === undefined;
  const choices = listed ? { choices: declared.choices.map((/** @type {string} */ each) => [each, called[each] ?? each]) } : {};
  return {
    id: key.replaceAll("_", "-"),
    ...control(declared, words, step),
    ...choices,
    show: (config) => String(config[key]),
    take: (text) => ({ [key]: valueOf(words, declared, text) }),
    ...own,
  };
}

/** n, λ or N of a backup. @param {"n"|"decay"|"updates"} name @param {string} id @param {string} words @param {number} [step] @returns {Setting} */
function backupNumber(name, id, words, step) {
  return {
    id,
    ...control(PARTS[name], words, step),
    show: ({ backup }) => String(backup[name] ?? ""),
    take: (text, { backup }) => ({ backup: { ...backup, [name]: valueOf(words, PARTS[name], text) } }),
    idle: ({ backup }) => !Object.hasOwn(backup, name),
  };
}

/** Another kind of backup, as usual where what there is does not go with it. @param {any} kind @param {Required<Config>} config @returns {Partial<Config>} */
function ofKind(kind, { backup, credit_span: hops }) {
  if (kind === backup.kind) return { backup };
  const goes = (/** @type {string} */ setting, /** @type {string} */ value) =>
    !REFUSED[`backup ${kind}`]?.some((/** @type {string[]} */ [other, its]) => other === setting && its === value);
  const operator = goes("operator", backup.operator ?? "") ? backup.operator : "tree-backup";
  const beside = { credit_span: goes("hops", hops) ? hops : USUAL.credit_span, ...(kind === "Rival" ? EQUAL_TERMS : {}) };
  return { backup: backupOf({ kind, operator }), ...beside };
}

/** A list of names, each with a line about it. @param {string} about @param {Record<string, any>} known */
function named(about, known) {
  return {
    about: [about, ...Object.entries(known).map(([name, each]) => `${name}: ${each.about}`)].join("\n"),
    choices: /** @type {[string, string][]} */ (Object.keys(known).map((name) => [name, name === "tree-backup" ? "Tree-Backup" : name])),
  };
}

const flat = (/** @type {Required<Config>} */ config) => config.levels === 1;
const LEVELS = Array.from({ length: DECLARED.levels.high }, (_, index) => String(index + 1));
const RULES = /** @type {Record<string, Partial<Config>>} */ ({
  text: Object.fromEntries(Object.keys(PUBLISHED).map((key) => [key, DECLARED[key].usual])),
  published: PUBLISHED,
});

/** Which rules the switches add up to. @param {Required<Config>} config @returns {string} */
function rulesOf(config) {
  const has = (/** @type {[string, unknown]} */ [key, value]) => config[key] === value;
  return Object.keys(RULES).find((name) => Object.entries(RULES[name]).every(has)) ?? "own";
}

/** @type {{name: string, open: boolean, settings: Setting[]}[]} */
export const GROUPS = [
  {
    name: "Hierarchy",
    open: true,
    settings: [
      knob("levels", "Levels", {
        choices: LEVELS.map((each) => [each, each === "1" ? "1 (flat)" : each]),
        take: (text, config) => {
          const levels = valueOf("Levels", DECLARED.levels, text);
          const own = horizonsOf(config);
          const each = Array.from({ length: levels }, (_, level) => own[level] ?? own[own.length - 1]);
          return { levels, horizons: Array.isArray(config.horizons) ? each : config.horizons };
        },
      }),
      knob("horizons", "Own actions per level", {
        number: false,
        range: undefined,
        show: (config) => [config.horizons].flat().join(", "),
        take: (text, config) => {
          const parts = text.split(/[\s,;]+/).filter(Boolean).map((part) => valueOf("Each horizon", DECLARED.horizons, part));
          if (parts.length !== 1 && parts.length !== config.levels) {
            throw new Error(`Give one number, or one for each of the ${config.levels} levels.`);
          }
          return { horizons: new Set(parts).size === 1 ? parts[0] : parts };
        },
      }),
      knob("behaviour", "Who acts in training", { idle: flat }),
    ],
  },
  {
    name: "Credit",
    open: true,
    settings: [
      knob("backup", "Backup", { choices: [["Backup", "over hops"], ["Traces", "traces"], ["Rival", "a rival"]], show: ({ backup }) => backup.kind, take: ofKind }),
      {
        id: "operator",
        words: "Operator",
        ...named("What passes through a hop whose action is worth q, from a state worth v, when y arrives.", OPERATORS),
        show: ({ backup }) => backup.operator ?? "",
        take: (operator, { backup }) => ({ backup: operator === backup.operator ? backup : backupOf({ ...backup, operator, decay: undefined }) }),
        idle: ({ backup }) => backup.kind === "Rival",
      },
      {
        id: "rival",
        words: "Rival",
        ...named("Another way to learn, for flat agents that know all goals.", RIVALS),
        show: ({ backup }) => backup.rule ?? "",
        take: (rule, { backup }) => ({ backup: rule === backup.rule ? backup : backupOf({ kind: "Rival", rule }) }),
        idle: ({ backup }) => backup.kind !== "Rival",
      },
      backupNumber("updates", "updates", "Updates a step"),
      backupNumber("n", "depth", "Hops"),
      backupNumber("decay", "decay", "Decay", 0.1),
      knob("credit_span", "Span of a hop", { id: "hops", called: { full: "stride" }, idle: flat }),
      {
        id: "when",
        ...control(PARTS.when, "Learns"),
        choices: [["step", "each step"], ["episode", "backward"]],
        show: ({ backup }) => backup.when ?? PARTS.when.usual,
        take: (when, { backup }) => ({ backup: backupOf({ ...backup, when }) }),
        idle: ({ backup }) => backup.kind !== "Backup",
      },
      knob("discount", "Discount", { step: 0.01 }),
      knob("step_size", "Step size", { step: 0.05 }),
    ],
  },
  {
    name: "Exploration",
    open: false,
    settings: [
      knob("explore_train", "In training", { step: 0.05 }),
      knob("explore_eval", "In evaluation", { step: 0.05 }),
      knob("explore", "What is tried"),
    ],
  },
  {
    name: "Rules",
    open: false,
    settings: [
      {
        id: "rules",
        words: "Rules",
        about: "As the paper's text says, or as the program behind its numbers does: three switches at once.",
        choices: [["text", "text"], ["published", "published"], ["own", "own"]],
        show: rulesOf,
        take: (text) => RULES[text] ?? {},
      },
      knob("subgoals", "Sub-goals", { idle: flat }),
      knob("subgoal_cells", "Sub-goal cells", { idle: flat }),
      knob("goal_preference", "Goal preference", { called: { reachable: "in reach" }, idle: flat }),
      knob("evaluation", "Evaluation rule", { idle: flat }),
      knob("pseudo_reward", "Pseudo-reward", { called: { binary: "1 at goal", penalty: "−1 a step" } }),
      knob("initial_value", "Start value"),
      knob("universal_top", "Top level learns", {
        choices: [["no", "goal G"], ["yes", "all goals"]],
        show: (config) => (config.universal_top ? "yes" : "no"),
        take: (text) => ({ universal_top: text === "yes" }),
      }),
      knob("target", "Target policy", {
        choices: [["greedy", "greedy"], ["EpsilonSoft", "ε-soft"], ["Softmax", "softmax"]],
        show: (config) => (config.target === "greedy" ? "greedy" : config.target.kind),
        take: (text, { target }) => {
          if (target !== "greedy" && target.kind === text) return { target };
          return { target: text === "greedy" ? USUAL.target : { kind: text, ...TARGETS[text] } };
        },
      }),
      knob("step_limit", "Step limit"),
    ],
  },
];

/** The label of a setting, "Levels (k)". @param {Setting} setting @returns {string} */
export function labelOf(setting) {
  return setting.symbol ? `${setting.words} (${setting.symbol})` : setting.words;
}

/** Why a value cannot be chosen beside the others, "not with greedy"; "" if it can. A kind of backup brings what goes with it.
 * @param {Config} config @param {Setting} setting @param {string} value @returns {string} */
export function refusal(config, setting, value) {
  const all = GROUPS.flatMap((group) => group.settings);
  for (const [id, its] of setting.id === "backup" ? [] : REFUSED[`${setting.id} ${value}`] ?? []) {
    const other = all.find((each) => each.id === id);
    if (other?.show(complete(config)) === its) return `not with ${(other.choices ?? []).find(([choice]) => choice === its)?.[1] ?? its}`;
  }
  return "";
}

/** A configuration with one setting changed. @param {Config} config @param {Setting} setting @param {string} text
 * @returns {Config} @throws {Error} with words for the user */
export function changed(config, setting, text) {
  return { ...config, ...setting.take(text, complete(config)) };
}
