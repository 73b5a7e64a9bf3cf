// @ts-check
/** The settings of both agents as one table: a row for each knob, a column for each agent. */

import { compact, complete, presetOf, PRESETS } from "./config.js";
import { button, byId, element, problemLine, saying, select, tellProblem } from "./dom.js";
import { levelColour } from "./palette.js";
import { changed as withChange, GROUPS, labelOf, refusal } from "./settings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./settings.js").Setting} Setting */

const LETTERS = ["a", "b"];

/** @param {App} app */
export function mountAgents(app) {
  const presets = LETTERS.map((_, agent) => presetList(app, agent));
  const badges = LETTERS.map((letter) => element("span", { class: "badge", text: letter.toUpperCase() }));
  const groups = GROUPS.map((group) => {
    const columns = LETTERS.map((letter) => element("span", { class: "column", "aria-hidden": "true", text: letter.toUpperCase() }));
    return element("details", { id: `group-${group.name.toLowerCase()}`, open: group.open }, [
      element("summary", {}, [element("span", { class: "group-name", text: group.name }), ...columns]),
      element("div", { class: "settings" }, group.settings.flatMap((setting) => settingRow(app, setting))),
    ]);
  });
  byId("agents").append(
    element("div", { class: "panel-head" }, [
      element("h2", { id: "agents-title", text: "Agents" }),
      element("p", { class: "hint", text: "A change starts both afresh." }),
    ]),
    problemLine("problem-agents"),
    element("div", { class: "heads" }, presets.map((list, agent) => element("div", { class: "head" }, [badges[agent], list]))),
    ...groups,
  );
  app.follow(["agents", "theme"], () => {
    presets.forEach((list, agent) => {
      const config = app.state.agents[agent];
      list.value = presetOf(config);
      badges[agent].style.setProperty("--level", levelColour(app.palette, complete(config).levels - 1));
    });
  });
}

/** @param {App} app @param {number} agent @returns {HTMLSelectElement} */
function presetList(app, agent) {
  const label = `Preset of agent ${LETTERS[agent].toUpperCase()}`;
  const list = select(`${LETTERS[agent]}-preset`, PRESETS.map((preset) => [preset.id, preset.name]), { "aria-label": label });
  list.append(element("option", { value: "", text: "your own", hidden: true }));
  list.addEventListener("change", () => {
    const preset = PRESETS.find((each) => each.id === list.value);
    if (preset) setAgent(app, agent, preset.config);
  });
  return list;
}

/** @param {App} app @param {number} agent @param {import("./config.js").Config} config */
function setAgent(app, agent, config) {
  app.problem("", "agents");
  app.update({ agents: /** @type {any} */ (app.state.agents).with(agent, compact(config)) });
}

/** The cells of one row: the label, a control for each agent, the explanation. @param {App} app @param {Setting} setting */
function settingRow(app, setting) {
  const about = `about-${setting.id}`;
  const explanation = element("p", { class: "about", id: about, hidden: true, text: setting.about });
  const problem = problemLine();
  const asked = `What is meant by “${labelOf(setting)}”?`;
  const more = button(undefined, "?", () => {
    explanation.hidden = !explanation.hidden;
    more.setAttribute("aria-expanded", String(!explanation.hidden));
  }, { class: "more", "aria-expanded": false, "aria-controls": about, "aria-label": asked });
  const controls = LETTERS.map((letter, agent) => {
    const control = controlOf(setting, letter);
    const say = (/** @type {string} */ words) => {
      tellProblem(problem, words);
      control.setAttribute("aria-invalid", String(words !== ""));
    };
    control.addEventListener("change", () => saying(say, () => {
      setAgent(app, agent, withChange(app.state.agents[agent], setting, control.value));
    }));
    return control;
  });
  const symbol = setting.symbol ? [" ", element("i", { text: `(${setting.symbol})` })] : [];
  const label = element("label", { for: controls[0].id }, [setting.words, ...symbol, element("span", { class: "for-readers", text: ", agent A" })]);
  const name = element("span", { class: "setting-name", title: setting.about }, [label, more]);
  app.follow(["agents"], () => {
    const shown = app.state.agents.map((config) => setting.show(complete(config)));
    controls.forEach((control, agent) => {
      const config = complete(app.state.agents[agent]);
      if (control.getAttribute("aria-invalid") !== "true" || control.value === shown[agent]) control.value = shown[agent];
      control.disabled = setting.idle?.(config) ?? false;
      for (const [place, [value, words]] of (setting.choices ?? []).entries()) {
        const why = refusal(config, setting, value);
        control.options[place].disabled = why !== "";
        control.options[place].text = why ? `${words} (${why})` : words;
      }
    });
    name.classList.toggle("differs", shown[0] !== shown[1]);
    const isIdle = controls.every((control) => control.disabled);
    for (const node of [name, ...controls]) node.hidden = isIdle;
    if (isIdle) explanation.hidden = true;
  });
  return [name, ...controls, explanation, problem];
}

/** @param {Setting} setting @param {string} letter @returns {any} */
function controlOf(setting, letter) {
  const id = `${letter}-${setting.id}`;
  const attributes = {
    "data-testid": id,
    "aria-describedby": `about-${setting.id}`,
    "aria-label": letter === "b" ? `${labelOf(setting)}, agent B` : undefined,
  };
  if (setting.choices) return select(id, setting.choices, attributes);
  const [min, max, step] = setting.range ?? [];
  return element("input", { id, ...attributes, type: setting.number ? "number" : "text", min, max, step, autocomplete: "off" });
}
