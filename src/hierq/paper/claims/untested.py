"""Claims of the paper that no test here stands for, and why not."""

from typing import NamedTuple


class Untested(NamedTuple):
    """A claim that was not put to a test."""

    claim: str
    source: str  # where the paper makes it
    reason: str


UNTESTED: tuple[Untested, ...] = (
    Untested(
        "The gain comes from reward assignment alone.",
        "Abstract; Section 1",
        "The paper’s studies cannot tell credit from control; our own claim on “stitching” is as near as we come.",
    ),
    Untested(
        "Trained flat, a hierarchy improves slower on the large gridworld and faster on the small maze.",
        "Section 5, Experiment Results; Figure 5",
        "Seen in two panels; the curves are compared with ours point by point, the difference was not tested.",
    ),
    Untested(
        "Flat agents with λ = 1 spend the least time in the first episode.",
        "Section 5, Experiment Results; Table 3",
        "A flat agent walks at random until its first reward, so λ can make no difference; the mean is known exactly.",
    ),
    Untested(
        "First episodes are roughly exponential, better a Gamma distribution.",
        "Tables 1 and 3, captions",
        "Their means are compared, their distributions were not published.",
    ),
    Untested(
        "After 50 iterations most agents had converged; every agent saw a reward in its first episode.",
        "Section 5, Experimental Setup",
        "No threshold for “converged” is given, and whether first episodes were given up was not looked at.",
    ),
    Untested(
        "Exploration by ε gets less reliable the coarser the time scale of a level.",
        "Sections 5 and 6",
        "No study of the paper varies ε.",
    ),
    Untested(
        "SARSA did worse than Q-learning; hierarchy makes updates possible that are not conservative.",
        "Section 6",
        "Anecdotal and a conjecture, as the paper says; it has no numbers on either.",
    ),
    Untested(
        "Penalties act like counting visits.",
        "Appendix D.3",
        "Only the steps with penalties are compared (Figure 8), not where agents go.",
    ),
    Untested(
        "The backup takes O(n) time; memory grows as H |S|² |A|; it carries over to function approximation.",
        "Section 6; Appendix A.1",
        "The first two follow from the algorithm, not from runs; all runs are of tables.",
    ),
)
