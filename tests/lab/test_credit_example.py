"""The accounts that the page's own tests read are those that hierq gives."""

import dataclasses
import json
from pathlib import Path

import hierq
from hierq.credit.explain import explain

FILE = Path(__file__).parent / "js" / "credit_example.json"
FAMILY = {
    "best": hierq.Backup("max", n=3, hops="all-max"),
    "mean": hierq.Backup("uncorrected", n=3, hops="all-mean"),
    "random": hierq.Backup("tree-backup", n=2, hops="random"),
    "backward": hierq.Backup("tree-backup", n=2, when="episode"),
}
DETOUR = "WSEENNWWSENE"  # see the tour's fourth stop


def text():
    """By name: the worked example of several agents, and a trace that is cut."""
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
    for name, backup in FAMILY.items():
        accounts[name] = explain(world, two.replace(backup=backup), "ENSEESWEN")
    return json.dumps({name: account.to_dict() for name, account in accounts.items()}) + "\n"


def test_the_accounts_are_up_to_date():
    assert FILE.read_text() == text()


def test_plain_values_are_those_of_the_dataclasses():
    """They are written without dataclasses.asdict, which is slow, and can be changed without harm."""
    world, config = hierq.make_world("rooms-example"), hierq.AgentConfig(levels=2)
    credit = explain(world, config, "ENSEESWEN")
    backups = [backup for step in credit.steps for backup in step]
    hops, updates = ([part for backup in backups for part in getattr(backup, name)] for name in ("hops", "updates"))
    plain = [backup for step in credit.to_dict()["steps"] for backup in step]
    assert [update for backup in plain for update in backup["updates"]] == [
        dataclasses.asdict(each) for each in updates
    ]
    assert [[*hop.values()] for backup in plain for hop in backup["hops"]] == [
        [*dataclasses.asdict(each).values()] for each in hops
    ]
    first = next(backup for backup in plain if backup["updates"])["updates"][0]
    first["new"] = "changed"
    assert updates[0].new != "changed"


if __name__ == "__main__":  # writes them anew
    FILE.write_text(text())
