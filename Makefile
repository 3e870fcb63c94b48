# Two commands do all the set-up on a fresh machine: `make run` and `make test`.

CARGO ?= cargo
# What the tests drive, beside the Rust toolchain: real shells and real programs.
PACKAGES := bash dash fish zsh vim less procps python3 python3-venv tmux util-linux chromium fonts-dejavu-core iproute2 bubblewrap shellcheck openssh-server
# What the desktop window is built with, what it runs on, and what its tests drive it with.
WINDOW_BUILD := g++ lld qt6-base-dev qt6-declarative-dev
WINDOW_RUN := qml6-module-qtquick qml6-module-qtquick-controls qml6-module-qtquick-templates qml6-module-qtquick-layouts \
	qml6-module-qtquick-window qml6-module-qtqml-workerscript fonts-dejavu-core
WINDOW_TEST := xvfb x11-xkb-utils xdotool imagemagick dbus at-spi2-core gir1.2-atspi-2.0 python3-gi
CARGO_DENY_VERSION := 0.20.2
TOOLS := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/flightdeck/tools

# What the page is built from.
PAGE := $(shell find web/src web/public -type f) web/index.html web/package-lock.json web/vite.config.ts web/tsconfig.json \
	web/scripts/compress.mjs

.PHONY: help run build desktop desktop-check desktop-test desktop-screenshots web test setup format clippy deny unit e2e web-test web-e2e screenshots generate bench bench-acp bench-bridge bench-files bench-mcp bench-policy bench-tabs bench-web bench-desktop fuzz clean

help: ## List the targets
	@grep -E '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: web ## Build Flightdeck and start it on the current folder
	$(CARGO) run --profile quick --quiet --package flightdeck -- serve "$(CURDIR)"

build: web ## Build target/release/flightdeck
	$(CARGO) build --release --package flightdeck

# The window is a workspace of its own, so that the rest is built without Qt; its target folder is the same, so that the
# programs lie beside each other.
TARGET := $(abspath $(or $(CARGO_TARGET_DIR),target))

desktop: ## Install what the desktop window needs, and build target/release/interactive-terminal
	@./scripts/packages $(WINDOW_BUILD) $(WINDOW_RUN)
	cd crates/desktop && CARGO_TARGET_DIR="$(TARGET)" $(CARGO) build --release --locked

desktop-check: ## Check and build the desktop window for its tests
	@./scripts/packages $(WINDOW_BUILD) $(WINDOW_RUN) $(WINDOW_TEST)
	cd crates/desktop && $(CARGO) fmt --check
	cd crates/desktop && CARGO_TARGET_DIR="$(TARGET)" $(CARGO) clippy --locked --all-targets --quiet -- --deny warnings
	cd crates/desktop && CARGO_TARGET_DIR="$(TARGET)" $(CARGO) build --locked --quiet --all-targets
	cd crates/desktop && CARGO_TARGET_DIR="$(TARGET)" $(CARGO) test --locked --quiet
	cd crates/desktop && PATH="$(TOOLS)/bin:$$PATH" $(CARGO) deny --log-level error --config ../../deny.toml check bans licenses sources

desktop-test: desktop-check ## Stories of people and agents in the desktop window, on a display of its own
	$(CARGO) build --quiet --workspace --all-targets
	$(CARGO) nextest run --workspace --run-ignored ignored-only --filterset 'test(/^window::/)'

web: web/dist/index.html ## Build the page of the workbench, which becomes a part of the program

web/node_modules/.package-lock.json: web/package-lock.json
	@cd web && ../scripts/node "$(TOOLS)" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(PAGE)
	@cd web && ../scripts/node "$(TOOLS)" npm run --silent build

# The page first: it is quick, and a part of the program.
test: setup format web web-test clippy deny unit web-e2e desktop-test ## Install what the tests need, then check and test everything

web-test: web/node_modules/.package-lock.json ## Check the page's types, and run its unit tests
	cd web && ../scripts/node "$(TOOLS)" npm run --silent check
	cd web && ../scripts/node "$(TOOLS)" npm run --silent test

web-e2e: web/dist/index.html ## Stories of people and agents, in a real browser
	$(CARGO) build --quiet --workspace --all-targets
	cd web && ../scripts/node "$(TOOLS)" npm run --silent e2e

screenshots: web/dist/index.html ## Take the pictures of the README anew
	$(CARGO) build --quiet --workspace --all-targets
	cd web && ../scripts/node "$(TOOLS)" node e2e/screenshots.mjs ../docs/pictures

desktop-screenshots: desktop-check ## Take the pictures of the desktop window anew
	$(CARGO) build --quiet --workspace --bin flightdeck
	./scripts/window-pictures "$(TARGET)/debug" docs/pictures

setup: ## Install the programs that the tests drive (Debian packages, cargo-nextest, cargo-deny)
	@./scripts/setup "$(TOOLS)" "$(CARGO_DENY_VERSION)" $(PACKAGES) $(WINDOW_BUILD) $(WINDOW_RUN) $(WINDOW_TEST)
	@./scripts/clients >/dev/null
	@./scripts/agents >/dev/null

format:
	$(CARGO) fmt --all --check

clippy:
	$(CARGO) clippy --workspace --all-targets --quiet -- --deny warnings

deny:
	PATH="$(TOOLS)/bin:$$PATH" $(CARGO) deny --log-level error check bans licenses sources

# All targets at once, so that the program under test and the tests share one build of every dependency.
unit: ## Unit, property and end-to-end tests
	$(CARGO) build --quiet --workspace --all-targets
	$(CARGO) nextest run --workspace

e2e: ## The end-to-end tests alone
	$(CARGO) build --quiet --workspace --all-targets
	$(CARGO) nextest run --workspace --filterset 'package(flightdeck-e2e)'

generate: ## Write docs/commands.md and web/src/commands.ts from the commands' definitions, what the window needs of them, and the failures of docs/operators.md
	FLIGHTDECK_GENERATE=1 $(CARGO) test --quiet --package flightdeck-core --test generated
	FLIGHTDECK_GENERATE=1 $(CARGO) test --quiet --package flightdeck-contract --test canonical operators
	FLIGHTDECK_GENERATE=1 $(CARGO) test --quiet --package flightdeck-view the_list_is_that_of_the_commands

bench: ## Measure the engine beside its peers, in one run
	$(CARGO) build --release --package flightdeck --package flightdeck-bench
	$(CARGO) run --release --quiet --package flightdeck-bench --bin engine

bench-acp: ## Measure what agents over ACP cost the hub: many terminals, much output, many open requests
	$(CARGO) build --release --package flightdeck
	./bench/acp/bench.py "$(TARGET)/release/flightdeck"

bench-mcp: ## Compare `flightdeck mcp` with other MCP servers, in one run (needs Node.js)
	$(CARGO) build --release --package flightdeck --package flightdeck-bench
	-./bench/peers/install
	$(CARGO) run --release --quiet --package flightdeck-bench --bin mcp

bench-files: ## Measure files, panes and editors through MCP, beside ripgrep
	$(CARGO) build --release --package flightdeck --package flightdeck-bench
	$(CARGO) run --release --quiet --package flightdeck-bench --bin files

bench-policy: ## Measure how long deciding about a command takes, beside the bare parser
	$(CARGO) run --release --quiet --package flightdeck-bench --bin policy

bench-tabs: ## Measure tabs on tmux and on PTYs, in one run
	$(CARGO) build --release --package flightdeck --package flightdeck-bench
	$(CARGO) run --release --quiet --package flightdeck-bench --bin tabs

bench-bridge: ## Measure requests and output over the bridge, beside the local hub, in one run
	$(CARGO) build --release --package flightdeck --package flightdeck-bench
	$(CARGO) run --release --quiet --package flightdeck-bench --bin bridge

bench-web: web/dist/index.html ## Measure terminals in a browser, beside wetty, in one run, and a long conversation
	$(CARGO) build --release --package flightdeck
	-./scripts/node "$(TOOLS)" ./bench/web/install
	FLIGHTDECK_BIN="$(abspath $(or $(CARGO_TARGET_DIR),target))/release/flightdeck" ./scripts/node "$(TOOLS)" node bench/web/bench.mjs
	FLIGHTDECK_BIN="$(abspath $(or $(CARGO_TARGET_DIR),target))/release/flightdeck" ./scripts/node "$(TOOLS)" node bench/web/chat.mjs

bench-desktop: desktop ## Measure the desktop window on a display of its own, beside xterm
	@./scripts/packages $(WINDOW_TEST) xterm python3-xlib
	$(CARGO) build --release --package flightdeck
	./bench/desktop/bench.py "$(TARGET)/release"

FUZZ_SECONDS ?= 180
fuzz: ## Fuzz the bridge's lines, the policy's two readers, commands and rules, and the paths of files, for FUZZ_SECONDS each
	./fuzz/run bridge $(FUZZ_SECONDS)
	./fuzz/run classify $(FUZZ_SECONDS)
	./fuzz/run paths $(FUZZ_SECONDS)
	./fuzz/run rules $(FUZZ_SECONDS)

clean:
	$(CARGO) clean
