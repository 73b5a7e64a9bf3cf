"""The estimator family, as an investigation."""

from collections.abc import Sequence
from contextlib import suppress

from hierq.investigations.cells import csv_of
from hierq.investigations.claims import Finding, Untestable
from hierq.investigations.estimators.claims import CLAIMS
from hierq.investigations.estimators.figures import figures
from hierq.investigations.estimators.plan import DECAY, DEPTH, EPISODES_WITH_CHANCE, MEMBERS, parts
from hierq.investigations.estimators.tables import measured
from hierq.investigations.investigation import Investigation
from hierq.investigations.results import Results
from hierq.investigations.words import answered

METHODS = (
    (
        "Agents",
        "An agent of k levels has a table per level. Level 0 chooses moves; a level above chooses a state within its "
        "reach of 3, 9 or 27 steps as the goal of the level below, and learns in hindsight: any state that was reached "
        "counts as one that was asked for. One level is Q-learning. γ = 0.95, step size 1 unless it is said, ε = 0.25 "
        "in training and 0.05 in evaluation, the rules of the paper’s text.",
    ),
    (
        "What passes",
        "A backup goes back along the trace hop by hop. Where a hop begins, the return y that arrives meets what the "
        "tables say: q, the value of the hop, and v, the value of the state. What passes on is v (one step); y if the "
        "hop was greedy, else v (Tree-Backup), or a mixture with λ (Watkins); (1 − λ) v + λ y (Peng); v + λ (y − q) "
        "(never cut); (1 − λ) q + λ y (SARSA); y (uncorrected); or the larger of v and y (max). "
        f"n = {DEPTH} hops, λ = {DECAY}.",
    ),
    (
        "Which hops",
        "Above level 0 a hop may span many steps: strides of the level’s whole reach (the paper), single steps, random "
        "lengths, sub-goals as they were executed, or all paths of hops, of which the best, the mean over hops or the "
        "mean over paths counts.",
    ),
    (
        "When",
        "After every step; or backward: when the episode is over it is gone through once from its end, each step on "
        "tables that know what came after it (Lin 1992). Both write equally many rows.",
    ),
    (
        "What is measured",
        "Steps of 50 evaluations, each after one training episode, as the mean of ln(steps) over evaluations and "
        "seeds; the first evaluation and the first training episode; errors of values towards the goal, level by "
        "level, against exact ones; µs per step. family.csv has all of it.",
    ),
    (
        "Chance",
        f"Four rooms in which a move goes to either side with probability 0.05 or 0.1 each, and {EPISODES_WITH_CHANCE} "
        "training episodes that are random walks, so that every state is seen often. Exact values of level 0 know the "
        "chances; of levels above none are known, and the luckiest path is what no value can exceed.",
    ),
    (
        "What is open",
        "Little memory, worlds larger than an episode, and learning from more than one pass through an episode.",
    ),
    (
        "What was settled when",
        "The rules of all claims were settled while looking at runs of a few seeds: the verdicts are exploratory, not "
        "preregistered. The best agent of the paper is chosen by the seeds that it is compared on, which favours it.",
    ),
)


SENTENCES = {
    "hierarchy-backward": "Once credit travels freely along the trace, does hierarchy make learning faster? {verdict}. "
    "With backward replay an agent of two levels or more takes {steps} a flat one ({ends}).",
    "hierarchy-online": "Where credit crawls, with one-step backups after every step, a hierarchy takes {steps} a flat "
    "agent ({ends}).",
    "backward-beats-the-paper": "Does a flat agent that goes through each episode once more, backward, beat the best "
    "of the paper’s agents in each world? {verdict}. It takes {steps} that one ({ends}), and writes one row a step "
    "where three levels write thirteen.",
    "hierarchy-within-the-first-episode": "Is a hierarchy faster within the first episode, before the goal was ever "
    "seen? {verdict}. Until it first arrives it takes {steps} a flat agent ({ends}).",
    "hierarchy-for-other-goals": "Is it better at goals that it was not trained for? {verdict}. After backward replay "
    "it takes {steps} a flat agent towards them ({ends}).",
    "hierarchy-with-chance": "Is it better where moves go astray? {verdict}. After backward replay of random walks it "
    "takes {steps} a flat agent ({ends}).",
    "hierarchy-for-its-writes": "Is it better when updates are limited? {verdict}. When equally many rows were written "
    "it takes {steps} a flat agent ({ends}).",
    "luckiest-path": "Where moves go astray, do levels above the lowest take luck for skill? {verdict}. Their values "
    "come to {effect} of what the luckiest path is worth, whatever the step size.",
}


def in_words(_: Results, findings: Sequence[Finding]) -> list[str]:
    """What hierarchy adds once credit travels freely, in sentences; only what was judged is said."""
    return answered(findings, SENTENCES)


def csv_tables(results: Results) -> dict[str, str]:
    """Every number of every agent, with its interval: a table for each study that was run."""
    tables: dict[str, str] = {}
    for study in MEMBERS:
        with suppress(Untestable):
            tables[f"{study}.csv"] = csv_of(measured(results, study))
    return tables


investigation = Investigation(
    name="estimators",
    title="What hierarchy adds when credit travels freely",
    question="What does hierarchy add once credit travels freely along the trace? A family of return estimators: what "
    "passes through a hop, which hops there are, and when.",
    studies=parts(),
    claims=CLAIMS,
    figures=tuple(figures()),
    findings=in_words,
    methods=METHODS,
    tables=csv_tables,
)
