"""The options that shape an agent: one for every setting of AgentConfig."""

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from tyro.conf import arg

from hierq.cli.arguments import a_word, number, one_of, whole_number, whole_numbers
from hierq.errors import InputError

if TYPE_CHECKING:
    from hierq.agents import AgentConfig, EpsilonSoft, OneStep, Softmax, Traces, TreeBackup

Word: TypeAlias = str | None
Number: TypeAlias = float | None
Whole: TypeAlias = int | None


def about(text: str, default: object = None) -> Any:
    """The help of an option; `default` is what holds when the option is left out."""
    return arg(help=text, help_behavior_hint="" if default is None else f"(default: {default})")


@dataclass(frozen=True, kw_only=True)
class AgentOptions:
    """What the agent is made of. The defaults are the paper's text; --published gives the published runs."""

    levels: Annotated[Whole, whole_number("K"), about("Number of levels; 1 is a flat agent.", 2)] = None
    horizons: Annotated[
        tuple[int, ...] | None,
        whole_numbers("H"),
        about("Budget of every level, or one per level, bottom first.", 3),
    ] = None
    one_step: Annotated[bool, about("One-step backups, HierQ (this is the default backup).")] = False
    tree_backup: Annotated[Whole, whole_number("N"), about("Tree-Backup over N hops, HierTB(N).")] = None
    traces: Annotated[Number, number("LAMBDA"), about("Traces that decay by LAMBDA, HierQ(LAMBDA).")] = None
    discount: Annotated[Number, number("GAMMA"), about("Discount, above 0 and at most 1.", 0.95)] = None
    step_size: Annotated[
        Number, number("ALPHA"), about("Step size, above 0 and at most 1; take 0.1 or so where moves go astray.", 1.0)
    ] = None
    explore_train: Annotated[
        Number, number("EPSILON"), about("Share of random moves in training, at level 0.", 0.25)
    ] = None
    explore_eval: Annotated[
        Number, number("EPSILON"), about("Share of random moves in evaluation, at level 0.", 0.05)
    ] = None
    behaviour: Annotated[
        Word,
        one_of("hierarchy", "flat"),
        about("Who acts in training: all levels, or level 0 alone.", "hierarchy"),
    ] = None
    subgoals: Annotated[
        Word, one_of("nearby", "anywhere"), about("Sub-goals within reach of a level, or anywhere.", "nearby")
    ] = None
    subgoal_cells: Annotated[
        Word,
        one_of("free", "grid"),
        about("Sub-goals are free cells, or all of the grid, walls too.", "free"),
    ] = None
    goal_preference: Annotated[
        Word,
        one_of("reachable", "published", "none"),
        about("A goal within reach is asked for at once; the published program's slip; or neither.", "reachable"),
    ] = None
    pseudo_reward: Annotated[
        Word,
        one_of("binary", "penalty"),
        about("1 at the goal; or -1 a step and 0 there (then take --initial-value pessimistic).", "binary"),
    ] = None
    initial_value: Annotated[
        Word, a_word("{X,pessimistic}"), about("What the tables start with: a number, or 'pessimistic'.", 0.0)
    ] = None
    universal_top: Annotated[bool, about("The top level learns about every goal, too.")] = False
    target: Annotated[
        Word,
        a_word("{greedy,epsilon:X,softmax:X}"),
        about("The policy that is learnt about, as 'epsilon:0.1' or 'softmax:0.1'.", "greedy"),
    ] = None
    evaluation: Annotated[
        Word, one_of("text", "published"), about("When goals are drawn anew in evaluation.", "text")
    ] = None
    step_limit: Annotated[Whole, whole_number("STEPS"), about("An episode is given up after this.", 100_000)] = None
    credit_span: Annotated[
        Word,
        one_of("full", "single"),
        about("Above level 0 a hop of a backup spans what an action may, or a single step.", "full"),
    ] = None
    tables: Annotated[
        Word,
        one_of("auto", "dense", "local"),
        about("A value for every pair of state and goal, or for goals nearby only; auto: dense up to 4 GB.", "auto"),
    ] = None
    radius: Annotated[
        Whole,
        whole_number("DISTANCE"),
        about("How far local tables know goals.", "three times what a level may be asked for"),
    ] = None
    nearness: Annotated[
        Word,
        one_of("auto", "L1", "steps", "learnt"),
        about("Near is told by coordinates, by steps, or as learnt; auto: L1 on maps without teleports.", "auto"),
    ] = None
    published: Annotated[
        bool,
        about(
            "Settings of the published runs: --subgoal-cells grid --goal-preference published "
            "--evaluation published. Options given beside it win."
        ),
    ] = False

    def config(self) -> "AgentConfig":
        """The configuration these options stand for.

        Raises:
            InputError: Options contradict each other, or a value is outside its range.
        """
        from hierq.agents import AgentConfig

        own = ("one_step", "tree_backup", "traces", "published", "universal_top")
        settings: dict[str, Any] = {
            field.name: value
            for field in dataclasses.fields(self)
            if field.name not in own and (value := getattr(self, field.name)) is not None
        }
        settings["backup"] = self._backup()
        if self.universal_top:
            settings["universal_top"] = True
        if self.horizons is not None and len(self.horizons) == 1:
            settings["horizons"] = self.horizons[0]
        if self.initial_value is not None:
            settings["initial_value"] = read_initial_value(self.initial_value)
        if self.target is not None:
            settings["target"] = read_target(self.target)
        return AgentConfig.published(**settings) if self.published else AgentConfig(**settings)

    def _backup(self) -> "OneStep | TreeBackup | Traces":
        from hierq.agents import OneStep, Traces, TreeBackup

        given = [
            option
            for option, is_given in (
                ("--one-step", self.one_step),
                ("--tree-backup", self.tree_backup is not None),
                ("--traces", self.traces is not None),
            )
            if is_given
        ]
        if len(given) > 1:
            raise InputError(f"{' and '.join(given)} exclude each other; an agent has one kind of backup")
        if self.tree_backup is not None:
            return TreeBackup(self.tree_backup)
        return OneStep() if self.traces is None else Traces(self.traces)


def read_initial_value(word: str) -> Any:
    """A number, or "pessimistic"."""
    if word == "pessimistic":
        return word
    try:
        return float(word)
    except ValueError:
        raise InputError(f"--initial-value is a number or the word pessimistic, not {word!r}") from None


def read_target(word: str) -> "str | EpsilonSoft | Softmax":
    """A target policy: "greedy", "epsilon:0.1" or "softmax:0.1"."""
    from hierq.agents import EpsilonSoft, Softmax

    if word == "greedy":
        return word
    kind, _, strength = word.partition(":")
    policies: dict[str, type[EpsilonSoft | Softmax]] = {"epsilon": EpsilonSoft, "softmax": Softmax}
    if kind not in policies:
        raise InputError(f"--target is greedy, epsilon:X or softmax:X with a number X, not {word!r}")
    try:
        amount = float(strength)
    except ValueError:
        raise InputError(f"--target {kind}:X needs a number X, as in {kind}:0.1, not {word!r}") from None
    return policies[kind](amount)
