// Reductions: a computation that combines many elements into one. Source of semantics: "Reduce",
// "ReduceWindow" and "SelectAndScatter" of the operation semantics. Elements are combined one after
// the other in row-major order; by a computation that is a single addition of floats, which the
// semantics let happen in any order, in wide numbers that are rounded once.
#include "hlo/attributes/window.h"
#include "reference/operation.h"
#include "reference/wide.h"

// --- what is combined ---

typedef struct combination {
  const hlo_reference *reference;
  const hlo_computation *computation;
  int32_t count;       // of the values that are combined side by side
  hlo_scalar *values;  // so far, and then the elements to be combined with them
  hlo_scalar *results; // of the computation
  bool is_sum;         // of the only value, which is in `sum` then
  hlo_wide sum;
} combination;

static bool is_sum(const hlo_computation *computation) {
  const hlo_instruction *root = computation->root;
  if (computation->parameter_count != 2 || root->opcode != HLO_OP_ADD) return false;
  const hlo_instruction *a = root->operands[0], *b = root->operands[1];
  return hlo_type_is_float(hlo_type_complex_part(root->shape->type)) && a != b &&
         a->opcode == HLO_OP_PARAMETER && b->opcode == HLO_OP_PARAMETER;
}

static hlo_status prepare(const hlo_reference *reference, const hlo_computation *computation,
                          int32_t count, combination *out, hlo_error *error) {
  *out = (combination){reference, computation, count, .is_sum = is_sum(computation)};
  HLO_ALLOC(out->values, reference->arena, 2 * (int64_t)count, error);
  HLO_ALLOC(out->results, reference->arena, count, error);
  return HLO_OK;
}

// Begins with the elements at that index.
static void begin(combination *c, const hlo_view *operands, const int64_t *at) {
  for (int32_t k = 0; k < c->count; k++) c->values[k] = hlo_scalar_at(&operands[k], at);
  if (c->is_sum) c->sum = hlo_wide_at(operands, at);
}

// Combines the elements at that index with what there is.
static hlo_status combine(combination *c, const hlo_view *operands, const int64_t *at,
                          hlo_error *error) {
  if (c->is_sum) {
    c->sum = hlo_wide_add(c->sum, hlo_wide_at(operands, at));
    return HLO_OK;
  }
  for (int32_t k = 0; k < c->count; k++) c->values[c->count + k] = hlo_scalar_at(&operands[k], at);
  HLO_TRY(hlo_reference_apply(c->reference, c->computation, c->values, c->results, error));
  memcpy(c->values, c->results, (size_t)c->count * sizeof *c->values);
  return HLO_OK;
}

static void end(combination *c, const hlo_view *results, const int64_t *at) {
  if (c->is_sum) hlo_store_number(results, at, hlo_wide_round(c->sum));
  for (int32_t k = 0; k < c->count && !c->is_sum; k++)
    hlo_store_scalar(&results[k], at, c->values[k]);
}

// --- the operations ---

// Reduce: of each element of the result, the operands' elements along `dimensions`.
hlo_status hlo_reference_reduce(const hlo_operation *x, hlo_error *error) {
  combination c;
  int32_t count = x->instruction->operand_count / 2;
  const hlo_computation *computation = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY);
  HLO_TRY(prepare(x->reference, computation, count, &c, error));
  for (hlo_index out = hlo_index_over(x->results); hlo_index_next(&out);) {
    hlo_index i = hlo_index_over(x->operands);
    for (int32_t d = 0, kept = 0; d < i.rank; d++)
      if (!hlo_lists(x->instruction, HLO_ATTRIBUTE_DIMENSIONS, d))
        hlo_index_fix(&i, d, out.at[kept++]);
    begin(&c, x->operands + count, NULL);
    while (hlo_index_next(&i)) HLO_TRY(combine(&c, x->operands, i.at, error));
    end(&c, x->results, out.at);
  }
  return HLO_OK;
}

hlo_status hlo_reference_combine(const hlo_reference *reference, const hlo_computation *computation,
                                 int32_t count, const hlo_view *parts, const hlo_view *result,
                                 hlo_error *error) {
  combination c;
  HLO_TRY(prepare(reference, computation, 1, &c, error));
  for (hlo_index i = hlo_index_over(result); hlo_index_next(&i);) {
    begin(&c, &parts[0], i.at);
    for (int32_t k = 1; k < count; k++) HLO_TRY(combine(&c, &parts[k], i.at, error));
    end(&c, result, i.at);
  }
  return HLO_OK;
}

// A walk over the elements of a base that lie in the span of a window at a position, in row-major
// order: it takes no longer than there are elements, however large windows, padding and holes are.
typedef struct window_walk {
  const int64_t *fields;
  hlo_index index;
  int64_t start[HLO_MAX_RANK];
} window_walk;

static void start_walk(window_walk *walk, const int64_t *fields, const hlo_view *base,
                       const int64_t *position) {
  walk->fields = fields;
  walk->index = hlo_index_over(base);
  for (int32_t d = 0; d < base->rank; d++, fields += HLO_WINDOW_FIELDS) {
    int64_t holes = fields[HLO_WINDOW_LHS_DILATION];
    int64_t start = position[d] * fields[HLO_WINDOW_STRIDE] - fields[HLO_WINDOW_PAD_LOW];
    int64_t last = start + (fields[HLO_WINDOW_SIZE] - 1) * fields[HLO_WINDOW_RHS_DILATION];
    int64_t end = last < 0 ? 0 : last / holes + 1;
    walk->start[d] = start;
    walk->index.first[d] = start <= 0 ? 0 : (start + holes - 1) / holes;
    if (end < base->dims[d]) walk->index.end[d] = end;
  }
}

// Steps to the next element that is under one of the window's (and not between two of them).
static bool next_in_window(window_walk *walk) {
  while (hlo_index_next(&walk->index)) {
    bool meets = true;
    const int64_t *field = walk->fields;
    for (int32_t d = 0; d < walk->index.rank && meets; d++, field += HLO_WINDOW_FIELDS) {
      int64_t distance = walk->index.at[d] * field[HLO_WINDOW_LHS_DILATION] - walk->start[d];
      meets = distance % field[HLO_WINDOW_RHS_DILATION] == 0;
    }
    if (meets) return true;
  }
  return false;
}

// ReduceWindow: of each position of the window, the elements under it; padding and holes add
// nothing to the initial values.
hlo_status hlo_reference_reduce_window(const hlo_operation *x, hlo_error *error) {
  const hlo_view *base = x->operands;
  int32_t count = x->instruction->operand_count / 2;
  combination c;
  window_walk walk;
  const int64_t *fields;
  HLO_TRY(hlo_window_read(x->instruction, base->rank, &fields, error));
  const hlo_computation *computation = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY);
  HLO_TRY(prepare(x->reference, computation, count, &c, error));
  for (hlo_index out = hlo_index_over(x->results); hlo_index_next(&out);) {
    begin(&c, x->operands + count, NULL);
    start_walk(&walk, fields, base, out.at);
    while (next_in_window(&walk)) HLO_TRY(combine(&c, base, walk.index.at, error));
    end(&c, x->results, out.at);
  }
  return HLO_OK;
}

// The element under the window that `select` keeps against all that come before it and after it, in
// row-major order. *found: whether there is any.
static hlo_status select_element(const hlo_operation *x, const int64_t *fields,
                                 const int64_t *position, int64_t *selected, bool *found,
                                 hlo_error *error) {
  const hlo_computation *select = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_SELECT);
  window_walk walk;
  *found = false;
  start_walk(&walk, fields, x->operands, position);
  while (next_in_window(&walk)) {
    hlo_scalar keeps = {0};
    if (*found) {
      hlo_scalar pair[] = {hlo_scalar_at(x->operands, selected),
                           hlo_scalar_at(x->operands, walk.index.at)};
      HLO_TRY(hlo_reference_apply(x->reference, select, pair, &keeps, error));
    }
    if (!*found || keeps.bytes[0] == 0)
      memcpy(selected, walk.index.at, (size_t)walk.index.rank * sizeof *selected);
    *found = true;
  }
  return HLO_OK;
}

// SelectAndScatter: each position of the window selects an element of the operand, and the element
// of the source at that position is combined with the result's where that one is.
hlo_status hlo_reference_select_and_scatter(const hlo_operation *x, hlo_error *error) {
  const hlo_view *source = &x->operands[1];
  const hlo_computation *scatter = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_SCATTER);
  const int64_t *fields;
  int64_t selected[HLO_MAX_RANK];
  HLO_TRY(hlo_window_read(x->instruction, x->operands->rank, &fields, error));
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);)
    hlo_store_scalar(x->results, i.at, hlo_scalar_at(&x->operands[2], NULL));
  for (hlo_index i = hlo_index_over(source); hlo_index_next(&i);) {
    bool found;
    HLO_TRY(select_element(x, fields, i.at, selected, &found, error));
    if (!found) continue;
    hlo_scalar pair[] = {hlo_scalar_at(x->results, selected), hlo_scalar_at(source, i.at)}, sum;
    HLO_TRY(hlo_reference_apply(x->reference, scatter, pair, &sum, error));
    hlo_store_scalar(x->results, selected, sum);
  }
  return HLO_OK;
}
