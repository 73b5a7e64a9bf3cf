// @ts-check
/** Plays a recording in a page of its own: no server, nothing loaded from anywhere. */

import { element } from "./dom.js";
import { filmOf } from "./film.js";
import { paletteOf } from "./palette.js";
import { CanvasPen } from "./pen.js";

/** @param {HTMLElement} place @param {{recordings: import("./film.js").Recording[], made: string}} data */
function play(place, data) {
  const films = data.recordings.map(filmOf);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let [film, moment, timer] = [films[0], films[0].count - 1, 0];

  const canvas = element("canvas", { role: "img" });
  const slider = element("input", { type: "range", id: "moment", min: 0, step: 1 });
  const where = element("output", { for: "moment" });
  const button = element("button", { type: "button", id: "play", text: "Play", onclick: () => (timer ? pause() : start()) });
  const choices = films.map((each, index) => {
    const radio = element("input", { type: "radio", name: "film", value: index, onchange: () => choose(index) });
    radio.checked = index === 0;
    return element("label", {}, [radio, ` ${each.title}`]);
  });
  slider.addEventListener("input", () => {
    pause();
    show(Number(slider.value));
  });
  place.append(
    element("h1", { text: "hierq lab: a recording" }),
    element("p", { text: data.made }),
    element("div", { class: "films", role: "radiogroup", "aria-label": "What is played" }, films.length > 1 ? choices : []),
    element("div", { class: "bar" }, [button, element("label", { for: "moment", text: "Step" }), slider, where]),
    canvas,
  );

  /** @param {number} index */
  function choose(index) {
    pause();
    film = films[index];
    show(film.count - 1);
  }

  function start() {
    if (moment >= film.count - 1) show(0);
    timer = Number(setInterval(() => (moment >= film.count - 1 ? pause() : show(moment + 1)), film.pause));
    button.textContent = "Pause";
  }

  function pause() {
    clearInterval(timer);
    timer = 0;
    button.textContent = "Play";
  }

  /** @param {number} next */
  function show(next) {
    moment = next;
    const scale = Math.max(1, Math.min(3, devicePixelRatio || 1)) * Math.min(1.5, Math.max(1, place.clientWidth / film.width));
    [canvas.width, canvas.height] = [Math.round(film.width * scale), Math.round(film.height * scale)];
    canvas.style.aspectRatio = `${film.width} / ${film.height}`;
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    film.draw(new CanvasPen(context), paletteOf(dark.matches ? "dark" : "light"), moment);
    canvas.setAttribute("aria-label", `${film.title}, ${film.label(moment)}`);
    slider.max = String(film.count - 1);
    slider.value = String(moment);
    where.textContent = film.label(moment);
  }

  dark.addEventListener("change", () => show(moment));
  addEventListener("resize", () => show(moment));
  show(moment);
}

const place = document.getElementById("player");
const recording = document.getElementById("recording");
if (place && recording) play(place, JSON.parse(recording.textContent ?? ""));
