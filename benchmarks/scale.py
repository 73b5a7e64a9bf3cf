"""What large worlds cost: bytes and µs per step against the number of states, with local tables.

    make bench-scale                            everything, and docs/pictures/scale.png (about ten minutes)
    .venv/bin/python benchmarks/scale.py --quick    smaller worlds, fewer steps, no picture

Three questions, every measurement in a process of its own, so that its peak memory is its own:

    series     braided mazes of 10⁴ to 10⁶ free cells for k = 2, and of up to 300 × 300 and more for k = 3. One cell in
               a hundred is a start, so that training goes all over the maze and touches its tables everywhere; from a
               single start it would stay in a corner, and large worlds would look cheaper than they are.
    covered    10⁷ steps in a maze of which nine tenths have been seen after the first tenth of the steps.
    episodes   HierQ(λ) in a ring of states whose goal is never found: single episodes of up to 10⁷ steps.

Times are processor time, so that other programs count for less. Peaks are above what the process had after it had
imported hierq and trained in a tiny maze.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import hierq
from hierq.agents.layout import layout_of
from hierq.agents.needed_memory import estimate_bytes, readable_size

SIDES = {2: (141, 245, 447, 775, 1401), 3: (101, 175, 301, 425)}
QUICK_SIDES = {2: (61, 141), 3: (41, 61)}
STATES_PER_START = 100
STEPS_OF_AN_EPISODE = 1000
PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "scale.png"
Numbers = dict[str, float]


def peak() -> int:
    """The most bytes this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def held() -> int:
    """The bytes this process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def braided_maze(side: int, starts: int) -> hierq.World:
    """A maze without dead ends, with starts all over it."""
    maze = hierq.maze(side, side, seed=1, loops=1.0)
    parts = maze.text.split(".")
    every = max(1, len(parts) // starts)
    cells = ["S" if place % every == 0 else "." for place in range(len(parts) - 1)]
    text = "".join(part + cell for part, cell in zip(parts, [*cells, ""], strict=True))
    return hierq.World.from_text(text, maze.name)


def measure_series(side: int, levels: int, steps: int) -> Numbers:
    """One maze: bytes, and seconds of everything."""
    config = hierq.AgentConfig(
        levels=levels, backup=hierq.TreeBackup(3), tables="local", step_limit=STEPS_OF_AN_EPISODE
    )
    hierq.Agent(hierq.maze(11, 11, seed=0), config).train_for(1000)  # compiles
    before = peak()
    states = hierq.maze(side, side, seed=1, loops=1.0).states
    world = braided_maze(side, states // STATES_PER_START)
    begun = time.process_time()
    agent = hierq.Agent(world, config)
    made = time.process_time() - begun
    agent.train_for(steps // 4)
    begun = time.process_time()
    agent.train_for(steps)
    spent = time.process_time() - begun
    dense = estimate_bytes(layout_of(world, config.replace(tables="dense")))
    numbers = {"side": side, "levels": levels, "states": world.states, "seconds_to_make": made}
    numbers |= {"peak": peak() - before, "tables": sum(agent.table_bytes), "dense": sum(dense)}
    return {**numbers, "microseconds": spent / steps * 1e6, "seen": agent.learnt(0)[1] / world.states}


def measure_covered(side: int, levels: int, steps: int) -> dict[str, Any]:
    """A maze that is covered early: bytes held after every tenth of the steps."""
    world = braided_maze(side, 1000)
    agent = hierq.Agent(world, hierq.AgentConfig(levels=levels, backup=hierq.TreeBackup(3), tables="local"))
    rows = []
    for tenth in range(1, 11):
        agent.train_for(steps // 10)
        rows.append((tenth * steps // 10, agent.learnt(0)[1] / world.states, held()))
    return {"states": world.states, "rows": rows}


def measure_episode(states: int, levels: int, steps: int) -> Numbers:
    """One episode of so many steps, at whose end traces have been alive all along."""
    moves = [f"{s} {a}: {(s + (1 if a else -1)) % states}" for s in range(1, states) for a in (0, 1)]
    lucky = [f"0 {a}: {states} 0.000000001 {1 if a else states - 1} 0.999999999" for a in (0, 1)]
    ends = [f"{states} {a}: {states}" for a in (0, 1)]
    head = [f"table: {states + 1} states, 2 actions", "starts: 0", f"goals: {states}"]
    world = hierq.World.from_text("\n".join([*head, *lucky, *moves, *ends]) + "\n", "ring")
    config = hierq.AgentConfig(levels=levels, backup=hierq.Traces(1.0), tables="local", step_limit=steps)
    hierq.Agent(world, config.replace(step_limit=1000)).train(1)
    before, begun = peak(), time.process_time()
    (length,) = hierq.Agent(world, config).train(1)
    return {"length": int(length), "peak": peak() - before, "microseconds": (time.process_time() - begun) / steps * 1e6}


MEASURES = {"series": measure_series, "covered": measure_covered, "episode": measure_episode}


def in_a_process(what: str, *sizes: int) -> dict[str, Any]:
    """Measures something in a process of its own, and says so while it lasts."""
    print(f"\r{what} {' '.join(f'{size:,}' for size in sizes)} … ", end="", file=sys.stderr, flush=True)
    command = [sys.executable, __file__, "--measure", what, *map(str, sizes)]
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    print("\r\033[K", end="", file=sys.stderr, flush=True)
    numbers: dict[str, Any] = json.loads(found)
    return numbers


def series(sides: Mapping[int, tuple[int, ...]], steps: dict[int, int]) -> list[Numbers]:
    print("k   map           states   states seen   peak memory   action values   dense   agent made   µs per step")
    rows = []
    for levels, some in sides.items():
        for side in some:
            row = in_a_process("series", side, levels, steps[levels])
            rows.append(row)
            print(
                f"{levels}   {f'{side} × {side}':11} {row['states']:9,}   {row['seen']:10.0%}   "
                f"{readable_size(row['peak']):>11}   {readable_size(row['tables']):>13}   "
                f"{readable_size(row['dense']):>7}   {row['seconds_to_make']:8.1f} s   {row['microseconds']:8.2f}",
                flush=True,
            )
    return rows


def verdicts(rows: list[Numbers]) -> None:
    two = [row for row in rows if row["levels"] == 2]
    slower = two[-1]["microseconds"] / two[0]["microseconds"]
    print(
        f"\nµs per step at {two[-1]['states']:,.0f} states over those at {two[0]['states']:,.0f}: {slower:.2f}", end=""
    )
    print(f" (target at most 3: {'met' if slower <= 3 else 'missed'})")
    for levels, most in ((2, 8e9), (3, 12e9)):
        for row in rows:
            wanted = row["states"] >= 10**6 if levels == 2 else row["side"] >= 300
            if row["levels"] == levels and wanted:
                word = "met" if row["peak"] < most else "missed"
                print(
                    f"peak at {row['states']:,.0f} states, k = {levels}: {readable_size(row['peak'])} "
                    f"(target below {readable_size(most)}: {word})"
                )


def covered(side: int, levels: int, steps: int) -> None:
    found = in_a_process("covered", side, levels, steps)
    print(f"\n{steps:,} steps of k = {levels} in a braided maze of {found['states']:,} states")
    for done, seen, size in found["rows"]:
        print(f"{done:12,} steps   {seen:7.2%} of the states seen   {size / 1e6:8.1f} MB held")
    full = next((index for index, row in enumerate(found["rows"]) if row[1] >= 0.99), len(found["rows"]) - 1)
    growth = found["rows"][-1][2] - found["rows"][full][2]
    print(f"growth from {found['rows'][full][0]:,} steps on: {growth / 1e6:.2f} MB")


def episodes(states: int, levels: int, limits: tuple[int, ...]) -> None:
    print(f"\none episode of HierQ(λ = 1), k = {levels}, in a ring of {states:,} states")
    for limit in limits:
        found = in_a_process("episode", states, levels, limit)
        print(
            f"{found['length']:12,} steps   {found['peak'] / 1e6:6.1f} MB at most   "
            f"{found['microseconds']:6.2f} µs per step",
            flush=True,
        )


def main(quick: bool) -> None:
    """All of it."""
    rows = series(QUICK_SIDES, {2: 10**5, 3: 5 * 10**4}) if quick else series(SIDES, {2: 2 * 10**6, 3: 5 * 10**5})
    verdicts(rows)
    covered(*((31, 2, 10**5) if quick else (101, 2, 10**7)))
    episodes(1000, 2, (10**4, 10**5) if quick else (10**5, 10**6, 10**7))
    if not quick:
        from scale_figure import scale_figure

        from hierq.figures.style import as_png

        PICTURE.write_bytes(as_png(scale_figure(rows)))
        print(f"\n{PICTURE}")


if __name__ == "__main__":
    if "--measure" in sys.argv:
        what, *sizes = sys.argv[sys.argv.index("--measure") + 1 :]
        print(json.dumps(MEASURES[what](*map(int, sizes))))
    else:
        main("--quick" in sys.argv)
