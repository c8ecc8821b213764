# Compiler flags of every build, and the list of wasm builds. Included by the Makefile.

INCLUDES := -Iinclude -Isrc
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
WASM_SHARED := api codegen hlo indexing passes run shape text
WASM_C_FLAGS := $(C_FLAGS) -Os -fvisibility=hidden
# So that wasm/toolchain/split.sh can tell static functions of equal names apart.
WASM_C_FLAGS += -funique-internal-linkage-names
# Parsers, printers, shape inference, indexing analysis, passes and plans are large and never hot.
WASM_C_FLAGS_text     := -Oz
WASM_C_FLAGS_hlo      := -Oz
WASM_C_FLAGS_indexing := -Oz
WASM_C_FLAGS_passes   := -Oz
WASM_C_FLAGS_codegen  := -Oz
WASM_C_FLAGS_run      := -Oz
WASM_C_FLAGS_reference := -Oz
# What loops over elements, or goes through steps. Kernels are unrolled by hand, other loops by vectors: more does not pay,
# but for polynomials whose coefficients stand in tables, butterflies, copies of short rows, and matrices times vectors.
WASM_UNROLLED_C := \
  src/kernels/fft/% \
  $(addprefix src/kernels/product/,dot_kernel_complex dot_kernel_wide) \
  src/kernels/simd/dot \
  $(addprefix src/math/elementary/,atan exp f32 f64 log power trig wide) \
  $(addprefix src/math/vector/,double_complex double_math vector_math_seldom wide_math) \
  src/shape/view
WASM_FAST_C := \
  $(addprefix src/base/,arena copy) \
  $(addprefix src/kernels/elementwise/,apply compare convert iota lane_ops lanes narrow pointwise% reduce_precision) \
  $(addprefix src/kernels/linalg/,balance bidiagonal divide divide_singular eigenvectors factor_batches householder lu \
    products schur secular single% singular symmetric triangular_blocks vectors) \
  $(addprefix src/kernels/move/,gather scatter_rows) \
  $(addprefix src/kernels/order/,order_keys sort_keys sort_merge sort_radix topk) \
  src/kernels/pool \
  $(addprefix src/kernels/product/,dot_bands dot_batches dot_bf16 dot_converted dot_kernel dot_kernel_fused dot_pairs \
    dot_planes strided_dot) \
  $(addprefix src/kernels/reduce/,cumulative% fold fold_narrow pooling reduce_by_op reduce_lanes reduce_segments reduce_stack \
    reduce_window select_and_scatter_rows window_taps) \
  src/kernels/simd/% \
  $(addprefix src/math/,float_formats philox threefry) \
  src/math/vector/vector_math \
  $(addprefix src/run/exec/,fused run step) \
  $(addprefix src/shape/,relayout scan transpose)
# Of src/kernels, what only decides and calls.
WASM_SMALL_C := \
  $(addprefix src/kernels/convolution/,boxes convolution phases) \
  $(addprefix src/kernels/move/,index_vectors scatter) \
  src/kernels/product/dot
# The flags for one file, given without .c.
WASM_SPEED = $(if $(filter $(WASM_UNROLLED_C),$1),-O3,$(if $(filter $(WASM_FAST_C),$1),-O3 -fno-unroll-loops,$(if $(filter $(WASM_SMALL_C),$1),-Oz)))

# What threads share beside arrays is touched here alone.
WASM_ATOMIC_C := src/kernels/pool

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
WASM_PROGRAMS_C := \
  src/codegen/% src/hlo/infer/gather src/indexing/% src/kernels/convolution/% \
  $(addprefix src/kernels/product/,dot_batches strided_dot) \
  $(addprefix src/kernels/reduce/,pooling reduce_segments window_taps) \
  src/kernels/simd/% src/passes/% \
  $(addprefix src/run/plan/,epilogue packed)
WASM_NOT_PROGRAMS_C := \
  src/kernels/simd/kernels src/passes/layout/layouts \
  $(addprefix src/passes/lower/,accuracy device_boundary separable) \
  src/passes/pipeline
# The third: reading programs as JAX and XLA write them, what their constants go through, loops as one function, the 64-bit
# integers of some, and what gradients of lookups and of losses by label do: gather and scatter.
WASM_TEXT_C := \
  $(addprefix src/base/,bignum decimal_parse) \
  $(addprefix src/codegen/encode/,driver driver_copy) \
  src/hlo/trip_count src/kernels/convolution/winograd_packed \
  $(addprefix src/kernels/elementwise/,pointwise_integer_seldom pointwise_narrow pointwise_s64) \
  $(addprefix src/kernels/move/,gather index_vectors scatter scatter_rows) \
  $(addprefix src/passes/loops/,tiny_steps unroll_loops) \
  src/passes/lower/refine_shapes src/run/exec/loop \
  $(addprefix src/run/plan/,loop loop_steps) \
  src/shape/element_text \
  $(addprefix src/text/bytecode/,flat_buffer jax_export portable_artifact) \
  $(addprefix src/text/hlo/,computation groups order parser unread words) \
  $(addprefix src/text/mlir/,attributes dense lexer operations scope types) \
  src/text/parse \
  $(addprefix src/text/stablehlo/,attribute_values attributes forms pretty regions) \
  $(addprefix src/text/stablehlo/import/,calls chlo control dynamic_functions dynamic_shapes dynamic_values import \
    instructions ops platform promote universal windows)
# The fourth: other text forms, questions about indexing, factorisations, and operations, functions and types that few programs use.
WASM_REST_C := \
  $(addprefix src/api/,indexing inspect) \
  $(addprefix src/base/,bignum decimal_format decimal_parse) \
  $(addprefix src/codegen/graph/,double_complex double_math value_complex value_seldom) \
  $(addprefix src/codegen/schedule/,lane_ranges narrow_lanes) \
  $(addprefix src/hlo/,actual_sizes cost) \
  $(addprefix src/hlo/attributes/,custom_call_config sharding transfer_pairs) \
  $(addprefix src/hlo/infer/,async collective grouped_dots linear_algebra random scan sort) \
  $(addprefix src/indexing/,answer physical text) \
  $(addprefix src/indexing/maps/,map_parse map_print) \
  src/indexing/rules/window \
  $(addprefix src/kernels/elementwise/,bitcast_convert compare_seldom map pointwise_c64 pointwise_complex reduce_precision \
    stochastic_convert) \
  src/kernels/fft/% src/kernels/linalg/% src/kernels/move/dimension_size src/kernels/order/% \
  $(addprefix src/kernels/product/,dot_bands dot_bf16 dot_converted dot_kernel_complex dot_kernel_wide dot_pairs dot_planes \
    outer_product ragged_dot scaled_dot) \
  src/kernels/random/% \
  $(addprefix src/kernels/reduce/,batch_norm cumulative% fold_narrow select_and_scatter select_and_scatter_rows) \
  $(addprefix src/kernels/simd/,dot_bytes dot_f64 dot_pairs exact_depthwise scan) \
  $(addprefix src/math/,philox threefry) \
  $(addprefix src/math/elementary/,atan bessel complex% exp f64 fixed_point gamma log near_zeros power trig wide zeta) \
  $(addprefix src/math/vector/,double_complex double_math vector_math_seldom wide_math) \
  $(addprefix src/passes/layout/,byte_tables pixels short_rows widen_late) \
  $(addprefix src/passes/loops/,number_state numbers tiny_convolution tiny_cumulative tiny_lu tiny_sort tiny_triangular) \
  $(addprefix src/passes/lower/,batch_norm refine_shapes scan separate spmd) \
  src/passes/simplify/ranges src/reference/% \
  $(addprefix src/run/calls/,backend_calls built_in check lapack% scaled_dot_call sparse_call threefry_call) \
  $(addprefix src/run/devices/,collective_gathering collective_groups collective_move collective_reduce collective_sizes feed \
    parallel transfer) \
  src/run/exec/sized_step \
  $(addprefix src/shape/,element_text layout_text literal_text) \
  src/text/%
# Where the build has a fused multiply-add, only hosts that round twice need this.
WASM_REST_C_hlo-relaxed := src/kernels/simd/exact
# But not these, though their names fit: attributes of instructions are text.
WASM_NOT_REST_C := $(WASM_TEXT_C) $(addprefix src/text/hlo/,attributes fragment lexer) src/text/source

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
