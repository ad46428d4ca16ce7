# The ways to build, try, test and ship. Each target sets up what it needs; CMakePresets.json says how each build is made.
PREFIX ?= /usr/local
CLANG_FORMAT ?= clang-format-14
jobs := $(shell nproc)
cxx_files = git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp'

# $(call build,PRESET,DEFINITIONS): configures and builds; shows progress on a terminal, only what went wrong elsewhere.
quiet := $(shell [ -t 1 ] || echo --quiet)
define build
cmake --preset $(1) $(2) --log-level=WARNING $(if $(quiet),>/dev/null)
cmake --build --preset $(1) -- $(quiet)
endef

# $(call run_tests,PRESET): its tests, then ctest's closing lines.
run_tests = ctest --preset $(1) -j $(jobs)

.DEFAULT_GOAL := build
.PHONY: help setup setup-test setup-lint setup-bench setup-test-all setup-docs setup-wheel setup-deb build python wheel wheel-cuda deb docs demo reproduce test test-all nightly fuzz bench study validate validate-classifier install format lint clean

help:  ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup setup-test setup-lint setup-bench setup-test-all setup-docs setup-wheel setup-deb:
	@scripts/setup $(patsubst setup-%,%,$(filter setup-%,$@))

build: setup  ## Build the library and the program build/linkgistic (the default)
	@$(call build,default)

demo: build  ## Fit and plot the embedded data, into demo-out/
	@build/linkgistic demo -o demo-out
	@echo "Written:"; ls demo-out | sed 's|^|  demo-out/|'

reproduce: build  ## The paper's tables and figures, into repro/out/ (QUICK=1: small sizes)
	@build/linkgistic reproduce all $(if $(QUICK),--quick) -o repro/out

# Where there is nvcc, its library is compiled, too.
with_cuda = $(if $(shell command -v nvcc),-DLINKGISTIC_WITH_CUDA=ON)
with_python = -DLINKGISTIC_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/.venv-python/bin/python

python: setup-test  ## Build the Python module in place: then python/ on PYTHONPATH is enough
	@$(call build,default,$(with_python))

wheel: setup-wheel  ## Make wheels of the Python package that run on other machines, into dist/
	@scripts/make-wheel

deb: setup-deb  ## Make Debian packages of program and library, into dist/
	@scripts/make-deb

wheel-cuda: setup-test  ## Make the wheel linkgistic-cuda13, the library for all NVIDIA GPUs, into dist/ (needs nvcc 13)
	@.venv-python/bin/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist python/cuda13

docs: setup-docs python  ## Build the documentation site, into build/docs/
	@OMP_WAIT_POLICY=passive .venv-python/bin/python -m sphinx -q -W --keep-going -b html docs build/docs
	@scripts/check-links --site build/docs --pictures build/docs-pictures
	@echo "Written: build/docs/index.html"

# $(call test_python,VENV,ARGUMENTS): the tests of the Python package, in place.
test_python = OMP_WAIT_POLICY=passive $(1)/bin/python -m pytest $(2)

# The pieces of scripts/check-all that fit into an hour of two cores.
hour = long python-long scikit-learn oldest spark wheel mutants faults threads soak docs reproduce sanitizers fuzz

test: setup-test  ## Build and run the tests, of C++ and of Python
	@$(call build,default,$(with_python) $(with_cuda) -DLINKGISTIC_BUILD_TESTS=ON)
	@$(call run_tests,default)
	@$(call test_python,.venv-python)

test-all: test  ## test, and the checks that take an hour together: long tests, wheel, sanitizers, fuzzers, pages, other packages
	@scripts/check-all $(hour)

nightly: test  ## test, and all checks: also lint, clang, no optimisation, optimised across files, bare machines; goes on where it was broken off
	@scripts/check-all

fuzz: setup-lint  ## Run every fuzzer for SECONDS=60 seconds
	@$(call build,fuzz)
	@scripts/fuzz build-fuzz $(or $(SECONDS),60)

bench: setup-bench python  ## Measure speed and memory, compared with other programs
	@$(call build,bench)
	@benchmarks/run

study: setup  ## Measure quality: auto-mpg as in the paper's Table 1, the coverage of the bands and how well their chains agree
	@$(call build,bench)
	@build/bin/study_auto_mpg 20
	@build/bin/study_coverage 200
	@build/bin/study_observation_bands
	@build/bin/study_calibration_bands
	@build/bin/study_calibration_coverage

validate: setup  ## Check the posteriors on simulated data, into docs/validation.md (SETS=400 a cell; takes long; STATE=FILE goes on where a run was broken off)
	@$(call build,bench)
	@build/bin/validate --sets $(or $(SETS),400) $(if $(STATE),--state $(STATE)) --output docs/validation.md

validate-classifier: setup  ## Coverage of the bands of class probabilities on simulated data (SETS=20 a cell, CELLS=WORDS; STATE=FILE goes on where a run was broken off)
	@$(call build,bench)
	@build/bin/validate_classifier --sets $(or $(SETS),20) $(if $(CELLS),--cells "$(CELLS)") $(if $(STATE),--state $(STATE))

install: build  ## Install below PREFIX (/usr/local); DESTDIR is honoured
	@cmake --install build --prefix $(PREFIX)

format: setup-lint  ## Format all C++ files in place
	@$(cxx_files) | xargs -0 $(CLANG_FORMAT) -i

lint: setup-lint  ## Check format, direction of includes, and clang-tidy's advice
	@$(cxx_files) | xargs -0 $(CLANG_FORMAT) --dry-run -Werror
	@scripts/check-layers
	@cmake --preset static-analysis --log-level=WARNING $(if $(quiet),>/dev/null)
	@scripts/static-analysis build-static-analysis

clean:  ## Remove everything that was built
	rm -rf build build-* demo-out dist docs/tutorials python/linkgistic/*.so
