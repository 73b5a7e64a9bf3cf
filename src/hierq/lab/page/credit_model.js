// @ts-check
/** From the account of a learning episode (hierq.credit.explain) to what is drawn: lanes of levels, arcs over the trace, values,
 * words. Nothing here knows about pixels or pages. */

import { MOVE_LETTERS } from "./trace.js";

/**
 * @typedef {object} Hop
 * @property {number} from index on the level's trace @property {number} to
 * @property {boolean} continued whether credit passes on to older entries @property {string|null} reason why not
 * @property {number} weight of its entries, for traces; else how much of the return comes through it
 *
 * @typedef {object} Update
 * @property {number} state @property {number} action @property {number} old @property {number} new
 * @property {number} weight @property {"target"|"trailing"|"trace"} role @property {number} index on the level's trace
 *
 * @typedef {object} Backup
 * @property {number} level @property {number} time @property {"tree"|"trace"} kind
 * @property {number|null} n @property {number|null} decay @property {Hop[]} hops
 * @property {number|null} bootstrap_state @property {number|null} bootstrap_value @property {number|null} returned
 * @property {Update[]} updates @property {number} goals_changed @property {string|null} skipped_reason
 * @property {number} [left_out] hops of all paths that are not told
 *
 * @typedef {object} Credit
 * @property {number[]} hop_lengths @property {number} discount @property {number[]} states @property {number[]} actions
 * @property {number[]} moved step at which each state of the trace without bumps was entered
 * @property {number[]} start_values @property {number} goal @property {Backup[][]} steps
 *
 * @typedef {object} Arc
 * @property {number} from tile @property {number} to tile
 * @property {"update"|"hop"} kind @property {number} weight @property {number} strength how much a hop counts beside the others
 * @property {boolean} changed @property {boolean} dead whether nothing comes through
 * @property {string|null} cut why nothing passes on from here to older entries
 * @property {number[]} skipped tiles hopped over
 *
 * @typedef {object} Place one tile of a lane
 * @property {boolean} there whether the level's trace has it (bumps are left out above level 0)
 * @property {number|null} value of the entry that the arc from there wrote last, null while nothing is known
 * @property {number} before what that entry was before this step
 * @property {boolean} changed
 *
 * @typedef {object} Lane
 * @property {number} level @property {number} hopLength @property {Place[]} places @property {Arc[]} arcs
 * @property {{tile: number, value: number|null}|null} bootstrap where the return comes from;
 *   no value where the episode ends, at the goal or in a hole
 * @property {number} knowing cells that know where to go @property {string} words
 */

const MAX_HOPS = 40; // in a lane; more are a thicket
const OVER = "the episode is over; now it is gone through backward";

/** An account of learning backward with a step of its own for every action: first those of the episode, in which nothing is learnt,
 * then as many on the way back. @param {Credit} credit @returns {Credit} */
export function unrolled(credit) {
  const last = credit.steps[credit.steps.length - 1];
  const isAbout = (/** @type {number} */ tile) => ({ level, hops }) => hops.length === 0 || tileOf(credit, level, hops[hops.length - 1].to) === tile;
  const over = credit.hop_lengths.map((_, level) => /** @type {Backup} */ ({ ...last[0], level, hops: [], updates: [], skipped_reason: OVER }));
  const back = last.length ? credit.steps.map((_, step) => last.filter(isAbout(credit.steps.length - step))) : [];
  return { ...credit, steps: [...credit.steps.slice(0, -1), over, ...back] };
}

/** What a level wrote in some steps, in order. @param {Credit} credit @param {number} level @param {number} step @returns {Update[]} */
function writtenBy(credit, level, step) {
  return credit.steps.slice(0, step).flat().flatMap((backup) => (backup.level === level ? backup.updates : []));
}

/** What a level's table says about the goal after some steps. @param {Credit} credit @param {number} level @param {number} step
 * @returns {Map<number, Map<number, number>>} values by state and action */
export function tableAt(credit, level, step) {
  /** @type {Map<number, Map<number, number>>} */
  const table = new Map();
  for (const update of writtenBy(credit, level, step)) {
    if (!table.has(update.state)) table.set(update.state, new Map());
    table.get(update.state)?.set(update.action, update.new);
  }
  return table;
}

/** The best value of a state, max_a Q(s, a, goal); null while every entry is as it was at first. @param {Credit} credit
 * @param {number} level @param {Map<number, Map<number, number>>} table @param {number} state @returns {number|null} */
export function bestOf(credit, level, table, state) {
  const start = credit.start_values[level];
  const values = [...(table.get(state)?.values() ?? [])];
  if (values.every((value) => value === start)) return null;
  const complete = level === 0 && values.length === MOVE_LETTERS.length;
  return Math.max(...values, ...(complete ? [] : [start]));
}

/** The action with the best value, the first of equals; null while nothing is known. @param {Credit} credit
 * @param {number} level @param {Map<number, Map<number, number>>} table @param {number} state @returns {number|null} */
export function bestActionOf(credit, level, table, state) {
  const best = bestOf(credit, level, table, state);
  const found = [...(table.get(state) ?? [])].filter(([, value]) => value === best).map(([action]) => action);
  return best === null || found.length === 0 ? null : Math.min(...found);
}

/** The action of the entry that was written last from each tile; one that changed something counts before others. @param {Credit} credit
 * @param {number} level @param {number} step @returns {Map<number, number>} */
function entriesAt(credit, level, step) {
  /** @type {Map<number, number>} */
  const entries = new Map();
  for (const { index, action, old, new: value } of writtenBy(credit, level, step)) {
    const tile = tileOf(credit, level, index);
    if (value !== old || !entries.has(tile)) entries.set(tile, action);
  }
  return entries;
}

/** The tile of the trace S_0 … S_T that an index of a level's own trace stands for. @param {Credit} credit
 * @param {number} level @param {number} index */
function tileOf(credit, level, index) {
  return level === 0 ? index : credit.moved[index];
}

/** Everything a lane shows after a step. @param {Credit} credit @param {number} level @param {number} step @returns {Lane} */
export function laneAt(credit, level, step) {
  // Usually one backup, several when the goal is reached and n > 1; none before the first step.
  const backups = (credit.steps[step - 1] ?? []).filter((backup) => backup.level === level);
  const now = tableAt(credit, level, step);
  const before = tableAt(credit, level, step - 1);
  const on = new Set(level === 0 ? credit.states.keys() : credit.moved);
  const entries = entriesAt(credit, level, step);
  const start = credit.start_values[level];
  const places = credit.states.map((state, tile) => {
    const [value, old] = [now, before].map((table) => table.get(state)?.get(entries.get(tile) ?? -1) ?? start);
    return { there: on.has(tile), value: value === start ? null : value, before: old, changed: value !== old };
  });
  const learning = backups.filter((backup) => !backup.skipped_reason);
  const arcs = withoutDoubles(learning.flatMap((backup) => arcsOf(credit, backup)));
  return {
    level,
    hopLength: credit.hop_lengths[level],
    places,
    arcs,
    bootstrap: bootstrapOf(credit, learning[0] ?? null),
    knowing: [...now.keys()].filter((state) => bestOf(credit, level, now, state) !== null).length,
    words: step > credit.steps.length ? "has learnt all of it" : wordsFor(backups, step) + wordsAboutPaths(credit, learning, arcs),
  };
}

/** Several backups of one step look along the same hops, and the entry of a hop may learn itself: one arc is enough. Of many hops the
 * strongest are kept. @param {Arc[]} arcs */
function withoutDoubles(arcs) {
  /** @type {Map<string, Arc>} */
  const kept = new Map();
  const place = (/** @type {Arc} */ arc) => `${arc.from} ${arc.to}`;
  for (const arc of arcs.filter((each) => each.kind === "update")) kept.set(place(arc), arc);
  for (const arc of arcs.filter((each) => each.kind === "hop")) {
    const known = kept.get(place(arc));
    if (!known || (known.kind === "hop" && known.strength < arc.strength)) kept.set(place(arc), arc);
    else known.cut ??= arc.cut;
  }
  const [hops, updates] = ["hop", "update"].map((kind) => [...kept.values()].filter((arc) => arc.kind === kind));
  return [...updates, ...hops.sort((a, b) => b.strength - a.strength).slice(0, MAX_HOPS)];
}

/** Whether a backup went along several paths: then hops have the same beginning. @param {Backup} backup */
function hasPaths({ kind, hops }) {
  return kind === "tree" && new Set(hops.map((hop) => hop.from)).size < hops.length;
}

/** What is drawn of all paths: of the deepest backup, the hops of which are those of the others, too. @param {Credit} credit
 * @param {Backup[]} backups @param {Arc[]} arcs */
function wordsAboutPaths(credit, backups, arcs) {
  const [deepest] = backups.filter(hasPaths).sort((a, b) => (b.n ?? 0) - (a.n ?? 0));
  if (!deepest) return "";
  const hops = deepest.hops.slice(0, -1);
  const isDrawn = (/** @type {Hop} */ { from, to }) => arcs.some((arc) => arc.from === tileOf(credit, deepest.level, from) && arc.to === tileOf(credit, deepest.level, to));
  const isBest = hops.every(({ weight }) => weight === 0 || weight === 1);
  const count = `${hops.filter(isDrawn).length} of ${hops.length + (deepest.left_out ?? 0)} hops drawn`;
  return `; ${count}, ${isBest ? "the best path strong" : "as strong as they count"}`;
}

/** @param {Credit} credit @param {Backup|null} backup */
function bootstrapOf(credit, backup) {
  if (!backup || backup.bootstrap_state === null) return null;
  const tile = tileOf(credit, backup.level, Math.max(...backup.hops.map((hop) => hop.to)));
  return { tile, value: backup.bootstrap_value };
}

/** Arcs of a backup: hops that are looked along, and entries that learn. @param {Credit} credit @param {Backup} backup @returns {Arc[]} */
function arcsOf(credit, backup) {
  const { level, hops } = backup;
  const alive = aliveHops(backup);
  const strongest = Math.max(...hops.slice(0, -1).map((hop) => hop.weight), 1e-9);
  const isOneOfMany = hasPaths(backup);
  const arc = (/** @type {number} */ from, /** @type {number} */ to, /** @type {any} */ rest) => {
    const [first, ...others] = Array.from({ length: to - from + 1 }, (_, place) => tileOf(credit, level, from + place));
    return { from: first, to: others.pop(), skipped: others, ...rest };
  };
  const looked = hops.map((hop) => arc(hop.from, hop.to, {
    kind: "hop",
    weight: hop.weight,
    strength: isOneOfMany ? Math.min(1, hop.weight / strongest) : 1,
    changed: false,
    dead: !(alive.has(hop) && (hop.continued || backup.kind === "trace")) && !(isOneOfMany && hop.weight === 0),
    cut: alive.has(hop) ? hop.reason : null,
  }));
  const updates = backup.updates.map((update) => arc(update.index, hopOf(backup, update).to, {
    kind: "update",
    weight: update.weight,
    strength: 1,
    changed: update.new !== update.old,
    dead: false,
    cut: null,
  }));
  return [...looked, ...updates];
}

/** The hops that the return comes through, up to where it is cut: from the newest on for traces, else from the one that learns.
 * @param {Backup} backup @returns {Set<Hop>} */
function aliveHops({ kind, hops }) {
  if (kind === "trace") {
    const stop = hops.findIndex((hop) => !hop.continued);
    return new Set(stop < 0 ? hops : hops.slice(0, stop + 1));
  }
  const [learning, ...older] = [...hops].reverse();
  const alive = new Set([learning]);
  const reached = new Set(learning.continued ? [learning.to] : []);
  for (const hop of older.filter(({ weight }) => weight > 0)) {
    if (!reached.has(hop.from)) continue;
    alive.add(hop);
    if (hop.continued) reached.add(hop.to);
  }
  return alive;
}

/** The hop whose end an entry's action led to: of a trace the one it lies under, else the one that learns. @param {Backup} backup
 * @param {Update} update @returns {Hop} */
function hopOf({ kind, hops }, { index }) {
  const found = kind === "trace" ? hops.find((hop) => hop.from <= index && index < hop.to) : undefined;
  return found ?? hops[hops.length - 1];
}

/** A value as it is written in the picture: four digits behind the point, no more than needed.
 * @param {number} value @param {number} [digits] */
export function short(value, digits = 4) {
  return String(Number(value.toFixed(Math.abs(value) >= 10 ? Math.min(2, digits) : digits))).replace("-", "−");
}

/** What happens in a lane, in words. @param {Backup[]} backups @param {number} step */
function wordsFor(backups, step) {
  if (step === 0) return "nothing learnt yet";
  const skipped = backups.find((backup) => backup.skipped_reason);
  if (skipped || backups.length === 0) return skipped?.skipped_reason ?? "does not learn from this step";
  const changed = backups.flatMap((backup) => backup.updates).filter((update) => update.new !== update.old).length;
  const others = Math.max(...backups.map((backup) => backup.goals_changed)) - (changed > 0 ? 1 : 0);
  const aside = others > 0 ? `; ${changed > 0 ? "also" : "something"} for ${others} other ${others === 1 ? "goal" : "goals"}` : "";
  const cut = backups.flatMap((backup) => [...aliveHops(backup)]).find((hop) => !hop.continued);
  const why = cut ? `; cut ✕: ${cut.reason}` : "";
  if (changed === 0) return `nothing new about this goal${why}${aside}`;
  return `${changed} ${changed === 1 ? "entry changes" : "entries change"}${why}${aside}`;
}
