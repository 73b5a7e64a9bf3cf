"""The reproduction of the paper, as an investigation."""

from hierq.investigations.investigation import Investigation
from hierq.paper.claims import CLAIMS
from hierq.paper.comparison import compare_all, summarise, summary_tables
from hierq.paper.figures import FIGURES
from hierq.paper.page.content import PAGE
from hierq.paper.plan import every_part
from hierq.paper.reproduction import COMMAND, OUT, Reproduction
from hierq.paper.rules import AGGREGATIONS
from hierq.report.citation import PAPER_TITLE


def summary_text(reproduction: Reproduction) -> str:
    """How well each table and figure is reproduced, a line each."""
    lines = [f"{'':<72} {'numbers':>7}  {'median |z|':>10}  {'median difference':>17}  verdict"]
    for row in summarise(compare_all(reproduction)).iter_rows(named=True):
        over = "" if row["iterations"] is None else f", {row['iterations']} iterations"
        size, difference = row["median_abs_z"], row["median_difference"]
        apart = f"{difference:+.0f} steps" if row["source"] == "first-episode" else f"{difference:+.3f}"
        lines.append(
            f"{row['rules'] + ': ' + row['figure'] + over:<72} {row['numbers']:>7}  "
            f"{'?' if size is None else f'{size:.2f}':>10}  {apart:>17}  {row['verdict']}"
        )
    return "\n".join(lines)


investigation = Investigation(
    name="paper",
    title=PAPER_TITLE,
    question=f"{PAPER_TITLE}: every published number, figure and claim, run again and compared.",
    studies=every_part(),
    claims=CLAIMS,
    figures=tuple(FIGURES.values()),
    program=COMMAND,
    out=OUT,
    owner="the paper",
    aggregations=AGGREGATIONS,
    tables=summary_tables,
    told=summary_text,
    opens=Reproduction,
    page=PAGE,
)
