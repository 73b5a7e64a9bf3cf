"""`hierq figure`: a figure of the paper, drawn from the results of a reproduction."""

from typing import Annotated

from hierq.cli.arguments import Option
from hierq.cli.options import Overwrite
from hierq.errors import InputError
from hierq.figures.formats import as_bytes, checked_format
from hierq.files import write_whole


def figure(
    name: Annotated[str | None, Option("NAME", "The figure; without a name, all are listed.")] = None,
    *,
    from_: Annotated[str | None, Option("FOLDER", "Results of hierq reproduce; some figures need none.")] = None,
    out: Annotated[str | None, Option("FILE", "The file to draw to: .pdf, .svg or .png.", usual="NAME.pdf")] = None,
    overwrite: Overwrite = False,
) -> int:
    """Draw a figure of the paper, published numbers behind ours.

    Figures of your own studies are drawn by hierq plot.

        hierq figure
        hierq figure worlds --out worlds.pdf
        hierq figure marginal-hierarchy --from reproduction/ --out marginal.svg
    """
    from hierq.investigations.page import draw
    from hierq.paper.investigation import investigation

    if name is None:
        width = max(len(one.name) for one in investigation.named_figures)
        for one in investigation.named_figures:
            study = f"{one.study}, {one.rules} rules" if one.rules else one.study
            print(f"{one.name:<{width}}  {one.title}{f' (from {study})' if study else ''}")
        return 0
    chosen = investigation.figure(name)
    target = out or f"{name}.pdf"
    if chosen.study and from_ is None:
        raise InputError(f"{name} is drawn from results; give their folder with --from")
    file_format = checked_format(target, overwrite)
    results = None if from_ is None else investigation.open(from_)
    write_whole(target, as_bytes(draw(chosen, results), file_format))
    print(f"{chosen.title}\n\ndrawn to {target}")
    return 0
