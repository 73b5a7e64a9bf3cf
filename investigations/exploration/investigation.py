"""How soon is a goal found for the first time, and what do levels add to that?"""

import hierq

from .claims import CLAIMS
from .figures import FIGURES
from .plan import parts

investigation = hierq.Investigation(
    title="How soon a goal is found",
    question="How soon is a goal found for the first time, and what do levels add to that? Five explorers, with what "
    "is near by coordinates, by steps and as learnt.",
    studies=parts(),
    claims=CLAIMS,
    figures=FIGURES,
)
