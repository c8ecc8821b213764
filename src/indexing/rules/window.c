// Indexing rules of ops with a window: reduce-window and convolution.
// Source: "Operation Semantics" of XLA's documentation ("ReduceWindow", "Conv").
//
// Along one window dimension, output position o and window position w meet the input position
//   (o * stride + w * window dilation - low padding) / base dilation
// where that is whole and inside the input.
#include "hlo/attributes/window.h"
#include "indexing/rules/rules.h"

// A window position: none is needed when there is only one.
static const hlo_affine *window_range(hlo_map_builder *b, int64_t size) {
  return size == 1 ? hlo_affine_constant(b->context, 0) : hlo_map_add_range(b, size);
}

static const hlo_affine *input_index(hlo_map_builder *b, const int64_t *field,
                                     const hlo_affine *output, const hlo_affine *window,
                                     int64_t size) {
  const hlo_affine *position = hlo_affine_scale(b->context, output, field[HLO_WINDOW_STRIDE]);
  position = hlo_affine_add_scaled(b->context, position, window, field[HLO_WINDOW_RHS_DILATION]);
  position = hlo_affine_shift(b->context, position, hlo_bound_negate(field[HLO_WINDOW_PAD_LOW]));
  return hlo_map_add_strided(b, position, field[HLO_WINDOW_LHS_DILATION], size);
}

// The same solved for the output position, which must be one of `size`.
static const hlo_affine *output_index(hlo_map_builder *b, const int64_t *field,
                                      const hlo_affine *input, const hlo_affine *window,
                                      int64_t size) {
  const hlo_affine *position = hlo_affine_scale(b->context, input, field[HLO_WINDOW_LHS_DILATION]);
  position = hlo_affine_add_scaled(b->context, position, window,
                                   hlo_bound_negate(field[HLO_WINDOW_RHS_DILATION]));
  position = hlo_affine_shift(b->context, position, field[HLO_WINDOW_PAD_LOW]);
  return hlo_map_add_strided(b, position, field[HLO_WINDOW_STRIDE], size);
}

static const int64_t *field_of(const int64_t *fields, int32_t dimension) {
  return fields + (ptrdiff_t)dimension * HLO_WINDOW_FIELDS;
}

// --- reduce-window: operands are the arrays, then their start values ---

hlo_status hlo_reduce_window_to_operands(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_shape_leaf(r->x->shape, r->leaf), *to = hlo_rule_operand_shape(r, 0);
  const int64_t *fields;
  HLO_TRY(hlo_window_read(r->x, to->rank, &fields, error));
  const hlo_affine *dims[HLO_MAX_RANK];
  for (int32_t k = 0; k < r->x->operand_count / 2; k++) {
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
    for (int32_t d = 0; d < to->rank; d++) {
      const int64_t *field = field_of(fields, d);
      const hlo_affine *window = window_range(&b, field[HLO_WINDOW_SIZE]);
      hlo_map_set_result(&b, d, input_index(&b, field, dims[d], window, to->dims[d]));
    }
    HLO_TRY(hlo_map_finish_simplified(r, &b, k, HLO_SIMPLIFY_KEEP_POINTS, error));
  }
  for (int32_t k = r->x->operand_count / 2; k < r->x->operand_count; k++)
    HLO_TRY(hlo_add_to_scalar(r, from, k, error));
  return HLO_OK;
}

hlo_status hlo_reduce_window_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_rule_operand_shape(r, r->leaf);
  const int64_t *fields;
  HLO_TRY(hlo_window_read(r->x, hlo_rule_operand_shape(r, 0)->rank, &fields, error));
  for (int32_t leaf = 0; leaf < r->x->operand_count / 2; leaf++) {
    const hlo_shape *to = hlo_shape_leaf(r->x->shape, leaf);
    if (r->leaf >= r->x->operand_count / 2) {
      HLO_TRY(hlo_add_to_everything(r, from, to, leaf, error));
      continue;
    }
    const hlo_affine *dims[HLO_MAX_RANK];
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
    for (int32_t d = 0; d < from->rank; d++) {
      const int64_t *field = field_of(fields, d);
      const hlo_affine *window = window_range(&b, field[HLO_WINDOW_SIZE]);
      hlo_map_set_result(&b, d, output_index(&b, field, dims[d], window, to->dims[d]));
    }
    HLO_TRY(hlo_map_finish_simplified(r, &b, leaf, HLO_SIMPLIFY_KEEP_POINTS, error));
  }
  return HLO_OK;
}

// --- convolution ---
//
// Input features come in feature_group_count groups, of which an output feature sees one. With
// batch_group_count groups the output features are split, and each split sees one part of the
// input's batch: output (b, f) of F features reads batch b + B * (f / (F / groups)), B being the
// output's batch size.

typedef struct convolution {
  hlo_convolution_dimensions at;
  const int64_t *fields;
  const hlo_shape *input, *kernel, *output;
  int64_t features_in_group; // output features per feature or batch group
  int64_t feature_groups, batch_groups;
} convolution;

static hlo_status read_convolution(const hlo_rule_request *r, convolution *c, hlo_error *error) {
  *c = (convolution){.input = hlo_rule_operand_shape(r, 0),
                     .kernel = hlo_rule_operand_shape(r, 1),
                     .output = r->x->shape};
  HLO_TRY(hlo_convolution_dimensions_read(r->x, &c->at, error));
  HLO_TRY(hlo_window_read(r->x, c->at.spatial_rank, &c->fields, error));
  c->feature_groups = hlo_get_int(r->x, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1);
  c->batch_groups = hlo_get_int(r->x, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1);
  c->features_in_group =
      c->output->dims[c->at.output_feature] / (c->feature_groups * c->batch_groups);
  if (c->features_in_group == 0) c->features_in_group = 1; // without output features: no domain
  return HLO_OK;
}

// The group that an output feature belongs to.
static const hlo_affine *group_of(const hlo_rule_request *r, const convolution *c,
                                  const hlo_affine *output_feature) {
  return hlo_affine_floordiv(r->context, output_feature,
                             hlo_affine_constant(r->context, c->features_in_group));
}

// What meets: indices of output, input and kernel, some of them variables already.
typedef struct meeting {
  const hlo_affine *output[HLO_MAX_RANK], *input[HLO_MAX_RANK], *kernel[HLO_MAX_RANK];
} meeting;

// Kernel positions for window positions: from the far end where the window is reversed.
static const hlo_affine *kernel_index(const hlo_rule_request *r, const int64_t *field,
                                      const hlo_affine *window) {
  if (field[HLO_WINDOW_REVERSAL] == 0) return window;
  const hlo_affine *last = hlo_affine_constant(r->context, field[HLO_WINDOW_SIZE] - 1);
  return hlo_affine_add_scaled(r->context, last, window, -1);
}

// Window positions and the input feature within its group are ranges; so the kernel is complete.
static void meet_window(const hlo_rule_request *r, const convolution *c, hlo_map_builder *b,
                        meeting *m, const hlo_affine **window) {
  for (int32_t i = 0; i < c->at.spatial_rank; i++) {
    const int64_t *field = field_of(c->fields, i);
    window[i] = window_range(b, field[HLO_WINDOW_SIZE]);
    m->kernel[c->at.kernel_spatial[i]] = kernel_index(r, field, window[i]);
  }
}

static void meet_input(const hlo_rule_request *r, const convolution *c, hlo_map_builder *b,
                       meeting *m, const hlo_affine **window) {
  for (int32_t i = 0; i < c->at.spatial_rank; i++)
    m->input[c->at.input_spatial[i]] =
        input_index(b, field_of(c->fields, i), m->output[c->at.output_spatial[i]], window[i],
                    c->input->dims[c->at.input_spatial[i]]);
  const hlo_affine *group = group_of(r, c, m->output[c->at.output_feature]);
  const hlo_affine *feature = m->kernel[c->at.kernel_input_feature];
  const hlo_affine *batch = m->output[c->at.output_batch];
  if (c->feature_groups > 1)
    feature = hlo_affine_add_scaled(r->context, feature, group,
                                    c->kernel->dims[c->at.kernel_input_feature]);
  if (c->batch_groups > 1)
    batch = hlo_affine_add_scaled(r->context, batch, group, c->output->dims[c->at.output_batch]);
  m->input[c->at.input_feature] = feature;
  m->input[c->at.input_batch] = batch;
}

hlo_status hlo_convolution_to_operands(hlo_rule_request *r, hlo_error *error) {
  convolution c;
  HLO_TRY(read_convolution(r, &c, error));
  for (int32_t k = 0; k < 2; k++) {
    const hlo_affine *window[HLO_MAX_RANK];
    meeting m;
    hlo_map_builder b;
    HLO_TRY(hlo_map_start(r, &b, error));
    hlo_map_add_variables(&b, HLO_AFFINE_DIM, c.output, m.output);
    meet_window(r, &c, &b, &m, window);
    m.kernel[c.at.kernel_input_feature] =
        window_range(&b, c.kernel->dims[c.at.kernel_input_feature]);
    m.kernel[c.at.kernel_output_feature] = m.output[c.at.output_feature];
    meet_input(r, &c, &b, &m, window);
    for (int32_t d = 0; d < c.input->rank; d++)
      hlo_map_set_result(&b, d, k == 0 ? m.input[d] : m.kernel[d]);
    HLO_TRY(hlo_map_finish_simplified(r, &b, k, HLO_SIMPLIFY_KEEP_POINTS, error));
  }
  return HLO_OK;
}

// From an input element: all window positions, output features of its group.
static hlo_status input_to_results(hlo_rule_request *r, const convolution *c, hlo_error *error) {
  meeting m;
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, c->input, m.input);
  for (int32_t i = 0; i < c->at.spatial_rank; i++) {
    const int64_t *field = field_of(c->fields, i);
    const hlo_affine *window = window_range(&b, field[HLO_WINDOW_SIZE]);
    int32_t d = c->at.output_spatial[i];
    m.output[d] =
        output_index(&b, field, m.input[c->at.input_spatial[i]], window, c->output->dims[d]);
  }
  const hlo_affine *feature = hlo_map_add_range(&b, c->features_in_group);
  const hlo_affine *batch = m.input[c->at.input_batch], *group = NULL, *size;
  if (c->feature_groups > 1) {
    size = hlo_affine_constant(r->context, c->kernel->dims[c->at.kernel_input_feature]);
    group = hlo_affine_floordiv(r->context, m.input[c->at.input_feature], size);
  } else if (c->batch_groups > 1) {
    size = hlo_affine_constant(r->context, c->output->dims[c->at.output_batch]);
    group = hlo_affine_floordiv(r->context, batch, size);
    batch = hlo_affine_mod(r->context, batch, size);
  }
  if (group != NULL)
    feature = hlo_affine_add_scaled(r->context, feature, group, c->features_in_group);
  m.output[c->at.output_feature] = feature;
  m.output[c->at.output_batch] = batch;
  for (int32_t d = 0; d < c->output->rank; d++) hlo_map_set_result(&b, d, m.output[d]);
  return hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error);
}

// From a kernel element: all output positions whose window meets the input there, all batches.
static hlo_status kernel_to_results(hlo_rule_request *r, const convolution *c, hlo_error *error) {
  meeting m;
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, c->kernel, m.kernel);
  for (int32_t i = 0; i < c->at.spatial_rank; i++) {
    const int64_t *field = field_of(c->fields, i);
    const hlo_affine *window = kernel_index(r, field, m.kernel[c->at.kernel_spatial[i]]);
    int32_t d = c->at.output_spatial[i];
    m.output[d] = hlo_map_add_range(&b, c->output->dims[d]);
    input_index(&b, field, m.output[d], window, c->input->dims[c->at.input_spatial[i]]);
  }
  m.output[c->at.output_feature] = m.kernel[c->at.kernel_output_feature];
  m.output[c->at.output_batch] = hlo_map_add_range(&b, c->output->dims[c->at.output_batch]);
  for (int32_t d = 0; d < c->output->rank; d++) hlo_map_set_result(&b, d, m.output[d]);
  return hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error);
}

hlo_status hlo_convolution_to_results(hlo_rule_request *r, hlo_error *error) {
  convolution c;
  HLO_TRY(read_convolution(r, &c, error));
  return r->leaf == 0 ? input_to_results(r, &c, error) : kernel_to_results(r, &c, error);
}
