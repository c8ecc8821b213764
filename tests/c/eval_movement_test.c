// Data movement against index arithmetic written out: every element of a result is looked up by
// its index, over element sizes, ranks 0 to 6, sizes 0 and 1, and awkward layouts.
#include "eval_fixture.h"

static const hlo_type types[] = {HLO_S8, HLO_U16, HLO_F32, HLO_F64, HLO_C128};
enum { TYPES = sizeof types / sizeof *types, ROUNDS = 60 };

static hlo_type random_type(void) { return types[random_below(TYPES)]; }
static int32_t random_dims(int64_t *dims, int32_t most, int64_t largest) {
  int32_t rank = (int32_t)random_below(most + 1);
  for (int32_t i = 0; i < rank; i++)
    dims[i] = random_below(12) == 0 ? 0 : 1 + random_below(largest);
  return rank;
}

static test_array random_operand(hlo_type type, int32_t rank, const int64_t *dims) {
  test_array array = make_array(type, rank, dims, random_layout());
  fill_random(&array);
  return array;
}

// Where the element of the result with an index comes from: an operand's index, or false for the
// padding value.
typedef bool source_function(const void *context, const int64_t *index, int64_t *from);

static void check_source(const char *name, const test_array *result, const hlo_view *operand,
                         source_function *source, const void *context, const void *otherwise) {
  const hlo_view *view = &result->view;
  int64_t count = elements_of(view->rank, view->dims);
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    int64_t index[HLO_MAX_RANK], from[HLO_MAX_RANK];
    index_of(view->rank, view->dims, i, index);
    bool taken = source(context, index, from);
    const void *wanted = taken ? element(operand, from) : otherwise;
    if (!same_element(view, index, wanted)) right = false;
  }
  CHECK_MESSAGE(right, "%s: wrong element", name);
  CHECK_MESSAGE(gaps_untouched(result), "%s: wrote between elements", name);
}

// --- broadcast, transpose, reverse, slice: per-dimension arithmetic ---

typedef struct mapping {
  int32_t rank; // of the operand
  const int64_t *dims;
  const int64_t *dimensions;
  const int64_t *slice;
} mapping;

static bool broadcast_source(const void *context, const int64_t *index, int64_t *from) {
  const mapping *m = context;
  for (int32_t i = 0; i < m->rank; i++) from[i] = m->dims[i] == 1 ? 0 : index[m->dimensions[i]];
  return true;
}

static void test_broadcast(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[6], small[6], dimensions[6];
    int32_t rank = random_dims(dims, 6, 5), kept = 0;
    for (int32_t i = 0; i < rank; i++) {
      if (random_below(2)) continue;
      small[kept] = random_below(4) == 0 ? 1 : dims[i];
      dimensions[kept++] = i;
    }
    for (int32_t i = kept - 1; i > 0; i--) { // any order of dimensions is allowed
      int64_t j = random_below(i + 1), size = small[i], d = dimensions[i];
      small[i] = small[j], dimensions[i] = dimensions[j];
      small[j] = size, dimensions[j] = d;
    }
    hlo_type type = random_type();
    test_array from = random_operand(type, kept, small);
    test_array to = make_array(type, rank, dims, random_layout());
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_DIMENSIONS, kept, dimensions);
    CHECK(evaluate(&program, HLO_OP_BROADCAST, 1, &from.view, &to.view, 1, &attribute));
    mapping m = {.rank = kept, .dims = small, .dimensions = dimensions};
    check_source("broadcast", &to, &from.view, broadcast_source, &m, NULL);
    free_array(&from), free_array(&to);
    end_program(&program);
  }
}

static bool transpose_source(const void *context, const int64_t *index, int64_t *from) {
  const mapping *m = context;
  for (int32_t i = 0; i < m->rank; i++) from[m->dimensions[i]] = index[i];
  return true;
}

static void test_transpose(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[6], turned[6], order[6];
    int32_t rank = random_dims(dims, 6, 5);
    for (int32_t i = 0; i < rank; i++) {
      int64_t j = random_below(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    for (int32_t i = 0; i < rank; i++) turned[i] = dims[order[i]];
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims);
    test_array to = make_array(type, rank, turned, random_layout());
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_DIMENSIONS, rank, order);
    CHECK(evaluate(&program, HLO_OP_TRANSPOSE, 1, &from.view, &to.view, 1, &attribute));
    mapping m = {.rank = rank, .dimensions = order};
    check_source("transpose", &to, &from.view, transpose_source, &m, NULL);
    free_array(&from), free_array(&to);
    end_program(&program);
  }
}

static bool reverse_source(const void *context, const int64_t *index, int64_t *from) {
  const mapping *m = context; // slice[i]: whether dimension i is reversed
  for (int32_t i = 0; i < m->rank; i++)
    from[i] = m->slice[i] ? m->dims[i] - 1 - index[i] : index[i];
  return true;
}

static void test_reverse(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[6], reversed[6] = {0}, dimensions[6];
    int32_t rank = random_dims(dims, 6, 5), count = 0;
    for (int32_t i = rank - 1; i >= 0; i--) {
      reversed[i] = random_below(2);
      if (reversed[i]) dimensions[count++] = i;
    }
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims);
    test_array to = make_array(type, rank, dims, random_layout());
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_DIMENSIONS, count, dimensions);
    CHECK(evaluate(&program, HLO_OP_REVERSE, 1, &from.view, &to.view, 1, &attribute));
    mapping m = {.rank = rank, .dims = dims, .slice = reversed};
    check_source("reverse", &to, &from.view, reverse_source, &m, NULL);
    free_array(&from), free_array(&to);
    end_program(&program);
  }
}

static bool slice_source(const void *context, const int64_t *index, int64_t *from) {
  const mapping *m = context;
  for (int32_t i = 0; i < m->rank; i++) from[i] = m->slice[3 * i] + index[i] * m->slice[3 * i + 2];
  return true;
}

static void test_slice(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[6], part[6], slice[18];
    int32_t rank = random_dims(dims, 6, 7);
    for (int32_t i = 0; i < rank; i++) {
      int64_t start = random_below(dims[i] + 1), limit = start + random_below(dims[i] - start + 1);
      int64_t stride = random_below(8) == 0 ? INT64_MAX : 1 + random_below(3);
      slice[3 * i] = start, slice[3 * i + 1] = limit, slice[3 * i + 2] = stride;
      part[i] = 0;
      for (int64_t at = start; at < limit; at += stride) {
        part[i]++;
        if (stride > limit) break;
      }
    }
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims);
    test_array to = make_array(type, rank, part, random_layout());
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_SLICE, 3 * rank, slice);
    CHECK(evaluate(&program, HLO_OP_SLICE, 1, &from.view, &to.view, 1, &attribute));
    mapping m = {.rank = rank, .slice = slice};
    check_source("slice", &to, &from.view, slice_source, &m, NULL);
    free_array(&from), free_array(&to);
    end_program(&program);
  }
}

// --- reshape and copy: the row-major order stays ---

static void check_same_order(const char *name, const test_array *to, const test_array *from) {
  int64_t count = elements_of(to->view.rank, to->view.dims);
  size_t size = (size_t)hlo_type_bytes(to->view.type);
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    if (memcmp(element_number(&to->view, i), element_number(&from->view, i), size) != 0) {
      right = false;
    }
  }
  CHECK_MESSAGE(right, "%s: wrong element", name);
  CHECK_MESSAGE(gaps_untouched(to), "%s: wrote between elements", name);
}

static void test_reshape(void) {
  static const int64_t shapes[][5] = {{24},       {2, 12},         {4, 3, 2},
                                      {1, 24, 1}, {2, 1, 3, 2, 2}, {8, 3}};
  static const int32_t ranks[] = {1, 2, 3, 3, 5, 2};
  for (int a = 0; a < 6; a++) {
    for (int b = 0; b < 6; b++) {
      for (int layouts = 0; layouts < TEST_LAYOUTS * TEST_LAYOUTS; layouts++) {
        test_program program;
        start_program(&program);
        hlo_type type = random_type();
        test_array from =
            make_array(type, ranks[a], shapes[a], (test_layout)(layouts / TEST_LAYOUTS));
        test_array to =
            make_array(type, ranks[b], shapes[b], (test_layout)(layouts % TEST_LAYOUTS));
        fill_random(&from);
        CHECK(evaluate(&program, HLO_OP_RESHAPE, 1, &from.view, &to.view, 0, NULL));
        check_same_order("reshape", &to, &from);
        free_array(&from), free_array(&to);
        end_program(&program);
      }
    }
  }
  static const int64_t none[] = {2, 0, 3}, also_none[] = {0};
  test_program program;
  start_program(&program);
  test_array from = make_array(HLO_F32, 3, none, PADDED),
             to = make_array(HLO_F32, 1, also_none, PADDED);
  CHECK(evaluate(&program, HLO_OP_RESHAPE, 1, &from.view, &to.view, 0, NULL));
  CHECK(gaps_untouched(&to));
  free_array(&from), free_array(&to);
  test_array scalar = make_array(HLO_F32, 0, NULL, ROW_MAJOR);
  static const int64_t ones[] = {1, 1, 1};
  to = make_array(HLO_F32, 3, ones, PADDED);
  fill_random(&scalar);
  CHECK(evaluate(&program, HLO_OP_RESHAPE, 1, &scalar.view, &to.view, 0, NULL));
  check_same_order("reshape of a scalar", &to, &scalar);
  free_array(&scalar), free_array(&to);
  end_program(&program);
}

static void test_copy(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[6];
    int32_t rank = random_dims(dims, 6, 5);
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims);
    test_array to = make_array(type, rank, dims, random_layout());
    CHECK(evaluate(&program, HLO_OP_COPY, 1, &from.view, &to.view, 0, NULL));
    check_same_order("copy", &to, &from);
    free_array(&from), free_array(&to);
    end_program(&program);
  }
}

// --- bitcast: the memory order stays, padding aside ---

static void test_bitcast(void) {
  // f32[2,3]{0,1} seen as f32[3,2]{1,0}, the same bytes
  static const int64_t two_three[] = {2, 3}, three_two[] = {3, 2}, six[] = {6}, twelve[] = {12};
  test_program program;
  start_program(&program);
  test_array from = make_array(HLO_F32, 2, two_three, ROW_MAJOR);
  from.view.strides[0] = 1, from.view.strides[1] = 2;
  fill_random(&from);
  test_array to = make_array(HLO_F32, 2, three_two, ROW_MAJOR);
  CHECK(evaluate(&program, HLO_OP_BITCAST, 1, &from.view, &to.view, 0, NULL));
  CHECK(memcmp(from.memory, to.memory, from.size) == 0);
  free_array(&to);
  // other element types, of the same size and of another one
  to = make_array(HLO_S32, 1, six, ROW_MAJOR);
  CHECK(evaluate(&program, HLO_OP_BITCAST, 1, &from.view, &to.view, 0, NULL));
  CHECK(memcmp(from.memory, to.memory, from.size) == 0);
  free_array(&to);
  to = make_array(HLO_U16, 1, twelve, ROW_MAJOR);
  CHECK(evaluate(&program, HLO_OP_BITCAST, 1, &from.view, &to.view, 0, NULL));
  CHECK(memcmp(from.memory, to.memory, from.size) == 0);
  free_array(&to);
  // padding on the way in is left out
  test_array padded = make_array(HLO_F32, 2, two_three, ROW_MAJOR);
  padded.view.dims[1] = 2; // f32[2,2] in rows of 3
  fill_random(&padded);
  static const int64_t four[] = {4};
  to = make_array(HLO_F32, 1, four, ROW_MAJOR);
  CHECK(evaluate(&program, HLO_OP_BITCAST, 1, &padded.view, &to.view, 0, NULL));
  CHECK(memcmp(to.memory, padded.memory, 8) == 0 &&
        memcmp(to.memory + 8, padded.memory + 12, 8) == 0);
  free_array(&to);
  // but does not become elements
  to = make_array(HLO_F32, 1, six, ROW_MAJOR);
  CHECK(!evaluate(&program, HLO_OP_BITCAST, 1, &padded.view, &to.view, 0, NULL));
  CHECK(program.error.status == HLO_UNSUPPORTED);
  hlo_error_clear(&program.error);
  free_array(&to), free_array(&padded), free_array(&from);
  end_program(&program);
}

// A tuple is copied leaf by leaf; a token is nothing.
static void test_copy_of_tuple(void) {
  static const int64_t dims[] = {3, 4};
  test_program program;
  start_program(&program);
  test_array a = random_operand(HLO_F32, 2, dims), b = random_operand(HLO_S8, 0, NULL);
  test_array c = make_array(HLO_F32, 2, dims, PADDED), d = make_array(HLO_S8, 0, NULL, ROW_MAJOR);
  const hlo_shape *shapes[] = {shape_of(&program, &a.view), hlo_shape_scalar(HLO_TOKEN),
                               shape_of(&program, &b.view)};
  const hlo_shape *shape = NULL;
  hlo_shape_make_tuple(&program.module->arena, 3, shapes, &shape, &program.error);
  hlo_instruction *p =
      add_instruction(&program, program.computation, HLO_OP_PARAMETER, shape, 0, NULL, 0, NULL);
  hlo_instruction *copy =
      add_instruction(&program, program.computation, HLO_OP_COPY, shape, 1, &p, 0, NULL);
  hlo_view token = {.type = HLO_TOKEN};
  hlo_view operands[3] = {a.view, token, b.view}, results[3] = {c.view, token, d.view};
  CHECK(hlo_evaluate(&program.evaluator, copy, operands, results, &program.error) == HLO_OK);
  check_same_order("copy of a tuple", &c, &a);
  check_same_order("copy of a tuple", &d, &b);
  free_array(&a), free_array(&b), free_array(&c), free_array(&d);
  end_program(&program);
}

// --- concatenate ---

static void test_concatenate(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[6], sum = 0;
    int32_t rank = 0, parts = 1 + (int32_t)random_below(4);
    while (rank == 0) rank = random_dims(dims, 6, 4);
    int64_t d = random_below(rank);
    hlo_type type = random_type();
    test_array operands[4];
    hlo_view views[4];
    for (int32_t i = 0; i < parts; i++) {
      dims[d] = random_below(4);
      sum += dims[d];
      operands[i] = random_operand(type, rank, dims);
      views[i] = operands[i].view;
    }
    dims[d] = sum;
    test_array to = make_array(type, rank, dims, random_layout());
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_DIMENSIONS, 1, &d);
    CHECK(evaluate(&program, HLO_OP_CONCATENATE, parts, views, &to.view, 1, &attribute));
    bool right = true;
    int64_t count = elements_of(rank, dims);
    for (int64_t i = 0; i < count; i++) {
      int64_t index[6], from[6];
      int32_t part = 0;
      index_of(rank, dims, i, index);
      memcpy(from, index, sizeof from);
      while (from[d] >= views[part].dims[d]) from[d] -= views[part++].dims[d];
      if (!same_element(&to.view, index, element(&views[part], from))) right = false;
    }
    CHECK_MESSAGE(right, "concatenate: wrong element");
    CHECK(gaps_untouched(&to));
    for (int32_t i = 0; i < parts; i++) free_array(&operands[i]);
    free_array(&to);
    end_program(&program);
  }
}

// --- pad ---

static bool pad_source(const void *context, const int64_t *index, int64_t *from) {
  const mapping *m = context; // slice: low, high, interior
  for (int32_t i = 0; i < m->rank; i++) {
    int64_t at = index[i] - m->slice[3 * i], step = m->slice[3 * i + 2] + 1;
    if (at < 0 || at % step != 0 || at / step >= m->dims[i]) return false;
    from[i] = at / step;
  }
  return true;
}

static void test_pad(void) {
  for (int round = 0; round < 4 * ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[5], padded[5], padding[15];
    int32_t rank = random_dims(dims, 5, 4);
    for (int32_t i = 0; i < rank; i++) {
      int64_t interior = random_below(3), low = random_below(7) - 3, high = random_below(7) - 3;
      int64_t spread = dims[i] == 0 ? 0 : (dims[i] - 1) * (interior + 1) + 1;
      while (spread + low + high < 0) low++;
      padded[i] = spread + low + high;
      padding[3 * i] = low, padding[3 * i + 1] = high, padding[3 * i + 2] = interior;
    }
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims), value = random_operand(type, 0, NULL);
    test_array to = make_array(type, rank, padded, random_layout());
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_PADDING, 3 * rank, padding);
    hlo_view operands[2] = {from.view, value.view};
    CHECK(evaluate(&program, HLO_OP_PAD, 2, operands, &to.view, 1, &attribute));
    mapping m = {.rank = rank, .dims = dims, .slice = padding};
    check_source("pad", &to, &from.view, pad_source, &m, value.view.data);
    free_array(&from), free_array(&to), free_array(&value);
    end_program(&program);
  }
}

static void test_pad_with_huge_numbers(void) {
  static const int64_t one[] = {1}, three[] = {3};
  static const int64_t cases[][3] = {
      {1, 1, INT64_MAX},          // a gap that nothing follows
      {-INT64_MAX, INT64_MAX, 0}, // all cut off in front: padding alone
      {INT64_MIN + 4, INT64_MAX - 2, 0},
      {INT64_MIN + 2, INT64_MAX, INT64_MAX / 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_program program;
    start_program(&program);
    test_array from = random_operand(HLO_F32, 1, one), value = random_operand(HLO_F32, 0, NULL);
    test_array to = make_array(HLO_F32, 1, three, ROW_MAJOR);
    hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_PADDING, 3, cases[i]);
    hlo_view operands[2] = {from.view, value.view};
    CHECK(evaluate(&program, HLO_OP_PAD, 2, operands, &to.view, 1, &attribute));
    for (int64_t j = 0; j < 3; j++) {
      bool is_element = i == 0 && j == 1;
      CHECK(same_element(&to.view, &j, is_element ? from.view.data : value.view.data));
    }
    free_array(&from), free_array(&to), free_array(&value);
    end_program(&program);
  }
}

// --- dynamic-slice and dynamic-update-slice ---

static const hlo_type index_types[] = {HLO_S8, HLO_S32, HLO_S64, HLO_U8, HLO_U32, HLO_U64};

// Start indices in and out of bounds; wanted[] gets the clamped ones.
static void random_starts(hlo_type type, int32_t rank, const int64_t *dims, const int64_t *part,
                          test_array *starts, int64_t *wanted) {
  for (int32_t i = 0; i < rank; i++) {
    starts[i] = make_array(type, 0, NULL, ROW_MAJOR);
    bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
    int64_t start = random_below(12) - (is_signed ? 4 : 0), room = dims[i] - part[i];
    bool huge = !is_signed && random_below(4) == 0; // all bits set: the largest of all
    if (huge) memset(starts[i].memory, 0xff, starts[i].size);
    else set_small(type, starts[i].memory, start);
    wanted[i] = huge || start > room ? room : start < 0 ? 0 : start;
  }
}

static bool dynamic_source(const void *context, const int64_t *index, int64_t *from) {
  const mapping *m = context;
  for (int32_t i = 0; i < m->rank; i++) from[i] = index[i] + m->slice[i];
  return true;
}

static void test_dynamic_slice(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[5], part[5], wanted[5];
    int32_t rank = random_dims(dims, 5, 6);
    for (int32_t i = 0; i < rank; i++) part[i] = random_below(dims[i] + 1);
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims), starts[5];
    test_array to = make_array(type, rank, part, random_layout());
    random_starts(index_types[random_below(6)], rank, dims, part, starts, wanted);
    hlo_view operands[6] = {from.view};
    for (int32_t i = 0; i < rank; i++) operands[i + 1] = starts[i].view;
    hlo_attribute attribute =
        ints_attribute(&program, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, rank, part);
    CHECK(evaluate(&program, HLO_OP_DYNAMIC_SLICE, rank + 1, operands, &to.view, 1, &attribute));
    mapping m = {.rank = rank, .slice = wanted};
    check_source("dynamic-slice", &to, &from.view, dynamic_source, &m, NULL);
    for (int32_t i = 0; i < rank; i++) free_array(&starts[i]);
    free_array(&from), free_array(&to);
    end_program(&program);
  }
}

static void test_dynamic_slice_by_vector(void) {
  static const int64_t dims[] = {4, 3}, part[] = {2, 2}, two[] = {2};
  test_program program;
  start_program(&program);
  test_array from = random_operand(HLO_F32, 2, dims), starts = make_array(HLO_S32, 1, two, PADDED);
  test_array to = make_array(HLO_F32, 2, part, ROW_MAJOR);
  set_small(HLO_S32, element_number(&starts.view, 0), 9);
  set_small(HLO_S32, element_number(&starts.view, 1), 1);
  hlo_view operands[2] = {from.view, starts.view};
  hlo_attribute attribute = ints_attribute(&program, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, 2, part);
  CHECK(evaluate(&program, HLO_OP_DYNAMIC_SLICE, 2, operands, &to.view, 1, &attribute));
  static const int64_t wanted[] = {2, 1};
  mapping m = {.rank = 2, .slice = wanted};
  check_source("dynamic-slice by a vector", &to, &from.view, dynamic_source, &m, NULL);
  free_array(&from), free_array(&to), free_array(&starts);
  end_program(&program);
}

static void check_update(const test_array *to, const hlo_view *operand, const hlo_view *update,
                         const int64_t *start) {
  int64_t count = elements_of(to->view.rank, to->view.dims);
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    int64_t index[5], from[5];
    bool inside = true;
    index_of(to->view.rank, to->view.dims, i, index);
    for (int32_t d = 0; d < to->view.rank; d++) {
      from[d] = index[d] - start[d];
      if (from[d] < 0 || from[d] >= update->dims[d]) inside = false;
    }
    const void *wanted = inside ? element(update, from) : element(operand, index);
    if (!same_element(&to->view, index, wanted)) right = false;
  }
  CHECK_MESSAGE(right, "dynamic-update-slice: wrong element");
  CHECK(gaps_untouched(to));
}

static void test_dynamic_update_slice(void) {
  for (int round = 0; round < ROUNDS; round++) {
    test_program program;
    start_program(&program);
    int64_t dims[5], part[5], wanted[5];
    int32_t rank = random_dims(dims, 5, 6);
    for (int32_t i = 0; i < rank; i++) part[i] = random_below(dims[i] + 1);
    hlo_type type = random_type();
    test_array from = random_operand(type, rank, dims), starts[5];
    test_array update = random_operand(type, rank, part);
    test_array to = make_array(type, rank, dims, random_layout());
    random_starts(index_types[random_below(6)], rank, dims, part, starts, wanted);
    hlo_view operands[7] = {from.view, update.view};
    for (int32_t i = 0; i < rank; i++) operands[i + 2] = starts[i].view;
    CHECK(evaluate(&program, HLO_OP_DYNAMIC_UPDATE_SLICE, rank + 2, operands, &to.view, 0, NULL));
    check_update(&to, &from.view, &update.view, wanted);
    // The same in the operand's own memory.
    test_array own = make_array(type, rank, dims, ROW_MAJOR);
    CHECK(evaluate(&program, HLO_OP_COPY, 1, &from.view, &own.view, 0, NULL));
    operands[0] = own.view;
    CHECK(evaluate(&program, HLO_OP_DYNAMIC_UPDATE_SLICE, rank + 2, operands, &own.view, 0, NULL));
    check_update(&own, &from.view, &update.view, wanted);
    for (int32_t i = 0; i < rank; i++) free_array(&starts[i]);
    free_array(&from), free_array(&to), free_array(&update), free_array(&own);
    end_program(&program);
  }
}

// --- iota ---

static void check_iota(hlo_type type, int32_t rank, const int64_t *dims, int64_t dimension) {
  test_program program;
  start_program(&program);
  test_array to = make_array(type, rank, dims, random_layout());
  hlo_attribute attribute = hlo_attribute_make_int(HLO_ATTRIBUTE_IOTA_DIMENSION, dimension);
  CHECK(evaluate(&program, HLO_OP_IOTA, 0, NULL, &to.view, 1, &attribute));
  int64_t count = elements_of(rank, dims), index[HLO_MAX_RANK];
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    uint64_t wanted[2];
    index_of(rank, dims, i, index);
    set_small(type, wanted, index[dimension]);
    if (!same_element(&to.view, index, wanted)) right = false;
  }
  CHECK_MESSAGE(right, "iota of %s: wrong element", hlo_type_name(type));
  CHECK(gaps_untouched(&to));
  free_array(&to);
  end_program(&program);
}

static void test_iota(void) {
  for (int type = HLO_S2; type <= HLO_C128; type++) {
    static const int64_t dims[] = {2, 5, 3};
    for (int64_t d = 0; d < 3; d++) check_iota((hlo_type)type, 3, dims, d);
  }
  static const int64_t longer[] = {2600}, empty[] = {3, 0};
  check_iota(HLO_S32, 1, longer, 0);
  check_iota(HLO_S8, 1, longer, 0);  // wraps
  check_iota(HLO_F16, 1, longer, 0); // rounds
  check_iota(HLO_F32, 2, empty, 0);
  check_iota(HLO_F32, 2, empty, 1);
}

int main(void) {
  test_broadcast();
  test_transpose();
  test_reverse();
  test_slice();
  test_reshape();
  test_copy();
  test_copy_of_tuple();
  test_bitcast();
  test_concatenate();
  test_pad();
  test_pad_with_huge_numbers();
  test_dynamic_slice();
  test_dynamic_slice_by_vector();
  test_dynamic_update_slice();
  test_iota();
  return CHECK_RESULT();
}
