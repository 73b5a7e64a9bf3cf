// @ts-check
/** What must be said: the server's comings and goings, problems near their cause, results for screen readers. */

import { byId, setText } from "./dom.js";

const WORDS = {
  connecting: "connecting",
  open: "connected",
  away: "server away",
  refused: "not admitted",
};
const NOTICES = {
  away: "The server is away. Start hierq lab again; this page finds it by itself and goes on where it was.",
  refused:
    "A new server is running that does not know this page yet. Open the address that hierq lab printed, then this page's " +
    "link again: everything is in its address.",
};

/** @param {import("./app.js").App} app */
export function mountNotices(app) {
  const [connection, notice, live] = [byId("connection"), byId("notice"), byId("live")];
  let linkProblem = "";
  let wasAway = false;
  let backTimer = 0;

  app.announce = (words) => {
    // The same words twice in a row would not be read again.
    live.textContent = live.textContent === words ? `${words}\u00a0` : words;
  };
  app.problem = (words, place = "page") => {
    if (place === "page") {
      linkProblem = words;
      show();
      return;
    }
    const target = byId(`problem-${place}`);
    setText(target, words);
    target.hidden = !words;
  };

  const show = () => {
    const { condition } = app.socket;
    const status = app.training.status;
    const compiling = condition === "open" && status && status.state !== "ready" ? status.text : "";
    connection.dataset.condition = compiling ? "busy" : condition;
    setText(connection, compiling ? "compiling" : WORDS[condition]);
    const good = compiling || linkProblem || (wasAway ? "The server is back." : "");
    const words = condition === "away" || condition === "refused" ? NOTICES[condition] : good;
    notice.dataset.kind = condition === "open" ? (compiling || wasAway ? "good" : "link") : "bad";
    setText(notice, words);
    notice.hidden = !words;
  };
  app.socket.onCondition((condition, before) => {
    wasAway = condition === "open" && (before === "away" || before === "refused");
    clearTimeout(backTimer);
    if (wasAway) {
      backTimer = Number(setTimeout(() => {
        wasAway = false;
        show();
      }, 4000));
    }
    show();
  });
  notice.addEventListener("click", () => {
    linkProblem = "";
    show();
  });

  app.subscribe((changed) => {
    if (changed.has("connection")) show();
    if (!changed.has("running") || app.training.running !== "idle" || app.training.trained === 0) return;
    const { world, latest, evaluated } = app.training;
    const results = latest.map((steps, agent) => `Agent ${"AB"[agent]}: episode ${evaluated[agent].count}, ${steps} steps`);
    app.announce(`${results.join("; ")}; optimum ${world?.optimum}`);
  });
  show();
}
