// @ts-check
/** The tabs "Train" and "Credit", and the choice of colours. */

import { byId, markChosen, radioGroup, walkWithArrows } from "./dom.js";

const TABS = /** @type {("train"|"credit")[]} */ (["train", "credit"]);

/** @param {import("./app.js").App} app */
export function mountTabs(app) {
  const buttons = TABS.map((tab) => byId(`tab-${tab}`));
  TABS.forEach((tab, place) => buttons[place].addEventListener("click", () => app.update({ tab })));
  walkWithArrows(buttons);
  const themes = radioGroup("Colours", "theme", [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]], (theme) => app.update({ theme }));
  byId("top").append(themes.group);
  // The state lives in the fragment, so this link must not change it.
  byId("skip").addEventListener("click", (/** @type {Event} */ event) => {
    event.preventDefault();
    app.update({ tab: "train" });
    byId("canvas-a").focus();
  });
  app.follow(["tab", "theme"], () => {
    TABS.forEach((tab, place) => {
      markChosen(buttons[place], "aria-selected", app.state.tab === tab);
      byId(tab).hidden = app.state.tab !== tab;
    });
    themes.mark(app.state.theme);
  });
}
