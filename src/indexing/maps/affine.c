// The context: stores every expression once, and makes constants and variables. Sums are made in
// affine_sum.c, all else in affine_arithmetic.c. See affine.h.
#include "indexing/maps/affine_context.h"
#include "indexing/maps/interval.h"

#include <string.h>

// Terms of one sum. Of an index of HLO_MAX_RANK dimensions each may have a few digits. Simplifying
// compares all pairs of terms, as often as there are mods to be made: 256 terms take some 20 ms.
enum { MOST_TERMS = 256 };

static uint32_t mix(uint32_t hash, uint64_t value) {
  uint64_t mixed = ((uint64_t)hash << 32 | hash) ^ value;
  mixed *= UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(mixed >> 32) ^ (uint32_t)(mixed >> 11);
}

static uint32_t hash_of(const hlo_affine *a) {
  uint32_t hash = mix((uint32_t)a->kind + 1, (uint64_t)(uint32_t)a->index);
  hash = mix(hash, (uint64_t)a->constant);
  if (a->left != NULL) hash = mix(mix(hash, a->left->hash), a->right->hash);
  for (int32_t i = 0; i < a->term_count; i++)
    hash = mix(mix(hash, a->terms[i].atom->hash), (uint64_t)a->terms[i].factor);
  return hash;
}

hlo_status hlo_affine_context_create(hlo_arena *arena, hlo_affine_context **out, hlo_error *error) {
  hlo_affine_context *context;
  HLO_ALLOC(context, arena, 1, error);
  context->arena = arena;
  context->capacity = 256;
  HLO_ALLOC(context->slots, arena, context->capacity, error);
  context->zero = (hlo_affine){.kind = HLO_AFFINE_SUM, .nodes = 1};
  context->zero.hash = hash_of(&context->zero);
  context->slots[context->zero.hash % context->capacity] = &context->zero;
  context->count = 1;
  *out = context;
  return HLO_OK;
}

hlo_arena *hlo_affine_arena(const hlo_affine_context *context) { return context->arena; }

void hlo_affine_fail(hlo_affine_context *context, hlo_affine_failure failure) {
  if (context->failure == AFFINE_FINE) context->failure = failure;
}
void hlo_affine_fail_overflow(hlo_affine_context *context) {
  hlo_affine_fail(context, AFFINE_OVERFLOW);
}
bool hlo_affine_has_failed(const hlo_affine_context *context) {
  return context->failure != AFFINE_FINE;
}

bool hlo_affine_forgive(hlo_affine_context *context) {
  bool failed = hlo_affine_has_failed(context);
  if (context->failure != AFFINE_OUT_OF_MEMORY) context->failure = AFFINE_FINE;
  return failed;
}

hlo_status hlo_affine_status(hlo_affine_context *context, hlo_error *error) {
  hlo_affine_failure failure = context->failure;
  context->failure = AFFINE_FINE;
  switch (failure) {
  case AFFINE_FINE:
    return HLO_OK;
  case AFFINE_OVERFLOW:
    return hlo_fail(error, HLO_UNSUPPORTED, "an index expression overflows 64 bits");
  case AFFINE_TOO_LARGE:
    return hlo_fail(error, HLO_UNSUPPORTED,
                    "an index expression has more than %d parts or %d levels", HLO_AFFINE_MAX_NODES,
                    HLO_AFFINE_MAX_DEPTH);
  case AFFINE_TOO_MANY_TERMS:
    return hlo_fail(error, HLO_UNSUPPORTED, "a sum of an index expression has more than %d terms",
                    MOST_TERMS);
  case AFFINE_TOO_MANY_FACTORS:
    return hlo_fail(error, HLO_UNSUPPORTED,
                    "a product of an index expression has more than %d factors",
                    AFFINE_MOST_FACTORS);
  case AFFINE_DIVISION_BY_ZERO:
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "an index expression divides by 0");
  case AFFINE_OUT_OF_MEMORY:
    break;
  }
  return hlo_fail_out_of_memory(error);
}

// --- storing once ---

static bool same(const hlo_affine *a, const hlo_affine *b) {
  if (a->hash != b->hash || a->kind != b->kind || a->index != b->index ||
      a->constant != b->constant || a->left != b->left || a->right != b->right ||
      a->term_count != b->term_count)
    return false;
  for (int32_t i = 0; i < a->term_count; i++)
    if (a->terms[i].atom != b->terms[i].atom || a->terms[i].factor != b->terms[i].factor)
      return false;
  return true;
}

static bool grow(hlo_affine_context *context) {
  uint32_t capacity = context->capacity * 2;
  const hlo_affine **slots = hlo_arena_array(context->arena, capacity, sizeof *slots);
  if (slots == NULL) return false;
  for (uint32_t i = 0; i < context->capacity; i++) {
    if (context->slots[i] == NULL) continue;
    uint32_t slot = context->slots[i]->hash % capacity;
    while (slots[slot] != NULL) slot = (slot + 1) % capacity;
    slots[slot] = context->slots[i];
  }
  context->slots = slots;
  context->capacity = capacity;
  return true;
}

static void measure(hlo_affine *a, const hlo_affine *part, uint32_t own_nodes) {
  uint32_t nodes = a->nodes + part->nodes + own_nodes;
  a->nodes = nodes > HLO_AFFINE_MAX_NODES ? HLO_AFFINE_MAX_NODES + 1 : nodes;
  if (part->depth >= a->depth) a->depth = (uint16_t)(part->depth + 1);
  a->variables |= part->variables;
}

const hlo_affine *hlo_affine_intern(hlo_affine_context *context, hlo_affine candidate) {
  if (hlo_affine_has_failed(context)) return &context->zero;
  candidate.hash = hash_of(&candidate);
  uint32_t slot = candidate.hash % context->capacity;
  for (; context->slots[slot] != NULL; slot = (slot + 1) % context->capacity)
    if (same(context->slots[slot], &candidate)) return context->slots[slot];
  candidate.nodes = 1;
  if (candidate.left != NULL) {
    measure(&candidate, candidate.left, 0);
    measure(&candidate, candidate.right, 0);
  }
  for (int32_t i = 0; i < candidate.term_count; i++)
    measure(&candidate, candidate.terms[i].atom, candidate.terms[i].factor == 1 ? 1 : 3);
  hlo_affine *stored = NULL;
  hlo_affine_term *terms = NULL;
  bool has_room = candidate.term_count <= MOST_TERMS;
  if (!has_room || candidate.nodes > HLO_AFFINE_MAX_NODES ||
      candidate.depth > HLO_AFFINE_MAX_DEPTH) {
    hlo_affine_fail(context, has_room ? AFFINE_TOO_LARGE : AFFINE_TOO_MANY_TERMS);
    return &context->zero;
  }
  stored = hlo_arena_array(context->arena, 1, sizeof *stored);
  if (stored != NULL && candidate.term_count > 0) {
    terms = hlo_arena_array(context->arena, (size_t)candidate.term_count, sizeof *terms);
    if (terms == NULL) stored = NULL;
    else memcpy(terms, candidate.terms, sizeof *terms * (size_t)candidate.term_count);
  }
  if (stored == NULL) {
    hlo_affine_fail(context, AFFINE_OUT_OF_MEMORY);
    return &context->zero;
  }
  *stored = candidate;
  stored->terms = terms;
  context->slots[slot] = stored;
  if (++context->count > context->capacity / 2 && !grow(context))
    hlo_affine_fail(context, AFFINE_OUT_OF_MEMORY);
  return stored;
}

// --- makers ---

const hlo_affine *hlo_affine_constant(hlo_affine_context *context, int64_t value) {
  return hlo_affine_intern(context, (hlo_affine){.kind = HLO_AFFINE_SUM, .constant = value});
}

const hlo_affine *hlo_affine_variable(hlo_affine_context *context, hlo_affine_kind kind,
                                      int32_t index) {
  return hlo_affine_intern(
      context,
      (hlo_affine){.kind = kind, .index = index, .variables = (uint8_t)(1u << (unsigned)kind)});
}

bool hlo_affine_is_constant(const hlo_affine *a) {
  return a->kind == HLO_AFFINE_SUM && a->term_count == 0;
}

int64_t hlo_affine_divisor(const hlo_affine *a) {
  bool divides = a->kind == HLO_AFFINE_FLOORDIV || a->kind == HLO_AFFINE_MOD;
  return divides && hlo_affine_is_constant(a->right) ? a->right->constant : 0;
}

const hlo_affine *hlo_affine_divided(hlo_affine_context *context, hlo_affine_kind kind,
                                     const hlo_affine *a, int64_t divisor) {
  return hlo_affine_intern(
      context,
      (hlo_affine){.kind = kind, .left = a, .right = hlo_affine_constant(context, divisor)});
}
