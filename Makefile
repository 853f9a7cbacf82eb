# Short names for `python3 dev.py`, for those who like make. `make` alone lists them.

PYTHON ?= python3

help:  ## List these targets
	@sed -n 's/^\([a-z]*\):.*## /\1 - /p' Makefile

run:  ## Run the application with demo data: make run ARGS="--port 8001"
	$(PYTHON) dev.py run $(ARGS)

test:  ## Run the tests: make test ARGS="tests/grading -x"
	$(PYTHON) dev.py test $(ARGS)

slow:  ## Run the tests that CI leaves out, before an issue is called done
	REQUIRE_BROWSER=1 $(PYTHON) dev.py test -m slow $(ARGS)

check:  ## Run all that CI checks; changes nothing
	$(PYTHON) dev.py check

lint:  ## Run the linters only; changes nothing
	$(PYTHON) dev.py lint

fix:  ## Format code and templates, and repair what ruff can
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .
	find templates -name '*.html' -exec .venv/bin/djade {} +

mutants:  ## Break the code on purpose, and see which tests notice: make mutants ARGS="phybench_grader.statistics*"
	$(PYTHON) dev.py mutants $(ARGS)
	.venv/bin/mutmut results

lock:  ## Write both locks anew from pyproject.toml: what runs, and what tests and lints
	.venv/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate \
		pyproject.toml -o requirements.lock
	.venv/bin/uv pip compile --quiet --universal --generate-hashes --no-annotate \
		--group dev -c requirements.lock -o requirements-tools.lock

.PHONY: help run test slow check lint fix mutants lock
