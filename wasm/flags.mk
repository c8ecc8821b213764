# Compiler flags of every build, and the list of wasm builds. Included by the Makefile.

INCLUDES := -Iinclude -Isrc -Iwasm
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes

# Same bits on every build: never contract a*b+c. No aliasing rules: buffers are reused across element types.
C_FLAGS := -std=c11 $(WARNINGS) $(INCLUDES) -ffp-contract=off -fno-math-errno -fno-strict-aliasing -MMD -MP

# ---- wasm: one row per build, from the same sources. Threads need no build of their own: web/shared_module.js makes the
#      memory of either a shared one.
WASM_BUILDS             := hlo hlo-relaxed
COMPILE_FOR_hlo         := -msimd128
COMPILE_FOR_hlo-relaxed := -msimd128 -mrelaxed-simd
LINK_FOR_hlo            :=
LINK_FOR_hlo-relaxed    :=

# The folders of src/ that are the same for all builds, compiled once: with the first build's flags.
WASM_SHARED := api hlo indexing passes run shape text
WASM_C_FLAGS := $(C_FLAGS) -Os -fvisibility=hidden
# So that wasm/toolchain/split.sh can tell static functions of equal names apart.
WASM_C_FLAGS += -funique-internal-linkage-names
# Parsers, printers, shape inference, indexing analysis, passes and plans are large and never hot.
WASM_C_FLAGS_text     := -Oz
WASM_C_FLAGS_hlo      := -Oz
WASM_C_FLAGS_indexing := -Oz
WASM_C_FLAGS_passes   := -Oz
WASM_C_FLAGS_emit     := -Oz
WASM_C_FLAGS_run      := -Oz
WASM_C_FLAGS_reference := -Oz
# What loops over elements, or goes through steps. Kernels are unrolled by hand, other loops by vectors: more does not pay,
# but for polynomials whose coefficients stand in tables, butterflies, copies of short rows, and matrices times vectors.
WASM_UNROLLED_C := $(addprefix src/base/elementary_,atan double exp f32 log power trig wide) $(addprefix src/base/,double_complex double_math vector_math_seldom wide_math) src/eval/dot_kernel_complex src/eval/dot_kernel_wide src/eval/fft% \
  src/shape/view wasm/kernels/dot
WASM_FAST_C := wasm/kernels/% $(addprefix src/base/,arena copy float_formats philox threefry vector_math) \
  $(addprefix src/eval/,apply compare convert cumulative% dot_bands dot_batches dot_bf16 dot_converted dot_kernel dot_kernel_fused dot_p% factor_batches fold fold_narrow gather iota lane% narrow \
    order_keys pointwise% pooling reduce_% scatter_rows select_and_scatter_% sort_% strided_dot topk triangular_blocks window_taps linear_algebra_%) \
  $(addprefix src/shape/,relayout scan transpose) $(addprefix src/run/,fused run step)
# Of src/eval, what only decides and calls.
WASM_SMALL_C := $(addprefix src/eval/,convolution convolution_boxes convolution_phases dot index_vectors scatter)
# The flags for one file, given without .c.
WASM_SPEED = $(if $(filter $(WASM_UNROLLED_C),$1),-O3,$(if $(filter $(WASM_FAST_C),$1),-O3 -fno-unroll-loops,$(if $(filter $(WASM_SMALL_C),$1),-Oz)))

# What threads share beside arrays is touched here alone.
WASM_ATOMIC_C := wasm/kernels/pool

# Clang has inlined what pays. More would grow functions, and V8 compiles one whole when it is called first.
# Addresses below 1024 are the end of the stack, so that an address and an offset never wrap around to them.
WASM_OPT_FLAGS := --always-inline-max-function-size=3 --flexible-inline-max-function-size=3 \
  --one-caller-inline-max-function-size=0 --low-memory-unused

# Each build's later files, in the order in which they are installed.
WASM_LATER := programs text rest
# What stands in them. They are loaded when they are first called or a page has nothing else to do. A new source file goes into
# the first, unless its name fits here; tests/js/rest.test.js holds the files below their sizes, and says what must not need which.
# Single functions of the first three files that stand in the last are in wasm/seldom_functions.txt.
# The second file: passes and fusions, slices by indices, kernels for products and windows that are not small, and what
# brings their weights into form.
WASM_PROGRAMS_C := src/emit/% src/indexing/% src/passes/% wasm/kernels/% src/hlo/infer_gather $(addprefix src/eval/,convolution% dot_batches pooling reduce_segments strided_dot window_taps) $(addprefix src/run/,plan_epilogue plan_packed)
WASM_NOT_PROGRAMS_C := $(addprefix src/passes/,accuracy device_boundary layouts pipeline separable) wasm/kernels/kernels wasm/kernels/pool
# The third: reading programs as JAX and XLA write them, what their constants go through, loops as one function, the 64-bit
# integers of some, and what gradients of lookups and of losses by label do: gather and scatter.
WASM_TEXT_C := $(addprefix src/text/,hlo_computation hlo_groups hlo_order hlo_parser hlo_unread hlo_words jax_export mlir_attributes mlir_dense mlir_lexer mlir_operations \
    mlir_scope mlir_types parse stablehlo_attribute_values stablehlo_attributes stablehlo_bytecode stablehlo_forms stablehlo_import \
    stablehlo_import_calls stablehlo_import_chlo stablehlo_import_universal stablehlo_import_control stablehlo_import_dynamic_functions stablehlo_import_platform flat_buffer stablehlo_import_dynamic_shapes \
    stablehlo_import_dynamic_values stablehlo_import_instructions stablehlo_import_ops stablehlo_import_promote stablehlo_import_windows stablehlo_pretty \
    stablehlo_regions) $(addprefix src/base/,bignum decimal_parse) $(addprefix src/eval/,convolution_winograd_packed gather index_vectors pointwise_integer_seldom pointwise_narrow pointwise_s64 scatter scatter_rows) $(addprefix src/passes/,refine_shapes tiny_steps unroll_loops) src/shape/element_text \
    $(addprefix src/emit/,driver driver_copy) src/hlo/trip_count $(addprefix src/run/,loop plan_loop plan_loop_steps)
# The fourth: other text forms, questions about indexing, factorisations, and operations, functions and types that few programs use.
WASM_REST_C := src/text/% src/reference/% $(addprefix src/emit/,double_complex double_math lane_ranges narrow_lanes value_complex value_seldom) $(addprefix src/base/,double_complex double_math vector_math_seldom wide_math) src/api/indexing src/api/inspect $(addprefix wasm/kernels/,dot_bytes dot_f64 dot_pairs exact_depthwise scan) \
  $(addprefix src/base/,bignum complex_% decimal_% fixed_point philox threefry $(addprefix elementary_,atan bessel double exp gamma log near_zeros power trig wide zeta)) \
  $(addprefix src/hlo/,actual_sizes cost custom_call_config infer_async infer_collective infer_grouped_dots infer_linear_algebra infer_random infer_scan infer_sort sharding transfer_pairs) \
  $(addprefix src/indexing/,indexing_answer indexing_text map_parse map_print physical rules_window) \
  $(addprefix src/shape/,element_text layout_text literal_text) $(addprefix src/passes/,batch_norm byte_tables number% pixels ranges refine_shapes scan separate short_rows spmd tiny_convolution tiny_cumulative tiny_lu tiny_sort tiny_triangular widen_late) \
  $(addprefix src/eval/,batch_norm bitcast_convert compare_seldom cumulative% dimension_size dot_bands dot_bf16 dot_converted dot_kernel_complex dot_kernel_wide dot_pairs dot_planes factor_batches fft% fold_narrow linear_algebra% map order_keys outer_product \
    pointwise_c64 pointwise_complex ragged_dot random% reduce_precision scaled_dot select_and_scatter% \
    sort% stochastic_convert topk triangular%) \
  $(addprefix src/run/,backend_calls check collective_% custom_call_built_in feed lapack% parallel scaled_dot_call sized_step sparse_call threefry_call transfer)
# Where the build has a fused multiply-add, only hosts that round twice need this.
WASM_REST_C_hlo-relaxed := wasm/kernels/exact
# But not these, though their names fit: attributes of instructions are text.
WASM_NOT_REST_C := $(WASM_TEXT_C) $(addprefix src/text/,hlo_attributes hlo_fragment hlo_lexer source)

comma := ,
space := $() $()

# No glue: --no-entry and STANDALONE_WASM leave a module that imports only what wasm/ declares as imported.
# The table is exported and growable because emitted code is added to it at run time.
# The linker's own -O0 keeps equal strings of different files apart, since each goes with its file.
WASM_LINK_FLAGS := -O3 -Wl,-O0 --no-entry -sSTANDALONE_WASM -sMALLOC=dlmalloc -sSUPPORT_LONGJMP=0 -sFILESYSTEM=0 \
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sSTACK_SIZE=1MB -Wl,--stack-first \
  -sALLOW_TABLE_GROWTH -Wl,--export-table \
  -Wl,--export=__stack_pointer --profiling-funcs -Wl,--no-demangle -sBINARYEN_EXTRA_PASSES=$(subst $(space),$(comma),$(WASM_OPT_FLAGS))

# ---- native: the oracle build. Only here warnings are errors, since only here the compiler's version is fixed.
NATIVE_C_FLAGS := $(C_FLAGS) -Werror -O1 -g -fno-omit-frame-pointer
SANITIZE       := -fsanitize=address,undefined -fno-sanitize-recover=all
FUZZ           := -fsanitize=fuzzer-no-link

# NATIVE_BUILDS: tests/c and tests/fuzz need differently instrumented engines, embedders one that is fast.
NATIVE_BUILDS       := checked fuzzed optimized
FLAGS_FOR_checked   := $(SANITIZE)
FLAGS_FOR_fuzzed    := $(SANITIZE) $(FUZZ)
FLAGS_FOR_optimized := -O2 -g0
