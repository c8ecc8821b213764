// What collectives give where participants have dynamic dimensions: as if every array had its size
// of now. Only a gathering takes in arrays of several sizes along its dimension; an exchange or a
// permutation hands sizes on with the elements; a ragged exchange keeps those of what it writes to;
// what is combined must be of one size. See collective.h.
#include "run/devices/collective.h"

#include <string.h>

static hlo_status fail_sizes(const hlo_collective *c, int32_t operand, int32_t dimension,
                             int64_t here, int64_t there, hlo_error *error) {
  return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                              "participants disagree: dimension %d of operand %d has %lld elements "
                              "with one of them now, %lld with another",
                              (int)dimension, (int)operand, (long long)here, (long long)there);
}

// All have the same sizes, but for dimension `but` (-1: none).
static hlo_status require_same(const hlo_collective *c, int32_t k, int32_t but, hlo_error *error) {
  const hlo_view *first = &c->participants[0].operands[k];
  for (int32_t i = 1; i < c->count; i++) {
    const hlo_view *other = &c->participants[i].operands[k];
    for (int32_t d = 0; d < first->rank; d++)
      if (d != but && other->dims[d] != first->dims[d])
        return fail_sizes(c, k, d, first->dims[d], other->dims[d], error);
  }
  return HLO_OK;
}

hlo_status hlo_collective_same_sizes(const hlo_collective *c, int32_t to, int32_t k, int64_t *dims,
                                     hlo_error *error) {
  const hlo_view *own = &c->participants[to].operands[k];
  HLO_TRY(require_same(c, k, -1, error));
  memcpy(dims, own->dims, (size_t)own->rank * sizeof *dims);
  return HLO_OK;
}

hlo_status hlo_collective_gathered_sizes(const hlo_collective *c, int32_t to, int32_t k,
                                         int64_t *dims, hlo_error *error) {
  int32_t dimension = hlo_collective_dimension(c);
  const hlo_view *own = &c->participants[to].operands[k];
  HLO_TRY(require_same(c, k, dimension, error));
  memcpy(dims, own->dims, (size_t)own->rank * sizeof *dims);
  dims[dimension] = 0;
  for (int32_t i = 0; i < c->count; i++)
    dims[dimension] += c->participants[i].operands[k].dims[dimension];
  return HLO_OK;
}

hlo_status hlo_collective_scattered_sizes(const hlo_collective *c, int32_t to, int32_t k,
                                          int64_t *dims, hlo_error *error) {
  HLO_TRY(hlo_collective_same_sizes(c, to, k, dims, error));
  dims[hlo_collective_dimension(c)] /= c->count; // what is left over fails where it is computed
  return HLO_OK;
}

hlo_status hlo_collective_exchanged_sizes(const hlo_collective *c, int32_t to, int32_t k,
                                          int64_t *dims, hlo_error *error) {
  const hlo_attribute *split = hlo_find_attribute(c->instruction, HLO_ATTRIBUTE_DIMENSIONS);
  if (split != NULL) return hlo_collective_same_sizes(c, to, k, dims, error);
  // Operand i of everyone is for participant i: result k comes from participant k.
  if (k >= c->count || to >= c->operand_count) return HLO_OK; // that is said where it is computed
  const hlo_view *from = &c->participants[k].operands[to];
  memcpy(dims, from->dims, (size_t)from->rank * sizeof *dims);
  return HLO_OK;
}

hlo_status hlo_collective_root_sizes(const hlo_collective *c, int32_t to, int32_t k, int64_t *dims,
                                     hlo_error *error) {
  int32_t root;
  (void)to;
  HLO_TRY(hlo_collective_root(c, k, &root, error));
  const hlo_view *from = &c->participants[root].operands[k];
  memcpy(dims, from->dims, (size_t)from->rank * sizeof *dims);
  return HLO_OK;
}

hlo_status hlo_collective_source_sizes(const hlo_collective *c, int32_t to, int32_t k,
                                       int64_t *dims, hlo_error *error) {
  (void)error;
  const hlo_participant *from = hlo_collective_source(c, &c->participants[to]);
  const hlo_view *view = &(from == NULL ? &c->participants[to] : from)->operands[k];
  memcpy(dims, view->dims, (size_t)view->rank * sizeof *dims);
  return HLO_OK;
}

// Of ragged-all-to-all the result is the second operand, with rows from everyone's first one.
hlo_status hlo_collective_output_sizes(const hlo_collective *c, int32_t to, int32_t k,
                                       int64_t *dims, hlo_error *error) {
  enum { INPUT, OUTPUT, FIRST_LIST };
  (void)k;
  const hlo_view *own = &c->participants[to].operands[OUTPUT];
  memcpy(dims, own->dims, (size_t)own->rank * sizeof *dims);
  for (int32_t i = 0; i < c->count; i++) {
    const hlo_view *input = &c->participants[i].operands[INPUT];
    for (int32_t d = 1; d < own->rank; d++)
      if (input->dims[d] != dims[d]) return fail_sizes(c, INPUT, d, input->dims[d], dims[d], error);
  }
  const hlo_view *wanted = &c->participants[0].operands[FIRST_LIST];
  for (int32_t i = 0; i < c->count; i++) {
    for (int32_t list = FIRST_LIST; list < c->operand_count; list++) {
      const hlo_view *other = &c->participants[i].operands[list];
      for (int32_t d = 0; d < wanted->rank; d++)
        if (other->dims[d] != wanted->dims[d])
          return fail_sizes(c, list, d, wanted->dims[d], other->dims[d], error);
    }
  }
  return HLO_OK;
}
