# Builds and tests hlo-wasm. `make help` lists the targets. Sources are found by name, headers by the compiler:
# adding a file never means editing this one.
#
#   make test-native ONLY=layout            only the test programs whose name contains "layout"
#   make test-js ONLY=shape                 only the JavaScript tests whose file name contains "shape"
#   make bench ONLY="dot softmax"           only the workloads whose name contains "dot" or "softmax"
#   make neighbours FAMILY=dot LIMIT=20      so many of the generated programs; what was timed at this commit is not again
#   make check BASE=HEAD~3                  what these commits, and what is not committed, can have broken
#   make random SEEDS=100000 ONLY=loops     random programs; SEED=17 make test-js ONLY=loops repeats one
#   make fuzz FUZZ_SECONDS=600              as long as wanted; a find is left in build/fuzz/
#   make test-native DIRS="base shape"      only these folders of src/ (while others do not compile)
#   make ... BUILD=/tmp/mine                a private build directory

BUILD        ?= build
JOBS         ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_SECONDS ?= 60
ONLY         ?=
DIRS         ?= *

include wasm/flags.mk

TOOLCHAIN := build/toolchain
EMCC      := $(TOOLCHAIN)/bin/emcc
WASM_CC   ?= $(TOOLCHAIN)/bin/wasm-clang
CLANG     ?= clang-19
FORMAT_C  ?= clang-format-19
BIN       := node_modules/.bin

ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS) --no-print-directory
endif
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

# `make V=1` shows the commands, not only what they make.
ifeq ($(V),)
SHOW = @echo "  $1 $2";
endif

ENGINE_C  := $(wildcard $(foreach d,$(DIRS),src/$d/*.c src/$d/*/*.c src/$d/*/*/*.c))
WASM_C    := $(wildcard wasm/*.c)
ALL_C     := $(wildcard include/*.h examples/*.c src/*/*.[ch] src/*/*/*.[ch] src/*/*/*/*.[ch] wasm/*.[ch] tests/c/*.[ch] tests/fuzz/*.[ch])

.PHONY: help all native wasm bundles types editor reference operations bench compare survey neighbours demo start format format-check typecheck \
  toolchain test-tools clean

help: ## List the targets
	@echo "Targets:"; sed -nE 's/^([a-z-]+):.*## (.*)/  \1|\2/p' Makefile tests/tests.mk tests/growth/growth.mk | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'
	@echo; sed -nE '/^#   make/s/^# ?//p' Makefile

all: wasm bundles types editor reference ## Both wasm builds, put beside the JavaScript, bundles, types, the demo's editor and reference

# ---------------------------------------------------------------- set-up

toolchain: $(EMCC) test-tools node_modules/.package-lock.json ## Set up compilers, Chromium and npm packages (needs network once)

# setup.sh looks at its own stamps: it is quick when there is nothing to do.
$(EMCC): wasm/toolchain/setup.sh
	@bash wasm/toolchain/setup.sh emcc && touch $@

test-tools:
	@bash wasm/toolchain/setup.sh tests

node_modules/.package-lock.json: package-lock.json
	npm ci --no-audit --no-fund --prefer-offline
	@touch $@

# Changes only when a source is added or removed: what is made of all sources depends on it.
SOURCES := $(BUILD)/sources
$(shell mkdir -p $(BUILD); echo '$(ENGINE_C) $(WASM_C)' >$(SOURCES).$$$$; \
  if cmp -s $(SOURCES).$$$$ $(SOURCES); then rm $(SOURCES).$$$$; else mv $(SOURCES).$$$$ $(SOURCES); fi)

# ---------------------------------------------------------------- wasm

WASM_OUT := $(foreach b,$(WASM_BUILDS),web/wasm/$b.wasm $(WASM_PARTS:%=web/wasm/$b-%.wasm))

wasm: web/exports.js $(WASM_OUT) ## Both wasm builds
	@rm -f $(filter-out $(WASM_OUT),$(wildcard web/wasm/*.wasm))

# What JavaScript knows of the engine's functions and numbers.
web/exports.js: wasm/toolchain/make_exports.js include/hlo.h wasm/threads.h
	@node $^ $@.$$$$ && mv $@.$$$$ $@

web/wasm/%.wasm: $(BUILD)/wasm/%.wasm
	@mkdir -p $(@D)
	@cp $< $@.$$$$ && mv $@.$$$$ $@
	@printf '%s: %s bytes, %s compressed\n' $@ $$(wc -c <$@) $$(gzip -9c $@ | wc -c)

# The folder of src/ that a source is in, the sources of each part, and those of the first.
FOLDER      = $(patsubst src/%/,%,$(dir $1))
WASM_FILES := $(basename $(ENGINE_C) $(WASM_C))
$(foreach p,$(WASM_PARTS),$(eval WASM_OF_$p := $(foreach f,$(WASM_FILES),$(if $(filter $(call FOLDER,$f),$(WASM_$p)),$f))))
WASM_FIRST := $(filter-out $(foreach p,$(WASM_PARTS),$(WASM_OF_$p)),$(WASM_FILES))

# The object of the source $2 for the build $1.
WASM_OBJECT = $(BUILD)/wasm/$(if $(filter $(WASM_SHARED:%=src/%/%),$2),$(firstword $(WASM_BUILDS)),$1)/$2.o

# WASM_BUILD name: compiles every source with the flags of this build, links, and splits that into parts. What goes into one part
# stands together, so that its constants are one stretch of memory.
define WASM_BUILD
$(BUILD)/wasm/$1.whole.wasm: $(foreach f,$(WASM_FIRST) $(foreach l,$(WASM_PARTS),$(WASM_OF_$l)),$(call WASM_OBJECT,$1,$f)) wasm/flags.mk $(SOURCES)
	$$(call SHOW,link,$$@)$(EMCC) $(WASM_LINK_FLAGS) $(COMPILE_FOR_$1) -Wl,-Map=$$@.map $$(filter %.o,$$^) -o $$@

$(BUILD)/wasm/$1.wasm $(WASM_PARTS:%=$(BUILD)/wasm/$1-%.wasm) &: $(BUILD)/wasm/$1.whole.wasm wasm/flags.mk wasm/toolchain/split.sh
	$$(call SHOW,split,$$<)wasm/toolchain/split.sh $$< $$<.map $(BUILD)/wasm/$1.wasm \
	  $(foreach f,$(WASM_PARTS),$(BUILD)/wasm/$1-$f.wasm $f "$(WASM_OF_$f)")

$(BUILD)/wasm/$1/%.o: %.c wasm/flags.mk | $(EMCC)
	@mkdir -p $$(@D)
	$$(call SHOW,$1,$$<)$(WASM_CC) $(WASM_C_FLAGS) $(COMPILE_FOR_$1) \
	  $$(call WASM_SPEED,$$(call FOLDER,$$*)) $$(if $$(filter $$(WASM_ATOMIC),$$(call FOLDER,$$*)),-matomics) -c $$< -o $$@
endef
$(foreach b,$(WASM_BUILDS),$(eval $(call WASM_BUILD,$b)))

include tests/growth/growth.mk

# ---------------------------------------------------------------- bundles: what the package's names lead to, in few files

SOURCES_JS := $(sort web/exports.js $(filter-out web/bundle-% web/numpy/bundle-% web/worker/bundle-% web/wasm/%,$(wildcard web/*.js web/*/*.js web/*/*/*.js)))
# Lines are limited since Node prints the whole line that an error was thrown on before it says what is wrong.
BUNDLE     := $(BIN)/esbuild --bundle --format=esm --target=es2022 --minify-whitespace --minify-syntax --legal-comments=none \
  --line-limit=1000 --log-level=warning --sourcemap --sources-content=false

bundles: web/bundle-index.js ## The JavaScript in few files, which load sooner

# They stand among their sources, so that all addresses relative to those hold. The main one is a single file, which needs no
# other to be loaded; the others import from it, so that there is one class of each name. The workers' script stands beside the
# wasm files, so that one folder is all that has to be served beside a bundle: a classic script, which has no import.meta and is
# told all addresses.
web/bundle-index.js: $(SOURCES_JS) node_modules/.package-lock.json Makefile
	@rm -f web/bundle-*.js* && $(BUNDLE) --minify-identifiers web/index.js --outfile=$@
	@$(BUNDLE) web/numpy/index.js web/worker/index.js --outdir=web --entry-names=[dir]/bundle-[name] --external:../index.js
	@sed -i 's#"\.\./index\.js"#"../bundle-index.js"#g' web/*/bundle-index.js
	@$(BUNDLE) --minify-identifiers --format=iife '--define:import.meta.url=""' web/worker/worker.js --outfile=web/wasm/hlo-worker.js

# ---------------------------------------------------------------- native: the engine, its SIMD kernels over SIMDe

# NATIVE_BUILD name: compiles every source with the flags of this build, and makes an archive of them.
define NATIVE_BUILD
$(BUILD)/$1/libhlo.a: $(patsubst %.c,$(BUILD)/$1/%.o,$(ENGINE_C)) $(SOURCES)
	@rm -f $$@.new && ar rcs $$@.new $$(filter %.o,$$^) && mv $$@.new $$@

$(BUILD)/$1/%.o: %.c wasm/flags.mk | test-tools
	@mkdir -p $$(@D)
	$$(call SHOW,$1,$$<)$(CLANG) $(NATIVE_C_FLAGS) $(FLAGS_FOR_$1) -c $$< -o $$@
endef
NATIVE_BUILDS     += covered
FLAGS_FOR_covered := -fprofile-instr-generate -fcoverage-mapping
$(foreach b,$(NATIVE_BUILDS),$(eval $(call NATIVE_BUILD,$b)))

native: $(BUILD)/optimized/libhlo.a ## The engine as a native library, optimised: include/hlo.h is its interface

$(BUILD)/native/embed: examples/embed.c include/hlo.h $(BUILD)/optimized/libhlo.a
	@mkdir -p $(@D)
	$(call SHOW,link,$@)$(CLANG) -std=c11 -Wall -Wextra -Werror -Iinclude $< $(BUILD)/optimized/libhlo.a -lm -o $@

.SECONDARY:
-include $(shell find $(BUILD)/wasm $(BUILD)/growth $(addprefix $(BUILD)/,$(NATIVE_BUILDS)) -name '*.d' 2>/dev/null)

include tests/tests.mk

# ---------------------------------------------------------------- measuring, and pages that tests write

operations: wasm ## Write docs/operations.md from the op cases that pass
	node tests/ops/table.js

bench: wasm test-tools bundles node_modules/.package-lock.json tests/bench/node_modules/.package-lock.json ## Benchmarks beside peers and limits; README=1 writes the README's
	@PATH="$(CURDIR)/tests/bench/node_modules/.bin:$$PATH" node tests/bench/run.js \
	  $(foreach part,$(ONLY),--only $(part)) $(if $(README),--readme)

compare: wasm ## This checkout's times beside those of BASE=directory, another one that is built, in turn
	@PATH="$(CURDIR)/tests/bench/node_modules/.bin:$$PATH" node tests/bench/compare.js "$(BASE)" $(ONLY)

survey: wasm tests/bench/node_modules/.package-lock.json ## Hundreds of JAX programs beside XLA's CPU backend; needs HLO_PYTHON with JAX
	@PATH="$(CURDIR)/tests/bench/node_modules/.bin:$$PATH" node tests/bench/survey.js $(ONLY)

neighbours: wasm tests/bench/node_modules/.package-lock.json ## 10,000 generated programs beside XLA, one parameter at a time; FAMILY="dot fft" LIMIT=20 BASE=commit; needs HLO_PYTHON with JAX
	@PATH="$(CURDIR)/tests/bench/node_modules/.bin:$$PATH" FAMILY="$(FAMILY)" LIMIT="$(LIMIT)" BASE="$(if $(filter command,$(firstword $(origin BASE))),$(BASE))" \
	  node tests/bench/neighbours/run.js

# Packages that only tests or only benchmarks want: bundlers, other runtimes, a Node that has relaxed SIMD, the peers.
# Without network the tests and benchmarks that need them are left out.
tests/%/node_modules/.package-lock.json: tests/%/package-lock.json
	@npm ci --prefix tests/$* --no-audit --no-fund --prefer-offline && touch $@ || \
	  echo "npm could not install the packages of tests/$*"

# ---------------------------------------------------------------- demo

start: wasm bundles editor reference ## Run the example program, then serve the demo
	node demo/example.js
	node web/cli.js demo

demo: wasm bundles editor reference ## Serve the demo
	node web/cli.js demo

editor: demo/editor.bundle.js

demo/editor.bundle.js: demo/editor.js node_modules/.package-lock.json
	@$(BIN)/esbuild $< --bundle --format=esm --target=es2022 --minify --log-level=warning \
	  --banner:js="/*! Contains CodeMirror 6. $$(cat node_modules/codemirror/LICENSE) */" --outfile=$@

reference: demo/reference.html ## The API's reference as a page of the demo

demo/reference.html: demo/make_reference.js demo/shapes.html web/signatures.js web/numpy/types.js web/numpy/fft/types.js web/numpy/linalg/types.js web/numpy/random/types.js web/nn/types.js web/special/types.js $(BUILD)/types.made
	@node $<

# ---------------------------------------------------------------- format and types

format: test-tools node_modules/.package-lock.json ## Format C and JavaScript in place
	@$(FORMAT_C) -i $(ALL_C)
	@$(BIN)/prettier --log-level=warn --write .

format-check: test-tools node_modules/.package-lock.json ## Fail if a file is not formatted
	@$(FORMAT_C) --dry-run -Werror $(ALL_C)
	@$(BIN)/prettier --log-level=warn --check .

typecheck: web/exports.js node_modules/.package-lock.json ## Check the JavaScript's types
	@if ls web/*.js >/dev/null 2>&1; then $(BIN)/tsc -p tsconfig.json --noEmit; fi

types: $(BUILD)/types.made

$(BUILD)/types.made: $(SOURCES_JS) tsconfig.json node_modules/.package-lock.json
	@rm -rf types
	@if ls web/*.js >/dev/null 2>&1; then $(BIN)/tsc -p tsconfig.json; fi
	@touch $@

clean: ## Remove what was built; the toolchain and npm packages stay
	rm -rf $(filter-out $(BUILD)/toolchain,$(wildcard $(BUILD)/*)) web/wasm web/exports.js web/bundle-*.js* web/*/bundle-index.js* types demo/editor.bundle.js demo/reference.html *.tgz
