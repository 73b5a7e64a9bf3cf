// @ts-check
/** Small helpers for elements. */

/** Makes an element. Properties are set as attributes; "text", "on…" functions, true and false are understood.
 * @param {string} tag @param {Record<string, any>} [properties] @param {(Node|string)[]} [children] @returns {any} */
export function element(tag, properties = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name.startsWith("aria-") && value !== undefined && value !== null) made.setAttribute(name, String(value));
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** @param {string|undefined} id @param {string|(Node|string)[]} content @param {() => void} call @param {Record<string, any>} [more] */
export function button(id, content, call, more = {}) {
  return element("button", { type: "button", id, onclick: call, ...more }, [content].flat());
}

/** A list to choose from. @param {string} id @param {any[][]} options value and words of each @param {Record<string, any>} [more] */
export function select(id, options, more = {}) {
  return element("select", { id, ...more }, options.map(([value, text]) => element("option", { value, text })));
}

/** A row of radio buttons; the arrow keys move between them. @param {string} label @param {string} id begins each button's
 * @param {[string|number, string|(Node|string)[], string?, Record<string, any>?][]} choices value, words, title and other attributes of each
 * @param {(value: any) => void} choose @returns {{group: any, mark: (value: string|number) => void}} mark shows which is chosen */
export function radioGroup(label, id, choices, choose) {
  const buttons = choices.map(([value, words, title, more]) => {
    return button(`${id}-${value}`, words, () => choose(value), { role: "radio", title, ...more });
  });
  const group = element("div", { class: "segments", role: "radiogroup", "aria-label": label }, buttons);
  walkWithArrows(buttons);
  const mark = (/** @type {string|number} */ chosen) => choices.forEach(([value], place) => markChosen(buttons[place], "aria-checked", value === chosen));
  return { group, mark };
}

/** Lets the arrow keys go from button to button and choose each. @param {HTMLElement[]} buttons */
export function walkWithArrows(buttons) {
  buttons.forEach((each, place) => each.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = buttons[(place + step + buttons.length) % buttons.length];
    next.click();
    next.focus();
  }));
}

/** Only the chosen one of some buttons is reached with the tab key. @param {HTMLElement} each @param {string} attribute that says so
 * @param {boolean} chosen */
export function markChosen(each, attribute, chosen) {
  each.setAttribute(attribute, String(chosen));
  each.tabIndex = chosen ? 0 : -1;
}

/** Sets a slider: its value and range, the part that is coloured, and its words for screen readers.
 * @param {any} slider @param {number} at @param {number} last @param {string} words */
export function setSlider(slider, at, last, words) {
  slider.max = String(Math.max(1, last));
  slider.value = String(at);
  slider.style.setProperty("--share", `${(100 * at) / Math.max(1, last)}%`);
  slider.setAttribute("aria-valuetext", words);
}

/** Calls a function and says why it was refused; says nothing ("") if it was not. @param {(words: string) => void} say
 * @param {() => unknown} call */
export async function saying(say, call) {
  try {
    await call();
    say("");
  } catch (refused) {
    say(/** @type {Error} */ (refused).message);
  }
}

/** A line for words about a problem; see `tellProblem`. @param {string} [id] */
export function problemLine(id) {
  return element("p", { class: "problem", id, role: "alert", hidden: true });
}

/** Shows words about a problem; empty words take it away. @param {HTMLElement} line @param {string} words */
export function tellProblem(line, words) {
  setText(line, words);
  line.hidden = !words;
}

/** The element with an id, which must be there. @param {string} id @returns {any} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element “${id}”`);
  return found;
}

const PICTURES = /** @type {Record<string, string>} */ ({
  play: "M7 5v14l12-7z",
  pause: "M7 5h4v14H7zM13 5h4v14h-4z",
  step: "M6 5v14l9-7zM16 5h2.500v14H16z",
  reset: "M12 5a7 7 0 1 0 7 7h-2.300a4.700 4.700 0 1 1-4.700-4.700c1.300 0 2.400.500 3.300 1.400L13 11h7V4l-3.100 3.100A7 7 0 0 0 12 5z",
  undo: "M8 5 3 10l5 5v-3.500h5a3.500 3.500 0 0 1 0 7H8V21h5a6 6 0 0 0 0-12H8z",
  look: "M12 5C7 5 3.400 8.300 2 12c1.400 3.700 5 7 10 7s8.600-3.300 10-7c-1.400-3.700-5-7-10-7zm0 11a4 4 0 1 1 0-8 4 4 0 0 1 0 8z",
  walls: "M3 5h8v6H3zM13 5h8v6h-8zM3 13h4v6H3zM9 13h8v6H9zM19 13h2v6h-2z",
});

/** A small picture for a button; its words are elsewhere. @param {string} name @returns {SVGElement} */
export function icon(name) {
  const holder = element("template");
  const path = `<path d="${PICTURES[name]}" fill="currentColor"/>`;
  holder.innerHTML = `<svg viewBox="0 0 24 24" width="16" height="16" aria-hidden="true">${path}</svg>`;
  return holder.content.firstElementChild;
}

/** Sets words only where they changed, so that screen readers are not told twice. @param {Element} target @param {string} words */
export function setText(target, words) {
  if (target.textContent !== words) target.textContent = words;
}

/** Calls once after things have been quiet for a while. @param {(...values: any[]) => void} call @param {number} milliseconds */
export function later(call, milliseconds) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  return (/** @type {any[]} */ ...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), milliseconds);
  };
}

/** Calls with the next frame, once however often it is asked for. @param {() => void} call */
export function onceAFrame(call) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      call();
    });
  };
}

/** Saves something as a file of the user's. @param {string} name @param {Blob} content */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The server's words with a capital and a full stop. @param {string} words @returns {string} */
export function sentence(words) {
  const trimmed = words.trim();
  return trimmed && `${trimmed[0].toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`;
}
