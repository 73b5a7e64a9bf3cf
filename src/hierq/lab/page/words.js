// @ts-check
/** The server's words about problems: which part of the page they are about, and as sentences; pure. */

import { complete } from "./config.js";
import { cellWords } from "./world_map.js";

/** Whether a problem of the server is about an agent's settings, not the world. @param {string} words @returns {boolean} */
export function aboutAgents(words) {
  return !/\bmap\b|\bline \d|\bgoal at\b|\bstart at\b/.test(words) || Object.keys(complete({})).some((key) => words.includes(key));
}

/** The server's words with cells as the page counts them: files have lines and columns from 1, and perhaps a line above the map.
 * @param {string} words @param {string} map @returns {string} */
export function withCells(words, map) {
  const above = /^slip:/i.test(map) ? 2 : 1;
  return words.replace(/line (\d+), column (\d+)/g, (_, line, column) => cellWords([line - above, column - 1]));
}

/** The server's words with a capital and a full stop. @param {string} words @returns {string} */
export function sentence(words) {
  const trimmed = words.trim();
  return trimmed && `${trimmed[0].toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}
