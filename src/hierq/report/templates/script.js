// Tables that can be sorted and filtered; without this script they are plain tables, whole and in the paper's order.
"use strict";

const SIGNS = { ascending: "▲", descending: "▼", none: "↕" };

function orderOf(row, column) {
  const cell = row.cells[column];
  const given = cell.dataset.order;
  return given === undefined ? cell.textContent.trim() : Number(given);
}

function compare(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}

function sortBy(table, column, direction) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows).sort((one, other) => {
    const order = compare(orderOf(one, column), orderOf(other, column));
    return direction === "ascending" ? order : -order;
  });
  body.append(...rows);
  table.querySelectorAll("thead th").forEach((header, place) => {
    const state = place === column ? direction : "none";
    header.setAttribute("aria-sort", state);
    header.querySelector("i").textContent = SIGNS[state];
  });
}

function makeSortable(table) {
  table.querySelectorAll("thead th").forEach((header, column) => {
    const button = document.createElement("button");
    const sign = document.createElement("i");
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = SIGNS.none;
    button.type = "button";
    button.append(header.textContent.trim() + " ", sign);
    header.replaceChildren(button);
    header.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      sortBy(table, column, header.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending");
    });
  });
}

function makeFilterable(form) {
  const table = document.getElementById(form.dataset.table);
  const selects = Array.from(form.querySelectorAll("select"));
  const tick = form.querySelector("input[data-beyond]");
  const told = form.querySelector("output");
  const rows = Array.from(table.tBodies[0].rows);

  function apply() {
    let shown = 0;
    for (const row of rows) {
      const wanted = selects.every(
        (select) => !select.value || row.cells[Number(select.dataset.column)].textContent.trim() === select.value,
      );
      const size = Math.abs(Number(row.querySelector("td.z")?.dataset.order));
      row.hidden = !(wanted && (!tick.checked || size > Number(tick.dataset.beyond)));
      shown += row.hidden ? 0 : 1;
    }
    told.textContent = `${shown} of ${rows.length} rows`;
  }

  form.addEventListener("change", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}

// Boxes that scroll can be reached and moved by keyboard; boxes that do not are no stop on the way.
function markScrolling() {
  for (const box of document.querySelectorAll(".scrolls")) {
    const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
    if (scrolls) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  }
}

// Paper has no folds: what is meant to be printed is opened for it, and closed again.
function printAll() {
  let opened = [];
  window.addEventListener("beforeprint", () => {
    opened = Array.from(document.querySelectorAll("details.printed:not([open])"));
    for (const fold of opened) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const fold of opened) fold.open = false;
  });
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
document.querySelectorAll("form.filters").forEach(makeFilterable);
document.addEventListener("toggle", markScrolling, true);
window.addEventListener("resize", markScrolling);
markScrolling();
printAll();
