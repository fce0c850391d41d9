# The verbs of the project; `make help` lists them.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
JOBS ?= $(shell nproc)
# The same compile in another checkout is a cache hit.
export CCACHE_BASEDIR = $(CURDIR)
export CCACHE_NOHASHDIR = 1

.PHONY: help setup build demo test test-quick test-asan test-tsan e2e bench fuzz lint format docs clean

help: ## list the verbs
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

setup: ## install what is missing (Debian packages; needs root or sudo)
	@.ci/setup

build: setup ## build library, shop and tests into build/release
	@.ci/step "configure" cmake --preset release
	@.ci/step "build" cmake --build --preset release -j $(JOBS)

demo: setup ## build and start the demo shop; prints the page's and the console's address
	@.ci/step "configure" cmake --preset release -DINLENS_BUILD_TESTS=OFF
	@.ci/step "build" cmake --build --preset release -j $(JOBS) --target inlens-shop
	@build/release/bin/inlens-shop --db build/demo --config perf/shop/demo.json

test: setup ## build and run every test, under the sanitizers and in a browser too
	@.ci/step "configure" cmake --preset release -DINLENS_BUILD_TESTS=ON
	@.ci/step "build" cmake --build --preset release -j $(JOBS)
	@.ci/step "tests" ctest --test-dir build/release -j $(JOBS) --output-on-failure --no-tests=error
	@$(MAKE) --no-print-directory test-asan test-tsan e2e

test-quick: setup ## the daily loop: unit and check tests of a development build
	@.ci/step "configure" cmake --preset dev
	@.ci/step "build" cmake --build --preset dev -j $(JOBS)
	@.ci/step "tests" ctest --test-dir build/dev -L 'unit|abi|check' --output-on-failure --no-tests=error

test-asan: ## unit, abi and host tests with address and undefined-behaviour sanitizers
	@.ci/step "configure asan" cmake --preset asan
	@.ci/step "build asan" cmake --build --preset asan -j $(JOBS)
	@.ci/step "tests asan" ctest --test-dir build/asan -L 'unit|abi|host' -j $(JOBS) --output-on-failure --no-tests=error

test-tsan: ## unit, abi and host tests with the thread sanitizer
	@.ci/step "configure tsan" cmake --preset tsan
	@.ci/step "build tsan" cmake --build --preset tsan -j $(JOBS)
	@.ci/step "tests tsan" ctest --test-dir build/tsan -L 'unit|abi|host' -j $(JOBS) --output-on-failure --no-tests=error

e2e: ## the demo shop in a real browser; INLENS_IMAGES=docs/images refreshes the screenshots
	@.ci/step "browser tests" tests/e2e/run

bench: build ## micro benchmarks and instruction counts against their budgets
	@build/release/bin/inlens-micro --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
	@perf/micro/instructions --program build/release/bin/inlens-steps

fuzz: setup ## each fuzz target for FUZZ_SECONDS (60)
	@.ci/step "configure fuzz" cmake --preset fuzz
	@.ci/step "build fuzz" cmake --build --preset fuzz -j $(JOBS)
	@tests/fuzz/run build/fuzz $${FUZZ_SECONDS:-60}

lint: setup ## clang-tidy over the C++ sources
	@.ci/step "configure" cmake --preset dev
	@.ci/step "clang-tidy" .ci/tidy build/dev

format: ## clang-format over the C++ sources
	@git ls-files '*.cpp' '*.hpp' '*.h' '*.c' | xargs clang-format -i

docs: build ## regenerate the generated pages
	@build/release/bin/inlens_config_docs > docs/configuration.md

clean: ## remove build output
	rm -rf build
