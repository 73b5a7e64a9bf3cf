// @ts-check
// From the account of a learning episode (the JSON of hierq.agents.credit) to what is to be drawn: lanes of
// levels, arcs over the trace, values, words. Nothing here knows about pixels or pages.

/**
 * @typedef {object} Hop
 * @property {number} from index on the level's trace @property {number} to
 * @property {boolean} continued whether credit passes on to older entries @property {string|null} reason why not
 * @property {number} weight of its entries, for traces
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
 *
 * @typedef {object} Credit
 * @property {number[]} spans @property {number} discount @property {number[]} states @property {number[]} actions
 * @property {number[]} moved step at which each state of the trace without bumps was entered
 * @property {number[]} start_values @property {number} goal @property {Backup[][]} steps
 *
 * @typedef {object} Arc
 * @property {number} from tile @property {number} to tile
 * @property {"update"|"hop"} kind @property {number} weight
 * @property {boolean} changed @property {boolean} dead whether nothing comes through
 * @property {string|null} cut why nothing passes on from here to older entries
 * @property {number[]} skipped tiles hopped over
 *
 * @typedef {object} Place one tile of a lane
 * @property {boolean} there whether the level's trace has it (bumps are left out above level 0)
 * @property {number|null} value the best value there now, null while nothing is known
 * @property {number} before the best value before this step
 * @property {boolean} changed
 *
 * @typedef {object} Lane
 * @property {number} level @property {number} span @property {Place[]} places @property {Arc[]} arcs
 * @property {{tile: number, value: number|null}|null} bootstrap where the return comes from;
 *   no value at the goal itself
 * @property {number} knowing cells that know where to go @property {string} words
 */

export const MOVE_NAMES = ["N", "S", "W", "E"];

/** What a level does after a step: usually one backup, several when the goal is reached and n > 1. @param {Credit} credit
 * @param {number} level @param {number} step how many steps were taken; 0: nothing yet @returns {Backup[]} */
function backupsAt(credit, level, step) {
  return (credit.steps[step - 1] ?? []).filter((backup) => backup.level === level);
}

/** What a level's table says about the goal after some steps. @param {Credit} credit @param {number} level @param {number} step
 * @returns {Map<number, Map<number, number>>} values by state and action */
export function tableAt(credit, level, step) {
  /** @type {Map<number, Map<number, number>>} */
  const table = new Map();
  for (const { level: whose, updates } of credit.steps.slice(0, step).flat()) {
    for (const update of whose === level ? updates : []) {
      if (!table.has(update.state)) table.set(update.state, new Map());
      table.get(update.state)?.set(update.action, update.new);
    }
  }
  return table;
}

/** The best value of a state, max_a Q(s, a, goal); null while every entry is as it was at first. @param {Credit} credit
 * @param {number} level @param {Map<number, Map<number, number>>} table @param {number} state @returns {number|null} */
export function bestOf(credit, level, table, state) {
  const start = credit.start_values[level];
  const values = [...(table.get(state)?.values() ?? [])];
  if (values.every((value) => value === start)) return null;
  const complete = level === 0 && values.length === MOVE_NAMES.length;
  return Math.max(...values, ...(complete ? [] : [start]));
}

/** The action with the best value, the first of equals; null while nothing is known. @param {Credit} credit
 * @param {number} level @param {Map<number, Map<number, number>>} table @param {number} state @returns {number|null} */
export function bestActionOf(credit, level, table, state) {
  const best = bestOf(credit, level, table, state);
  const found = [...(table.get(state) ?? [])].filter(([, value]) => value === best).map(([action]) => action);
  return best === null || found.length === 0 ? null : Math.min(...found);
}

/** The tile of the trace S_0 … S_T that an index of a level's own trace stands for. @param {Credit} credit
 * @param {number} level @param {number} index */
function tileOf(credit, level, index) {
  return level === 0 ? index : credit.moved[index];
}

/** Everything a lane shows after a step. @param {Credit} credit @param {number} level @param {number} step @returns {Lane} */
export function laneAt(credit, level, step) {
  const backups = backupsAt(credit, level, step);
  const now = tableAt(credit, level, step);
  const before = tableAt(credit, level, step - 1);
  const on = new Set(level === 0 ? credit.states.keys() : credit.moved);
  const places = credit.states.map((state, tile) => {
    const [value, old] = [bestOf(credit, level, now, state), bestOf(credit, level, before, state)];
    return { there: on.has(tile), value, before: old ?? credit.start_values[level], changed: value !== old };
  });
  const learning = backups.filter((backup) => !backup.skipped_reason);
  return {
    level,
    span: credit.spans[level],
    places,
    arcs: withoutDoubles(learning.flatMap((backup) => arcsOf(credit, backup))),
    bootstrap: bootstrapOf(credit, learning[0] ?? null),
    knowing: [...now.keys()].filter((state) => bestOf(credit, level, now, state) !== null).length,
    words: wordsFor(backups, step),
  };
}

/** Several backups of one step look along the same hops, and the entry of a hop may learn itself: one arc is enough. @param {Arc[]} arcs */
function withoutDoubles(arcs) {
  /** @type {Map<string, Arc>} */
  const kept = new Map();
  const place = (/** @type {Arc} */ arc) => `${arc.from} ${arc.to}`;
  for (const arc of arcs.filter((each) => each.kind === "update")) kept.set(place(arc), arc);
  for (const arc of arcs.filter((each) => each.kind === "hop")) {
    const known = kept.get(place(arc));
    if (!known) kept.set(place(arc), arc);
    else known.cut ??= arc.cut;
  }
  return [...kept.values()];
}

/** @param {Credit} credit @param {Backup|null} backup */
function bootstrapOf(credit, backup) {
  if (!backup || backup.bootstrap_state === null) return null;
  return { tile: backup.time + 1, value: backup.bootstrap_state === credit.goal ? null : backup.bootstrap_value };
}

/** Arcs of a backup: hops that are looked along, and entries that learn. @param {Credit} credit @param {Backup} backup @returns {Arc[]} */
function arcsOf(credit, backup) {
  const { level } = backup;
  const stop = backup.kind === "tree" ? backup.hops.findLastIndex((hop) => !hop.continued) : backup.hops.findIndex((hop) => !hop.continued);
  const arc = (/** @type {number} */ from, /** @type {number} */ to, /** @type {any} */ rest) => {
    return { from: tileOf(credit, level, from), to: tileOf(credit, level, to), skipped: tilesBetween(credit, level, from, to), ...rest };
  };
  const hops = backup.hops.map((hop, index) => arc(hop.from, hop.to, {
    kind: "hop",
    weight: hop.weight,
    changed: false,
    dead: stop >= 0 && (backup.kind === "tree" ? index <= stop : index > stop),
    cut: index === stop ? hop.reason : null,
  }));
  const updates = backup.updates.map((update) => arc(update.index, targetIndex(credit, backup, update), {
    kind: "update",
    weight: update.weight,
    changed: update.new !== update.old,
    dead: false,
    cut: null,
  }));
  return [...hops, ...updates];
}

/** Where the action of an entry led to on the level's trace S_0 … S_L. Groups of entries lie h apart, counted from S_L.
 * @param {Credit} credit @param {Backup} backup @param {Update} update */
function targetIndex(credit, backup, update) {
  const h = credit.spans[backup.level];
  const last = backup.level === 0 ? backup.time + 1 : credit.moved.indexOf(backup.time + 1);
  if (backup.kind === "tree") return last - h * ((backup.n ?? 1) - 1);
  return last - h * Math.floor((last - 1 - update.index) / h);
}

/** @param {Credit} credit @param {number} level @param {number} from @param {number} to */
function tilesBetween(credit, level, from, to) {
  const tiles = [];
  for (let index = from + 1; index < to; index += 1) tiles.push(tileOf(credit, level, index));
  return tiles;
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
  const cut = backups.flatMap((backup) => backup.hops).find((hop) => !hop.continued);
  const why = cut ? `; cut ✕: ${cut.reason}` : "";
  if (changed === 0) return `nothing new about this goal${why}${aside}`;
  return `${changed} ${changed === 1 ? "entry changes" : "entries change"}${why}${aside}`;
}

/** The numbers of a step as rows of a table. @param {Credit} credit @param {number} step
 * @param {(state: number) => string} cell how a cell is written
 * @returns {{level: number, entry: string, old: string, new: string, weight: string, role: string, changed: boolean}[]} */
export function rowsAt(credit, step, cell) {
  const updates = (credit.steps[step - 1] ?? []).flatMap(({ level, updates: each }) => each.map((update) => ({ level, update })));
  return updates.map(({ level, update }) => ({
    level,
    entry: `${cell(update.state)}, ${level === 0 ? MOVE_NAMES[update.action] : cell(update.action)}`,
    old: short(update.old),
    new: short(update.new),
    weight: short(update.weight),
    role: update.role,
    changed: update.new !== update.old,
  }));
}
