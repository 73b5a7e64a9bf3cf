# make setup | test | reproduce | bench | check-long | lint      each works alone on a fresh clone
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup test test-interpreted test-bounds reproduce bench check-long lint pictures clean

help:
	@sed -n '1p' Makefile

setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "hierq needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(READY)

test: setup
	$(BIN)/python -m pytest -m "not long" -n 2
	$(MAKE) --no-print-directory test-interpreted test-bounds

# The same kernels as plain Python: what the compiler hides shows here, and coverage can see inside them.
test-interpreted: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m "not long" -n 2 tests/worlds tests/agents \
		--cov --cov-report=term --cov-fail-under=95

# And compiled with every index checked.
test-bounds: setup
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -m "not long" tests/agents/test_against_twin.py tests/agents/test_golden.py

reproduce: setup
	$(BIN)/hierq reproduce --study main balanced --seeds 20 --out reproduction

bench: setup
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/studies.py
	$(BIN)/python benchmarks/dask_overhead.py

check-long: setup
	$(BIN)/python -m pytest -m long

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

pictures: setup
	$(BIN)/python docs/make_pictures.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist
