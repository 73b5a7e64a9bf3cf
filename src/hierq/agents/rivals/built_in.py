"""The functions of the rivals that come with hierq; `rule.py` declares them."""

from hierq.agents.rivals.dyna import dyna
from hierq.agents.rivals.floyd_warshall import floyd_warshall
from hierq.agents.rivals.hindsight import hindsight
from hierq.agents.rivals.option_td import option_td
from hierq.agents.rivals.oracle import oracle
from hierq.agents.rivals.rule import RIVALS
from hierq.agents.rivals.sweeping import sweeping
from hierq.agents.rivals.transitive import transitive

for function in (oracle, transitive, floyd_warshall, dyna, sweeping, hindsight, option_td):
    RIVALS[function.__name__.replace("_", "-")].function = function
