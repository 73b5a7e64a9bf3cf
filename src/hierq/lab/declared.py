"""What the page knows of an agent's settings: the declarations of `AgentConfig` and `Backup`, as a JavaScript module.

`python -m hierq.lab.declared` writes page/declared.js; a test holds it to what is declared.
"""

import json
from pathlib import Path
from typing import Any

from hierq.agents import AgentConfig, Backup, Traces
from hierq.agents.config import PUBLISHED_SWITCHES, TARGETS
from hierq.agents.estimators.backups import USUAL_DEPTH
from hierq.agents.estimators.operators import OPERATORS
from hierq.agents.estimators.partitions import PARTITIONS
from hierq.agents.explorers import EXPLORERS
from hierq.agents.settings import Setting, settings_of
from hierq.lab.messages import MOST_HOPS, MOST_LEVELS, MOST_STEPS

FILE = Path(__file__).parent / "page" / "declared.js"
LEFT_OUT = ("tables", "radius", "nearness", *(["explore"] if len(EXPLORERS) == 1 else []))  # large worlds; no choice
# Where the lab is narrower than hierq, or its messages have another form.
LAB: dict[str, dict[str, Any]] = {
    "levels": {"high": MOST_LEVELS},
    "horizons": {"low": 1, "high": MOST_HOPS, "whole": True},
    "backup": {"usual": AgentConfig().backup.to_plain()},
    "step_limit": {"high": MOST_STEPS, "usual": MOST_STEPS},
    "explore": {"choices": tuple(EXPLORERS)},
    "n": {"high": MOST_HOPS, "usual": USUAL_DEPTH},
    "hops": {"usual": "full", "choices": tuple("full" if name == "stride" else name for name in PARTITIONS)},
}


def declared_module() -> str:
    """The text of the module."""
    settings = {name: _plain(name, *of) for name, of in settings_of(AgentConfig).items() if name not in LEFT_OUT}
    n, hops = (_plain(name, *settings_of(Backup)[name]) for name in ("n", "hops"))
    decay = _plain("decay", *settings_of(Traces)["decay"])
    operators = {
        name: {"about": (operator.__doc__ or "").split("\n")[0], "decay": "decay" in operator.arguments}
        for name, operator in OPERATORS.items()
        if Backup(name).short_form is None
    }
    constants = (
        ("Every setting of an agent.", "DECLARED", settings | {"credit_span": hops}),
        ("The numbers of a backup.", "NUMBERS", {"n": n, "decay": decay}),
        ("What may pass through a hop, beside the kinds OneStep and TreeBackup.", "OPERATORS", operators),
        ("Target policies beside the greedy one.", "TARGETS", {name: vars(kind()) for name, kind in TARGETS.items()}),
        ("The switches of the published runs.", "PUBLISHED", PUBLISHED_SWITCHES),
    )
    head = "// @ts-check\n// Written by `python -m hierq.lab.declared` from what hierq declares: change it there.\n"
    return "\n".join([head, *(_constant(*constant) for constant in constants)])


def _plain(name: str, declared: Setting, default: Any) -> dict[str, Any]:
    """What the page needs to know of a setting."""
    plain: dict[str, Any] = {"usual": default, "about": declared.about, "symbol": declared.symbol}
    if declared.low is not None:
        plain |= {"low": declared.low, "high": declared.high, "open": declared.is_open, "whole": declared.is_whole}
    plain |= {"choices": declared.choices, **LAB.get(name, {})}
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
