# `make run` and `make test` do all the set-up on a fresh machine; see the README.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH := torch==2.13.0
TORCH_INDEX := $(if $(TORCH_INDEX_URL),--index-url $(TORCH_INDEX_URL),)
# Journeys need a browser. An installed Chromium is taken first.
export PLUMBLINE_DATA ?= data

.PHONY: help install install-dev run test check bench sample screenshots clean

help:
	@echo "make run          install what is needed and open the app with the sample project"
	@echo "make test         install what is needed, a browser included, and run every test"
	@echo "make check        lint, format, types, import contracts"
	@echo "make bench        benchmarks"
	@echo "make sample       build sample_data again from its script"
	@echo "make screenshots  take the screenshots in docs/ from the real app"

install: $(VENV)/.run
install-dev: $(VENV)/.dev

$(VENV)/.run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info[:2] == (3, 11) else "Plumbline needs Python 3.11; this is %s. Set PYTHON=python3.11." % sys.version.split()[0])'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Plumbline into $(VENV) (about 2.5 GB, one to three minutes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH_INDEX) $(TORCH)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-postgresql.txt requirements-mysql.txt $(VENV)/.run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

run: install
	@$(BIN)/python -m pages.ui.serve

# One thread a worker: as many workers as cores, each with a model on every core, would stand in each other's way.
# A file stays with its worker, so that what its tests share is made once; the longest come first (tests/conftest.py).
# Compiled modules are kept even where the environment says otherwise (an empty value means no): a hundred servers and
# workers are started, and each would compile all of core and pages again.
test: install-dev
	@$(BIN)/python -m tests.support.browser
	@PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --cov --cov-report=term:skip-covered --cov-fail-under=90

check: install-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

bench: install-dev
	@$(BIN)/python -m bench

sample: install-dev
	@$(BIN)/python -m sample_data.build

screenshots: install-dev
	@$(BIN)/python docs/screenshots.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache htmlcov .coverage*
