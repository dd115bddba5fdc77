.DEFAULT_GOAL := help
.PHONY: help setup light demo docs commands test quick check static format lint types javascript spelling commits matrix bench eval fleet lock package release
export ROOT Q PYTHON DATASET VARIANTS OUT

BIN := .venv/bin
FLOOR := 96
TYPED := walker perception memory traces evaluation tests bench scripts tools
# What needs no browser and no OCR; another Python and the lowest versions are tried with these.
QUICK := tests/architecture tests/memory tests/recordings $(wildcard tests/traces/test_*.py) \
	$(addprefix tests/traces/,compare export store) \
	$(addprefix tests/perception/,document grounding images) \
	$(addprefix tests/walker/,crawl/output/test_destinations.py files recording rules strategies walk) \
	$(addprefix tests/evaluation/,dataset grading metrics)

help:  ## what can be made
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | column -t -s @ 2>/dev/null || sed -n 's/^\([a-z]*\):.*## /make \1: /p' $(MAKEFILE_LIST)

setup:  ## virtual environment, pinned packages, a browser; does only what is missing
	@scripts/setup

light:
	@LIGHT=1 scripts/setup

demo: light  ## five questions to the bundled site; ROOT=https://... Q='...' asks any site
	@if [ -z "$$ROOT$$Q" ]; then exec $(BIN)/walker demo; \
	elif [ -z "$$ROOT" ] || [ -z "$$Q" ]; then echo "make demo: give both, ROOT=https://... and Q='...'" >&2; exit 2; \
	else exec $(BIN)/walker ask "$$ROOT" "$$Q"; fi

# Bytecode is cached even where the environment forbids it: else each of hundreds of processes compiles everything again.
# Files whole, in the order of tests/conftest.py: the few with the longest tests have few tests, and would be begun last.
# Five processes, which fill two cores: one is busy two fifths of its time, since tests with a browser mostly wait. Each imports a test
# file when it runs it (tests/fixtures/collected_when_run.py): before its first test it takes 2 s of processor time and 110 MB (7.5 s and
# 386 MB where each collects all), at most 610 to 670 MB: the libraries of every feature 330, the reader 160, models of OCR 100. The syntax
# trees for tests/architecture, 240 MB of which Python would give hardly any back, are read in a process that ends with that folder
# (290 MB at most): pytest's own holds 177 MB behind it, 425 where it reads them itself.
# COVERAGE=1 counts the lines that are run, and fails below FLOOR percent; whoever measures more raises it. It costs what runs in
# Python half to two thirds more (12.5 and 20.9 s for tests/architecture): while lines are counted Python 3.11 takes all code slowly,
# in files that are not counted too, so that leaving files out would save nothing.
COUNTED := $(if $(COVERAGE),--cov --cov-report=term:skip-covered --cov-fail-under=$(FLOOR))
# AGAIN=1 runs those that failed once more, one after the other, and names them: on a busy machine a time limit may have run out.
# A process that crashes ends the run (addopts in pyproject.toml), and then nothing is run again; nor where a file's
# import failed or what files share did not end well, which pytest would leave out (tests/fixtures/run_again.py).
AGAIN_TOO := $(if $(AGAIN),|| { [ $$? = 1 ] || exit 1; echo "make test: what failed runs once more and alone (what passes now depends on the load)" >&2; \
	$(BIN)/python -m pytest --last-failed --last-failed-no-failures none -v $(COUNTED) $(if $(COVERAGE),--cov-append); })
test: setup  ## all tests; JOBS=n processes, default 5; COVERAGE=1 counts lines; AGAIN=1 runs failed ones twice
	@export PYTHONDONTWRITEBYTECODE=; \
	$(BIN)/python -m pytest -n $(or $(JOBS),5) --dist loadfile --no-loadscope-reorder -q $(COUNTED) $(AGAIN_TOO)

quick: setup  ## the tests that need no browser and no OCR, in a minute
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(or $(JOBS),2) --dist loadfile -q $(QUICK)

check: static test  ## format, lint, types, JavaScript, spelling, tests: what a change has to pass

static: format lint types javascript spelling  ## what check does before the tests

format: setup
	@$(BIN)/ruff format --check .

lint: setup
	@$(BIN)/ruff check .

types: setup
	@$(BIN)/mypy $(TYPED)

javascript:  ## format, lint and types of the JavaScript, where Node.js is
	@scripts/check_javascript

spelling: setup
	@$(BIN)/codespell $(TYPED) docs .ci Makefile pyproject.toml $(wildcard *.md)

commits: setup  ## subjects of the commits since the last release
	@$(BIN)/python scripts/check_commits.py

matrix: setup  ## the quick tests on the other Python, and with the lowest versions that pyproject.toml allows
	@scripts/matrix $(QUICK)

bench: setup  ## figures: speed, overhead, answers to the question set
	@status=0; for script in $$(grep -l __main__ bench/*.py); do echo "bench: $$script" >&2; $(BIN)/python $$script || status=1; done; exit $$status

eval: setup  ## asks questions of walks with and without modules, grades, writes a report; DATASET=file VARIANTS=eight OUT=folder
	@scripts/eval

fleet: setup  ## batches, experiments and crawls on a Ray cluster of several nodes on this machine, of which something is killed
	@$(BIN)/python -m pytest -m fleet -q tests/walker tests/evaluation/experiment tests/contracts/test_walk_place.py

lock:  ## resolve the dependencies again and write constraints.txt
	@scripts/lock

package: setup  ## wheel and source package in dist/, tried in an empty environment; prints sizes and start-up times
	@scripts/package

docs: setup  ## the documentation site in build/site, from docs/ and from the code; a link that leads nowhere fails it
	@scripts/docs

commands: setup  ## every command of the documents, against servers of this machine; some minutes
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -m documents -q tests/walker/cli/documented

release: package  ## dates the changelog's section of the version in pyproject.toml, commits it and tags vX.Y.Z
	@scripts/release
