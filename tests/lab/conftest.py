"""A server that all tests of this folder share, and pages that talk to it."""

import pytest
from serving import running_lab


@pytest.fixture(scope="session")
def lab():
    with running_lab() as running:
        yield running


@pytest.fixture
def page(lab):
    with lab.page() as opened:
        yield opened
