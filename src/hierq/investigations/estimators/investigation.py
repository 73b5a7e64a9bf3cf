"""The estimator family, as an investigation."""

import math
from collections.abc import Sequence

from hierq.investigations import cells
from hierq.investigations.claims import Finding
from hierq.investigations.estimators.claims import CLAIMS
from hierq.investigations.estimators.figures import figures
from hierq.investigations.estimators.plan import (
    BACKWARD,
    DECAY,
    DEPTH,
    EPISODES_FOR_ONE_GOAL,
    EPISODES_WITH_CHANCE,
    GOALS,
    MEMBERS,
    TARGET,
    UNCUT_DECAY,
    parts,
)
from hierq.investigations.estimators.tables import above_optimum, measured, numbers, of_the_paper
from hierq.investigations.investigation import Investigation
from hierq.investigations.results import Results
from hierq.investigations.words import answered

METHODS = (
    (
        "Agents",
        "An agent of k levels has a table per level. Level 0 chooses moves; a level above chooses a state within its "
        "reach of 3, 9 or 27 steps as the goal of the level below, and learns in hindsight: any state that was reached "
        "counts as one that was asked for. One level is Q-learning. γ = 0.95, step size 1 unless stated, ε = 0.25 "
        "in training and 0.05 in evaluation, the rules of the paper’s text.",
    ),
    (
        "What passes",
        "A backup goes back along the trace hop by hop. Where a hop begins, the return y that arrives meets what the "
        "tables say: q, the value of the hop, and v, the value of the state. What passes on is v (one step); y if the "
        "hop was greedy, else v (Tree-Backup), or a mixture with λ (Watkins); (1 − λ) v + λ y (Peng); v + λ (y − q) "
        "(never cut); (1 − λ) q + λ y (SARSA); y (uncorrected); or the larger of v and y (max). "
        f"n = {DEPTH} hops; λ = {DECAY}, for values that are never cut {UNCUT_DECAY}. Eligibility traces do the same "
        "after every step for all steps before it.",
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
        "tables that know what came after it (Lin 1992), and nothing is learnt before. Both write equally many rows.",
    ),
    (
        "What is measured",
        "Steps of 50 evaluations, each after one training episode, as the mean of ln(steps) over evaluations and "
        "seeds; the first evaluation and the first training episode; errors of values towards the goal, level by "
        "level, against exact ones; µs per step.",
    ),
    (
        "Equal writes",
        "A row is the values of one action at one state for all goals. In a step k levels write 1 + u (3 + … + "
        "3^(k−1)) of them, u being the share of moves that are not blocked, as in a random walk. The budget is "
        "what k levels write in one random walk to the goal; what counts is the first evaluation after it is "
        "spent, for the hierarchy and for the flat agent. A flat agent that has not spent it after 50 episodes is "
        "judged by what it can do then. To allow only so many writes a step comes to the same: an agent that may "
        "write one row a step, and needs ten, learns from one episode in ten.",
    ),
    (
        "Other goals",
        f"All levels learn about all goals. After {EPISODES_FOR_ONE_GOAL} training episodes for the world’s own "
        f"goal there is one evaluation towards each of {GOALS} others, spread evenly over the states.",
    ),
    (
        "Targets that are not greedy",
        f"The study “soft” learns about an ε-soft policy, ε = {TARGET.epsilon:g}, π being how likely it is to take "
        "the hop. There Tree-Backup passes v + π (y − q), by its equation; Algorithm 3 of the paper, as it is "
        "printed, passes π y + (1 − π) v. Retrace and Expected SARSA are in soft.csv.",
    ),
    (
        "Chance",
        "Four rooms in which a move goes to either side with probability 0.05 or 0.1 each, and "
        f"{EPISODES_WITH_CHANCE} training episodes that are random walks, so that every state is seen often. Exact "
        "values of level 0 take the probabilities into account. For level 1 the best that skill could do is "
        "known: what it would be worth if level 0 did the best that can be done in three steps. The luckiest path "
        "is what no value can exceed.",
    ),
    (
        "Tables",
        "findings.csv has the claims; family.csv, soft.csv, goals.csv, uncut.csv and chance.csv have every agent "
        "by world, operator, hops, levels and step size, paper.csv the paper’s agents by name. A row is one "
        "measure, its value and its 95 % interval: learning is mean ln(steps) over all evaluations; first "
        "evaluation, first episode and equal writes (of so many levels) are ln(steps); spent is the share of runs "
        "that had written as much; training is ln of all training steps; other goals is mean ln(steps / shortest "
        "path); value error and value bias are root mean square and mean of values minus exact ones, and luck is "
        "their share of the luckiest path’s, with the number of the level. Values beyond ±10⁶ count as that.",
    ),
    (
        "What is open",
        "Not run, to save time: four levels over single, random, executed and mean hops; Watkins over all "
        "paths, SARSA over their means, both over other hops than strides with two or four levels; SARSA, Peng and "
        "uncorrected backward with two or four levels; backward replay over hops other than strides, but for two "
        "cells; operators for soft targets with more than two levels. Not run, because it diverges or takes a "
        "hundred times as long: values and traces that are never cut in a hierarchy, beyond a few episodes. Not "
        "looked at: little memory, worlds larger than an episode, and learning from more than one pass through an "
        "episode.",
    ),
    (
        "What was settled when",
        "The rules of all claims were settled while looking at runs of a few seeds: the verdicts are exploratory, "
        "not preregistered. Four were settled after the numbers of 200 seeds had been seen: the tolerance of "
        "“right”, the comparison with the best that skill could do, equal writes by k, and backward replay at "
        "other goals. The best agent of the paper is chosen by the seeds that it is compared on, which favours "
        "the paper.",
    ),
)


TERMS = (
    ("the paper", "de Vries, Moerland and Plaat (2022), cited below, whose agents have several levels"),
    ("level", "a table of values: the lowest chooses moves, one above chooses a state as the goal of the one below"),
    ("flat agent", "an agent of one level: Q-learning and its relatives"),
    ("trace", "the states that were visited in an episode, one after another; not an eligibility trace"),
    ("hop", "from one state of the trace to a later one; for a level above the lowest it is an action"),
    ("backward replay", "to learn only when an episode is over, going through it once from its end"),
    ("astray", "a move that goes to the side, by chance"),
)
SENTENCES = {
    "hierarchy-backward": "Once credit travels freely along the trace, does hierarchy make learning faster? {verdict}. "
    "With backward replay an agent of two levels or more takes {steps} a flat one ({ends}).",
    "hierarchy-online": "Where credit crawls, with one-step backups after every step, a hierarchy takes {steps} a flat "
    "agent ({ends}).",
    "hierarchy-online-for-its-writes": "Does that hold against a flat agent that may write as many rows? {verdict}. "
    "{first}",
    "backward-beats-the-paper": "Does a flat agent with backward replay beat the best of the paper’s agents in each "
    "world? {verdict}. It takes {steps} that one ({ends}), and writes one row a step where three levels write "
    "up to thirteen.",
    "hierarchy-within-the-first-episode": "Is a hierarchy faster within the first episode, before the goal was ever "
    "seen? {verdict}. With three-hop Tree-Backup it takes {steps} a flat agent until it first arrives ({ends}), mean "
    "over two to four levels and all worlds.",
    "hierarchy-for-other-goals": "Is it better at goals that it was not trained for? {verdict}. After backward replay "
    "it takes {steps} a flat agent towards them ({ends}).",
    "backward-for-other-goals": "But is flat backward replay itself any good at them? {verdict}: it takes {steps} a "
    "flat agent with Tree-Backup after every step ({ends}), which had wandered farther until then.",
    "hierarchy-with-chance": "Is it better where moves go astray? {verdict}. {first}",
    "hierarchy-for-its-writes": "Is it better, with backward replay, than a flat agent that may write as many rows? "
    "{verdict}. It takes {steps} that one ({ends}).",
    "luckiest-path": "Where moves go astray, do levels above the lowest take luck for skill? {verdict}. {first}",
}


def in_words(results: Results, findings: Sequence[Finding]) -> list[str]:
    """What hierarchy adds once credit travels freely, in sentences; claims that were not judged are left out."""
    sentences = answered(findings, SENTENCES)
    return [*sentences[:1], scope(results), *sentences[1:]] if results.runs("family") is not None else sentences


def scope(results: Results) -> str:
    """Where the answer was looked for, and how much there was to gain."""
    found = numbers(results, "family")
    times = above_optimum(found, sorted({cell.world for cell in found}))
    flat = math.exp(times["one step", BACKWARD, 1])
    return (
        "That is about tables, in six worlds of up to 20 × 20 cells without chance, one goal, and up to four levels. A "
        f"flat agent with backward replay is at {flat:.2f} times the shortest path over its 50 evaluations, part of "
        "which is the noise of 5 % random moves, so there was little left to gain. All rules were chosen while "
        "looking: the answers are exploratory."
    )


def csv_tables(results: Results) -> dict[str, str]:
    """A table for each study that was run."""
    own = cells.csv_tables(results, measured, MEMBERS)
    return own | cells.csv_tables(results, lambda results, _: of_the_paper(results), ["paper"])


investigation = Investigation(
    name="estimators",
    title="What hierarchy adds when credit travels freely",
    question="What does hierarchy add once credit travels freely along the trace? A family of return estimators: what "
    "passes through a hop, which hops there are, and when.",
    studies=parts(),
    claims=CLAIMS,
    figures=tuple(figures()),
    findings=in_words,
    terms=TERMS,
    methods=METHODS,
    tables=csv_tables,
)
