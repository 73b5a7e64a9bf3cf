"""Does Hierarchical Tree-Backup carry over to function approximation?"""

import hierq

from .claims import CLAIMS
from .figures import FIGURES
from .plan import STUDIES

investigation = hierq.Investigation(
    title="Does Hierarchical Tree-Backup carry over?",
    question="The paper says that its Tree-Backup “should be readily applicable … even if (non-linear) function "
    "approximation is used”. Levels on tiles try it in continuous worlds.",
    studies=STUDIES,
    claims=CLAIMS,
    figures=FIGURES,
)
