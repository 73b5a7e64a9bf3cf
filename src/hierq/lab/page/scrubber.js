// @ts-check
/** The scrubber over the last training episode of both agents. */

import { byId, element, setText } from "./dom.js";

/** @param {import("./app.js").App} app */
export function mountScrubber(app) {
  const { training } = app;
  const range = element("input", { type: "range", id: "at", min: 0, max: 0, step: 1, value: 0, "aria-label": "Step of the last training episode" });
  const place = element("output", { id: "place", for: "at" });
  byId("scrubber").append(element("span", { class: "bar-name", text: "Last episode" }), range, place);
  const show = () => {
    const { longest, running } = training;
    const at = app.state.at < 0 ? longest : Math.min(app.state.at, longest);
    range.max = String(longest);
    range.value = String(at);
    range.disabled = longest === 0 || running !== "idle";
    range.style.setProperty("--share", `${longest ? (100 * at) / longest : 0}%`);
    setText(place, longest && running !== "fast" ? `${at} / ${longest}` : "–");
    range.setAttribute("aria-valuetext", `step ${at} of ${longest}`);
  };
  range.addEventListener("input", () => {
    const at = Number(range.value);
    app.update({ at: at >= training.longest ? -1 : at });
  });
  app.subscribe((changed) => {
    const quiet = training.running === "fast" && !changed.has("running"); // there is nothing to scrub then
    if (!quiet && ["at", "episodes", "running", "world"].some((topic) => changed.has(topic))) show();
  });
  show();
}
