// Sums of products. Each is made in wide numbers and rounded once to the type of the result. Source
// of semantics: "Dot", "DotGeneral", "RaggedDot", "ScaledDot" and "Conv" of the operation
// semantics; of ragged dots, StableHLO's chlo.ragged_dot.
#include "hlo/attributes/ragged_dot.h"
#include "hlo/attributes/window.h"
#include "reference/operation.h"
#include "reference/wide.h"

// A sum of products of elements of two arrays, made in a class of types that has the operands' and
// the result's numbers. It starts at +0, but where there is one product only it is that one.
typedef struct product_sum {
  const hlo_view *lhs, *rhs;
  hlo_type_class type_class;
  bool is_single;
  hlo_wide value;
} product_sum;

static product_sum no_products(const hlo_view *lhs, const hlo_view *rhs, const hlo_view *result) {
  product_sum sum = {.lhs = lhs, .rhs = rhs};
  const hlo_view *all[] = {lhs, rhs, result};
  for (int i = 0; i < 3; i++) { // classes go up from pred to complex
    hlo_type_class type_class = hlo_type_get_class(all[i]->type);
    if (type_class > sum.type_class) sum.type_class = type_class;
  }
  sum.value.type_class = sum.type_class;
  return sum;
}

static hlo_wide factor_of(hlo_type type, const void *element, hlo_type_class type_class) {
  hlo_number number = hlo_element_get(type, element);
  bool becomes_float = number.type_class < HLO_CLASS_FLOAT && type_class >= HLO_CLASS_FLOAT;
  bool is_signed = number.type_class == HLO_CLASS_SIGNED;
  if (becomes_float) number.re = is_signed ? (double)number.i : (double)number.u;
  hlo_wide factor = hlo_wide_of(number);
  factor.type_class = type_class;
  return factor;
}

static void add_product(product_sum *sum, const void *l, const void *r) {
  hlo_wide product = hlo_wide_multiply(factor_of(sum->lhs->type, l, sum->type_class),
                                       factor_of(sum->rhs->type, r, sum->type_class));
  sum->value = sum->is_single ? product : hlo_wide_add(sum->value, product);
}

// --- dots ---

// An operand: its dimensions by where their index comes from, and the index of an element.
typedef struct dot_side {
  const hlo_view *view;
  hlo_int_list batch, contracting, free;
  int64_t free_dims[HLO_MAX_RANK], at[HLO_MAX_RANK];
} dot_side;

// Dimensions that are in no list are free.
static void describe_side(const hlo_instruction *x, const hlo_view *view, hlo_attribute_id batch,
                          hlo_attribute_id contracting, bool has_groups, dot_side *out) {
  out->view = view;
  out->batch = hlo_int_list_of(x, batch);
  out->contracting = hlo_int_list_of(x, contracting);
  out->free = (hlo_int_list){0, out->free_dims};
  for (int32_t d = 0; d < view->rank; d++) {
    bool is_group = has_groups && hlo_lists(x, HLO_ATTRIBUTE_RHS_GROUP_DIMS, d);
    if (!is_group && !hlo_lists(x, batch, d) && !hlo_lists(x, contracting, d))
      out->free_dims[out->free.count++] = d;
  }
}

static void set_indices(dot_side *side, hlo_int_list dimensions, const int64_t *indices) {
  for (int32_t i = 0; i < dimensions.count; i++) side->at[dimensions.ints[i]] = indices[i];
}

// The group that the element of the left operand is in: groups of the given sizes follow each other
// along the ragged dimension. -1: it is after all of them.
static int64_t group_of(const hlo_ragged_dot *ragged, const hlo_view *sizes, const dot_side *lhs) {
  int64_t at[HLO_MAX_RANK], end = 0;
  int32_t last = sizes->rank - 1;
  for (int32_t i = 0; i < last; i++) at[i] = lhs->at[ragged->prefix[i]];
  for (at[last] = 0; at[last] < sizes->dims[last]; at[last]++) {
    int64_t size = hlo_integer_of(hlo_number_at(sizes, at)), left = INT64_MAX - end;
    end += size < 0 ? 0 : size > left ? left : size;
    if (lhs->at[ragged->ragged] < end) return at[last];
  }
  return -1;
}

// Dot, DotGeneral and RaggedDot: result[batch, m, n] = sum over k of lhs[batch, m, k] · rhs[batch,
// k, n]. With a ragged dimension of the left operand among m, the matrix on the right is that of
// its group; where it is among k, the result has a leading dimension with one sum for each group.
hlo_status hlo_reference_dot(const hlo_operation *operation, hlo_error *error) {
  (void)error;
  const hlo_instruction *x = operation->instruction;
  const hlo_view *operands = operation->operands, *result = operation->results;
  bool is_ragged = x->opcode == HLO_OP_RAGGED_DOT;
  hlo_ragged_dot ragged = is_ragged ? hlo_ragged_dot_of(x) : (hlo_ragged_dot){0};
  bool is_split = is_ragged && ragged.mode == HLO_RAGGED_CONTRACTING;
  bool is_grouped = is_ragged && ragged.mode == HLO_RAGGED_FREE;
  dot_side lhs, rhs;
  describe_side(x, &operands[0], HLO_ATTRIBUTE_LHS_BATCH_DIMS, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS,
                false, &lhs);
  describe_side(x, &operands[1], HLO_ATTRIBUTE_RHS_BATCH_DIMS, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS,
                is_grouped, &rhs);
  hlo_int_list groups = {0, NULL};
  if (is_grouped) groups = hlo_int_list_of(x, HLO_ATTRIBUTE_RHS_GROUP_DIMS);
  int64_t dims[HLO_MAX_RANK], products = 1;
  for (int32_t i = 0; i < lhs.contracting.count; i++)
    products *= dims[i] = lhs.view->dims[lhs.contracting.ints[i]];
  for (hlo_index out = hlo_index_over(result); hlo_index_next(&out);) {
    product_sum sum = no_products(lhs.view, rhs.view, result);
    const int64_t *batch = out.at + (is_split ? 1 : 0), *rows = batch + lhs.batch.count;
    sum.is_single = products == 1;
    set_indices(&lhs, lhs.batch, batch);
    set_indices(&rhs, rhs.batch, batch);
    set_indices(&lhs, lhs.free, rows);
    set_indices(&rhs, rhs.free, rows + lhs.free.count);
    for (hlo_index k = hlo_index_within(lhs.contracting.count, dims); hlo_index_next(&k);) {
      set_indices(&lhs, lhs.contracting, k.at);
      set_indices(&rhs, rhs.contracting, k.at);
      int64_t group = is_split || is_grouped ? group_of(&ragged, &operands[2], &lhs) : 0;
      if (group < 0 || (is_split && group != out.at[0])) continue;
      set_indices(&rhs, groups, &group);
      add_product(&sum, hlo_element_at(lhs.view, lhs.at), hlo_element_at(rhs.view, rhs.at));
    }
    hlo_store_number(result, out.at, hlo_wide_round(sum.value));
  }
  return HLO_OK;
}

static bool fits_bf16(hlo_type type) { return hlo_type_bits(type) <= 8 || type == HLO_BF16; }

// An operand times its scale, which has one element for each block of it, in bf16 where that holds
// both, else in f32, as JAX decomposes xla.scaled_dot.
static hlo_status scale(const hlo_operation *x, int32_t k, hlo_view *out, hlo_error *error) {
  const hlo_view *operand = &x->operands[k], *factors = &x->operands[k + 2];
  hlo_type type = fits_bf16(operand->type) && fits_bf16(factors->type) ? HLO_BF16 : HLO_F32;
  int64_t block[HLO_MAX_RANK];
  HLO_TRY(hlo_reference_scratch(x->reference, type, operand->rank, operand->dims, out, error));
  for (hlo_index i = hlo_index_over(operand); hlo_index_next(&i);) {
    for (int32_t d = 0; d < factors->rank; d++)
      block[d] = i.at[d] / (operand->dims[d] / factors->dims[d]);
    hlo_number pair[] = {hlo_number_of(hlo_scalar_of(type, hlo_number_at(operand, i.at))),
                         hlo_number_of(hlo_scalar_of(type, hlo_number_at(factors, block)))};
    hlo_store_scalar(out, i.at, hlo_reference_value(HLO_OP_MULTIPLY, type, pair, type));
  }
  return HLO_OK;
}

// ScaledDot: the dot of operands that are multiplied with their scales first.
hlo_status hlo_reference_scaled_dot(const hlo_operation *x, hlo_error *error) {
  hlo_view pair[2];
  HLO_TRY(scale(x, 0, &pair[0], error));
  HLO_TRY(scale(x, 1, &pair[1], error));
  return hlo_reference_dot(&(hlo_operation){x->reference, x->instruction, pair, x->results}, error);
}

// --- convolution ---

// The element of a base of `size` that element `tap` of a window meets along a dimension when the
// window is at `position`; -1: padding or a hole.
static int64_t element_under(const int64_t *field, int64_t size, int64_t position, int64_t tap) {
  int64_t at = position * field[HLO_WINDOW_STRIDE] + tap * field[HLO_WINDOW_RHS_DILATION] -
               field[HLO_WINDOW_PAD_LOW];
  if (at < 0 || at % field[HLO_WINDOW_LHS_DILATION] != 0) return -1;
  at /= field[HLO_WINDOW_LHS_DILATION];
  return at < size ? at : -1;
}

// Conv: result[b, f, p] = sum over window elements t and input features i of
// input[b, i, p · stride + t · dilation - padding] · kernel[t, i, f]. Features come in groups, of
// which each sees as many features of the input as the kernel has; batches likewise, each of which
// gives its own share of the features.
hlo_status hlo_reference_convolution(const hlo_operation *x, hlo_error *error) {
  const hlo_view *input = &x->operands[0], *kernel = &x->operands[1], *result = x->results;
  hlo_convolution_dimensions labels;
  const int64_t *fields;
  HLO_TRY(hlo_convolution_dimensions_read(x->instruction, &labels, error));
  HLO_TRY(hlo_window_read(x->instruction, labels.spatial_rank, &fields, error));
  int64_t feature_groups = hlo_get_int(x->instruction, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1);
  int64_t batch_groups = hlo_get_int(x->instruction, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1);
  int64_t features = result->dims[labels.output_feature];
  int64_t in_group = kernel->dims[labels.kernel_input_feature];
  int64_t from[HLO_MAX_RANK], taps[HLO_MAX_RANK];
  for (hlo_index out = hlo_index_over(result); hlo_index_next(&out);) {
    product_sum sum = no_products(input, kernel, result);
    int64_t feature = out.at[labels.output_feature];
    int64_t group = feature / (features / feature_groups);
    int64_t batch_group = feature / (features / batch_groups);
    from[labels.input_batch] =
        out.at[labels.output_batch] + batch_group * result->dims[labels.output_batch];
    hlo_index tap = hlo_index_over(kernel);
    hlo_index_fix(&tap, labels.kernel_output_feature, feature);
    while (hlo_index_next(&tap)) {
      bool is_inside = true;
      memcpy(taps, tap.at, (size_t)kernel->rank * sizeof *taps);
      from[labels.input_feature] = group * in_group + tap.at[labels.kernel_input_feature];
      for (int32_t s = 0; s < labels.spatial_rank && is_inside; s++) {
        const int64_t *field = fields + (ptrdiff_t)s * HLO_WINDOW_FIELDS;
        int32_t k = labels.kernel_spatial[s], d = labels.input_spatial[s];
        if (field[HLO_WINDOW_REVERSAL]) taps[k] = kernel->dims[k] - 1 - tap.at[k];
        from[d] = element_under(field, input->dims[d], out.at[labels.output_spatial[s]], tap.at[k]);
        is_inside = from[d] >= 0;
      }
      if (is_inside) add_product(&sum, hlo_element_at(input, from), hlo_element_at(kernel, taps));
    }
    hlo_store_number(result, out.at, hlo_wide_round(sum.value));
  }
  return HLO_OK;
}
