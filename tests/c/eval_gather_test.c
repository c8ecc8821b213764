// Slices of an operand that does not fit into the cache against index arithmetic: of all kinds of
// lengths, by one number and by two, in and out of order and beyond the ends, for each type of
// index. (tests/ops/gather.hlo has the dimension numbers.)
#include "eval_fixture.h"

enum { ROWS = 1400, VECTORS = 300 };

// The operand is [ROWS, width] bytes; of the row that an index vector starts with, `length` bytes
// are gathered, which start at its second number, or all.
static void check_gather(hlo_type index_type, int64_t length, bool by_two, bool in_order) {
  test_program program;
  start_program(&program);
  int64_t width = by_two ? length + 450 : length, numbers = by_two ? 2 : 1;
  const int64_t offset = 1, rows = 0, map[] = {0, 1}, sizes[] = {1, length};
  test_array operand = make_array(HLO_S8, 2, (const int64_t[]){ROWS, width}, ROW_MAJOR);
  test_array indices = make_array(index_type, 2, (const int64_t[]){VECTORS, numbers}, ROW_MAJOR);
  test_array result = make_array(HLO_S8, 2, (const int64_t[]){VECTORS, length}, ROW_MAJOR);
  for (size_t i = 0; i < operand.size; i++) {
    operand.memory[i] = (uint8_t)((uint32_t)i * 2654435761u >> 24);
  }
  for (int64_t i = 0; i < VECTORS * numbers; i++) {
    int64_t start = in_order ? i / numbers : random_below(2 * ROWS);
    if (!in_order && index_type != HLO_U32) start -= ROWS / 2;
    set_small(index_type, element_number(&indices.view, i), start);
  }
  hlo_attribute attributes[] = {
      ints_attribute(&program, HLO_ATTRIBUTE_OFFSET_DIMS, 1, &offset),
      ints_attribute(&program, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, 1, &rows),
      ints_attribute(&program, HLO_ATTRIBUTE_START_INDEX_MAP, (int32_t)numbers, map),
      hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 1),
      ints_attribute(&program, HLO_ATTRIBUTE_SLICE_SIZES, 2, sizes),
  };
  CHECK(evaluate(&program, HLO_OP_GATHER, 2, (const hlo_view[]){operand.view, indices.view},
                 &result.view, 5, attributes));
  bool right = true;
  for (int64_t i = 0; i < VECTORS; i++) {
    int64_t from[2] = {0, 0};
    for (int64_t j = 0; j < numbers; j++) {
      int64_t last = operand.view.dims[j] - sizes[j];
      double start = as_double(index_type, element_number(&indices.view, i * numbers + j));
      from[j] = start<0 ? 0 : start>(double) last ? last : (int64_t)start;
    }
    const void *wanted = element(&operand.view, from);
    const void *got = element(&result.view, (const int64_t[]){i, 0});
    right = right && memcmp(got, wanted, (size_t)length) == 0;
  }
  CHECK_MESSAGE(right, "%lld bytes by %lld numbers of type %d", (long long)length,
                (long long)numbers, (int)index_type);
  free_array(&operand), free_array(&indices), free_array(&result);
  end_program(&program);
}

// Columns of `length` bytes of an operand [rows, width], side by side in the result.
static void check_columns(int64_t rows, int64_t width, int64_t vectors, int64_t length) {
  test_program program;
  start_program(&program);
  const int64_t offset[] = {0, 2}, map = 1, sizes[] = {rows, length};
  const int64_t dims[] = {rows, vectors, length};
  test_array operand = make_array(HLO_S8, 2, (const int64_t[]){rows, width}, ROW_MAJOR);
  test_array indices = make_array(HLO_S32, 2, (const int64_t[]){vectors, 1}, ROW_MAJOR);
  test_array result = make_array(HLO_S8, 3, dims, ROW_MAJOR);
  for (size_t i = 0; i < operand.size; i++) {
    operand.memory[i] = (uint8_t)((uint32_t)i * 2654435761u >> 24);
  }
  for (int64_t i = 0; i < vectors; i++) {
    set_small(HLO_S32, element_number(&indices.view, i), random_below(width + 20) - 10);
  }
  hlo_attribute attributes[] = {
      ints_attribute(&program, HLO_ATTRIBUTE_OFFSET_DIMS, 2, offset),
      ints_attribute(&program, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, 0, NULL),
      ints_attribute(&program, HLO_ATTRIBUTE_START_INDEX_MAP, 1, &map),
      hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 1),
      ints_attribute(&program, HLO_ATTRIBUTE_SLICE_SIZES, 2, sizes),
  };
  CHECK(evaluate(&program, HLO_OP_GATHER, 2, (const hlo_view[]){operand.view, indices.view},
                 &result.view, 5, attributes));
  bool right = true;
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t i = 0; i < vectors; i++) {
      double start = as_double(HLO_S32, element_number(&indices.view, i));
      int64_t last = width - length, from = start < 0 ? 0 : (int64_t)start;
      const void *wanted =
          element(&operand.view, (const int64_t[]){row, from > last ? last : from});
      const void *got = element(&result.view, (const int64_t[]){row, i, 0});
      right = right && memcmp(got, wanted, (size_t)length) == 0;
    }
  }
  CHECK_MESSAGE(right, "%lld columns of %lld bytes", (long long)vectors, (long long)length);
  free_array(&operand), free_array(&indices), free_array(&result);
  end_program(&program);
}

int main(void) {
  static const int64_t lengths[] = {1,  2,   4,   7,   13,  31,  63,  64,   65,
                                    96, 128, 200, 257, 511, 640, 999, 4095, 4099};
  static const hlo_type types[] = {HLO_S32, HLO_U32, HLO_S64};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    hlo_type type = types[i % 3], other = types[(i + 1) % 3];
    check_gather(type, lengths[i], false, false);
    check_gather(other, lengths[i], true, false);
    check_gather(type, lengths[i], i % 2 == 0, true);
  }
  check_columns(70, 9000, 2500, 1); // all lines of a row are read
  check_columns(3, 50, 4100, 2);
  check_columns(60, 20000, 5, 4);
  check_columns(5, 60, 30, 8);
  check_columns(5, 60, 30, 13);
  return CHECK_RESULT();
}
