// See window.h.
#include "hlo/attributes/window.h"

#include "base/checked.h"

#include <string.h>

hlo_status hlo_window_read(const hlo_instruction *x, int32_t rank, const int64_t **fields,
                           hlo_error *error) {
  int32_t count;
  *fields = hlo_get_ints(x, HLO_ATTRIBUTE_WINDOW, &count);
  if (count != rank * HLO_WINDOW_FIELDS)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "window must have %d dimensions: it has %d", rank,
                                count / HLO_WINDOW_FIELDS);
  for (int32_t d = 0; d < rank; d++) {
    const int64_t *field = *fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    if (field[HLO_WINDOW_SIZE] < 1 || field[HLO_WINDOW_STRIDE] < 1 ||
        field[HLO_WINDOW_LHS_DILATION] < 1 || field[HLO_WINDOW_RHS_DILATION] < 1)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "size, stride and dilations of window dimension %d must be at "
                                  "least 1",
                                  d);
  }
  return HLO_OK;
}

// n elements with dilation - 1 holes between any two.
static bool dilate(int64_t n, int64_t dilation, int64_t *out) {
  *out = 0;
  return n == 0 || (hlo_checked_mul(n - 1, dilation, out) && hlo_checked_add(*out, 1, out));
}

bool hlo_window_positions(const int64_t *field, int64_t size, int64_t *out) {
  int64_t window;
  if (!dilate(size, field[HLO_WINDOW_LHS_DILATION], &size) ||
      !hlo_checked_add(size, field[HLO_WINDOW_PAD_LOW], &size) ||
      !hlo_checked_add(size, field[HLO_WINDOW_PAD_HIGH], &size) ||
      !dilate(field[HLO_WINDOW_SIZE], field[HLO_WINDOW_RHS_DILATION], &window))
    return false;
  *out = size < window ? 0 : (size - window) / field[HLO_WINDOW_STRIDE] + 1;
  return true;
}

// Reads one part of the labels, up to `end`: the letters for the two special dimensions, and digits
// for the spatial ones. False unless each stands there exactly once.
static bool read_part(const char **cursor, const char *end, char first_letter, char second_letter,
                      int32_t *first, int32_t *second, int32_t *spatial, int32_t *spatial_rank) {
  size_t end_length = strlen(end);
  int32_t rank = 0;
  uint32_t digits = 0;
  *first = *second = -1;
  *spatial_rank = 0;
  for (; **cursor != '\0' && (end_length == 0 || strncmp(*cursor, end, end_length) != 0);
       ++*cursor) {
    char c = **cursor;
    if (c == first_letter && *first < 0) *first = rank;
    else if (c == second_letter && *second < 0) *second = rank;
    else if (c >= '0' && c <= '9' && (digits >> (c - '0') & 1) == 0) {
      digits |= 1u << (c - '0');
      spatial[c - '0'] = rank;
      ++*spatial_rank;
    } else return false;
    rank++;
  }
  if (strncmp(*cursor, end, end_length) != 0) return false;
  *cursor += end_length;
  return *first >= 0 && *second >= 0 && digits == (1u << *spatial_rank) - 1;
}

hlo_status hlo_convolution_dimensions_read(const hlo_instruction *x,
                                           hlo_convolution_dimensions *out, hlo_error *error) {
  const char *labels = hlo_get_text(x, HLO_ATTRIBUTE_DIM_LABELS), *cursor = labels;
  int32_t kernel_rank, output_rank;
  if (labels != NULL &&
      read_part(&cursor, "_", 'b', 'f', &out->input_batch, &out->input_feature, out->input_spatial,
                &out->spatial_rank) &&
      read_part(&cursor, "->", 'o', 'i', &out->kernel_output_feature, &out->kernel_input_feature,
                out->kernel_spatial, &kernel_rank) &&
      read_part(&cursor, "", 'b', 'f', &out->output_batch, &out->output_feature,
                out->output_spatial, &output_rank) &&
      kernel_rank == out->spatial_rank && output_rank == out->spatial_rank)
    return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "dim_labels must be like bf01_oi01->bf01, each part with the same "
                              "digits: %.*s",
                              100, labels == NULL ? "" : labels);
}
