// @ts-check
/** The stops of the guided tour: a state of the page, a few words, something to predict, and what is true; pure. */

import { backupOf, compact } from "./config.js";
import { MAX } from "./declared.js";
import { defaultState, MANY, toFragment } from "./state.js";

/** @typedef {import("./state.js").State} State */

/**
 * @typedef {object} Stop
 * @property {string} title @property {string} text
 * @property {string} question @property {string[]} choices @property {string} right one of the choices
 * @property {string} answer what is shown when one has chosen
 * @property {Partial<State>} state @property {Partial<State["credit"]>} [credit]
 * @property {number} [opens] episodes after which its recording opens
 */

const ROOMS = "#########\n#...#...#\n#.S...G.#\n#...#...#\n##.###.##\n#...#...#\n#.......#\n#...#...#\n#########\n";
const WALK = "ENSEESWEN"; // of the paper's worked example: with a detour and a bump
const DETOUR = "WSEENNWWSENE"; // to (1, 3) in six steps, on, and there again by the short path
const traces = backupOf({ kind: "Traces", decay: 1 });
const three = { levels: 3, backup: backupOf({ n: 3 }) };

/** @type {Stop[]} */
export const STOPS = [
  {
    title: "One reward, one lesson",
    text: "Two agents take the same nine steps, and only the last one earns something. An arc is an entry of a level’s table that learns. Agent A, flat, is plain Q-learning: a move learns from the next cell. So one move learns, next to the goal. Agent B has a second level that says “be there within three steps”. Whatever was done in between, each cell from which the goal was at most three steps away learns to ask for it.",
    question: "In how many cells does B know where to go after these nine steps?",
    choices: ["1", "3", "9"],
    right: "3",
    answer: "A knows 1 cell, B knows 3: the goal was three steps away, or two, or one.",
    state: { tab: "credit", map: ROOMS, agents: [{ levels: 1 }, { levels: 2 }] },
    credit: { moves: WALK },
  },
  {
    title: "Reach multiplies",
    text: "Now both look 3 hops along the path. A hop of the flat agent is one step. A hop of level 1 spans 3 steps, a hop of level 2 spans 3 × 3 = 9. The path is 20 steps long.",
    question: "In how many of its cells will A and the top level of B know where to go?",
    choices: ["3 and 9", "3 and 20", "20 and 20"],
    right: "3 and 20",
    answer: "One episode carries the reward 3, 9 and 27 steps back. So level 0 knows 3 cells, level 1 knows 9, and level 2 knows all 20.",
    state: { tab: "credit" },
  },
  {
    title: "Discounted once a decision",
    text: "The paper’s worked example, with traces: credit goes back to every earlier step (λ = 1: all of it). What arrives at the start differs. Level 0 discounts the reward by γ = 0.95 for each move on its way back, level 1 for each sub-goal.",
    question: "Level 0 has eight discounts at the start (2,2): 0.95⁸ = 0.6634. Level 1 needs three sub-goals. What is left?",
    choices: ["0.6634", "0.8574", "0.9025"],
    right: "0.9025",
    answer: "Three sub-goals are two discounts: 0.95² = 0.9025. A larger value stands out more clearly among its neighbours.",
    state: { tab: "credit", map: ROOMS, agents: [{ levels: 1, backup: traces }, { levels: 2, backup: traces }] },
    credit: { moves: WALK },
  },
  {
    title: "Cut, or jumped over",
    text: "Every level learns about every goal, not only the world’s. This walk finds the cell (1,3) by a detour of six steps, wanders back, and then takes the short path there. The last move was not what the flat agent thought best, so its trace is cut (✕) and nothing passes on. An arc of level 1 spans three steps and does not ask which moves they were.",
    question: "At the last step level 0 changes 1 entry. How many does level 1 change?",
    choices: ["1", "3", "none"],
    right: "3",
    answer: "Level 1 changes 3. At the start (2,2), level 0 still has the detour, 0.95⁵ = 0.7738; level 1 asks for (1,3) at once, 1.",
    state: { tab: "credit", map: ROOMS, agents: [{ levels: 1, backup: traces, universal_top: true }, { levels: 2, backup: traces, universal_top: true }] },
    credit: { moves: DETOUR, goal: [1, 3] },
  },
  {
    title: "Does it learn faster?",
    text: "Now in earnest: a maze that both know nothing of, a training and an evaluation episode in turn. The shortest path has 20 steps. One run may be luck, so take the mean of 200.",
    question: "In the fifth evaluation the flat agent needs 812 steps on average. And three levels?",
    choices: ["400", "100", "24"],
    right: "24",
    answer: "Three levels need 24. Credit that goes back 27 steps an episode has reached the start after one or two; credit that goes back 3 needs at least seven.",
    state: { tab: "train", curve: "many" },
    opens: 2,
  },
  {
    title: "The large maze",
    text: "41 × 41 cells, and a shortest path of 164 steps. Credit that goes back 3 steps an episode needs 55 good episodes to reach the start, and until then most episodes are given up after 20,000 steps.",
    question: "Both train for 50 episodes. Who finds the path?",
    choices: ["both", "three levels", "neither"],
    right: "three levels",
    answer: "Three levels: they need about 170 steps, and the flat agent knows the last corridor only. Not so in every maze: in those made with seed 4, 6 and 7 instead of 1, three levels find no path in 200 episodes either.",
    state: { tab: "train", map: "" },
    opens: 0,
  },
  {
    title: "The rest of the truth",
    text: "Levels are one way to carry credit far. Another one is to wait for the end of the episode and to learn from its steps backward, last step first: then one hop after another carries the reward all the way. Agent A is flat and does that. Agent B has three levels, as before.",
    question: "Mean steps of the flat agent in the fifth evaluation, where three levels need 24?",
    choices: ["812", "100", "21"],
    right: "21",
    answer: "21: the gap is gone. A hierarchy helps because it carries credit far. Where something else does that already, as backward replay or long traces do, little is left for it to add.",
    state: { tab: "train", curve: "many", agents: [{ levels: 1, backup: backupOf({ operator: "one-step", when: "episode" }) }, three] },
    opens: 2,
  },
];

/** The whole state of a stop, from 1. @param {number} number @param {{name: string, map: string}[]} offered worlds @returns {State} */
export function stateOfStop(number, offered) {
  const { state, credit } = STOPS[number - 1];
  const usual = defaultState();
  const agents = /** @type {State["agents"]} */ ((state.agents ?? usual.agents).map(compact));
  const map = state.map === "" ? offered.find(({ name }) => name === "maze-41")?.map ?? usual.map : state.map ?? usual.map;
  return { ...usual, ...state, map, agents, credit: { ...usual.credit, ...credit, at: 0 }, stop: number };
}

/** A stop as a link. @param {number} number @param {{name: string, map: string}[]} offered @returns {string} */
export const linkOfStop = (number, offered) => `#${toFragment(stateOfStop(number, offered))}`;

/** The file of a stop's recording. @param {number} number @returns {string} */
export function fileOfStop(number) {
  return `${number}-${STOPS[number - 1].title.toLowerCase().replace(/\W+/g, "-").replace(/-$/, "")}.html`;
}

/** What the page shows once one has predicted: all steps learnt, or what there is to run. @param {import("./app.js").App} app */
export async function reveal(app) {
  const { state, training } = app;
  if (state.tab === "credit") return app.update({ credit: { ...state.credit, at: 2 * MAX.moves } });
  const episodes = state.curve === "many" ? 2 : 50;
  if (training.trained < episodes) await training.episode(episodes - training.trained);
  return state.curve === "many" && !training.manyRunning ? training.startMany(...MANY) : undefined;
}
