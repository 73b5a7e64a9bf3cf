import dataclasses
import math
import threading

import numpy as np
import pytest

from hierq import AgentConfig, InputError, make_world
from hierq.paper import PublishedCell, Run, compare, published_first_episodes, run_agents, summarise
from hierq.paper.first_episode import run_agent
from hierq.studies.study import seed_of

CELLS = [cell for cell in published_first_episodes() if cell.world == "gridworld-10" and cell.levels <= 2]
CELL = PublishedCell(world="rooms-4", backup="n", parameter=3, levels=2, mean=1000, error=50)


def runs_of(*lengths: int, cell: PublishedCell = CELL) -> list[Run]:
    return [Run(cell, seed, (length, 20), (30, 16 + seed)) for seed, length in enumerate(lengths)]


def test_a_run_is_the_protocol_of_the_paper() -> None:
    run = run_agent(CELLS[0], seed=0, iterations=23)
    assert run is not None
    assert len(run.training) == len(run.evaluation) == 23
    assert min(run.training + run.evaluation) >= 18


def test_runs_depend_on_world_configuration_and_seed_alone() -> None:
    few, _ = run_agents(CELLS[:2], seeds=1, iterations=3, workers=1)
    many, _ = run_agents(CELLS[::-1], seeds=2, iterations=3, workers=2)
    by_key = {(run.cell, run.seed): run for run in many}
    assert len(by_key) == 2 * len(CELLS)
    for run in few:
        assert by_key[run.cell, run.seed] == run


def test_seeds_differ_wherever_something_differs() -> None:
    world, config = make_world("rooms-4"), AgentConfig.published()
    sequences = [
        seed_of(world, config, 0),
        seed_of(world, config, 1),
        seed_of(world, config.replace(levels=3), 0),
        seed_of(make_world("rooms-9"), config, 0),
    ]
    states = {tuple(sequence.generate_state(4)) for sequence in sequences}
    assert len(states) == len(sequences)
    again = seed_of(make_world("rooms-4"), AgentConfig.published(), 0)
    assert np.array_equal(again.generate_state(4), sequences[0].generate_state(4))


def test_comparison_by_hand() -> None:
    (one,) = compare(runs_of(900, 1100, 1300))
    assert (one.seeds, one.mean, one.optimum) == (3, 1100, 16)
    assert one.error == pytest.approx(200 / math.sqrt(3))
    published_deviation = 50 * math.sqrt(200)
    pooled = math.sqrt((2 * 200**2 + 199 * published_deviation**2) / 201)
    assert one.z == pytest.approx(100 / (pooled * math.sqrt(1 / 3 + 1 / 200)))
    assert one.last_evaluation == 17


def test_a_single_run_has_no_error_but_a_z() -> None:
    (one,) = compare(runs_of(1500))
    assert math.isnan(one.error)
    assert one.z == pytest.approx(500 / (50 * math.sqrt(200) * math.sqrt(1 + 1 / 200)))


def test_comparisons_come_in_the_order_of_the_paper() -> None:
    cells = [dataclasses.replace(CELL, world=world) for world in ("maze-20", "gridworld-10", "rooms-9")]
    compared = compare([run for cell in cells for run in runs_of(900, 1000, cell=cell)])
    assert [one.cell.world for one in compared] == ["gridworld-10", "rooms-9", "maze-20"]


def test_summary_by_hand() -> None:
    compared = [dataclasses.replace(compare(runs_of(900, 1000))[0], z=z) for z in (0.0, 1.0, -3.0, 2.0)]
    summary = summarise(compared)
    assert summary.cells == 4
    assert summary.root_mean_square == pytest.approx(math.sqrt(14 / 4))
    assert summary.share_beyond_two == 0.25
    with pytest.raises(InputError, match="no run"):
        summarise([])


def test_interrupt_keeps_what_is_finished() -> None:
    seen: list[Run] = []

    def stop_after_three(run: Run) -> None:
        seen.append(run)
        if len(seen) == 3:
            raise KeyboardInterrupt

    threads = threading.active_count()
    runs, interrupted = run_agents(CELLS, seeds=100, iterations=2, workers=1, on_run=stop_after_three)
    assert interrupted
    assert runs[:3] == seen
    assert threading.active_count() == threads


def test_a_run_can_be_told_to_stop() -> None:
    stop = threading.Event()
    stop.set()
    assert run_agent(CELLS[0], seed=0, stop=stop) is None


@pytest.mark.parametrize("wrong", [{"seeds": 0}, {"seeds": 1, "iterations": 0}, {"seeds": 1, "workers": 0}])
def test_impossible_numbers_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match="at least 1"):
        run_agents(CELLS, **wrong)


def test_the_flat_agents_agree_with_the_paper() -> None:
    """A first look; the whole table at many seeds is for `make check-long`."""
    cells = [cell for cell in published_first_episodes() if cell.world == "gridworld-10" and cell.levels == 1]
    runs, _ = run_agents(cells, seeds=25, iterations=1)
    assert max(abs(one.z) for one in compare(runs)) < 4.5
