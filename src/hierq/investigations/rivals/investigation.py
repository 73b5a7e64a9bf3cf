"""Rivals, as an investigation."""

import math
from collections.abc import Sequence
from typing import Any

from hierq.investigations import cells
from hierq.investigations.claims import Finding
from hierq.investigations.investigation import CITE, FIGURES, GLANCE, SUMMARY, AtAGlance, Investigation, Page
from hierq.investigations.investigation import CLAIMS as CLAIMS_SECTION
from hierq.investigations.investigation import METHODS as METHODS_SECTION
from hierq.investigations.results import Results
from hierq.investigations.rivals.claims import CLAIMS
from hierq.investigations.rivals.figures import figures
from hierq.investigations.rivals.plan import BACKWARD, EPISODES, EPISODES_ACTING, LIMIT, ROW_OF, ROWS, STEP_LIMIT, parts
from hierq.investigations.rivals.tables import (
    ENDS,
    FIRST_KNOWN,
    KNOWN,
    KNOWN_AT,
    LAST_KNOWN,
    LOSS,
    STRETCH,
    TIME,
    UPDATES,
    digest_of_traces,
    glance,
    measured,
    numbers,
)
from hierq.investigations.words import ANSWERS, listed, signed
from hierq.studies.reaching import MARKS, TIMES_THE_SHORTEST, SharedTraces

METHODS = (
    (
        "Rows",
        f"{len(ROWS)} ways to assign credit. All but the hierarchies are flat; all know all goals. γ = 0.95, step "
        "size 1, ε = 0.25 in training and 0.05 in evaluation, horizons of 3, as in the paper; n = 3 and λ = 0.8 "
        "for all who have them, and budgets of 1, 10 and 100 updates per step for all who have those. Nothing is "
        "tuned for one row. DG-learning has penalties and γ = 1, and takes what was never tried to be far "
        "away, as all others do.",
    ),
    (
        "Budgets",
        "The same number of updates is not the same work. Dyna-Q writes the row of its own step and N from memory; "
        "prioritised sweeping writes at most N in all; a row holds all goals. Hindsight replay writes N from memory, "
        "for up to five goals each. They learn while they act, and nothing more when an episode is over; backward "
        "replay and Transitive RL learn when it is over. Rows and time per step tell what each spends.",
    ),
    (
        "The same episodes",
        f"A flat agent that replays episodes backward acts for {EPISODES} episodes, given up at {STEP_LIMIT:,} "
        "steps. All rows learn from these episodes, step by step or when they are over, each as it does. The "
        "digest in the findings is over the episodes of all worlds and seeds. That the recorder is a row of the table "
        "gives that row no advantage here: nobody chooses a step. What each chooses for itself is measured apart.",
    ),
    (
        "What is measured",
        f"After each episode, and had everything ended after {listed([f'{mark:,}' for mark in MARKS])} steps, "
        f"{SharedTraces().pairs} pairs of a state and a goal are drawn between which the graph of all steps so far "
        "has a way, all such pairs equally likely: shares are estimates from these. "
        "A walk is greedy and without noise, ties are broken at random, and it arrives if it takes at "
        f"most {TIMES_THE_SHORTEST} times the steps of the shortest way. A way is known if the walk arrives and "
        "every choice on it had a value that was learnt; who knows nothing may still arrive, by luck, which is "
        "counted apart. Values do not count for themselves: Peng’s traces can promise more than the limit. Rows of "
        "tables that were written or compared are counted, and the processor’s time of learning. Bytes "
        "are those of the tables and of what is remembered beside them; the episode itself, 16 bytes a step, "
        "which all agents here keep, is not counted.",
    ),
    (
        "Acting",
        f"Each row acts for itself for {EPISODES_ACTING} episodes on the paper’s worlds, each followed by an "
        "evaluation: ε-greedily, and again with the explorer that counts visits (“pass”). It has a say where a value "
        "is still the one that all began with. Those of DG-learning fall with every step that leads nowhere known, so "
        "that there it has next to none.",
    ),
    (
        "Claims",
        "They were settled before a first run. Seeing its results, a review changed these before this run: a "
        "difference counts as none only within 0.01; claims about budgets must hold in every world, not in the mean; "
        "the correlation has an interval over rows, too; and that Transitive RL takes many times the work is told by "
        "the table, not claimed.",
    ),
    (
        "Other worlds",
        "A corridor of 60 steps; Gymnasium’s FrozenLake of 8 × 8 cells and Taxi; a layout of MiniGrid’s FourRooms with "
        "a walker that turns and goes; two tasks after bsuite: a first move that chooses between chains of 1 to 100 "
        "steps, and one that decides, 40 steps later, between the goal and a hole. The table and its ranks are means "
        "over the paper’s six worlds; claims about the same episodes are judged in all twelve.",
    ),
    (
        "Chance",
        "In worlds with chance only rows whose backups have a step size can learn; it is 0.1 for all of them, and "
        "exploration is the paper’s. Rivals take the best of what they have seen, and are refused there: limit, "
        "Transitive RL, Floyd-Warshall RL, Dyna-Q, prioritised sweeping, hindsight replay and option-aware TD.",
    ),
    (
        "A large maze",
        "`hierq investigate rivals --study large --seeds 10`: 101 × 101 cells, 5,255 of them free, three episodes. "
        "Three levels that know all goals would need 19 GB there, traces 1.1 GB for each of three agents, and "
        "Transitive RL or 100 updates per step hours: these rows were not run.",
    ),
)

MOST = 1e9  # sorted to the end
COLUMNS = (
    "rank",
    "ways known",
    "1 episode",
    "10 episodes",
    "1,000 steps",
    "stretch",
    "rank by steps",
    "steps / optimum",
    "µs a step",
    "rows a step",
    "MB",
)
CAPTION = "All rows, from the same episodes; means over the paper’s six worlds"
NOTE = (
    "Ranks: by the share of ways that are known, mean over ten episodes, and by evaluation steps to the world’s "
    "own goal. "
    "Their 95 % intervals are over seeds, of these six worlds; "
    "rows whose intervals overlap are not surely in this order. "
    "Then the share known after one episode, after ten, and after 1,000 steps (or all, where ten episodes have fewer). "
    "Stretch is how long known ways are over the shortest, after ten episodes; – for who knows hardly any. "
    "Costs are of learning: processor’s time, rows of tables that are written or compared, bytes of tables and memory. "
    "Option-aware TD counts options of three steps, not steps; in its paper they choose sub-goals, here moves. "
    "A click on a heading sorts; intervals of all "
    "numbers are in at-a-glance.csv."
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
    "transitive-is-backward": "Does Transitive RL know no more than backward replay? {verdict}: backward replay less "
    "Transitive RL is {mean} of all ways.",
    "control-repeats-credit": "Does who assigns credit better also act better? {verdict}. {detail}",
    "counting-shortens-training": "Does an explorer that counts help all of them? {verdict}. {detail}",
    "backward-helps-with-chance": "Where moves go astray, does backward replay still help? {verdict}. {detail}",
    "levels-help-with-chance": "And levels? {verdict}. {detail}",
    "the-same-in-a-large-maze": "Is it the same in a maze of 101 × 101 cells? {verdict}. {detail}",
}


DIFFERENCES = frozenset(SENTENCES) - {"sweeping-knows-nearly-all"}  # that one is a share


def answer(results: Results) -> str:
    """The question of the page, answered from the table: the best hierarchy, and who knows more."""
    rows = glance(measured(results, "traces")).to_dicts()

    def told(row: dict[str, Any]) -> str:
        return f"{row['row']} ({row[KNOWN]:.2f} of all ways, {row[TIME]:.1f} µs a step, {row['megabytes']:.1f} MB)"

    def is_flat(row: dict[str, Any]) -> bool:
        return ROW_OF[row["row"]].config.levels == 1

    best = next(row for row in rows if not is_flat(row))  # the one that knows most comes first
    limit = next(row for row in rows if row["row"] == LIMIT)
    flat = [row for row in rows if is_flat(row) and row is not limit]
    more = [row for row in flat if row[KNOWN] > best[KNOWN]]
    backward = next(row for row in rows if row["row"] == BACKWARD)
    by_steps = "more" if best[LOSS] > backward[LOSS] else "fewer"
    return (
        "Is hierarchical credit assignment better than the obvious alternatives? "
        f"{'Not overall' if more else 'Yes'}. From the same episodes, on the paper’s worlds, the best of the "
        f"hierarchies, all with three levels, is {told(best)}. Of {len(flat)} flat ways {len(more)} know more"
        f"{': ' + listed([told(row) for row in more]) if more else ''}. "
        f"The limit of what can be known costs {limit[TIME]:.1f} µs a step and {limit['megabytes']:.1f} MB. "
        f"Beside {told(backward)}, the best hierarchy needs {by_steps} evaluation steps: {math.exp(best[LOSS]):.2f} "
        f"times the optimum against {math.exp(backward[LOSS]):.2f}. "
        "Below, means are over all twelve worlds without chance."
    )


def in_words(results: Results, findings: Sequence[Finding]) -> list[str]:
    """The findings in sentences; claims that were not judged are left out."""
    judged = {each.claim: each for each in findings if each.verdict in ANSWERS}
    said = []
    for claim, sentence in SENTENCES.items():
        if (found := judged.get(claim)) is not None:
            say = signed if claim in DIFFERENCES else "{:.2f}".format
            ends = [say(end) for end in (found.effect, found.low, found.high) if end is not None]
            mean = f"{ends[0]} ({ends[1]} to {ends[2]})" if ends else ""
            said.append(sentence.format(verdict=ANSWERS[found.verdict], mean=mean, detail=found.detail))
    if "nobody-beats-the-limit" not in judged:  # as for all claims about the same episodes
        return said
    return [answer(results), *said, f"Digest of the episodes that all learnt from: {digest_of_traces(results)}."]


def csv_tables(results: Results) -> dict[str, str]:
    """A table for each study that was run; and all rows at a glance."""
    tables = cells.csv_tables(results, measured, [part.name for part in investigation.parts])
    if "traces.csv" in tables:
        tables["at-a-glance.csv"] = glance(measured(results, "traces")).write_csv(float_precision=4)
    return tables


def rows_at_a_glance(results: Results) -> list[dict[str, Any]]:
    """What `glance` has of each row; nothing if the rows were not run."""
    return glance(numbers(results, "traces")).to_dicts() if results.runs("traces") is not None else []


def told(results: Results) -> str:
    """All rows at a glance, for the terminal."""
    lines = [f"{'':<31}{'known':>7}{'rank':>14}{'steps/opt':>11}{'µs/step':>9}{'MB':>8}"]
    for row in rows_at_a_glance(results):
        rank, known, loss, spent = _rank(row, KNOWN)[0], row[KNOWN], math.exp(row[LOSS]), row[TIME]
        lines.append(f"{row['row']:<31}{known:>7.3f}{rank:>14}{loss:>11.2f}{spent:>9.2f}{row['megabytes']:>8.1f}")
    return "\n".join(lines) if len(lines) > 1 else ""


def at_a_glance(results: Results, content: dict[str, Any]) -> dict[str, Any]:
    """The table of the page; none if the rows were not run."""
    rows = [_line(row) for row in rows_at_a_glance(results)]
    return {"glance": AtAGlance(CAPTION, NOTE, ("row", *COLUMNS), rows) if rows else None}


def _rank(row: dict[str, Any], name: str) -> tuple[str, float]:
    """A rank with its interval as text, and by what it sorts."""
    place, low, high = (row[f"rank by {name}{end}"] for end in ENDS)
    return f"{place:.0f} ({low:.0f}–{high:.0f})", place


def _line(row: dict[str, Any]) -> tuple[str, list[tuple[str, float]]]:
    """A line of the table."""
    loss = math.exp(row[LOSS])
    cells = (
        _rank(row, KNOWN),
        (f"{row[KNOWN]:.3f}", row[KNOWN]),
        (f"{row[FIRST_KNOWN]:.2f}", row[FIRST_KNOWN]),
        (f"{row[LAST_KNOWN]:.2f}", row[LAST_KNOWN]),
        (f"{row[KNOWN_AT[1_000]]:.2f}", row[KNOWN_AT[1_000]]),
        ("–", MOST) if row[STRETCH] is None else (f"{row[STRETCH]:.2f}", row[STRETCH]),
        _rank(row, LOSS),
        (f"{loss:.2f}", loss),
        (f"{row[TIME]:.2f}", row[TIME]),
        (f"{row[UPDATES]:,.1f}", row[UPDATES]),
        (f"{row['megabytes']:.1f}", row["megabytes"]),
    )
    return row["row"], list(cells)


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
    page=Page(sections=(SUMMARY, GLANCE, FIGURES, CLAIMS_SECTION, METHODS_SECTION, CITE), content=at_a_glance),
)
