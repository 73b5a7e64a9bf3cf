"""Rivals, as an investigation."""

import math
from collections.abc import Sequence

from hierq.errors import InputError
from hierq.investigations.cells import csv_of
from hierq.investigations.claims import Finding, Untestable
from hierq.investigations.investigation import Investigation
from hierq.investigations.results import Results
from hierq.investigations.rivals.claims import CLAIMS
from hierq.investigations.rivals.figures import figures
from hierq.investigations.rivals.plan import EPISODES, EPISODES_ACTING, ROWS, STEP_LIMIT, parts
from hierq.investigations.rivals.tables import KNOWN, LOSS, TIME, digest_of_traces, glance, measured, numbers
from hierq.investigations.words import ANSWERS, signed
from hierq.studies.reaching import TIMES_THE_SHORTEST, SharedTraces

METHODS = (
    (
        "Rows",
        f"{len(ROWS)} ways to assign credit. All but the hierarchies are flat; all know all goals. γ = 0.95, step "
        "size 1, ε = 0.25 in training and 0.05 in evaluation, horizons of 3, as in the paper; n = 3 and λ = 0.8 "
        "for all who have them, and budgets of 1, 10 and 100 updates per step for all who have those. Nothing is "
        "tuned for one row. DG-learning starts at 0, the best there is with penalties, so it takes what it does not "
        "know to be near.",
    ),
    (
        "The same episodes",
        f"A flat agent that replays episodes backward acts for {EPISODES} episodes, given up at {STEP_LIMIT:,} "
        "steps. All rows learn from these episodes, step by step or when they are over, each as it does. The "
        "digest in the findings is over the episodes of all worlds and seeds.",
    ),
    (
        "What is measured",
        f"After each episode {SharedTraces().pairs} pairs of a state and a goal are drawn between which the graph "
        "of all steps so far has a way. A walk is greedy and without noise, ties are broken at random, and it "
        f"arrives if it takes at most {TIMES_THE_SHORTEST} times the steps of the shortest way. A way is known if "
        "the walk arrives and every choice on it had a value that was learnt; who knows nothing may still arrive, "
        "by luck, which is counted apart. Rows of tables that were written or compared are counted, and the "
        "processor’s time of learning. Bytes are those of the tables and of what is remembered beside them.",
    ),
    (
        "Acting",
        f"Each row acts for itself for {EPISODES_ACTING} episodes, each followed by an evaluation: ε-greedily, and "
        "some with the explorer that counts.",
    ),
)

# {mean} is the effect, a share of all ways that were seen, with its interval; means are over worlds.
SENTENCES = {
    "nobody-beats-the-limit": "Does anybody beat the limit? {detail}",
    "levels-know-more": "Do three levels know more than one, with one-step backups? {verdict}: {mean} of all ways.",
    "backward-beats-the-papers-flat": "Does a flat agent that replays episodes backward know more than the paper’s "
    "flat agents? {verdict}: {mean}. {detail}",
    "levels-add-nothing-to-backward-replay": "And once episodes are replayed backward, do levels add nothing? "
    "{verdict}: one level less three is {mean}.",
    "sweeping-knows-nearly-all": "Does prioritised sweeping with ten updates per step know nearly all after one "
    "episode? {verdict}: {mean} of all ways.",
    "urgency-beats-chance": "Does it matter which steps are replayed? {verdict}. {detail}",
    "all-goals-beat-some": "Does it matter for how many goals? {verdict}. {detail}",
    "transitive-is-backward": "Does Transitive RL know no more than backward replay? {verdict}: backward replay knows "
    "{mean} more.",
    "control-repeats-credit": "Does who assigns credit better also act better? {verdict}. {detail}",
}


def in_words(results: Results, findings: Sequence[Finding]) -> list[str]:
    """What came of it, in sentences; only what was judged is said."""
    judged = {each.claim: each for each in findings if each.verdict in ANSWERS}
    said = []
    for claim, sentence in SENTENCES.items():
        if (found := judged.get(claim)) is not None:
            ends = [signed(end) for end in (found.effect, found.low, found.high) if end is not None]
            mean = f"{ends[0]} ({ends[1]} to {ends[2]})" if ends else ""
            said.append(sentence.format(verdict=ANSWERS[found.verdict], mean=mean, detail=found.detail))
    return [*said, f"Digest of the episodes that all learnt from: {digest_of_traces(results)}."] if said else []


def csv_tables(results: Results) -> dict[str, str]:
    """Every number of every row, with its interval; and all rows at a glance."""
    tables = {}
    for study in ("traces", "acting", "counting", "small", "chance"):
        try:
            tables[f"{study}.csv"] = csv_of(measured(results, study))
        except Untestable:
            continue
    if "traces.csv" in tables:
        tables["at-a-glance.csv"] = glance(measured(results, "traces")).write_csv(float_precision=4)
    return tables


def told(results: Results) -> str:
    """All rows at a glance, for the terminal."""
    try:
        frame = glance(numbers(results, "traces"))
    except InputError:
        return ""
    lines = [f"{'':<31}{'known':>7}{'rank':>14}{'steps/opt':>11}{'µs/step':>9}{'MB':>8}"]
    for row in frame.iter_rows(named=True):
        rank = f"{row[f'rank by {KNOWN}']:.0f} ({row[f'rank by {KNOWN}, low']:.0f}–{row[f'rank by {KNOWN}, high']:.0f})"
        known, loss, spent = row[KNOWN], row[LOSS], row[TIME]
        lines.append(
            f"{row['row']:<31}{known:>7.3f}{rank:>14}{math.exp(loss):>11.2f}{spent:>9.2f}{row['megabytes']:>8.1f}"
        )
    return "\n".join(lines)


investigation = Investigation(
    name="rivals",
    title="Who assigns credit fastest",
    question=f"Is hierarchical credit assignment better than the obvious alternatives? {len(ROWS)} ways to assign "
    "credit on the same worlds and from the same episodes, from one-step Q-learning to the limit of what can be known.",
    studies=parts(),
    claims=CLAIMS,
    figures=tuple(figures()),
    findings=in_words,
    methods=METHODS,
    tables=csv_tables,
    told=told,
)
