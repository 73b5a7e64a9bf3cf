"""What the page knows of settings is what hierq declares."""

import json
import re

import pytest

import hierq
from hierq.agents import Operator
from hierq.agents.estimators.operators import OPERATORS
from hierq.lab.declared import LEFT_OUT, declared_module
from hierq.lab.snippet import config_code


def constant(name):
    """A constant of the module as Python reads it: its lines are JSON."""
    content = re.search(rf"^export const {name} = (\{{.*?\}});$", declared_module(), re.M | re.S)[1]
    return json.loads(re.sub(r",\n\}$", "}", content))


def test_an_agent_as_usual_is_the_same_to_the_page():
    usual = {name: declared["usual"] for name, declared in constant("DECLARED").items()}
    assert hierq.AgentConfig.from_dict(usual) == hierq.AgentConfig()


def test_every_setting_is_shown_or_left_out_on_purpose():
    assert set(constant("DECLARED")) == set(hierq.AgentConfig.declared) - LEFT_OUT
    assert set(hierq.AgentConfig.declared) > LEFT_OUT


def test_a_new_operator_is_declared_and_written_as_python(monkeypatch):
    def highest(v, y):
        """X = max(v, y)."""
        return max(v, y)

    monkeypatch.setitem(OPERATORS, "highest", Operator.builtin("highest", highest))
    assert constant("OPERATORS")["highest"] == {"about": "X = max(v, y).", "looks_ahead": True}
    config = hierq.AgentConfig.from_dict({"backup": {"kind": "Backup", "operator": "highest", "n": 4}})
    assert config_code(config) == 'hierq.AgentConfig(levels=2, backup=hierq.Backup(operator="highest", n=4))'
    assert config.backup.agent_name(2) == "Hier_2(highest, n=4)"


@pytest.mark.parametrize(
    ("backup", "code"),
    [
        (hierq.TreeBackup(3), "hierq.TreeBackup(n=3)"),
        (hierq.Traces(0.5), "hierq.Traces(decay=0.5)"),
        (hierq.TreeBackup(3).with_hops("single"), 'hierq.TreeBackup(n=3, hops="single")'),
        (hierq.OneStep().with_hops("single"), 'hierq.OneStep(hops="single")'),
    ],
)
def test_backups_as_python(backup, code):
    assert config_code(hierq.AgentConfig(levels=3, backup=backup)) == f"hierq.AgentConfig(levels=3, backup={code})"
    assert eval(code) == backup


def test_every_choice_and_bound_is_taken():
    for name, declared in constant("DECLARED").items():
        beside = {"pseudo_reward": "penalty"} if name == "discount" else {}
        values = [*declared.get("choices", []), *([declared["high"]] if "high" in declared else [])]
        for value in values:
            hierq.AgentConfig.from_dict({**beside, name: value})
    for name, declared in constant("OPERATORS").items():
        backup = hierq.Backup(name)
        assert declared["about"] and backup == hierq.Backup(name, decay=declared.get("decay"))
        assert declared["looks_ahead"] == (backup.n > 1)
    for name, plain in constant("RIVALS").items():
        assert plain.pop("about") and plain == hierq.Rival(name).to_plain()
        hierq.AgentConfig.from_dict({**constant("EQUAL_TERMS"), "backup": plain})
