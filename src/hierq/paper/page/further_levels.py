"""What every further level changes, setting by setting, as small tables: the claim on near-monotone improvement."""

from hierq.investigations.claims import Untestable
from hierq.investigations.measures import surely_different
from hierq.paper.claims.improvement import further_levels
from hierq.paper.page.agreement import Cell, Glance, backup_name, view_title
from hierq.paper.reproduction import Reproduction
from hierq.paper.rules import AGGREGATIONS, RULES
from hierq.report.wording import Mark, signed
from hierq.worlds import PAPER_WORLDS

SURELY_FEWER = Mark("close", "●", "surely fewer steps")
FEWER = Mark("near", "○", "fewer")
MORE = Mark("off", "▲", "more")
SURELY_MORE = Mark("far", "▲▲", "surely more steps")
CHANGES = (SURELY_FEWER, FEWER, MORE, SURELY_MORE)


def further_levels_of(reproduction: Reproduction) -> dict[str, tuple[Glance, ...]]:
    """The tables by rules and aggregation in words, a table for each world; none where there are too few runs."""
    found = {}
    for rules in RULES:
        try:
            changes = further_levels(reproduction, rules, AGGREGATIONS[rules])
        except Untestable:
            continue
        sure = surely_different(changes.values())
        cells = {
            setting: Cell(signed(change.value), change.value, _mark(change.value, bool(is_sure)))
            for (setting, change), is_sure in zip(changes.items(), sure, strict=True)
        }
        by_world = {world: [s for s in sorted(cells) if s.world == world] for world in PAPER_WORLDS}
        found[view_title(rules, AGGREGATIONS[rules])] = tuple(
            Glance(
                title=world,
                columns=tuple(dict.fromkeys(backup_name(s.backup, s.parameter) for s in settings)),
                rows=tuple(
                    (f"{k}→{k + 1}", tuple(cells[s] for s in settings if s.levels == k))
                    for k in sorted({s.levels for s in settings})
                ),
            )
            for world, settings in by_world.items()
            if settings
        )
    return found


def _mark(change: float, is_sure: bool) -> Mark:
    if change < 0:
        return SURELY_FEWER if is_sure else FEWER
    return SURELY_MORE if is_sure else MORE
