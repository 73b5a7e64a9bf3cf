"""Rival(rule, updates): a rule as the setting of an agent, in the place of a backup."""

from dataclasses import MISSING, dataclass

from hierq.agents.estimators.any_backup import AnyBackup
from hierq.agents.rivals.rule import RIVALS, Rule
from hierq.agents.settings import documented, setting, whole_setting
from hierq.errors import InputError

USUAL_UPDATES = 10
USUAL_LOOKAHEAD = 3
EQUAL_TERMS = {  # what an agent has to be for a rival to be compared with others
    "levels": 1,
    "universal_top": True,
    "step_size": 1.0,
    "pseudo_reward": "binary",
    "initial_value": 0.0,
    "target": "greedy",
}


@documented
@dataclass(frozen=True, repr=False)
class Rival(AnyBackup):
    """Another learning rule for a flat agent that knows all goals."""

    rule: Rule | str = setting(
        MISSING,
        f"How it learns: {'; '.join(f'{name}, {each.about}' for name, each in RIVALS.items())}; or a function made "
        "with @hierq.rival.",
        help=f"Another learning rule: {', '.join(RIVALS)}; or a function of your own as FILE.py:NAME.",
        made_of=Rule,
    )
    updates: int | None = whole_setting(
        None,
        f"Updates that it may make after every step, besides learning from that step; {USUAL_UPDATES} if left out.",
        100_000,
        help="Updates of --rival after every step.",
        symbol="N",
        unset=str(USUAL_UPDATES),
    )
    n: int | None = whole_setting(
        None,
        f"Steps that it looks ahead; {USUAL_LOOKAHEAD} if left out.",
        1_000_000,
        symbol="n",
        unset=str(USUAL_LOOKAHEAD),
    )
    when: str = setting(
        "step",
        'Whether it learns after every step, or from the last step to the first when the "episode" is over; only for '
        "functions of your own.",
        choices=("step", "episode"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        rule = self.function
        for name, usual in (("updates", USUAL_UPDATES), ("n", USUAL_LOOKAHEAD)):
            self._settle(name, usual if name in rule.arguments else None)
        if rule.is_builtin:
            if self.when == "episode" and not rule.is_backward:
                raise InputError(f"the rival {rule.name} learns after every step; leave when out")
            self._set("when", "step")  # such a rule itself says when it learns

    is_rival = True
    implied_settings = EQUAL_TERMS

    @property
    def function(self) -> Rule:
        """The rule, also where the setting is its name."""
        return Rule.find(self.rule)

    memory_rule = function

    @property
    def is_backward(self) -> bool:
        """Whether it learns when the episode is over, from the last step to the first."""
        return self.when == "episode" or self.function.is_backward

    def can_hold_ranks(self, discount: float) -> bool:
        """Whether all its values are powers of the discount: always."""
        return True

    def hops_alive(self, discount: float, step_limit: int, cutoff: float) -> int:
        """The number of steps that it may come back to."""
        asks_for_trace = "trace" in self.function.arguments
        return step_limit if asks_for_trace else super().hops_alive(discount, step_limit, cutoff)
