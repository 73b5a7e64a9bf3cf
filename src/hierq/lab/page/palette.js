// @ts-check
/**
 * The colours of everything that is drawn. In the light theme they are those of the project's figures
 * (hierq.figures.style); in the dark theme the levels keep their hue and become lighter.
 */

/**
 * @typedef {object} Palette
 * @property {"light"|"dark"} name
 * @property {string[]} levels colour of level i (and of agents whose top it is); see `levelColour`
 * @property {string} ground behind everything @property {string} ink for words @property {string} quiet for minor words
 * @property {string} rule for thin lines @property {string} wall @property {string} free @property {string} seam between cells
 * @property {string} start @property {string} goal @property {string} hole @property {string} door @property {string} teleport
 * @property {string} sign on doors and teleports @property {string} agent @property {string} agentEdge
 * @property {string} accent @property {string} cut greyed: what does not count @property {string} path
 * @property {string[]} shades of the values, from the start value to 1
 */

/** Every colour, light and dark. @type {Record<string, [any, any]>} */
const COLOURS = {
  name: ["light", "dark"],
  levels: [["#1d1d3b", "#a3297a", "#2f8fd0", "#e0a100"], ["#c9c8f4", "#ea7fc5", "#63b8f0", "#f2c04a"]],
  ground: ["#ffffff", "#17181c"],
  ink: ["#1f2127", "#ecedf1"],
  quiet: ["#5d6068", "#a5a8b2"],
  rule: ["#e2e2e6", "#33353d"],
  wall: ["#545458", "#07080a"],
  free: ["#f1f1ef", "#30333b"],
  seam: ["#ffffff", "#1c1e23"],
  start: ["#569cd6", "#3f86c4"],
  goal: ["#009e73", "#13b487"],
  hole: ["#121218", "#121218"],
  door: ["#f0c85a", "#c99f37"],
  teleport: ["#cc79a7", "#cc79a7"],
  sign: ["#3c2800", "#3c2800"],
  agent: ["#d55e00", "#ff8a3d"],
  agentEdge: ["#ffffff", "#17181c"],
  accent: ["#b84a00", "#ff9a55"],
  cut: ["#a3a4aa", "#6d707a"],
  path: ["#d55e00", "#ff8a3d"],
  heat: [["#eef3ef", "#d3eadf", "#a6d9c4", "#6cc3a4", "#35ab87"], ["#333f3f", "#2d4f48", "#276152", "#21735d", "#1b8468"]],
};

const HEAT_STEPS = 64;

/** All colours between some stops; in steps, so that equal ones can be drawn together. @param {string[]} stops @returns {string[]} */
function shadesOf(stops) {
  return Array.from({ length: HEAT_STEPS }, (_, step) => {
    const place = (step / (HEAT_STEPS - 1)) * (stops.length - 1);
    const stop = Math.min(stops.length - 2, Math.floor(place));
    return mixed(stops[stop], stops[stop + 1], place - stop);
  });
}

/** @param {0|1} theme @returns {Palette} */
function themed(theme) {
  const colours = /** @type {any} */ (Object.fromEntries(Object.entries(COLOURS).map(([name, pair]) => [name, pair[theme]])));
  return { ...colours, shades: shadesOf(COLOURS.heat[theme]) };
}

export const LIGHT = themed(0);
export const DARK = themed(1);

/** @param {"light"|"dark"} theme @returns {Palette} */
export function paletteOf(theme) {
  return theme === "dark" ? DARK : LIGHT;
}

/** The colour of level i = 0, 1, …; after the fourth they come again, as in the figures. @param {Palette} palette
 * @param {number} level @returns {string} */
export function levelColour(palette, level) {
  return palette.levels[((level % palette.levels.length) + palette.levels.length) % palette.levels.length];
}

/** A colour "#rrggbb" as its three parts. @param {string} colour @returns {[number, number, number]} */
function partsOf(colour) {
  const number = Number.parseInt(colour.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

/** Between two colours, share 0 … 1. @param {string} from @param {string} to @param {number} share @returns {string} */
export function mixed(from, to, share) {
  const [a, b] = [partsOf(from), partsOf(to)];
  const parts = a.map((part, index) => Math.round(part + (b[index] - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The colour of a value whose share of the largest is 0 … 1. @param {Palette} palette @param {number} share @returns {string} */
export const heatColour = ({ shades }, share) => shades[Math.max(0, Math.min(shades.length - 1, Math.round(share * (shades.length - 1))))];

/** How strongly a value is coloured. Values for a reached goal shrink by γ a step, so small ones are lifted; with
 * penalties the lowest value there is gets 0. @param {number} value @param {number} lowest @returns {number} */
export function heatShare(value, lowest) {
  if (lowest < 0) return Math.max(0, Math.min(1, 1 - value / lowest));
  return Math.max(0, Math.min(1, value)) ** 0.7;
}
