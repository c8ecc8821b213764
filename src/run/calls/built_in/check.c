// The expectations that test modules carry (check.expect_eq and its kin): compare two arrays and
// fail with the first index at which they differ; and the assertions that exported programs carry.
#include "run/calls/custom_call.h"

#include "base/string.h"
#include "shape/literal.h"

#include <string.h>

typedef struct tolerance {
  double absolute;             // expect_almost_eq
  uint64_t min_ulps, max_ulps; // expect_close
} tolerance;
// Part 0 of a number is its value or real part, part 1 the imaginary part.
typedef bool agree_function(hlo_type part_type, const hlo_number *a, const hlo_number *b,
                            int32_t part, const tolerance *allowed);

static double part_of(const hlo_number *n, int32_t part) { return part == 0 ? n->re : n->im; }

static bool is_integral(const hlo_number *n) {
  return (n->type_class & (HLO_CLASS_PRED | HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED)) != 0;
}

static bool integers_equal(const hlo_number *a, const hlo_number *b) {
  return a->i == b->i && a->u == b->u;
}

static bool equal(hlo_type type, const hlo_number *a, const hlo_number *b, int32_t part,
                  const tolerance *allowed) {
  (void)type, (void)allowed;
  if (is_integral(a)) return integers_equal(a, b);
  return part_of(a, part) == part_of(b, part);
}

// Equal, or both no numbers.
static bool same(hlo_type type, const hlo_number *a, const hlo_number *b, int32_t part,
                 const tolerance *allowed) {
  double x = part_of(a, part), y = part_of(b, part);
  return equal(type, a, b, part, allowed) || (!is_integral(a) && x != x && y != y);
}

static bool nearly_equal(hlo_type type, const hlo_number *a, const hlo_number *b, int32_t part,
                         const tolerance *allowed) {
  (void)type;
  if (is_integral(a)) {
    if (integers_equal(a, b)) return true;
    double x = a->type_class == HLO_CLASS_SIGNED ? (double)a->i : (double)a->u;
    double y = b->type_class == HLO_CLASS_SIGNED ? (double)b->i : (double)b->u;
    return x != y && __builtin_fabs(x - y) <= allowed->absolute;
  }
  double x = part_of(a, part), y = part_of(b, part);
  if (x == y || (x != x && y != y)) return true;
  return __builtin_fabs(x - y) <= allowed->absolute;
}

// The position of a value among all values of its type in order: neighbours differ by one, both
// zeros share a position. The distance of two positions is their distance in units in the last
// place.
static int64_t ordinal(hlo_type type, double value) {
  hlo_number number = {HLO_CLASS_FLOAT, 0, 0, value < 0 ? -value : value, 0};
  uint64_t bits = 0;
  if (value != 0) hlo_element_set(type, &bits, number); // little-endian: the low bytes
  return value < 0 ? -(int64_t)bits : (int64_t)bits;
}

static bool close_in_ulps(hlo_type type, const hlo_number *a, const hlo_number *b, int32_t part,
                          const tolerance *allowed) {
  if (is_integral(a)) return integers_equal(a, b);
  double x = part_of(a, part), y = part_of(b, part);
  uint64_t distance = 0;
  if (x != x || y != y) {
    if ((x != x) != (y != y)) return false;
  } else {
    int64_t p = ordinal(type, x), q = ordinal(type, y);
    distance = p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;
    // Infinity is beyond every finite value, however near its bits are.
    if ((x - x != 0) != (y - y != 0)) return false;
  }
  return distance >= allowed->min_ulps && distance <= allowed->max_ulps;
}

static const void *element_at(const hlo_view *view, const int64_t *index) {
  int64_t offset = 0;
  for (int32_t d = 0; d < view->rank; d++) offset += index[d] * view->strides[d];
  return (const char *)view->data + offset * hlo_type_bytes(view->type);
}

static bool elements_agree(const hlo_view *a, const hlo_view *b, const int64_t *index,
                           agree_function *agree, const tolerance *allowed) {
  hlo_number x = hlo_element_get(a->type, element_at(a, index));
  hlo_number y = hlo_element_get(b->type, element_at(b, index));
  hlo_type part_type = hlo_type_complex_part(a->type);
  if (!agree(part_type, &x, &y, 0, allowed)) return false;
  return !hlo_type_is_complex(a->type) || agree(part_type, &x, &y, 1, allowed);
}

// Sets *agrees, and index to the first differing index. Fails when the two cannot be compared.
static hlo_status compare(const hlo_custom_call *call, agree_function *agree,
                          const tolerance *allowed, int64_t *index, bool *agrees,
                          hlo_error *error) {
  if (call->operand_count != 2) {
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "compares two arrays, got %d", (int)call->operand_count);
  }
  const hlo_view *a = &call->operands[0], *b = &call->operands[1];
  bool comparable = a->type == b->type && a->rank == b->rank;
  for (int32_t d = 0; comparable && d < a->rank; d++) comparable = a->dims[d] == b->dims[d];
  if (!comparable) {
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "the two arrays differ in shape");
  }
  memset(index, 0, sizeof *index * HLO_MAX_RANK);
  *agrees = true;
  if (hlo_view_elements(a) == 0) return HLO_OK;
  do {
    if (!elements_agree(a, b, index, agree, allowed)) {
      *agrees = false;
      return HLO_OK;
    }
  } while (hlo_next_index(a->rank, a->dims, index));
  return HLO_OK;
}

static hlo_status expect(const hlo_custom_call *call, agree_function *agree,
                         const tolerance *allowed, const char *rule, hlo_error *error) {
  int64_t index[HLO_MAX_RANK];
  bool agrees;
  HLO_TRY(compare(call, agree, allowed, index, &agrees, error));
  if (agrees) return HLO_OK;
  hlo_string text = {0};
  hlo_string_add(&text, "at index [");
  for (int32_t d = 0; d < call->operands[0].rank; d++) {
    hlo_string_add_format(&text, d > 0 ? ", %lld" : "%lld", (long long)index[d]);
  }
  hlo_string_add(&text, "]: ");
  for (int32_t i = 0; i < 2; i++) {
    if (i == 1) hlo_string_add(&text, " and ");
    hlo_element_print(&text, call->operands[i].type, element_at(&call->operands[i], index));
  }
  hlo_status status =
      hlo_instruction_fail(call->instruction, HLO_RUNTIME_ERROR, error, "expected %s, %s", rule,
                           text.failed ? "they differ" : text.text);
  hlo_string_free(&text);
  return status;
}

hlo_status hlo_check_expect_eq(const hlo_custom_call *call, hlo_error *error) {
  return expect(call, equal, NULL, "equal values", error);
}

hlo_status hlo_check_expect_almost_eq(const hlo_custom_call *call, hlo_error *error) {
  double otherwise = hlo_custom_call_is_custom_form(call->instruction) ? 1e-3 : 1e-4;
  tolerance allowed = {.absolute =
                           hlo_custom_call_number(call->instruction, "tolerance", otherwise)};
  return expect(call, nearly_equal, &allowed, "values within the tolerance", error);
}

hlo_status hlo_check_expect_close(const hlo_custom_call *call, hlo_error *error) {
  double low = hlo_custom_call_number(call->instruction, "min_ulp_difference", 0);
  double high = hlo_custom_call_number(call->instruction, "max_ulp_difference", 3);
  if (!(low >= 0 && high >= low && high <= 0x1p64)) {
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "needs 0 <= min_ulp_difference <= max_ulp_difference");
  }
  tolerance allowed = {.min_ulps = low < 0x1p64 ? (uint64_t)low : UINT64_MAX,
                       .max_ulps = high < 0x1p64 ? (uint64_t)high : UINT64_MAX};
  return expect(call, close_in_ulps, &allowed, "values close in units in the last place", error);
}

// Probes are counted by name, from 1 where nothing is said. Programs that count from 0 are right,
// too, where that is the value that agrees.
hlo_status hlo_check_expect_serialized_eq(const hlo_custom_call *call, hlo_error *error) {
  size_t length;
  const char *name = hlo_custom_call_text(call->instruction, "probe_id", &length);
  double number = hlo_custom_call_number(call->instruction, "iteration", 1);
  if (call->operand_count != 1 || name == NULL || !(number >= 0 && number < 0x1p32)) {
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes one array, and has a probe_id and perhaps an iteration");
  }
  int64_t index[HLO_MAX_RANK], first = (int64_t)number - (number > 0);
  hlo_view pair[2] = {call->operands[0]};
  hlo_custom_call both = *call;
  both.operand_count = 2;
  both.operands = pair;
  if (!hlo_probe_lookup(call->probes, name, length, first, &pair[1])) {
    return hlo_instruction_fail(call->instruction, HLO_RUNTIME_ERROR, error,
                                "there was no probe \"%.*s\" number %lld",
                                (int)(length < 100 ? length : 100), name, (long long)first + 1);
  }
  bool agrees;
  HLO_TRY(compare(&both, same, NULL, index, &agrees, error));
  hlo_view next;
  if (!agrees && number > 0 && hlo_probe_lookup(call->probes, name, length, first + 1, &next)) {
    hlo_view counted_from_1 = pair[1];
    pair[1] = next;
    HLO_TRY(compare(&both, same, NULL, index, &agrees, error));
    pair[1] = counted_from_1;
  }
  return agrees ? HLO_OK : expect(&both, same, NULL, "the value that was probed", error);
}

// Returns a pred: integers exactly equal, floats within 1e-4.
hlo_status hlo_check_eq(const hlo_custom_call *call, hlo_error *error) {
  int64_t index[HLO_MAX_RANK];
  bool agrees;
  if (call->result_count != 1 || call->results[0].type != HLO_PRED || call->results[0].rank != 0) {
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error, "returns one pred[]");
  }
  tolerance allowed = {.absolute = 1e-4};
  HLO_TRY(compare(call, nearly_equal, &allowed, index, &agrees, error));
  *(uint8_t *)call->results[0].data = agrees;
  return HLO_OK;
}

// --- assertions of exported programs ---

// The message in quotes, with {0}, {1}, … replaced by the operands after the condition.
static void add_message(const hlo_custom_call *call, const char *quoted, hlo_string *out) {
  const char *at = quoted == NULL || *quoted != '"' ? "it does not hold\"" : quoted + 1;
  for (; *at != '\0' && *at != '"'; at++) {
    int32_t index = at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}' ? at[1] - '0' : -1;
    if (*at == '\\' && at[1] != '\0') at++;
    if (index < 0 || index + 1 >= call->operand_count) {
      hlo_string_add_char(out, *at);
      continue;
    }
    hlo_element_print(out, call->operands[index + 1].type, call->operands[index + 1].data);
    at += 2;
  }
}

hlo_status hlo_check_assertion(const hlo_custom_call *call, hlo_error *error) {
  const hlo_view *condition = call->operands;
  bool fits = call->operand_count > 0 && call->result_count == 0;
  for (int32_t i = 0; fits && i < call->operand_count; i++) fits = call->operands[i].rank == 0;
  if (!fits || condition->type != HLO_PRED)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes a condition and scalars, and has no result");
  if (*(const uint8_t *)condition->data != 0) return HLO_OK;
  hlo_string text = {0};
  add_message(call, hlo_get_text(call->instruction, HLO_ATTRIBUTE_BACKEND_CONFIG), &text);
  hlo_status status = hlo_instruction_fail(call->instruction, HLO_RUNTIME_ERROR, error, "%s",
                                           text.failed ? "it does not hold" : text.text);
  hlo_string_free(&text);
  return status;
}
