"""Explorers, as an investigation."""

from collections.abc import Sequence

from hierq.agents.explorers import EXPLORERS
from hierq.investigations.cells import csv_tables
from hierq.investigations.claims import Finding
from hierq.investigations.exploration.claims import CLAIMS
from hierq.investigations.exploration.figures import figures
from hierq.investigations.exploration.plan import EPISODES, study
from hierq.investigations.exploration.tables import STUDY, measured
from hierq.investigations.investigation import Investigation
from hierq.investigations.results import Results
from hierq.investigations.words import answered

METHODS = (
    (
        "Agents",
        "An agent of k levels has a table per level. Level 0 chooses moves; a level above chooses a state that is near "
        "as the goal of the level below, and learns in hindsight. γ = 0.95, step size 1, "
        "ε = 0.25 in training, none in evaluation; the rules of the paper’s text. Near is what lies within 3, 9 or 27 "
        "cells by coordinates (L1), within so many steps on the map, or what was reached within so many steps before "
        "(learnt).",
    ),
    (
        "Explorers",
        "A level knows nothing of its goal where its value is still the one it began with. Only there counts matter: "
        "“pass” hands the goal down, and level 0 makes an untried move, else one to where it has been least; “seek” "
        "asks for the near cell that was seen and asked for least; “optimism” passes goals on as well, and level 0 "
        "takes the move with the largest E(s, a), where E(s, a) ← −1 + max E(s′, ·) after each move. "
        "εz-greedy repeats random moves n times, P(n) ∝ 1 / n², n at most 10,000. Where something is known those that "
        "count are ε-greedy, and in evaluation all choose the best.",
    ),
    (
        "What is measured",
        f"{EPISODES} training episodes, each followed by an evaluation without exploration; an episode is given up at "
        "100,000 steps. Mean steps of the first training episode and of the first twenty together; training steps "
        "until half of the runs had an evaluation within 10 % of the optimum, runs that ended earlier being censored "
        "there (Kaplan and Meier); and the share of runs that had one. explorers.csv has all of it, steps as "
        "logarithms, with intervals. Means over worlds and settings are geometric.",
    ),
    (
        "What it is compared with",
        "The random walk’s expectation is exact, from one linear system. The search that remembers everything goes "
        "on the shortest known way to the nearest move that was never tried; its mean is over 200 simulations, and "
        "no lower bound: to go where one has been least can be quicker.",
    ),
    (
        "What was settled when",
        "The explorers and the claims come from trial runs before this study was planned, and so do the thresholds (a "
        "random walk, 1.75 times the search). How to count runs that never come near the optimum "
        "was settled after a first run had shown that some do not.",
    ),
)


SENTENCES = {
    "shorter-than-a-walk": "Do counts make first episodes shorter than a random walk’s, in every world and at every k? "
    "{verdict}: in the geometric mean they take {ratio} of its steps.",
    "levels-find-sooner-without-a-map": "Does a hierarchy without a map find the goal sooner than a flat agent that "
    "counts the same? {verdict}. It takes {steps} the flat one ({ends}).",
    "levels-find-sooner-with-a-map": "And if it knows what is near by steps, and seeks? {verdict}. {first}",
    "levels-learn-sooner": "Is a hierarchy nearly optimal sooner than a flat agent that counts the same? {verdict}. "
    "{first}",
    "reach-can-be-learnt": "Can what is in reach be learnt, without a map? {verdict}. {detail}",
    "repeating-helps": "Does it help to repeat random moves? {verdict}. {detail}",
}


SCOPE = (
    "That is about tables, in six worlds of up to 20 × 20 cells without chance, with one goal. Explorers and "
    "thresholds were chosen by trial runs before this study."
)
TERMS = (
    ("k", "the number of levels of an agent; flat agents have one"),
    ("level", "a table of values: the lowest chooses moves, one above chooses a state as the goal of the one below"),
    ("flat agent", "an agent of one level: Q-learning and its relatives"),
    ("first episode", "the first training episode, in which nothing is known until the goal is met"),
    ("counts", "how often each state was entered and asked for, and where each move last led"),
    ("pass, seek, optimism", "three ways to explore by counts; εz-greedy repeats random moves and counts nothing"),
    ("three-hop Tree-Backup, traces", "two ways to learn after every step; traces have λ = 0.8"),
    ("near", "what a level may ask for: by coordinates (L1), by steps on the map, or as learnt, without a map"),
    ("backward", "to learn only when an episode is over, going through it once from its end"),
)


def in_words(_: Results, findings: Sequence[Finding]) -> list[str]:
    """The findings in sentences; claims that were not judged are left out."""
    sentences = answered(findings, SENTENCES)
    return [*sentences[:1], SCOPE, *sentences[1:]] if sentences else []


investigation = Investigation(
    name="exploration",
    title="Who finds the goal first",
    question="How soon is a goal found for the first time, and what do levels add to that? "
    f"{len(EXPLORERS)} explorers, with what is near by coordinates, by steps and as learnt.",
    studies={STUDY: study()},
    claims=CLAIMS,
    figures=tuple(figures()),
    findings=in_words,
    terms=TERMS,
    methods=METHODS,
    tables=lambda results: csv_tables(results, measured, [STUDY]),
)
