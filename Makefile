# Two commands for a newcomer: `make demo` shows kebab at work, `make test` runs every check.
# Both set up .venv themselves; Python 3.11 or newer, pip and make are all they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
USABLE := $(VENV)/.usable
STAMP := $(VENV)/.installed
BROWSER_STAMP := $(VENV)/.browser

.PHONY: demo test test-browser lint types imports unit docs bench clean

demo: $(USABLE)
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh scripts/demo.sh

test: lint types imports unit

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports --no-cache

# The same examples of property tests in every run; plain `pytest` looks for new ones.
unit: $(STAMP)
	$(BIN)/pytest -n auto --dist loadfile --hypothesis-profile=ci
	@echo "The browser tests were left out: they need Chromium, and 'make test-browser' runs them."

# Drives the page of `kebab web` in a real Chromium: the system's own, or the one KEBAB_CHROMIUM names.
test-browser: $(BROWSER_STAMP)
	@for name in "$$KEBAB_CHROMIUM" chromium chromium-browser google-chrome google-chrome-stable; do \
	  command -v "$$name" >/dev/null && exit 0; done; \
	  echo "There is no Chromium here: 'apt-get install chromium' brings it, or set KEBAB_CHROMIUM to one."; exit 1
	$(BIN)/pytest -m browser -n 2 --dist loadfile tests/browser

# Measures what docs/benchmarks.md states and writes it anew. A few minutes as it is; BENCH="--data SETS" for all of it.
BENCH ?= --quick
bench: $(STAMP)
	$(BIN)/python benchmarks/run.py $(BENCH)

# Writes docs/cli.md, the man page and the tree of docs/ARCHITECTURE.md from the code; a test fails when they are stale.
docs: $(STAMP)
	$(BIN)/python scripts/generate_docs.py
	$(BIN)/python scripts/make_man.py

$(USABLE): pyproject.toml src/kebab/__init__.py
	$(PYTHON) -c 'import sys; sys.exit("kebab needs Python 3.11 or newer, this is %d.%d" % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(STAMP): $(USABLE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

$(BROWSER_STAMP): $(USABLE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,browser]'
	@touch $@ $(STAMP)

clean:
	rm -rf $(VENV) .demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
