// Dynamic dimensions carried through every operation: each op case of tests/ops is run again with
// one more dimension of its arguments dynamic, longer by two elements that nobody may see. The
// result must be the case's, at its sizes, or an error; never another value. Which operations do so
// is counted, and must not become fewer. With an argument: only files whose name contains it.
#include "check.h"
#include "hlo/builder.h"
#include "hlo/infer/infer.h"
#include "hlo/rewrite.h"
#include "kernels/simd/kernels.h"
#include "op_cases.h"
#include "passes/lower/refine_shapes.h"
#include "run/executable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MORE = 2, MOST_PLACES = 3, MOST_ELEMENTS = 5000, MOST_INSTRUCTIONS = 40 };

// Dimension d of parameter k.
typedef struct place {
  int32_t k, d;
} place;

// One way to run a case: which dimensions are longer, of which the first is dynamic, and the others
// if all_dynamic says so.
typedef struct variant {
  const op_case *test;
  int32_t count;
  place places[MOST_PLACES];
  bool all_dynamic, fill; // fill: NaNs beyond the sizes, and kernels; else zeros or -3
} variant;

static struct {
  int same, refused, other;
} outcomes[HLO_OP_COUNT];
static int printed;

// Where a case's start of a slice is beyond the array, results differ: starts are kept within the
// bound, not within the size of now, as in XLA. An update may be smaller than what it updates, and
// blocks are larger where bounds are.
static bool may_differ(const variant *v, hlo_opcode opcode) {
  return opcode == HLO_OP_DYNAMIC_SLICE || opcode == HLO_OP_DYNAMIC_UPDATE_SLICE ||
         opcode == HLO_OP_GATHER || opcode == HLO_OP_SCALED_DOT ||
         ((opcode == HLO_OP_SCATTER || opcode == HLO_OP_TUPLE) && !v->all_dynamic);
}

static bool is_longer(const variant *v, int32_t k, int32_t d) {
  for (int32_t i = 0; i < v->count; i++)
    if (v->places[i].k == k && v->places[i].d == d) return true;
  return false;
}

static bool is_dynamic(const variant *v, int32_t k, int32_t d) {
  return v->all_dynamic ? is_longer(v, k, d) : v->places[0].k == k && v->places[0].d == d;
}

// --- the program ---

static hlo_status make_size(hlo_computation *to, int64_t size, hlo_instruction **out,
                            hlo_error *error) {
  int32_t element = (int32_t)size;
  hlo_literal literal = {.shape = hlo_shape_scalar(HLO_S32), .data = &element};
  return hlo_build_constant(to, &literal, out, error);
}

// The parameter, longer, at its sizes of now.
static hlo_status make_parameter(const variant *v, hlo_computation *to, const hlo_instruction *x,
                                 hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &to->module->arena;
  const hlo_shape *shape = x->shape;
  int64_t dims[HLO_MAX_RANK], k = x->parameter_number;
  for (int32_t d = 0; d < shape->rank; d++)
    dims[d] = shape->dims[d] + (is_longer(v, (int32_t)k, d) ? MORE : 0);
  if (hlo_shape_is_array(shape))
    HLO_TRY(hlo_shape_make(arena, shape->type, shape->rank, dims, &shape, error));
  HLO_TRY(hlo_build_parameter(to, k, shape, x->name, out, error));
  for (int64_t d = 0; d < shape->rank; d++) {
    hlo_instruction *operands[] = {*out, NULL};
    hlo_attribute dimension;
    if (!is_dynamic(v, (int32_t)k, (int32_t)d)) continue;
    HLO_TRY(make_size(to, x->shape->dims[d], &operands[1], error));
    HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &dimension, error));
    HLO_TRY(hlo_build(to, HLO_OP_SET_DIMENSION_SIZE, NULL, 2, operands, 1, &dimension, out, error));
  }
  return HLO_OK;
}

static bool has_static_operands(const hlo_instruction *x, hlo_instruction *const *operands) {
  for (int32_t k = 0; k < x->operand_count; k++)
    if (!hlo_shape_compatible(operands[k]->shape, x->operands[k]->shape) ||
        hlo_shape_is_dynamic(operands[k]->shape))
      return false;
  return true;
}

static bool became_longer(const hlo_instruction *x, hlo_instruction *const *operands,
                          int64_t size) {
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_shape *before = x->operands[k]->shape, *now = operands[k]->shape;
    for (int32_t d = 0; d < now->rank; d++)
      if (before->dims[d] == size && now->dims[d] != size) return true;
  }
  return false;
}

// A custom call's results are longer where something of that size in its operands is.
static hlo_status shape_of_call(const hlo_instruction *x, hlo_instruction *const *operands,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  const hlo_shape **results;
  int32_t count = hlo_shape_leaf_count(x->shape);
  HLO_ALLOC(results, arena, count, error);
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = hlo_shape_leaf(x->shape, i);
    int64_t dims[HLO_MAX_RANK];
    bool dynamic[HLO_MAX_RANK];
    for (int32_t d = 0; d < shape->rank; d++) {
      dynamic[d] = became_longer(x, operands, shape->dims[d]);
      dims[d] = shape->dims[d] + (dynamic[d] ? MORE : 0);
    }
    HLO_TRY(
        hlo_shape_make_dynamic(arena, shape->type, shape->rank, dims, dynamic, &results[i], error));
  }
  *out = count > 0 ? results[0] : x->shape;
  return hlo_shape_is_tuple(x->shape) ? hlo_shape_make_tuple(arena, count, results, out, error)
                                      : HLO_OK;
}

// The shape of x with other operands: what inference says, or, where the program states it, its own
// with the operand's dimensions. NULL: nothing says it.
static hlo_status shape_with(const hlo_instruction *x, hlo_instruction *const *operands,
                             hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  *out = x->shape;
  if (has_static_operands(x, operands)) return HLO_OK;
  if (x->opcode == HLO_OP_CUSTOM_CALL) return shape_of_call(x, operands, arena, out, error);
  if (x->opcode == HLO_OP_RESHAPE || x->opcode == HLO_OP_BITCAST ||
      x->opcode == HLO_OP_DYNAMIC_RESHAPE)
    return hlo_fail(error, HLO_UNSUPPORTED, "the program states the shape");
  hlo_instruction y = *x;
  y.operands = (hlo_instruction **)operands;
  if (x->opcode == HLO_OP_BROADCAST || x->opcode == HLO_OP_CONVERT) {
    int64_t dims[HLO_MAX_RANK];
    bool dynamic[HLO_MAX_RANK] = {false};
    int32_t count;
    const int64_t *to = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
    const hlo_shape *from = operands[0]->shape;
    memcpy(dims, x->shape->dims, (size_t)x->shape->rank * sizeof *dims);
    for (int32_t d = 0; d < from->rank; d++) {
      int64_t place = x->opcode == HLO_OP_BROADCAST ? to[d] : d;
      dims[place] = from->dims[d];
      dynamic[place] = from->dynamic != NULL && from->dynamic[d];
    }
    return hlo_shape_make_dynamic(arena, x->shape->type, x->shape->rank, dims, dynamic, out, error);
  }
  hlo_shape element = {.type = x->shape->type};
  const hlo_shape *hint = hlo_shape_is_array(x->shape) ? &element : NULL;
  hlo_status status = hlo_infer_rule(&y, hint, arena, out, error);
  return status;
}

static hlo_status rebuild(const variant *v, hlo_module *module, hlo_opcode *seen,
                          hlo_error *error) {
  const hlo_computation *from = module->entry;
  hlo_computation *to;
  hlo_instruction **made, **operands;
  hlo_arena *arena = &module->arena;
  HLO_TRY(hlo_computation_create(module, "sized", &to, error));
  HLO_ALLOC(made, arena, from->instruction_count, error);
  for (int32_t i = 0; i < from->instruction_count; i++) {
    const hlo_instruction *x = from->instructions[i];
    const hlo_shape *shape;
    if (x->opcode == HLO_OP_PARAMETER) {
      HLO_TRY(make_parameter(v, to, x, &made[i], error));
      continue;
    }
    HLO_ALLOC(operands, arena, x->operand_count, error);
    for (int32_t k = 0; k < x->operand_count; k++) operands[k] = made[x->operands[k]->id];
    if (!has_static_operands(x, operands)) *seen = x->opcode;
    HLO_TRY(shape_with(x, operands, arena, &shape, error));
    HLO_TRY(hlo_instruction_copy(to, x, operands, &made[i], error));
    made[i]->shape = shape;
  }
  HLO_TRY(hlo_build_finish(to, made[from->root->id], error));
  module->entry = to;
  return HLO_OK;
}

// --- its arguments and results ---

static void fill(const variant *v, hlo_array *array) {
  hlo_number number = {.type_class = HLO_CLASS_FLOAT, .re = v->fill ? (double)NAN : -3};
  hlo_type_class class = hlo_type_get_class(array->shape->type);
  if (class == HLO_CLASS_SIGNED || class == HLO_CLASS_UNSIGNED || class == HLO_CLASS_PRED)
    number = (hlo_number){.type_class = HLO_CLASS_SIGNED, .i = v->fill ? 1 : 0, .u = v->fill};
  int64_t count = hlo_shape_elements(array->shape);
  int32_t width = hlo_type_bytes(array->shape->type);
  for (int64_t i = 0; i < count; i++)
    hlo_element_set(array->shape->type, (char *)array->buffer->data + i * width, number);
}

static hlo_status make_argument(const variant *v, int32_t k, hlo_array **out, hlo_error *error) {
  const hlo_literal *input = &v->test->inputs[k];
  int64_t dims[HLO_MAX_RANK];
  hlo_arena arena = {0};
  const hlo_shape *shape;
  for (int32_t d = 0; d < input->shape->rank; d++)
    dims[d] = input->shape->dims[d] + (is_longer(v, k, d) ? MORE : 0);
  hlo_status status =
      hlo_shape_make(&arena, input->shape->type, input->shape->rank, dims, &shape, error);
  if (status == HLO_OK) status = hlo_array_create(shape, NULL, out, error);
  hlo_arena_free(&arena);
  if (status != HLO_OK) return status;
  fill(v, *out);
  hlo_view to = hlo_view_of((*out)->shape, (*out)->buffer->data);
  hlo_view from = hlo_view_of(input->shape, input->data);
  for (int32_t d = 0; d < to.rank; d++) to.dims[d] = from.dims[d];
  hlo_view_copy(&to, &from);
  return HLO_OK;
}

static hlo_status run_module(const variant *v, hlo_module *module, hlo_array **results, int *count,
                             hlo_error *error) {
  hlo_executable *executable = NULL;
  hlo_array *inputs[OP_CASE_MAX_VALUES] = {0};
  hlo_compile_options options = {.backend = v->fill ? hlo_kernels_backend() : NULL,
                                 .optimize = v->fill,
                                 .passes = {.verify = true}};
  *count = 0;
  hlo_status status = hlo_module_remove_dead(module, error);
  if (status == HLO_OK) status = hlo_verify(module, error);
  if (status == HLO_OK) status = hlo_compile(module, &options, &executable, error);
  for (int32_t i = 0; i < v->test->input_count && status == HLO_OK; i++)
    status = make_argument(v, i, &inputs[i], error);
  if (status == HLO_OK)
    status = hlo_execute(executable, v->test->input_count, inputs, results, error);
  if (status == HLO_OK) *count = hlo_executable_result_count(executable);
  for (int32_t i = 0; i < v->test->input_count; i++) hlo_array_destroy(inputs[i]);
  hlo_executable_destroy(executable);
  return status;
}

static bool agree(const variant *v, hlo_array *const *results, int count, char *message,
                  size_t size) {
  bool agrees = count == v->test->expect_count;
  for (int i = 0; agrees && i < count; i++)
    agrees = op_case_agrees(v->test, false, &v->test->expects[i], results[i], message, size);
  return agrees;
}

// The program, printed and read again, says the same. What StableHLO has no form for is not
// printed.
static void check_text(const char *file, const variant *v, hlo_opcode opcode,
                       const hlo_module *module, hlo_text_format format) {
  hlo_string text = {0};
  hlo_error error = {0};
  hlo_module *again = NULL;
  hlo_array *results[OP_CASE_MAX_VALUES];
  char message[512] = "";
  int count = 0;
  hlo_status status = HLO_OK;
  if (format == HLO_FORMAT_HLO) hlo_print_hlo(&text, module);
  else status = hlo_print_stablehlo(&text, module, &error);
  bool is_printed = status == HLO_OK;
  if (is_printed)
    status = hlo_parse_refined(text.text, text.length, format, 0, NULL, &again, &error);
  if (status == HLO_OK) status = run_module(v, again, results, &count, &error);
  bool agrees = status == HLO_OK && agree(v, results, count, message, sizeof message);
  printed += is_printed;
  CHECK_MESSAGE(agrees || !is_printed, "%s: %s (%s): as %s text: %s%s\n%s", file, v->test->name,
                hlo_op_get(opcode)->name, format == HLO_FORMAT_HLO ? "HLO" : "StableHLO",
                error.message, message, text.text);
  for (int i = 0; i < count; i++) hlo_array_destroy(results[i]);
  hlo_module_destroy(again);
  hlo_string_free(&text);
}

static bool compare(const char *file, const variant *v, hlo_opcode opcode,
                    hlo_array *const *results, int count) {
  char message[512] = "";
  bool agrees = agree(v, results, count, message, sizeof message);
  if (agrees) outcomes[opcode].same++;
  else outcomes[opcode].other++;
  CHECK_MESSAGE(agrees || may_differ(v, opcode),
                "%s: %s (%s): dimension %d of argument %d dynamic%s%s: %s", file, v->test->name,
                hlo_op_get(opcode)->name, (int)v->places[0].d, (int)v->places[0].k,
                v->count > 1 ? ", with others" : "", v->all_dynamic ? ", all" : "", message);
  return agrees;
}

// True when the program could be made: shapes fit each other.
static bool try_variant(const char *file, const variant *v) {
  hlo_module *original = NULL, *module = NULL;
  hlo_error error = {0};
  hlo_opcode opcode = HLO_OP_COUNT;
  hlo_array *results[OP_CASE_MAX_VALUES];
  int count = 0;
  hlo_status status = hlo_parse_refined(v->test->program, v->test->program_length,
                                        HLO_FORMAT_DETECT, 0, NULL, &original, &error);
  if (status == HLO_OK) status = hlo_module_clone(original, original->entry, &module, &error);
  if (status == HLO_OK) status = rebuild(v, module, &opcode, &error);
  bool is_static = status == HLO_OK && !hlo_module_has_dynamic_sizes(original);
  bool fits = is_static && opcode != HLO_OP_COUNT;
  if (fits) {
    status = run_module(v, module, results, &count, &error);
    if (status == HLO_OK) {
      bool agrees = compare(file, v, opcode, results, count);
      if (agrees && v->fill) check_text(file, v, opcode, module, HLO_FORMAT_HLO);
      // Text has XLA's cosh and sinh, which are not as accurate as HLO's own.
      bool is_text_exact = opcode != HLO_OP_COSH && opcode != HLO_OP_SINH;
      if (agrees && v->fill && is_text_exact)
        check_text(file, v, opcode, module, HLO_FORMAT_STABLEHLO);
    } else {
      outcomes[opcode].refused++;
      CHECK(error.message[0] != '\0');
      if (getenv("SHOW") != NULL) printf("%s: %s: %s\n", file, v->test->name, error.message);
    }
  }
  for (int i = 0; i < count; i++) hlo_array_destroy(results[i]);
  hlo_module_destroy(module);
  hlo_module_destroy(original);
  return fits;
}

// Operations that have no arrays as operands; that state their shape, call computations of stated
// shapes or pass values on, all of which the cases of dynamic_sizes*.hlo show; whose results are of
// LAPACK, which refuses dynamic sizes; and those of several processes or of the host.
static bool has_no_case(hlo_opcode opcode) {
  static const hlo_opcode without[] = {HLO_OP_IOTA,
                                       HLO_OP_RNG,
                                       HLO_OP_RNG_BIT_GENERATOR,
                                       HLO_OP_RNG_GET_AND_UPDATE_STATE,
                                       HLO_OP_PARAMETER,
                                       HLO_OP_CONSTANT,
                                       HLO_OP_AFTER_ALL,
                                       HLO_OP_REPLICA_ID,
                                       HLO_OP_PARTITION_ID,
                                       HLO_OP_BITCAST,
                                       HLO_OP_RESHAPE,
                                       HLO_OP_SET_DIMENSION_SIZE,
                                       HLO_OP_DYNAMIC_RESHAPE,
                                       HLO_OP_CALL,
                                       HLO_OP_WHILE,
                                       HLO_OP_CONDITIONAL,
                                       HLO_OP_OPTIMIZATION_BARRIER,
                                       HLO_OP_FUSION,
                                       HLO_OP_CUSTOM_CALL,
                                       HLO_OP_COPY_START,
                                       HLO_OP_COPY_DONE,
                                       HLO_OP_ASYNC_START,
                                       HLO_OP_ASYNC_UPDATE,
                                       HLO_OP_ASYNC_DONE,
                                       HLO_OP_ALL_GATHER_START,
                                       HLO_OP_ALL_GATHER_DONE,
                                       HLO_OP_ALL_REDUCE_START,
                                       HLO_OP_RAGGED_ALL_TO_ALL,
                                       HLO_OP_COLLECTIVE_PERMUTE_START,
                                       HLO_OP_INFEED,
                                       HLO_OP_OUTFEED,
                                       HLO_OP_SEND,
                                       HLO_OP_SEND_DONE,
                                       HLO_OP_RECV,
                                       HLO_OP_RECV_DONE};
  for (size_t i = 0; i < sizeof without / sizeof *without; i++)
    if (without[i] == opcode) return true;
  return false;
}

// --- all ways ---

static void run_ways(const char *file, variant *v) {
  for (int way = 0; way < (v->count > 1 ? 2 : 1); way++) {
    for (int filled = 0; filled < 2; filled++) {
      v->all_dynamic = way == 1;
      v->fill = filled == 1;
      if (!try_variant(file, v)) return;
    }
  }
}

static bool can_fit(const char *file, variant *v) {
  v->all_dynamic = false;
  v->fill = false;
  return try_variant(file, v);
}

// With as few other dimensions longer, of the same size, as the shapes need.
static void check_place(const char *file, const op_case *test, place first) {
  variant v = {.test = test, .count = 1, .places = {first}};
  place others[64];
  int32_t count = 0;
  int64_t size = test->inputs[first.k].shape->dims[first.d];
  for (int32_t k = 0; k < test->input_count; k++)
    for (int32_t d = 0; d < test->inputs[k].shape->rank && count < 64; d++)
      if (test->inputs[k].shape->dims[d] == size && (k != first.k || d != first.d))
        others[count++] = (place){k, d};
  if (can_fit(file, &v)) {
    run_ways(file, &v);
    return;
  }
  v.count = 2;
  for (int32_t i = 0; i < count; i++) {
    v.places[1] = others[i];
    if (!can_fit(file, &v)) continue;
    run_ways(file, &v);
    return;
  }
  v.count = 3;
  for (int32_t i = 0; i < count; i++)
    for (int32_t j = i + 1; j < count; j++) {
      v.places[1] = others[i];
      v.places[2] = others[j];
      if (!can_fit(file, &v)) continue;
      run_ways(file, &v);
      return;
    }
}

static bool is_small(const op_case *test) {
  bool small = test->error == NULL && test->input_count > 0;
  for (int32_t k = 0; small && k < test->input_count; k++)
    small = hlo_shape_is_array(test->inputs[k].shape) &&
            hlo_shape_elements(test->inputs[k].shape) <= MOST_ELEMENTS &&
            (hlo_type_bits(test->inputs[k].shape->type) >= 8 ||
             test->inputs[k].shape->type == HLO_PRED);
  return small;
}

static void check_places(const char *file, const op_case *test) {
  if (!is_small(test)) return;
  for (int32_t k = 0; k < test->input_count; k++)
    for (int32_t d = 0; d < test->inputs[k].shape->rank; d++)
      check_place(strrchr(file, '/') + 1, test, (place){k, d});
}

int main(int argc, char **argv) {
  CHECK(for_each_op_case(argc > 1 ? argv[1] : NULL, NULL, check_places) > 0);
  for (int32_t i = 0; argc < 2 && i < HLO_OP_COUNT; i++) {
    const char *name = hlo_op_get((hlo_opcode)i)->name;
    bool is_known = outcomes[i].same > 0 || has_no_case((hlo_opcode)i);
    CHECK_MESSAGE(is_known, "no case of %s shows that it carries dynamic dimensions", name);
    if (outcomes[i].refused + outcomes[i].other > 0)
      printf("%s: %d same, %d refused, %d other\n", name, outcomes[i].same, outcomes[i].refused,
             outcomes[i].other);
  }
  printf("%d texts\n", printed);
  return CHECK_RESULT();
}
