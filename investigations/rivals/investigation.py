"""Is hierarchical credit assignment better than the obvious alternatives?"""

import hierq

from .claims import CLAIMS
from .figures import FIGURES, at_a_glance, values
from .plan import METHODS, parts

investigation = hierq.Investigation(
    title="Which methods assign credit fastest",
    question=f"Is hierarchical credit assignment better than the obvious alternatives? {len(METHODS)} methods on the "
    "same worlds and from the same episodes, from one-step Q-learning to an oracle that knows all that was seen.",
    studies=parts(),
    claims=CLAIMS,
    figures=FIGURES,
    tables=at_a_glance,
    values=values,
)
