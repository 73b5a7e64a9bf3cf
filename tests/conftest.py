"""Settings for all tests."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT") == "1"

# No deadline: the first example of a test may have to compile. Without the compiler fewer examples have to do.
settings.register_profile("compiled", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("interpreted", settings.get_profile("compiled"), max_examples=15)
settings.register_profile("thorough", settings.get_profile("compiled"), max_examples=1000)  # make check-long
to_the_first_failure = [Phase.explicit, Phase.reuse, Phase.generate]  # make mutation: nobody reads the example
settings.register_profile("unshrunk", settings.get_profile("interpreted"), phases=to_the_first_failure)
settings.load_profile(
    "interpreted" if INTERPRETED else "thorough" if os.environ.get("HIERQ_THOROUGH") == "1" else "compiled"
)


@pytest.fixture
def once():
    """For tests that are not about kernels: they need not run a second time without the compiler, but for coverage."""
    if INTERPRETED and not os.environ.get("HIERQ_COVERAGE"):
        pytest.skip("has run with the compiler")


@pytest.fixture
def interpreter():
    """For tests that call helpers of the kernels from Python, for each of which the compiler would take seconds."""
    if not INTERPRETED:
        pytest.skip("needs plain Python")


@pytest.fixture
def interpreter_first():
    """For tests of kernels that take long to compile: as plain Python, and compiled in `make check-long`."""
    if not INTERPRETED and not os.environ.get("HIERQ_THOROUGH"):
        pytest.skip("runs in plain Python, or with HIERQ_THOROUGH=1")


@pytest.fixture
def compiler():
    """For tests that take too many steps for plain Python, or need threads that run at the same time."""
    if INTERPRETED:
        pytest.skip("needs the compiler")
