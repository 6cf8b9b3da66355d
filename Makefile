# What a person types. Each target first makes what it needs; the second time that takes no time.
.DEFAULT_GOAL := help
.PHONY: help run test check thorough bench soak lab lab-test mutants lint types docs release image lock opencvs venv venv-test

# Another folder and another Python: make test DUDO_VENV=.venv-3.13 PYTHON=python3.13
DUDO_VENV ?= .venv
export DUDO_VENV
# Kept bytecode saves a third of each start of an interpreter, and the tests make many.
unexport PYTHONDONTWRITEBYTECODE
python := $(DUDO_VENV)/bin/python
# Tests run in one process more than the machine has cores, for boxes at work mostly wait; JOBS=0 runs them in one,
# for a debugger. The fast tests do not wait.
JOBS ?= $(shell $(python) -c "import os; print((os.cpu_count() or 1) + 1)")
FAST_JOBS ?= logical
SPELT := companion hardware vision web tests lab docs .ci .setup pyproject.toml Makefile README.md CHANGELOG.md NOTICE

help: ## say what can be made
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 12

run: venv ## start the companion at http://localhost:8000 (options: make run ARGS="--help")
	@$(DUDO_VENV)/bin/dudo run $(ARGS)

test: venv-test ## run the whole test suite (options: make test ARGS="-k bids")
	@$(python) -m pytest --numprocesses $(JOBS) --dist worksteal $(ARGS)

check: lint types ## style, types and the fast tests, within a minute
	@$(python) -m pytest --numprocesses $(FAST_JOBS) --dist worksteal -m "not slow and not browser" --durations=5 $(ARGS)

thorough: venv-test ## draw new examples in the tests that draw at random, in some many times more
	@DUDO_THOROUGH=1 $(python) -m pytest --numprocesses $(JOBS) --dist worksteal -m "thorough or hypothesis" $(ARGS)

bench: venv-test ## print how fast things are here, or over another commit (make bench ARGS="against HEAD^")
	@$(python) -m lab.bench $(ARGS)

soak: venv-test ## torture the box for ten minutes (options: make soak ARGS="--minutes 60 --write")
	@$(python) -m lab.soak $(ARGS)

lab: venv-test ## read and judge full tables composed of photographs (options: make lab ARGS="--help")
	@$(python) -m lab.measure.tables $(ARGS)

mutants: venv-test ## change rules, reveal, table and checks a little: does a test notice? (make mutants ARGS="--help")
	@$(python) -m lab.mutants $(ARGS)

lab-test: venv-test ## run the tests of the lab, which `make test` leaves out
	@$(python) -m pytest --numprocesses $(JOBS) --dist worksteal lab $(ARGS)

lint: venv-test ## check style and spelling
	@$(python) -m ruff check .
	@$(python) -m ruff check --quiet --preview --select PLW1514 companion hardware vision web
	@$(python) -m codespell_lib $(SPELT)

types: venv-test ## check types
	@for platform in linux win32 darwin; do $(python) -m mypy --platform $$platform || exit; done

docs: ## build the docs as a site in build/site (open build/site/index.html)
	@.setup/site

release: venv-test ## check what a release needs, and play from its wheel in a clean environment (no tag is made)
	@.setup/release

image: ## as root: make the image of a memory card in build (make image ARGS=amd64, or ARGS="check FILE" to boot it)
	@.setup/image $(ARGS)

lock: venv-test ## write the lock files anew (make lock UPGRADE=1: with the newest of everything)
	@$(python) -m uv --version >/dev/null 2>&1 || $(python) -m pip install --quiet uv
	@$(python) .setup/lock.py

opencvs: venv-test ## fetch the OpenCVs of Debian 12 and 13 and the newest, to test the models under them
	@.setup/opencvs

venv: ## only install what `make run` needs
	@.setup/bootstrap run

venv-test: ## only install what `make test` needs
	@.setup/bootstrap test
