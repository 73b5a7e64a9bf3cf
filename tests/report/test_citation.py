"""The page cites what the repository's CITATION.cff says."""

from pathlib import Path

import yaml

from hierq.report.citation import citations, paper_byline


def test_citations_are_those_of_the_repository():
    said = yaml.safe_load((Path(__file__).parents[2] / "CITATION.cff").read_text(encoding="utf-8"))
    paper, software = citations()
    cited = said["preferred-citation"]
    for text in (paper.text, paper.bibtex):
        assert cited["title"] in text
        assert cited["collection-title"] in text
        assert str(cited["year"]) in text
        assert all(author["family-names"] in text and author["given-names"] in text for author in cited["authors"])
    for text in (software.text, software.bibtex):
        assert said["title"] in text
        assert str(said["version"]) in text
        assert all(author["name"] in text for author in said["authors"])
    assert cited["collection-title"] in paper_byline()
