"""What the page knows of settings is what hierq declares."""

import json
import re

import hierq
from hierq.lab.declared import FILE, declared_module
from hierq.lab.messages import MOST_STEPS


def test_the_page_knows_what_is_declared():
    told = "run `python -m hierq.lab.declared` to write page/declared.js anew"
    assert FILE.read_text(encoding="utf-8") == declared_module(), told


def constant(name):
    """A constant of the module as Python reads it: its lines are JSON."""
    content = re.search(rf"^export const {name} = (\{{.*?\}});$", declared_module(), re.M | re.S)[1]
    return json.loads(re.sub(r",\n\}$", "}", content))


def test_an_agent_as_usual_is_the_same_to_the_page():
    usual = {name: declared["usual"] for name, declared in constant("DECLARED").items()}
    config = hierq.AgentConfig(step_limit=MOST_STEPS)
    assert hierq.AgentConfig.from_dict(usual) == config
    assert usual.items() >= config.to_dict().items()


def test_every_choice_and_bound_is_taken():
    for name, declared in constant("DECLARED").items():
        beside = {"pseudo_reward": "penalty"} if name in ("discount", "initial_value") else {}
        values = [*declared.get("choices", []), *([declared["high"]] if "high" in declared else [])]
        for value in values:
            hierq.AgentConfig.from_dict({**beside, name: value})
    for name, declared in constant("OPERATORS").items():
        assert ("decay" in hierq.Backup(name).gate.arguments) == declared["decay"] and declared["about"]
    assert hierq.AgentConfig(**constant("PUBLISHED")) == hierq.AgentConfig.published()
