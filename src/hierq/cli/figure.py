"""`hierq figure`: a figure of the paper, drawn from the results of a reproduction."""

from typing import Annotated

from hierq.cli.arguments import Option, choice
from hierq.cli.options import Overwrite
from hierq.errors import InputError
from hierq.figures.formats import as_bytes, checked_format
from hierq.files import write_whole
from hierq.paper.rules import RULES


def figure(
    name: Annotated[str | None, Option("NAME", "The figure; without a name, all are listed.")] = None,
    *,
    from_: Annotated[str | None, Option("FOLDER", "Results of hierq reproduce; some figures need none.")] = None,
    rules: Annotated[str, choice(RULES, "The rules of the published program, or what the paper says.")] = "published",
    out: Annotated[str | None, Option("FILE", "The file to draw to: .pdf, .svg or .png.", usual="NAME.pdf")] = None,
    overwrite: Overwrite = False,
) -> int:
    """Draw a figure of the paper, published numbers behind ours.

    Figures of your own studies are drawn by hierq plot.

        hierq figure
        hierq figure worlds --out worlds.pdf
        hierq figure marginal-hierarchy --from reproduction/ --out marginal.svg
        hierq figure marginal-flat --from reproduction/ --rules text
    """
    from hierq.paper.figures import EXAMPLES
    from hierq.paper.investigation import investigation

    if name is None:
        for one in investigation.figures:
            print(one if one in EXAMPLES else f"{one} --from FOLDER")
        return 0
    draw = investigation.figure(name)
    target = out or f"{name}.pdf"
    if name not in EXAMPLES and from_ is None:
        raise InputError(f"{name} is drawn from results; give their folder with --from")
    file_format = checked_format(target, overwrite)
    results = None if from_ is None else investigation.open(from_).under(rules)
    write_whole(target, as_bytes(draw(results), file_format))
    print(f"drawn to {target}")
    return 0
