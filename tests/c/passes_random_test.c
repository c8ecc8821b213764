// Random programs give the same results by the oracle, optimised, and fused: the same bits, NaN for
// NaN. Sums are made of integers only, whose order does not matter.
#include "check.h"
#include "hlo/builder.h"
#include "hlo/infer/infer.h"
#include "random_seeds.h"
#include "run/executable.h"
#include "text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 1500, INSTRUCTIONS = 24, MOST_VALUES = 64, RESULTS = 4, MOST_ELEMENTS = 400 };

static const hlo_type types[] = {HLO_F32, HLO_F32, HLO_F32, HLO_S32,  HLO_S32, HLO_PRED,
                                 HLO_U8,  HLO_S8,  HLO_F64, HLO_BF16, HLO_F16, HLO_S64};
enum { TYPES = sizeof types / sizeof *types };

// --- making programs ---

typedef struct generator {
  hlo_module *module;
  hlo_computation *main;
  hlo_instruction *values[MOST_VALUES];
  int32_t count;
  hlo_computation *reducers[2][TYPES]; // add, maximum by type; made on demand before main ends
} generator;

static hlo_instruction *pick(const generator *g) { return g->values[random_below(g->count)]; }

static hlo_instruction *pick_like(const generator *g, const hlo_shape *shape) {
  for (int tries = 0; tries < 20; tries++) {
    hlo_instruction *x = pick(g);
    if (hlo_shape_compatible(x->shape, shape)) return x;
  }
  return NULL;
}

static int32_t type_index(hlo_type type) {
  int32_t i = 0;
  while (i < TYPES && types[i] != type) i++;
  return i;
}

static void keep(generator *g, hlo_instruction *x) {
  if (x == NULL || g->count == MOST_VALUES || type_index(x->shape->type) == TYPES) return;
  if (hlo_shape_elements(x->shape) <= MOST_ELEMENTS) g->values[g->count++] = x;
}

// What does not hold up to verification is not made.
static hlo_instruction *make(generator *g, hlo_opcode opcode, const hlo_shape *shape, int32_t count,
                             hlo_instruction *const *operands, int32_t attribute_count,
                             const hlo_attribute *attributes) {
  hlo_error error = {0};
  hlo_instruction *out = NULL;
  hlo_status status =
      hlo_build(g->main, opcode, shape, count, operands, attribute_count, attributes, &out, &error);
  return status == HLO_OK ? out : NULL;
}

static hlo_attribute ints(generator *g, hlo_attribute_id id, int32_t count, const int64_t *values) {
  hlo_attribute out = {0};
  hlo_error error = {0};
  if (hlo_attribute_make_ints(&g->module->arena, id, count, values, &out, &error) != HLO_OK)
    abort();
  return out;
}

static const hlo_shape *shape_of(generator *g, hlo_type type, int32_t rank, const int64_t *dims) {
  const hlo_shape *out = NULL;
  hlo_error error = {0};
  if (hlo_shape_make(&g->module->arena, type, rank, dims, &out, &error) != HLO_OK) abort();
  return out;
}

// Numbers for which operations do something: small ones, zeros of both signs, extremes.
static hlo_number random_number(void) {
  static const double some[] = {0, -0.0, 1, -1, 2, 0.5, 8, -3, 1e30, -INFINITY, INFINITY, NAN};
  int64_t integer = random_below(8) == 0 ? (int64_t)random_bits() : random_below(9) - 4;
  return (hlo_number){.type_class = HLO_CLASS_FLOAT,
                      .i = integer,
                      .u = (uint64_t)integer,
                      .re = some[random_below(sizeof some / sizeof *some)]};
}

static void set_random(hlo_type type, void *element, bool ones) {
  hlo_number number = random_number();
  number.type_class = hlo_type_get_class(type);
  if (ones) number.i = 1, number.u = 1, number.re = 1;
  if (number.type_class == HLO_CLASS_PRED) number.u &= 1;
  hlo_element_set(type, element, number);
}

static hlo_instruction *constant(generator *g, hlo_type type) {
  char element[16];
  hlo_error error = {0};
  hlo_instruction *out = NULL;
  hlo_literal literal = {.shape = hlo_shape_scalar(type), .data = element};
  set_random(type, element, random_below(4) == 0);
  hlo_build_constant(g->main, &literal, &out, &error);
  return out;
}

static hlo_instruction *splat(generator *g, const hlo_shape *shape) {
  hlo_instruction *scalar = constant(g, shape->type);
  hlo_attribute none = ints(g, HLO_ATTRIBUTE_DIMENSIONS, 0, NULL);
  if (shape->rank == 0) return scalar;
  return make(g, HLO_OP_BROADCAST, shape, 1, &scalar, 1, &none);
}

static hlo_instruction *like_or_splat(generator *g, const hlo_shape *shape) {
  hlo_instruction *found = random_below(3) == 0 ? NULL : pick_like(g, shape);
  return found != NULL ? found : splat(g, shape);
}

static hlo_instruction *add_pointwise(generator *g) {
  hlo_instruction *operands[2] = {pick(g)};
  hlo_opcode opcode = (hlo_opcode)random_below(HLO_OP_COUNT);
  while (!hlo_op_is_pointwise(opcode)) opcode = (hlo_opcode)random_below(HLO_OP_COUNT);
  if (random_below(2) == 0) {
    static const hlo_opcode common[] = {HLO_OP_ADD,     HLO_OP_MULTIPLY, HLO_OP_SUBTRACT,
                                        HLO_OP_MAXIMUM, HLO_OP_AND,      HLO_OP_OR,
                                        HLO_OP_NEGATE,  HLO_OP_DIVIDE,   HLO_OP_NOT};
    opcode = common[random_below(sizeof common / sizeof *common)];
  }
  int32_t count = hlo_op_get(opcode)->max_operands;
  if (count == 2) operands[1] = like_or_splat(g, operands[0]->shape);
  return make(g, opcode, NULL, count, operands, 0, NULL);
}

static hlo_instruction *add_choice(generator *g) {
  static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  hlo_instruction *x = pick(g), *operands[3] = {x, like_or_splat(g, x->shape)};
  hlo_attribute direction =
      hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, directions[random_below(6)]);
  hlo_instruction *chosen = make(g, HLO_OP_COMPARE, NULL, 2, operands, 1, &direction);
  if (chosen == NULL || random_below(3) == 0) return chosen;
  keep(g, chosen);
  hlo_instruction *y = pick(g);
  hlo_instruction *select[3] = {pick_like(g, chosen->shape), y, like_or_splat(g, y->shape)};
  if (select[0] == NULL) return chosen;
  return make(g, HLO_OP_SELECT, NULL, 3, select, 0, NULL);
}

static hlo_instruction *add_convert(generator *g) {
  hlo_instruction *x = pick(g);
  const hlo_shape *shape = shape_of(g, types[random_below(TYPES)], x->shape->rank, x->shape->dims);
  return make(g, HLO_OP_CONVERT, shape, 1, &x, 0, NULL);
}

static hlo_instruction *add_broadcast(generator *g) {
  hlo_instruction *x = pick(g);
  int32_t rank = x->shape->rank + 1 + random_below(2), at = 0;
  int64_t dims[HLO_MAX_RANK], dimensions[HLO_MAX_RANK];
  if (rank > 4) return NULL;
  int32_t first = random_below(rank - x->shape->rank + 1);
  for (int32_t d = 0; d < rank; d++) {
    bool own = d >= first && at < x->shape->rank;
    dims[d] = own ? x->shape->dims[at] : 1 + random_below(4);
    if (own) dimensions[at++] = d;
  }
  hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_DIMENSIONS, at, dimensions);
  return make(g, HLO_OP_BROADCAST, shape_of(g, x->shape->type, rank, dims), 1, &x, 1, &attribute);
}

static hlo_instruction *add_transpose(generator *g) {
  hlo_instruction *x = pick(g);
  int64_t order[HLO_MAX_RANK];
  for (int32_t i = 0; i < x->shape->rank; i++) {
    int32_t k = random_below(i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_DIMENSIONS, x->shape->rank, order);
  return make(g, HLO_OP_TRANSPOSE, NULL, 1, &x, 1, &attribute);
}

static hlo_instruction *add_reshape(generator *g) {
  hlo_instruction *x = pick(g);
  int64_t left = hlo_shape_elements(x->shape), dims[HLO_MAX_RANK];
  int32_t rank = 0;
  while (left > 1 && rank < 3) {
    int64_t size = 1 + random_below((int32_t)left);
    if (left % size != 0 || rank == 2) size = left;
    dims[rank++] = size;
    left /= size;
  }
  if (random_below(3) == 0) dims[rank++] = 1;
  return make(g, HLO_OP_RESHAPE, shape_of(g, x->shape->type, rank, dims), 1, &x, 0, NULL);
}

static hlo_instruction *add_slice(generator *g) {
  hlo_instruction *x = pick(g);
  int64_t slice[3 * HLO_MAX_RANK], reversed[1] = {0};
  if (x->shape->rank == 0) return NULL;
  if (random_below(4) == 0) {
    hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_DIMENSIONS, 1, reversed);
    return make(g, HLO_OP_REVERSE, NULL, 1, &x, 1, &attribute);
  }
  for (int32_t d = 0; d < x->shape->rank; d++) {
    int32_t size = (int32_t)x->shape->dims[d];
    slice[3 * d] = random_below(size);
    slice[3 * d + 1] = slice[3 * d] + 1 + random_below(size - (int32_t)slice[3 * d]);
    slice[3 * d + 2] = 1 + random_below(2);
  }
  hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_SLICE, 3 * x->shape->rank, slice);
  return make(g, HLO_OP_SLICE, NULL, 1, &x, 1, &attribute);
}

static hlo_instruction *add_pad(generator *g) {
  hlo_instruction *x = pick(g), *operands[2] = {x, constant(g, x->shape->type)};
  int64_t padding[3 * HLO_MAX_RANK];
  for (int32_t d = 0; d < x->shape->rank; d++) {
    padding[3 * d] = random_below(4) == 0 ? -1 : random_below(2);
    padding[3 * d + 1] = random_below(2);
    padding[3 * d + 2] = random_below(4) == 0;
  }
  hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_PADDING, 3 * x->shape->rank, padding);
  return make(g, HLO_OP_PAD, NULL, 2, operands, 1, &attribute);
}

static hlo_instruction *add_concatenate(generator *g) {
  hlo_instruction *x = pick(g), *operands[2] = {x, like_or_splat(g, x->shape)};
  if (x->shape->rank == 0) return NULL;
  int64_t along = random_below(x->shape->rank);
  hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_DIMENSIONS, 1, &along);
  return make(g, HLO_OP_CONCATENATE, NULL, 2, operands, 1, &attribute);
}

static hlo_instruction *add_iota(generator *g) {
  hlo_instruction *x = pick(g);
  if (x->shape->rank == 0 || x->shape->type == HLO_PRED) return NULL;
  hlo_attribute along =
      hlo_attribute_make_int(HLO_ATTRIBUTE_IOTA_DIMENSION, random_below(x->shape->rank));
  return make(g, HLO_OP_IOTA, x->shape, 0, NULL, 1, &along);
}

static hlo_instruction *add_dynamic_slice(generator *g) {
  hlo_instruction *x = pick(g), *operands[2 + HLO_MAX_RANK];
  int64_t sizes[HLO_MAX_RANK];
  bool updates = random_below(2) == 0;
  int32_t at = 1;
  operands[0] = x;
  for (int32_t d = 0; d < x->shape->rank; d++)
    sizes[d] = 1 + random_below((int32_t)x->shape->dims[d]);
  if (updates) {
    operands[at++] = splat(g, shape_of(g, x->shape->type, x->shape->rank, sizes));
  }
  for (int32_t d = 0; d < x->shape->rank; d++) {
    hlo_instruction *index = pick_like(g, hlo_shape_scalar(HLO_S32));
    operands[at++] = index != NULL ? index : constant(g, HLO_S32);
  }
  if (updates) return make(g, HLO_OP_DYNAMIC_UPDATE_SLICE, NULL, at, operands, 0, NULL);
  hlo_attribute attribute = ints(g, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, x->shape->rank, sizes);
  return make(g, HLO_OP_DYNAMIC_SLICE, NULL, at, operands, 1, &attribute);
}

// Of floats the maximum, of integers the sum too: no order of elements is the right one.
static hlo_instruction *add_reduce(generator *g) {
  hlo_instruction *x = pick(g), *operands[2] = {x, constant(g, x->shape->type)};
  int64_t dimensions[HLO_MAX_RANK];
  int32_t count = 0, type = type_index(x->shape->type);
  bool sums = !hlo_type_is_float(x->shape->type) && random_below(2) == 0;
  for (int32_t d = 0; d < x->shape->rank; d++) {
    if (random_below(2) == 0) dimensions[count++] = d;
  }
  hlo_attribute attributes[2] = {ints(g, HLO_ATTRIBUTE_DIMENSIONS, count, dimensions)};
  hlo_error error = {0};
  if (hlo_attribute_make_computation(&g->module->arena, HLO_ATTRIBUTE_TO_APPLY,
                                     g->reducers[sums ? 0 : 1][type], &attributes[1],
                                     &error) != HLO_OK) {
    abort();
  }
  return make(g, HLO_OP_REDUCE, NULL, 2, operands, 2, attributes);
}

static hlo_instruction *add_dot(generator *g) {
  hlo_instruction *x = pick(g), *operands[2] = {x, pick(g)};
  if (hlo_type_is_float(x->shape->type) || x->shape->rank == 0) return NULL;
  if (operands[1]->shape->type != x->shape->type || operands[1]->shape->rank == 0) return NULL;
  int64_t left = random_below(x->shape->rank), right = random_below(operands[1]->shape->rank);
  hlo_attribute attributes[2] = {ints(g, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, 1, &left),
                                 ints(g, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, 1, &right)};
  return make(g, HLO_OP_DOT, NULL, 2, operands, 2, attributes);
}

static hlo_instruction *add_tuple(generator *g) {
  hlo_instruction *operands[2] = {pick(g), pick(g)};
  hlo_instruction *tuple = make(g, HLO_OP_TUPLE, NULL, 2, operands, 0, NULL);
  hlo_attribute index = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, random_below(2));
  return tuple == NULL ? NULL : make(g, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &tuple, 1, &index);
}

static hlo_instruction *(*const makers[])(generator *) = {
    add_pointwise, add_pointwise, add_pointwise,     add_pointwise, add_choice,
    add_choice,    add_convert,   add_broadcast,     add_transpose, add_reshape,
    add_slice,     add_pad,       add_concatenate,   add_iota,      add_dynamic_slice,
    add_reduce,    add_dot,       add_dynamic_slice, add_tuple,     add_broadcast,
};

static void make_reducers(generator *g) {
  static const hlo_opcode opcodes[2] = {HLO_OP_ADD, HLO_OP_MAXIMUM};
  for (int kind = 0; kind < 2; kind++) {
    for (int type = 0; type < TYPES; type++) {
      hlo_error error = {0};
      hlo_computation *reducer;
      hlo_instruction *p[2], *root;
      const hlo_shape *scalar = hlo_shape_scalar(types[type]);
      if (hlo_computation_create(g->module, "reducer", &reducer, &error) != HLO_OK ||
          hlo_build_parameter(reducer, 0, scalar, "a", &p[0], &error) != HLO_OK ||
          hlo_build_parameter(reducer, 1, scalar, "b", &p[1], &error) != HLO_OK ||
          hlo_build(reducer, opcodes[kind], NULL, 2, p, 0, NULL, &root, &error) != HLO_OK ||
          hlo_build_finish(reducer, root, &error) != HLO_OK) {
        abort();
      }
      g->reducers[kind][type] = reducer;
    }
  }
}

static hlo_module *make_program(void) {
  hlo_error error = {0};
  generator g = {0};
  if (hlo_module_create("random", &g.module, &error) != HLO_OK) abort();
  make_reducers(&g);
  if (hlo_computation_create(g.module, "main", &g.main, &error) != HLO_OK) abort();
  for (int32_t i = 0; i < 3; i++) {
    int64_t dims[3] = {1 + random_below(4), 1 + random_below(5), 1 + random_below(7)};
    const hlo_shape *shape = shape_of(&g, types[random_below(TYPES)], random_below(4), dims);
    if (hlo_build_parameter(g.main, i, shape, NULL, &g.values[i], &error) != HLO_OK) abort();
  }
  g.count = 3;
  for (int i = 0; i < INSTRUCTIONS; i++) {
    keep(&g, makers[random_below(sizeof makers / sizeof *makers)](&g));
  }
  hlo_instruction *results[RESULTS], *root;
  for (int i = 0; i < RESULTS; i++)
    results[i] = g.values[g.count - 1 - random_below(g.count < 8 ? g.count : 8)];
  root = make(&g, HLO_OP_TUPLE, NULL, RESULTS, results, 0, NULL);
  if (root == NULL || hlo_build_finish(g.main, root, &error) != HLO_OK) abort();
  g.module->entry = g.main;
  CHECK_MESSAGE(hlo_verify(g.module, &error) == HLO_OK, "%s", error.message);
  return g.module;
}

// --- running and comparing them ---

static bool supports_all(hlo_target target, const hlo_instruction *fusion,
                         const hlo_instruction **obstacle) {
  (void)target;
  *obstacle = NULL;
  return fusion->operand_count >= 0;
}

static uint64_t support_bits; // a host that refuses some fusions
static bool supports_some(hlo_target target, const hlo_instruction *fusion,
                          const hlo_instruction **obstacle) {
  (void)target;
  const hlo_computation *fused = hlo_get_computation(fusion, HLO_ATTRIBUTE_CALLS);
  bool blames = (support_bits >> fusion->operand_count % 64 & 1) != 0;
  *obstacle =
      blames ? fused->instructions[support_bits % (uint64_t)fused->instruction_count] : NULL;
  return (support_bits >> (fused->instruction_count * 5 + fusion->operand_count) % 64 & 1) != 0;
}

static hlo_status run_way(const hlo_module *module, int way, hlo_array *const *arguments,
                          hlo_array **results, hlo_error *error) {
  hlo_executable *executable = NULL;
  hlo_compile_options options = {
      .reference = way == 0, .optimize = way > 0, .passes = {.verify = true}};
  if (way == 2) options.passes.supports_fusion = supports_all;
  if (way == 3) options.passes.supports_fusion = supports_some;
  HLO_TRY(hlo_compile(module, &options, &executable, error));
  hlo_status status = hlo_execute(executable, 3, arguments, results, error);
  hlo_executable_destroy(executable);
  return status;
}

static bool same_element(hlo_type type, const char *a, const char *b) {
  if (memcmp(a, b, (size_t)hlo_type_bytes(type)) == 0) return true;
  if (!hlo_type_is_float(type) && !hlo_type_is_complex(type)) return false;
  hlo_number x = hlo_element_get(type, a), y = hlo_element_get(type, b);
  bool same_re = x.re == y.re || (x.re != x.re && y.re != y.re);
  bool same_im = x.im == y.im || (x.im != x.im && y.im != y.im);
  bool signs = (x.re != 0 || __builtin_signbit(x.re) == __builtin_signbit(y.re)) &&
               (x.im != 0 || __builtin_signbit(x.im) == __builtin_signbit(y.im));
  return same_re && same_im && signs;
}

static bool same_arrays(const hlo_array *a, const hlo_array *b) {
  int64_t elements = hlo_shape_elements(a->shape), size = hlo_type_bytes(a->shape->type);
  if (!hlo_shape_equal(a->shape, b->shape)) return false;
  for (int64_t i = 0; i < elements; i++) {
    const char *x = (const char *)a->buffer->data + i * size;
    if (!same_element(a->shape->type, x, (const char *)b->buffer->data + i * size)) return false;
  }
  return true;
}

static void fail_with_program(const hlo_module *module, const char *what) {
  hlo_string text = {0};
  hlo_print_hlo(&text, module);
  CHECK_MESSAGE(false, "%s\n%.*s", what, (int)text.length, text.text);
  hlo_string_free(&text);
}

static void check_program(void) {
  hlo_error error = {0};
  hlo_array *arguments[3] = {0}, *results[4][RESULTS] = {{0}};
  hlo_module *module = make_program();
  support_bits = random_bits();
  for (int i = 0; i < 3; i++) {
    const hlo_shape *shape = module->entry->parameters[i]->shape;
    if (hlo_array_create(shape, NULL, &arguments[i], &error) != HLO_OK) abort();
    for (int64_t k = 0; k < hlo_shape_elements(shape); k++) {
      char *data = arguments[i]->buffer->data;
      set_random(shape->type, data + k * hlo_type_bytes(shape->type), false);
    }
  }
  bool ran = true;
  for (int way = 0; way < 4 && ran; way++) {
    ran = run_way(module, way, arguments, results[way], &error) == HLO_OK;
    if (!ran) fail_with_program(module, error.message);
  }
  static const char *const ways[] = {"", "optimising", "fusing", "fusing some"};
  for (int way = 1; way < 4 && ran; way++) {
    for (int i = 0; i < RESULTS; i++) {
      bool same = same_arrays(results[0][i], results[way][i]);
      check_count++;
      if (!same) fail_with_program(module, ways[way]);
    }
  }
  for (int way = 0; way < 4; way++) {
    for (int i = 0; i < RESULTS; i++) hlo_array_destroy(results[way][i]);
  }
  for (int i = 0; i < 3; i++) hlo_array_destroy(arguments[i]);
  hlo_module_destroy(module);
}

int main(void) {
  size_t before = hlo_memory_in_use();
  for_each_seed(__FILE__, PROGRAMS, check_program);
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
