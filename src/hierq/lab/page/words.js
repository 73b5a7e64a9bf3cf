// @ts-check
/** The server's words about problems: which part of the page they are about, and as sentences; pure. */

import { complete } from "./config.js";

/** Whether a problem of the server is about an agent's settings, not the world. @param {string} words @returns {boolean} */
export function aboutAgents(words) {
  return !/\bmap\b|\bline \d|\bgoal at\b|\bstart at\b/.test(words) || Object.keys(complete({})).some((key) => words.includes(key));
}

/** The server's words with a capital and a full stop. @param {string} words @returns {string} */
export function sentence(words) {
  const trimmed = words.trim();
  return trimmed && `${trimmed[0].toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}
