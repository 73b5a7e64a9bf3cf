// @ts-check
// Recordings as films: something to draw for every moment. The same films become GIFs, videos and stand-alone pages.

import { describe } from "./config.js";
import { creditHeight, drawCredit } from "./credit_draw.js";
import { drawCreditMap } from "./credit_map.js";
import { knowingOf, lastMoment, momentsOf, pictureOf, sceneOf, tileAt, written } from "./credit_scene.js";
import { fitWorld } from "./geometry.js";
import { cellNumbers } from "./trace.js";
import { parseMap } from "./world_map.js";
import { drawWorld } from "./world_view.js";

/**
 * @typedef {object} CreditRecording
 * @property {"credit"} kind @property {string} map @property {any} agents @property {any} credit the state of the view
 * @property {any[]} credits what the server told
 *
 * @typedef {object} EpisodeRecording
 * @property {"episode"} kind @property {string} map @property {any} agents
 * @property {({steps: number, levels: number, states: number[], goals: number[], reached: boolean}|null)[]} episodes
 *
 * @typedef {CreditRecording|EpisodeRecording} Recording
 *
 * @typedef {object} Film
 * @property {string} title @property {number} width @property {number} height @property {number} count of moments
 * @property {number} pause milliseconds from one moment to the next
 * @property {(moment: number) => string} label
 * @property {(pen: any, palette: import("./palette.js").Palette, moment: number) => void} draw
 */

const CREDIT_WIDTH = 1000;
const MAP = 340;
const WORLD = 460;
const NOTHING_ELSE = { layers: ["stack", "path"], level: 0, view: null, moves: null, asked: null, start: 0, cursor: null, hover: null };

/** @param {Recording} recording @returns {Film} */
export function filmOf(recording) {
  const { last, ...film } = recording.kind === "credit" ? creditFilm(recording) : episodeFilm(recording);
  return { ...film, count: last + 1, label: (moment) => `step ${moment} of ${last}` };
}

/** @param {CreditRecording} recording @returns {Omit<Film, "count"|"label"> & {last: number}} */
function creditFilm(recording) {
  const { map, agents, credit } = recording;
  const scene = sceneOf(/** @type {any} */ ({ map, agents, credit }));
  const credits = momentsOf(scene, recording.credits);
  const last = lastMoment(scene);
  const lanes = creditHeight(pictureOf(scene, credits, 0, credit.view));
  return {
    title: "Where does the credit go?",
    width: CREDIT_WIDTH,
    height: lanes + MAP + 50,
    last,
    pause: Math.max(150, Math.min(900, 9000 / Math.max(1, last))),
    draw: (pen, palette, moment) => {
      const picture = pictureOf(scene, credits, moment, credit.view);
      pen.rect(0, 0, CREDIT_WIDTH, lanes + MAP + 50, { fill: palette.ground });
      drawCredit(pen, palette, picture, CREDIT_WIDTH);
      picture.agents.forEach((agent, index) => {
        const left = 12 + index * (CREDIT_WIDTH / 2);
        const known = `${agent.name}: ${knowingOf(agent)} cells know where to go`;
        pen.text(left, lanes + 14, known, { fill: palette.ink, size: 14, weight: 700 });
        const shown = { ...scene, credit: credits[index], step: moment, tile: tileAt(scene, moment), whole: false };
        drawCreditMap(pen, palette, shown, CREDIT_WIDTH / 2 - 24, MAP, left, lanes + 26);
      });
      pen.text(CREDIT_WIDTH - 12, lanes + MAP + 42, `goal asked about: (${written(scene.goal)})`, { fill: palette.quiet, size: 11, align: "end" });
    },
  };
}

/** @param {EpisodeRecording} recording @returns {Omit<Film, "count"|"label"> & {last: number}} */
function episodeFilm(recording) {
  const { map, agents, episodes } = recording;
  const grid = parseMap(map);
  const { cells } = cellNumbers(grid);
  // Lists come out of files; drawing wants the arrays that frames have.
  const drawn = episodes.map((episode) => episode && { ...episode, states: Uint32Array.from(episode.states), goals: Uint32Array.from(episode.goals) });
  const last = Math.max(0, ...episodes.map((episode) => episode?.steps ?? 0));
  const height = Math.ceil((WORLD * grid.rows) / Math.max(grid.rows, grid.columns)) + 64;
  return {
    title: "The last episode of both agents",
    width: 2 * WORLD + 36,
    height,
    last,
    pause: Math.max(20, Math.min(250, 12_000 / Math.max(1, last))),
    draw: (pen, palette, moment) => {
      pen.rect(0, 0, 2 * WORLD + 36, height, { fill: palette.ground });
      episodes.forEach((episode, index) => {
        const left = 12 + index * (WORLD + 12);
        const steps = episode?.steps ?? 0;
        const how = !episode ? "no episode yet" : moment < steps ? `step ${moment}` : episode.reached ? `at the goal after ${steps} steps` : `gave up after ${steps} steps`;
        pen.text(left, 22, `Agent ${"AB"[index]}`, { fill: palette.ink, size: 15, weight: 700 });
        pen.text(left + 74, 22, describe(agents[index]), { fill: palette.quiet, size: 13 });
        pen.text(left, 42, how, { fill: palette.ink, size: 13 });
        const layout = fitWorld(grid.rows, grid.columns, WORLD, height - 64);
        const scene = { ...NOTHING_ELSE, grid, positions: cells, episode: /** @type {any} */ (drawn[index]), at: Math.min(moment, steps) };
        drawWorld(pen, { ...layout, x: layout.x + left, y: layout.y + 52 }, scene, palette);
      });
    },
  };
}
