"""How to cite the paper and this software. `CITATION.cff` of the repository says the same; a test compares them."""

from dataclasses import dataclass
from importlib import metadata

PAPER_TITLE = "On Credit Assignment in Hierarchical Reinforcement Learning"
PAPER_AUTHORS = (("de Vries", "Joery A."), ("Moerland", "Thomas M."), ("Plaat", "Aske"))
PAPER_COLLECTION = "Conference on Uncertainty in Artificial Intelligence (UAI)"
PAPER_YEAR = 2022
SOFTWARE_TITLE = "hierq: a laboratory for hierarchical credit assignment"
SOFTWARE_AUTHORS = "The hierq authors"


@dataclass(frozen=True)
class Citation:
    """One thing to cite."""

    what: str  # "paper" or "software"
    text: str  # for people
    bibtex: str  # for LaTeX


def citations() -> tuple[Citation, Citation]:
    """The paper first, then the software."""
    return _paper(), _software()


def paper_byline() -> str:
    """Who wrote the paper, and where it appeared."""
    return f"{_people()} · {PAPER_COLLECTION}, {PAPER_YEAR}"


def _people() -> str:
    return ", ".join(f"{given} {family}" for family, given in PAPER_AUTHORS)


def _paper() -> Citation:
    names = " and ".join(f"{family}, {given}" for family, given in PAPER_AUTHORS)
    return Citation(
        "paper",
        f"{_people()} ({PAPER_YEAR}). {PAPER_TITLE}. {PAPER_COLLECTION}.",
        f"@inproceedings{{devries{PAPER_YEAR}credit,\n"
        f"  author    = {{{names}}},\n"
        f"  title     = {{{PAPER_TITLE}}},\n"
        f"  booktitle = {{{PAPER_COLLECTION}}},\n"
        f"  year      = {{{PAPER_YEAR}}},\n}}",
    )


def _software() -> Citation:
    version = metadata.version("hierq")
    return Citation(
        "software",
        f"{SOFTWARE_AUTHORS}. {SOFTWARE_TITLE}. Version {version}.",
        f"@software{{hierq,\n"
        f"  author  = {{{{{SOFTWARE_AUTHORS}}}}},\n"
        f"  title   = {{{SOFTWARE_TITLE}}},\n"
        f"  version = {{{version}}},\n}}",
    )
