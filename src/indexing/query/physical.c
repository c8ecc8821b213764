// Maps between positions in memory. See indexing.h.
#include "indexing/rules/rules.h"

static int64_t width_of(const hlo_shape *shape, int32_t d) {
  const hlo_layout *layout = shape->layout;
  return layout != NULL && layout->padded_dims != NULL ? layout->padded_dims[d] : shape->dims[d];
}

// (position) -> (index, …): index d is position / stride modulo the width, below the size.
static hlo_status from_memory(hlo_affine_context *context, const hlo_shape *shape,
                              const hlo_map **out, hlo_error *error) {
  int64_t strides[HLO_MAX_RANK];
  const hlo_affine *results[HLO_MAX_RANK];
  hlo_map_constraint constraints[HLO_MAX_RANK];
  hlo_map_variable variable = {.range = {0, hlo_shape_memory_elements(shape) - 1}};
  const hlo_affine *position = hlo_affine_variable(context, HLO_AFFINE_DIM, 0);
  hlo_shape_strides(shape, strides);
  hlo_map fields = {.result_count = shape->rank, .results = results, .constraints = constraints};
  for (int32_t d = 0; d < shape->rank; d++) {
    int64_t width = width_of(shape, d);
    results[d] = hlo_affine_floordiv(context, position, hlo_affine_constant(context, strides[d]));
    if (width > 0)
      results[d] = hlo_affine_mod(context, results[d], hlo_affine_constant(context, width));
    constraints[fields.constraint_count++] =
        (hlo_map_constraint){results[d], hlo_interval_make(0, shape->dims[d] - 1)};
  }
  fields.variable_count[HLO_AFFINE_DIM] = 1;
  fields.variables[HLO_AFFINE_DIM] = &variable;
  return hlo_map_create(context, &fields, out, error);
}

// (index, …) -> (position)
static hlo_status to_memory(hlo_affine_context *context, const hlo_shape *shape,
                            const hlo_map **out, hlo_error *error) {
  int64_t strides[HLO_MAX_RANK];
  hlo_map_variable variables[HLO_MAX_RANK] = {{.name = NULL}};
  const hlo_affine *position = hlo_affine_constant(context, 0);
  hlo_shape_strides(shape, strides);
  for (int32_t d = 0; d < shape->rank; d++) {
    variables[d].range = hlo_interval_make(0, shape->dims[d] - 1);
    const hlo_affine *index = hlo_affine_variable(context, HLO_AFFINE_DIM, d);
    position = hlo_affine_add_scaled(context, position, index, strides[d]);
  }
  hlo_map fields = {.result_count = 1, .results = &position};
  fields.variable_count[HLO_AFFINE_DIM] = shape->rank;
  fields.variables[HLO_AFFINE_DIM] = variables;
  return hlo_map_create(context, &fields, out, error);
}

hlo_status hlo_indexing_physical(hlo_indexing_analysis *analysis, const hlo_indexing *logical,
                                 const hlo_shape *from_shape, const hlo_shape *to_shape,
                                 hlo_indexing *out, hlo_error *error) {
  hlo_affine_context *context = hlo_indexing_context(analysis);
  hlo_indexing enter = {0}, leave = {0}, entered;
  HLO_TRY(from_memory(context, from_shape, &enter.map, error));
  HLO_TRY(to_memory(context, to_shape, &leave.map, error));
  HLO_TRY(hlo_indexing_compose(context, &enter, logical, &entered, error));
  return hlo_indexing_compose(context, &entered, &leave, out, error);
}
