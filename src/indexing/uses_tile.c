// Tile propagation. See uses.h.
//
// The tile's elements are range variables of a map from tile numbers; composed with the access and
// simplified, every index falls apart into an offset, over tile numbers and runtime values, and a
// part over the ranges, whose values are counted.
#include "indexing/maps/image.h"
#include "indexing/rules/rules.h"
#include "indexing/uses.h"

#include "indexing/maps/affine_sum.h"

// (tile numbers)[elements of a tile] -> (offset + stride * element, …)
static hlo_status tile_map(hlo_affine_context *context, int32_t grid_rank, const int64_t *grid,
                           const hlo_indexing_tile *tile, hlo_indexing *out, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(context);
  hlo_map_variable *numbers, *elements;
  const hlo_affine **results;
  HLO_ALLOC(numbers, arena, grid_rank, error);
  HLO_ALLOC(elements, arena, tile->rank, error);
  HLO_ALLOC(results, arena, tile->rank, error);
  for (int32_t i = 0; i < grid_rank; i++) numbers[i].range = hlo_interval_make(0, grid[i] - 1);
  for (int32_t d = 0; d < tile->rank; d++) {
    elements[d].range = hlo_interval_make(0, tile->dims[d].size - 1);
    const hlo_affine *element = hlo_affine_variable(context, HLO_AFFINE_RANGE, d);
    results[d] =
        hlo_affine_add_scaled(context, tile->dims[d].offset, element, tile->dims[d].stride);
  }
  hlo_map fields = {.result_count = tile->rank, .results = results};
  fields.variable_count[HLO_AFFINE_DIM] = grid_rank;
  fields.variables[HLO_AFFINE_DIM] = numbers;
  fields.variable_count[HLO_AFFINE_RANGE] = tile->rank;
  fields.variables[HLO_AFFINE_RANGE] = elements;
  *out = (hlo_indexing){.map = NULL};
  return hlo_map_create(context, &fields, &out->map, error);
}

// index = *offset + *part, the latter over range variables only. False when they are mixed.
static bool split(hlo_affine_context *context, const hlo_affine *index, const hlo_affine **offset,
                  const hlo_affine **part) {
  hlo_affine_sum outside = hlo_affine_sum_start(context), inside = outside;
  hlo_affine_terms terms;
  hlo_affine_terms_of(&terms, index);
  hlo_affine_sum_add_constant(&outside, terms.constant);
  for (int32_t i = 0; i < terms.count; i++) {
    const hlo_affine *atom = terms.terms[i].atom;
    bool is_part = (atom->variables >> HLO_AFFINE_RANGE & 1) != 0;
    if (is_part && atom->variables != 1 << HLO_AFFINE_RANGE) return false;
    hlo_affine_sum_add_atom(is_part ? &inside : &outside, atom, terms.terms[i].factor);
  }
  *offset = hlo_affine_sum_finish(&outside);
  *part = hlo_affine_sum_finish(&inside);
  return true;
}

// Do the parts take all combinations of their values?
static hlo_status is_product(hlo_image_domain *domain, int32_t rank, const hlo_affine *const *parts,
                             const hlo_index_image *images, bool *out, hlo_error *error) {
  hlo_affine_context *context = domain->context;
  hlo_affine_sum sum = hlo_affine_sum_start(context);
  uint64_t seen = 0;
  int64_t weight = 1, count = 1;
  *out = true;
  bool are_apart = true;
  for (int32_t d = 0; d < rank; d++) {
    uint64_t mask = hlo_affine_variable_mask(parts[d], HLO_AFFINE_RANGE);
    are_apart &= (mask & seen) == 0;
    seen |= mask;
    hlo_affine_sum_add(&sum, parts[d], weight);
    weight = hlo_saturating_mul(weight, images[d].upper - images[d].lower + 1);
    count = hlo_saturating_mul(count, images[d].count);
  }
  if (are_apart) return hlo_affine_forgive(context) ? hlo_affine_status(context, error) : HLO_OK;
  const hlo_affine *position = hlo_affine_sum_finish(&sum);
  hlo_map fields = *domain->map;
  fields.result_count = 1;
  fields.results = &position;
  hlo_image_domain joint = *domain;
  hlo_index_image image;
  *out = false;
  if (hlo_affine_forgive(context)) return hlo_affine_status(context, error);
  HLO_TRY(hlo_map_create(context, &fields, &joint.map, error));
  HLO_TRY(hlo_map_simplify(context, joint.map, 0, &joint.map, NULL, error));
  HLO_TRY(hlo_image_of(&joint, joint.map->results[0], &image, error));
  *out = image.is_exact && image.count == count;
  return HLO_OK;
}

// The ranges alone: constraints are reported as guards.
static hlo_status range_domain(hlo_affine_context *context, const hlo_map *map,
                               hlo_image_domain *out, hlo_error *error) {
  hlo_map fields = {.result_count = 0};
  fields.variable_count[HLO_AFFINE_RANGE] = map->variable_count[HLO_AFFINE_RANGE];
  fields.variables[HLO_AFFINE_RANGE] = map->variables[HLO_AFFINE_RANGE];
  *out = (hlo_image_domain){.context = context, .budget = IMAGE_ASSIGNMENTS};
  return hlo_map_create(context, &fields, &out->map, error);
}

static hlo_status compute_tile(hlo_affine_context *context, const hlo_map *map,
                               hlo_indexing_tile *operand, bool *found, hlo_error *error) {
  const hlo_affine **parts;
  hlo_index_image *images;
  hlo_image_domain domain;
  HLO_ALLOC(parts, hlo_affine_arena(context), map->result_count, error);
  HLO_ALLOC(images, hlo_affine_arena(context), map->result_count, error);
  HLO_TRY(range_domain(context, map, &domain, error));
  operand->is_exact = !operand->is_guarded;
  for (int32_t d = 0; d < map->result_count; d++) {
    hlo_indexing_tile_dim *dim = &operand->dims[d];
    const hlo_index_image *image = &images[d];
    if (!split(context, map->results[d], &dim->offset, &parts[d])) return HLO_OK;
    HLO_TRY(hlo_image_of(&domain, parts[d], &images[d], error));
    if (!image->is_exact) return HLO_OK;
    dim->offset = hlo_affine_shift(context, dim->offset, image->lower);
    dim->stride = image->is_progression && image->count > 1 ? image->stride : 1;
    dim->size = image->is_progression ? image->count : image->upper - image->lower + 1;
    operand->is_exact &= image->is_progression;
  }
  HLO_TRY(hlo_affine_status(context, error));
  *found = true;
  if (!operand->is_exact) return HLO_OK;
  return is_product(&domain, map->result_count, parts, images, &operand->is_exact, error);
}

hlo_status hlo_indexing_tile_of(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                                int32_t grid_rank, const int64_t *grid,
                                const hlo_indexing_tile *result, hlo_indexing_tile *operand,
                                bool *found, hlo_error *error) {
  hlo_affine_context *context = hlo_indexing_context(analysis);
  hlo_indexing tiles, composed;
  *found = false;
  HLO_TRY(tile_map(context, grid_rank, grid, result, &tiles, error));
  hlo_status status = hlo_indexing_compose(context, &tiles, access, &composed, error);
  if (status == HLO_UNSUPPORTED) { // expressions grew beyond all limits
    hlo_error_clear(error);
    return HLO_OK;
  }
  HLO_TRY(status);
  const hlo_map *map = composed.map;
  *operand = (hlo_indexing_tile){
      .rank = map->result_count,
      .is_guarded = map->constraint_count > 0,
      .domain = map,
      .runtime_count = map->variable_count[HLO_AFFINE_RUNTIME],
      .runtimes = composed.runtimes,
  };
  for (int32_t i = 0; i < operand->runtime_count; i++)
    operand->is_guarded |= map->variables[HLO_AFFINE_RUNTIME][i].is_gate;
  for (int32_t i = 0; i < grid_rank; i++) // some tile lies outside altogether
    operand->is_guarded |= !hlo_interval_equal(map->variables[HLO_AFFINE_DIM][i].range,
                                               hlo_interval_make(0, grid[i] - 1));
  HLO_ALLOC(operand->dims, hlo_affine_arena(context), operand->rank, error);
  if (map->known_empty) return HLO_OK;
  status = compute_tile(context, map, operand, found, error);
  if (status != HLO_UNSUPPORTED) return status;
  hlo_error_clear(error); // offsets overflow
  *found = false;
  return HLO_OK;
}
