// @ts-check
// Films for videos: something to draw for every moment of the credit view, or of the last episode.

import { describe } from "./config.js";
import { creditHeight, drawCredit } from "./credit_draw.js";
import { drawCreditMap } from "./credit_map.js";
import { knowingOf, lastMoment, momentsOf, pictureOf, tileAt, written } from "./credit_scene.js";
import { fitWorld } from "./geometry.js";
import { parseMap } from "./world_map.js";
import { drawWorld } from "./world_view.js";

/**
 * @typedef {object} Film
 * @property {number} width @property {number} height @property {number} count of moments
 * @property {number} pause milliseconds from one moment to the next
 * @property {(pen: any, palette: import("./palette.js").Palette, moment: number) => void} draw
 */

const CREDIT_WIDTH = 1000;
const MAP = 340;
const WORLD = 460;
const NOTHING_ELSE = { layers: ["stack", "path"], level: 0, view: null, moves: null, asked: null, start: 0, cursor: null, hover: null };

/** What the agents learn from a trace. @param {import("./credit_scene.js").Scene} scene @param {any[]} answers of the server, for each agent
 * @param {"forward"|"backward"} view @returns {Film} */
export function creditFilm(scene, answers, view) {
  const credits = momentsOf(scene, answers);
  const last = lastMoment(scene);
  const lanes = creditHeight(pictureOf(scene, credits, 0, view));
  return {
    width: CREDIT_WIDTH,
    height: lanes + MAP + 50,
    count: last + 1,
    pause: Math.max(150, Math.min(900, 9000 / Math.max(1, last))),
    draw: (pen, palette, moment) => {
      const picture = pictureOf(scene, credits, moment, view);
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

/** The last episodes of both agents. @param {import("./state.js").State} state @param {import("./training.js").Training} training @returns {Film} */
export function episodeFilm({ map, agents }, { world, episodes, longest }) {
  const grid = parseMap(map);
  const height = Math.ceil((WORLD * grid.rows) / Math.max(grid.rows, grid.columns)) + 64;
  return {
    width: 2 * WORLD + 36,
    height,
    count: longest + 1,
    pause: Math.max(20, Math.min(250, 12_000 / Math.max(1, longest))),
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
        const scene = { ...NOTHING_ELSE, grid, positions: world?.positions ?? [], episode, at: Math.min(moment, steps) };
        drawWorld(pen, { ...layout, x: layout.x + left, y: layout.y + 52 }, scene, palette);
      });
    },
  };
}
