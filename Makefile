# make setup | docs | test | coverage | test-bounds | test-lowest | package | hashes | torture | mutation | lab | test-lab | reproduce | report | pages | bench | bench-scale | check-long | lint      each works alone on a fresh clone
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
ESLINT ?= npx --yes eslint@9.39.5
TSC ?= npx --yes -p typescript@5.9.3 tsc

.PHONY: help setup docs hashes package torture mutation compile test test-interpreted coverage test-bounds test-lowest lab test-lab reproduce report pages bench bench-lab bench-scale check-long lint pictures tour clean

help:
	@echo "make reproduce   run the paper's main studies and write a report"
	@echo "make test        run all tests"
	@echo "make lab         open the lab in the browser"
	@echo "make docs        build the site"
	@echo "make setup       only set up .venv, which all of them do first"
	@echo
	@sed -n '1s/^# //p' Makefile

setup: $(READY)

$(READY): pyproject.toml hashes.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "hierq needs Python 3.11 or newer; name one with: make $(MAKECMDGOALS) PYTHON=/path/to/python3"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --no-deps --require-hashes -r hashes.txt
	$(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m pip check
	@touch $(READY)

# The hashes of all files of the versions in constraints.txt; for after a change there.
hashes:
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) uv
	$(BIN)/uv pip compile --quiet constraints.txt --universal --python-version 3.11 --generate-hashes \
		--no-annotate --no-header --no-emit-index-url -o hashes.txt

# Sdist and wheel, built and tried in a fresh environment, with and without extras.
package: setup
	$(BIN)/python checks/package.py

# Kills, damage and nonsense, in numbers; smaller: make torture SCALE=0.05. See tests/torture.
SCALE ?= 1
SEED ?= 0
torture: compile
	$(BIN)/python tests/torture --scale $(SCALE) --seed $(SEED)

# The share of small mistakes in the code that tests notice, of as many as MISTAKES; at most half an hour.
MUTATION := .venv-mutation
MINUTES ?= 30
MISTAKES ?= 300
mutation: compile
	@test -x $(MUTATION)/bin/python || $(PYTHON) -m venv $(MUTATION)
	$(MUTATION)/bin/python -m pip install --quiet --disable-pip-version-check cosmic-ray==8.7.0
	$(MUTATION)/bin/python checks/mutation.py --python $(BIN)/python --minutes $(MINUTES) --mistakes $(MISTAKES) --seed $(SEED)

# Compiles the kernels that tests need, two at a time, before any test has to wait for them.
compile: setup
	@$(BIN)/python tests/agents/kinds.py

# A file's tests stay together, so that what they share is made once.
test: compile
	$(BIN)/python -m pytest -m "not long and not browser and not site" -n 2 --dist loadfile
	$(MAKE) --no-print-directory test-interpreted

# The same kernels as plain Python: what the compiler hides shows here.
INTERPRETED := -m "not long and not browser" -n 2 --dist loadfile tests/agents tests/environments tests/approximate tests/investigations/test_reaching.py tests/test_own_parts.py tests/test_docs.py
test-interpreted: setup
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(INTERPRETED)

# And with branch coverage, which can see inside them then; it takes more than twice as long.
coverage: setup
	HIERQ_COVERAGE=1 NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(INTERPRETED) tests/worlds --cov --cov-report=term --cov-fail-under=95

# And compiled with every index checked, and quickly rather than well.
test-bounds: export NUMBA_BOUNDSCHECK = 1
test-bounds: export NUMBA_OPT = 1
test-bounds: setup
	@$(MAKE) --no-print-directory compile
	$(BIN)/python -m pytest -m "not long" -n 2 tests/agents/test_against_reference.py tests/agents/test_beyond.py tests/agents/test_golden.py tests/agents/test_family.py

# With the lowest versions that pyproject.toml allows, in an environment of its own. What tests/worlds says about
# environments of Gymnasium is about its newest version.
LOWEST := .venv-lowest
test-lowest:
	@test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	@$(LOWEST)/bin/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
		e = p["optional-dependencies"]; \
		print(*(d.replace(">=", "==") for d in [*p["dependencies"], *e["cluster"], *e["lab"], *e["minigrid"]]), sep="\n")' \
		> $(LOWEST)/lowest.txt
	PIP_CONSTRAINT=$(LOWEST)/lowest.txt $(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
		-e '.[cluster,lab,minigrid]' pytest hypothesis httpx
	$(LOWEST)/bin/python -m pytest -m "not long and not browser" tests/test_other_systems.py tests/test_bad_input.py \
		tests/agents/test_golden.py tests/agents/test_digests.py tests/agents/test_saving.py tests/agents/test_kernel_cache.py \
		tests/studies/test_store.py tests/studies/test_study_file.py tests/lab/test_gate.py tests/lab/test_limits.py

# The lab in the browser; Ctrl-C ends it.
lab: setup
	$(BIN)/hierq lab

# The lab's JavaScript by itself; the lab and the report in chromium.
PAGE := $(wildcard src/hierq/lab/page/*.js)
test-lab: setup
	@command -v node >/dev/null || { echo "make test-lab needs node (20 or newer) to check the page's JavaScript"; exit 1; }
	@command -v npx >/dev/null || { echo "make test-lab needs npx, which comes with npm, to fetch eslint and typescript"; exit 1; }
	@test -n "$$CHROMIUM" || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
		{ echo "make test-lab needs chromium: apt-get install chromium, or name one with CHROMIUM=/path/to/it"; exit 1; }
	$(BIN)/python -m hierq.lab.declared
	for module in $(PAGE); do node --check $$module || exit 1; done
	$(ESLINT) src/hierq/lab/page tests/lab/js
	$(TSC) --project jsconfig.json
	node --test tests/lab/js/*.test.js
	$(BIN)/python -m pytest -m browser tests/lab
	$(BIN)/python -m pytest -m browser tests/investigations  # apart: Playwright starts once in a process

# The site in build/site: its notebooks are run, and everything about it is checked. It loads nothing from elsewhere.
docs: setup
	@echo "building the site: about two minutes with results of notebooks at hand, four without"
	$(BIN)/python -m sphinx --quiet --fresh-env --write-all --fail-on-warning --keep-going --nitpicky docs build/site
	$(BIN)/python -m pytest -m site tests/test_site.py
	@echo "open build/site/index.html"

# The page in docs/reproduction and its numbers, with the whole paper behind them; goes on where it was stopped.
report: setup
	$(BIN)/hierq reproduce --seeds 200 --out reproduction
	mkdir -p docs/reproduction/figures
	cp reproduction/report.md reproduction/*.csv docs/reproduction/
	cp reproduction/figures/*.svg docs/reproduction/figures/

# The pages of the investigations anew, with their full runs: hours. What was run before is kept.
pages: setup
	for run in estimators:100 exploration:100 rivals:100 mazes:4 approximation:20; do \
	  name=$${run%:*}; \
	  $(BIN)/hierq investigate $$name --seeds $${run#*:} --out $$name-results || exit 1; \
	  mkdir -p docs/investigations/$$name && cp -r $$name-results/report.md $$name-results/figures $$name-results/*.csv docs/investigations/$$name/; \
	done

reproduce: setup
	$(BIN)/hierq reproduce --study main balanced --seeds 20 --out reproduction

bench: setup
	$(BIN)/python benchmarks/speed.py
	$(if $(AGAINST),$(BIN)/python benchmarks/by_turns.py $(AGAINST))
	$(BIN)/python benchmarks/family.py
	$(BIN)/python benchmarks/own_functions.py
	$(BIN)/python benchmarks/approximate.py
	$(BIN)/python benchmarks/explorers.py
	$(BIN)/python benchmarks/studies.py
	$(BIN)/python benchmarks/dask_overhead.py

# Frames a second and the time a message takes, in chromium.
bench-lab: setup
	$(BIN)/python benchmarks/lab.py

# Bytes and µs per step of worlds up to 10⁶ states; draws docs/pictures/scale.png.
bench-scale: setup
	$(BIN)/python benchmarks/scale.py

check-long: setup coverage
	$(MAKE) --no-print-directory torture SCALE=0.1
	$(BIN)/python -m pytest -m long
	HIERQ_THOROUGH=1 $(BIN)/python -m pytest -n 2 tests/agents/test_against_reference.py tests/agents/test_beyond.py
	HIERQ_THOROUGH=1 $(BIN)/python -m pytest -n 2 tests/agents/test_rivals.py tests/agents/test_explorers.py tests/investigations/test_reaching.py tests/test_own_parts.py
	HIERQ_THOROUGH=1 $(BIN)/python -m pytest -m browser tests/lab/browser/test_credit_view.py -k every_operator
	HIERQ_THOROUGH=1 NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 tests/agents/test_family.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests/typed_study.py
	$(BIN)/lint-imports

pictures: setup
	$(BIN)/python docs/make_pictures.py
	$(BIN)/python docs/make_scale_pictures.py
	$(BIN)/python docs/make_lab_pictures.py

# The stops of the lab's tour as files that need no server: docs/tour. Needs chromium.
tour: setup
	$(BIN)/python docs/make_tour.py

clean:
	rm -rf $(VENV) $(LOWEST) $(MUTATION) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build dist
