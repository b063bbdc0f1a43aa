# Everything a newcomer needs: `make up` plays, `make test` proves. `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
KERNELS := $(VENV)/.compiled
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 --no-annotate \
	--custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help up install test lint types layers bench docs pictures lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

up: $(KERNELS) ## run everything on this machine and print the address to open
	@exec $(BIN)/klondike up

install: $(KERNELS) ## make .venv and install the locked dependencies into it

test: lint types layers $(KERNELS) ## check and test everything
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal --durations 15

lint: $(STAMP) ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## mypy, strict
	$(BIN)/mypy

layers: $(STAMP) ## import-linter: who may import whom
	$(BIN)/lint-imports --no-cache

bench: $(KERNELS) ## measure a move's way beside its floors
	$(BIN)/klondike bench path

docs: $(STAMP) ## generate docs/schema and the AsyncAPI document
	$(BIN)/klondike docs

pictures: $(KERNELS) ## take pictures of every view of the page for docs/page.md (needs Chromium)
	$(BIN)/python -m tests.system.screenshots

lock: $(BIN)/uv ## resolve the dependencies anew into requirements.lock
	$(COMPILE) --upgrade --all-extras --output-file requirements.lock pyproject.toml
	$(COMPILE) --constraint requirements.lock --output-file deploy/requirements.lock pyproject.toml

clean: ## remove what the tools made, the environment included
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("klondike needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(STAMP): requirements.lock pyproject.toml | $(BIN)/uv
	$(BIN)/uv pip sync --quiet --compile-bytecode --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --editable .
	$(BIN)/python -m compileall -q services shared
	@touch $@

$(KERNELS): $(STAMP) $(wildcard shared/solver/*.py)
	$(BIN)/klondike warm
	@touch $@
