// @ts-check
/** Every knob of an agent: its words, the paper's symbol, what it does, and how it is written into a configuration; pure. */

import { complete, horizonsOf } from "./config.js";

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

/** @param {string} name @param {string} text @param {number} low @param {number} high @param {boolean} [whole] @returns {number} */
function numberOf(name, text, low, high, whole = false) {
  const number = Number(text.replace(",", "."));
  if (text.trim() === "" || !(number >= low && number <= high) || (whole && !Number.isInteger(number))) {
    throw new Error(`${name} is a ${whole ? "whole number" : "number"} from ${low} to ${high}.`);
  }
  return number;
}

/** A setting that is one number of the configuration. @param {keyof Config} key @param {[number, number, number]} range
 * @param {Pick<Setting, "id"|"words"|"symbol"|"about"> & Partial<Setting>} rest @returns {Setting} */
function numeric(key, range, rest) {
  const [low, high, step] = range;
  return {
    number: true,
    range,
    show: (config) => String(config[key]),
    take: (text) => ({ [key]: numberOf(rest.words, text, low, high, Number.isInteger(step)) }),
    ...rest,
  };
}

/** A setting that is one of a few words. @param {keyof Config} key @param {[string, string][]} choices
 * @param {Pick<Setting, "id"|"words"|"symbol"|"about"> & Partial<Setting>} rest @returns {Setting} */
function listed(key, choices, rest) {
  return { choices, show: (config) => String(config[key]), take: (text) => ({ [key]: text }), ...rest };
}

const flat = (/** @type {Required<Config>} */ config) => config.levels === 1;
const BACKUPS = /** @type {Record<string, import("./config.js").Backup>} */ ({
  OneStep: { kind: "OneStep" },
  TreeBackup: { kind: "TreeBackup", n: 3 },
  Traces: { kind: "Traces", decay: 0.8 },
});
const RULES = /** @type {Record<string, Partial<Config>>} */ ({
  text: { subgoal_cells: "free", goal_preference: "reachable", evaluation: "text" },
  published: { subgoal_cells: "grid", goal_preference: "published", evaluation: "published" },
});

/** Which rules the switches add up to. @param {Required<Config>} config @returns {string} */
function rulesOf(config) {
  const has = (/** @type {[string, unknown]} */ [key, value]) => config[/** @type {keyof Config} */ (key)] === value;
  return Object.keys(RULES).find((name) => Object.entries(RULES[name]).every(has)) ?? "own";
}

/** @type {{name: string, open: boolean, settings: Setting[]}[]} */
export const GROUPS = [
  {
    name: "Hierarchy",
    open: true,
    settings: [
      {
        ...numeric("levels", [1, 6, 1], {
          id: "levels",
          words: "Levels",
          symbol: "k",
          about: "How many levels decide. Level 0 moves; every level above chooses a goal for the one below. 1 is a flat agent.",
        }),
        choices: ["1", "2", "3", "4", "5", "6"].map((each) => [each, each === "1" ? "1 (flat)" : each]),
        take: (text, config) => {
          const levels = numberOf("Levels", text, 1, 6, true);
          const own = horizonsOf(config);
          const each = Array.from({ length: levels }, (_, level) => own[level] ?? own[own.length - 1]);
          return { levels, horizons: Array.isArray(config.horizons) ? each : config.horizons };
        },
      },
      {
        id: "horizons",
        words: "Own actions per level",
        symbol: "H",
        about: "How many actions a level may take before it returns to its parent. One number for all, or one for each level: 3, 4, 2.",
        show: (config) => [config.horizons].flat().join(", "),
        take: (text, config) => {
          const parts = text.split(/[\s,;]+/).filter(Boolean).map((part) => numberOf("Each horizon", part, 1, 1000, true));
          if (parts.length !== 1 && parts.length !== config.levels) {
            throw new Error(`Give one number, or one for each of the ${config.levels} levels.`);
          }
          return { horizons: parts.length === 1 || new Set(parts).size === 1 ? parts[0] : parts };
        },
      },
      listed("behaviour", [["hierarchy", "hierarchy"], ["flat", "flat"]], {
        id: "behaviour",
        words: "Who acts in training",
        about: "The hierarchy, or level 0 alone towards the goal (flat behaviour) while all levels still learn. Evaluation always uses the hierarchy.",
        idle: flat,
      }),
    ],
  },
  {
    name: "Credit",
    open: true,
    settings: [
      {
        id: "backup",
        words: "Backup",
        about: "How far one experience changes values: one hop; n hops (Tree-Backup, HierTB); or all earlier steps with fading weight (traces, HierQ(λ)).",
        choices: [["OneStep", "one-step"], ["TreeBackup", "Tree-Backup"], ["Traces", "traces"]],
        show: (config) => config.backup.kind,
        take: (text, { backup }) => ({ backup: backup.kind === text ? backup : BACKUPS[text] }),
      },
      {
        id: "depth",
        words: "Hops or decay",
        symbol: "n, λ",
        about: "For Tree-Backup the number of hops n of the level's own span; for traces the decay λ from 0 (one step) to 1 (no fading but the discount).",
        number: true,
        show: ({ backup }) => (backup.kind === "TreeBackup" ? String(backup.n) : backup.kind === "Traces" ? String(backup.decay) : "1"),
        take: (text, { backup }) => {
          if (backup.kind === "Traces") return { backup: { kind: "Traces", decay: numberOf("The decay λ", text, 0, 1) } };
          return { backup: { kind: "TreeBackup", n: numberOf("The number of hops n", text, 1, 1000, true) } };
        },
        idle: (config) => config.backup.kind === "OneStep",
      },
      numeric("discount", [0.01, 1, 0.01], {
        id: "discount",
        words: "Discount",
        symbol: "γ",
        about: "What is left of a value after one action of a level. A level above loses this once for a whole hop: that is why its credit arrives stronger.",
      }),
      numeric("step_size", [0.01, 1, 0.05], {
        id: "step-size",
        words: "Step size",
        symbol: "α",
        about: "How much of the new value replaces the old one; 1 replaces it all, right in a world without chance.",
      }),
    ],
  },
  {
    name: "Exploration",
    open: false,
    settings: [
      numeric("explore_train", [0, 1, 0.05], {
        id: "explore-train",
        words: "In training",
        symbol: "ε",
        about: "Share of level 0's moves that are drawn at random in training. Levels above are always greedy.",
      }),
      numeric("explore_eval", [0, 1, 0.05], {
        id: "explore-eval",
        words: "In evaluation",
        symbol: "ε",
        about: "The same in evaluation. A little of it gets an agent out of a loop.",
      }),
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
      listed("subgoals", [["nearby", "nearby"], ["anywhere", "anywhere"]], {
        id: "subgoals",
        words: "Sub-goals",
        about: "Cells a level may ask for: within its reach, or anywhere.",
        idle: flat,
      }),
      listed("subgoal_cells", [["free", "free"], ["grid", "grid"]], {
        id: "subgoal-cells",
        words: "Sub-goal cells",
        about: "Only free cells, or every cell of the grid, walls too, as in the published runs.",
        idle: flat,
      }),
      listed("goal_preference", [["reachable", "in reach"], ["published", "published"], ["none", "none"]], {
        id: "goal-preference",
        words: "Goal preference",
        about: "A goal within reach is drawn directly (the text); with the slip of the published program; or not at all.",
        idle: flat,
      }),
      listed("evaluation", [["text", "text"], ["published", "published"]], {
        id: "evaluation",
        words: "Evaluation rule",
        about: "When goals are drawn anew in evaluation: the text's rule or the published program's.",
        idle: flat,
      }),
      listed("pseudo_reward", [["binary", "1 at goal"], ["penalty", "−1 a step"]], {
        id: "pseudo-reward",
        words: "Pseudo-reward",
        about: "1 for reaching a goal and nothing else, or −1 for every step and 0 at the goal. Discount 1 needs the latter.",
      }),
      {
        id: "initial-value",
        words: "Start value",
        about: "What tables start with. With −1 a step, a start at 0 is optimistic; “pessimistic” is what the published study took.",
        show: (config) => String(config.initial_value),
        take: (text) => {
          if (text.trim() === "pessimistic") return { initial_value: "pessimistic" };
          return { initial_value: numberOf("The start value (or “pessimistic”)", text, -1e6, 1e6) };
        },
      },
      {
        id: "universal-top",
        words: "Top level learns",
        about: "Only about the world's goal, or about every cell as a goal like the levels below.",
        choices: [["no", "goal G"], ["yes", "all goals"]],
        show: (config) => (config.universal_top ? "yes" : "no"),
        take: (text) => ({ universal_top: text === "yes" }),
      },
      {
        id: "target",
        words: "Target policy",
        symbol: "π",
        about: "The policy that is learnt about: greedy, greedy with a share ε = 0.1 spread evenly, or softmax with temperature 0.1.",
        choices: [["greedy", "greedy"], ["EpsilonSoft", "ε-soft"], ["Softmax", "softmax"]],
        show: (config) => (config.target === "greedy" ? "greedy" : config.target.kind),
        take: (text, { target }) => {
          if (target !== "greedy" && target.kind === text) return { target };
          if (text === "EpsilonSoft") return { target: { kind: "EpsilonSoft", epsilon: 0.1 } };
          return { target: text === "Softmax" ? { kind: "Softmax", temperature: 0.1 } : "greedy" };
        },
      },
      numeric("step_limit", [1, 20_000, 1], {
        id: "step-limit",
        words: "Step limit",
        about: "Steps after which an episode is given up.",
      }),
    ],
  },
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
