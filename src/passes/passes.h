// The optimising pipeline. Every pass turns a module into an equivalent one: elementwise operations
// and data movement keep every bit, only sums may be made in another order. (The pass for
// result_accuracy is the exception.) Passes work on clones (hlo/rewrite.h).
#ifndef HLO_PASSES_PASSES_H
#define HLO_PASSES_PASSES_H

#include "hlo/hlo.h"
#include "kernels/target.h"

typedef struct hlo_pass_options {
  // Whether a fusion instruction runs as one step in code for the target. It must be quick, and may
  // look at everything about the instruction but its users. If not, it may say in *obstacle which
  // instruction of the fused computation stands in the way; else that is NULL. NULL: nothing is
  // fused.
  bool (*supports_fusion)(hlo_target target, const hlo_instruction *fusion,
                          const hlo_instruction **obstacle);
  hlo_target target;
  // A loop over fewer elements becomes a fusion only where it runs again and again, or takes in
  // more instructions than two.
  int64_t fewest_elements;
  bool verify; // the module after every pass: for tests
} hlo_pass_options;

// An optimised clone of `entry` (of `module`) and what it calls: its entry takes the same
// parameters and gives the same result, layouts included. The original must outlive it.
hlo_status hlo_optimize(const hlo_module *module, const hlo_computation *entry,
                        const hlo_pass_options *options, hlo_module **out, hlo_error *error);

// Whether it pays to optimise a program that nobody looks at: one of few steps over few elements
// runs as fast as it can be called.
bool hlo_gains_by_optimizing(const hlo_module *module, int64_t fewest_elements);

// Whether the program does not run as it is: it asks for more accuracy than its functions have, has
// a scan, work that is written for one device of many, reductions that come apart, or boundaries
// whose sides state different layouts; a clone, as hlo_optimize makes it, that can. hlo_optimize
// does so, too.
bool hlo_needs_lowering(const hlo_module *module);
hlo_status hlo_lower(const hlo_module *module, const hlo_computation *entry, hlo_module **out,
                     hlo_error *error);

// Functions of f32 become those of f64 where result_accuracy asks for it.
hlo_status hlo_pass_accuracy(hlo_module *module, hlo_error *error);
bool hlo_needs_wider_type(const hlo_instruction *x);
// Work that is written for one device of many runs on all of them.
hlo_status hlo_pass_spmd(hlo_module *module, hlo_error *error);
// Where such work begins (to_parts) or ends; is_sdy: Shardy wrote it, of any number of arrays.
typedef struct hlo_device_boundary {
  const char *target;
  bool to_parts, is_sdy;
} hlo_device_boundary;
// NULL: the instruction is none, or there is only one part, which is the whole.
const hlo_device_boundary *hlo_device_boundary_of(const hlo_instruction *x);
// Scans become loops.
hlo_status hlo_pass_scan(hlo_module *module, hlo_error *error);
// Reductions, windows and scatters by functions in which values only take in elements by a plain
// operation, s + f(x), become those by that operation, of f(x). hlo_reduces_apart: x may be one.
bool hlo_reduces_apart(const hlo_instruction *x);
hlo_status hlo_pass_separate(hlo_module *module, hlo_error *error);
// Where one side of a tuple, call, fusion, loop, branch, barrier or pair of start and done states
// another layout than the other one, a copy stands between them: from then on values lie as their
// instructions state. hlo_layouts_disagree: some side of x does.
bool hlo_layouts_disagree(const hlo_instruction *x);
hlo_status hlo_pass_layouts(hlo_module *module, hlo_error *error);
// Calls and fusions become the instructions of what they call, unless the program grew too much.
hlo_status hlo_pass_inline(hlo_module *module, hlo_error *error);
// Elementwise functions applied by map become instructions on whole arrays.
hlo_status hlo_pass_expand(hlo_module *module, hlo_error *error);
// Batch norms of many elements become elementwise operations and sums, rounded at each step. Those
// of few are left, which the evaluator rounds once.
bool hlo_is_large_batch_norm(const hlo_instruction *x);
hlo_status hlo_pass_batch_norm(hlo_module *module, hlo_error *error);
// Reductions of several arrays at once (argmax) along rows of few elements become instructions on
// those rows' columns, so that loops go over rows.
bool hlo_reduces_short_rows(const hlo_instruction *x);
hlo_status hlo_pass_unroll(hlo_module *module, hlo_error *error);
// Identities of arithmetic, logic, data movement and structure.
hlo_status hlo_pass_simplify(hlo_module *module, hlo_error *error);
// Instructions of constants become constants, where those are not large.
hlo_status hlo_pass_fold(hlo_module *module, hlo_error *error);
// Of equal instructions one is kept, and of equal computations.
hlo_status hlo_pass_cse(hlo_module *module, hlo_error *error);
// Loops: carried values that never change move into the loop, and those that nobody reads go.
hlo_status hlo_pass_loops(hlo_module *module, hlo_error *error);
// Loops of a few cheap rounds become what they do, one round after the other.
hlo_status hlo_pass_unroll_loops(hlo_module *module, hlo_error *error);
// Pixels that are put together from channels of one or two bytes become integers of so many bits.
enum { HLO_PIXEL = 32 };
bool hlo_makes_pixels(const hlo_instruction *x);
hlo_status hlo_pass_pixels(hlo_module *module, hlo_error *error);
// What costs much and is made of one array of bytes is looked up in what it is for each byte.
hlo_status hlo_pass_byte_tables(hlo_module *module, hlo_error *error);
// What every round of a loop would compute again is computed once before it.
hlo_status hlo_pass_hoist(hlo_module *module, hlo_error *error);
// Dots, scatters, sorts, convolutions and cumulative sums of a few numbers inside of loops become
// elementwise operations and sums, which can be fused.
hlo_status hlo_pass_tiny_steps(hlo_module *module, hlo_error *error);
// Arrays of two to four numbers in the bodies of loops that are put together from numbers, or read
// one number at a time, become those numbers, and so does the work on them.
hlo_status hlo_pass_scalar_replacement(hlo_module *module, hlo_error *error);
// What integers can be, of constants, counters, types that were widened and operations on them,
// decides comparisons, and leaves out what does nothing: what rounds quotients down, indices that
// might have been negative.
hlo_status hlo_pass_ranges(hlo_module *module, hlo_error *error);
// Widened bytes are moved, by concatenations, slices and reshapes, before they are widened.
hlo_status hlo_pass_widen_late(hlo_module *module, hlo_error *error);
// Dots take in the transposes around them; convolutions with a window of one become dots.
hlo_status hlo_pass_contract(hlo_module *module, hlo_error *error);
// Elementwise work on concatenations is done on their parts, where slices ask for those.
hlo_status hlo_pass_parts(hlo_module *module, hlo_error *error);
// Vectors of few channels that are broadcast along short rows are so along several rows at a time.
hlo_status hlo_pass_tile(hlo_module *module, hlo_error *error);
// Concatenations and paddings of rows of few channels are those of their elements, so that loops
// join rows; broadcasts of what all channels of a pixel share, beside such, come to memory.
hlo_status hlo_pass_join_rows(hlo_module *module, hlo_error *error);
// Such a broadcast, of two or three channels.
bool hlo_repeats_for_channels(const hlo_instruction *x);
// Groups of instructions that walk over the same elements become fusions.
hlo_status hlo_pass_fuse(hlo_module *module, const hlo_pass_options *options, hlo_error *error);

#endif
