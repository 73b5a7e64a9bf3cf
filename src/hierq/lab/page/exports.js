// @ts-check
/** The share menu: link, pictures, animations, the Python program, and a recording that plays by itself. */

import { compact } from "./config.js";
import { sceneOf } from "./credit_scene.js";
import { grouped } from "./curves.js";
import { button, byId, download, element, field, select, setText } from "./dom.js";
import { gifOf, pageOf, pngOf, svgOf, videoKind, videoOf } from "./export_files.js";
import { MOST_EPISODES } from "./state.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./film.js").Recording} Recording */

/** @param {App} app */
export function mountShare(app) {
  new ShareMenu(app, byId("share"));
}

class ShareMenu {
  /** @param {App} app @param {HTMLElement} place */
  constructor(app, place) {
    this.app = app;
    this.toggle = button("share-toggle", "Share", () => this.#open(this.menu.hidden), { "aria-expanded": "false", "aria-controls": "share-menu" });
    this.said = element("p", { id: "share-said", role: "status" });
    this.picture = select("share-picture", []);
    this.film = select("share-film", [["episode", "last episode of both agents"], ["credit", "credit view"]]);
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
    const video = videoKind() ? [this.#button("share-video", "Video", () => this.#film("video"))] : [];
    return element("div", { id: "share-menu", hidden: true, role: "group", "aria-label": "Share" }, [
      section("Link", "World, agents, seed and what is shown are in the address. Opening it trains the agents again as far as they are now.", [this.#button("share-link", "Copy the link", () => this.#copyLink())]),
      section("Picture", "", [
        field("of", this.picture),
        this.#button("share-png", "PNG", () => this.#picture("png")),
        this.#button("share-svg", "SVG", () => this.#picture("svg")),
      ]),
      section("Animation", "", [field("of the", this.film), this.#button("share-gif", "GIF", () => this.#film("gif")), ...video]),
      section("Recording", "One HTML file that plays without a server.", [this.#button("share-page", "Save the recording", () => this.#page())]),
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
      try {
        await call();
      } catch (problem) {
        setText(this.said, /** @type {Error} */ (problem).message);
      }
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
    this.film.value = credit ? "credit" : "episode";
  }

  async #copyLink() {
    this.app.training.writeDown();
    const link = this.app.link();
    const { trained } = this.app.training;
    const part = trained > MOST_EPISODES ? ` The link repeats the first ${grouped(MOST_EPISODES)} episodes.` : "";
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

  /** @param {"gif"|"video"} kind */
  async #film(kind) {
    const recording = await this.#recording(this.film.value);
    const progress = (/** @type {number} */ share) => setText(this.said, `Making it: ${Math.round(100 * share)} %`);
    const file = kind === "gif" ? await gifOf(this.app, recording, progress) : await videoOf(this.app, recording, progress);
    const ending = file.type.split("/")[1];
    this.#save(`hierq-${recording.kind}.${ending}`, file);
  }

  async #page() {
    const recordings = [];
    for (const kind of this.app.state.tab === "credit" ? ["credit", "episode"] : ["episode", "credit"]) {
      if (kind === "credit" || this.app.training.episodes.some(Boolean)) recordings.push(await this.#recording(kind));
    }
    this.#save("hierq-recording.html", await pageOf(this.app, recordings));
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

  /** @param {string} kind @returns {Promise<Recording>} */
  async #recording(kind) {
    const { state, training, socket } = this.app;
    if (kind === "credit") {
      const { map, agents, moves, goalNumber } = sceneOf(state);
      if (!moves) throw new Error("The credit view has no trace yet.");
      const asked = agents.map((agent) => socket.ask({ do: "credit", map, agent, moves, goal: goalNumber }));
      const credits = await Promise.all(asked);
      return { kind: "credit", map, agents, credit: { ...state.credit, source: "page" }, credits };
    }
    if (!training.episodes.some(Boolean)) throw new Error("There is no episode yet: press “Episode” first.");
    const episodes = training.episodes.map((frame) => {
      if (!frame) return null;
      const { steps, levels, reached } = frame;
      return { steps, levels, reached, states: [...frame.states], goals: [...frame.goals] };
    });
    return { kind: "episode", map: state.map, agents: state.agents, episodes };
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
