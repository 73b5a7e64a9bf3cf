// @ts-check
/** What an agent is made of: hierq's AgentConfig as plain values, and what can be said of it in words. */

import { DECLARED, OPERATORS, PARTS, RIVALS } from "./declared.js";

/** Over hops, by traces, or another rule; see `backupOf`. @typedef {{kind: "Backup"|"Traces"|"Rival", operator?: string, rule?: string,
 *   n?: number, decay?: number, when?: string, hops?: string, updates?: number}} Backup */
/** AgentConfig.to_dict() with keys left out where they are as usual. @typedef {Record<string, any>} Config */

/** What hierq takes when a key is left out. @type {Config} */
export const USUAL = Object.fromEntries(Object.entries(DECLARED).map(([key, { usual }]) => [key, usual]));

/** Every key with its value. @param {Config} config @returns {Config} */
export function complete(config) {
  return { ...USUAL, ...config };
}

/** The same agent, keys as usual left out. @param {Config} config @returns {Config} */
export function compact(config) {
  return Object.fromEntries(Object.entries(config).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(USUAL[key])));
}

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

/** Environment steps one action of each level may take, bottom first. @param {Config} config @returns {number[]} */
export function hopLengthsOf(config) {
  const { levels, horizons } = complete(config);
  const lengths = [1];
  for (let level = 1; level < levels; level += 1) lengths.push(lengths[level - 1] * (Array.isArray(horizons) ? horizons[level - 1] : horizons));
  return lengths;
}

/** A backup as wanted: what it has and is not said is as usual, what it has not is left out. @param {Partial<Backup>} wanted @returns {Backup} */
export function backupOf({ kind = "Backup", operator = "tree-backup", rule = "dyna", ...own }) {
  const said = /** @type {Partial<Backup>} */ (Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)));
  const { about: _, ...rival } = RIVALS[rule];
  if (kind === "Rival") return { ...rival, ...(said.updates && rival.updates && { updates: said.updates }) };
  const { looks_ahead: ahead, decay } = OPERATORS[operator];
  const hops = said.hops && said.hops !== PARTS.hops.usual ? { hops: said.hops } : {};
  if (kind === "Traces") return { kind, operator, decay: said.decay ?? PARTS.decay.usual, ...hops };
  return {
    kind,
    operator,
    ...(ahead && { n: said.n ?? PARTS.n.usual }),
    ...(decay !== undefined && { decay: said.decay ?? decay }),
    ...(said.when && said.when !== PARTS.when.usual && { when: said.when }),
    ...hops,
  };
}

/** An agent in a few words: "3 levels, 3 hops". @param {Config} config @returns {string} */
export function describe(config) {
  const { levels, backup, behaviour } = complete(config);
  const { kind, operator = "", rule = "", n = 1, when, decay, updates } = /** @type {Backup} */ (backup);
  const name = operator === "tree-backup" || operator === "one-step" ? "" : operator;
  const hops = `${n} ${n === 1 ? "hop" : "hops"}`;
  const how = { Backup: [name, hops, when ? "backward" : ""], Traces: [name, `traces λ = ${decay}`], Rival: [rule, updates ? `N = ${updates}` : ""] }[kind];
  const acts = behaviour === "flat" && levels > 1 ? "acts flat" : "";
  return [levels === 1 ? "Flat" : `${levels} levels`, ...how, acts].filter(Boolean).join(", ");
}

/** How many steps back one episode can carry credit: hops times their length; null where that is not the limit. @param {Config} config
 * @returns {{hops: number, length: number, steps: number}|null} */
export function reachOf(config) {
  const { kind, n = 1, when } = /** @type {Backup} */ (complete(config).backup);
  const length = hopLengthsOf(config).at(-1) ?? 1;
  return kind !== "Backup" || when === "episode" ? null : { hops: n, length, steps: n * length };
}

/** A number with its noun, which stay on one line. @param {number} number @param {string} noun */
export const counted = (number, noun) => `${number}\u00a0${noun}${number === 1 ? "" : "s"}`;

/** The same in words: "credit: 3 hops × 9 steps = 27". @param {Config} config @returns {string} */
export function reachWords(config) {
  const reach = reachOf(config);
  if (reach) return `credit: ${counted(reach.hops, "hop")} ×\u00a0${counted(reach.length, "step")}\u00a0=\u00a0${reach.steps}`;
  const { kind } = complete(config).backup;
  return { Traces: "credit: all steps, fading", Rival: "credit: by another rule", Backup: "credit: all steps" }[/** @type {Backup["kind"]} */ (kind)];
}
