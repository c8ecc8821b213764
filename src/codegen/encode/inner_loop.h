// Loops of a kernel inside of a row: over the reduced elements, or along the results.
#ifndef HLO_CODEGEN_ENCODE_INNER_LOOP_H
#define HLO_CODEGEN_ENCODE_INNER_LOOP_H

#include "codegen/encode/maker.h"

enum {
  HLO_LOOP_MAX_ROOTS = 80, // parts of all outputs, two of all running values, and what is kept
  HLO_LOOP_MAX_MASKS = 8,
};

typedef enum hlo_root_kind {
  HLO_ROOT_RUNNING, // becomes the running value `target`, a parameter node
  HLO_ROOT_OUTPUT,  // is part `part` of output `target`
  HLO_ROOT_SLOT,    // is kept in scratch memory: access `target`
} hlo_root_kind;

typedef struct hlo_loop_root {
  hlo_root_kind kind;
  hlo_node node, masked; // masked: instead of node where elements may be missing; 0: the same
  hlo_node interior;     // instead of node where the work's masks are known; 0: the same
  hlo_node narrow[2];    // instead of node and of interior in steps of the work's lanes
  hlo_node first; // of a sum in a column nest: the first of several rows, which are added by `add`
  uint32_t add;   // before the running value takes them in; 0: none
  int32_t target, part;
  hlo_node kept; // of a scratch slot: the node that is found there from now on; 0: none
  int32_t slot;  // in a column nest: of the running value
  int32_t value; // local
  int32_t running[HLO_EMIT_MAX_UNROLL]; // locals, one per copy of the step
} hlo_loop_root;

// A comparison of indices, and what it is in most steps.
typedef struct hlo_loop_mask {
  hlo_node node;
  bool value;
} hlo_loop_mask;

// Sums that are made in blocks. block_sums.c.
typedef struct hlo_block_sums {
  int64_t length; // steps of a block
  int32_t left;   // local: steps that are left of this one
  // In a row nest: locals with the two floats of each sum, by root, of each of the rows that are
  // read at a time.
  int32_t rows, high[2][HLO_LOOP_MAX_ROOTS], low[2][HLO_LOOP_MAX_ROOTS];
  struct hlo_loop_work *end; // in a column nest: what happens at the end of a block
} hlo_block_sums;

// What happens in each step of one loop.
typedef struct hlo_loop_work {
  bool along_results; // in a column nest: once per result, not for each reduced element
  bool loads_running; // in a column nest: running values come from scratch memory
  bool may_stop;      // a row nest: nothing changes after the first number has been found
  bool is_long;       // without pipelined work: copies of the step are best interleaved
  int32_t stage;
  int32_t unroll;
  int32_t lanes; // elements of a step: not 0: more than four, in lanes of 8 or 16 bits
  const struct hlo_loop_work *late; // pipelined into it: outputs of the row before
  struct hlo_loop_work *early;      // pipelined into it: the first stage of the next row
  hlo_block_sums *blocks;           // of its reductions; NULL: they have few elements
  int32_t mask_count;               // not 0: roots have an interior
  hlo_loop_mask masks[HLO_LOOP_MAX_MASKS];
  bool interior_exists; // all elements that are read there
  int32_t root_count;
  hlo_loop_root roots[HLO_LOOP_MAX_ROOTS];
} hlo_loop_work;

hlo_loop_root *hlo_loop_work_add_root(hlo_maker *m, hlo_loop_work *work, hlo_root_kind kind,
                                      hlo_node node, int32_t target);
void hlo_loop_work_add_output(hlo_maker *m, hlo_loop_work *work, int32_t output);
// Steps of all reductions of a stage.
void hlo_loop_work_add_stage(hlo_maker *m, hlo_loop_work *work, int32_t stage);
void hlo_loop_work_add_column_start(hlo_maker *m, hlo_loop_work *work, int32_t stage);
void hlo_loop_work_add_column_finish(hlo_maker *m, hlo_loop_work *work, int32_t stage);
// In a column nest: what `steps` needs that is the same for all reduced elements and worth keeping.
void hlo_loop_work_add_kept(hlo_maker *m, hlo_loop_work *work, const hlo_loop_work *steps);
// Makes loops keep expensive values that later ones need too in scratch memory.
void hlo_loop_works_share(hlo_maker *m, int32_t count, hlo_loop_work *works);

// Loops to run before the work's own, block by block, so that its own is short: of a long chain of
// instructions. Returns how many, 0 if the work is best done by one loop.
int32_t hlo_loop_fission(hlo_maker *m, const hlo_loop_work *work, hlo_loop_work **pieces);

// Whether all results are of 8 or 16 bits, and many.
bool hlo_loop_work_is_narrow(const hlo_maker *m);
// Makes steps of lanes of 8 or 16 bits, if results are all so narrow, and much shorter that way.
void hlo_loop_narrow_lanes(hlo_maker *m, hlo_loop_work *work);

// Finds masks and makes the roots' interiors, if there are any.
void hlo_loop_split_index_set(hlo_maker *m, hlo_loop_work *work);
// Makes of what is on the stack: it, and whether all masks are known for so many elements from here
// on.
void hlo_loop_push_masks_known(hlo_maker *m, const hlo_loop_work *work, int64_t elements);

// The local with where the access stands in its row.
static inline int32_t hlo_loop_row_of(const hlo_access *access) {
  return access->late != 0 ? access->late : access->row;
}

enum { HLO_PIPELINED_OUTPUTS_MOST_KEPT = 8 };

// Outputs of a row nest that are written while the next row is under way.
typedef struct hlo_pipelined_outputs {
  hlo_loop_work work;
  int32_t kept_count;
  hlo_node kept[HLO_PIPELINED_OUTPUTS_MOST_KEPT];  // values of a row that they need
  int32_t locals[HLO_PIPELINED_OUTPUTS_MOST_KEPT]; // with these values of the row before
} hlo_pipelined_outputs;

// How the outputs can be written in the loop of the last stage, for the row before. No roots if
// they cannot, or need nothing that this loop leaves in scratch rows.
void hlo_pipelined_outputs_build(hlo_maker *m, const hlo_loop_work *stage,
                                 const hlo_loop_work *outputs, hlo_pipelined_outputs *late);
// At the end of a row: keeps what its outputs need.
void hlo_pipelined_outputs_end_row(hlo_maker *m, const hlo_pipelined_outputs *late);

// The first stage of a row nest, for the next row.
typedef struct hlo_pipelined_stage {
  hlo_loop_work work;
  int32_t count;
  int32_t locals[2 * HLO_EMIT_MAX_RUNNING]; // with the results until the row ends
} hlo_pipelined_stage;

// Whether the first stage can be done next to the loop of the last one, which then does so. Before
// the first row it has to be done alone.
bool hlo_pipelined_stage_build(hlo_maker *m, const hlo_loop_work *first, hlo_loop_work *last,
                               hlo_pipelined_stage *early);
// Registers are rare in long loops: all copies of the step share their running values. NULL:
// nothing.
void hlo_pipelined_stage_share_running(hlo_loop_work *early);
void hlo_pipelined_stage_start_row(hlo_maker *m);
// Behind the loop of the last stage.
void hlo_pipelined_stage_finish(hlo_maker *m, hlo_pipelined_stage *early);
void hlo_pipelined_stage_end_row(hlo_maker *m, hlo_pipelined_stage *early);

void hlo_loop_write(hlo_maker *m, hlo_loop_work *work);
// Counts how often the nodes of its roots are used, and their cost, and notes the accesses.
void hlo_loop_count_roots(hlo_maker *m, const hlo_loop_work *work);
// The innermost loop alone, from where the row begins or the outer loops stand.
void hlo_loop_write_inner(hlo_maker *m, hlo_loop_work *work, int32_t slices, bool from_outer);
// Pushes how many elements of the inner loop a call visits.
void hlo_loop_push_length(hlo_maker *m);
// The same number, or that of a block, at most.
int64_t hlo_loop_length(const hlo_maker *m);
// In a column nest: how many rows a step of the loop takes, as long as there are so many.
int32_t hlo_loop_slices(hlo_maker *m, const hlo_loop_work *work);
// The roots once, outside of loops: one element of each output.
void hlo_loop_write_once(hlo_maker *m, hlo_loop_work *work);
// In a row nest, before and after the loop of a stage: sets the running values; makes of them the
// results.
void hlo_loop_write_start(hlo_maker *m, hlo_loop_work *work);
void hlo_loop_write_finish(hlo_maker *m, hlo_loop_work *work);
// Rows that are visited in parts: takes in the running values of the parts before. What is written
// then, up to an end, happens in the last part only.
void hlo_loop_write_carry(hlo_maker *m, hlo_loop_work *work);
// Sets running values, the work's first roots, to what they start with.
void hlo_loop_start_running(hlo_maker *m, hlo_loop_work *work);
// Combines the copies of the reduction's running values, of each of so many rows.
void hlo_loop_combine_copies(hlo_maker *m, hlo_loop_work *work, const hlo_emit_reduction *r,
                             int32_t first, int32_t rows);

// --- block_values.c ---
// Whether the reduction is a sum of floats, and one of f64.
bool hlo_block_sums_apply(const hlo_emit_reduction *r);
bool hlo_block_sums_are_wide(const hlo_emit_reduction *r);
// The sum of two floats of a part and its running value: high and low.
void hlo_block_sums_of_part(hlo_maker *m, const hlo_emit_reduction *r, int32_t part, hlo_node *high,
                            hlo_node *low);

// --- block_sums.c: sums whose errors do not grow with the number of elements ---
// In a row nest, after the start of running values, if there are enough elements for blocks; and
// after the loop: leaves one copy of the running values of each row.
void hlo_block_sums_start_row(hlo_maker *m, hlo_loop_work *work);
void hlo_block_sums_finish_row(hlo_maker *m, hlo_loop_work *work);
// Whether what parts of a row leave for each other is the reduction's two floats, which the above
// see to.
bool hlo_block_sums_carry(const hlo_loop_work *work, const hlo_emit_reduction *r);
// In a column nest: adds to what happens before the steps; to stand before their loops.
void hlo_block_sums_start_column(hlo_maker *m, hlo_loop_work *starts, hlo_loop_work *steps);
void hlo_block_sums_start_columns(hlo_maker *m, const hlo_loop_work *steps);
// Finds how a root begins several rows.
void hlo_block_sums_slice(hlo_maker *m, const hlo_emit_reduction *r, int32_t part,
                          hlo_loop_root *root);
// All blocks of a reduction in a column nest, in place of its running value, if it has any.
void hlo_block_sums_total(hlo_maker *m, const hlo_emit_reduction *r, hlo_value *total);
// Behind so many steps: a block ends if it has no more.
void hlo_block_sums_count(hlo_maker *m, hlo_loop_work *work, int64_t steps);
// Where a loop over so many elements, `together` of them a step, ends blocks by itself: makes a
// local with the least number of elements left with which the block goes on; ends it.
bool hlo_block_sums_are_inside(const hlo_loop_work *work, int64_t elements, int64_t together);
int32_t hlo_block_sums_push_limit(hlo_maker *m, const hlo_loop_work *work, int64_t together);
void hlo_block_sums_end(hlo_maker *m, hlo_loop_work *work);

#endif
