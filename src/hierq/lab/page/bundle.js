// @ts-check
// Puts modules and data into one HTML file that needs no server. The modules must be written as those of this
// page are: imports `import { a, b as c } from "./file.js";`, and exports only before a declaration.

import { escaped } from "./svg_pen.js";

const IMPORT = /^import\s*\{([^}]*)\}\s*from\s*"\.\/([\w.]+)";$/gm;
const EXPORT = /^export\s+((?:async\s+)?function\*?|class|const|let)\s+(\w+)/gm;

/** The names of the files a module imports. @param {string} source @returns {string[]} */
export function importsOf(source) {
  return [...source.matchAll(IMPORT)].map((match) => match[2]);
}

/** Files in an order in which each comes after those it imports.
 * @param {Record<string, string>} sources text of each file by name @param {string} entry the file to start from
 * @returns {string[]} */
export function inOrder(sources, entry) {
  /** @type {string[]} */
  const order = [];
  const visit = (name, path) => {
    if (order.includes(name)) return;
    if (path.includes(name)) throw new Error(`modules import each other: ${[...path, name].join(" → ")}`);
    if (sources[name] === undefined) throw new Error(`${name} is missing`);
    for (const wanted of importsOf(sources[name])) visit(wanted, [...path, name]);
    order.push(name);
  };
  visit(entry, []);
  return order;
}

/** One script that does what the modules do together; each stays in a function of its own, so names cannot clash.
 * @param {Record<string, string>} sources @param {string} entry @returns {string} */
export function bundle(sources, entry) {
  const parts = inOrder(sources, entry).map((name) => {
    const names = [...sources[name].matchAll(EXPORT)].map((match) => match[2]);
    const body = sources[name]
      .replace(IMPORT, (_, wanted, from) => `const {${wanted.replace(/\s+as\s+/g, ": ")}} = modules["${from}"];`)
      .replace(EXPORT, "$1 $2");
    if (/^(import|export)\b/m.test(body)) throw new Error(`${name} has an import or export that is not understood`);
    return `modules["${name}"] = (() => {\n${body}\nreturn { ${names.join(", ")} };\n})();`;
  });
  return `"use strict";\nconst modules = {};\n${parts.join("\n")}\n`;
}

/** A page that plays without a server. @param {{title: string, style: string, script: string, data: unknown}} parts @returns {string} */
export function standAlonePage({ title, style, script, data }) {
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>
${style.replace(/<\/style/gi, "<\\/style")}
</style>
</head>
<body>
<main id="player"></main>
<script type="application/json" id="recording">${JSON.stringify(data).replace(/</g, "\\u003c")}</script>
<script>
${script.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--")}
</script>
</body>
</html>
`;
}
