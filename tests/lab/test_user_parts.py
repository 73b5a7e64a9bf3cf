"""A world, an operator and an explorer of the user's: known to the page by their names, or refused in plain words."""

import re

import pytest

from hierq.agents.estimators.operators import OPERATORS
from hierq.agents.explorers import EXPLORERS
from hierq.errors import InputError
from hierq.lab import user_parts
from hierq.lab.answers import offered_worlds
from hierq.lab.declared import declared_module
from hierq.lab.messages import parse_message

PARTS = '''
import hierq

@hierq.operator
def optimistic_lab(q, v, y):
    """X = max(v, y)."""
    return max(v, y)

@hierq.explorer
def curious_lab(epsilon, actions, rng):
    """Epsilon-greedy."""
    return hierq.epsilon_greedy(epsilon, actions, rng)

@hierq.operator
def peng(v, y):
    return v

@hierq.operator
def broken_lab(v, y):
    return lamda * v
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(user_parts, "WORLDS", {})
    for known in (OPERATORS, EXPLORERS):
        for name in [*known]:
            monkeypatch.setitem(known, name, known[name])  # so that what is added goes again
    (tmp_path / "mine.txt").write_text("S.H\n..G\n")
    (tmp_path / "parts.py").write_text(PARTS)
    yield tmp_path
    for known in (OPERATORS, EXPLORERS):
        for name in [name for name in known if name.endswith("_lab")]:
            del known[name]


def test_what_is_brought_is_offered_by_name(folder):
    user_parts.register_user_parts("mine.txt", "parts.py:optimistic_lab", "parts.py:curious_lab")
    (mine,) = (world for world in offered_worlds() if world["is_own"])
    assert (mine["name"], mine["map"]) == ("mine", "S.H\n..G\n")
    assert '"optimistic_lab": {"about": "X = max(v, y).", "looks_ahead": true}' in declared_module()
    assert '"curious_lab"]' in declared_module()
    agent = '{"backup": {"kind": "Backup", "operator": "optimistic_lab", "n": 4}, "explore": "curious_lab"}'
    text = f'{{"do": "open", "id": 1, "map": "S.G", "agents": [{{}}, {agent}], "seed": 0}}'
    config = parse_message(text).agents[1]
    assert (config.backup.name, config.explorer.name) == ("optimistic_lab", "curious_lab")
    user_parts.register_user_parts(operator="parts.py:optimistic_lab")  # the same again is no other one


@pytest.mark.parametrize(
    ("brought", "words"),
    [
        ({"world": "nowhere.txt"}, "nowhere.txt"),
        ({"world": "table.txt"}, "the lab shows maps of at most 64 × 64 cells"),
        ({"operator": "optimistic_lab"}, "FILE:NAME"),
        ({"operator": "parts.py:nothing"}, "parts.py defines no nothing"),
        ({"operator": "parts.py:peng"}, "an operator peng comes with hierq; give yours another name"),
        ({"operator": "parts.py:broken_lab"}, "lamda"),
        ({"explorer": "nowhere.py:curious_lab"}, "there is no file nowhere.py"),
    ],
)
def test_what_cannot_be_brought(folder, brought, words):
    (folder / "table.txt").write_text('{"outcomes": [[1], [1]], "goals": [1]}')
    with pytest.raises(InputError, match=re.escape(words)):
        user_parts.register_user_parts(**brought)
    assert not any(name.endswith("_lab") for name in (*OPERATORS, *EXPLORERS)) and not user_parts.WORLDS
