# The commands of the README. Everything lands in .venv; nothing is installed twice.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PIP = .venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
WORKERS ?= 2

.PHONY: setup demo test check bench clean

setup: .venv/.dev weights postgresql

demo: .venv/.data weights
	.venv/bin/stamina demo --out out/demo

test: setup
	.venv/bin/python -m pytest --numprocesses $(WORKERS) --dist worksteal $(TESTS)

check: .venv/.dev
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache

bench: setup
	.venv/bin/python -m benchmarks --out docs/benchmarks.md

clean:
	rm -rf .venv out build dist

.venv/.core: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "make: expected Python 3.11 as python3.11 or python3, found none; set PYTHON=/path/to/python" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: expected Python 3.11 or later, got $$($(PYTHON) --version)" >&2; exit 2; }
	test -x .venv/bin/python || $(PYTHON) -m venv .venv
	$(PIP) --editable .
	@touch $@

.venv/.data: .venv/.core
	$(PIP) --editable '.[data]'
	@touch $@

.venv/.dev: .venv/.core
	$(PIP) --editable '.[dev]'
	@touch $@

.PHONY: weights
weights: .venv/.core
	@.venv/bin/stamina weights fetch || echo "make: the pretrained weights are not all here; commands that need them fetch them on first use" >&2

.PHONY: postgresql
postgresql:
	@tools/postgresql.sh
