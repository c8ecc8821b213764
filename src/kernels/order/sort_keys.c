// Sorting by keys: recognises, by their structure, comparators that amount to comparing integers,
// such as JAX's, which compares floats after canonicalising zeros and NaN. See sort.h.
#include "kernels/elementwise/apply.h"
#include "kernels/order/order_keys.h"
#include "kernels/order/sort.h"

#include <string.h>

// --- comparators ---

// Of a comparator that is looked at, besides its parameters: matching recurses over them.
enum { MAX_INSTRUCTIONS = 512, MAX_OPERANDS = 3 };

// Matches two subgraphs of a computation that apply the same function to either row.
typedef struct mirroring {
  const hlo_instruction **mirrors; // by id, where known
  int32_t side;                    // the left half's parameters: 0 even, 1 odd, -1 none yet
} mirroring;

static bool same_attributes(const hlo_instruction *a, const hlo_instruction *b) {
  if (a->attribute_count != b->attribute_count) return false;
  for (int32_t i = 0; i < a->attribute_count; i++) {
    const hlo_attribute *x = &a->attributes[i], *y = &b->attributes[i];
    if (x->id != y->id) return false;
    if (hlo_attribute_is_universal(x->id)) continue;
    bool same_text =
        x->text == y->text || (x->text != NULL && y->text != NULL && strcmp(x->text, y->text) == 0);
    if (x->integer != y->integer || x->count != y->count || !same_text) return false;
    if (x->ints != NULL || x->computations != NULL || x->shape != NULL) return false;
  }
  return true;
}

static bool same_constant(const hlo_instruction *a, const hlo_instruction *b) {
  return a->literal != NULL && b->literal != NULL &&
         memcmp(a->literal->data, b->literal->data, (size_t)hlo_type_bytes(a->shape->type)) == 0;
}

static bool is_scalar(const hlo_instruction *instruction) {
  return hlo_shape_is_array(instruction->shape) && instruction->shape->rank == 0;
}

static bool mirror_parameter(mirroring *m, const hlo_instruction *left,
                             const hlo_instruction *right) {
  int32_t side = (int32_t)(left->parameter_number & 1);
  if ((left->parameter_number ^ 1) != right->parameter_number) return false;
  if (m->side >= 0 && m->side != side) return false;
  m->side = side;
  return true;
}

// Each instruction is matched once, so the time is linear.
static bool mirror(mirroring *m, const hlo_instruction *left, const hlo_instruction *right) {
  hlo_lane_op op;
  if (m->mirrors[left->id] != NULL) return m->mirrors[left->id] == right;
  m->mirrors[left->id] = right;
  if (left->opcode != right->opcode || !is_scalar(left) || !is_scalar(right)) return false;
  if (left->shape->type != right->shape->type) return false;
  if (left->opcode == HLO_OP_PARAMETER) return mirror_parameter(m, left, right);
  if (left->opcode == HLO_OP_CONSTANT) return same_constant(left, right);
  int32_t count = left->operand_count;
  if (count > MAX_OPERANDS || count != right->operand_count || !same_attributes(left, right))
    return false;
  if (!hlo_op_is_elementwise(left->opcode) || !hlo_lane_op_match(left, &op)) return false;
  for (int32_t i = 0; i < count; i++) {
    if (!mirror(m, left->operands[i], right->operands[i])) return false;
  }
  return true;
}

static bool is_comparison(const hlo_instruction *instruction, const char *direction) {
  if (instruction->opcode != HLO_OP_COMPARE) return false;
  const char *text = hlo_get_text(instruction, HLO_ATTRIBUTE_DIRECTION);
  return text != NULL && strcmp(text, direction) == 0;
}

static bool is_total(const hlo_instruction *comparison) {
  const char *type = hlo_get_text(comparison, HLO_ATTRIBUTE_TYPE);
  return type != NULL && strcmp(type, "TOTALORDER") == 0;
}

// `mirrors` has room for every instruction of the comparator.
static bool match_key(const hlo_instruction *comparison, const hlo_instruction **mirrors,
                      hlo_sort_key *out) {
  mirroring m = {mirrors, -1};
  int32_t instructions = comparison->computation->instruction_count;
  for (int32_t i = 0; i < instructions; i++) mirrors[i] = NULL;
  bool less = is_comparison(comparison, "LT");
  if (!less && !is_comparison(comparison, "GT")) return false;
  const hlo_instruction *left = comparison->operands[0], *right = comparison->operands[1];
  if (!mirror(&m, left, right) || m.side < 0) return false;
  *out = (hlo_sort_key){.value = m.side == 0 ? left : right,
                        .descending = less == (m.side == 1),
                        .total = is_total(comparison)};
  return hlo_order_key_bits(left->shape->type) != 0;
}

// Whether `equal` is true exactly if `strict` orders neither operand first.
static bool is_tie(const hlo_instruction *equal, const hlo_instruction *strict) {
  if (!is_comparison(equal, "EQ") || is_total(equal) != is_total(strict)) return false;
  const hlo_instruction *a = equal->operands[0], *b = equal->operands[1];
  return (a == strict->operands[0] && b == strict->operands[1]) ||
         (a == strict->operands[1] && b == strict->operands[0]);
}

// or(strict, and(tie, rest)) with operands in any order: the rest; else NULL.
static const hlo_instruction *split_key(const hlo_instruction *node,
                                        const hlo_instruction **strict) {
  if (node->opcode != HLO_OP_OR) return NULL;
  for (int i = 0; i < 2; i++) {
    const hlo_instruction *both = node->operands[!i];
    *strict = node->operands[i];
    if ((*strict)->opcode != HLO_OP_COMPARE || both->opcode != HLO_OP_AND) continue;
    for (int j = 0; j < 2; j++) {
      if (is_tie(both->operands[j], *strict)) return both->operands[!j];
    }
  }
  return NULL;
}

int32_t hlo_sort_keys_match(const hlo_computation *comparator, hlo_arena *scratch,
                            hlo_sort_key *keys) {
  int32_t instructions = comparator->instruction_count, count = 0;
  if (instructions - comparator->parameter_count > MAX_INSTRUCTIONS) return 0;
  const hlo_instruction **mirrors = hlo_arena_array(scratch, (size_t)instructions, sizeof *mirrors);
  if (mirrors == NULL) return 0; // sorted by merging, which takes less memory
  for (const hlo_instruction *node = comparator->root; count < HLO_SORT_MAX_KEYS; count++) {
    const hlo_instruction *strict = node, *rest = split_key(node, &strict);
    if (!match_key(rest == NULL ? node : strict, mirrors, &keys[count])) return 0;
    if (rest == NULL) return count + 1;
    node = rest;
  }
  return 0;
}

// --- keys ---

typedef struct key_maker {
  hlo_sort_key key;
  hlo_type type;
  int32_t bits;
  hlo_applier *applier;   // NULL: the key is
  int64_t column;         // this column itself
  const void **arguments; // of the applier: each column twice
} key_maker;

struct hlo_key_sorter {
  const hlo_backend *backend;
  int32_t count;
  key_maker makers[HLO_SORT_MAX_KEYS];
  void *values, *keys;     // of the key at hand
  uint64_t *items, *other; // a key's 32 bits above the position in the row
};

// A computation of just that value, as far as appliers inspect it: unneeded instructions are
// replaced by parameters.
static hlo_status extract_value_computation(const hlo_evaluator *evaluator,
                                            const hlo_instruction *value, hlo_computation **out,
                                            hlo_error *error) {
  const hlo_computation *whole = value->computation;
  bool *needed;
  HLO_ALLOC(*out, evaluator->scratch, 1, error);
  **out = *whole;
  (*out)->root = whole->instructions[value->id];
  HLO_ALLOC((*out)->instructions, evaluator->scratch, whole->instruction_count, error);
  HLO_ALLOC(needed, evaluator->scratch, whole->instruction_count, error);
  needed[value->id] = true;
  for (int32_t i = whole->instruction_count - 1; i >= 0; i--) {
    hlo_instruction *x = whole->instructions[i];
    (*out)->instructions[i] = needed[i] ? x : whole->parameters[0];
    for (int32_t k = 0; needed[i] && k < x->operand_count; k++) needed[x->operands[k]->id] = true;
  }
  return HLO_OK;
}

static hlo_status prepare_key(const hlo_evaluator *evaluator, const hlo_sort_key *key,
                              const hlo_sort_table *table, int64_t capacity, key_maker *out,
                              hlo_error *error) {
  const hlo_instruction *value = key->value;
  *out = (key_maker){.key = *key, .type = value->shape->type};
  out->bits = hlo_order_key_bits(out->type);
  out->column = value->opcode == HLO_OP_PARAMETER ? value->parameter_number / 2 : -1;
  if (out->column >= 0) return HLO_OK;
  hlo_computation *computation;
  HLO_TRY(extract_value_computation(evaluator, value, &computation, error));
  HLO_ALLOC(out->arguments, evaluator->scratch, 2 * (int64_t)table->count, error);
  return hlo_applier_create(evaluator, computation, capacity, &out->applier, error);
}

hlo_status hlo_key_sorter_create(const hlo_evaluator *evaluator, const hlo_computation *comparator,
                                 const hlo_sort_table *table, int64_t capacity,
                                 hlo_key_sorter **out, hlo_error *error) {
  hlo_sort_key keys[HLO_SORT_MAX_KEYS];
  hlo_arena *scratch = evaluator->scratch;
  int32_t count = hlo_sort_keys_match(comparator, scratch, keys);
  *out = NULL;
  if (count == 0 || table->length > INT32_MAX) return HLO_OK;
  HLO_ALLOC(*out, scratch, 1, error);
  hlo_key_sorter *s = *out;
  s->backend = evaluator->backend;
  s->count = count;
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(prepare_key(evaluator, &keys[k], table, capacity, &s->makers[k], error));
  s->values = hlo_arena_array_raw(scratch, (size_t)capacity, 8);
  s->keys = hlo_arena_array_raw(scratch, (size_t)capacity, 8);
  s->items = hlo_arena_array_raw(scratch, (size_t)capacity, 8);
  s->other = hlo_arena_array_raw(scratch, (size_t)capacity, 8);
  bool failed = s->values == NULL || s->keys == NULL || s->items == NULL || s->other == NULL;
  return failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// Evaluates the key for all rows.
static hlo_status compute_values(const hlo_key_sorter *s, const key_maker *maker,
                                 const hlo_sort_table *table, const void **out, hlo_error *error) {
  void *results[1] = {s->values};
  *out = s->values;
  if (maker->column >= 0) {
    *out = table->columns[maker->column];
    return HLO_OK;
  }
  for (int32_t i = 0; i < 2 * table->count; i++) maker->arguments[i] = table->columns[i / 2];
  return hlo_applier_run(maker->applier, table->rows * table->length, maker->arguments, results,
                         error);
}

// Properties of floating-point keys not compared in total order.
typedef struct key_kinds {
  bool has_nan, has_negative_zero;
} key_kinds;

// Canonicalises -0 to +0, and complements keys for descending order.
#define DEFINE_ADJUST(bits, unsigned_type)                                                         \
  static key_kinds adjust_##bits(const key_maker *maker, int64_t n, unsigned_type infinity,        \
                                 unsigned_type *keys) {                                            \
    const unsigned_type top = (unsigned_type)1 << (bits - 1);                                      \
    const unsigned_type flip = maker->key.descending ? (unsigned_type) - 1 : 0;                    \
    unsigned_type nan = 0, zero = 0;                                                               \
    bool partial = !maker->key.total && hlo_type_get_class(maker->type) == HLO_CLASS_FLOAT;        \
    for (int64_t i = 0; partial && i < n; i++) {                                                   \
      unsigned_type key = keys[i], is_zero = key == top - 1;                                       \
      nan |= (key > (infinity | top)) | (key < (unsigned_type) ~(infinity | top));                 \
      zero |= is_zero;                                                                             \
      keys[i] = key + is_zero;                                                                     \
    }                                                                                              \
    for (int64_t i = 0; flip != 0 && i < n; i++) keys[i] ^= flip;                                  \
    return (key_kinds){nan != 0, zero != 0};                                                       \
  }
DEFINE_ADJUST(32, uint32_t)
DEFINE_ADJUST(64, uint64_t)

static key_kinds compute_keys(const hlo_key_sorter *s, const key_maker *maker, const void *values,
                              int64_t n) {
  if (maker->bits == 32) {
    uint32_t infinity = maker->type == HLO_F16 ? 0x7c000000 : 0x7f800000;
    hlo_order_keys_32(maker->type, values, n, s->keys);
    return adjust_32(maker, n, infinity, s->keys);
  }
  hlo_order_keys_64(maker->type, values, n, s->keys);
  return adjust_64(maker, n, (uint64_t)0x7ff << 52, s->keys);
}

// If the only column is itself the key, sorting the keys sorts the values.
static void sort_numbers(hlo_key_sorter *s, const key_maker *maker, hlo_sort_table *table) {
  int64_t n = table->rows * table->length;
  uint32_t *numbers = s->keys, *other = (uint32_t *)s->other;
  uint32_t flip = maker->key.descending ? ~(uint32_t)0 : 0;
  for (int64_t row = 0; row < table->rows; row++) {
    uint32_t *keys = numbers + row * table->length;
    uint32_t *sorted = hlo_radix_sort_numbers(s->backend, keys, other, table->length);
    if (table->rows == 1 && flip == 0) numbers = sorted;
    else
      for (int64_t i = 0; i < table->length; i++) keys[i] = sorted[i] ^ flip;
  }
  hlo_order_keys_undo_32(maker->type, numbers, n, s->values);
  table->sorted = s->values;
}

// Orders the items of all rows by 32 bits of their keys, from `shift` on.
static void sort_items(hlo_key_sorter *s, const key_maker *maker, const hlo_sort_table *table,
                       int32_t shift, bool first) {
  for (int64_t row = 0; row < table->rows; row++) {
    int64_t n = table->length, start = row * n;
    uint64_t *items = s->items + start;
    const uint32_t *narrow = (const uint32_t *)s->keys + start;
    const uint64_t *wide = (const uint64_t *)s->keys + start;
    for (int64_t i = 0; i < n; i++) {
      uint32_t position = first ? (uint32_t)i : (uint32_t)items[i];
      uint64_t key = maker->bits == 32 ? narrow[position] : wide[position] >> shift;
      items[i] = key << 32 | position;
    }
    uint64_t *sorted = hlo_radix_sort_items(s->backend, items, s->other, n);
    if (sorted == items) continue;
    if (table->rows > 1) {
      memcpy(items, sorted, (size_t)n * sizeof *items);
    } else {
      s->other = s->items;
      s->items = sorted;
    }
  }
}

hlo_status hlo_key_sorter_run(hlo_key_sorter *s, hlo_sort_table *table, bool *done,
                              hlo_error *error) {
  int64_t n = table->rows * table->length;
  *done = true;
  table->sorted = NULL;
  for (int32_t k = s->count - 1; k >= 0; k--) {
    const key_maker *maker = &s->makers[k];
    const void *values;
    HLO_TRY(compute_values(s, maker, table, &values, error));
    key_kinds kinds = compute_keys(s, maker, values, n);
    if (kinds.has_nan) {
      *done = false;
      return HLO_OK;
    }
    bool alone = s->count == 1 && table->count == 1 && maker->type == table->types[0] &&
                 hlo_type_bits(maker->type) == 32 && !kinds.has_negative_zero;
    bool same = values == table->columns[0];
    if (alone && (same || memcmp(values, table->columns[0], (size_t)n * sizeof(uint32_t)) == 0)) {
      sort_numbers(s, maker, table);
      return HLO_OK;
    }
    bool first = k == s->count - 1;
    sort_items(s, maker, table, 0, first);
    if (maker->bits == 64) sort_items(s, maker, table, 32, false);
  }
  int64_t *order = (int64_t *)s->items;
  for (int64_t row = 0, i = 0; row < table->rows; row++) {
    for (int64_t end = i + table->length, start = i; i < end; i++)
      order[i] = start + (int64_t)(s->items[i] & UINT32_MAX);
  }
  table->order = order;
  return HLO_OK;
}
