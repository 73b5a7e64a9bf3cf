// @ts-check
/** The guided tour: a bar with its stops, each a link, and at each stop something to predict before it is shown. */

import { complete, counted, reachOf } from "./config.js";
import { button, byId, element, sentence, setText } from "./dom.js";
import { linkOfStop, reveal, STOPS } from "./tour_stops.js";
import { knownCells } from "./world_view.js";

/** @typedef {import("./app.js").App} App */

const RECENT = 3; // evaluations that say who is ahead now: a single one may be luck
const FIRST_WORDS = "One reward, at G. After each episode A and B hand it back along their path. Press Run: who is faster, and why?";
const ONE_PATH = "One path to G, and what each level learns from it: a full dot knows where to go. Press Learn to watch it happen.";

/** @param {App} app */
export function mountTour(app) {
  const place = byId("tour");
  const link = (/** @type {number} */ stop) => linkOfStop(stop, app.training.offered);
  app.follow(["stop", "world"], () => {
    const { stop } = app.state;
    if (place.dataset.shown === `${stop} ${app.training.offered.length}`) return;
    place.dataset.shown = `${stop} ${app.training.offered.length}`;
    const had = place.contains(document.activeElement);
    const links = (/** @type {number} */ number) => element("a", { class: "button", id: number > stop ? "tour-next" : "tour-before", href: link(number), text: number > stop ? `Next: ${STOPS[stop].title}` : "Back" });
    const near = [stop - 1, stop + 1].filter((number) => number >= 1 && number <= STOPS.length).map(links);
    const leave = button("tour-end", "End the tour", () => app.training.adopt(app.beforeTour));
    const shown = stop === 0 ? [invitation(app, link(1))] : [stopsBar(stop, link), cardOf(app, [...near, leave])];
    document.body.toggleAttribute("data-tour", stop > 0);
    place.replaceChildren(...shown);
    if (had && stop > 0) byId("tour-card").focus();
  });
}

/** What to look for, and once something was learnt, what the first episode taught and why. @param {App} app @param {string} first stop */
function invitation(app, first) {
  const words = element("span", { id: "story" });
  /** Cells that A and B know after the first episode. @type {number[]} */
  let taught = [];
  app.follow(["views", "curves", "agents", "tab"], () => {
    const { trained, views, evaluated } = app.training;
    const begin = app.state.tab === "credit" ? ONE_PATH : FIRST_WORDS;
    if (trained === 0) taught = [];
    if (trained === 1 && views.every(Boolean)) taught = views.map(knownCells);
    setText(words, `${trained ? storyOf(app.state.agents, taught, evaluated) : begin} `);
  });
  return element("p", { class: "tour-invitation" }, [words, element("a", { id: "tour-start", href: first, text: "Take the tour (7 min)" })]);
}

/** Which agent learns faster and why, in the words of what happened. @param {import("./config.js").Config[]} agents
 * @param {number[]} taught cells that each knows after the first episode; empty if nobody looked
 * @param {number[][]} evaluated steps of the evaluations of each so far @returns {string} */
export function storyOf(agents, taught, evaluated) {
  const [a, b] = agents.map((config) => reachOf(config)?.steps ?? null);
  const first = taught.length && !taught.includes(0) ? `episode 1 taught A ${counted(taught[0], "cell")}, B ${taught[1]}.` : "";
  if (a === null || b === null || a === b) return sentence(first) || FIRST_WORDS;
  const far = a < b ? 1 : 0;
  const [farName, nearName] = ["AB"[far], "AB"[1 - far]];
  const isAhead = (/** @type {number} */ from) => total(evaluated[far], from) < total(evaluated[1 - far], from);
  if (total(evaluated[0], 0) === total(evaluated[1], 0)) return "Neither is ahead yet: there is credit to hand back only when a walk has come to G.";
  if (!isAhead(0)) return `In all ${nearName} has needed fewer steps so far, although credit goes back farther in ${farName}. One run may be luck: try “Many seeds”.`;
  const [least, most] = [Math.min(a, b), Math.max(a, b)];
  const why = `Each episode hands the reward back up to ${counted(least, "step")} in ${nearName}, ${most} in ${farName}.`;
  const example = first && ` Bumps and detours count as steps: ${first}`;
  if (isAhead(-RECENT)) return `Why is ${farName} faster? ${why}${example}`;
  const [recent, other] = [far, 1 - far].map((agent) => total(evaluated[agent], -RECENT));
  const [levels, others] = [far, 1 - far].map((agent) => complete(agents[agent]).levels);
  const now = recent === other ? `Now ${nearName} is as good.` : `Now ${nearName} takes fewer steps.`;
  const detour = recent > other && levels > others ? ` ${farName} counts sub-goals, not steps, and may take a detour.` : "";
  return `${farName} learnt faster: its reward goes back ${most} steps an episode, that of ${nearName} ${least}. ${now}${detour}`;
}

/** Steps of all evaluations from one on. @param {number[]} steps @param {number} from */
const total = (steps, from) => steps.slice(from).reduce((sum, each) => sum + each, 0);

/** @param {number} now @param {(stop: number) => string} link */
function stopsBar(now, link) {
  return element("ol", { class: "tour-stops" }, STOPS.map(({ title }, index) => {
    const current = index + 1 === now ? "step" : null;
    const words = [String(index + 1), element("span", { class: "for-readers", text: ` ${title}` })];
    return element("li", {}, [element("a", { id: `tour-stop-${index + 1}`, href: link(index + 1), title, "aria-current": current }, words)]);
  }));
}

/** What a stop says and asks. @param {App} app @param {Node[]} links to other stops */
export function cardOf(app, links) {
  const number = app.state.stop;
  const { title, text, question, choices, right, answer } = STOPS[number - 1];
  const said = element("p", { id: "tour-answer", role: "status", hidden: true });
  const buttons = choices.map((choice) => button(undefined, choice, () => {
    setText(said, `${choice === right ? "Yes." : "No."} ${answer}`);
    said.hidden = false;
    document.body.toggleAttribute("data-answered", true);
    buttons.forEach((each, place) => each.classList.toggle("right", choices[place] === right));
    reveal(app);
  }, { class: "choice" }));
  document.body.toggleAttribute("data-answered", false);
  return element("section", { id: "tour-card", tabindex: -1, "aria-labelledby": "tour-title" }, [
    element("h2", { id: "tour-title", text: `${number}. ${title}` }),
    element("p", { text }),
    element("div", { class: "tour-check" }, [
      element("p", { id: "tour-question" }, [element("strong", { text: "Predict: " }), question]),
      element("div", { class: "choices", role: "group", "aria-labelledby": "tour-question" }, buttons),
      said,
    ]),
    element("p", { class: "tour-links" }, links),
  ]);
}
