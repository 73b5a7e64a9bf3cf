// @ts-check
/** The scrubber over the last training episode of both agents. */

import { byId, element, setSlider, setText } from "./dom.js";

/** @param {import("./app.js").App} app */
export function mountScrubber(app) {
  const { training } = app;
  const range = element("input", { type: "range", id: "at", min: 0, step: 1, "aria-label": "Step of the last training episode" });
  const place = element("output", { id: "place", for: "at" });
  byId("scrubber").append(element("span", { class: "bar-name", text: "Last episode" }), range, place);
  range.addEventListener("input", () => {
    const at = Number(range.value);
    app.update({ at: at >= training.longest ? -1 : at });
  });
  app.follow(["at", "episodes", "running", "world"], () => {
    const { longest, running } = training;
    const at = app.state.at < 0 ? longest : Math.min(app.state.at, longest);
    setSlider(range, at, longest, `step ${at} of ${longest}`);
    range.disabled = longest === 0 || running !== "idle";
    setText(place, longest && running !== "fast" ? `${at} / ${longest}` : "–");
  });
}
