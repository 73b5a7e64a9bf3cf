// Checks that run inside the page; the browser tests put them there.

globalThis.accessibility = {
  /** Controls without a name, as a screen reader would find them. */
  unnamed() {
    const controls = document.querySelectorAll("button, a[href], input, select, textarea, [role=radio], [role=tab], canvas");
    const nameOf = (control) => {
      const by = (control.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
      const labels = [...(control.labels ?? [])].map((label) => label.textContent);
      const own = control.matches("button, a, [role=radio], [role=tab]") ? control.textContent : "";
      const parts = [...by.map((id) => document.getElementById(id)?.textContent), control.getAttribute("aria-label"), ...labels, own, control.title];
      return parts.filter(Boolean).join(" ").trim();
    };
    return [...controls].filter((control) => control.type !== "hidden" && nameOf(control) === "").map((control) => control.outerHTML.slice(0, 120));
  },

  /** Levels of the visible headings, in order. */
  headings() {
    const all = [...document.querySelectorAll("h1, h2, h3, h4")];
    return all.filter((heading) => heading.checkVisibility()).map((heading) => Number(heading.tagName[1]));
  },

  /** Names that more than one element has. */
  doubledIds() {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    return ids.filter((id, index) => ids.indexOf(id) !== index);
  },

  /** Visible words whose contrast with their ground is too low, after WCAG 2. */
  lowContrast() {
    const parse = (colour) => {
      const found = colour.match(/^rgba?\(([\d.]+),? ([\d.]+),? ([\d.]+)(?:,? ?\/? ?([\d.]+))?\)$/);
      if (found) return found.slice(1, 5).map((part) => (part === undefined ? 1 : Number(part)));
      const srgb = colour.match(/^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.]+))?\)$/);
      return srgb ? [...srgb.slice(1, 4).map((part) => 255 * Number(part)), srgb[4] === undefined ? 1 : Number(srgb[4])] : [0, 0, 0, 1];
    };
    const over = (top, below) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * below[i]);
    const luminance = (colour) => colour.slice(0, 3).map((part) => part / 255)
      .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
      const layers = [];
      for (let at = element; at; at = at.parentElement) layers.push(parse(window.getComputedStyle(at).backgroundColor));
      return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, window.NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.textContent.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      if (element.closest(".for-readers, [disabled], option, .skip, [aria-hidden=true]")) continue;
      const style = window.getComputedStyle(element);
      const ground = behind(element);
      const ink = over(parse(style.color), ground);
      const [light, dark] = [luminance(ink), luminance(ground)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) found.push(`${ratio.toFixed(2)}: ${node.textContent.trim().slice(0, 40)} (${element.tagName} .${element.className})`);
    }
    return found;
  },
};
