// @ts-check
/** A recording: the page of the lab with what was recorded instead of a server. Nothing is loaded from anywhere. */

import { createApp } from "./app.js";
import { sceneOf } from "./credit_scene.js";
import { mountCredit } from "./credit_view.js";
import { grouped } from "./curves.js";
import { mountCurves } from "./curves_panel.js";
import { byId, element, field, icon, problemLine, setSlider, setText } from "./dom.js";
import { Editing } from "./editing.js";
import { mountLayers } from "./layers.js";
import { mountNotices } from "./notices.js";
import { framesOf, RecordedSocket } from "./recorded_socket.js";
import { mountScrubber } from "./scrubber.js";
import { fromFragment } from "./state.js";
import { mountTabs } from "./tabs.js";
import { cardOf } from "./tour.js";
import { Training } from "./training.js";
import { mountWorlds } from "./world_panel.js";

const FIXED = ["map", "agents", "seed", "goal", "many", "stop"];
const PAUSE = 700; // milliseconds from stop to stop

const recording = JSON.parse(byId("recording").textContent);
const recorded = fromFragment(recording.state).state;
const frames = await framesOf(recording);
const app = createApp(asRecorded(fromFragment(location.hash || recording.state).state), new RecordedSocket(recording, frames, sceneOf(recorded).agents));
const hasMany = frames.some((frame) => frame.kind === "many");
const { update } = app;
app.update = (changes) => update(asRecorded({ ...app.state, ...changes }));
app.training = new Training(app);
app.editing = new Editing(app);
app.editing.begin = () => {};
byId("agents").append(problemLine("problem-agents"));
byId("top").querySelector("h1 span").textContent = "lab, a recording";
document.documentElement.dataset.recorded = hasMany ? "many" : "yes";

for (const mount of [mountNotices, mountTabs, mountWorlds, mountStops, mountScrubber, mountLayers, mountCurves, mountCredit]) mount(app);
showTour(recorded.stop);
Object.assign(globalThis, { hierqLab: app });
app.socket.connect();
showMany();

function showMany() {
  if (hasMany) app.training.startMany(...app.state.many);
}

/** A state with everything as it was recorded that cannot be changed. @param {import("./state.js").State} state @returns {any} */
function asRecorded(state) {
  const { at, view, level } = state.credit;
  const fixed = Object.fromEntries(FIXED.map((part) => [part, /** @type {any} */ (recorded)[part]]));
  return { ...state, ...fixed, credit: { ...recorded.credit, at, view, level } };
}

/** The slider through training. @param {import("./app.js").App} app */
function mountStops({ training }) {
  const { stops } = recording;
  const last = stops.length - 1;
  let timer = 0;
  const play = element("button", { type: "button", id: "train-play", class: "primary" });
  const slider = element("input", { type: "range", id: "trained", min: 0, step: 1, disabled: last === 0 });
  const words = element("output", { id: "trained-words", for: "trained" });
  byId("run").append(play, field("Training", slider), words);

  const here = () => Math.max(0, stops.findLastIndex((/** @type {number} */ stop) => stop <= app.state.episodes));
  const go = async (/** @type {number} */ place) => {
    app.update({ episodes: stops[place], at: -1 });
    await training.open();
    showMany();
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    show();
  };
  const show = () => {
    const place = here();
    setSlider(slider, place, last, `after ${stops[place]} episodes`);
    setText(words, `after ${grouped(stops[place])} of ${grouped(stops[last])} episodes`);
    play.replaceChildren(icon(timer ? "pause" : "play"), timer ? "Pause" : "Train");
    play.disabled = last === 0;
  };
  play.addEventListener("click", () => {
    if (timer) return pause();
    if (here() === last) go(0);
    timer = Number(setInterval(() => (here() === last ? pause() : go(here() + 1)), PAUSE));
    return show();
  });
  slider.addEventListener("input", () => {
    go(Number(slider.value));
    pause();
  });
  app.follow(["episodes"], show);
}

/** The words of a stop of the tour, if it was recorded there. @param {number} number */
function showTour(number) {
  if (number === 0) return byId("tour").remove();
  document.body.toggleAttribute("data-tour", true);
  return byId("tour").append(cardOf(number, []));
}
