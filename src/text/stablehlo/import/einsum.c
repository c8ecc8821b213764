// Imports StableHLO's older contractions and selections: einsum and unary_einsum become dots of
// operands whose other labels were summed up, torch_index_select a gather. See import.h.
#include "text/stablehlo/import/import.h"

#include <string.h>

// --- einsum ---

// One label for each dimension. Dimensions under an ellipsis have no letters: they count from 128,
// the last one first.
typedef struct subscripts {
  int32_t count;
  unsigned char labels[HLO_MAX_RANK];
} subscripts;

static bool has_label(const subscripts *s, unsigned char label) {
  return memchr(s->labels, label, (size_t)s->count) != NULL;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Up to ',', '-' or the end. rank: the operand's; -1 for the output, whose ellipsis stands for
// `hidden` dimensions.
static bool read_subscripts(const char **text, int32_t rank, int32_t *hidden, subscripts *out) {
  int32_t letters = 0;
  for (const char *c = *text; *c != '\0' && *c != ',' && *c != '-'; c++) letters += is_letter(*c);
  out->count = 0;
  for (; **text != '\0' && **text != ',' && **text != '-'; ++*text) {
    char c = **text;
    if (c == ' ') continue;
    if (strncmp(*text, "...", 3) == 0) {
      int32_t dims = rank >= 0 ? rank - letters : *hidden;
      if (dims < 0 || dims + out->count > HLO_MAX_RANK) return false;
      for (int32_t i = dims; i > 0; i--) out->labels[out->count++] = (unsigned char)(127 + i);
      if (dims > *hidden) *hidden = dims;
      *text += 2;
    } else if (is_letter(c) && out->count < HLO_MAX_RANK && !has_label(out, (unsigned char)c)) {
      out->labels[out->count++] = (unsigned char)c;
    } else {
      return false;
    }
  }
  return rank < 0 || out->count == rank;
}

// "ij,jk->ik" for `count` operands.
static hlo_status read_config(const mlir_operation *op, int32_t count,
                              hlo_instruction *const *operands, subscripts *in, subscripts *result,
                              hlo_error *error) {
  const mlir_attribute *config = hlo_mlir_find_attribute(op, "einsum_config");
  const char *text = config != NULL && config->kind == MLIR_STRING ? config->text : "";
  int32_t hidden = 0;
  bool fits = true;
  for (int32_t i = 0; fits && i < count; i++) {
    fits = hlo_shape_is_array(operands[i]->shape) &&
           read_subscripts(&text, operands[i]->shape->rank, &hidden, &in[i]);
    if (i + 1 < count) fits = fits && *text++ == ',';
  }
  fits = fits && strncmp(text, "->", 2) == 0;
  if (fits) text += 2;
  fits = fits && read_subscripts(&text, -1, &hidden, result) && *text == '\0';
  for (int32_t i = 0; fits && i < result->count; i++)
    fits = has_label(&in[0], result->labels[i]) ||
           (count == 2 && has_label(&in[1], result->labels[i]));
  if (fits) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "needs an einsum_config with a different letter for each dimension of an "
                         "operand, and those of the result among them, as \"ij,jk->ik\"");
}

// What a dot of two labelled operands gives: common labels that the result has, then what is left.
static hlo_status emit_dot(stablehlo_importer *im, hlo_instruction *const operands[2],
                           const subscripts in[2], const subscripts *result, hlo_type type,
                           hlo_instruction **out, subscripts *labels, hlo_error *error) {
  static const hlo_attribute_id ids[4] = {
      HLO_ATTRIBUTE_LHS_BATCH_DIMS, HLO_ATTRIBUTE_RHS_BATCH_DIMS,
      HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS};
  int64_t lists[4][HLO_MAX_RANK], dims[HLO_MAX_RANK];
  int32_t counts[4] = {0};
  hlo_attribute attributes[4];
  labels->count = 0;
  for (int32_t i = 0; i < in[0].count; i++) {
    unsigned char label = in[0].labels[i];
    const unsigned char *other = memchr(in[1].labels, label, (size_t)in[1].count);
    if (other == NULL) continue;
    bool is_batch = has_label(result, label);
    int32_t k = is_batch ? 0 : 2;
    lists[k][counts[k]++] = i;
    lists[k + 1][counts[k + 1]++] = other - in[1].labels;
    if (!is_batch) continue;
    dims[labels->count] = operands[0]->shape->dims[i];
    labels->labels[labels->count++] = label;
  }
  for (int32_t side = 0; side < 2; side++) {
    for (int32_t i = 0; i < in[side].count; i++) {
      if (has_label(&in[1 - side], in[side].labels[i])) continue;
      if (labels->count == HLO_MAX_RANK) return hlo_fail_out_of_memory(error);
      dims[labels->count] = operands[side]->shape->dims[i];
      labels->labels[labels->count++] = in[side].labels[i];
    }
  }
  for (int32_t k = 0; k < 4; k++)
    HLO_TRY(hlo_attribute_make_ints(&im->module->arena, ids[k], counts[k], lists[k], &attributes[k],
                                    error));
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(&im->module->arena, type, labels->count, dims, &shape, error));
  return hlo_import_emit(im, HLO_OP_DOT, shape, 2, operands, 4, attributes, out, error);
}

// Sums an operand up along labels that only it has: a dot with ones.
static hlo_status sum_up(stablehlo_importer *im, hlo_instruction **x, subscripts *in,
                         const subscripts *other, const subscripts *result, hlo_error *error) {
  subscripts both[2] = {{0}, *in};
  int64_t dims[HLO_MAX_RANK];
  for (int32_t i = 0; i < in->count; i++) {
    unsigned char label = in->labels[i];
    if (has_label(result, label) || (other != NULL && has_label(other, label))) continue;
    dims[both[0].count] = (*x)->shape->dims[i];
    both[0].labels[both[0].count++] = label;
  }
  if (both[0].count == 0) return HLO_OK;
  const hlo_shape *shape;
  hlo_type type = (*x)->shape->type;
  hlo_instruction *operands[2] = {NULL, *x};
  HLO_TRY(hlo_shape_make(&im->module->arena, type, both[0].count, dims, &shape, error));
  HLO_TRY(hlo_import_number(im, shape, 1, &operands[0], error));
  return emit_dot(im, operands, both, result, type, x, in, error);
}

hlo_status hlo_import_einsum(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  int32_t count = strcmp(op->name, "stablehlo.einsum") == 0 ? 2 : 1;
  hlo_instruction **operands, *x;
  subscripts in[2] = {{0}}, result, labels;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operand_count(op, count, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(read_config(op, count, operands, in, &result, error));
  if (!hlo_shape_is_array(shape) || shape->rank != result.count)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the result has another rank");
  im->name = NULL;
  for (int32_t i = 0; i < count; i++)
    HLO_TRY(sum_up(im, &operands[i], &in[i], count == 2 ? &in[1 - i] : NULL, &result, error));
  x = operands[0];
  labels = in[0];
  if (count == 2) HLO_TRY(emit_dot(im, operands, in, &result, shape->type, &x, &labels, error));
  int64_t order[HLO_MAX_RANK];
  for (int32_t i = 0; i < result.count; i++) {
    const unsigned char *at = memchr(labels.labels, result.labels[i], (size_t)labels.count);
    order[i] = at - labels.labels;
  }
  hlo_attribute attribute;
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, result.count, order,
                                  &attribute, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_TRANSPOSE, shape, 1, &x, 1, &attribute, &x, error));
  return hlo_import_set_results(im, op, x, error);
}

// --- torch_index_select ---

static hlo_status named_int(stablehlo_importer *im, const mlir_operation *op, const char *name,
                            int64_t limit, int64_t *out, hlo_error *error) {
  const mlir_attribute *a = hlo_mlir_find_attribute(op, name);
  *out = 0;
  if (a != NULL) HLO_TRY(hlo_import_int(im, a, out, error));
  if (*out >= 0 && *out <= limit) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%s must be from 0 to %lld", name,
                         (long long)limit);
}

// Along dimension `dim` the elements that the indices name; the first batch_dims dimensions of
// operand and indices go together.
hlo_status hlo_import_index_select(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  int64_t dim, batch, counting[HLO_MAX_RANK], sizes[HLO_MAX_RANK], offsets[HLO_MAX_RANK];
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  const hlo_shape *x = operands[0]->shape, *indices = operands[1]->shape;
  if (!hlo_shape_is_array(x) || !hlo_shape_is_array(indices) || x->rank == 0)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes an array and its indices");
  HLO_TRY(named_int(im, op, "dim", x->rank - 1, &dim, error));
  HLO_TRY(
      named_int(im, op, "batch_dims", indices->rank < dim ? indices->rank : dim, &batch, error));
  int32_t offset_count = 0, rank = x->rank - 1 + indices->rank - (int32_t)batch;
  if (rank > HLO_MAX_RANK)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has a result of too many dimensions");
  for (int64_t d = batch; d < rank; d++) {
    bool is_index = d >= dim && d < dim + indices->rank - batch;
    if (!is_index) offsets[offset_count++] = d;
  }
  for (int32_t d = 0; d < x->rank; d++) {
    counting[d] = d;
    sizes[d] = d == dim || d < batch ? 1 : x->dims[d];
  }
  const struct {
    hlo_attribute_id id;
    int32_t count;
    const int64_t *ints;
  } lists[] = {
      {HLO_ATTRIBUTE_OFFSET_DIMS, offset_count, offsets},
      {HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, 1, &dim},
      {HLO_ATTRIBUTE_START_INDEX_MAP, 1, &dim},
      {HLO_ATTRIBUTE_SLICE_SIZES, x->rank, sizes},
      {HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, (int32_t)batch, counting},
      {HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS, (int32_t)batch, counting},
  };
  hlo_attribute attributes[7];
  int32_t count = 0;
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (i >= 4 && batch == 0) continue;
    HLO_TRY(hlo_attribute_make_ints(&im->module->arena, lists[i].id, lists[i].count, lists[i].ints,
                                    &attributes[count++], error));
  }
  attributes[count++] = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX_VECTOR_DIM, indices->rank);
  hlo_import_name_next(im, op);
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_GATHER, shape, 2, operands, count, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}
