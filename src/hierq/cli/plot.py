"""`hierq plot`: a figure of the results of any study."""

from typing import Annotated

from hierq.cli.arguments import Option, choice, flag
from hierq.cli.options import Overwrite, Results, Where
from hierq.figures.formats import as_bytes, checked_format
from hierq.files import write_whole

KINDS = ("curves", "marginals", "distributions", "differences")


def plot(
    folder: Results,
    *,
    kind: Annotated[str, choice(KINDS, "What to draw.")] = "curves",
    by: Annotated[
        str | None, Option("SETTING", "The setting whose values are compared, or agent.", usual="what differs")
    ] = None,
    where: Where = (),
    pool: Annotated[bool, flag("Allow a mean over several backups.")] = False,
    training: Annotated[bool, flag("Draw training episodes in place of evaluation episodes.")] = False,
    out: Annotated[str | None, Option("FILE", "The file to draw to: .png, .pdf or .svg.", usual="FOLDER.png")] = None,
    overwrite: Overwrite = False,
) -> int:
    """Draw the results of a study.

    curves are steps over the iterations with 95 % bands; marginals what a setting does on
    average over the others; distributions how much runs differ; differences how many times the
    steps of the first value the others take, over pairs of runs with the same seed. Where episodes
    missed the goal, the share that reached it is drawn below.

        hierq plot results/
        hierq plot results/ --where backup=peng --kind marginals --by n
        hierq plot results/ --kind differences --by levels --out levels.svg
    """
    from hierq.cli.conditions import chosen
    from hierq.figures.study import study_figure
    from hierq.studies.store import Store, load_results
    from hierq.worlds import World
    from hierq.worlds.chances import best_episodes

    target = out or f"{folder.rstrip('/')}.png"
    file_format = checked_format(target, overwrite)
    frame = chosen(load_results(folder), where)
    worlds = [world for world in Store(folder).study().worlds if isinstance(world, World)]
    best = {world.name: found.steps for world in worlds if (found := best_episodes(world)) is not None}
    episodes = "training" if training else "evaluation"
    figure = study_figure(frame, kind, by, episodes=episodes, optimum=best, pool=pool)
    write_whole(target, as_bytes(figure, file_format))
    print(f"drawn to {target}")
    return 0
