// @ts-check
/** The tabs "Train" and "Credit", and the choice of colours. */

import { byId, radioGroup } from "./dom.js";

const TABS = /** @type {("train"|"credit")[]} */ (["train", "credit"]);

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
  const themes = radioGroup("Colours", "theme", [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]], (theme) => app.update({ theme }));
  byId("top").append(themes.group);
  // The state lives in the fragment, so this link must not change it.
  byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
    event.preventDefault();
    app.update({ tab: "train" });
    byId("canvas-a").focus();
  });
  app.follow(["tab", "theme"], () => {
    for (const tab of TABS) {
      const chosen = app.state.tab === tab;
      byId(`tab-${tab}`).setAttribute("aria-selected", String(chosen));
      byId(`tab-${tab}`).tabIndex = chosen ? 0 : -1;
      byId(tab).hidden = !chosen;
    }
    themes.mark(app.state.theme);
  });
}
