"""Random numbers of runs: other ones wherever something differs, the same ones everywhere else."""

import numpy as np

from hierq import AgentConfig, make_world
from hierq.studies.study import seed_of


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
