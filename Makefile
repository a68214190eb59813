# make demo      install, render a bundled scene, record it, replay it, compare it
# make test      lint and tests; installs Mesa's software drivers and apitrace where it may (root on Debian/Ubuntu)
# make test-all  the slow tests too, and test-minimums
# make test-minimums  the demo and tests of the verbs with the lowest versions of dependencies that pyproject.toml allows
# make bench     speed beside Mesa's software renderers
# make lint      ruff, mypy, import-linter
# make gallery   all feature scenes beside Mesa's pictures, in build/gallery/index.html
# make site      the pages of docs/ as a site with search, in build/site
# make docs      regenerate the pages in docs/ that follow from declarations
# make constraints  write constraints.txt, the exact versions that are installed for the tests: before a release

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
SOURCES := $(sort $(shell find api collisions functional timing shaders tools data -type f -not -name '*.pyc'))

# Captured applications and dEQP files are not part of the repository; tests skip what needs them where they are absent.
ifneq ($(wildcard $(CURDIR)/../shared/traces),)
export TILEGPU_CAPTURES ?= $(CURDIR)/../shared/traces
endif
ifneq ($(wildcard $(CURDIR)/../shared/conformance/deqp),)
export TILEGPU_DEQP ?= $(CURDIR)/../shared/conformance/deqp
endif

ifneq ($(wildcard $(CURDIR)/../shared/conformance/functional),)
export TILEGPU_FUNCTIONAL ?= $(CURDIR)/../shared/conformance/functional
endif

ifneq ($(wildcard $(CURDIR)/../shared/conformance/functional31),)
export TILEGPU_CONFORMANCE ?= $(CURDIR)/../shared/conformance
endif

ifneq ($(wildcard $(CURDIR)/../shared/boards),)
export TILEGPU_BOARDS ?= $(CURDIR)/../shared/boards
endif

MINIMUMS := build/minimums

# Tests start hundreds of interpreters, which would each compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-minimums bench gallery lint docs site constraints install-dev system clean

demo: $(VENV)/installed
	$(BIN)/tilegpu demo

test: install-dev system lint
	$(BIN)/python -m pytest -m "not slow" -n 2

test-all: install-dev system lint
	$(BIN)/python -m pytest -n 2
	$(MAKE) test-minimums

test-minimums: install-dev
	$(PYTHON) -m venv --clear $(MINIMUMS)
	$(BIN)/python -m tests.minimums plot studies sampling cluster > $(MINIMUMS)/versions.txt
	$(MINIMUMS)/bin/pip install --quiet --disable-pip-version-check -r $(MINIMUMS)/versions.txt . \
	  duckdb hypothesis pandas pytest pytest-xdist selenium
	cd $(MINIMUMS) && bin/tilegpu demo
	$(MINIMUMS)/bin/python -m pytest -m "not slow" tests/tools/test_verbs.py tests/tools/test_bad_input.py

bench: install-dev system
	$(BIN)/python -m tests.bench.run

gallery: install-dev system
	$(BIN)/python -m tests.reference.gallery

lint: install-dev
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: install-dev
	$(BIN)/python -m tilegpu.tools.documents docs

site: install-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet -f site/mkdocs.yml

# Versions of the tests' environment; a line per package and no address.
constraints: install-dev
	$(BIN)/python -m tests.constraints > constraints.txt.new
	mv constraints.txt.new constraints.txt

system:
	sh tests/system_packages.sh

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/python pyproject.toml setup.py
	$(BIN)/pip install --quiet --disable-pip-version-check .
	touch $@

# Strict editable mode links the files that exist, so it is installed again when files come or go.
install-dev: $(VENV)/bin/python
	@echo "$(SOURCES)" | cat - pyproject.toml setup.py | cksum > $(VENV)/files.new
	@cmp -s $(VENV)/files.new $(VENV)/files || { \
	  $(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev,reference]' --config-settings editable_mode=strict && \
	  mv $(VENV)/files.new $(VENV)/files && rm -f $(VENV)/installed; }

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache *.egg-info
