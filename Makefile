# On a fresh machine with Python 3.11+ and make:
#   make run    install and search a 9x9 Go position
#   make test   install everything and run all checks
# also: make bench (speed, needs g++), make stress (long checks, on the oldest versions of other
#   packages, too), make clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
OLDEST := .venv-oldest
OLDEST_PYTHON ?= python3.11
APT := $(if $(filter 0,$(shell id -u)),,sudo -n) apt-get -qq -y
INSTALL_GNUGO = { $(APT) install gnugo || { $(APT) update && $(APT) install gnugo; }; } >/dev/null 2>&1

.PHONY: run test format lint types layers tests programs bench stress oldest clean

run: $(READY)
	$(BIN)/tesuji search go --moves "E5 G5 C5 G3 E3 G7 E7" --seconds 5

test: lint types layers tests

lint: $(READY_DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY_DEV)
	$(BIN)/mypy

layers: $(READY_DEV)
	$(BIN)/lint-imports

# Processes share compiled code through the cache, so one that is done may take over tests of
# another, also from the middle of a file.  Two processes more than cores, since many tests wait for
# processes of their own.
SHARED := -n $$(( $$(nproc 2>/dev/null || echo 2) + 2 )) --maxprocesses 6 --dist worksteal
tests: $(READY_DEV) programs
	$(BIN)/pytest $(SHARED)

# GNU Go is what tests play against. Where it cannot be installed those tests are skipped, or
# fail when CI is set.
programs:
	@command -v gnugo >/dev/null || test -x /usr/games/gnugo || $(INSTALL_GNUGO) \
	  || echo "GNU Go is missing; to run the tests that play against it, install the package gnugo"

bench: $(READY_DEV)
	$(BIN)/python -m bench

stress: $(READY_DEV) programs
	$(BIN)/pytest -m stress
	$(MAKE) oldest

# The oldest Python and packages that pyproject.toml allows. Packages of different ages warn about
# each other, which is nothing that a change here could mend.
oldest: $(OLDEST)/.ready programs
	TESUJI_CACHE_DIR=$(CURDIR)/.cache/oldest $(OLDEST)/bin/python -m pytest $(SHARED) \
	  -W ignore::DeprecationWarning -W ignore::RuntimeWarning

format: $(READY_DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(OLDEST) .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache bench/build

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "tesuji needs Python 3.11 or newer: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(READY): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(READY_DEV): $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary open-spiel -e '.[peers]' \
	  || echo "OpenSpiel has no package for this machine: comparisons with it are skipped"
	@touch $@ $(READY)

$(OLDEST)/.ready: pyproject.toml tests/oldest.py
	$(OLDEST_PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m tests.oldest > $(OLDEST)/constraints.txt
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check --only-binary open-spiel \
	  -c $(OLDEST)/constraints.txt -e '.[report,peers]' hypothesis pytest pytest-timeout pytest-xdist
	@touch $@
