// Checks of a page that need a browser: each gives a list of what is wrong, empty if nothing is.
"use strict";

const channel = (value) => {
  const share = value / 255;
  return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
const luminance = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
const parsed = (colour) => {
  const numbers = colour.match(/[\d.]+/g).map(Number);
  return [numbers[0], numbers[1], numbers[2], numbers.length > 3 ? numbers[3] : 1];
};
const over = (front, back) => [0, 1, 2].map((place) => front[place] * front[3] + back[place] * (1 - front[3]));

function backgroundOf(element) {
  const layers = [];
  for (let each = element; each; each = each.parentElement) {
    const colour = parsed(getComputedStyle(each).backgroundColor);
    if (colour[3] > 0) layers.push(colour);
    if (colour[3] === 1) break;
  }
  return layers.reverse().reduce((back, front) => over(front, back), [255, 255, 255]);
}

const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;

/** Text whose contrast with what is behind it is too small. */
function poorContrast(least) {
  const wrong = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("svg, script, style, option") || !shown(element)) continue;
    seen += 1;
    const back = backgroundOf(element);
    const front = over(parsed(getComputedStyle(element).color), back);
    const [light, dark] = [luminance(front), luminance(back)].sort((one, other) => other - one);
    const contrast = (light + 0.05) / (dark + 0.05);
    if (contrast < least) wrong.set(`${element.tagName}.${element.className} ${contrast.toFixed(2)}`, walker.currentNode.data.trim());
  }
  return { seen, wrong: Array.from(wrong, ([what, text]) => `${what}: ${text.slice(0, 40)}`) };
}

function nameOf(element) {
  const ids = element.getAttribute("aria-labelledby");
  if (ids) return ids.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const label = element.labels?.length ? Array.from(element.labels, (one) => one.textContent).join(" ") : "";
  const content = element.matches("a, button, summary") ? element.textContent : "";
  return (element.getAttribute("aria-label") || element.getAttribute("alt") || label || content).trim();
}

/** Controls and pictures without a name, tables without headers, ids that are there twice, headings out of order. */
function accessibilityFaults() {
  const faults = [];
  for (const element of document.querySelectorAll("a, button, select, input, img, summary, svg[role], section, article, nav, [role=group]")) {
    if (!nameOf(element)) faults.push(`no name: ${element.outerHTML.slice(0, 80)}`);
  }
  for (const picture of document.querySelectorAll("svg")) {
    if (picture.getAttribute("role") !== "img" && picture.getAttribute("aria-hidden") !== "true") faults.push("an svg that is neither picture nor ornament");
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.querySelector("thead th[scope=col]")) faults.push("a table without headers of its columns");
    if (!table.caption?.textContent.trim()) faults.push("a table without caption");
    if (table.querySelector("th:not([scope])")) faults.push("a header that does not say what it heads");
  }
  const ids = Array.from(document.querySelectorAll("[id]"), (element) => element.id);
  for (const id of new Set(ids.filter((one, place) => ids.indexOf(one) !== place))) faults.push(`id twice: ${id}`);
  for (const element of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const id of (element.getAttribute("aria-labelledby") ?? "").split(" ")) {
      if (id && !document.getElementById(id)) faults.push(`nothing has the id ${id}`);
    }
  }
  let before = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Number(heading.tagName[1]);
    if (level > before + 1) faults.push(`heading out of order: ${heading.textContent}`);
    before = level;
  }
  for (const landmark of ["main", "nav", "header", "html[lang]", "head > title"]) {
    if (document.querySelectorAll(landmark).length !== 1) faults.push(`not one ${landmark}`);
  }
  for (const box of document.querySelectorAll("*")) {
    const style = getComputedStyle(box);
    const scrolls = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(style.overflowX);
    if (scrolls && shown(box) && box.tabIndex < 0) faults.push(`scrolls, but cannot be reached: ${box.outerHTML.slice(0, 80)}`);
  }
  return faults;
}

/** Parts that reach beyond the right edge of the page and do not lie in a box that scrolls. */
function overflowing() {
  const wide = document.documentElement.clientWidth;
  const wrong = document.documentElement.scrollWidth > wide ? [`page: ${document.documentElement.scrollWidth} > ${wide}`] : [];
  for (const element of document.querySelectorAll("main *, header *, nav *")) {
    if (!shown(element) || element.closest("svg")?.contains(element) && element.tagName !== "svg") continue;
    const box = element.parentElement.closest(".scrolls");
    const clipped = box && getComputedStyle(box).overflowX !== "visible";
    if (!clipped && element.getBoundingClientRect().right > wide + 1) wrong.push(`${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 40)}`);
  }
  return wrong;
}

const openAll = () => document.querySelectorAll("details").forEach((fold) => { fold.open = true; });
window.checks = { poorContrast, accessibilityFaults, overflowing, openAll };
