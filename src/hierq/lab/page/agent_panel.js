// @ts-check
/** The settings of both agents as one table: a row for each setting, a column for each agent. */

import { compact, complete, valueOf } from "./config.js";
import { MAX } from "./declared.js";
import { byId, element, problemLine, saying, select, tellProblem } from "./dom.js";
import { levelColour } from "./palette.js";
import { changed as withChange, FIRST, labelOf, MORE } from "./settings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./settings.js").Setting} Setting */

const LETTERS = ["a", "b"];

/** @param {App} app */
export function mountAgents(app) {
  const badges = LETTERS.map((letter) => element("span", { class: "badge", text: letter.toUpperCase() }));
  const rows = (/** @type {Setting[]} */ settings) => settings.flatMap((setting) => settingRow(app, setting));
  byId("agents").append(
    element("div", { class: "panel-head" }, [element("h2", { id: "agents-title", text: "Agents" }), element("span", { class: "hint", text: "A change starts both afresh." })]),
    element("div", { class: "settings" }, [element("span", {}), ...badges, ...rows(FIRST)]),
    element("details", { id: "more" }, [
      element("summary", { text: "More" }),
      element("div", { class: "settings" }, rows(MORE)),
      element("p", { class: "field" }, [element("label", { for: "seed", text: "Seed" }), seedField(app)]),
    ]),
  );
  app.follow(["agents", "theme"], () => badges.forEach((badge, agent) => {
    badge.style.setProperty("--level", levelColour(app.palette, complete(app.state.agents[agent]).levels - 1));
  }));
}

/** @param {App} app */
function seedField(app) {
  const seed = element("input", { id: "seed", type: "number", min: 0, max: MAX.seed, step: 1 });
  seed.addEventListener("change", () => saying((refused) => app.problem(refused, "run"), () => {
    app.update({ seed: valueOf("The seed", { low: 0, high: MAX.seed, whole: true }, seed.value) });
  }));
  app.follow(["seed"], () => (seed.value = String(app.state.seed)));
  return seed;
}

/** The cells of one row: the label, a control for each agent, the explanation. @param {App} app @param {Setting} setting */
function settingRow(app, setting) {
  const explanation = element("p", { class: "for-readers", id: `about-${setting.id}`, text: setting.about });
  const problem = problemLine();
  const controls = LETTERS.map((letter, agent) => {
    const control = controlOf(setting, letter);
    const say = (/** @type {string} */ words) => {
      tellProblem(problem, words);
      control.setAttribute("aria-invalid", String(words !== ""));
    };
    control.addEventListener("change", () => saying(say, () => {
      const config = compact(withChange(app.state.agents[agent], setting, control.value));
      app.update({ agents: /** @type {any} */ (app.state.agents).with(agent, config) });
    }));
    return control;
  });
  const symbol = setting.symbol ? [" ", element("i", { text: `(${setting.symbol})` })] : [];
  const label = element("label", { for: controls[0].id }, [setting.words, ...symbol, element("span", { class: "for-readers", text: ", agent A" })]);
  const name = element("span", { class: "setting-name", title: setting.about }, [label]);
  app.follow(["agents"], () => {
    const shown = app.state.agents.map((config) => setting.show(complete(config)));
    controls.forEach((control, agent) => {
      if (control.getAttribute("aria-invalid") !== "true" || control.value === shown[agent]) control.value = shown[agent];
      control.disabled = setting.idle?.(complete(app.state.agents[agent])) ?? false;
    });
    name.classList.toggle("differs", shown[0] !== shown[1]);
    const isIdle = controls.every((control) => control.disabled);
    for (const node of [name, ...controls]) node.hidden = isIdle;
  });
  return [name, ...controls, explanation, problem];
}

/** @param {Setting} setting @param {string} letter @returns {any} */
function controlOf(setting, letter) {
  const id = `${letter}-${setting.id}`;
  const attributes = { "aria-describedby": `about-${setting.id}`, "aria-label": letter === "b" ? `${labelOf(setting)}, agent B` : undefined };
  if (setting.choices) return select(id, setting.choices, attributes);
  const [min, max, step] = setting.range ?? [];
  return element("input", { id, ...attributes, type: setting.range ? "number" : "text", min, max, step, autocomplete: "off" });
}
