// Single instructions over arrays in awkward layouts, for the evaluator's tests. Arrays have memory
// of exactly their size, so that sanitizers see every access outside; whatever lies between their
// elements must stay as it is.
#ifndef HLO_TESTS_C_EVAL_FIXTURE_H
#define HLO_TESTS_C_EVAL_FIXTURE_H

#include "check.h"

#include "kernels/eval.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static inline uint64_t random_bits(void) { // xorshift64*
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return random_state * 0x2545f4914f6cdd1du;
}

// 0 … limit - 1
static inline int64_t random_below(int64_t limit) {
  return (int64_t)((random_bits() >> 16) % (uint64_t)limit);
}

typedef struct test_array {
  hlo_view view;
  uint8_t *memory;
  size_t size;
} test_array;

enum { FILLER = 0xa5 };

typedef enum test_layout { ROW_MAJOR, SHUFFLED, PADDED, REVERSED, TEST_LAYOUTS } test_layout;

static inline test_layout random_layout(void) { return (test_layout)random_below(TEST_LAYOUTS); }

static inline int64_t elements_of(int32_t rank, const int64_t *dims) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; i++) count *= dims[i];
  return count;
}

// An array in one of the layouts: SHUFFLED permutes dimensions, PADDED also leaves gaps, REVERSED
// walks some of them backwards as well.
static inline test_array make_array(hlo_type type, int32_t rank, const int64_t *dims,
                                    test_layout layout) {
  test_array array = {.view = {.type = type, .rank = rank}};
  int32_t order[HLO_MAX_RANK];
  int64_t stride = 1, first = 0, size = hlo_type_bytes(type);
  for (int32_t i = 0; i < rank; i++) order[i] = rank - 1 - i;
  for (int32_t i = rank - 1; i > 0 && layout != ROW_MAJOR; i--) {
    int64_t j = random_below(i + 1);
    int32_t other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
  for (int32_t i = 0; i < rank; i++) {
    int32_t d = order[i];
    int64_t gap = layout >= PADDED ? random_below(3) : 0, width = dims[d] + gap;
    array.view.dims[d] = dims[d];
    array.view.strides[d] = stride;
    if (layout == REVERSED && random_below(2) && dims[d] > 0) {
      array.view.strides[d] = -stride;
      first += stride * (dims[d] - 1);
    }
    stride *= width > 0 ? width : 1;
  }
  array.size = (size_t)(stride * size);
  array.memory = malloc(array.size);
  memset(array.memory, FILLER, array.size);
  array.view.data = array.memory + first * size;
  return array;
}

static inline void free_array(test_array *array) { free(array->memory); }

static inline void *element(const hlo_view *view, const int64_t *index) {
  int64_t offset = 0;
  for (int32_t i = 0; i < view->rank; i++) offset += index[i] * view->strides[i];
  return (char *)view->data + offset * hlo_type_bytes(view->type);
}

// The index of the element that is number `position` in row-major order.
static inline void index_of(int32_t rank, const int64_t *dims, int64_t position, int64_t *index) {
  for (int32_t i = rank - 1; i >= 0; i--) {
    index[i] = position % dims[i];
    position /= dims[i];
  }
}

static inline void *element_number(const hlo_view *view, int64_t position) {
  int64_t index[HLO_MAX_RANK];
  index_of(view->rank, view->dims, position, index);
  return element(view, index);
}

static inline bool same_element(const hlo_view *view, const int64_t *index, const void *wanted) {
  return memcmp(element(view, index), wanted, (size_t)hlo_type_bytes(view->type)) == 0;
}

// Every byte that belongs to no element still holds the filler.
static inline bool gaps_untouched(const test_array *array) {
  uint8_t *used = calloc(array->size + 1, 1);
  int64_t count = elements_of(array->view.rank, array->view.dims);
  size_t size = (size_t)hlo_type_bytes(array->view.type);
  for (int64_t i = 0; i < count; i++) {
    size_t at = (size_t)((uint8_t *)element_number(&array->view, i) - array->memory);
    memset(used + at, 1, size);
  }
  bool untouched = true;
  for (size_t i = 0; i < array->size; i++) {
    if (!used[i] && array->memory[i] != FILLER) untouched = false;
  }
  free(used);
  return untouched;
}

// A small number as an element: values that sums and products keep exact in every type.
static inline void set_small(hlo_type type, void *to, int64_t value) {
  hlo_number number = {.type_class = HLO_CLASS_SIGNED, .i = value};
  hlo_element_set(type, to, number);
}

static inline double as_double(hlo_type type, const void *from) {
  hlo_number number = hlo_element_get(type, from);
  switch (number.type_class) {
  case HLO_CLASS_SIGNED:
    return (double)number.i;
  case HLO_CLASS_PRED:
  case HLO_CLASS_UNSIGNED:
    return (double)number.u;
  default:
    return number.re;
  }
}

// Fills the elements with small numbers below `limit`, negative ones too where the type has them.
static inline void fill_small(test_array *array, int64_t limit) {
  int64_t count = elements_of(array->view.rank, array->view.dims);
  bool is_signed = hlo_type_get_class(array->view.type) &
                   (HLO_CLASS_SIGNED | HLO_CLASS_FLOAT | HLO_CLASS_COMPLEX);
  for (int64_t i = 0; i < count; i++) {
    int64_t value = random_below(limit);
    if (is_signed && random_below(2)) value = -value;
    set_small(array->view.type, element_number(&array->view, i), value);
  }
}

// Fills the elements with random bytes that are elements of the type (bits, whatever they mean).
static inline void fill_random(test_array *array) {
  int64_t count = elements_of(array->view.rank, array->view.dims);
  hlo_type type = array->view.type;
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits[2] = {random_bits(), random_bits()};
    void *to = element_number(&array->view, i);
    memcpy(to, bits, (size_t)hlo_type_bytes(type));
    if (hlo_type_bits(type) < 8) hlo_element_set(type, to, hlo_element_get(type, to));
  }
}

// --- instructions ---

typedef struct test_program {
  hlo_module *module;
  hlo_computation *computation;
  hlo_arena scratch;
  hlo_evaluator evaluator;
  hlo_error error;
} test_program;

static inline void start_program(test_program *program) {
  memset(program, 0, sizeof *program);
  program->evaluator.scratch = &program->scratch;
  CHECK(hlo_module_create("test", &program->module, &program->error) == HLO_OK);
  CHECK(hlo_computation_create(program->module, "main", &program->computation, &program->error) ==
        HLO_OK);
}

static inline void end_program(test_program *program) {
  CHECK_MESSAGE(program->error.status == HLO_OK, "%s", program->error.message);
  hlo_arena_free(&program->scratch);
  hlo_module_destroy(program->module);
}

static inline const hlo_shape *shape_of(test_program *program, const hlo_view *view) {
  const hlo_shape *shape = NULL;
  hlo_shape_make(&program->module->arena, view->type, view->rank, view->dims, &shape,
                 &program->error);
  return shape;
}

static inline hlo_attribute ints_attribute(test_program *program, hlo_attribute_id id,
                                           int32_t count, const int64_t *ints) {
  hlo_attribute attribute;
  hlo_attribute_make_ints(&program->module->arena, id, count, ints, &attribute, &program->error);
  return attribute;
}

static inline hlo_instruction *add_instruction(test_program *program, hlo_computation *computation,
                                               hlo_opcode opcode, const hlo_shape *shape,
                                               int32_t operand_count, hlo_instruction **operands,
                                               int32_t attribute_count,
                                               const hlo_attribute *attributes) {
  hlo_instruction *instruction = NULL;
  CHECK(hlo_instruction_create(computation, opcode, NULL, shape, operand_count, operands,
                               attribute_count, attributes, &instruction,
                               &program->error) == HLO_OK);
  return instruction;
}

// An instruction whose operands are parameters with the views' types and dims, and whose result
// has those of `result`.
static inline hlo_instruction *make_instruction(test_program *program, hlo_opcode opcode,
                                                int32_t operand_count, const hlo_view *operands,
                                                const hlo_view *result, int32_t attribute_count,
                                                const hlo_attribute *attributes) {
  hlo_instruction *parameters[8];
  for (int32_t i = 0; i < operand_count; i++) {
    parameters[i] = add_instruction(program, program->computation, HLO_OP_PARAMETER,
                                    shape_of(program, &operands[i]), 0, NULL, 0, NULL);
  }
  return add_instruction(program, program->computation, opcode, shape_of(program, result),
                         operand_count, parameters, attribute_count, attributes);
}

// Makes and evaluates such an instruction; true if there was no error.
static inline bool evaluate(test_program *program, hlo_opcode opcode, int32_t operand_count,
                            const hlo_view *operands, const hlo_view *result,
                            int32_t attribute_count, const hlo_attribute *attributes) {
  hlo_instruction *instruction = make_instruction(program, opcode, operand_count, operands, result,
                                                  attribute_count, attributes);
  hlo_status status =
      hlo_evaluate(&program->evaluator, instruction, operands, result, &program->error);
  return status == HLO_OK;
}

// A computation of two scalar parameters of the type that applies an op to them.
static inline hlo_computation *make_binary(test_program *program, hlo_opcode opcode,
                                           hlo_type type) {
  hlo_computation *computation = NULL;
  hlo_instruction *parameters[2];
  CHECK(hlo_computation_create(program->module, "binary", &computation, &program->error) == HLO_OK);
  for (int i = 0; i < 2; i++) {
    parameters[i] = add_instruction(program, computation, HLO_OP_PARAMETER, hlo_shape_scalar(type),
                                    0, NULL, 0, NULL);
    parameters[i]->parameter_number = i;
  }
  computation->root =
      add_instruction(program, computation, opcode, hlo_shape_scalar(type), 2, parameters, 0, NULL);
  CHECK(hlo_computation_collect_parameters(computation, &program->error) == HLO_OK);
  return computation;
}

// --- epilogues ---

// Offered to a product whose result is at `data`: each element x becomes 1 - 2 x, so that one that
// comes twice, too early or never is wrong.
typedef struct test_epilogue {
  hlo_epilogue_offer offer;
  hlo_type type;
  char *data;
  int64_t columns;
  bool whole_rows, accepts, missed; // missed: a row came in parts
} test_epilogue;

static inline void run_test_epilogue(void *data, int64_t row, int64_t row_end, int64_t column,
                                     int64_t column_end) {
  test_epilogue *e = data;
  e->missed = e->missed || (e->whole_rows && (column != 0 || column_end != e->columns));
  for (; row < row_end; row++) {
    for (int64_t j = column; j < column_end; j++) {
      char *at = e->data + (row * e->columns + j) * hlo_type_bytes(e->type);
      set_small(e->type, at, 1 - 2 * (int64_t)as_double(e->type, at));
    }
  }
}

static inline hlo_status begin_test_epilogue(hlo_epilogue_offer *offer, int64_t columns,
                                             hlo_error *error) {
  test_epilogue *e = (test_epilogue *)offer;
  (void)error;
  e->columns = columns;
  offer->accepted = e->accepts;
  offer->epilogue =
      (hlo_epilogue){.run = run_test_epilogue, .data = e, .whole_rows = e->whole_rows};
  return HLO_OK;
}

static inline test_epilogue make_test_epilogue(hlo_type type, void *data) {
  return (test_epilogue){.offer = {.begin = begin_test_epilogue},
                         .type = type,
                         .data = data,
                         .whole_rows = random_below(2),
                         .accepts = random_below(4) > 0};
}

#endif
