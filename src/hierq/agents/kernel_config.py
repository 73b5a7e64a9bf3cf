"""An AgentConfig as the kernels read it: numbers, and the parts they are compiled for."""

from typing import TYPE_CHECKING, NamedTuple

from hierq.agents.estimators.operators import LINEAR, RISING
from hierq.agents.explorers import EXPLORERS
from hierq.compiling.static_choice import StaticChoice, chosen_part

if TYPE_CHECKING:
    from hierq.agents.config import AgentConfig
    from hierq.agents.estimators.any_backup import AnyBackup
    from hierq.agents.layout import Layout

NO_PREFERENCE, REACHABLE, PUBLISHED = 0, 1, 2
PREFERENCES = {"none": NO_PREFERENCE, "reachable": REACHABLE, "published": PUBLISHED}
EPSILON = chosen_part(EXPLORERS["epsilon"])


class KernelConfig(NamedTuple):
    """An AgentConfig as the kernels read it."""

    method: StaticChoice  # Backup (Algorithm 3), Traces (Algorithm 2), Rival; ", backward" when the episode is over
    estimator: StaticChoice  # the operator of a backup over hops, the kind of traces, or the rule of a rival
    paths: StaticChoice  # one path of hops, or how the returns of all paths are joined: see `paths_of`
    n: int  # hops of a backup
    updates: int  # of a rival, after every step
    has_random_hops: bool
    has_executed_hops: bool
    has_strides: bool  # a path is made of whole hops
    weighs_paths: bool  # a mean is one over all paths, and not over hops
    asks_about_hops: bool  # the operator uses q, π or μ of a hop; if not, hops back to their start take part
    decay: float  # λ of traces, or of an operator that uses it
    target: StaticChoice  # "greedy" or "soft"
    is_softmax: bool  # among soft targets: else ε-soft
    softness: float  # ε or temperature of a soft target
    explorer: StaticChoice
    explore_train: float
    explore_eval: float
    discount: float
    step_size: float
    tie_tolerance: float
    trace_cutoff: float  # above 0: eligibilities of at most this are dropped
    step_reward: float  # for every step but that to the goal
    hole_return: float  # for falling into a hole, whatever the goal was
    flat: bool
    anywhere: bool
    by_position: bool  # L1 distance says what is within reach, else the legal sub-goals do
    walls: bool
    preference: int
    published_evaluation: bool
    step_limit: int
    never_below_start: bool  # no value is ever below the start value


def kernel_config_of(config: "AgentConfig", by_position: bool = True, hops_are_actions: bool = True) -> KernelConfig:
    """The numbers and choices of a configuration."""
    backup, target = config.backup, config.target
    traces = "soft traces" if backup.name == "traces" and not config.is_greedy else backup.name
    return KernelConfig(
        method=StaticChoice(f"{type(backup).__name__}{', backward' if backup.is_backward else ''}"),
        estimator=StaticChoice(traces) if backup.has_traces else chosen_part(backup.kernel_operator),
        paths=StaticChoice(paths_of(backup, hops_are_actions)),
        n=backup.depth,
        updates=backup.updates or 0,
        has_random_hops=backup.hops == "random",
        has_executed_hops=backup.hops == "executed",
        has_strides=not backup.joins and backup.hops != "random",
        weighs_paths=backup.hops == "all-paths",
        asks_about_hops=bool({"q", "pi", "mu"} & set(backup.kernel_operator.arguments)),
        decay=backup.decay or 0.0,
        target=StaticChoice("greedy" if config.is_greedy else "soft"),
        is_softmax=hasattr(target, "temperature"),
        softness=float(getattr(target, "temperature", getattr(target, "epsilon", 0.0))),
        explorer=chosen_part(config.explorer),
        explore_train=config.explore_train,
        explore_eval=config.explore_eval,
        discount=config.discount,
        step_size=config.step_size,
        tie_tolerance=config.tie_tolerance,
        trace_cutoff=config.least_eligibility,
        step_reward=config.step_reward,
        hole_return=config.hole_return,
        flat=config.behaviour == "flat",
        anywhere=config.subgoals == "anywhere",
        by_position=by_position,
        walls=config.subgoal_cells == "grid",
        preference=PREFERENCES[config.goal_preference],
        published_evaluation=config.evaluation == "published",
        step_limit=config.step_limit,
        never_below_start=config.unknown_is_zero and backup.never_negative,
    )


def kernel_kind_of(layout: "Layout") -> str:
    """What kernels have to be compiled for, in words: all choices of a configuration, and the kind of its tables."""
    config = kernel_config_of(layout.config, hops_are_actions=layout.hops_are_actions)
    choices = [choice.label for choice in config if isinstance(choice, StaticChoice)]
    return f"{', '.join(choices)}, tables of {'local values' if layout.local else layout.kind}"


def paths_of(backup: "AnyBackup", hops_are_actions: bool) -> str:
    """Along which paths the kernels go, and how they join their returns.

    A window slides if all hops are actions and the operator commutes with the maximum or mean of several returns.
    """
    if not backup.kernel_joins:
        return "one path"
    kept_by = RISING if backup.kernel_joins == "max" else LINEAR
    slides = hops_are_actions and backup.kernel_operator.is_builtin and backup.kernel_operator.name in kept_by
    return f"sliding {backup.kernel_joins}" if slides else backup.kernel_joins
