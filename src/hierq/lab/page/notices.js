// @ts-check
/** Messages to the user: the state of the connection, problems near their cause, results for screen readers. */

import { grouped } from "./curves.js";
import { MOST } from "./declared.js";
import { byId, button, element, quietly, setText, tellProblem } from "./dom.js";
import { sentence } from "./words.js";

const WORDS = {
  connecting: "connecting",
  open: "connected",
  away: "server away",
  refused: "not admitted",
  closed: "closed",
};
const NOTICES = {
  away: "The server is away. Start hierq lab again; this page finds it by itself and trains its agents again as far as they were.",
  refused:
    "A new server is running that does not know this page yet. Open the address that hierq lab printed, then this page's " +
    "link again: it trains the same agents as far as they were.",
};

/** @param {import("./app.js").App} app */
export function mountNotices(app) {
  const [connection, notice, live] = [byId("connection"), byId("notice"), byId("live")];
  const text = element("span", { id: "notice-words" });
  const again = button("notice-connect", "Connect again", () => app.socket.connect());
  const dismiss = button("notice-dismiss", "×", () => {
    linkProblem = "";
    show();
  }, { "aria-label": "Dismiss", title: "Dismiss" });
  notice.append(text, again, dismiss);
  let linkProblem = "";
  let wasAway = false;

  app.announce = (words) => {
    // The same words twice in a row would not be read again.
    live.textContent = live.textContent === words ? `${words}\u00a0` : words;
  };
  app.problem = (words, place = "page") => {
    if (place !== "page") return tellProblem(byId(`problem-${place}`), words);
    linkProblem = words;
    return show();
  };

  const show = () => {
    const { condition } = app.socket;
    const status = app.training.status;
    const compiling = condition === "open" && status && status.state !== "ready" ? status.text : "";
    connection.dataset.condition = compiling ? "busy" : condition;
    setText(connection, compiling ? "compiling" : WORDS[condition]);
    const good = compiling || linkProblem || (wasAway ? "The server is back." : "");
    const said = noticeOf(condition, app.socket.reason, app.training.trained) || good;
    const isLink = condition === "open" && !compiling && !wasAway;
    notice.dataset.kind = isLink ? "link" : condition === "open" || condition === "connecting" ? "good" : "bad";
    setText(text, said);
    again.hidden = condition !== "closed";
    dismiss.hidden = !linkProblem || said !== linkProblem;
    notice.hidden = !said;
  };
  const goOnSoon = quietly(() => {
    wasAway = false;
    show();
  }, 4000);
  app.socket.on("condition", (condition, before) => {
    wasAway = condition === "open" && before !== "connecting";
    if (wasAway) goOnSoon();
    show();
  });
  app.subscribe((changed) => {
    if (changed.has("connection")) show();
    if (!changed.has("running") || app.training.running !== "idle" || app.training.trained === 0) return;
    const { world, evaluated } = app.training;
    const results = evaluated.map(({ count, latest }, agent) => `Agent ${"AB"[agent]}: episode ${count}, ${latest} steps`);
    app.announce(`${results.join("; ")}; optimum ${world?.optimum}`);
  });
  show();
}

/** What is said about a connection that is lost. @param {import("./socket.js").Condition} condition
 * @param {string} reason the server's words @param {number} trained episodes @returns {string} empty where all is well */
export function noticeOf(condition, reason, trained) {
  if (condition === "closed") return sentence(reason);
  if (condition !== "away" && condition !== "refused") return "";
  const most = trained > MOST.episodes ? ` (the first ${grouped(MOST.episodes)} episodes)` : "";
  return NOTICES[condition].replace(/\.$/, `${most}.`);
}
