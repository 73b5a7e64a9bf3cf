"""Beyond tables: hierarchical levels whose values are approximated, in worlds of points.

    from hierq.approximate import Levels, PointWorld, Tiles, random_walks

    points = PointWorld("maze-10", noise=0.3)
    levels = Levels(points, hierq.AgentConfig(levels=3, backup=hierq.TreeBackup(4)), Tiles(4))
    levels.learn_from(random_walks(points, 300), samples=60_000)
    levels.walk((1, 1), (11, 11)).arrived

model.py        Tiles and OneHot; weights and values, for the kernels
learning.py     Algorithm 3 along the traces of walks; acting.py how levels walk
levels.py       Levels, which puts it together, and its files; walks.py walks as data
hop_returns.py  returns for values of your own, from a network or anything else
"""

from hierq.approximate.levels import Levels
from hierq.approximate.model import OneHot, Tiles
from hierq.approximate.walks import Walk, random_walks
from hierq.worlds.points import PointWorld

__all__ = ["Levels", "OneHot", "PointWorld", "Tiles", "Walk", "random_walks"]
