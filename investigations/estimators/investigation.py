"""What does hierarchy add once credit travels freely along the trace?"""

import hierq

from .claims import CLAIMS
from .figures import FIGURES
from .plan import parts

investigation = hierq.Investigation(
    title="What hierarchy adds when credit travels freely",
    question="What do more levels add once credit travels freely along the trace? A family of return estimators: what "
    "passes through a hop, which hops there are, and when.",
    studies=parts(),
    claims=CLAIMS,
    figures=FIGURES,
)
