// @ts-check
/** The numbers of the credit view as tables: the same as the picture, for reading and for screen readers. */

import { bestActionOf, bestOf, rowsAt, short, tableAt } from "./credit_model.js";
import { afterWords } from "./credit_scene.js";
import { element } from "./dom.js";
import { MOVE_LETTERS } from "./trace.js";
import { cellWords } from "./world_map.js";

const MOST_ROWS = 400;
const ROLES = { target: "oldest in reach", trailing: "trailing", trace: "on the trace" };

/** @typedef {import("./credit_scene.js").Scene} Scene */
/** @typedef {(import("./credit_model.js").Credit|null)[]} Credits */

/** The best value of each cell of the trace, level by level, with the action it belongs to. @param {HTMLElement} table
 * @param {Scene} scene @param {Credits} credits @param {number} step */
export function fillValues(table, scene, credits, step) {
  const columns = credits.flatMap((credit, agent) =>
    (credit?.spans ?? []).map((_, level) => ({ credit, agent, level, known: credit && tableAt(credit, level, step) })),
  );
  const heads = ["Cell", ...columns.map(({ agent, level }) => `${"AB"[agent]}, level ${level}`)];
  const rows = scene.visited.map((cell) => {
    const state = scene.numberOf(cell);
    const parts = columns.map(({ credit, agent, level, known }) => {
      const value = credit && known ? bestOf(credit, level, known, state) : null;
      const action = credit && known ? bestActionOf(credit, level, known, state) : null;
      const test = `value-${"ab"[agent]}-${level}-${cell.join("-")}`;
      const way = action === null ? "" : level === 0 ? MOVE_LETTERS[action] : `→ ${scene.numbered[action]}`;
      return element("td", { "data-testid": test }, [
        element("b", { text: value === null ? "–" : short(value) }),
        way ? ` ${way}` : "",
      ]);
    });
    return element("tr", {}, [element("th", { scope: "row", text: cellWords(cell) }), ...parts]);
  });
  replaceTable(table, "max Q(s, a, g) for the goal asked about, and the action it belongs to", heads, rows);
}

/** Every entry that was written at a step: old and new value, weight, role. @param {HTMLElement} table @param {Scene} scene
 * @param {Credits} credits @param {number} step */
export function fillNumbers(table, scene, credits, step) {
  const heads = ["Agent", "Level", "Entry (state, action)", "Old → new", "Weight", "Why"];
  const cell = (/** @type {number} */ state) => cellWords(scene.numbered[state]);
  const all = credits.flatMap((credit, agent) => (credit ? rowsAt(credit, step, cell).map((row) => ({ ...row, agent })) : []));
  const order = [...all].sort((a, b) => Number(b.changed) - Number(a.changed));
  const rows = order.slice(0, MOST_ROWS).map((row) =>
    element("tr", { class: row.changed ? "" : "same" }, [
      element("td", { text: "AB"[row.agent] }),
      element("td", { text: String(row.level) }),
      element("td", { text: row.entry }),
      element("td", {}, [`${row.old} → `, element("b", { text: row.new })]),
      element("td", { text: row.weight }),
      element("td", { text: ROLES[/** @type {keyof typeof ROLES} */ (row.role)] ?? row.role }),
    ]),
  );
  if (rows.length === 0) rows.push(element("tr", {}, [element("td", { colspan: 6, text: "Nothing is written at this step." })]));
  replaceTable(table, step === 0 ? "Before the first step" : `Entries for the goal asked about, written ${afterWords(scene, step)}`, heads, rows);
}

/** @param {HTMLElement} table @param {string} caption @param {string[]} heads @param {Node[]} rows */
function replaceTable(table, caption, heads, rows) {
  const head = element("tr", {}, heads.map((text) => element("th", { scope: "col", text })));
  table.replaceChildren(element("caption", { text: caption }), element("thead", {}, [head]), element("tbody", {}, rows));
}
