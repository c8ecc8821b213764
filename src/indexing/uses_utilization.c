// Operand utilisation. See uses.h.
//
// The number of distinct elements is that of distinct positions Σ index · stride, which often is a
// simpler expression than the indices are. What several maps read together is the union of boxes.
#include "indexing/uses_position.h"

enum { MOST_BOXES = 8 }; // of a union: 2^8 intersections

// What one map reads.
typedef struct footprint {
  int64_t reads, distinct;
  bool is_exact;
  bool is_box;              // then distinct = Π of the numbers of indices
  hlo_index_image *indices; // one for each dimension of the operand
} footprint;

// Runtime variables whose values differ within the result.
static uint64_t varying_runtimes(const hlo_indexing *indexing) {
  uint64_t varying = 0;
  int32_t count = indexing->map->variable_count[HLO_AFFINE_RUNTIME];
  for (int32_t i = 0; i < count && i < IMAGE_MOST_VARIABLES; i++)
    for (int32_t d = 0; d < indexing->runtimes[i].rank; d++)
      if (indexing->runtimes[i].position[d]->variables != 0) varying |= UINT64_C(1) << i;
  return varying;
}

// May runtime values decide which assignments are allowed? Then counts are bounds.
static bool has_gates(const hlo_map *map) {
  for (int32_t i = 0; i < map->variable_count[HLO_AFFINE_RUNTIME]; i++)
    if (map->variables[HLO_AFFINE_RUNTIME][i].is_gate || i >= IMAGE_MOST_VARIABLES) return true;
  for (int32_t i = 0; i < map->constraint_count; i++)
    if (map->constraints[i].expression->variables >> HLO_AFFINE_RUNTIME & 1) return true;
  return false;
}

static hlo_status bounding_box(hlo_image_domain *domain, int32_t rank, footprint *out,
                               hlo_error *error) {
  int64_t size = 1;
  out->is_box = out->is_exact;
  HLO_ALLOC(out->indices, hlo_affine_arena(domain->context), rank, error);
  for (int32_t d = 0; d < rank && out->is_box; d++) {
    hlo_index_image *index = &out->indices[d];
    HLO_TRY(hlo_image_of(domain, domain->map->results[1 + d], index, error));
    out->is_box = index->is_exact && index->is_progression && index->is_placed;
    size = hlo_saturating_mul(size, index->count);
  }
  out->is_box &= size == out->distinct;
  return HLO_OK;
}

static hlo_status compute_footprint(hlo_affine_context *context, const hlo_indexing *indexing,
                                    const hlo_shape *operand, footprint *out, hlo_error *error) {
  hlo_image_domain domain = {.context = context, .budget = IMAGE_ASSIGNMENTS};
  hlo_index_image position;
  bool are_reads_exact;
  *out = (footprint){.is_exact = true};
  domain.varying = varying_runtimes(indexing);
  HLO_TRY(hlo_map_footprint(context, indexing, operand, &domain.map, error));
  if (domain.map->known_empty) return HLO_OK;
  hlo_image_count_assignments(&domain, &out->reads, &are_reads_exact);
  HLO_TRY(hlo_image_of(&domain, domain.map->results[0], &position, error));
  bool may_vary = (domain.map->results[0]->variables >> HLO_AFFINE_RUNTIME & 1) != 0;
  out->distinct = position.is_exact || !may_vary ? position.count : out->reads;
  out->is_exact = position.is_exact && are_reads_exact && !has_gates(domain.map);
  if (out->distinct > out->reads) out->distinct = out->reads;
  return bounding_box(&domain, operand->rank, out, error);
}

// --- unions ---

// *a becomes what it has in common with b. False when steps differ, so that no progression does.
static bool intersect(hlo_index_image *a, const hlo_index_image *b) {
  if (a->count > 1 && b->count > 1 && a->stride != b->stride) return false;
  int64_t stride = a->count > 1 ? a->stride : b->count > 1 ? b->stride : 1;
  bool meets = hlo_floor_mod(a->lower - b->lower, stride) == 0;
  a->stride = stride;
  if (b->lower > a->lower) a->lower = b->lower;
  if (b->upper < a->upper) a->upper = b->upper;
  a->count = meets && a->lower <= a->upper ? (a->upper - a->lower) / stride + 1 : 0;
  return true;
}

// Elements common to the chosen boxes, a set of bits. -1: cannot be said.
static int64_t count_common(const footprint *boxes, int32_t count, uint32_t chosen, int32_t rank) {
  int64_t size = 1;
  for (int32_t d = 0; d < rank; d++) {
    hlo_index_image common = {.count = 0};
    bool is_first = true;
    for (int32_t i = 0; i < count; i++) {
      if ((chosen >> i & 1) == 0) continue;
      if (is_first) common = boxes[i].indices[d];
      else if (!intersect(&common, &boxes[i].indices[d])) return -1;
      if (common.count == 0) return 0;
      is_first = false;
    }
    size *= common.count;
  }
  return size;
}

// By inclusion and exclusion. -1: cannot be said.
static int64_t count_union(const footprint *boxes, int32_t count, int32_t rank) {
  int64_t total = 0;
  for (uint32_t chosen = 1; chosen < UINT32_C(1) << count; chosen++) {
    int64_t common = count_common(boxes, count, chosen, rank);
    if (common < 0) return -1;
    bool is_odd = false;
    for (uint32_t rest = chosen; rest != 0; rest &= rest - 1) is_odd = !is_odd;
    total += is_odd ? common : -common;
  }
  return total;
}

static void combine(const footprint *all, int32_t count, const hlo_shape *operand,
                    hlo_indexing_use *out) {
  *out = (hlo_indexing_use){.elements = hlo_shape_elements(operand), .is_exact = true};
  bool are_boxes = count <= MOST_BOXES && out->elements <= INT64_MAX >> MOST_BOXES;
  bool reads_all = false;
  int64_t most = 0;
  for (int32_t i = 0; i < count; i++) {
    are_boxes &= all[i].is_box;
    out->reads = hlo_upper_add(out->reads, all[i].reads);
    most = hlo_upper_add(most, all[i].distinct);
    if (!all[i].is_exact) out->is_exact = false;
    else if (all[i].distinct == out->elements) reads_all = true;
  }
  if (most > out->elements) most = out->elements;
  out->distinct = reads_all ? out->elements : most;
  if (reads_all || count <= 1) return;
  int64_t together = are_boxes && count > 1 ? count_union(all, count, operand->rank) : -1;
  if (together >= 0) out->distinct = together;
  else out->is_exact = false;
}

hlo_status hlo_indexing_measure_use(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                                    const hlo_shape *operand, hlo_indexing_use *out,
                                    hlo_error *error) {
  hlo_affine_context *context = hlo_indexing_context(analysis);
  int64_t elements = hlo_shape_elements(operand);
  *out = (hlo_indexing_use){.elements = elements, .distinct = elements, .reads = INT64_MAX};
  if (set->is_unknown) return HLO_OK;
  footprint *all;
  HLO_ALLOC(all, hlo_affine_arena(context), set->count, error);
  for (int32_t i = 0; i < set->count; i++) {
    hlo_status status = compute_footprint(context, &set->items[i], operand, &all[i], error);
    if (status == HLO_UNSUPPORTED) { // positions overflow
      hlo_error_clear(error);
      return HLO_OK;
    }
    HLO_TRY(status);
  }
  combine(all, set->count, operand, out);
  return HLO_OK;
}
