// Folding: elements combined into running values in place, value = computation(values…, elements…).
// Shared by reduce-window, scatter and select-and-scatter.
#ifndef HLO_KERNELS_REDUCE_FOLD_H
#define HLO_KERNELS_REDUCE_FOLD_H

#include "kernels/elementwise/apply.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

// `count` values and as many elements at a time; the computation takes the values, then the
// elements.
typedef struct hlo_folder {
  const hlo_evaluator *evaluator;
  hlo_applier *applier;
  hlo_pointwise_kernel *kernel; // for a single op, instead of the applier
  hlo_opcode opcode;            // that op, of hlo_applied_op: associative and commutative
  int32_t count;
  char **values, **elements; // dense blocks of HLO_APPLY_BLOCK lanes each
  const hlo_type *types;
  const void **arguments; // of the computation: all of the above
  void **targets;         // of lane i of value k: targets[k * HLO_APPLY_BLOCK + i]
  int64_t lanes;          // under way
  int32_t *places;        // of each lane in `taken`
  const void **taken;     // a hash table: where the lanes' first values are
} hlo_folder;

// In scratch memory. like: views of the types of the values (and of the elements).
hlo_status hlo_folder_init(const hlo_evaluator *evaluator, const hlo_computation *computation,
                           int32_t count, const hlo_view *like, hlo_folder *out, hlo_error *error);
// For one value and an op of hlo_applied_op, on elements of any type that has the op.
hlo_status hlo_folder_init_for_op(const hlo_evaluator *evaluator, hlo_opcode opcode, hlo_type type,
                                  hlo_folder *out, hlo_error *error);
// Folds elements[k] into values[k] for all indices; all views have the same dims, and no element of
// a value stands for several indices.
hlo_status hlo_folder_fold(hlo_folder *folder, const hlo_view *values, const hlo_view *elements,
                           hlo_error *error);
// Folds single elements, of which many become lanes of one call: one into the value at values[k]
// for each k, at once or by hlo_folder_flush at the latest. Elements for the same value are folded
// in the order in which they are added.
hlo_status hlo_folder_add(hlo_folder *folder, void *const *values, const void *const *elements,
                          hlo_error *error);
hlo_status hlo_folder_flush(hlo_folder *folder, hlo_error *error);

// Fills a view with the identity of the op.
void hlo_fill_neutral(const hlo_folder *folder, const hlo_view *view);

#endif
