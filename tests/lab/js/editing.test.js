import assert from "node:assert/strict";
import { test } from "node:test";

import { Editing } from "../../../src/hierq/lab/page/editing.js";

const MAP = "######\n#S...#\n#.##.#\n#...G#\n######\n";

/** An app that only remembers. */
function begun() {
  const listeners = [];
  const app = {
    state: { map: MAP, goal: null },
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

test("asking: a cell, the goal itself, the start; never a wall", () => {
  const { app, editing } = begun();
  const click = (cell) => {
    editing.begin(cell);
    editing.end();
    return app.state.goal;
  };
  assert.deepEqual(click([3, 1]), [3, 1]);
  assert.deepEqual(click([0, 0]), [3, 1]);
  assert.equal(click([3, 4]), null);
  assert.deepEqual(click([1, 1]), [1, 1]);
  assert.equal(app.state.map, MAP);
});

test("a cell asked about that becomes a wall is no longer asked about", () => {
  const { app, editing } = begun();
  editing.use([1, 3], "ask");
  editing.use([1, 3], "walls");
  assert.equal(app.state.goal, null);
});

test("the keyboard uses a tool at a cell", () => {
  const { app, editing } = begun();
  editing.use([2, 2], "goal");
  assert.equal(app.state.map, "######\n#S...#\n#.#G.#\n#....#\n######\n".replace("#.#G.#", "#.G#.#"));
  editing.use([1, 1], "walls");
  assert.equal(app.state.map.split("\n")[1], "#S...#", "the start is no wall");
  assert.equal(editing.tool, "ask");
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

test("every sign is painted with its tool, and taken away on the same", () => {
  const { app, editing } = begun();
  for (const sign of ["H", "^", "v", "<", ">"]) {
    editing.use([1, 3], sign);
    assert.equal(app.state.map.split("\n")[1], `#S.${sign}.#`);
  }
  editing.use([1, 3], ">");
  assert.equal(app.state.map, MAP);
});

test("a teleport counts when it has its other end; another tool gives it up", () => {
  const { app, editing } = begun();
  editing.use([1, 3], "teleport");
  assert.ok(editing.isDraft && app.state.map === MAP);
  assert.match(app.said, /other end/);
  editing.use([3, 1], "teleport");
  assert.equal(app.state.map, "######\n#S.1.#\n#.##.#\n#1..G#\n######\n");
  editing.use([3, 1], "teleport");
  assert.equal(app.state.map, MAP, "on an end it is taken away");
  editing.use([1, 3], "teleport");
  editing.choose("walls");
  assert.ok(!editing.isDraft);
});

test("several starts and goals: another is added, one is dragged, one is put and the others go", () => {
  const { app, editing } = begun();
  editing.use([1, 4], "another goal");
  assert.equal(app.state.map, "######\n#S..G#\n#.##.#\n#...G#\n######\n");
  editing.use([1, 4], "ask");
  assert.deepEqual(app.state.goal, [1, 4], "one of several goals is asked about");
  editing.begin([1, 4]);
  editing.move([1, 3]);
  editing.end();
  assert.equal(app.state.map, "######\n#S.G.#\n#.##.#\n#...G#\n######\n");
  editing.use([3, 4], "another goal");
  assert.equal(app.state.map, "######\n#S.G.#\n#.##.#\n#....#\n######\n");
  editing.use([3, 4], "goal");
  assert.equal(app.state.map, MAP);
});
