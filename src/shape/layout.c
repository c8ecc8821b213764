// Compares, copies and checks layouts.
#include "shape/layout.h"

#include "base/checked.h"
#include "shape/literal.h"
#include "shape/padding.h"

#include <string.h>

static bool is_major_to_minor(const hlo_layout *layout) {
  for (int32_t i = 0; i < layout->rank; i++) {
    if (layout->minor_to_major[i] != layout->rank - 1 - i) return false;
  }
  return true;
}

static bool is_packed(const hlo_layout *layout) {
  return layout->element_bits > 0 && layout->element_bits < 8;
}

bool hlo_layout_is_default(const hlo_layout *layout) {
  return layout == NULL ||
         (is_major_to_minor(layout) && layout->padded_dims == NULL && !is_packed(layout));
}

static bool has_text(const char *text) { return text != NULL && text[0] != '\0'; }

bool hlo_layout_is_plain(const hlo_layout *layout) {
  return layout == NULL ||
         (hlo_layout_is_default(layout) && layout->tile_count == 0 && layout->element_bits == 0 &&
          layout->memory_space == 0 && !has_text(layout->other_text));
}

static bool texts_equal(const char *a, const char *b) {
  return strcmp(a == NULL ? "" : a, b == NULL ? "" : b) == 0;
}

static bool numbers_equal(int32_t count, const int64_t *a, const int64_t *b) {
  if (a == NULL || b == NULL) return a == b || count == 0;
  return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

bool hlo_layout_equal(const hlo_layout *a, const hlo_layout *b) {
  if (a == NULL || b == NULL) return hlo_layout_is_plain(a) && hlo_layout_is_plain(b);
  if (a->rank != b->rank || a->tile_count != b->tile_count || a->element_bits != b->element_bits ||
      a->memory_space != b->memory_space) {
    return false;
  }
  if ((a->padded_dims == NULL) != (b->padded_dims == NULL)) return false;
  for (int32_t i = 0; i < a->tile_count; i++) {
    if (a->tiles[i].rank != b->tiles[i].rank ||
        !numbers_equal(a->tiles[i].rank, a->tiles[i].dims, b->tiles[i].dims)) {
      return false;
    }
  }
  return numbers_equal(a->rank, a->minor_to_major, b->minor_to_major) &&
         numbers_equal(a->rank, a->padded_dims, b->padded_dims) &&
         texts_equal(a->padding_value, b->padding_value) &&
         texts_equal(a->other_text, b->other_text);
}

static hlo_status copy_numbers(hlo_arena *arena, int32_t count, const int64_t *from,
                               const int64_t **out, hlo_error *error) {
  *out = NULL;
  if (from == NULL) return HLO_OK;
  int64_t *numbers;
  HLO_ALLOC(numbers, arena, count, error);
  if (count > 0) memcpy(numbers, from, (size_t)count * sizeof *from);
  *out = numbers;
  return HLO_OK;
}

static hlo_status copy_text(hlo_arena *arena, const char *from, const char **out,
                            hlo_error *error) {
  *out = NULL;
  if (!has_text(from)) return HLO_OK;
  *out = hlo_arena_copy_text(arena, from, strlen(from));
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

hlo_status hlo_layout_copy(hlo_arena *arena, const hlo_layout *from, const hlo_layout **out,
                           hlo_error *error) {
  hlo_layout *layout;
  HLO_ALLOC(layout, arena, 1, error);
  *layout = *from;
  HLO_TRY(copy_numbers(arena, from->rank, from->minor_to_major, &layout->minor_to_major, error));
  HLO_TRY(copy_numbers(arena, from->rank, from->padded_dims, &layout->padded_dims, error));
  HLO_TRY(copy_text(arena, from->padding_value, &layout->padding_value, error));
  HLO_TRY(copy_text(arena, from->other_text, &layout->other_text, error));
  if (from->tile_count > 0) {
    hlo_tile *tiles;
    HLO_ALLOC(tiles, arena, from->tile_count, error);
    layout->tiles = tiles;
    for (int32_t i = 0; i < from->tile_count; i++) {
      tiles[i].rank = from->tiles[i].rank;
      HLO_TRY(copy_numbers(arena, tiles[i].rank, from->tiles[i].dims, &tiles[i].dims, error));
    }
  }
  *out = layout;
  return HLO_OK;
}

// E(bits) is possible for elements of the type: a power of two below 8 that holds the type's bits
// packs them; 8 and more, which XLA also prints, packs nothing.
static bool bits_fit(hlo_type type, int32_t bits) {
  if (bits >= 8) return true;
  return (bits == 1 || bits == 2 || bits == 4) && hlo_type_bits(type) <= bits;
}

static bool padding_value_fits(hlo_type type, const char *text) {
  char element[16];
  return hlo_padding_parse(type, text, element, NULL) == HLO_OK;
}

void hlo_layout_fit_type(hlo_layout *layout, hlo_type type) {
  if (!bits_fit(type, layout->element_bits)) layout->element_bits = 0;
  if (layout->padding_value != NULL && !padding_value_fits(type, layout->padding_value)) {
    layout->padding_value = NULL;
  }
}

static hlo_status check_order(const hlo_shape *shape, const hlo_layout *layout, hlo_error *error) {
  if (layout->rank != shape->rank) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "minor_to_major has %d entries for an array of rank %d",
                    (int)layout->rank, (int)shape->rank);
  }
  uint64_t seen = 0;
  for (int32_t i = 0; i < layout->rank; i++) {
    int64_t d = layout->minor_to_major[i];
    if (d < 0 || d >= layout->rank || (seen >> d & 1) != 0) {
      return hlo_fail(error, HLO_SHAPE_ERROR,
                      "minor_to_major is no permutation of the dimensions: entry %d is %lld",
                      (int)i, (long long)d);
    }
    seen |= (uint64_t)1 << d;
  }
  return HLO_OK;
}

static hlo_status check_padding(const hlo_shape *shape, const hlo_layout *layout,
                                hlo_error *error) {
  if (layout->padded_dims == NULL) return HLO_OK;
  int64_t bytes = hlo_type_bytes(shape->type);
  for (int32_t i = 0; i < layout->rank; i++) {
    int64_t width = layout->padded_dims[i];
    if (width < shape->dims[i]) {
      return hlo_fail(error, HLO_SHAPE_ERROR,
                      "dimension %d of size %lld cannot be padded to the width %lld", (int)i,
                      (long long)shape->dims[i], (long long)width);
    }
    if (!hlo_checked_mul(bytes, width > 1 ? width : 1, &bytes)) {
      return hlo_fail(error, HLO_SHAPE_ERROR, "the padded array's size overflows 64 bits");
    }
  }
  if (layout->padding_value != NULL && !padding_value_fits(shape->type, layout->padding_value)) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "the padding value '%s' is not of type %s",
                    layout->padding_value, hlo_type_name(shape->type));
  }
  return HLO_OK;
}

hlo_status hlo_layout_validate(const hlo_shape *shape, const hlo_layout *layout, hlo_error *error) {
  if (!hlo_shape_is_array(shape)) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "a %s has no layout", hlo_type_name(shape->type));
  }
  HLO_TRY(check_order(shape, layout, error));
  HLO_TRY(check_padding(shape, layout, error));
  for (int32_t t = 0; t < layout->tile_count; t++) {
    for (int32_t i = 0; i < layout->tiles[t].rank; i++) {
      int64_t size = layout->tiles[t].dims[i];
      if (size < 0 && size != HLO_TILE_COMBINE) {
        return hlo_fail(error, HLO_SHAPE_ERROR, "a tile has the negative size %lld",
                        (long long)size);
      }
    }
  }
  if (layout->element_bits != 0 && !bits_fit(shape->type, layout->element_bits)) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "elements of type %s do not fit E(%d)",
                    hlo_type_name(shape->type), (int)layout->element_bits);
  }
  if (layout->memory_space < 0) {
    return hlo_fail(error, HLO_SHAPE_ERROR, "the memory space %lld is negative",
                    (long long)layout->memory_space);
  }
  return HLO_OK;
}
