"""The accounts that the page's own tests read are those that hierq gives."""

import json
from pathlib import Path

import hierq
from hierq.agents.credit import explain

FILE = Path(__file__).parent / "js" / "credit_example.json"
DETOUR = "WSEENNWWSENE"  # see the tour's fourth stop


def text():
    """By name: the worked example of a flat and a two-level agent, a Tree-Backup, and a trace that is cut."""
    world, traces = hierq.make_world("rooms-example"), hierq.Traces(decay=1.0)
    flat, two = (hierq.AgentConfig(levels=levels, backup=traces) for levels in (1, 2))
    tree = hierq.AgentConfig(levels=2, backup=hierq.TreeBackup(n=2))
    universal = flat.replace(universal_top=True)
    accounts = {
        "flat": explain(world, flat, "ENSEESWEN"),
        "two": explain(world, two, "ENSEESWEN"),
        "tree": explain(world, tree, "ENSEESWEN"),
        "cut": explain(world, universal, DETOUR, (1, 3)),
    }
    return json.dumps({name: account.to_dict() for name, account in accounts.items()}) + "\n"


def test_the_accounts_are_up_to_date():
    assert FILE.read_text() == text()


if __name__ == "__main__":  # writes them anew
    FILE.write_text(text())
