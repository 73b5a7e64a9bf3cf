// @ts-check
/** The share menu: link, pictures, videos, the Python program, and a recording that is a small lab of its own. */

import { compact } from "./config.js";
import { questionsOf, sceneOf } from "./credit_scene.js";
import { grouped } from "./curves.js";
import { MOST } from "./declared.js";
import { button, byId, download, element, field, saying, select, setText } from "./dom.js";
import { pngOf, svgOf, videoKind, videoOf } from "./export_files.js";
import { toFragment } from "./state.js";
import { lettersOf } from "./trace.js";
import { numberOf } from "./world_map.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export const mountShare = (app) => new ShareMenu(app);

class ShareMenu {
  /** @param {App} app */
  constructor(app) {
    const place = byId("share");
    this.app = app;
    this.toggle = button("share-toggle", "Share", () => this.#open(this.menu.hidden), { "aria-expanded": "false", "aria-controls": "share-menu" });
    this.said = element("p", { id: "share-said", role: "status" });
    this.picture = select("share-picture", []);
    this.program = element("textarea", { id: "share-program", readonly: true, rows: 8, spellcheck: "false", "aria-label": "Python program", hidden: true });
    this.menu = this.#menu();
    place.append(this.toggle, this.menu);
    place.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.menu.hidden) return;
      this.#open(false);
      this.toggle.focus();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!place.contains(/** @type {Node} */ (event.target))) this.#open(false);
    });
  }

  #menu() {
    return element("div", { id: "share-menu", hidden: true, role: "group", "aria-label": "Share" }, [
      section("Link", "World, agents, seed and what is shown are in the address. Opening it trains the agents again as far as they are now.", [this.#button("share-link", "Copy the link", () => this.#copyLink())]),
      section("Picture", "", [
        field("of", this.picture),
        this.#button("share-png", "PNG", () => this.#picture("png")),
        this.#button("share-svg", "SVG", () => this.#picture("svg")),
      ]),
      ...(videoKind() ? [section("Video", "Plays the last episode, or on the tab “Credit” the trace, and records it.", [this.#button("share-video", "Record it", () => this.#video())])] : []),
      section("Recording", "One HTML file that is a small lab: go through the training and the last episodes, without a server.", [this.#button("share-page", "Save the recording", () => this.#page())]),
      section("Python", "The program that trains the same agents.", [
        this.#button("share-snippet", "Save the program", () => this.#snippet(true)),
        this.#button("share-show", "Show it", () => this.#snippet(false)),
        this.program,
      ]),
      this.said,
    ]);
  }

  /** @param {string} id @param {string} text @param {() => Promise<void>|void} call */
  #button(id, text, call) {
    const made = button(id, text, async () => {
      made.disabled = true;
      await saying((words) => words && setText(this.said, words), call);
      made.disabled = false;
      made.focus();
    });
    return made;
  }

  /** @param {boolean} open */
  #open(open) {
    if (this.menu.hidden === !open) return;
    this.menu.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
    if (!open) return;
    setText(this.said, "");
    const credit = this.app.state.tab === "credit";
    const names = [...this.app.pictures.keys()].sort((a, b) => Number(b.startsWith("credit") === credit) - Number(a.startsWith("credit") === credit));
    this.picture.replaceChildren(...names.map((name) => element("option", { value: name, text: this.app.pictures.get(name)?.title ?? name })));
  }

  async #copyLink() {
    this.app.training.writeDown();
    const link = this.app.link();
    const { trained } = this.app.training;
    const part = trained > MOST.episodes ? ` The link repeats the first ${grouped(MOST.episodes)} episodes.` : "";
    try {
      await navigator.clipboard.writeText(link);
      setText(this.said, `The link is copied. It opens on a machine where the lab runs.${part}`);
    } catch {
      setText(this.said, `Copy it from here: ${link}`);
    }
  }

  /** @param {"png"|"svg"} kind */
  async #picture(kind) {
    const name = this.picture.value;
    const picture = this.app.pictures.get(name);
    if (!picture) return setText(this.said, "There is no picture yet.");
    const file = kind === "png" ? await pngOf(this.app, picture) : svgOf(this.app, picture);
    this.#save(`hierq-${name}.${kind}`, file);
  }

  async #video() {
    const file = await videoOf(this.app, (share) => setText(this.said, `Recording it: ${Math.round(100 * share)} %`));
    this.#save(`hierq-${this.app.state.tab}.${file.type.split("/")[1]}`, file);
  }

  async #page() {
    this.app.training.writeDown();
    const { state, training, socket } = this.app;
    const kept = { ...state, episodes: Math.min(state.episodes, MOST.recorded), credit: this.#creditKept(), at: -1 };
    const scene = sceneOf(kept);
    const credit = scene.moves ? questionsOf(scene).map(({ do: _, ...question }) => ({ id: 0, ...question })) : [];
    const cell = numberOf(training.world?.positions ?? [], state.goal);
    const [seeds, iterations] = training.many.every(Boolean) ? state.many : [0, 1];
    const agents = state.agents.map((config) => compact(config));
    setText(this.said, "Both agents are trained again for the recording …");
    const wanted = { map: state.map, agents, seed: state.seed, episodes: kept.episodes, goal: cell < 0 ? null : cell, seeds, iterations, credit, state: toFragment(kept) };
    const { page } = await socket.ask({ do: "record", ...wanted });
    this.#save("hierq-recording.html", new Blob([page], { type: "text/html" }));
  }

  /** The credit view of a recording: as it is, or from the tab “Train” what agent B did last. @returns {import("./state.js").CreditState} */
  #creditKept() {
    const { state, training } = this.app;
    const episode = training.episodes[1];
    if (state.tab === "credit" || !episode || episode.steps > MOST.moves) return state.credit;
    return { ...state.credit, source: "page", moves: lettersOf(episode.actions), goal: null, at: 2 * MOST.moves };
  }

  /** @param {boolean} save */
  async #snippet(save) {
    this.app.training.writeDown();
    const { map, agents, seed, episodes } = this.app.state;
    const trained = episodes > 0 ? { episodes } : {};
    const { text } = await this.app.socket.ask({ do: "snippet", map, agents: agents.map((config) => compact(config)), seed, ...trained });
    if (save) return this.#save("hierq_lab.py", new Blob([text], { type: "text/x-python" }));
    this.program.hidden = false;
    this.program.value = text;
  }

  /** @param {string} name @param {Blob} file */
  #save(name, file) {
    download(name, file);
    setText(this.said, `Saved ${name} (${Math.max(1, Math.round(file.size / 1000)).toLocaleString("en")} kB).`);
  }
}

/** @param {string} title @param {string} words @param {(Node|string)[]} controls */
function section(title, words, controls) {
  const id = `share-title-${title.toLowerCase()}`;
  return element("div", { class: "share-part", role: "group", "aria-labelledby": id }, [
    element("h2", { id, text: title }),
    ...(words ? [element("p", { text: words })] : []),
    element("div", { class: "share-controls" }, controls),
  ]);
}
