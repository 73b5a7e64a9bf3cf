"""The rivals that come with hierq: a line each; `rule.py` declares them."""

from collections.abc import Callable

from hierq.agents.rivals.dyna import dyna
from hierq.agents.rivals.floyd_warshall import floyd_warshall
from hierq.agents.rivals.hindsight import hindsight
from hierq.agents.rivals.option_td import option_td
from hierq.agents.rivals.oracle import oracle
from hierq.agents.rivals.rule import RIVALS
from hierq.agents.rivals.sweeping import sweeping
from hierq.agents.rivals.transitive import transitive

FUNCTIONS: dict[str, Callable[..., None]] = {
    "oracle": oracle,
    "transitive": transitive,
    "floyd-warshall": floyd_warshall,
    "dyna": dyna,
    "sweeping": sweeping,
    "hindsight": hindsight,
    "option-td": option_td,
}
for name, function in FUNCTIONS.items():
    RIVALS[name].function = function
