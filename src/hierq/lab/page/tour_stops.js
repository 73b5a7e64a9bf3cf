// @ts-check
// The stops of the guided tour: a state of the page, a few words, and something to check by hand; pure.

import { backupOf, compact } from "./config.js";
import { EXAMPLE } from "./credit_scene.js";
import { defaultState, toFragment } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @typedef {object} Stop
 * @property {string} title @property {string} text @property {string} check what one can check by hand
 * @property {Partial<State>} state @property {Partial<State["credit"]>} credit
 */

const SHORTEST_WAY = "SSSSEEEEEESSEEEESSSS"; // of the maze the page begins with
const DETOUR = "WSEENNWWSENE"; // to (1, 3) in six steps, on, and there again by the short way

/** @type {Stop[]} */
export const STOPS = [
  {
    title: "One reward, one lesson",
    text: "Two agents take the same nine steps, and only the last one earns something. An arc is an entry of a level’s table that learns. Agent A is flat, plain Q-learning: it learns one move, next to the goal. Agent B has a second level that says “be there within three steps”. For it the goal was three steps away, or two, or one: each of these cells learns to ask for the goal, whatever was done in between.",
    check: "Press Learn. After the episode A knows where to go in 1 cell, B in 3.",
    state: { tab: "credit", map: EXAMPLE.map, agents: [{ levels: 1 }, { levels: 2 }] },
    credit: { source: "page", moves: EXAMPLE.moves, at: 0 },
  },
  {
    title: "Reach multiplies",
    text: "Now both look n = 3 hops along the trace. A hop of the flat agent is one step. A hop of level 1 spans 3 steps, a hop of level 2 spans 3 × 3 = 9. So one episode carries the reward 3, 9 and 27 steps back, and the way is only 20 steps long.",
    check: "Level 0 knows 3 cells, level 1 knows 9, level 2 all 20 of them.",
    state: { tab: "credit", agents: [{ levels: 1, backup: backupOf({ n: 3 }) }, { levels: 3, backup: backupOf({ n: 3 }) }] },
    credit: { source: "page", moves: SHORTEST_WAY, at: SHORTEST_WAY.length },
  },
  {
    title: "Discounted once a decision",
    text: "The worked example of the paper, with traces (λ = 1), so that both agents reach the start. What arrives differs. Level 0 discounts the reward by γ = 0.95 for each move on its way back, level 1 for each sub-goal. A value is what is left: the more of it, the easier it stands out.",
    check: "At the start (2,2), level 0 has eight discounts, 0.95⁸ = 0.6634. Level 1 needs three sub-goals, two discounts: 0.95² = 0.9025.",
    state: { tab: "credit", agents: [1, 2].map((levels) => ({ levels, backup: backupOf({ kind: "Traces", decay: 1 }) })) },
    credit: { source: "example", moves: EXAMPLE.moves, at: EXAMPLE.moves.length, view: "backward" },
  },
  {
    title: "Cut, or jumped over",
    text: "Every level learns about every goal, not only the world's. This walk first finds the cell (1,3) by a detour of six steps, wanders back, and at the end takes the short way there. That last move was not what the flat agent thought best, so its trace is cut (✕) and nothing passes on. An arc of level 1 spans three steps and does not ask which moves they were.",
    check: "At step 12 level 0 changes 1 entry, level 1 changes 3. At the start (2,2), level 0 still has the detour, 0.95⁵ = 0.7738; level 1 asks for (1,3) at once, 1.",
    state: {
      tab: "credit",
      map: EXAMPLE.map,
      agents: [
        { levels: 1, backup: backupOf({ kind: "Traces", decay: 1 }), universal_top: true },
        { levels: 2, backup: backupOf({ kind: "Traces", decay: 1 }), universal_top: true },
      ],
    },
    credit: { source: "page", moves: DETOUR, goal: [1, 3], at: DETOUR.length },
  },
  {
    title: "Does it learn faster?",
    text: "Agents in earnest: a maze they know nothing of, one training and one evaluation episode after the other. Press “Run many seeds”: 200 runs show what luck hides in one. More reach is no free gift, though: try other worlds, other levels, other n.",
    check: "In the fifth episode the flat agent needs 812 steps on average, three levels 24. The shortest way has 20.",
    state: { tab: "train", curve: "many" },
    credit: {},
  },
];

/** The whole state of a stop, 1 … 5; only the theme stays as it is. @param {number} number @param {State["theme"]} theme
 * @returns {State} */
export function stateOfStop(number, theme) {
  const stop = STOPS[number - 1];
  const usual = defaultState();
  const agents = /** @type {State["agents"]} */ ((stop.state.agents ?? usual.agents).map((config) => compact(config)));
  return { ...usual, ...stop.state, agents, credit: { ...usual.credit, ...stop.credit }, stop: number, theme };
}

/** A stop as a link. @param {number} number @param {State["theme"]} theme @returns {string} */
export function linkOfStop(number, theme) {
  return `#${toFragment(stateOfStop(number, theme))}`;
}
