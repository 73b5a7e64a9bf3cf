"""`hierq.statistics`: averages, differences and curves of many runs, each with its interval."""

from hierq.studies.statistics import *  # noqa: F403
from hierq.studies.statistics import __all__ as __all__
