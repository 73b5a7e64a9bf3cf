"""What a rival is: a function that learns from a step, and names its arguments. Loads no Numba.

It is called after every step; or, when the episode is over, for every step, the last one first.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from hierq.compiling.user_function import UserFunction


class Experience(NamedTuple):
    """The arguments that a rival may name."""

    table: Any  # Q(s, a, g) and V(s, g) = max_a Q(s, a, g), for `hierq.learn_step` and its like
    state: int  # S_t
    action: int  # A_t
    successor: int  # S_{t+1}
    trace: Any  # the episode so far; for `hierq.learn_again`
    time: int  # t
    updates: int  # N, how many updates it may make besides
    n: int  # how many steps it looks ahead
    rng: Any  # random numbers: hierq.uniform(rng), hierq.below(rng, n)
    model: Any  # where every move led
    queue: Any  # pairs of a state and an action, each with a priority
    buffer: Any  # the last 100,000 steps of all episodes


class Rule(UserFunction):
    """How a rival learns; see `hierq.rival`. hierq knows its own rules before it loads their functions."""

    what, article, setting = "rival", "a", "rival"
    known_arguments = Experience._fields
    about = ""
    is_backward = False  # it learns when the episode is over, from the last step to the first
    max_states: int | None = None  # the largest world that it can be used in

    @classmethod
    def declare(cls, name: str, about: str, uses: tuple[str, ...], **facts: Any) -> "Rule":
        """A rule that comes with hierq; its function comes with the kernels, and Numba: see `built_in.py`."""
        rule = cls(None, name)
        rule.is_builtin, rule.about, rule.arguments = True, about, uses
        vars(rule).update(facts)
        return rule

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes know the rules that come with hierq."""
        return (Rule.find, (self.name,)) if self.is_builtin else super().__reduce__()


_STEP = ("table", "state", "action", "successor")
RIVALS: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule.declare("oracle", "all shortest paths of the graph seen so far; no rule can know more", (*_STEP, "model")),
        Rule.declare(
            "transitive",
            "Transitive RL: two paths make one, for all states of a trace, when the episode is over",
            (*_STEP, "trace", "time"),
            is_backward=True,
        ),
        Rule.declare(
            "floyd-warshall",
            "Floyd-Warshall RL: all paths through all states in between, after every new step",
            (*_STEP, "model"),
            max_states=500,
        ),
        Rule.declare(
            "dyna",
            "Dyna-Q: N remembered steps, drawn at random, after every step",
            (*_STEP, "updates", "rng", "model"),
        ),
        Rule.declare(
            "sweeping",
            "prioritised sweeping: the N steps that change most, after every step",
            (*_STEP, "updates", "model", "queue"),
        ),
        Rule.declare(
            "hindsight",
            "hindsight replay: N steps with goals that were reached after them, after every step",
            (*_STEP, "time", "updates", "rng", "buffer"),
        ),
        Rule.declare(
            "option-td",
            "option-aware TD: n steps are one option, and are discounted once",
            ("table", "trace", "time", "n"),
        ),
    )
}
Rule.builtins = RIVALS


def rival(function: Callable[..., None]) -> Rule:
    """Makes a rival of a function of a few lines: how a flat agent that knows all goals learns from a step.

        @hierq.rival
        def last_ten(table, trace, time):
            for t in range(time, max(time - 10, -1), -1):
                hierq.learn_again(table, trace, t)

        hierq.AgentConfig(levels=1, universal_top=True, backup=hierq.Rival(last_ten))

    Args:
        function: it names what it needs: table, state, action, successor, trace, time, updates, n, rng, model, queue,
            buffer. It is compiled, and returns nothing.

    Raises:
        InputError: the function names an argument that does not exist.
    """
    return Rule.of(function)
