// See hlo_trip_count in cost.h: loops as lax.fori_loop and scan write them.
#include "hlo/analysis/cost.h"

#include <string.h>

// The value of a constant integer scalar, also through copies and conversions.
static bool integer_of(const hlo_instruction *x, int64_t *out) {
  while (x->opcode == HLO_OP_COPY || x->opcode == HLO_OP_CONVERT) x = x->operands[0];
  if (x->opcode != HLO_OP_CONSTANT || x->literal == NULL || !hlo_shape_is_scalar(x->shape))
    return false;
  bool is_signed = hlo_type_get_class(x->shape->type) == HLO_CLASS_SIGNED;
  int64_t bytes = hlo_type_bytes(x->shape->type);
  if (!is_signed && hlo_type_get_class(x->shape->type) != HLO_CLASS_UNSIGNED) return false;
  uint64_t bits = 0;
  memcpy(&bits, x->literal->data, (size_t)bytes); // little-endian, as everything here
  uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
  // Sign-extends; of an unsigned value all bits are kept.
  *out = is_signed ? (int64_t)((bits ^ sign) - sign) : (int64_t)bits;
  return true;
}

// The number of the state's element that x is, inside condition or body; -1: it is none.
static int64_t element_of(const hlo_instruction *x) {
  while (x->opcode == HLO_OP_COPY) x = x->operands[0];
  if (x->opcode == HLO_OP_PARAMETER) return 0; // a state that is no tuple
  if (x->opcode != HLO_OP_GET_TUPLE_ELEMENT || x->operands[0]->opcode != HLO_OP_PARAMETER)
    return -1;
  return hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0);
}

// The element's value in a state that a tuple instruction makes.
static const hlo_instruction *part(const hlo_instruction *state, int64_t element) {
  if (!hlo_shape_is_tuple(state->shape)) return state;
  return state->opcode == HLO_OP_TUPLE ? state->operands[element] : NULL;
}

// What a fusion gives, inside it; *fusion is then that fusion.
static const hlo_instruction *inside(const hlo_instruction *x, const hlo_instruction **fusion) {
  bool is_element = x->opcode == HLO_OP_GET_TUPLE_ELEMENT;
  const hlo_instruction *of = is_element ? x->operands[0] : x;
  if (of->opcode != HLO_OP_FUSION) return x;
  const hlo_instruction *root = hlo_get_computation(of, HLO_ATTRIBUTE_CALLS)->root;
  *fusion = of;
  return part(root, is_element ? hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0) : 0);
}

static const hlo_instruction *outside(const hlo_instruction *x, const hlo_instruction *fusion) {
  return fusion != NULL && x->opcode == HLO_OP_PARAMETER ? fusion->operands[x->parameter_number]
                                                         : x;
}

// By how much the body changes the element every time.
static bool step_of(const hlo_computation *body, int64_t element, int64_t *out) {
  const hlo_instruction *fusion = NULL, *next = part(body->root, element);
  if (next != NULL) next = inside(next, &fusion);
  if (next == NULL || next->operand_count != 2) return false;
  bool is_add = next->opcode == HLO_OP_ADD, is_subtract = next->opcode == HLO_OP_SUBTRACT;
  const hlo_instruction *a = outside(next->operands[0], fusion),
                        *b = outside(next->operands[1], fusion);
  if (is_add && element_of(a) < 0) {
    const hlo_instruction *c = a;
    a = b, b = c;
  }
  if (!(is_add || is_subtract) || element_of(a) != element || !integer_of(b, out)) return false;
  if (*out == INT64_MIN) return false;
  if (is_subtract) *out = -*out;
  return true;
}

// Rounds of `for (i = first; i < end; i += step)`, also with <= and downwards.
static int64_t rounds(int64_t first, int64_t end, int64_t step, bool is_up, bool with_end) {
  const int64_t most = INT64_C(1) << 60;
  if (first < -most || first > most || end < -most || end > most) return -1;
  if (step == 0 || (step > 0) != is_up) return -1;
  int64_t way = is_up ? end - first : first - end;
  if (!with_end) way--;
  return way < 0 ? 0 : way / (step > 0 ? step : -step) + 1;
}

int64_t hlo_trip_count(const hlo_instruction *loop) {
  const hlo_instruction *test = hlo_get_computation(loop, HLO_ATTRIBUTE_CONDITION)->root;
  const hlo_computation *body = hlo_get_computation(loop, HLO_ATTRIBUTE_BODY);
  int64_t first, end, step, element;
  if (test->opcode != HLO_OP_COMPARE) return -1;
  const char *direction = hlo_get_text(test, HLO_ATTRIBUTE_DIRECTION);
  char towards = direction[0]; // L: less, G: greater
  const hlo_instruction *counter = test->operands[0], *limit = test->operands[1];
  if (element_of(counter) < 0) { // constant < counter
    counter = test->operands[1], limit = test->operands[0];
    if (towards != 'L' && towards != 'G') return -1;
    towards = towards == 'L' ? 'G' : 'L';
  }
  element = element_of(counter);
  if (element < 0 || (towards != 'L' && towards != 'G')) return -1;
  const hlo_instruction *start = part(loop->operands[0], element);
  // The limit may be handed through the loop as it is.
  int64_t carried = element_of(limit);
  if (carried >= 0) {
    const hlo_instruction *kept = part(body->root, carried);
    if (kept == NULL || element_of(kept) != carried) return -1;
    limit = part(loop->operands[0], carried);
  }
  if (start == NULL || limit == NULL || !integer_of(start, &first) || !integer_of(limit, &end) ||
      !step_of(body, element, &step))
    return -1;
  return rounds(first, end, step, towards == 'L', direction[1] == 'E');
}
