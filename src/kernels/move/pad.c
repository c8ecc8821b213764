// Pad: edges and gaps of a padding value; negative edges cut off. Source of semantics: "Pad" of the
// operation semantics: gaps come first, then edges.
#include "kernels/machine.h"
#include "kernels/structural.h"

#include "base/checked.h"

enum { LOW, HIGH, INTERIOR, FIELDS };

// The elements first … first + count - 1 of a dimension of `size` are those that the result shows,
// the first of them at position `at`, the others `step` apart.
typedef struct shown {
  int64_t first, count, at, step;
} shown;

static shown shown_part(int64_t size, int64_t result_size, const int64_t *padding) {
  shown out = {.at = padding[LOW]};
  // A gap too wide for 64 bits leaves room for no second element in any result.
  if (!hlo_checked_add(padding[INTERIOR], 1, &out.step)) out.step = INT64_MAX;
  if (out.at < 0) out.first = -(out.at + 1) / out.step + 1; // ceil(-at / step)
  if (out.first >= size) return (shown){0};
  out.at += out.first * out.step; // in range, since the last element's position is
  if (out.at >= result_size) return (shown){0};
  out.count = (result_size - 1 - out.at) / out.step + 1;
  if (out.count > size - out.first) out.count = size - out.first;
  return out;
}

// Fills what is before and after the shown part along dimension i of `region`, which is cut to
// that part. False, with all of the region filled, where that is no slower.
static bool fill_edges(hlo_view *region, int32_t i, const shown *part, const void *value) {
  int64_t behind = region->dims[i] - part->at - part->count, starts[] = {0, part->at + part->count};
  int64_t sizes[] = {part->at, behind}, stride = region->strides[i];
  int64_t bytes = (stride < 0 ? -stride : stride) * hlo_type_bytes(region->type);
  bool has_gaps = part->count > 1 && part->step > 1;
  if (sizes[0] == 0 && sizes[1] == 0 && !has_gaps) return true;
  if (has_gaps || region->dims[i] * bytes < HLO_PAD_SHORT) {
    hlo_view_fill(region, value);
    return false;
  }
  for (int k = 0; k < 2; k++) {
    hlo_view edge = *region;
    edge.data = hlo_view_at(&edge, starts[k] * stride);
    edge.dims[i] = sizes[k];
    if (sizes[k] > 0) hlo_view_fill(&edge, value);
  }
  region->data = hlo_view_at(region, part->at * stride);
  region->dims[i] = part->count;
  return true;
}

hlo_status hlo_eval_pad(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)evaluator, (void)error;
  int32_t fields;
  const int64_t *padding = hlo_get_ints(instruction, HLO_ATTRIBUTE_PADDING, &fields);
  const hlo_view *result = &results[0];
  if (hlo_view_elements(result) == 0) return HLO_OK;
  hlo_view from = operands[0], to = *result, region = *result;
  bool has_edges = true;
  for (int32_t i = 0; i < result->rank; i++, padding += FIELDS) {
    shown part = shown_part(from.dims[i], result->dims[i], padding);
    if (part.count <= 0) {
      hlo_view_fill(result, operands[1].data);
      return HLO_OK;
    }
    has_edges = has_edges && fill_edges(&region, i, &part, operands[1].data);
    from.data = hlo_view_at(&from, part.first * from.strides[i]);
    to.data = hlo_view_at(&to, part.at * to.strides[i]);
    from.dims[i] = to.dims[i] = part.count;
    if (part.count > 1) to.strides[i] *= part.step;
  }
  hlo_view_copy(&to, &from);
  return HLO_OK;
}
