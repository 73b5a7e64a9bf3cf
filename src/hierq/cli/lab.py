"""`hierq lab`: the laboratory in the browser."""

from typing import Annotated

from hierq.cli.arguments import whole_number
from hierq.cli.options import Whole, about


def lab(
    *,
    port: Annotated[Whole, whole_number("PORT"), about("Where to listen.", "8642, or the next free one")] = None,
    no_browser: Annotated[bool, about("Only print the address.")] = False,
) -> int:
    """Open the laboratory in the browser.

    Paint a maze, train two agents side by side, and watch which table entries each step of a trace changes.
    The page is served on this machine only, until Ctrl-C. The printed address holds a token that lets a
    browser in; keep it to yourself.

        hierq lab
        hierq lab --no-browser --port 9000
    """
    from hierq.lab import serve

    try:
        serve(port, browser=not no_browser, say=lambda text: print(text, flush=True))
    except KeyboardInterrupt:
        pass
    print("\nthe lab has ended")
    return 0
