# Builds and tests hlo-wasm. `make help` lists the targets. Sources are found by name, headers by the compiler:
# adding a file never means editing this one.
#
#   make test-native ONLY=layout            only the test programs whose name contains "layout"
#   make test-js ONLY=shape                 only the JavaScript tests whose file name contains "shape"
#   make bench ONLY="dot softmax"           only the workloads whose name contains "dot" or "softmax"
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
# MATCHING files: those whose name contains $(ONLY).
MATCHING   = $(if $(ONLY),$(strip $(foreach f,$1,$(if $(findstring $(ONLY),$(notdir $f)),$f))),$1)
TEST_C    := $(call MATCHING,$(wildcard tests/c/*_test.c))
FUZZ_C    := $(call MATCHING,$(wildcard tests/fuzz/*_fuzz.c))
TEST_JS   := $(call MATCHING,$(wildcard tests/js/*.test.js tests/ops/*.test.js tests/browser/*.test.js))
SUPPORT_C := $(filter-out %_test.c,$(wildcard tests/c/*.c))

.PHONY: coverage help all native wasm bundles bundlers types editor reference operations test test-embed test-native test-fuzz test-js fuzz bench survey demo start \
  format format-check typecheck toolchain test-tools clean

help: ## List the targets
	@echo "Targets:"; sed -nE 's/^([a-z-]+):.*## (.*)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-15s %s\n", $$1, $$2 }'
	@echo; sed -nE '4,9s/^# ?//p' Makefile

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
$(shell mkdir -p $(BUILD); echo '$(ENGINE_C) $(WASM_C) $(SUPPORT_C)' >$(SOURCES).$$$$; \
  if cmp -s $(SOURCES).$$$$ $(SOURCES); then rm $(SOURCES).$$$$; else mv $(SOURCES).$$$$ $(SOURCES); fi)

# ---------------------------------------------------------------- wasm

wasm: web/exports.js $(foreach b,$(WASM_BUILDS),web/wasm/$b.wasm $(WASM_PARTS:%=web/wasm/$b-%.wasm)) ## Both wasm builds

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
	$$(call SHOW,link,$$@)$(EMCC) $(WASM_LINK_FLAGS) $(COMPILE_FOR_$1) $(LINK_FOR_$1) -Wl,-Map=$$@.map $$(filter %.o,$$^) -o $$@

$(BUILD)/wasm/$1.wasm $(WASM_PARTS:%=$(BUILD)/wasm/$1-%.wasm) &: $(BUILD)/wasm/$1.whole.wasm wasm/flags.mk wasm/toolchain/split.sh
	$$(call SHOW,split,$$<)wasm/toolchain/split.sh $$< $$<.map $(BUILD)/wasm/$1.wasm \
	  $(foreach f,$(WASM_PARTS),$(BUILD)/wasm/$1-$f.wasm $f "$(WASM_OF_$f)")

$(BUILD)/wasm/$1/%.o: %.c wasm/flags.mk | $(EMCC)
	@mkdir -p $$(@D)
	$$(call SHOW,$1,$$<)$(WASM_CC) $(WASM_C_FLAGS) $(COMPILE_FOR_$1) \
	  $$(call WASM_SPEED,$$(call FOLDER,$$*)) $$(if $$(filter $$(WASM_ATOMIC),$$(call FOLDER,$$*)),-matomics) -c $$< -o $$@
endef
$(foreach b,$(WASM_BUILDS),$(eval $(call WASM_BUILD,$b)))

# ---------------------------------------------------------------- bundles: what the package's names lead to, in few files

SOURCES_JS := $(sort web/exports.js $(filter-out web/bundle-% web/numpy/bundle-% web/worker/bundle-% web/wasm/%,$(wildcard web/*.js web/*/*.js)))
# Lines are limited since Node prints the whole line that an error was thrown on before it says what is wrong.
BUNDLE     := $(BIN)/esbuild --bundle --format=esm --target=es2022 --minify-whitespace --minify-syntax --legal-comments=none \
  --line-limit=1000 --log-level=warning

bundles: web/bundle-index.js ## The JavaScript in few files, which load sooner

# They stand among their sources, so that all addresses relative to those hold. The main one is a single file, which needs no
# other to be loaded; the others import from it, so that there is one class of each name. The workers' script stands beside the
# wasm files, so that one folder is all that has to be served beside a bundle: a classic script, which has no import.meta and is
# told all addresses.
web/bundle-index.js: $(SOURCES_JS) node_modules/.package-lock.json Makefile
	@rm -f web/bundle-*.js && $(BUNDLE) --minify-identifiers web/index.js --outfile=$@
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

SUPPORT_O     := $(SUPPORT_C:%.c=$(BUILD)/checked/%.o)
TEST_PROGRAMS := $(TEST_C:tests/c/%.c=$(BUILD)/native/tests/%)
FUZZ_PROGRAMS := $(FUZZ_C:tests/fuzz/%.c=$(BUILD)/native/fuzz/%)
LINK_NATIVE   := $(CLANG) -fuse-ld=lld

$(BUILD)/native/tests/%: $(BUILD)/checked/tests/c/%.o $(SUPPORT_O) $(BUILD)/checked/libhlo.a
	@mkdir -p $(@D)
	$(call SHOW,link,$@)$(LINK_NATIVE) $(FLAGS_FOR_checked) $^ -lm -o $@

$(BUILD)/native/fuzz/%: $(BUILD)/fuzzed/tests/fuzz/%.o $(BUILD)/fuzzed/libhlo.a
	@mkdir -p $(@D)
	$(call SHOW,link,$@)$(LINK_NATIVE) $(FLAGS_FOR_fuzzed) -fsanitize=fuzzer $^ -lm -o $@

.SECONDARY:
-include $(shell find $(BUILD)/wasm $(addprefix $(BUILD)/,$(NATIVE_BUILDS)) -name '*.d' 2>/dev/null)

# ---------------------------------------------------------------- tests

export ASAN_SYMBOLIZER_PATH ?= $(shell command -v llvm-symbolizer-19)

# One step after the other, so that their reports do not mix; all of them, so that one failure does not hide another.
test: ## Everything: format, types, native, fuzzing for seconds, JavaScript, browser
	@failed=; for step in format-check typecheck test-embed test-native test-fuzz test-js; do \
	  echo "== $$step"; $(MAKE) $$step || failed="$$failed $$step"; \
	done; if [ -n "$$failed" ]; then echo "FAILED:$$failed"; exit 1; else echo "all passed"; fi

# The example prints what its own head says.
test-embed: $(BUILD)/native/embed ## The native library, by its example
	@want=$$(sed -nE 's#^// prints "(.*)"\.$$#\1#p' examples/embed.c); got=$$($<) && [ -n "$$want" ] && [ "$$got" = "$$want" ] || \
	  { echo "examples/embed.c printed \"$$got\", not \"$$want\""; exit 1; }; echo "the example printed $$got"

test-native: $(TEST_PROGRAMS) ## C tests under address and undefined-behaviour sanitizers
	@[ -n "$^" ] || { echo "no test program matches \"$(ONLY)\""; exit 1; }
	@failed=; for program in $(sort $^); do $$program || failed="$$failed $$program"; done; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed"; exit 1; else echo "native tests: $(words $^) programs passed"; fi

COVERED := $(BUILD)/native/covered/op_cases_test

$(COVERED): $(patsubst %.c,$(BUILD)/covered/%.o,tests/c/op_cases_test.c $(SUPPORT_C)) $(BUILD)/covered/libhlo.a
	@mkdir -p $(@D)
	$(call SHOW,link,$@)$(LINK_NATIVE) $(FLAGS_FOR_covered) $^ -lm -o $@

# What is left of the evaluator is what custom calls (LAPACK's, TopK), reductions among processes, and sizes that a parser computes
# need of it: no instruction does.
coverage: $(COVERED) ## Lines that the op cases run by the oracle execute, of it and of the evaluator it is to judge
	@LLVM_PROFILE_FILE=$<.raw $< "" "" reference
	@llvm-profdata-19 merge -o $<.data $<.raw
	@for folder in src/reference src/kernels src/kernels/simd; do \
	  llvm-cov-19 report -instr-profile=$<.data $< $$folder | awk -v folder=$$folder ' \
	    $$1 ~ /\.[ch]$$/ { lines += $$8; run += $$8 - $$9 } $$1 ~ /\.[ch]$$/ && $$8 > $$9 && folder != "src/reference" { print "  " $$1 ": " $$8 - $$9 } \
	    END { print folder ": " run " of " lines " lines" }'; \
	done

# RUN_FUZZ directory-that-grows, how long: arguments
define RUN_FUZZ
@for program in $(sort $^); do \
  name=$$(basename $$program); echo "fuzzing $$name"; \
  mkdir -p $(BUILD)/fuzz/$1/$$name; \
  corpus=tests/fuzz/corpus/$${name%_fuzz}; words=tests/fuzz/$${name%_fuzz}.dict; \
  [ -d $$corpus ] || corpus=; [ -f $$words ] && words=-dict=$$words || words=; \
  $$program $2 -timeout=20 -rss_limit_mb=3000 -max_len=20000 $$words \
    -artifact_prefix=$(BUILD)/fuzz/$$name- $(BUILD)/fuzz/$1/$$name $$corpus \
    2>$(BUILD)/fuzz/$$name.log || { tail -n 60 $(BUILD)/fuzz/$$name.log; exit 1; }; \
  grep -E '^Done ' $(BUILD)/fuzz/$$name.log; \
done
endef

# Comparisons' operands, which hold addresses, do not guide it: so all runs are the same everywhere.
test-fuzz: $(FUZZ_PROGRAMS) ## Each fuzz target for some seconds, always the same runs
	@rm -rf $(BUILD)/fuzz/once
	$(call RUN_FUZZ,once,-seed=1 -use_cmp=0 -runs=60000)

fuzz: $(FUZZ_PROGRAMS) ## Each fuzz target for FUZZ_SECONDS, going on from what earlier runs found
	$(call RUN_FUZZ,corpus,-max_total_time=$(FUZZ_SECONDS))

test-js: all test-tools $(patsubst %,tests/%/node_modules/.package-lock.json,bundlers runtimes) ## JavaScript, op-case and browser tests, by Node's test runner
	@[ -n "$(TEST_JS)" ] || { echo "no test file matches \"$(ONLY)\""; exit 1; }
	node --test --test-reporter=spec $(TEST_JS)

bundlers: all test-tools tests/bundlers/node_modules/.package-lock.json ## The package in default projects of all bundlers: Vite 6 to 8, Parcel, Rollup, webpack, esbuild
	HLO_BUNDLERS=all node --test --test-reporter=spec tests/browser/bundlers.test.js

operations: wasm ## Write docs/operations.md from the op cases that pass
	node tests/ops/table.js

bench: wasm test-tools bundles node_modules/.package-lock.json tests/bench/node_modules/.package-lock.json ## Benchmarks beside peers and limits; README=1 writes the README's
	@PATH="$(CURDIR)/tests/bench/node_modules/.bin:$$PATH" node tests/bench/run.js \
	  $(foreach part,$(ONLY),--only $(part)) $(if $(README),--readme)

survey: wasm tests/bench/node_modules/.package-lock.json ## Hundreds of JAX programs beside XLA's CPU backend; needs HLO_PYTHON with JAX
	@PATH="$(CURDIR)/tests/bench/node_modules/.bin:$$PATH" node tests/bench/survey.js $(ONLY)

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

demo/reference.html: demo/make_reference.js demo/shapes.html web/signatures.js web/numpy/index.js $(BUILD)/types.made
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
	rm -rf $(filter-out $(BUILD)/toolchain,$(wildcard $(BUILD)/*)) web/wasm web/exports.js web/bundle-*.js web/*/bundle-index.js types demo/editor.bundle.js demo/reference.html *.tgz
