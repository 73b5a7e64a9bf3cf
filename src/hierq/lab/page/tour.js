// @ts-check
/** The guided tour: a bar with five stops, each a link, and the words of the stop one is at. */

import { button, byId, element } from "./dom.js";
import { linkOfStop, STOPS } from "./tour_stops.js";

/** @param {import("./app.js").App} app */
export function mountTour(app) {
  const place = byId("tour");
  app.follow(["stop", "theme"], () => {
    const { stop, theme } = app.state;
    const had = place.contains(document.activeElement);
    document.body.toggleAttribute("data-tour", stop > 0);
    place.replaceChildren(...(stop === 0 ? [invitation(theme)] : [stopsBar(stop, theme), card(app)]));
    if (had && stop > 0) byId("tour-card").focus();
  });
}

/** @param {import("./state.js").State["theme"]} theme */
function invitation(theme) {
  return element("p", { class: "tour-invitation" }, [
    "Why does a hierarchical backup reach further? ",
    element("a", { id: "tour-start", href: linkOfStop(1, theme), text: "Take the tour: five stops, five minutes" }),
  ]);
}

/** @param {number} now @param {import("./state.js").State["theme"]} theme */
function stopsBar(now, theme) {
  const items = STOPS.map((stop, index) => {
    const here = index + 1 === now;
    const link = element("a", { id: `tour-stop-${index + 1}`, href: linkOfStop(index + 1, theme), title: stop.title, "aria-current": here ? "step" : null }, [
      String(index + 1), element("span", { class: "for-readers", text: ` ${stop.title}` }),
    ]);
    return element("li", {}, [link]);
  });
  return element("ol", { class: "tour-stops" }, items);
}

/** @param {import("./app.js").App} app */
function card(app) {
  const { stop: now, theme } = app.state;
  const next = now < STOPS.length ? element("a", { id: "tour-next", class: "button", href: linkOfStop(now + 1, theme), text: `Next: ${STOPS[now].title}` }) : "";
  const before = now > 1 ? element("a", { id: "tour-before", class: "button", href: linkOfStop(now - 1, theme), text: "Back" }) : "";
  const leave = button("tour-end", "End the tour", () => app.update({ stop: 0 }));
  return cardOf(now, [element("p", { class: "tour-links" }, [before, next, leave])]);
}

/** What a stop says. @param {number} number @param {Node[]} links */
export function cardOf(number, links) {
  const { title, text, check } = STOPS[number - 1];
  return element("section", { id: "tour-card", tabindex: -1, "aria-labelledby": "tour-title" }, [
    element("h2", { id: "tour-title", text: `${number}. ${title}` }),
    element("p", { text }),
    element("p", { class: "tour-check" }, [element("strong", { text: "Check: " }), check]),
    ...links,
  ]);
}
