// Checks shape/view/view.c: strided copies of every kind against copying one element at a time, and
// what counts as dense.
#include "shape/view.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static const hlo_type types[] = {HLO_U8, HLO_F16, HLO_F32, HLO_F64, HLO_C128};

static int pick(int count) { return rand() % count; }

static int64_t offset_of(const hlo_view *view, const int64_t *index) {
  int64_t offset = 0;
  for (int i = 0; i < view->rank; i++) offset += index[i] * view->strides[i];
  return offset;
}

// A transpose of rows about so many bytes apart, of more bytes than a cache has.
static void check_large_transpose(hlo_type type, int64_t row_bytes) {
  int64_t size = hlo_type_bytes(type), columns = row_bytes / size, rows = (8 << 20) / row_bytes + 5;
  hlo_view to = {.type = type, .rank = 2, .dims = {columns, rows}, .strides = {rows, 1}};
  hlo_view from = {.type = type, .rank = 2, .dims = {columns, rows}, .strides = {1, columns}};
  size_t bytes = (size_t)(rows * columns * size);
  char *source = malloc(bytes), *result = malloc(bytes);
  for (size_t i = 0; i < bytes; i++) source[i] = (char)(((uint32_t)i * 2654435761u) >> 24);
  from.data = source;
  to.data = result;
  hlo_view_copy(&to, &from);
  bool right = true;
  for (int64_t i = 0; i < columns; i++) {
    for (int64_t j = 0; j < rows; j++) {
      const char *got = result + (i * rows + j) * size, *wanted = source + (j * columns + i) * size;
      right = right && memcmp(got, wanted, (size_t)size) == 0;
    }
  }
  CHECK(right);
  free(source);
  free(result);
}

// Memory for a view with these dims whose dimensions lie in random order, some of them with gaps,
// some reversed, and (if may_repeat) some of stride 0. *memory is for free, *bytes its size.
static hlo_view random_view(hlo_type type, int32_t rank, const int64_t *dims, bool may_repeat,
                            char **memory, size_t *bytes) {
  hlo_view view = {.type = type, .rank = rank};
  int order[HLO_MAX_RANK];
  int64_t elements = 1, first = 0;
  bool gaps = rank < 10 && pick(3) == 0, reversals = pick(3) == 0,
       repeats = may_repeat && pick(3) == 0;
  for (int i = 0; i < rank; i++) {
    int j = pick(i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  bool in_order = pick(3) == 0;
  for (int i = rank - 1; i >= 0; i--) {
    int d = in_order ? i : order[i];
    int64_t count = dims[d];
    view.dims[d] = count;
    if (repeats && pick(3) == 0) continue;
    if (gaps && pick(2) == 0) elements *= 1 + pick(3);
    view.strides[d] = elements;
    elements *= count;
    if (reversals && pick(2) == 0 && count > 0) {
      first += view.strides[d] * (count - 1);
      view.strides[d] = -view.strides[d];
    }
  }
  *bytes = (size_t)elements * (size_t)hlo_type_bytes(type);
  *memory = malloc(*bytes + 1);
  for (size_t i = 0; i < *bytes; i++) (*memory)[i] = (char)pick(256);
  view.data = *memory + first * hlo_type_bytes(type);
  return view;
}

static void check_copy(hlo_type type, int32_t rank, const int64_t *dims) {
  char *to_memory, *from_memory;
  size_t to_bytes, from_bytes, size = (size_t)hlo_type_bytes(type);
  hlo_view to = random_view(type, rank, dims, false, &to_memory, &to_bytes);
  hlo_view from = random_view(type, rank, dims, true, &from_memory, &from_bytes);
  char *expected = malloc(to_bytes + 1), *from_before = malloc(from_bytes + 1);
  memcpy(expected, to_memory, to_bytes);
  memcpy(from_before, from_memory, from_bytes);
  int64_t index[HLO_MAX_RANK] = {0};
  if (hlo_view_elements(&to) > 0) {
    char *expected_data = expected + ((char *)to.data - to_memory);
    do {
      memcpy(expected_data + offset_of(&to, index) * (int64_t)size,
             (char *)from.data + offset_of(&from, index) * (int64_t)size, size);
    } while (hlo_next_index(rank, dims, index));
  }
  hlo_view_copy(&to, &from);
  CHECK(memcmp(to_memory, expected, to_bytes) == 0); // nothing beside it either
  CHECK(memcmp(from_memory, from_before, from_bytes) == 0);
  free(to_memory);
  free(from_memory);
  free(expected);
  free(from_before);
}

static void test_copies(void) {
  srand(5);
  for (int i = 0; i < 3000; i++) {
    int64_t dims[HLO_MAX_RANK];
    int32_t rank = pick(7);
    for (int d = 0; d < rank; d++) dims[d] = i % 10 == 0 ? pick(5) : 1 + pick(5);
    if (rank == 2 || rank == 3) dims[pick(rank)] = 1 + pick(80); // rows of several vectors
    check_copy(types[i % 5], rank, dims);
  }
  // Matrices and stacks of them around the sizes of tiles.
  static const int64_t sizes[] = {1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 129};
  for (int i = 0; i < 600; i++) {
    int64_t dims[4] = {sizes[pick(13)], sizes[pick(13)], 1 + pick(3), 1 + pick(3)};
    check_copy(types[i % 5], 2 + i % 3, dims);
  }
  // Pixels of a few elements, also some images of them.
  for (int i = 0; i < 600; i++) {
    int64_t dims[3] = {sizes[pick(13)], 1 + pick(5), 1 + pick(2)};
    check_copy(HLO_F32, 2 + i % 2, dims);
  }
  // Short rows and small matrices beside a long loop.
  for (int i = 0; i < 900; i++) {
    int64_t many = i % 30 == 0 ? 700 : sizes[pick(13)];
    int64_t dims[4] = {many, 1 + pick(4), 1 + pick(4), 1 + pick(3)};
    check_copy(types[i % 5], 2 + i % 3, dims);
  }
  for (int i = 0; i < 5; i++) {
    check_copy(types[i], 3, (const int64_t[]){30000, 3, 3});
    check_copy(types[i], 4, (const int64_t[]){40000, 3, 2, 2});
  }
  // Rows that lie 2048 bytes or a multiple apart.
  for (int i = 0; i < 40; i++) {
    int64_t size = hlo_type_bytes(types[i % 5]);
    int64_t dims[2] = {2048 / size * (1 + pick(2)), sizes[pick(13)]};
    check_copy(types[i % 5], 2, dims);
    int64_t turned[2] = {dims[1], dims[0]};
    check_copy(types[i % 5], 2, turned);
  }
  static const int64_t row_bytes[] = {2048, 4096, 9000, 16384, 16392};
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) check_large_transpose(types[i], row_bytes[j]);
  }
  int64_t ones[HLO_MAX_RANK];
  for (int i = 0; i < HLO_MAX_RANK; i++) ones[i] = i % 13 == 0 ? 2 : 1;
  for (int i = 0; i < 20; i++) check_copy(types[i % 5], HLO_MAX_RANK, ones);
}

// By its meaning: the same offsets in both, and they are 0 to n-1.
static bool is_parallel(const hlo_view *a, const hlo_view *b) {
  int64_t count = hlo_view_elements(a), index[HLO_MAX_RANK] = {0};
  if (count == 0) return true;
  char *seen = calloc((size_t)count, 1);
  bool parallel = true;
  do {
    int64_t offset = offset_of(a, index);
    if (offset != offset_of(b, index) || offset < 0 || offset >= count || seen[offset] != 0) {
      parallel = false;
    } else {
      seen[offset] = 1;
    }
  } while (parallel && hlo_next_index(a->rank, a->dims, index));
  free(seen);
  return parallel;
}

static bool is_row_major(const hlo_view *view) {
  int64_t index[HLO_MAX_RANK] = {0}, offset = 0;
  if (hlo_view_elements(view) == 0) return true;
  do {
    if (offset_of(view, index) != offset++) return false;
  } while (hlo_next_index(view->rank, view->dims, index));
  return true;
}

static void test_density(void) {
  srand(6);
  int parallel = 0, row_major = 0;
  for (int i = 0; i < 5000; i++) {
    int64_t dims[HLO_MAX_RANK];
    int32_t rank = pick(5);
    for (int d = 0; d < rank; d++) dims[d] = i % 20 == 0 ? pick(3) : 1 + pick(3);
    char *a_memory, *b_memory;
    size_t bytes;
    hlo_view a = random_view(HLO_U8, rank, dims, true, &a_memory, &bytes);
    hlo_view b = random_view(HLO_F32, rank, dims, true, &b_memory, &bytes);
    CHECK(hlo_view_is_row_major(&a) == is_row_major(&a));
    CHECK(hlo_views_are_parallel(&a, &b) == is_parallel(&a, &b));
    CHECK(hlo_views_are_parallel(&a, &a) == is_parallel(&a, &a));
    parallel += is_parallel(&a, &b);
    row_major += is_row_major(&a);
    free(a_memory);
    free(b_memory);
  }
  CHECK(parallel > 100 && parallel < 4900 && row_major > 100 && row_major < 4900);
  hlo_view a = {.type = HLO_F32, .rank = 1, .dims = {3}, .strides = {1}};
  hlo_view b = {.type = HLO_F32, .rank = 2, .dims = {3, 1}, .strides = {1, 1}};
  hlo_view c = {.type = HLO_F32, .rank = 1, .dims = {4}, .strides = {1}};
  CHECK(!hlo_views_are_parallel(&a, &b) && !hlo_views_are_parallel(&a, &c));
  // A stride does not matter where there is nothing to step to.
  b.strides[1] = 77;
  CHECK(hlo_view_is_row_major(&b) && hlo_views_are_parallel(&b, &b));
}

static void test_view_of(void) {
  hlo_arena arena = {0};
  hlo_error error = {0};
  const hlo_shape *shape = NULL;
  const char text[] = "s16[<=2,3,4]{0,2,1:P(3,3,5)}", *cursor = text;
  CHECK(hlo_shape_parse(&arena, &cursor, text + strlen(text), &shape, &error) == HLO_OK);
  char data[1];
  hlo_view view = hlo_view_of(shape, data);
  CHECK(view.type == HLO_S16 && view.rank == 3 && view.data == data);
  CHECK(view.dims[0] == 2 && view.dims[1] == 3 && view.dims[2] == 4);
  CHECK(view.strides[0] == 1 && view.strides[2] == 3 && view.strides[1] == 15);
  CHECK(hlo_view_elements(&view) == 24 && !hlo_view_is_row_major(&view));
  view = hlo_view_of(hlo_shape_scalar(HLO_F32), data);
  CHECK(view.rank == 0 && hlo_view_elements(&view) == 1 && hlo_view_is_row_major(&view));
  hlo_arena_free(&arena);
}

int main(void) {
  test_copies();
  test_density();
  test_view_of();
  return CHECK_RESULT();
}
