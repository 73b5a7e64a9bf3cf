// @ts-check
/** The tabs "Train" and "Credit", and the choice of colours. */

import { byId, element } from "./dom.js";

const TABS = /** @type {("train"|"credit")[]} */ (["train", "credit"]);
const THEMES = /** @type {["auto"|"light"|"dark", string][]} */ ([["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]]);

/** @param {import("./app.js").App} app */
export function mountTabs(app) {
  for (const tab of TABS) {
    const button = byId(`tab-${tab}`);
    button.addEventListener("click", () => app.update({ tab }));
    button.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = TABS[1 - TABS.indexOf(tab)];
      app.update({ tab: other });
      byId(`tab-${other}`).focus();
    });
  }
  byId("theme").append(...THEMES.map(([theme, words]) => {
    return element("button", { type: "button", role: "radio", id: `theme-${theme}`, text: words, onclick: () => app.update({ theme }) });
  }));
  rove(byId("theme"));
  // The state lives in the fragment, so this link must not change it.
  byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
    event.preventDefault();
    app.update({ tab: "train" });
    byId("canvas-a").focus();
  });
  const follow = () => {
    for (const tab of TABS) {
      const chosen = app.state.tab === tab;
      byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
      byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
      byId(tab).hidden = !chosen;
    }
    for (const [theme] of THEMES) check(byId(`theme-${theme}`), app.state.theme === theme);
  };
  app.subscribe((changed) => {
    if (changed.has("tab") || changed.has("theme")) follow();
  });
  follow();
}

/** Marks one of a group of radio buttons. @param {HTMLElement} button @param {boolean} chosen */
export function check(button, chosen) {
  button.setAttribute("aria-checked", String(chosen));
  button.tabIndex = chosen ? 0 : -1;
}

/** Lets the arrow keys walk through a group of radio buttons. @param {HTMLElement} group */
export function rove(group) {
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("[role=radio]")]);
    const place = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (!step || place < 0) return;
    event.preventDefault();
    const next = buttons[(place + step + buttons.length) % buttons.length];
    next.click();
    next.focus();
  });
}
