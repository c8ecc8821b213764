// Fills the backend with this build's kernels. See kernels.h.
#include "kernels/simd/kernels.h"
#include "kernels/machine.h"
#include "kernels/pool.h"
#include "kernels/simd/exact.h"
#include "kernels/simd/relaxed.h"

#if defined(__wasm_relaxed_simd__)
#define BUILD_NAME    "relaxed-simd"
#define RELAXED_BUILD true
#elif defined(__wasm_simd128__)
#define BUILD_NAME    "simd"
#define RELAXED_BUILD false
#else
#define BUILD_NAME    "native"
#define RELAXED_BUILD false
#endif

const hlo_backend *hlo_kernels_backend(void) {
  static const hlo_backend backend = {
      .name = BUILD_NAME,
      .target = {.relaxed_simd = RELAXED_BUILD},
      .parallel = hlo_pool_run,
      .parts = hlo_pool_parts,
      .threads = hlo_pool_threads,
      .threads_know_functions = hlo_pool_knows_all,
      .small_dot = HLO_SMALL_DOT,
      .small_convolution = HLO_SMALL_CONVOLUTION,
      .few_features = HLO_FEW_FEATURES,
      .are_in_range_f32 = hlo_kernel_are_in_range,
      .dot_f32 = {hlo_kernel_dot_f32_scratch, hlo_kernel_dot_f32},
      .dot_u32 = {hlo_kernel_dot_u32_scratch, hlo_kernel_dot_u32},
      .dot_u64 = {hlo_kernel_dot_u64_scratch, hlo_kernel_dot_u64},
      .dot_f64 = {hlo_kernel_dot_f64_scratch, hlo_kernel_dot_f64},
      .dot_pairs = {hlo_kernel_dot_pairs_scratch, hlo_kernel_dot_pairs},
#if HLO_MULTIPLIES_BYTES
      .multiplies_bytes = hlo_kernel_multiplies_bytes,
      .dot_bytes = {hlo_kernel_dot_bytes_scratch, hlo_kernel_dot_bytes},
#endif
      .pack_f32_size = hlo_kernel_pack_f32_size,
      .pack_blocks_f32 = hlo_kernel_pack_blocks_f32,
      .convolution_f32 = &hlo_kernels_convolution_f32,
      .convolution_f64 = &hlo_kernels_convolution_f64,
      .convolution_u32 = &hlo_kernels_convolution_u32,
      .convolution_pairs = &hlo_kernels_convolution_pairs,
      .scan_f32 = hlo_kernel_scan_f32,
  };
  return &backend;
}
