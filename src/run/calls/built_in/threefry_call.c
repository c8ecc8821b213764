// ThreeFry as JAX asks GPUs for it: keys and counters element by element. Source: the programs that
// JAX 0.10 and 0.4 export. See custom_call.h.
#include "kernels/structural.h"
#include "math/random/threefry.h"
#include "run/calls/custom_call.h"

enum { WORDS = 4 }; // two of each key, then two of each counter

static bool is_like(const hlo_view *view, const hlo_view *other) {
  bool fits = view->type == HLO_U32 && view->rank == other->rank;
  for (int32_t d = 0; fits && d < view->rank; d++) fits = view->dims[d] == other->dims[d];
  return fits;
}

static uint32_t *word_at(const hlo_view *view, const int64_t *index) {
  int64_t offset = 0;
  for (int32_t d = 0; d < view->rank; d++) offset += index[d] * view->strides[d];
  return hlo_view_at(view, offset);
}

hlo_status hlo_threefry_call(const hlo_custom_call *call, hlo_error *error) {
  const hlo_view *from = call->operands, *to = call->results;
  bool fits = call->operand_count == WORDS && call->result_count == 2;
  for (int k = 0; fits && k < WORDS; k++) fits = is_like(&from[k], &from[0]);
  for (int k = 0; fits && k < 2; k++) fits = is_like(&to[k], &from[0]);
  if (!fits)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes two words of keys and two of counters, u32 arrays of one "
                                "shape, and gives two like them");
  uint32_t words[WORDS][HLO_THREEFRY_PAIRS] = {0};
  uint32_t *places[2][HLO_THREEFRY_PAIRS];
  int64_t index[HLO_MAX_RANK] = {0}, left = hlo_view_elements(&from[0]);
  while (left > 0) {
    int32_t count = 0;
    for (; count < HLO_THREEFRY_PAIRS && left > 0; count++, left--) {
      for (int k = 0; k < WORDS; k++) words[k][count] = *word_at(&from[k], index);
      for (int k = 0; k < 2; k++) places[k][count] = word_at(&to[k], index);
      hlo_next_index(to->rank, to->dims, index);
    }
    hlo_threefry_2x32_pairs(&words[0], &words[2]);
    for (int k = 0; k < 2; k++)
      for (int32_t i = 0; i < count; i++) *places[k][i] = words[2 + k][i];
  }
  return HLO_OK;
}
