"""Rival(rule, updates): a rule as the setting of an agent, in the place of a backup."""

from dataclasses import dataclass

from hierq.agents.estimators.any_backup import AnyBackup
from hierq.agents.rivals.rule import RIVALS, Rule
from hierq.agents.settings import check_each, documented, setting, whole_setting
from hierq.errors import InputError

USUAL_UPDATES = 10
USUAL_LOOKAHEAD = 3
MAX_UPDATES = 100_000
MAX_LOOKAHEAD = 1_000_000
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
        "oracle",
        f"How it learns: {'; '.join(f'{name}, {each.about}' for name, each in RIVALS.items())}; or a function made "
        "with @hierq.rival.",
        help=f"Another learning rule: {', '.join(RIVALS)}; or a function of your own as FILE.py:NAME.",
    )
    updates: int | None = whole_setting(
        None,
        f"Updates that it may make after every step, besides learning from that step; {USUAL_UPDATES} if left out.",
        MAX_UPDATES,
        help="Updates of --rival after every step.",
        symbol="N",
        unset=str(USUAL_UPDATES),
    )
    n: int | None = whole_setting(
        None, f"Steps that it looks ahead; {USUAL_LOOKAHEAD} if left out.", MAX_LOOKAHEAD, unset=str(USUAL_LOOKAHEAD)
    )
    when: str = setting(
        "step",
        'Whether it learns after every step, or from the last step to the first when the "episode" is over; only for '
        "functions of your own.",
        choices=("step", "episode"),
    )

    def __post_init__(self) -> None:
        rule = Rule.find(self.rule)
        object.__setattr__(self, "rule", rule.name if rule.is_builtin else rule)
        check_each(self, updates="updates of a rival", n="n of a rival")
        for name, usual in (("updates", USUAL_UPDATES), ("n", USUAL_LOOKAHEAD)):
            if name in rule.arguments and getattr(self, name) is None:
                object.__setattr__(self, name, usual)
            elif name not in rule.arguments and getattr(self, name) is not None and rule.arguments:
                raise InputError(f"the rival {rule.name} has no {name}; leave it out")
        if rule.is_builtin:
            if self.when == "episode" and not rule.is_backward:
                raise InputError(f"the rival {rule.name} learns after every step; leave when out")
            object.__setattr__(self, "when", "step")  # such a rule itself says when it learns

    _named = ("rule",)
    method = "rival"

    @property
    def resolved_operator(self) -> Rule:
        """The rule itself, also where the setting is its name."""
        return Rule.find(self.rule)

    @property
    def is_backward(self) -> bool:
        """Whether it learns when the episode is over, from the last step to the first."""
        return self.when == "episode" or self.resolved_operator.is_backward

    def can_hold_ranks(self, discount: float) -> bool:
        """Whether all its values are powers of the discount: always."""
        return True

    def hops_alive(self, discount: float, step_limit: int, cutoff: float) -> int:
        """The number of steps that it may come back to."""
        asks_for_trace = "trace" in self.resolved_operator.arguments
        return step_limit if asks_for_trace else super().hops_alive(discount, step_limit, cutoff)

    def check_world(self, name: str, states: int, is_random: bool) -> None:
        """Refuses a world in which it cannot be used."""
        if is_random:
            raise InputError(
                f"the rival {self.name} remembers where each move leads, and in {name} that is a matter of chance; "
                "take a world without chance, or a backup such as tree-backup with a step size of 0.1"
            )
        largest = self.resolved_operator.max_states
        if largest is not None and states > largest:
            raise InputError(
                f"the rival {self.name} takes too long in worlds of more than {largest:,} states, and "
                f'{name} has {states:,}; take "oracle", which comes to the same, or a smaller world'
            )

    @property
    def name(self) -> str:
        """Its name in tables of results."""
        return self.resolved_operator.name

    @property
    def parameter(self) -> float | None:
        """The number that stands beside its name: N, or n."""
        number = self.updates if self.updates is not None else self.n
        return None if number is None else float(number)

    @property
    def id(self) -> str:
        """Its part of the id of a run, such as dyna,N10."""
        when = [] if self.when == "step" else [self.when]
        return ",".join([self.resolved_operator.label, *self._numbers("{}{}"), *when])

    def _numbers(self, form: str) -> list[str]:
        named = (("N", self.updates), ("n", self.n))
        return [form.format(symbol, number) for symbol, number in named if number is not None]

    def agent_name(self, levels: int) -> str:
        """The name of its agent, such as dyna(N=10)."""
        numbers = self._numbers("{}={}")
        return f"{self.name}({', '.join(numbers)})" if numbers else self.name

    def __repr__(self) -> str:
        return self._shown(self.name if isinstance(self.rule, Rule) else f'"{self.name}"')
