// The optimising pipeline. Every pass turns a module into an equivalent one: elementwise operations
// and data movement keep every bit, only sums may be made in another order. (The pass for
// result_accuracy is the exception.) Passes work on clones (hlo/rewrite.h).
#ifndef HLO_PASSES_PASSES_H
#define HLO_PASSES_PASSES_H

#include "hlo/hlo.h"
#include "kernels/target.h"

typedef struct hlo_pass_options {
  // Whether a fusion instruction runs as one step in code for the target. It must be quick, and may
  // inspect everything about the instruction except its users. On refusal it may set *obstacle to
  // the instruction of the fused computation that prevents code; otherwise *obstacle stays NULL. A
  // NULL callback disables fusion.
  bool (*supports_fusion)(hlo_target target, const hlo_instruction *fusion,
                          const hlo_instruction **obstacle);
  hlo_target target;
  // A loop over fewer elements becomes a fusion only where it runs repeatedly, or contains more
  // than two instructions.
  int64_t fewest_elements;
  bool verify;     // verify the module after every pass: for tests
  bool for_oracle; // the oracle evaluates the instructions: what it can evaluate is not lowered
} hlo_pass_options;

// An optimised clone of `entry` (of `module`) and what it calls: its entry takes the same
// parameters and gives the same result, layouts included. The original must outlive it.
hlo_status hlo_optimize(const hlo_module *module, const hlo_computation *entry,
                        const hlo_pass_options *options, hlo_module **out, hlo_error *error);

// Whether optimising the program pays: one with few steps over few elements is dominated by the
// cost of the call itself.
bool hlo_gains_by_optimizing(const hlo_module *module, int64_t fewest_elements);

// Whether the program must be lowered before it can run: it has a result_accuracy tighter than its
// functions meet, a scan, per-device work, separable reductions, or boundaries whose sides state
// different layouts. hlo_lower makes a lowered clone; hlo_optimize includes the lowering.
bool hlo_needs_lowering(const hlo_module *module, const hlo_pass_options *options);
hlo_status hlo_lower(const hlo_module *module, const hlo_computation *entry,
                     const hlo_pass_options *options, hlo_module **out, hlo_error *error);

// Functions of f32 are computed in f64 where result_accuracy requires it.
hlo_status hlo_pass_accuracy(hlo_module *module, hlo_error *error);
bool hlo_needs_wider_type(const hlo_instruction *x);
// SPMD: work that is written for one device runs on all devices.
hlo_status hlo_pass_spmd(hlo_module *module, hlo_error *error);
// Where per-device work begins (to_parts) or ends; is_sdy: in Shardy's form, with any number of
// arrays.
typedef struct hlo_device_boundary {
  const char *target;
  bool to_parts, is_sdy;
} hlo_device_boundary;
// NULL: the instruction is no boundary, or the only shard is the whole array.
const hlo_device_boundary *hlo_device_boundary_of(const hlo_instruction *x);
// Scans become loops.
hlo_status hlo_pass_scan(hlo_module *module, hlo_error *error);
// Reductions, windows and scatters whose function accumulates by one operation, s + f(x), become a
// map by f followed by a reduction by that operation. hlo_has_separable_reducer: whether x may be
// one.
bool hlo_has_separable_reducer(const hlo_instruction *x);
hlo_status hlo_pass_separate(hlo_module *module, hlo_error *error);
// Inserts a copy where the two sides of a tuple, call, fusion, loop, branch, barrier or start/done
// pair state different layouts: from then on every value has the layout that its instruction
// states. hlo_layouts_disagree: whether x has such a side.
bool hlo_layouts_disagree(const hlo_instruction *x);
hlo_status hlo_pass_layouts(hlo_module *module, hlo_error *error);
// Inlines calls and fusions, within a bound on the growth of the program.
hlo_status hlo_pass_inline(hlo_module *module, hlo_error *error);
// A map by an elementwise function becomes instructions on whole arrays.
hlo_status hlo_pass_expand(hlo_module *module, hlo_error *error);
// Batch norms of many elements become elementwise operations and sums, rounded at each step. Small
// ones keep their kernel, which rounds once.
bool hlo_is_large_batch_norm(const hlo_instruction *x);
hlo_status hlo_pass_batch_norm(hlo_module *module, hlo_error *error);
// Reductions of several arrays at once (argmax) along short rows are unrolled into instructions on
// whole columns, so that loops iterate over rows.
bool hlo_reduces_short_rows(const hlo_instruction *x);
hlo_status hlo_pass_unroll(hlo_module *module, hlo_error *error);
// Identities of arithmetic, logic, data movement and structure.
hlo_status hlo_pass_simplify(hlo_module *module, hlo_error *error);
// Constant folding, where the result is not large.
hlo_status hlo_pass_fold(hlo_module *module, hlo_error *error);
// Common subexpression elimination, of instructions and of computations.
hlo_status hlo_pass_cse(hlo_module *module, hlo_error *error);
// Loops: invariant carried values move into the body, and dead ones are removed.
hlo_status hlo_pass_loops(hlo_module *module, hlo_error *error);
// Loops with a few cheap iterations are unrolled.
hlo_status hlo_pass_unroll_loops(hlo_module *module, hlo_error *error);
// Pixels assembled from channels of one or two bytes become integers of HLO_PIXEL bits.
enum { HLO_PIXEL = 32 };
bool hlo_assembles_pixels(const hlo_instruction *x);
hlo_status hlo_pass_pixels(hlo_module *module, hlo_error *error);
// Expensive elementwise functions of one array of bytes become lookups in a table of 256 entries.
hlo_status hlo_pass_byte_tables(hlo_module *module, hlo_error *error);
// Singular vectors that a call for values alone would give, and that nobody reads, become empty.
hlo_status hlo_pass_unread_vectors(hlo_module *module, hlo_error *error);
// Loop-invariant code motion.
hlo_status hlo_pass_hoist(hlo_module *module, hlo_error *error);
// Dots, scatters, sorts, convolutions and cumulative sums of a few elements inside loops become
// elementwise operations and sums, which can be fused.
hlo_status hlo_pass_tiny_steps(hlo_module *module, hlo_error *error);
// Scalar replacement of aggregates: arrays of two to HLO_MOST_SCALARS elements in loop bodies that
// are built from scalars, or read one element at a time, become scalars, and so do the operations
// on them. hlo_may_be_scalars: whether x is a small array built from scalars, or one element of it.
bool hlo_may_be_scalars(const hlo_instruction *x);
hlo_status hlo_pass_scalar_replacement(hlo_module *module, hlo_error *error);
// Interval analysis of integers (constants, counters, widened types and operations on them) decides
// comparisons and removes operations without effect, such as the rounding down of quotients and the
// wrapping of negative indices.
hlo_status hlo_pass_ranges(hlo_module *module, hlo_error *error);
// Concatenations, slices and reshapes of widened bytes move the bytes, and the result is widened.
// hlo_widens_bytes: whether x is a conversion of many bytes to a wider type.
bool hlo_widens_bytes(const hlo_instruction *x);
hlo_status hlo_pass_widen_late(hlo_module *module, hlo_error *error);
// Dots absorb the transposes around them; convolutions with a window of one element become dots.
hlo_status hlo_pass_contract(hlo_module *module, hlo_error *error);
// Elementwise work on a concatenation is done on its operands, where slices read only those.
bool hlo_slices_elementwise(const hlo_instruction *x);
hlo_status hlo_pass_concatenations(hlo_module *module, hlo_error *error);
// Channel interleaving: vectors of few channels broadcast along short rows are broadcast along
// several rows at a time.
hlo_status hlo_pass_tile(hlo_module *module, hlo_error *error);
// Loop collapsing: concatenations and paddings of rows with few channels are expressed over the
// collapsed dimension; next to them, broadcasts along the channels of a pixel are materialised.
hlo_status hlo_pass_collapse_rows(hlo_module *module, hlo_error *error);
// Whether x broadcasts along two or three channels.
bool hlo_repeats_for_channels(const hlo_instruction *x);
// Groups of instructions that iterate over the same elements become fusions.
hlo_status hlo_pass_fuse(hlo_module *module, const hlo_pass_options *options, hlo_error *error);

#endif
