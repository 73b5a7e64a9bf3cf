import assert from "node:assert/strict";
import { test } from "node:test";

import { Editing } from "../../../src/hierq/lab/page/editing.js";

const MAP = "######\n#S...#\n#.##.#\n#...G#\n######\n";

/** An app that only remembers. */
function begun() {
  const listeners = [];
  const app = {
    state: { map: MAP, credit: { moves: "EE", start: [1, 2], goal: [1, 2], at: 0 } },
    subscribe: (listener) => listeners.push(listener),
    changed: () => {},
    announce: (words) => (app.said = words),
    update: (changes) => {
      Object.assign(app.state, changes);
      for (const listener of listeners) listener(new Set(Object.keys(changes)));
    },
  };
  return { app, editing: new Editing(app) };
}

test("a stroke of walls counts when it ends, and one undo takes it back", () => {
  const { app, editing } = begun();
  editing.choose("walls");
  editing.begin([1, 2]);
  editing.move([1, 4]);
  assert.equal(app.state.map, MAP);
  editing.end();
  assert.equal(app.state.map, "######\n#S####\n#.##.#\n#...G#\n######\n");
  editing.undo();
  assert.equal(app.state.map, MAP);
  editing.undo();
  assert.equal(app.state.map, MAP);
});

test("beginning on a wall removes walls", () => {
  const { app, editing } = begun();
  editing.choose("walls");
  editing.begin([2, 2]);
  editing.move([2, 3]);
  editing.end();
  assert.equal(app.state.map.split("\n")[2], "#....#");
});

test("start and goal can be dragged with any tool; walls that are passed stay", () => {
  const { app, editing } = begun();
  editing.begin([3, 4]);
  for (const cell of [[2, 3], [2, 2], [1, 2]]) editing.move(cell);
  editing.end();
  assert.equal(app.state.map, "######\n#SG..#\n#.##.#\n#....#\n######\n");
});

test("looking changes nothing, nor does the same world again; another world has another trace", () => {
  const { app, editing } = begun();
  editing.begin([3, 1]);
  editing.end();
  editing.replace(MAP);
  assert.deepEqual([app.state.map, app.state.credit.moves, editing.isDraft], [MAP, "EE", false]);
  editing.use([1, 3], "walls");
  assert.deepEqual(app.state.credit, { moves: "", start: null, goal: null, at: 0 });
});

test("the keyboard uses a tool at a cell", () => {
  const { app, editing } = begun();
  editing.use([2, 2], "goal");
  assert.equal(app.state.map, "######\n#S...#\n#.#G.#\n#....#\n######\n".replace("#.#G.#", "#.G#.#"));
  editing.use([1, 1], "walls");
  assert.equal(app.state.map.split("\n")[1], "#S...#", "the start is no wall");
  assert.equal(editing.tool, "look");
});

test("a gesture can be given up, another world taken", () => {
  const { app, editing } = begun();
  editing.choose("walls");
  editing.begin([1, 2]);
  editing.cancel();
  editing.end();
  assert.equal(app.state.map, MAP);
  editing.replace("S.G\n");
  assert.equal(app.state.map, "S.G\n");
  assert.throws(() => editing.replace("S..\n"), /no goal/);
});

test("of several goals one is dragged, and one that is put replaces all", () => {
  const { app, editing } = begun();
  editing.replace("######\n#S..G#\n#.##.#\n#...G#\n######\n");
  editing.begin([1, 4]);
  editing.move([1, 3]);
  editing.end();
  assert.equal(app.state.map, "######\n#S.G.#\n#.##.#\n#...G#\n######\n");
  editing.use([3, 3], "goal");
  assert.equal(app.state.map, "######\n#S...#\n#.##.#\n#..G.#\n######\n");
});
