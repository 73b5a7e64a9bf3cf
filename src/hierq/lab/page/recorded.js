// @ts-check
/** A recording: the page of the lab with what was recorded instead of a server. Nothing is loaded from anywhere. */

import { createApp, mountTabs } from "./app.js";
import { sceneOf } from "./credit_scene.js";
import { mountCredit } from "./credit_view.js";
import { grouped } from "./curves.js";
import { mountCurves } from "./curves_panel.js";
import { byId, element, icon, setSlider, setText } from "./dom.js";
import { Editing } from "./editing.js";
import { mountNotices } from "./notices.js";
import { RecordedSocket, toldBy } from "./recorded_socket.js";
import { fromFragment, MANY } from "./state.js";
import { cardOf } from "./tour.js";
import { fileOfStop, STOPS } from "./tour_stops.js";
import { Training } from "./training.js";
import { mountWorlds } from "./world_panel.js";

const FIXED = ["map", "agents", "seed", "stop"];
const PAUSE = 500; // milliseconds from episode to episode

const recording = JSON.parse(byId("recording").textContent);
const recorded = fromFragment(recording.state).state;
const told = await toldBy(recording);
const app = createApp(asRecorded(fromFragment(location.hash || recording.state).state), new RecordedSocket(recording, told, sceneOf(recorded).agents));
const hasMany = told.some(({ tell }) => tell === "many");
const { update } = app;
app.update = (changes) => update(asRecorded({ ...app.state, ...changes }));
app.training = new Training(app);
app.editing = new Editing(app);
app.editing.begin = () => null;
byId("top").querySelector("h1 span").textContent = "lab, a recording";
document.documentElement.dataset.recorded = hasMany ? "many" : "yes";

for (const mount of [mountNotices, mountTabs, mountWorlds, mountStops, mountCurves, mountCredit]) mount(app);
showTour(recorded.stop);
Object.assign(globalThis, { hierqLab: app });
app.socket.connect();
if (hasMany && recorded.stop === 0) app.training.startMany(...MANY);

/** A state with everything as it was recorded that cannot be changed. @param {import("./state.js").State} state @returns {any} */
function asRecorded(state) {
  const fixed = Object.fromEntries(FIXED.map((part) => [part, /** @type {any} */ (recorded)[part]]));
  return { ...state, ...fixed, credit: { ...recorded.credit, at: state.credit.at } };
}

/** The slider through training. @param {import("./app.js").App} app */
function mountStops({ training }) {
  const { stops } = recording;
  const last = stops.length - 1;
  let timer = 0;
  const play = element("button", { type: "button", id: "train-play", class: "primary" });
  const slider = element("input", { type: "range", id: "trained", min: 0, step: 1, disabled: last === 0, "aria-label": "Training" });
  const words = element("output", { id: "trained-words", for: "trained" });
  byId("run").append(play, slider, words);

  const here = () => Math.max(0, stops.findLastIndex((/** @type {number} */ stop) => stop <= app.state.episodes));
  const go = (/** @type {number} */ place) => {
    const { many } = training;
    app.update({ episodes: stops[place], at: -1 });
    return training.open().then(() => {
      training.many = many;
      app.changed("many");
    });
  };
  const pause = () => {
    clearInterval(timer);
    timer = 0;
    show();
  };
  const show = () => {
    const place = here();
    setSlider(slider, place, last, `after ${stops[place]} episodes`);
    setText(words, `episode ${grouped(stops[place])} of ${grouped(stops[last])}`);
    play.replaceChildren(icon(timer ? "pause" : "play"), timer ? "Pause" : "Run");
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

/** The card of a stop of the tour, if it was recorded there, with the recordings beside it. @param {number} number */
function showTour(number) {
  if (number === 0) return byId("tour").remove();
  document.body.toggleAttribute("data-tour", true);
  const link = (/** @type {string} */ id, /** @type {string} */ href, /** @type {string} */ text, more = {}) => element("a", { id, class: "button", href, text, ...more });
  const before = number > 1 ? [link("tour-before", fileOfStop(number - 1), "Previous")] : [];
  const next = number < STOPS.length ? [link("tour-next", fileOfStop(number + 1), `Next: ${STOPS[number].title}`)] : [];
  return byId("tour").append(cardOf(app, [...before, ...next, link("tour-home", "../lab.html", "Home", { target: "_top" })]));
}
