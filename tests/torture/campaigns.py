"""All campaigns, and how much of each is the whole."""

import math
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import fuzzing
import hosts
import kills
import wounds
from tally import Tally

Campaign = Callable[[Path, int, random.Random], Tally]
MAX_AT_A_TIME = 15  # kills of a study: it has to be so large that it is not finished before
COUNTS: dict[Campaign, int] = {
    kills.at_file_operations: 100,  # there are fewer, so all of them, whatever the scale: each is another moment
    kills.coordinators: 300,
    kills.shards: 150,
    kills.workers: 50,
    hosts.several: 10,
    wounds.results: 400,
    wounds.agents: 400,
    wounds.kernels: 200,
    fuzzing.maps: 8000,
    fuzzing.studies: 6000,
    fuzzing.agents: 2000,
    fuzzing.messages: 4000,
}
SMALLEST_SCALE_WITH_HOSTS = 0.1  # a cluster on several hosts takes minutes
SEVERAL_STUDIES = (kills.coordinators, kills.shards, kills.workers)


def campaign(call: Campaign, scale: float = 1.0, seed: int = 0) -> Tally:
    """A part of a campaign, at least one of what it does."""
    chance = random.Random(f"{seed} {call.__module__} {call.__name__}")
    wanted = math.ceil(COUNTS[call] * (1 if call is kills.at_file_operations else scale))
    if call is hosts.several and scale < SMALLEST_SCALE_WITH_HOSTS:
        return Tally("hosts disturbed")
    most = MAX_AT_A_TIME if call in SEVERAL_STUDIES else wanted
    total = Tally("")
    for begun in range(0, wanted, most):
        with tempfile.TemporaryDirectory(prefix="hierq-torture-") as folder:
            total += call(Path(folder), min(most, wanted - begun), chance)
        if most < wanted:
            print(f"{total.what}: {total.count} of {wanted} …", file=sys.stderr, flush=True)
    return total
