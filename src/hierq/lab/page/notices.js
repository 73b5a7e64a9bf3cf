// @ts-check
/** Messages to the user: the state of the connection, problems near their cause, results for screen readers. */

import { grouped } from "./curves.js";
import { byId, button, element, sentence, setText, tellProblem } from "./dom.js";

const WORDS = { connecting: "connecting", open: "connected", away: "server away", closed: "closed" };
const AWAY = "The server is away. Start hierq lab again and open the address that it prints; this page then goes on by itself, and trains its agents again as far as they were.";

/** @param {import("./app.js").App} app */
export function mountNotices(app) {
  const [connection, notice, live] = [byId("connection"), byId("notice"), byId("live")];
  const text = element("span", { id: "notice-words" });
  const again = button("notice-connect", "Connect again", () => app.socket.connect());
  notice.append(text, again);
  app.announce = (words) => {
    // The same words twice in a row would not be read again.
    live.textContent = live.textContent === words ? `${words}\u00a0` : words;
  };
  app.problem = (words, place = "run") => tellProblem(byId(`problem-${place}`), words);
  const show = () => {
    const { condition, reason } = app.socket;
    const waits = condition === "open" ? app.training.status : "";
    const said = { connecting: "", open: waits, away: AWAY, closed: sentence(reason) }[condition];
    connection.dataset.condition = waits ? "busy" : condition;
    setText(connection, waits ? "compiling" : WORDS[condition]);
    notice.dataset.kind = condition === "open" ? "good" : "bad";
    setText(text, said);
    again.hidden = condition !== "closed";
    notice.hidden = !said;
  };
  app.follow(["connection"], show);
  app.subscribe((changed) => {
    if (!changed.has("running") || app.training.running !== "idle" || app.training.trained === 0) return;
    const { world, evaluated } = app.training;
    const results = evaluated.map((steps, agent) => `Agent ${"AB"[agent]}: episode ${steps.length}, ${grouped(steps[steps.length - 1])} steps`);
    app.announce(`${results.join("; ")}; optimum ${world?.optimum}`);
  });
}
