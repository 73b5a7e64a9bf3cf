// @ts-check
/** What an agent is made of: hierq's AgentConfig as plain values, its defaults, ranges and short form for links. */

/** @typedef {{kind: "OneStep"} | {kind: "TreeBackup", n: number} | {kind: "Traces", decay: number}} Backup */
/** @typedef {"greedy" | {kind: "EpsilonSoft", epsilon: number} | {kind: "Softmax", temperature: number}} Target */

/**
 * AgentConfig.to_dict() with keys left out where they are as usual; see hierq.AgentConfig for what they mean.
 * @typedef {object} Config
 * @property {number} [levels] @property {number|number[]} [horizons] @property {Backup} [backup]
 * @property {number} [discount] @property {number} [step_size]
 * @property {number} [explore_train] @property {number} [explore_eval]
 * @property {"hierarchy"|"flat"} [behaviour] @property {"nearby"|"anywhere"} [subgoals]
 * @property {"free"|"grid"} [subgoal_cells] @property {"reachable"|"published"|"none"} [goal_preference]
 * @property {"binary"|"penalty"} [pseudo_reward] @property {number|"pessimistic"} [initial_value]
 * @property {boolean} [universal_top] @property {Target} [target] @property {"text"|"published"} [evaluation]
 * @property {number} [step_limit]
 */

export const MOST_LEVELS = 6;

/** What hierq takes when a key is left out. @type {Required<Config>} */
export const USUAL = {
  levels: 2,
  horizons: 3,
  backup: { kind: "OneStep" },
  discount: 0.95,
  step_size: 1,
  explore_train: 0.25,
  explore_eval: 0.05,
  behaviour: "hierarchy",
  subgoals: "nearby",
  subgoal_cells: "free",
  goal_preference: "reachable",
  pseudo_reward: "binary",
  initial_value: 0,
  universal_top: false,
  target: "greedy",
  evaluation: "text",
  step_limit: 20_000,
};

/** Every key with its value. @param {Config} config @returns {Required<Config>} */
export function complete(config) {
  return { ...USUAL, ...config };
}

/** The same agent, keys as usual left out. @param {Config} config @returns {Config} */
export function compact(config) {
  const entries = Object.entries(config).filter(([key, value]) => !sameSetting(key, value));
  return /** @type {Config} */ (Object.fromEntries(entries));
}

/** @param {string} key @param {unknown} value @returns {boolean} */
function sameSetting(key, value) {
  return JSON.stringify(value) === JSON.stringify(/** @type {Record<string, unknown>} */ (USUAL)[key]);
}

/** Own actions of each level, bottom first. @param {Config} config @returns {number[]} */
export function horizonsOf(config) {
  const { levels, horizons } = complete(config);
  return Array.isArray(horizons) ? horizons : Array.from({ length: levels }, () => horizons);
}

/** Environment steps one action of each level may take, bottom first. @param {Config} config @returns {number[]} */
export function spansOf(config) {
  const spans = [1];
  for (const horizon of horizonsOf(config).slice(0, -1)) spans.push(spans[spans.length - 1] * horizon);
  return spans;
}

/** An agent in a few words: "3 levels, Tree-Backup n = 3". @param {Config} config @returns {string} */
export function describe(config) {
  const { levels, backup, behaviour } = complete(config);
  const height = levels === 1 ? "flat (1 level)" : `${levels} levels`;
  const how = backup.kind === "OneStep" ? "one-step" : backup.kind === "TreeBackup" ? `Tree-Backup n = ${backup.n}` : `traces λ = ${backup.decay}`;
  return `${height}, ${how}${behaviour === "flat" && levels > 1 ? ", flat behaviour" : ""}`;
}

/** The same in the fewest words: "3 levels, n = 3". @param {Config} config @returns {string} */
export function brief(config) {
  const { levels, backup, behaviour } = complete(config);
  const how = backup.kind === "OneStep" ? "one-step" : backup.kind === "TreeBackup" ? `n = ${backup.n}` : `λ = ${backup.decay}`;
  return `${levels === 1 ? "Flat" : `${levels} levels`}, ${how}${behaviour === "flat" && levels > 1 ? ", acts flat" : ""}`;
}

/** Agents to begin with. @type {{id: string, name: string, config: Config}[]} */
export const PRESETS = [
  { id: "flat", name: "Flat, one-step", config: { levels: 1 } },
  { id: "flat-n", name: "Flat, n = 3", config: { levels: 1, backup: { kind: "TreeBackup", n: 3 } } },
  { id: "flat-traces", name: "Flat, λ = 0.8", config: { levels: 1, backup: { kind: "Traces", decay: 0.8 } } },
  { id: "two", name: "2 levels, one-step", config: {} },
  { id: "two-traces", name: "2 levels, λ = 1", config: { backup: { kind: "Traces", decay: 1 } } },
  { id: "three", name: "3 levels, n = 3", config: { levels: 3, backup: { kind: "TreeBackup", n: 3 } } },
  { id: "three-traces", name: "3 levels, λ = 0.8", config: { levels: 3, backup: { kind: "Traces", decay: 0.8 } } },
  {
    id: "published",
    name: "3 levels, as published",
    config: {
      levels: 3,
      backup: { kind: "TreeBackup", n: 3 },
      subgoal_cells: "grid",
      goal_preference: "published",
      evaluation: "published",
    },
  },
  { id: "four", name: "4 levels, n = 3", config: { levels: 4, backup: { kind: "TreeBackup", n: 3 } } },
];

/** The preset an agent equals, or "". @param {Config} config @returns {string} */
export function presetOf(config) {
  const wanted = packConfig(config);
  return PRESETS.find((preset) => packConfig(preset.config) === wanted)?.id ?? "";
}

/** @typedef {{key: keyof Config, write: (value: any) => string, read: (text: string) => unknown}} Field */

/** @param {keyof Config} key @param {number} low @param {number} high @param {boolean} whole @returns {Field} */
const number = (key, low, high, whole = false) => ({
  key,
  write: String,
  read: (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= low && value <= high) || (whole && !Number.isInteger(value))) throw new Error(`${key}: ${text}`);
    return value;
  },
});

/** @param {keyof Config} key @param {string[]} choices @returns {Field} */
const choice = (key, ...choices) => ({
  key,
  write: String,
  read: (text) => {
    if (!choices.includes(text)) throw new Error(`${key}: ${text}`);
    return text;
  },
});

/** @param {string} text @param {RegExp} pattern @returns {number} */
function matched(text, pattern) {
  const match = pattern.exec(text);
  if (!match) throw new Error(text);
  return Number(match[1]);
}

/** Short names for links. @type {Record<string, Field>} */
const FIELDS = {
  k: number("levels", 1, MOST_LEVELS, true),
  H: {
    key: "horizons",
    write: (value) => [value].flat().join("."),
    read: (text) => {
      const parts = text.split(".").map((part) => /** @type {number} */ (number("horizons", 1, 1000, true).read(part)));
      return parts.length === 1 ? parts[0] : parts;
    },
  },
  backup: {
    key: "backup",
    write: (value) => (value.kind === "OneStep" ? "one" : value.kind === "TreeBackup" ? `n${value.n}` : `l${value.decay}`),
    read: (text) => {
      if (text === "one") return { kind: "OneStep" };
      if (text.startsWith("n")) return { kind: "TreeBackup", n: matched(text, /^n(\d{1,4})$/) };
      return { kind: "Traces", decay: matched(text, /^l(0(?:\.\d+)?|1)$/) };
    },
  },
  discount: number("discount", 1e-9, 1),
  alpha: number("step_size", 1e-9, 1),
  train: number("explore_train", 0, 1),
  eval: number("explore_eval", 0, 1),
  behaviour: choice("behaviour", "hierarchy", "flat"),
  subgoals: choice("subgoals", "nearby", "anywhere"),
  cells: choice("subgoal_cells", "free", "grid"),
  prefer: choice("goal_preference", "reachable", "published", "none"),
  reward: choice("pseudo_reward", "binary", "penalty"),
  initial: {
    key: "initial_value",
    write: String,
    read: (text) => (text === "pessimistic" ? text : number("initial_value", -1e12, 1e12).read(text)),
  },
  universal: { key: "universal_top", write: (value) => (value ? "yes" : "no"), read: (text) => text === "yes" },
  target: {
    key: "target",
    write: (value) => (value === "greedy" ? value : value.kind === "EpsilonSoft" ? `soft${value.epsilon}` : `max${value.temperature}`),
    read: (text) => {
      if (text === "greedy") return text;
      if (text.startsWith("soft")) return { kind: "EpsilonSoft", epsilon: matched(text, /^soft(0(?:\.\d+)?|1)$/) };
      return { kind: "Softmax", temperature: matched(text, /^max(\d+(?:\.\d+)?)$/) };
    },
  },
  evaluation: choice("evaluation", "text", "published"),
  limit: number("step_limit", 1, 20_000, true),
};

/** "k:3,backup:n3": what differs from the usual. @param {Config} config @returns {string} */
export function packConfig(config) {
  return Object.entries(FIELDS)
    .filter(([, field]) => config[field.key] !== undefined && !sameSetting(field.key, config[field.key]))
    .map(([name, field]) => `${name}:${field.write(config[field.key])}`)
    .join(",");
}

/** The inverse. @param {string} text @returns {Config} @throws {Error} for nonsense */
export function unpackConfig(text) {
  /** @type {Record<string, unknown>} */
  const config = {};
  for (const part of text === "" ? [] : text.split(",")) {
    const [name, value, ...rest] = part.split(":");
    if (!Object.hasOwn(FIELDS, name) || value === undefined || rest.length) throw new Error(`unknown: ${part}`);
    config[FIELDS[name].key] = FIELDS[name].read(value);
  }
  if (Array.isArray(config.horizons) && config.horizons.length !== complete(/** @type {Config} */ (config)).levels) {
    throw new Error("one horizon for every level, or one for all");
  }
  return /** @type {Config} */ (config);
}
