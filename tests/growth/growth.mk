# The engine for tests, as one wasm file: it traps where something was written outside of its memory (src/base/guard.h), and
# counts its work (tests/growth/work.c). Quick to build: no file of it is split, and no loop unrolled.
CHECKED_WASM  := $(BUILD)/growth/hlo-checked.wasm
CHECKED_C     := $(ENGINE_C) $(WASM_C) tests/growth/work.c
CHECKED_FLAGS := $(C_FLAGS) -O1 -msimd128 -fvisibility=hidden -DHLO_GUARDS=1 -fsanitize-coverage=trace-pc
CHECKED_LINK  := $(filter-out -O3 -sBINARYEN_EXTRA_PASSES=%,$(WASM_LINK_FLAGS)) -O0 \
  $(addprefix -Wl$(comma)--wrap=,memcpy memmove memset)

$(CHECKED_WASM): $(CHECKED_C:%.c=$(BUILD)/growth/%.o) tests/growth/growth.mk $(SOURCES)
	$(call SHOW,link,$@)$(EMCC) $(CHECKED_LINK) $(filter %.o,$^) -o $@

$(BUILD)/growth/%.o: %.c wasm/flags.mk tests/growth/growth.mk | $(EMCC)
	@mkdir -p $(@D)
	$(call SHOW,checked wasm,$<)$(WASM_CC) $(CHECKED_FLAGS) $(if $(filter $(WASM_ATOMIC),$(call FOLDER,$*)),-matomics) -c $< -o $@

$(addprefix tests/js/,guards.test.js.run growth.test.js.run): $(CHECKED_WASM)

.PHONY: growth
growth: $(CHECKED_WASM) web/exports.js ## How work grows with every dimension of programs; ONLY names families
	@node --max-old-space-size=8000 tests/growth/run.js 8000 $(ONLY)
