// @ts-check
/** What an agent is made of: hierq's AgentConfig as plain values, its defaults and its short form for links. */

import { DECLARED, OPERATORS, PARTS, PUBLISHED, RIVALS } from "./declared.js";

/** Over hops, by traces, or another rule; see `backupOf`. @typedef {{kind: "Backup"|"Traces"|"Rival", operator?: string, rule?: string,
 *   n?: number, decay?: number, when?: string, updates?: number}} Backup */
/** AgentConfig.to_dict() with keys left out where they are as usual; DECLARED says what there is. @typedef {Record<string, any>} Config */

/** What hierq takes when a key is left out. @type {Config} */
export const USUAL = Object.fromEntries(Object.entries(DECLARED).map(([key, { usual }]) => [key, usual]));

/** Every key with its value. @param {Config} config @returns {Required<Config>} */
export function complete(config) {
  return { ...USUAL, ...config };
}

/** The same agent, keys as usual left out. @param {Config} config @returns {Config} */
export function compact(config) {
  return Object.fromEntries(Object.entries(config).filter(([key, value]) => !sameSetting(key, value)));
}

/** @param {string} key @param {unknown} value @returns {boolean} */
const sameSetting = (key, value) => JSON.stringify(value) === JSON.stringify(USUAL[key]);

/** A text as a value of what is declared like that. @param {string} name for the message @param {any} declared @param {string} text
 * @returns {any} @throws {Error} with words for the user */
export function valueOf(name, { choices = [], low, high, open, whole }, text) {
  if (choices.includes(text.trim())) return text.trim();
  if (low === undefined) throw new Error(`${name} is one of ${choices.join(", ")}.`);
  const number = Number(text.replace(",", "."));
  if (text.trim() === "" || !(number >= low && number <= high) || (open && number === low) || (whole && !Number.isInteger(number))) {
    const most = high.toLocaleString("en-GB");
    const range = open ? `above ${low} and at most ${most}` : `from ${low} to ${most}`;
    throw new Error([`${name} is a ${whole ? "whole number" : "number"} ${range}`, ...choices].join(" or ") + ".");
  }
  return number;
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

/** A backup as wanted: what it has and is not said is as usual, what it has not is left out. @param {Partial<Backup>} wanted @returns {Backup} */
export function backupOf({ kind = "Backup", operator = "tree-backup", rule = "limit", ...own }) {
  const { looks_ahead: ahead, decay } = OPERATORS[operator];
  const { about: _, ...rival } = RIVALS[rule];
  const usual = kind === "Rival" ? rival
    : kind === "Traces" ? { kind, operator, decay: PARTS.decay.usual }
    : { kind, operator, ...(ahead && { n: PARTS.n.usual }), ...(decay !== undefined && { decay }), when: PARTS.when.usual };
  const said = Object.entries(own).filter(([name, value]) => value !== undefined && Object.hasOwn(usual, name));
  const { when, ...backup } = { ...usual, ...Object.fromEntries(said) };
  return { ...backup, ...(when && when !== PARTS.when.usual && { when }) };
}

/** The λ of a backup, if it has one that does anything. @param {Backup} backup @returns {number|undefined} */
const fading = ({ kind, operator, decay }) => (kind === "Backup" && decay === 1 && OPERATORS[operator ?? ""].decay === 1 ? undefined : decay);

/** "n = 3", or also "max n = 3" where it needs its name. @param {Backup} backup @param {Record<string, string>} names */
function backupWords(backup, names) {
  const { kind, operator = backup.rule ?? "", n, when, updates } = backup;
  const decay = fading(backup);
  const numbers = [updates && `N = ${updates}`, n && `n = ${n}`, decay !== undefined && `λ = ${decay}`, when && "backward"].filter(Boolean).join(", ");
  const name = names[operator] ?? operator;
  return [kind !== "Traces" || operator !== "tree-backup" ? name : "", kind === "Traces" ? names.traces : "", numbers].filter(Boolean).join(" ");
}

/** An agent in a few words: "3 levels, Tree-Backup n = 3". @param {Config} config @returns {string} */
export function describe(config) {
  const { levels, backup, behaviour, credit_span: hops } = complete(config);
  const how = backupWords(backup, { "tree-backup": "Tree-Backup", traces: "traces" });
  const others = [behaviour === "flat" && levels > 1 ? ", flat behaviour" : "", hops === USUAL.credit_span ? "" : `, ${hops} hops`];
  return `${levels === 1 ? "flat (1 level)" : `${levels} levels`}, ${how}${others.join("")}`;
}

/** The same in the fewest words: "3 levels, n = 3". @param {Config} config @returns {string} */
export function brief(config) {
  const { levels, backup, behaviour } = complete(config);
  const how = backupWords(backup, { "tree-backup": "", traces: "" });
  return `${levels === 1 ? "Flat" : `${levels} levels`}, ${how}${behaviour === "flat" && levels > 1 ? ", acts flat" : ""}`;
}

/** @param {string} id @param {string} name @param {number} levels @param {Partial<Backup>} [backup] @param {Config} [rest] */
const preset = (id, name, levels, backup, rest) => ({ id, name, config: compact({ levels, ...(backup && { backup: backupOf(backup) }), ...rest }) });

/** Agents to begin with. @type {{id: string, name: string, config: Config}[]} */
export const PRESETS = [
  preset("flat", "Flat, one-step", 1),
  preset("flat-n", "Flat, n = 3", 1, { n: 3 }),
  preset("flat-traces", "Flat, λ = 0.8", 1, { kind: "Traces", decay: 0.8 }),
  preset("flat-backward", "Flat, one-step, backward", 1, { operator: "one-step", when: "episode" }),
  preset("two", "2 levels, one-step", 2),
  preset("two-traces", "2 levels, λ = 1", 2, { kind: "Traces", decay: 1 }),
  preset("three", "3 levels, n = 3", 3, { n: 3 }),
  preset("three-traces", "3 levels, λ = 0.8", 3, { kind: "Traces", decay: 0.8 }),
  preset("three-all", "3 levels, best of all paths", 3, { operator: "max", n: 3 }, { credit_span: "all-max" }),
  preset("published", "3 levels, as published", 3, { n: 3 }, PUBLISHED),
  preset("four", "4 levels, n = 3", 4, { n: 3 }),
  preset("dyna", "Flat, dyna N = 10", 1, { kind: "Rival", rule: "dyna" }, { universal_top: true }),
];

/** The preset an agent equals, or "". @param {Config} config @returns {string} */
export function presetOf(config) {
  const wanted = packConfig(config);
  return PRESETS.find((each) => packConfig(each.config) === wanted)?.id ?? "";
}

/** Short names for links. @type {Record<string, string>} */
const SHORT = {
  k: "levels", H: "horizons", backup: "backup", discount: "discount", alpha: "step_size", train: "explore_train", eval: "explore_eval",
  behaviour: "behaviour", subgoals: "subgoals", cells: "subgoal_cells", prefer: "goal_preference", reward: "pseudo_reward",
  initial: "initial_value", universal: "universal_top", target: "target", evaluation: "evaluation", limit: "step_limit",
  hops: "credit_span", explore: "explore",
};

/** @param {string} text @param {RegExp} pattern @returns {string[]} */
function matched(text, pattern) {
  const match = pattern.exec(text);
  if (!match) throw new Error(text);
  return match.slice(1);
}

/** How values are written into links and read again, where it is not as they are.
 * @type {Record<string, {write: (value: any) => string, read: (text: string) => unknown}>} */
const FORMS = {
  horizons: {
    write: (value) => [value].flat().join("."),
    read: (text) => {
      const parts = text.split(".").map((part) => valueOf("horizons", DECLARED.horizons, part));
      return parts.length === 1 ? parts[0] : parts;
    },
  },
  backup: {
    // "one", "n3", "l0.8", "max_n3", "peng_n3_l0.5_episode", "peng_l0.8": without n it is a trace; "rival.dyna_u10".
    write: (backup) => {
      const { operator, rule, n, when, updates } = backup;
      const name = rule ? `rival.${rule}` : operator === "one-step" ? "one" : operator === "tree-backup" ? "" : operator;
      const decay = fading(backup);
      return [name, updates && `u${updates}`, n && `n${n}`, decay !== undefined && `l${decay}`, when].filter(Boolean).join("_");
    },
    read: (text) => {
      const parts = matched(text, /^(?:(.+?)(?:_|$))??(?:u(\d+)(?:_|$))?(?:n(\d+)(?:_|$))?(?:l([\d.]+)(?:_|$))?(episode)?$/);
      const [name = "tree-backup", updates, n, decay, when] = parts;
      const read = (/** @type {string} */ part, /** @type {string} */ given) => (given === undefined ? given : valueOf(part, PARTS[part], given));
      const rule = name.startsWith("rival.") ? name.slice(6) : undefined;
      const operator = rule ? undefined : name === "one" ? "one-step" : name;
      if (rule ? !Object.hasOwn(RIVALS, rule) : !Object.hasOwn(OPERATORS, operator ?? "")) throw new Error(text);
      const kind = rule ? "Rival" : n || name === "one" ? "Backup" : "Traces";
      const backup = backupOf({ kind, operator, rule, updates: read("updates", updates), n: read("n", n), decay: read("decay", decay), when });
      if (FORMS.backup.write(backup) !== text) throw new Error(text);
      return backup;
    },
  },
  universal_top: { write: (value) => (value ? "yes" : "no"), read: (text) => text === "yes" },
  target: {
    write: (value) => (value === "greedy" ? value : value.kind === "EpsilonSoft" ? `soft${value.epsilon}` : `max${value.temperature}`),
    read: (text) => {
      if (text === "greedy") return text;
      if (text.startsWith("soft")) return { kind: "EpsilonSoft", epsilon: Number(matched(text, /^soft(0(?:\.\d+)?|1)$/)[0]) };
      return { kind: "Softmax", temperature: Number(matched(text, /^max(\d+(?:\.\d+)?)$/)[0]) };
    },
  },
};

/** "k:3,backup:n3": what differs from the usual. @param {Config} config @returns {string} */
export function packConfig(config) {
  return Object.entries(SHORT)
    .map(([name, key]) => [name, key, config[key]])
    .filter(([, key, value]) => value !== undefined && !sameSetting(key, value))
    .map(([name, key, value]) => `${name}:${FORMS[key]?.write(value) ?? value}`)
    .join(",");
}

/** The inverse. @param {string} text @returns {Config} @throws {Error} for nonsense */
export function unpackConfig(text) {
  /** @type {Config} */
  const config = {};
  for (const part of text === "" ? [] : text.split(",")) {
    const [name, value, ...rest] = part.split(":");
    const key = Object.hasOwn(SHORT, name) ? SHORT[name] : "";
    if (!Object.hasOwn(DECLARED, key) || value === undefined || rest.length) throw new Error(`unknown: ${part}`);
    config[key] = FORMS[key]?.read(value) ?? valueOf(key, DECLARED[key], value);
  }
  if (Array.isArray(config.horizons) && config.horizons.length !== complete(config).levels) {
    throw new Error("one horizon for every level, or one for all");
  }
  return config;
}
