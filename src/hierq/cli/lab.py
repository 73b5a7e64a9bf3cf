"""`hierq lab`: the laboratory in the browser."""

from functools import partial
from typing import Annotated

from hierq.cli.arguments import Option, flag


def lab(
    *,
    port: Annotated[int | None, Option("PORT", "Where to listen.", int, usual="8642, or the next free one")] = None,
    no_browser: Annotated[bool, flag("Only print the address.")] = False,
    world: Annotated[str | None, Option("WORLD", "Open this world: a name, or the path of a map file.")] = None,
    operator: Annotated[str | None, Option("FILE:NAME", "Offer an operator of your own.")] = None,
    explorer: Annotated[str | None, Option("FILE:NAME", "Offer an explorer of your own.")] = None,
) -> int:
    """Open the laboratory in the browser.

    Paint a maze, train two agents side by side, and watch which table entries each step of a trace changes.
    The page is served on this machine only, until Ctrl-C. The printed address holds a token that lets a
    browser in; keep it to yourself.

        hierq lab
        hierq lab --no-browser --port 9000
        hierq lab --world my-map.txt --operator my_file.py:optimistic
    """
    from hierq.lab import serve

    try:
        say = partial(print, flush=True)
        serve(port, not no_browser, say, world=world, operator=operator, explorer=explorer)
    except KeyboardInterrupt:
        pass
    print("\nthe lab has ended")
    return 0
