// Constant evaluation while a program is read, for the values that sizes depend on. Demand-driven
// and memoised: a query evaluates the operands of the instruction first. The evaluator is the
// callback hlo_parse_options.fold; without it only constants and sizes are known. See dynamic.h.
#include "hlo/infer/infer.h"
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

// Reading a program must stay cheap: when more elements in all are computed, they count as unknown.
enum { MOST_ELEMENTS_IN_ALL = 1 << 24, MOST_CALLS_DEEP = 50 };

static hlo_status grow(stablehlo_importer *im, stablehlo_environment *env, hlo_error *error) {
  int32_t count = env->computation->instruction_count;
  if (count <= env->capacity) return HLO_OK;
  int32_t capacity = count < INT32_MAX / 2 ? 2 * count : count;
  stablehlo_known *values;
  bool *wanted;
  HLO_ALLOC(values, &im->parser->tree, capacity, error);
  HLO_ALLOC(wanted, &im->parser->tree, capacity, error);
  if (env->capacity > 0) {
    memcpy(values, env->values, (size_t)env->capacity * sizeof *values);
    memcpy(wanted, env->wanted, (size_t)env->capacity * sizeof *wanted);
  }
  env->values = values;
  env->wanted = wanted;
  env->capacity = capacity;
  return HLO_OK;
}

hlo_status hlo_import_environment(stablehlo_importer *im, const hlo_computation *computation,
                                  stablehlo_environment **out, hlo_error *error) {
  // Computations keep their number until all are made.
  while (im->environments.count <= computation->index)
    HLO_TRY(hlo_mlir_list_add(im->parser, &im->environments, NULL, error));
  *out = im->environments.items[computation->index];
  if (*out == NULL) {
    HLO_ALLOC(*out, &im->parser->tree, 1, error);
    (*out)->computation = computation;
    im->environments.items[computation->index] = *out;
  }
  return HLO_OK;
}

hlo_status hlo_import_bind_region(stablehlo_importer *im, const mlir_operation *op,
                                  const hlo_instruction *operand, const mlir_list *carried,
                                  hlo_error *error) {
  stablehlo_environment *env;
  HLO_TRY(hlo_import_environment(im, im->computation, &env, error));
  env->outside = operand;
  if (strcmp(op->name, "stablehlo.while") != 0) return HLO_OK;
  bool *constant;
  int32_t leaf = 0;
  const mlir_region *body = op->regions[1];
  HLO_ALLOC(constant, &im->parser->tree, hlo_shape_leaf_count(operand->shape), error);
  for (int32_t i = 0; i < carried->count; i++) {
    const hlo_shape *shape = carried->count == 1 ? operand->shape : operand->shape->elements[i];
    bool returned = body->last != NULL && i < body->last->operand_count &&
                    i < body->argument_count && body->last->operands[i] == &body->arguments[i];
    for (int32_t k = hlo_shape_leaf_count(shape); k > 0; k--)
      constant[leaf++] = returned || i >= body->argument_count;
  }
  env->constant = constant;
  return HLO_OK;
}

// --- one instruction ---

static hlo_status value_in(stablehlo_importer *im, stablehlo_environment *env,
                           const hlo_instruction *x, stablehlo_known *out, hlo_error *error);

// A size that the shape states asks for nothing else.
static bool states_size(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_GET_DIMENSION_SIZE) return false;
  int32_t count;
  const int64_t *dimension = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_shape *shape = x->operands[0]->shape;
  return count == 1 && dimension[0] >= 0 && dimension[0] < shape->rank &&
         shape->dims[dimension[0]] <= INT32_MAX &&
         (shape->dynamic == NULL || !shape->dynamic[dimension[0]]);
}

static hlo_status size_value(stablehlo_importer *im, const hlo_instruction *x, const void **leaves,
                             hlo_error *error) {
  int32_t count, *size;
  const int64_t *dimension = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (!hlo_shape_is_scalar(x->shape) || x->shape->type != HLO_S32) return HLO_OK;
  HLO_ALLOC(size, &im->parser->tree, 1, error);
  *size = (int32_t)x->operands[0]->shape->dims[dimension[0]];
  leaves[0] = size;
  return HLO_OK;
}

static hlo_status parameter_value(stablehlo_importer *im, const stablehlo_environment *env,
                                  const hlo_instruction *x, const void **leaves, hlo_error *error) {
  stablehlo_known from = NULL;
  bool of_entry = env->parameters != NULL && env->parameters == im->entry_values;
  if (env->parameters != NULL) from = env->parameters[x->parameter_number];
  else if (env->outside != NULL) HLO_TRY(hlo_import_known(im, env->outside, &from, error));
  if (from == NULL) return HLO_OK;
  if (of_entry && im->options->asked != NULL) im->options->asked[x->parameter_number] = true;
  int32_t count = hlo_shape_leaf_count(x->shape);
  for (int32_t i = 0; i < count; i++)
    leaves[i] = env->constant == NULL || env->constant[i] ? from[i] : NULL;
  return HLO_OK;
}

// Tuples hand on the leaves of their operands, their elements some of them.
static void alias_value(const stablehlo_environment *env, const hlo_instruction *x,
                        const void **leaves) {
  int32_t count = hlo_shape_leaf_count(x->shape), filled = 0, skipped = 0;
  if (x->opcode == HLO_OP_GET_TUPLE_ELEMENT)
    skipped = hlo_shape_leaves_before(x->operands[0]->shape,
                                      (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0));
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k];
    int32_t available = hlo_shape_leaf_count(operand->shape);
    stablehlo_known from = env->values[operand->id];
    for (int32_t i = skipped; i < available && filled < count; i++) leaves[filled++] = from[i];
  }
}

static hlo_status call_value(stablehlo_importer *im, const stablehlo_environment *env,
                             const hlo_instruction *x, const void **leaves, hlo_error *error) {
  const hlo_computation *callee = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (im->calls_deep >= MOST_CALLS_DEEP) return HLO_OK;
  stablehlo_known *parameters, value;
  HLO_ALLOC(parameters, &im->parser->tree, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) parameters[k] = env->values[x->operands[k]->id];
  stablehlo_environment inner = {.computation = callee, .parameters = parameters};
  im->calls_deep++;
  HLO_TRY(value_in(im, &inner, callee->root, &value, error));
  im->calls_deep--;
  int32_t count = hlo_shape_leaf_count(x->shape);
  for (int32_t i = 0; i < count; i++) leaves[i] = value[i];
  return HLO_OK;
}

static bool is_small(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         hlo_shape_elements(shape) <= STABLEHLO_MOST_KNOWN;
}

// Gives the same value whenever it runs, wherever it runs.
static bool is_pure(const hlo_instruction *x) {
  int32_t properties = hlo_op_get(x->opcode)->properties;
  enum {
    EXCLUDED = HLO_PROPERTY_CALLS | HLO_PROPERTY_COLLECTIVE | HLO_PROPERTY_SIDE_EFFECT |
               HLO_PROPERTY_CUSTOM | HLO_PROPERTY_TOKEN
  };
  if ((properties & EXCLUDED) != 0 || x->opcode == HLO_OP_RNG) return false;
  return x->operand_count > 0 || x->opcode == HLO_OP_IOTA;
}

// The verifier has not run yet, so the instruction is checked here.
static hlo_status check(stablehlo_importer *im, const hlo_instruction *x, hlo_error *error) {
  const hlo_shape *ignored;
  if (x->opcode == HLO_OP_PARAMETER || x->opcode == HLO_OP_CONSTANT) return HLO_OK;
  return hlo_infer_shape(x, x->shape, &im->parser->tree, &ignored, error);
}

static hlo_status check_callees(stablehlo_importer *im, const hlo_instruction *x,
                                hlo_error *error) {
  for (int32_t a = 0; a < x->attribute_count; a++) {
    const hlo_attribute *attribute = &x->attributes[a];
    for (int32_t c = 0; attribute->computations != NULL && c < attribute->count; c++) {
      const hlo_computation *callee = attribute->computations[c];
      for (int32_t i = 0; i < callee->instruction_count; i++)
        HLO_TRY(check(im, callee->instructions[i], error));
    }
  }
  return HLO_OK;
}

// Kept apart for the size of its frame: recursion must not pass through it.
__attribute__((noinline)) static hlo_status compute(stablehlo_importer *im,
                                                    const hlo_instruction *x,
                                                    const void *const *operands,
                                                    const void **leaves, hlo_error *error) {
  void **results;
  int32_t count = hlo_shape_leaf_count(x->shape);
  HLO_ALLOC(results, &im->parser->tree, count, error);
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = hlo_shape_leaf(x->shape, i);
    int64_t elements = hlo_shape_elements(shape);
    if (im->computed_elements > MOST_ELEMENTS_IN_ALL - elements) return HLO_OK;
    im->computed_elements += elements;
    results[i] =
        hlo_arena_array(&im->parser->tree, (size_t)elements, (size_t)hlo_type_bytes(shape->type));
    if (results[i] == NULL) return hlo_fail_out_of_memory(error);
  }
  HLO_TRY(check_callees(im, x, error));
  hlo_error reason = {0};
  hlo_status status = im->options->fold(x, operands, results, &reason);
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  if (status != HLO_OK) return HLO_OK; // whatever the reason is: running the program will tell
  for (int32_t i = 0; i < count; i++) leaves[i] = results[i];
  return HLO_OK;
}

static hlo_status computed_value(stablehlo_importer *im, const stablehlo_environment *env,
                                 const hlo_instruction *x, const void **leaves, hlo_error *error) {
  const void **operands;
  if (im->options->fold == NULL || !is_pure(x)) return HLO_OK;
  HLO_ALLOC(operands, &im->parser->tree, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!is_small(x->operands[k]->shape)) return HLO_OK;
    operands[k] = env->values[x->operands[k]->id][0];
    if (operands[k] == NULL) return HLO_OK;
  }
  int32_t count = hlo_shape_leaf_count(x->shape);
  for (int32_t i = 0; i < count; i++)
    if (!is_small(hlo_shape_leaf(x->shape, i))) return HLO_OK;
  return compute(im, x, operands, leaves, error);
}

// The operands' values are there.
static hlo_status evaluate(stablehlo_importer *im, stablehlo_environment *env,
                           const hlo_instruction *x, hlo_error *error) {
  const void **leaves;
  int32_t count = hlo_shape_leaf_count(x->shape);
  HLO_ALLOC(leaves, &im->parser->tree, count, error);
  env->values[x->id] = leaves;
  HLO_TRY(check(im, x, error));
  if (x->opcode == HLO_OP_CONSTANT) {
    bool is_plain = hlo_shape_is_array(x->shape) && hlo_layout_is_default(x->shape->layout);
    if (is_plain && x->literal != NULL) leaves[0] = x->literal->data;
    return HLO_OK;
  }
  if (x->opcode == HLO_OP_PARAMETER) return parameter_value(im, env, x, leaves, error);
  if (states_size(x)) return size_value(im, x, leaves, error);
  if (x->opcode == HLO_OP_CALL) return call_value(im, env, x, leaves, error);
  if (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_ALIAS) {
    alias_value(env, x, leaves);
    return HLO_OK;
  }
  return computed_value(im, env, x, leaves, error);
}

// --- dependences ---

static void want(stablehlo_environment *env, const hlo_instruction *x, int32_t *open) {
  if (env->wanted[x->id]) return;
  env->wanted[x->id] = true;
  ++*open;
}

// Operands precede their users: one pass backwards marks the needed ones, one forwards computes
// them.
static hlo_status value_in(stablehlo_importer *im, stablehlo_environment *env,
                           const hlo_instruction *x, stablehlo_known *out, hlo_error *error) {
  HLO_TRY(grow(im, env, error));
  const hlo_computation *computation = env->computation;
  int32_t open = 0, first = x->id;
  want(env, x, &open);
  for (int32_t id = x->id; open > 0; id--) {
    const hlo_instruction *y = computation->instructions[id];
    if (!env->wanted[id] || env->values[id] != NULL) continue;
    first = id;
    open--;
    if (states_size(y)) continue;
    for (int32_t k = 0; k < y->operand_count; k++) want(env, y->operands[k], &open);
  }
  for (int32_t id = first; id <= x->id; id++) {
    if (env->wanted[id] && env->values[id] == NULL)
      HLO_TRY(evaluate(im, env, computation->instructions[id], error));
  }
  *out = env->values[x->id];
  return HLO_OK;
}

hlo_status hlo_import_known(stablehlo_importer *im, const hlo_instruction *x, stablehlo_known *out,
                            hlo_error *error) {
  stablehlo_environment *env;
  HLO_TRY(hlo_import_environment(im, x->computation, &env, error));
  return value_in(im, env, x, out, error);
}

// --- integers ---

static bool is_unknown(const stablehlo_environment *env, const hlo_instruction *x) {
  int32_t count = hlo_shape_leaf_count(x->shape);
  stablehlo_known value = env->values[x->id];
  for (int32_t i = 0; value != NULL && i < count; i++)
    if (value[i] == NULL) return true;
  return value == NULL;
}

// The instruction that makes x unknown: the first whose operands are all known.
static const hlo_instruction *reason(const stablehlo_environment *env, const hlo_instruction *x) {
  for (bool found = true; found;) {
    found = false;
    for (int32_t k = 0; k < x->operand_count && !found && !states_size(x); k++) {
      if (!is_unknown(env, x->operands[k])) continue;
      x = x->operands[k];
      found = true;
    }
  }
  return x;
}

static hlo_status integers(stablehlo_importer *im, const hlo_shape *shape, const void *data,
                           int32_t *count, const int64_t **out, hlo_error *error) {
  int64_t elements = hlo_shape_elements(shape), *ints;
  int32_t width = hlo_type_bytes(shape->type);
  HLO_ALLOC(ints, &im->parser->tree, elements, error);
  for (int64_t i = 0; i < elements; i++) {
    hlo_number n = hlo_element_get(shape->type, (const char *)data + i * width);
    ints[i] = n.type_class == HLO_CLASS_SIGNED ? n.i : n.u > INT64_MAX ? INT64_MAX : (int64_t)n.u;
  }
  *count = (int32_t)elements;
  *out = ints;
  return HLO_OK;
}

static hlo_status maybe_known(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                              const hlo_instruction *x, int32_t *count, const int64_t **out,
                              hlo_error *error) {
  stablehlo_known value;
  *out = NULL;
  if (!hlo_shape_is_array(x->shape) || !hlo_type_is_integer(x->shape->type) ||
      hlo_shape_is_dynamic(x->shape) || hlo_shape_elements(x->shape) > STABLEHLO_MOST_KNOWN)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "operand %d must be a list of integers",
                           index);
  HLO_TRY(hlo_import_known(im, x, &value, error));
  return value[0] == NULL ? HLO_OK : integers(im, x->shape, value[0], count, out, error);
}

hlo_status hlo_import_maybe_known_ints(stablehlo_importer *im, const mlir_operation *op,
                                       int32_t index, int32_t *count, const int64_t **out,
                                       hlo_error *error) {
  hlo_instruction *x;
  HLO_TRY(hlo_import_operand(im, op, index, &x, error));
  return maybe_known(im, op, index, x, count, out, error);
}

hlo_status hlo_import_maybe_known_difference(stablehlo_importer *im, const mlir_operation *op,
                                             int32_t limit, int32_t start, int32_t *count,
                                             const int64_t **out, hlo_error *error) {
  hlo_instruction *sum, *from;
  *out = NULL;
  HLO_TRY(hlo_import_operand(im, op, limit, &sum, error));
  HLO_TRY(hlo_import_operand(im, op, start, &from, error));
  if (sum->opcode != HLO_OP_ADD) return HLO_OK;
  for (int32_t k = 0; k < 2 && *out == NULL; k++) {
    if (sum->operands[k] == from)
      HLO_TRY(maybe_known(im, op, limit, sum->operands[1 - k], count, out, error));
  }
  return HLO_OK;
}

hlo_status hlo_import_known_ints(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                                 int32_t wanted, int32_t *count, const int64_t **out,
                                 hlo_error *error) {
  HLO_TRY(hlo_import_maybe_known_ints(im, op, index, count, out, error));
  if (*out != NULL && (wanted < 0 || *count == wanted)) return HLO_OK;
  if (*out != NULL)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "operand %d has %d elements, not %d", index,
                           *count, wanted);
  hlo_instruction *x;
  stablehlo_environment *env;
  HLO_TRY(hlo_import_operand(im, op, index, &x, error));
  HLO_TRY(hlo_import_environment(im, im->computation, &env, error));
  const hlo_instruction *from = reason(env, x);
  hlo_status status = im->may_have_values ? HLO_OPEN_PROGRAM : HLO_UNSUPPORTED;
  return hlo_import_fail(op, status, error,
                         "operand %d must be known before the program runs, but it depends on "
                         "%%%.*s (%s)",
                         index, 100, from->name, hlo_op_get(from->opcode)->name);
}
