.DEFAULT_GOAL := help
.PHONY: help setup demo test check javascript bench eval lock
export ROOT Q PYTHON DATASET VARIANTS OUT

BIN := .venv/bin

help:  ## what can be made
	@sed -n 's/^\([a-z]*\):.*##  *\(.*\)/  make \1@\2/p' $(MAKEFILE_LIST) | column -t -s @ 2>/dev/null || sed -n 's/^\([a-z]*\):.*## /make \1: /p' $(MAKEFILE_LIST)

setup:  ## virtual environment, pinned packages, a browser; does only what is missing
	@scripts/setup

demo: setup  ## five questions to the bundled site; ROOT=https://... Q='...' asks any site
	@if [ -z "$$ROOT$$Q" ]; then exec $(BIN)/walker demo; \
	elif [ -z "$$ROOT" ] || [ -z "$$Q" ]; then echo "make demo: give both, ROOT=https://... and Q='...'" >&2; exit 2; \
	else exec $(BIN)/walker ask "$$ROOT" "$$Q"; fi

# Compiled code is kept even where the environment says not to: else each of hundreds of processes compiles all of it anew.
# Files in the order of their names: the few with the longest tests have few tests, and would be begun last.
test: setup  ## all tests; JOBS=n processes, 3 unless told
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(or $(JOBS),3) --dist loadfile --no-loadscope-reorder -q

check: setup  ## format, lint, types (of Python and of JavaScript), tests
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy walker perception memory traces evaluation tests
	@$(MAKE) --no-print-directory javascript
	@$(MAKE) --no-print-directory test

javascript:  ## format, lint and types of the JavaScript, where Node.js is
	@scripts/check_javascript

bench: setup  ## figures: speed, overhead, answers to the question set
	@status=0; for script in $$(grep -l __main__ bench/*.py); do echo "bench: $$script" >&2; $(BIN)/python $$script || status=1; done; exit $$status

eval: setup  ## asks questions of walks with and without modules, grades, writes a report; DATASET=file VARIANTS=eight OUT=folder
	@scripts/eval

lock:  ## resolve the dependencies anew and write constraints.txt
	@scripts/lock
