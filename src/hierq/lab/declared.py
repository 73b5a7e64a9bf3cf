"""What the page knows of an agent's settings: the declarations of `AgentConfig` and of backups, as a JavaScript module.

The server makes it whenever a page asks for declared.js, so it knows what a user brought along as well. Only tests in
node need it as a file: `python -m hierq.lab.declared` writes that.
"""

import itertools
import json
from pathlib import Path
from typing import Any

from hierq.agents import AgentConfig, Backup, Rival, Traces
from hierq.agents.config import PUBLISHED_SWITCHES, TARGETS
from hierq.agents.estimators.backups import USUAL_DECAY, USUAL_DEPTH
from hierq.agents.estimators.operators import OPERATORS, UNFADED, has_decay
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.explorers import EXPLORERS
from hierq.agents.rivals.rival import EQUAL_TERMS
from hierq.agents.rivals.rule import RIVALS
from hierq.agents.settings import Setting, settings_of
from hierq.errors import InputError
from hierq.lab import messages
from hierq.lab.messages import MOST_HOPS, MOST_LEVELS, MOST_STEPS

FILE = Path(__file__).parent / "page" / "declared.js"
LEFT_OUT = ("tables", "radius", "nearness")  # for large worlds
# Where the lab is narrower than hierq, or its messages have another form.
LAB: dict[str, dict[str, Any]] = {
    "levels": {"high": MOST_LEVELS},
    "horizons": {"low": 1, "high": MOST_HOPS, "whole": True},
    "backup": {"usual": {"kind": "Backup", "operator": "one-step"}},
    "step_limit": {"high": MOST_STEPS, "usual": MOST_STEPS},
    "explore": {"choices": EXPLORERS},
    "n": {"high": MOST_HOPS, "usual": USUAL_DEPTH},
    "hops": {"usual": "full", "choices": tuple("full" if name == "stride" else name for name in PARTITIONS)},
}


def declared_module() -> str:
    """The text of the module."""
    settings = {name: _plain(name, *of) for name, of in settings_of(AgentConfig).items() if name not in LEFT_OUT}
    n, hops, when = (_plain(name, *settings_of(Backup)[name]) for name in ("n", "hops", "when"))
    decay, updates = _plain("decay", *settings_of(Traces)["decay"]), _plain("updates", *settings_of(Rival)["updates"])
    most = {name[5:].lower(): value for name, value in vars(messages).items() if name.startswith("MOST_")}
    constants = (
        ("Every setting of an agent.", "DECLARED", settings | {"credit_span": hops}),
        ("What belongs to a backup.", "PARTS", {"n": n, "decay": decay, "when": when, "updates": updates}),
        ("What may pass through a hop; decay: the usual λ, if it has one.", "OPERATORS", _operators()),
        ("Other learning rules, with their usual numbers.", "RIVALS", _rivals()),
        ("What an agent is like that has one.", "EQUAL_TERMS", EQUAL_TERMS),
        ("Values of two settings that do not go together, by those of the first.", "REFUSED", _refused()),
        ("Target policies beside the greedy one.", "TARGETS", {name: vars(kind()) for name, kind in TARGETS.items()}),
        ("The switches of the published runs.", "PUBLISHED", PUBLISHED_SWITCHES),
        ("The most that the lab takes of something.", "MOST", most),
    )
    head = "// @ts-check\n// Written by `python -m hierq.lab.declared` from what hierq declares: change it there.\n"
    return "\n".join([head, *(_constant(*constant) for constant in constants)])


def _operators() -> dict[str, dict[str, Any]]:
    return {
        name: {
            "about": (operator.__doc__ or "").split("\n")[0],
            "looks_ahead": name != "one-step",
            **({"decay": 1.0 if name in UNFADED else USUAL_DECAY} if has_decay(operator) else {}),
        }
        for name, operator in OPERATORS.items()
    }


def _rivals() -> dict[str, dict[str, Any]]:
    return {name: {**Rival(name).to_plain(), "about": declared.about} for name, declared in RIVALS.items()}


def _refused() -> dict[str, list[list[str]]]:
    """What hierq refuses, found out by trying all pairs of choices: {"hops executed": [["behaviour", "flat"]]}."""
    declared = settings_of(AgentConfig)
    choices: dict[str, dict[str, dict[str, Any]]] = {
        "backup": {"Backup": {}, "Traces": {"kind": "Traces"}, "Rival": {"kind": "Rival"}},
        "levels": {str(levels): {"levels": levels} for levels in range(1, MOST_LEVELS + 1)},
        "universal_top": {"no": {"universal_top": False}, "yes": {"universal_top": True}},
        "operator": {name: {"operator": name} for name in OPERATORS},
        "hops": {("full" if name == "stride" else name): {"hops": name} for name in PARTITIONS},
        "target": {"greedy": {}, **{name: {"target": kind()} for name, kind in TARGETS.items()}},
        **{
            name: {each: {name: each} for each in declared[name][0].choices}
            for name in ("behaviour", "subgoal_cells", "pseudo_reward")
        },
    }
    refused: dict[str, list[list[str]]] = {}
    for (name, values), (other, others) in itertools.permutations(choices.items(), 2):
        for (value, setting), (beside, its_setting) in itertools.product(values.items(), others.items()):
            # an operator may need a target that is not greedy: then that is what all else is tried with
            if not any(_is_taken({"target": target, **setting, **its_setting}) for target in _targets(name, other)):
                refused.setdefault(f"{name.replace('_', '-')} {value}", []).append([other.replace("_", "-"), beside])
    return refused


def _targets(*tried: str) -> list[Any]:
    return ["greedy"] if "target" in tried else ["greedy", *(kind() for kind in TARGETS.values())]


def _is_taken(settings: dict[str, Any]) -> bool:
    kind, hops = settings.pop("kind", "Backup"), settings.pop("hops", "stride")
    operator = settings.pop("operator", "tree-backup")
    try:
        if kind == "Rival":
            AgentConfig(**{**EQUAL_TERMS, **settings, "backup": Rival().with_hops(hops)})
        else:
            AgentConfig(backup=(Traces if kind == "Traces" else Backup)(operator=operator, hops=hops), **settings)
    except InputError:
        return False
    return True


def _plain(name: str, declared: Setting, default: Any) -> dict[str, Any]:
    """What the page needs to know of a setting."""
    plain: dict[str, Any] = {"usual": default, "about": declared.about, "symbol": declared.symbol}
    if declared.low is not None:
        plain |= {"low": declared.low, "high": declared.high, "open": declared.is_open, "whole": declared.is_whole}
    plain |= {"choices": declared.choices, **LAB.get(name, {})}
    plain["choices"] = tuple(plain["choices"])
    return {
        key: value for key, value in plain.items() if key == "usual" or (value is not False and value not in ("", ()))
    }


def _constant(about: str, name: str, content: dict[str, Any]) -> str:
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in content.items()]
    opening = f"export const {name} = {{"
    body = "\n".join([opening, *lines, "};"]) if lines else f"{opening}}};"
    return f"/** {about} @type {{Record<string, any>}} */\n{body}\n"


if __name__ == "__main__":
    FILE.write_text(declared_module(), encoding="utf-8")
