// @ts-check
/** Every setting of an agent that the page shows: its words, and how it is shown and taken; the rest is declared. Pure. */

import { backupOf, complete, valueOf } from "./config.js";
import { DECLARED, EQUAL_TERMS, OPERATORS, PARTS, RIVALS } from "./declared.js";

/** @typedef {import("./config.js").Config} Config */

/**
 * @typedef {object} Setting
 * @property {string} id part of the control's id: "a-levels" @property {string} words @property {string} [symbol]
 * @property {string} about one or two sentences
 * @property {(config: Config) => string} show what the control holds, of a complete configuration
 * @property {(text: string, config: Config) => Partial<Config>} take changes; throws an Error with words for the user
 * @property {[string, string][]} [choices] value and words of a list; without it the control is a field for text
 * @property {[number, number, number]} [range] lowest, highest and step of a number
 * @property {(config: Config) => boolean} [idle] whether it has no effect now
 */

/** A control as a setting is declared. @param {any} declared @param {string} words @returns {any} */
function control(declared, words) {
  const { low, high, symbol, about, choices = [], whole } = declared;
  const step = whole ? 1 : 0.05;
  if (low !== undefined && choices.length === 0) return { words, symbol, about, range: [low, high, step] };
  return { words, symbol, about, ...(low === undefined && { choices: choices.map((/** @type {string} */ each) => [each, each]) }) };
}

/** A setting that is one value of the configuration. @param {string} key @param {string} words @param {Partial<Setting>} [own] @returns {Setting} */
function knob(key, words, own = {}) {
  const declared = DECLARED[key];
  return {
    id: key.replaceAll("_", "-"),
    ...control(declared, words),
    show: (config) => String(config[key]),
    take: (text) => ({ [key]: valueOf(words, declared, text) }),
    ...own,
  };
}

/** A part of a backup. @param {"n"|"decay"|"updates"|"hops"|"when"} name @param {string} id @param {string} words
 * @param {Partial<Setting>} [own] @returns {Setting} */
function backupPart(name, id, words, own = {}) {
  return {
    id,
    ...control(PARTS[name], words),
    show: ({ backup }) => String(backup[name] ?? ""),
    take: (text, { backup }) => ({ backup: backupOf({ ...backup, [name]: valueOf(words, PARTS[name], text) }) }),
    idle: ({ backup }) => !Object.hasOwn(backup, name),
    ...own,
  };
}

/** Another kind of backup. @param {any} kind @param {Config} config @returns {Partial<Config>} */
function ofKind(kind, { backup }) {
  if (kind === backup.kind) return { backup };
  return { backup: backupOf({ kind, hops: backup.hops }), ...(kind === "Rival" ? EQUAL_TERMS : {}) };
}

/** A list of names, each with a line about it. @param {string} about @param {Record<string, any>} known */
function named(about, known) {
  return {
    about: [about, ...Object.entries(known).map(([name, each]) => `${name}: ${each.about}`)].join("\n"),
    choices: /** @type {[string, string][]} */ (Object.keys(known).map((name) => [name, name])),
  };
}

/** One-step backups are Tree-Backup over one hop. @param {string} text @param {Config} config @returns {Partial<Config>} */
function takeHops(text, { backup }) {
  const operator = backup.operator === "one-step" ? "tree-backup" : backup.operator;
  return { backup: backupOf({ ...backup, operator, n: valueOf("Hops", PARTS.n, text) }) };
}

const flat = (/** @type {Config} */ { levels }) => levels === 1;
const LEVELS = Array.from({ length: DECLARED.levels.high }, (_, index) => String(index + 1));

/** What everybody sees. @type {Setting[]} */
export const FIRST = [
  knob("levels", "Levels", {
    choices: LEVELS.map((each) => [each, each === "1" ? "1 (flat)" : each]),
    take: (text, { horizons }) => ({ levels: Number(text), horizons: [horizons].flat()[0] }),
  }),
  backupPart("n", "hops", "Hops", { show: ({ backup }) => String(backup.n ?? 1), take: takeHops, idle: ({ backup }) => backup.kind !== "Backup" }),
];

/** @type {Setting[]} */
const KNOWN = [
  knob("horizons", "Actions per level", { show: ({ horizons }) => [horizons].flat().join(", "), idle: flat }),
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
    take: (rule) => ({ backup: backupOf({ kind: "Rival", rule }) }),
    idle: ({ backup }) => backup.kind !== "Rival",
  },
  backupPart("updates", "updates", "Updates a step"),
  backupPart("decay", "decay", "Decay"),
  knob("trace_cutoff", "Trace cut-off", { range: undefined, idle: ({ backup }) => backup.kind !== "Traces" }),
  backupPart("when", "when", "Learns", {
    choices: [["step", "each step"], ["episode", "backward"]],
    show: ({ backup }) => backup.when ?? PARTS.when.usual,
    idle: ({ backup }) => backup.kind !== "Backup",
  }),
  backupPart("hops", "partition", "A hop spans", { show: ({ backup }) => backup.hops ?? PARTS.hops.usual, idle: (config) => flat(config) || config.backup.kind === "Rival" }),
  knob("discount", "Discount"),
  knob("step_size", "Step size"),
  knob("tie_tolerance", "Tie tolerance", { range: undefined }),
  knob("explore_train", "Random moves in training"),
  knob("explore_eval", "Random moves in evaluation"),
  knob("explore", "Explorer"),
  knob("behaviour", "Who acts in training", { idle: flat }),
];
const placed = new Set([...FIRST, ...KNOWN].map(({ id }) => id));

/** What is under "More"; a setting that hierq declares and nobody placed here comes last. @type {Setting[]} */
export const MORE = [
  ...KNOWN,
  ...Object.keys(DECLARED).filter((key) => !placed.has(key.replaceAll("_", "-"))).map((key) => {
    const words = key.replaceAll("_", " ");
    return knob(key, `${words[0].toUpperCase()}${words.slice(1)}`);
  }),
];

/** The label of a setting, "Levels (k)". @param {Setting} setting @returns {string} */
export function labelOf(setting) {
  return setting.symbol ? `${setting.words} (${setting.symbol})` : setting.words;
}

/** A configuration with one setting changed. @param {Config} config @param {Setting} setting @param {string} text
 * @returns {Config} @throws {Error} with words for the user */
export function changed(config, setting, text) {
  return { ...config, ...setting.take(text, complete(config)) };
}
