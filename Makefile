# Everything starts here: `make` shows what there is. Needs Node.js 20 or newer and make; the Node.js that runs the
# platform, the compilers and PostgreSQL come from npm.
SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

export PATH := $(CURDIR)/node_modules/.bin:$(PATH)
INSTALLED := node_modules/.installed
# Further arguments for jest, as in: make test JEST_ARGS=services/kit
JEST_ARGS ?=
# Of the images.
TAG ?= dev

.PHONY: help
help: ## Show this help
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

$(INSTALLED): package-lock.json hack/tools/install.mjs
	@node hack/tools/install.mjs $@

.PHONY: install generate build
install: $(INSTALLED) ## Install the npm packages when package-lock.json has changed

generate: $(INSTALLED) ## Rebuild everything derived: protobuf code, CRD types, routes and openapi.json
	@node hack/tools/generate.mjs

build: generate ## Compile everything that has changed
	@node hack/tools/build.mjs

.PHONY: run
run: build ## Start the whole platform on embedded parts (PORT=8080, DATA_DIR=.data, LOG=stdout)
	@exec node --enable-source-maps services/standalone/dist/main.js

.PHONY: new-service
new-service: $(INSTALLED) ## Make a satellite from the scaffold: make new-service NAME=notes
	@node hack/scaffold/new-service.mjs "$(NAME)"
	@npm install --no-audit --no-fund --loglevel=error >/dev/null
	@echo 'services/$(NAME) is there. Start everything with it: make run'

.PHONY: test test-cluster test-e2e images tools bench bench-operator screenshots
test: build ## Unit, API and browser tests on a real PostgreSQL, Redis and Chromium
	@hack/tools/ensure-program.sh redis-server
	@hack/tools/ensure-program.sh chromium
	@npm run --silent test -- $(JEST_ARGS)

test-cluster: build tools ## Tests with a real kube-apiserver and etcd, MinIO, stripe-mock, and of programs that are killed and started again
	@npm run --silent test:cluster -- $(JEST_ARGS)

tools: ## Build kube-apiserver, etcd, kubectl, Helm, chart tools, MinIO and stripe-mock from Go modules (about 15 minutes, once)
	@hack/tools/build-tools.sh

test-e2e: $(INSTALLED) tools ## The platform installed by Helm on the cluster that KUBECONFIG names, upgraded, harmed and uninstalled
	@PATH="$(CURDIR)/.tools/bin:$$PATH" node hack/e2e/main.mjs

images: $(INSTALLED) ## Build the images of all services with docker: satellite/NAME:TAG (TAG=dev)
	@node hack/docker/images.mjs $(TAG)

bench: build tools ## Measure speed as ratios against a baseline of the same run (BENCH=name for one); writes hack/bench/RESULTS.md
	@hack/tools/ensure-program.sh chromium
	@hack/tools/ensure-program.sh redis-server
	@npm run --silent bench -w hack/bench

bench-operator: ## Only the operator's scale bench: 1,000 and 10,000 objects on a real API server (about 20 minutes)
	@$(MAKE) bench BENCH=operator-scale

screenshots: build ## Take the pictures in hack/docs/img of a platform with a company's data
	@hack/tools/ensure-program.sh chromium
	@node hack/tools/screenshots/main.mjs

.PHONY: verify check lint boundaries dead-code proto stale
verify: stale lint boundaries dead-code check proto ## The gate: generated files current, lint, boundaries, dead code, types, proto
	@echo 'verify: everything holds.'

check: generate ## Check all types, tests included
	@tsc -p hack/config/tsconfig.check.json
	@tsc -p hack/config/tsconfig.web.json
	@tsc -p hack/config/tsconfig.browser.json

lint: generate ## Run ESLint
	@npm run --silent lint -w hack/config

boundaries: generate ## Check who may import whom
	@npm run --silent depcruise -w hack/config

dead-code: generate ## Find unused files, exports and dependencies
	@npm run --silent knip -w hack/config

proto: $(INSTALLED) ## Lint the RPC contracts and refuse breaking changes against main
	@hack/tools/check-proto.sh

stale: $(INSTALLED) ## Fail when a committed generated file is not current
	@node hack/tools/generate.mjs --check

.PHONY: clean
clean: ## Remove what build, generate and tests made (not node_modules, .tools and the data)
	@rm -rf .cache proto/gen proto/dist operator/src/generated operator/dist services/*/dist services/*/src/generated services/*/web/dist services/*/web/src/generated hack/bench/dist
