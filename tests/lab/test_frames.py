"""Frames: the bytes of the fixtures, which the page's decoders are tested against as well."""

import json
from pathlib import Path

import numpy as np
import pytest
from serving import decode

from hierq.agents.recorded_episode import RecordedEpisode
from hierq.lab.frames import curve_frame, episode_frame, many_frame, view_frame

FRAMES = json.loads(Path(__file__).with_name("frames.json").read_text(encoding="utf-8"))["frames"]


def encoded(said):
    agent, number = said["agent"], said["id"]
    match said["kind"]:
        case "curve":
            return curve_frame(agent, said["first"], said["evaluated"], number)
        case "episode":
            arrays = [np.array(said[name], np.int64) for name in ("states", "actions")]
            goals, actors = np.zeros((said["steps"], 1), np.int64), np.zeros(said["steps"], np.int64)
            return episode_frame(agent, RecordedEpisode(*arrays, goals, actors, said["reached"]), number)
        case "view":
            return view_frame(agent, said["level"], said["goal"], said["values"], said["policy"], number)
        case "many":
            band = (said["mean"], said["low"], said["high"])
            return many_frame(agent, said["done"], said["planned"], band, said["finished"], number)


@pytest.mark.parametrize("fixture", FRAMES, ids=lambda fixture: fixture["name"])
def test_bytes_and_meaning(fixture):
    assert encoded(fixture["decoded"]).hex() == fixture["hex"]
    assert decode(bytes.fromhex(fixture["hex"])) == fixture["decoded"]


def test_every_kind_of_frame_has_a_fixture():
    assert {fixture["decoded"]["kind"] for fixture in FRAMES} == {"curve", "episode", "view", "many"}


def test_arrays_begin_at_multiples_of_four():
    """So that the page can lay typed arrays over a frame without copying."""
    assert len(curve_frame(0, 0, [])) == 16
    assert len(view_frame(0, 0, 0, [], [])) == 16
    assert len(many_frame(0, 0, 0, ([], [], []), False)) == 24
