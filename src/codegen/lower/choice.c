// Tries a computation on all orders of its arguments. Its result depends only on comparisons
// between them, so a few values of each type, one of every kind, cover all cases. See choice.h.
#include "codegen/lower/choice.h"

#include "kernels/eval.h"

#include <string.h>

enum { KINDS = 7, MAX_LANES = 1 << 16, MAX_LEAVES = 2 };

static bool is_allowed(const hlo_instruction *instruction) {
  static const hlo_opcode allowed[] = {
      HLO_OP_PARAMETER, HLO_OP_COMPARE, HLO_OP_SELECT,  HLO_OP_AND,     HLO_OP_OR,
      HLO_OP_NOT,       HLO_OP_XOR,     HLO_OP_MAXIMUM, HLO_OP_MINIMUM, HLO_OP_TUPLE};
  bool on_bits = instruction->opcode == HLO_OP_AND || instruction->opcode == HLO_OP_OR ||
                 instruction->opcode == HLO_OP_NOT || instruction->opcode == HLO_OP_XOR;
  if (on_bits && instruction->shape->type != HLO_PRED) return false;
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
    if (allowed[i] == instruction->opcode) return true;
  }
  return false;
}

// Value number `kind` of the type; false if it has no more.
static bool value_of(hlo_type type, int32_t kind, void *out) {
  static const float floats[KINDS] = {-1, -0.0f, 0, 1, 2, __builtin_inff(), __builtin_nanf("")};
  static const int32_t integers[KINDS] = {0, 1, 2, 3, 4, 5, 6};
  bool is_float = type == HLO_F32 || type == HLO_F64;
  double wide = floats[kind];
  int64_t wide_integer[2] = {integers[kind]}; // as long as the longest type
  if (type == HLO_PRED) *(uint8_t *)out = kind & 1;
  else if (type == HLO_F64) memcpy(out, &wide, sizeof wide);
  else if (is_float) memcpy(out, &floats[kind], sizeof(float));
  else memcpy(out, wide_integer, (size_t)hlo_type_bytes(type)); // little-endian
  return type != HLO_PRED || kind < 2;
}

typedef struct trial {
  hlo_arena arena;
  hlo_evaluator evaluator;
  const hlo_computation *computation;
  int32_t leaves;
  int64_t lanes;
  bool out_of_memory;
  hlo_type types[MAX_LEAVES];
  void *values[3][MAX_LEAVES]; // three elements of each lane
} trial;

static void **new_values(trial *t) {
  void **out = hlo_arena_array(&t->arena, MAX_LEAVES, sizeof *out);
  for (int32_t i = 0; out != NULL && i < t->leaves; i++) {
    out[i] = hlo_arena_array(&t->arena, (size_t)t->lanes, (size_t)hlo_type_bytes(t->types[i]));
    if (out[i] == NULL) out = NULL;
  }
  t->out_of_memory = t->out_of_memory || out == NULL;
  return out;
}

static void **apply(trial *t, void *const *left, void *const *right) {
  void *arguments[2 * MAX_LEAVES], **out = new_values(t);
  hlo_error error = {0};
  if (left == NULL || right == NULL || out == NULL) return NULL;
  memcpy(arguments, left, (size_t)t->leaves * sizeof *arguments);
  memcpy(arguments + t->leaves, right, (size_t)t->leaves * sizeof *arguments);
  hlo_status status = hlo_apply(&t->evaluator, t->computation, t->lanes, arguments, out, &error);
  t->out_of_memory = t->out_of_memory || status == HLO_OUT_OF_MEMORY;
  return status == HLO_OK ? out : NULL;
}

static double number_at(const trial *t, void *const *values, int64_t lane) {
  float narrow = 0;
  double wide;
  int64_t integer = 0;
  if (!hlo_type_is_float(t->types[0])) { // none is negative
    size_t size = (size_t)hlo_type_bytes(t->types[0]);
    memcpy(&integer, (const char *)values[0] + (size_t)lane * size, size);
    return (double)integer;
  }
  if (t->types[0] == HLO_F64) {
    memcpy(&wide, (const double *)values[0] + lane, sizeof wide);
    return wide;
  }
  if (t->types[0] == HLO_F32) memcpy(&narrow, (const float *)values[0] + lane, sizeof narrow);
  return narrow;
}

static bool is_nan_at(const trial *t, void *const *values, int64_t lane) {
  double x = number_at(t, values, lane);
  return x != x;
}

// Floats agree as numbers: with numbered elements, zeros of both signs are equal.
static bool agree_first(const trial *t, void *const *a, void *const *b, int64_t lane) {
  if (!hlo_type_is_float(t->types[0])) return false;
  double x = number_at(t, a, lane), y = number_at(t, b, lane);
  return (x != x && y != y) || (t->leaves == 2 && x == y);
}

static bool agree(const trial *t, void *const *a, void *const *b, int64_t lane) {
  for (int32_t i = 0; i < t->leaves; i++) {
    size_t size = (size_t)hlo_type_bytes(t->types[i]), at = (size_t)lane * size;
    if (i == 0 && agree_first(t, a, b, lane)) continue;
    if (memcmp((const char *)a[i] + at, (const char *)b[i] + at, size) != 0) return false;
  }
  return true;
}

// All values of the first leaf for three elements, and with each all orders of three different
// numbers.
static bool fill(trial *t, bool by_number) {
  static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  int64_t lane = 0;
  int32_t numberings = by_number ? 6 : 1;
  t->lanes = (int64_t)KINDS * KINDS * KINDS * numberings;
  for (int element = 0; element < 3; element++) {
    void **made = new_values(t);
    if (made == NULL) return false;
    memcpy(t->values[element], made, (size_t)t->leaves * sizeof *made);
  }
  for (int32_t kinds = 0; kinds < KINDS * KINDS * KINDS; kinds++) {
    const int32_t kind[3] = {kinds % KINDS, kinds / KINDS % KINDS, kinds / KINDS / KINDS};
    for (int32_t n = 0; n < numberings; n++, lane++) {
      for (int element = 0; element < 3; element++) {
        size_t size = (size_t)hlo_type_bytes(t->types[0]);
        value_of(t->types[0], kind[element], (char *)t->values[element][0] + (size_t)lane * size);
        if (t->leaves < 2) continue;
        size = (size_t)hlo_type_bytes(t->types[1]);
        value_of(t->types[1], orders[n][element],
                 (char *)t->values[element][1] + (size_t)lane * size);
      }
    }
  }
  return true;
}

// Whether the result is the first of the largest (or smallest) of two numbered elements.
static bool is_first(const trial *t, void *const *result, bool largest, int64_t lane) {
  double x = number_at(t, t->values[0], lane), y = number_at(t, t->values[1], lane);
  int64_t i = 0, j = 0;
  size_t size = (size_t)hlo_type_bytes(t->types[1]), at = (size_t)lane * size;
  memcpy(&i, (const char *)t->values[0][1] + at, size);
  memcpy(&j, (const char *)t->values[1][1] + at, size);
  bool takes_first = x != x || (largest ? x > y : x < y) || (x == y && i < j);
  return agree(t, result, t->values[takes_first ? 0 : 1], lane);
}

static hlo_choice try_all(trial *t, bool by_number) {
  if (!fill(t, by_number)) return HLO_CHOICE_NONE;
  void **ab = apply(t, t->values[0], t->values[1]), **ba = apply(t, t->values[1], t->values[0]);
  void **bc = apply(t, t->values[1], t->values[2]);
  void **first = apply(t, ab, t->values[2]), **last = apply(t, t->values[0], bc);
  bool largest = by_number, smallest = by_number;
  if (ab == NULL || ba == NULL || first == NULL || last == NULL) return HLO_CHOICE_NONE;
  for (int64_t lane = 0; lane < t->lanes; lane++) {
    bool two_nans = is_nan_at(t, t->values[0], lane) && is_nan_at(t, t->values[1], lane);
    if (!agree(t, first, last, lane)) return HLO_CHOICE_NONE;
    if (!agree(t, ab, two_nans ? t->values[0] : ba, lane)) return HLO_CHOICE_NONE;
    largest = largest && is_first(t, ab, true, lane);
    smallest = smallest && is_first(t, ab, false, lane);
  }
  return largest ? HLO_CHOICE_FIRST_LARGEST : smallest ? HLO_CHOICE_FIRST_SMALLEST : HLO_CHOICE_ANY;
}

hlo_choice hlo_emit_match_choice(const hlo_computation *computation, int32_t leaves, bool by_number,
                                 bool *out_of_memory) {
  if (leaves > MAX_LEAVES || (leaves == 2) != by_number ||
      computation->parameter_count != 2 * leaves)
    return HLO_CHOICE_NONE;
  trial t = {.computation = computation, .leaves = leaves};
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    if (!is_allowed(computation->instructions[i])) return HLO_CHOICE_NONE;
  }
  for (int32_t i = 0; i < leaves; i++) {
    t.types[i] = computation->parameters[i]->shape->type;
    bool tried = t.types[i] == HLO_F32 || t.types[i] == HLO_F64 ||
                 hlo_type_is_integer(t.types[i]) || t.types[i] == HLO_PRED;
    if (!tried || hlo_type_bits(t.types[i]) < (i == 0 ? 1 : 32)) return HLO_CHOICE_NONE;
  }
  t.evaluator.scratch = &t.arena;
  hlo_choice found = try_all(&t, by_number);
  if (t.out_of_memory) *out_of_memory = true;
  hlo_arena_free(&t.arena);
  return found;
}
