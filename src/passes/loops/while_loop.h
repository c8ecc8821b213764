// Loops whose state is a tuple used only by get-tuple-element, for the passes that change them. For
// the files of this folder.
#ifndef HLO_PASSES_LOOPS_WHILE_LOOP_H
#define HLO_PASSES_LOOPS_WHILE_LOOP_H

#include "hlo/hlo.h"

typedef struct hlo_while_loop {
  hlo_instruction *instruction, *start; // WHILE, and the tuple that it starts from
  hlo_computation *condition, *body;
  int32_t count; // of elements
} hlo_while_loop;

int64_t hlo_element_index(const hlo_instruction *x); // of a GET_TUPLE_ELEMENT
bool hlo_is_element_of(const hlo_instruction *x, const hlo_instruction *tuple);
bool hlo_is_only_destructured(const hlo_instruction *tuple);
bool hlo_match_while_loop(hlo_instruction *x, hlo_while_loop *out);
// Whether the body passes the element on unchanged.
bool hlo_loop_keeps(const hlo_while_loop *l, int64_t index);
// How often the module refers to each computation, by index. *out must be NULL on entry.
hlo_status hlo_count_callers(hlo_module *module, int32_t **out, hlo_error *error);
// Whether the state may be changed: the result is only read by get-tuple-element, and the loop's
// computations have no other caller.
bool hlo_loop_is_alone(const hlo_while_loop *l, const int32_t *callers);

#endif
