# The build of isogate. `make help` lists the targets; every target fetches what
# it needs first (deps). Needed on the machine: Go, a C++ compiler, make, git.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

GO ?= go

# Packages whose tests run goroutines against each other, and so run under the
# race detector. Everything else is tested without it, which is several times faster.
RACE := ./protocol/... ./pool/... ./executor/... ./server/... ./codemode ./gate/...

# The targets that must keep type-checking without cgo and without Linux.
CROSS := darwin/arm64 linux/arm64

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: deps
deps: ## download the modules and link V8's headers where sandbox/v8 looks for them
	@command -v $(GO) >/dev/null || { echo "make: Go is missing: install Go 1.26 or newer (https://go.dev/dl)" >&2; exit 1; }
	@cxx=$$($(GO) env CXX); command -v $${cxx%% *} >/dev/null || { \
		echo "make: the C++ compiler '$$cxx' is missing: install g++ (Debian, Ubuntu: apt-get install g++) or set CXX" >&2; exit 1; }
	@$(GO) mod download
	@headers=$$($(GO) list -m -f '{{.Dir}}' rogchap.com/v8go)/deps/include; \
	test -f "$$headers/v8.h" || { echo "make: rogchap.com/v8go has no headers at $$headers" >&2; exit 1; }; \
	test "$$(readlink sandbox/v8/include || true)" = "$$headers" || ln -sfn "$$headers" sandbox/v8/include

.PHONY: build
build: deps ## build bin/isogate and bin/gate
	$(GO) build -o bin/ ./cmd/...

# One package at a time: many tests measure time, and would measure each other.
.PHONY: test
# Bounds on memory and deep stacks are tested without the race detector, whose memory would count.
test: lint cross ## lint, then run every test; the concurrent packages under the race detector
	$(GO) test -race -p 1 $(RACE)
	$(GO) test -p 1 -run 'Memory' ./pool
	$(GO) test -p 1 -run 'TestEveryFault' ./executor
	$(GO) test -p 1 $$(comm -23 <($(GO) list ./... | sort) <($(GO) list $(RACE) | sort))
	$(MAKE) test-node

# With the real @cloudflare/codemode and a server of this build. Its packages come from a registry
# once; the lock file has their hashes.
.PHONY: test-node
test-node: build ## test the npm client, where there is Node 20 or newer and a registry of packages
	@cd codemode/npm; \
	if ! command -v npm >/dev/null || ! node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null; then \
		echo "make: test-node is skipped: there is no Node.js 20 or newer with npm"; exit 0; \
	fi; \
	if ! cmp -s package-lock.json node_modules/.installed; then \
		if ! npm ping --fetch-retries=0 --fetch-timeout=20000 >/dev/null 2>&1; then \
			echo "make: test-node is skipped: its packages are not installed and npm reaches no registry"; exit 0; \
		fi; \
		npm ci --no-progress && cp package-lock.json node_modules/.installed; \
	fi; \
	npm run build && npm test

.PHONY: gate
gate: build ## replay the attacks, run the controls and a short benchmark, write the report
	bin/gate

.PHONY: bench
bench: build ## run the benchmark alone; the output is Go benchmark text
	bin/gate bench

.PHONY: lint
lint: deps ## check formatting, go vet, staticcheck
	@files=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); \
	test -z "$$files" || { echo "make: not formatted, run gofmt -w on:" >&2; echo "$$files" >&2; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# Cross-compiling leaves cgo out, so sandbox/v8 is seen through its build tags only.
.PHONY: cross
cross: deps ## type-check for the platforms that are not tested, without cgo
	@for target in $(CROSS); do \
		echo "CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) vet ./..."; \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} $(GO) vet ./...; \
	done

.PHONY: clean
clean: ## remove what the build made
	rm -rf bin build sandbox/v8/include
