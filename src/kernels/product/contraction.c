// See contraction.h. Source of semantics: "Dot" and "DotGeneral" of the operation semantics.
#include "kernels/product/contraction.h"

#include "kernels/product/dot_kernel.h"

#include <string.h>

// The groups of each array.
static const int32_t groups_of[HLO_CONTRACTION_ARRAYS][3] = {
    {HLO_BATCHES, HLO_ROWS, HLO_TERMS},
    {HLO_BATCHES, HLO_TERMS, HLO_COLUMNS},
    {HLO_BATCHES, HLO_ROWS, HLO_COLUMNS},
};

static bool follows(const hlo_contraction_loop *outer, const hlo_contraction_loop *inner) {
  for (int i = 0; i < HLO_CONTRACTION_ARRAYS; i++) {
    if (outer->strides[i] != inner->size * inner->strides[i]) return false;
  }
  return true;
}

// Appends a loop to the group, the last one so far.
static void add_loop(hlo_contraction *c, int32_t group, hlo_contraction_loop loop) {
  int32_t *end = &c->starts[group + 1];
  c->sizes[group] *= loop.size;
  if (loop.size == 1) return;
  hlo_contraction_loop *last = &c->loops[*end - 1];
  if (*end > c->starts[group] && follows(last, &loop)) {
    loop.size *= last->size;
    *last = loop;
  } else {
    c->loops[(*end)++] = loop;
  }
}

static void begin_group(hlo_contraction *c, int32_t group) {
  c->starts[group + 1] = c->starts[group];
  c->sizes[group] = 1;
}

// Appends the operand's dimensions that are neither batches nor summed over.
static void add_free_loops(hlo_contraction *c, int32_t group, int32_t array, const hlo_view *view,
                           const hlo_view *result, uint64_t taken, int32_t *at) {
  begin_group(c, group);
  for (int32_t d = 0; d < view->rank; d++) {
    if ((taken >> d & 1) != 0) continue;
    hlo_contraction_loop loop = {view->dims[d], {0}};
    loop.strides[array] = view->strides[d];
    loop.strides[HLO_PRODUCT] = result->strides[(*at)++];
    add_loop(c, group, loop);
  }
}

static hlo_type as_summed(hlo_type type, hlo_type work) {
  bool same = (type == HLO_S32 && work == HLO_U32) || (type == HLO_S64 && work == HLO_U64);
  return same ? work : type;
}

static uint64_t bits_of(int32_t count, const int64_t *dimensions) {
  uint64_t bits = 0; // one for each of HLO_MAX_RANK
  for (int32_t i = 0; i < count; i++) bits |= UINT64_C(1) << dimensions[i];
  return bits;
}

void hlo_contraction_describe(const hlo_instruction *instruction, const hlo_view *lhs,
                              const hlo_view *rhs, const hlo_view *result, hlo_contraction *out) {
  int32_t batches, terms[2], at;
  const int64_t *batch[2] = {hlo_get_ints(instruction, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &batches),
                             hlo_get_ints(instruction, HLO_ATTRIBUTE_RHS_BATCH_DIMS, &batches)};
  const int64_t *along[2] = {
      hlo_get_ints(instruction, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &terms[0]),
      hlo_get_ints(instruction, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, &terms[1])};
  hlo_type work = hlo_dot_work_type(lhs->type, rhs->type, result->type);
  out->work_type = work;
  out->types[HLO_LEFT] = as_summed(lhs->type, work);
  out->types[HLO_RIGHT] = as_summed(rhs->type, work);
  out->types[HLO_PRODUCT] = as_summed(result->type, work);
  out->is_swapped = false;
  out->constants[0] = out->constants[1] = NULL;
  out->starts[0] = 0;
  begin_group(out, HLO_BATCHES);
  for (at = 0; at < batches; at++) {
    hlo_contraction_loop loop = {
        result->dims[at],
        {lhs->strides[batch[0][at]], rhs->strides[batch[1][at]], result->strides[at]}};
    add_loop(out, HLO_BATCHES, loop);
  }
  add_free_loops(out, HLO_ROWS, HLO_LEFT, lhs, result,
                 bits_of(batches, batch[0]) | bits_of(terms[0], along[0]), &at);
  add_free_loops(out, HLO_COLUMNS, HLO_RIGHT, rhs, result,
                 bits_of(batches, batch[1]) | bits_of(terms[1], along[1]), &at);
  begin_group(out, HLO_TERMS);
  // The group dimension of a ragged dot, of size 1, is one that only the right operand sums over.
  for (int32_t i = 0, j = 0; i < terms[0]; i++) {
    if (lhs->dims[along[0][i]] == 1) continue;
    while (rhs->dims[along[1][j]] == 1) j++;
    hlo_contraction_loop loop = {lhs->dims[along[0][i]],
                                 {lhs->strides[along[0][i]], rhs->strides[along[1][j++]], 0}};
    add_loop(out, HLO_TERMS, loop);
  }
}

static void swap_strides(hlo_contraction_loop *loop) {
  int64_t left = loop->strides[HLO_LEFT];
  loop->strides[HLO_LEFT] = loop->strides[HLO_RIGHT];
  loop->strides[HLO_RIGHT] = left;
}

void hlo_contraction_swap(hlo_contraction *c) {
  hlo_contraction_loop rows[HLO_MAX_RANK];
  int32_t first = c->starts[HLO_ROWS], row_count = c->starts[HLO_COLUMNS] - first;
  int32_t column_count = c->starts[HLO_TERMS] - c->starts[HLO_COLUMNS];
  memcpy(rows, c->loops + first, (size_t)row_count * sizeof *rows);
  memmove(c->loops + first, c->loops + first + row_count, (size_t)column_count * sizeof *rows);
  memcpy(c->loops + first + column_count, rows, (size_t)row_count * sizeof *rows);
  c->starts[HLO_COLUMNS] = first + column_count;
  for (int32_t i = 0; i < c->starts[HLO_LOOP_GROUPS]; i++) swap_strides(&c->loops[i]);
  int64_t m = c->m;
  c->m = c->n;
  c->n = m;
  hlo_type type = c->types[HLO_LEFT];
  c->types[HLO_LEFT] = c->types[HLO_RIGHT];
  c->types[HLO_RIGHT] = type;
  const void *constant = c->constants[0];
  c->constants[0] = c->constants[1];
  c->constants[1] = constant;
  c->is_swapped = !c->is_swapped;
}

bool hlo_contraction_is_even(const hlo_contraction *c, int32_t group, int32_t array,
                             int64_t *stride) {
  int64_t size = 1;
  *stride = 1;
  for (int32_t i = c->starts[group + 1] - 1; i >= c->starts[group]; i--) {
    int64_t next = c->loops[i].strides[array];
    if (size == 1) *stride = next;
    else if (next != size * *stride) return false;
    size *= c->loops[i].size;
  }
  return true;
}

int64_t hlo_contraction_offset(const hlo_contraction *c, int32_t array, int64_t batch) {
  int64_t offset = 0;
  for (int32_t i = c->starts[1] - 1; i > 0; i--) {
    offset += batch % c->loops[i].size * c->loops[i].strides[array];
    batch /= c->loops[i].size;
  }
  return c->starts[1] == 0 ? 0 : offset + batch * c->loops[0].strides[array];
}

void hlo_contraction_view(const hlo_contraction *c, int32_t array, int32_t group_count,
                          const int32_t *groups, const void *data, hlo_view *out) {
  out->type = c->types[array];
  out->rank = 0;
  out->data = (void *)data;
  for (int32_t g = 0; g < group_count; g++) {
    for (int32_t i = c->starts[groups[g]]; i < c->starts[groups[g] + 1]; i++) {
      out->dims[out->rank] = c->loops[i].size;
      out->strides[out->rank++] = c->loops[i].strides[array];
    }
  }
}

int64_t hlo_contraction_elements(const hlo_contraction *c, int32_t array) {
  int64_t elements = 1;
  for (int i = 0; i < 3; i++) elements *= c->sizes[groups_of[array][i]];
  return elements;
}
