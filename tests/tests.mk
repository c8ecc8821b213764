# The tests: each native program, fuzz target and JavaScript file is a target of its own, `<file>.run`, so that make keeps all
# cores busy with whatever is ready, shows a report in one piece, and goes on after a failure. Included by the Makefile.

# MATCHING files: those whose name contains $(ONLY).
MATCHING   = $(if $(ONLY),$(strip $(foreach f,$1,$(if $(findstring $(ONLY),$(notdir $f)),$f))),$1)
TEST_C    := $(call MATCHING,$(wildcard tests/c/*_test.c))
FUZZ_C    := $(call MATCHING,$(wildcard tests/fuzz/*_fuzz.c))
TEST_JS   := $(call MATCHING,$(wildcard tests/js/*.test.js tests/ops/*.test.js tests/browser/*.test.js))
SUPPORT_C := $(filter-out %_test.c,$(wildcard tests/c/*.c))

.PHONY: test test-embed test-native test-fuzz test-js check format-changed random fuzz coverage bundlers

# ---------------------------------------------------------------- programs

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

# ---------------------------------------------------------------- runs

export ASAN_SYMBOLIZER_PATH ?= $(shell command -v llvm-symbolizer-19)

REPORTS := $(BUILD)/reports
RUN     := REPORTS=$(REPORTS) SHOW_ALL="$(ONLY)" tests/run.sh

NATIVE_RUNS := $(TEST_PROGRAMS:=.run)
FUZZ_RUNS   := $(FUZZ_PROGRAMS:=.run)
JS_RUNS     := $(TEST_JS:=.run)
STEP_RUNS   := format-check.run typecheck.run test-embed.run format-changed.run
.PHONY: $(NATIVE_RUNS) $(FUZZ_RUNS) $(JS_RUNS) $(STEP_RUNS)

# What takes longest starts first, so that nothing long is left alone at the end.
LONG       := $(foreach f,runtimes other_browsers accessibility long_products playground large_programs ops,%/$f.test.js.run)
LONG_FIRST  = $(filter $(LONG),$1) $(filter-out $(LONG),$1)

$(NATIVE_RUNS): %.run: %
	@$(RUN) $* $<

$(JS_RUNS): %.run: all test-tools $(patsubst %,tests/%/node_modules/.package-lock.json,bundlers runtimes)
	@$(RUN) $* node --test-reporter=spec $*

$(STEP_RUNS): %.run:
	+@$(RUN) $* $(MAKE) $*

# FUZZ directory-that-grows, how long: the arguments of the fuzz target $*. Comparisons' operands, which hold addresses, do not guide
# runs that are to be the same everywhere.
FUZZ = $* $2 -timeout=20 -rss_limit_mb=3000 -max_len=20000 $(addprefix -dict=,$(wildcard tests/fuzz/$(*F:_fuzz=).dict)) \
  -artifact_prefix=$(BUILD)/fuzz/$(*F)- $(BUILD)/fuzz/$1/$(*F) $(wildcard tests/fuzz/corpus/$(*F:_fuzz=))

$(FUZZ_RUNS): %.run: %
	@rm -rf $(BUILD)/fuzz/once/$(*F); mkdir -p $(BUILD)/fuzz/once/$(*F)
	@$(RUN) $* $(call FUZZ,once,-seed=1 -use_cmp=0 -runs=60000)

# RUN_ALL targets: and says at the end what has not passed, for whatever reason.
define RUN_ALL
@[ -n "$(strip $1)" ] || { echo "there is no test to run$(if $(ONLY), whose name contains \"$(ONLY)\")"; exit 1; }
@rm -rf $(REPORTS)
+@$(MAKE) -k -Otarget $1 || true
@REPORTS=$(REPORTS) tests/summary.sh $(basename $1)
endef

# Some of the targets are made by a make of their own: what all of these would set up is there before.
test check: toolchain

test: ## Everything: format, types, native, fuzzing for seconds, JavaScript, browsers
	$(call RUN_ALL,format-check.run typecheck.run test-embed.run $(call LONG_FIRST,$(JS_RUNS)) $(FUZZ_RUNS) $(NATIVE_RUNS))

test-native: ## C tests under address and undefined-behaviour sanitizers
	$(call RUN_ALL,$(NATIVE_RUNS))

test-fuzz: ## Each fuzz target for some seconds, always the same runs
	$(call RUN_ALL,$(FUZZ_RUNS))

test-js: ## JavaScript, op-case and browser tests
	$(call RUN_ALL,$(call LONG_FIRST,$(JS_RUNS)))

# The files that differ from where origin/main was left, or from BASE.
BASE    ?= $(shell git merge-base HEAD origin/main 2>/dev/null || echo HEAD)
CHANGED  = $(shell git diff --name-only --diff-filter=d $(BASE); git ls-files --others --exclude-standard)

check: ## What the changes since origin/main, or since BASE=…, break first, in a minute or two
	$(call RUN_ALL,$(if $(CHANGED),$(shell node tests/check.js $(BUILD) $(CHANGED))))

format-changed: test-tools node_modules/.package-lock.json
	@files="$(filter %.c %.h,$(CHANGED))"; [ -z "$$files" ] || $(FORMAT_C) --dry-run -Werror $$files
	@files="$(CHANGED)"; [ -z "$$files" ] || $(BIN)/prettier --log-level=warn --check --ignore-unknown $$files

# Tests of random programs are those that are given seeds; a failure says its own.
RANDOM_RUNS = $(addsuffix .run,$(filter $(shell grep -l 'random_seeds' $(TEST_JS) /dev/null),$(TEST_JS)) \
  $(patsubst tests/c/%.c,$(BUILD)/native/tests/%,$(filter $(shell grep -lE 'for_each_seed' $(TEST_C) /dev/null),$(TEST_C))))

random: export SEEDS ?= 2000
random: ## Random programs of SEEDS=2000 seeds each, from SEED=1 on
	$(call RUN_ALL,$(RANDOM_RUNS))

# The example prints what its own head says.
test-embed: $(BUILD)/native/embed ## The native library, by its example
	@want=$$(sed -nE 's#^// prints "(.*)"\.$$#\1#p' examples/embed.c); got=$$($<) && [ -n "$$want" ] && [ "$$got" = "$$want" ] || \
	  { echo "examples/embed.c printed \"$$got\", not \"$$want\""; exit 1; }; echo "the example printed $$got"

# ---------------------------------------------------------------- longer, and about the tests

fuzz: ## Each fuzz target for FUZZ_SECONDS, going on from what earlier runs found
	$(call RUN_ALL,$(FUZZ_PROGRAMS:=.fuzz))

.PHONY: $(FUZZ_PROGRAMS:=.fuzz)
$(FUZZ_PROGRAMS:=.fuzz): %.fuzz: %
	@mkdir -p $(BUILD)/fuzz/corpus/$(*F)
	@$(RUN) $* $(call FUZZ,corpus,-max_total_time=$(FUZZ_SECONDS))

bundlers: all test-tools tests/bundlers/node_modules/.package-lock.json ## The package in default and generated projects of all bundlers: Vite 6 to 8, Next.js, Parcel, Rollup, webpack, esbuild, Bun
	HLO_BUNDLERS=all node --test --test-concurrency=1 --test-reporter=spec tests/browser/bundlers.test.js \
	  tests/browser/generated_projects.test.js

COVERED := $(BUILD)/native/covered/op_cases_test

$(COVERED): $(patsubst %.c,$(BUILD)/covered/%.o,tests/c/op_cases_test.c $(SUPPORT_C)) $(BUILD)/covered/libhlo.a
	@mkdir -p $(@D)
	$(call SHOW,link,$@)$(LINK_NATIVE) $(FLAGS_FOR_covered) $^ -lm -o $@

# Of the kernels it is to be none: the oracle needs nothing of what it judges.
coverage: $(COVERED) ## Lines that the op cases run by the oracle execute, of it and of the evaluator it is to judge
	@LLVM_PROFILE_FILE=$<.raw $< "" "" reference
	@llvm-profdata-19 merge -o $<.data $<.raw
	@for folder in src/reference src/kernels src/kernels/simd; do \
	  llvm-cov-19 report -instr-profile=$<.data $< $$folder | awk -v folder=$$folder ' \
	    $$1 ~ /\.[ch]$$/ { lines += $$8; run += $$8 - $$9 } $$1 ~ /\.[ch]$$/ && $$8 > $$9 && folder != "src/reference" { print "  " $$1 ": " $$8 - $$9 } \
	    END { print folder ": " run " of " lines " lines" }'; \
	done
