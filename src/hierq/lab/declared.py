"""What the page knows of an agent's settings: the declarations of `AgentConfig` and of backups, as a JavaScript module.

The server makes it whenever a page asks for declared.js, so it knows the user's own parts as well. Only tests in node
and the check of types need it as a file: `python -m hierq.lab.declared` writes that.
"""

import json
from pathlib import Path
from typing import Any

from hierq.agents import AgentConfig, Backup, Rival, Traces
from hierq.agents.estimators.backups import USUAL_DEPTH
from hierq.agents.estimators.operators import OPERATORS, USUAL_DECAY, usual_decay
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.explorers import EXPLORERS
from hierq.agents.rivals.rival import EQUAL_TERMS
from hierq.agents.rivals.rule import RIVALS
from hierq.agents.settings import Setting
from hierq.lab import messages
from hierq.lab.messages import MAX_HOPS, MAX_LEVELS

FILE = Path(__file__).parent / "page" / "declared.js"
# Settings for large worlds, and for the rules of the paper's program: a link or `hierq run` may have them.
LEFT_OUT = {
    *("tables", "radius", "nearness", "subgoals", "subgoal_cells", "goal_preference", "pseudo_reward"),
    *("initial_value", "universal_top", "target", "evaluation", "step_limit"),
}
# Where the lab is narrower than hierq, or its messages have another form.
LAB: dict[str, dict[str, Any]] = {
    "levels": {"high": MAX_LEVELS},
    "horizons": {"low": 1, "high": MAX_HOPS, "whole": True},
    "backup": {"usual": {"kind": "Backup", "operator": "one-step"}},
    "explore": {"choices": EXPLORERS},
    "decay": {"usual": USUAL_DECAY},
    "n": {"high": MAX_HOPS, "usual": USUAL_DEPTH},
    "hops": {"choices": PARTITIONS},
}


def declared_module() -> str:
    """The text of the module."""
    settings = {name: _plain(name, of) for name, of in AgentConfig.declared.items() if name not in LEFT_OUT}
    parts = {name: _plain(name, Backup.declared[name]) for name in ("n", "hops", "when")}
    parts |= {name: _plain(name, kind.declared[name]) for kind, name in ((Traces, "decay"), (Rival, "updates"))}
    limits = {name[4:].lower(): value for name, value in vars(messages).items() if name.startswith("MAX_")}
    constants = (
        ("The settings of an agent that the page shows.", "DECLARED", settings),
        ("What belongs to a backup.", "PARTS", parts),
        ("What may pass through a hop; decay: the usual λ, if it has one.", "OPERATORS", _operators()),
        ("Other learning rules, with their usual numbers.", "RIVALS", _rivals()),
        ("What an agent is like that has one.", "EQUAL_TERMS", EQUAL_TERMS),
        ("The most that the lab takes of something.", "MAX", limits),
    )
    head = "// @ts-check\n// Written by `python -m hierq.lab.declared` from what hierq declares: change it there.\n"
    return "\n".join([head, *(_constant(*constant) for constant in constants)])


def _operators() -> dict[str, dict[str, Any]]:
    return {
        name: {
            "about": (operator.__doc__ or "").split("\n")[0],
            "looks_ahead": name != "one-step",
            **({} if usual_decay(operator) is None else {"decay": usual_decay(operator)}),
        }
        for name, operator in OPERATORS.items()
    }


def _rivals() -> dict[str, dict[str, Any]]:
    return {name: {**Rival(name).to_plain(), "about": declared.about} for name, declared in RIVALS.items()}


def _plain(name: str, declared: Setting) -> dict[str, Any]:
    """What the page needs to know of a setting."""
    plain: dict[str, Any] = {"usual": declared.default, "about": declared.about, "symbol": declared.symbol}
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
