"""Figures show themselves as the last line of a notebook's cell."""

import subprocess
import sys

import hierq
from hierq.figures import worlds_figure
from hierq.figures.panels import new_panels


def test_a_figure_shows_itself_without_pyplot():
    pictures = [worlds_figure([hierq.make_world("rooms-4")])._repr_png_(), new_panels(2, 1)[0]._repr_png_()]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


def test_ipython_shows_it_as_a_picture():
    program = (
        "import hierq, sys\n"
        "from hierq.figures import worlds_figure\n"
        "from IPython.core.formatters import DisplayFormatter\n"
        "shown, _ = DisplayFormatter().format(worlds_figure([hierq.make_world('rooms-4')]))\n"
        "assert 'image/png' in shown and 'matplotlib.pyplot' not in sys.modules\n"
        "shown, _ = DisplayFormatter().format(hierq.make_world('rooms-4'))\n"
        "assert '<svg' in shown['text/html']\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
