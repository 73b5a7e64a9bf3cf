"""What do levels gain in generated worlds, by how far credit travels along the trace?"""

import hierq

from .claims import CLAIMS
from .figures import FIGURES, gains_table
from .plan import parts

investigation = hierq.Investigation(
    title="What levels gain in fifty generated worlds",
    question="How many steps do two and three levels save over one in mazes, caves and rooms that were drawn at "
    "random, and how does that depend on how far credit travels back along an episode?",
    studies=parts(),
    claims=CLAIMS,
    figures=FIGURES,
    tables=gains_table,
)
