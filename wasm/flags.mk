# Compiler flags of every build, and which folder is compiled how and goes where. Included by the Makefile.
comma := ,
space := $() $()
INCLUDES := -Iinclude -Isrc
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# Same bits on every build: never contract a*b+c. No aliasing rules: buffers are reused across element types.
C_FLAGS := -std=c11 $(WARNINGS) $(INCLUDES) -ffp-contract=off -fno-math-errno -fno-strict-aliasing -MMD -MP

# ---- wasm: two builds from the same sources. Threads need no build of their own: web/shared_module.js makes the memory of either
#      a shared one.
WASM_BUILDS             := hlo hlo-relaxed
COMPILE_FOR_hlo         := -msimd128
COMPILE_FOR_hlo-relaxed := -msimd128 -mrelaxed-simd
# The folders of src/ that are the same for all builds, compiled once: with the first build's flags. No file of these sees
# kernels/simd/relaxed.h, which tests/js/include_direction.test.js checks.
WASM_SHARED := api base codegen hlo indexing math passes reference run shape text kernels/cumulative kernels/elementwise kernels/fft \
  kernels/indexed kernels/linalg kernels/move kernels/order kernels/random kernels/reduce kernels/threads kernels/window
# Unique names tell static functions of equal names apart, for wasm/toolchain/split.sh.
WASM_C_FLAGS := $(C_FLAGS) -fvisibility=hidden -funique-internal-linkage-names

# ---- the parts of a build, each a file: the first has every folder of src/ that is not listed here. web/parts.js knows their names.
WASM_PARTS := programs extras
# Programs in text, passes, code generation, loops, and operations over windows, at places that are data, on narrow floats.
WASM_programs := codegen $(addprefix codegen/,encode graph lower schedule) hlo/analysis indexing $(addprefix indexing/,maps rules) \
  $(addprefix kernels/,convolution elementwise/narrow indexed window) $(addprefix passes/,fuse layout loops lower simplify) \
  run/loops $(addprefix text/,export hlo mlir stablehlo stablehlo/import)
# Linear algebra, Fourier transforms, sorting, random numbers, rarer types and functions, other formats, queries, the oracle.
WASM_extras := codegen/wide $(addprefix hlo/infer/,algorithms devices) indexing/query $(addprefix kernels/,cumulative \
  elementwise/rare_types fft linalg order product/other_types random) $(addprefix math/,complex random wide) reference \
  run/calls/built_in run/devices/operations $(addprefix text/,bytecode proto shardy stablehlo/print)

# ---- how folders are compiled: what goes through elements for speed, all else, which decides, parses and prints, for size.
#      Kernels are unrolled by hand, other loops by vectors; more pays for polynomials, butterflies and short rows only.
WASM_UNROLLED := kernels/fft kernels/simd kernels/product/other_types math/elementary math/wide math/complex shape/view
WASM_FAST     := base kernels kernels/% math math/random run/exec
WASM_SPEED     = $(if $(filter $(WASM_UNROLLED),$1),-O3,$(if $(filter $(WASM_FAST),$1),-O3 -fno-unroll-loops,-Oz))
# What threads share beside arrays is touched here alone.
WASM_ATOMIC   := kernels/threads
# Clang has inlined what pays. More would grow functions, and V8 compiles one whole when it is called first.
# Addresses below 1024 are the end of the stack, so that an address and an offset never wrap around to them.
# Equal functions are merged by split.sh, within a part, so that none is in another part than its folder.
WASM_OPT_FLAGS := --always-inline-max-function-size=3 --flexible-inline-max-function-size=3 \
  --one-caller-inline-max-function-size=0 --low-memory-unused --skip-pass=duplicate-function-elimination
# No glue: --no-entry and STANDALONE_WASM leave a module that imports only what wasm/ declares as imported.
# The table is exported and growable because emitted code is added to it at run time.
# The linker's own -O0 keeps equal strings of different files apart, since each goes with its file.
WASM_LINK_FLAGS := -O3 -Wl,-O0 --no-entry -sSTANDALONE_WASM -sMALLOC=dlmalloc -sSUPPORT_LONGJMP=0 -sFILESYSTEM=0 \
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=1MB -Wl,--stack-first -sALLOW_TABLE_GROWTH -Wl,--export-table \
  -Wl,--export=__stack_pointer --profiling-funcs -Wl,--no-demangle -sBINARYEN_EXTRA_PASSES=$(subst $(space),$(comma),$(WASM_OPT_FLAGS))

# ---- native: the oracle build. Only here warnings are errors, since only here the compiler's version is fixed.
NATIVE_C_FLAGS := $(C_FLAGS) -Werror -O1 -g -fno-omit-frame-pointer
SANITIZE       := -fsanitize=address,undefined -fno-sanitize-recover=all
# tests/c and tests/fuzz need differently instrumented engines, embedders one that is fast.
NATIVE_BUILDS       := checked fuzzed optimized
FLAGS_FOR_checked   := $(SANITIZE)
FLAGS_FOR_fuzzed    := $(SANITIZE) -fsanitize=fuzzer-no-link
FLAGS_FOR_optimized := -O2 -g0
