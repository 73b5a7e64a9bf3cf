// @ts-check
/** The scrubber over the last episode of both agents, with play and speed. */

import { byId, element, icon, select, setText } from "./dom.js";

/** Steps a second. */
const SPEEDS = [2, 6, 20, 80, 400];

/** @param {import("./app.js").App} app */
export function mountScrubber(app) {
  const { training } = app;
  let playing = false;
  let last = 0;
  let exact = 0;
  const play = element("button", { type: "button", id: "play", title: "Play the last training episode", "aria-label": "Play" }, [icon("play")]);
  const range = element("input", { type: "range", id: "at", min: 0, max: 0, step: 1, value: 0, "aria-label": "Step of the last training episode" });
  const place = element("output", { id: "place", for: "at" });
  const speed = select("speed", SPEEDS.map((each) => [each, `${each} steps/s`]), { "aria-label": "Speed" });
  speed.value = "20";
  byId("scrubber").append(
    element("span", { class: "bar-name", text: "Last episode" }), play, range, place,
    element("span", { class: "field" }, [speed]),
  );

  const show = () => {
    const longest = training.longest;
    const ready = longest > 0 && training.running === "idle";
    const at = app.state.at < 0 ? longest : Math.min(app.state.at, longest);
    range.max = String(longest);
    range.value = String(at);
    range.disabled = play.disabled = !ready;
    range.style.setProperty("--share", `${longest ? (100 * at) / longest : 0}%`);
    setText(place, longest && training.running !== "fast" ? `${at} / ${longest}` : "–");
    range.setAttribute("aria-valuetext", `step ${at} of ${longest}`);
    play.replaceChildren(icon(playing ? "pause" : "play"));
    play.setAttribute("aria-label", playing ? "Pause the replay" : "Play the last episode");
  };

  /** @param {number} now */
  const tick = (now) => {
    if (!playing) return;
    const longest = training.longest;
    exact += ((now - last) / 1000) * Number(speed.value);
    last = now;
    if (training.running !== "idle" || exact >= longest) {
      playing = false;
      if (training.running === "idle") app.update({ at: -1 });
      show();
      return;
    }
    app.update({ at: Math.floor(exact) });
    requestAnimationFrame(tick);
  };
  play.addEventListener("click", () => {
    playing = !playing;
    exact = app.state.at < 0 || app.state.at >= training.longest ? 0 : app.state.at;
    last = performance.now();
    if (playing) requestAnimationFrame(tick);
    show();
  });
  range.addEventListener("input", () => {
    playing = false;
    const at = Number(range.value);
    app.update({ at: at >= training.longest ? -1 : at });
    show();
  });
  app.subscribe((changed) => {
    const quiet = training.running === "fast" && !changed.has("running"); // there is nothing to scrub then
    if (!quiet && ["at", "episodes", "running", "world"].some((topic) => changed.has(topic))) show();
  });
  show();
}
