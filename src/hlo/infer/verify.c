// Verifies a whole module: establishes the invariants of hlo.h that all later code relies on. See
// infer.h.
#include "hlo/infer/constraint.h"
#include "hlo/infer/infer.h"

enum { LONGEST_NAME_SHOWN = 200 };

// depths[i]: how many computations can be active at a time in a run of computation i.
typedef struct verifier {
  const hlo_module *module;
  hlo_arena scratch;
  int32_t *depths;
} verifier;

static bool holds(const hlo_computation *computation, const hlo_instruction *instruction) {
  return instruction != NULL && instruction->computation == computation && instruction->id >= 0 &&
         instruction->id < computation->instruction_count &&
         computation->instructions[instruction->id] == instruction;
}

static bool has_computation(const hlo_module *module, const hlo_computation *computation) {
  return computation != NULL && computation->index >= 0 &&
         computation->index < module->computation_count &&
         module->computations[computation->index] == computation;
}

static hlo_status check_operands(const hlo_instruction *x, hlo_error *error) {
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!holds(x->computation, x->operands[k]))
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "operand %d is not an instruction of the computation %%%.*s", k,
                                  LONGEST_NAME_SHOWN, x->computation->name);
    if (x->operands[k]->id >= x->id)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "operand %%%.*s is not defined before its use",
                                  LONGEST_NAME_SHOWN, x->operands[k]->name);
  }
  return HLO_OK;
}

// Callees stand before callers, so that calls cannot be cyclic, and do not nest too deeply.
static hlo_status check_callee(verifier *v, const hlo_instruction *x, const hlo_computation *callee,
                               hlo_error *error) {
  if (!has_computation(v->module, callee))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "calls a computation that is not part of the module");
  if (callee->index >= x->computation->index)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "calls %%%.*s, which does not stand before %%%.*s: calls must not "
                                "be cyclic",
                                LONGEST_NAME_SHOWN, callee->name, LONGEST_NAME_SHOWN,
                                x->computation->name);
  int32_t *depth = &v->depths[x->computation->index];
  if (*depth <= v->depths[callee->index]) *depth = v->depths[callee->index] + 1;
  if (*depth > HLO_MAX_CALL_DEPTH)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "computations call each other more than %d deep",
                                (int)HLO_MAX_CALL_DEPTH);
  return HLO_OK;
}

static hlo_status check_references(verifier *v, const hlo_instruction *x, hlo_error *error) {
  for (int32_t i = 0; i < x->attribute_count; i++) {
    const hlo_attribute *attribute = &x->attributes[i];
    hlo_attribute_kind kind = hlo_attribute_get_kind(attribute->id);
    if (kind == HLO_KIND_COMPUTATION && attribute->count != 1)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%s must name one computation",
                                  hlo_attribute_name(attribute->id));
    if (kind == HLO_KIND_COMPUTATION || kind == HLO_KIND_COMPUTATIONS)
      for (int32_t c = 0; c < attribute->count; c++)
        HLO_TRY(check_callee(v, x, attribute->computations[c], error));
    if (kind != HLO_KIND_INSTRUCTIONS) continue;
    for (int32_t p = 0; p < attribute->count; p++)
      if (!holds(x->computation, attribute->instructions[p]) ||
          attribute->instructions[p]->id >= x->id)
        return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                    "entry %d of %s does not stand before it in the computation", p,
                                    hlo_attribute_name(attribute->id));
  }
  return HLO_OK;
}

static hlo_status check_instruction(verifier *v, const hlo_instruction *x, hlo_error *error) {
  if ((unsigned)x->opcode >= HLO_OP_COUNT)
    return hlo_fail_at(error, HLO_INVALID_ARGUMENT, x->line, x->column, "%d is not an opcode",
                       (int)x->opcode);
  if (x->shape == NULL) return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "has no shape");
  HLO_TRY(check_operands(x, error));
  HLO_TRY(check_references(v, x, error));
  if (x->opcode == HLO_OP_CONSTANT) {
    // without one it can be printed, and not run: the text left its values out
    if (x->literal != NULL && !hlo_shape_compatible(x->shape, x->literal->shape))
      return hlo_fail_about(x, "shape and value do not fit", x->shape, x->literal->shape, error);
  }
  hlo_arena_mark mark = hlo_arena_get_mark(&v->scratch);
  const hlo_shape *inferred;
  hlo_status status = hlo_infer_shape(x, x->shape, &v->scratch, &inferred, error);
  hlo_arena_rewind(&v->scratch, mark);
  return status;
}

static hlo_status check_parameters(const hlo_computation *computation, hlo_error *error) {
  int32_t count = 0;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (x->opcode != HLO_OP_PARAMETER) continue;
    count++;
    if (x->parameter_number < 0 || x->parameter_number >= computation->parameter_count ||
        computation->parameters[x->parameter_number] != x)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "is not parameter %lld of %d of its computation",
                                  (long long)x->parameter_number, computation->parameter_count);
  }
  if (count == computation->parameter_count) return HLO_OK;
  return hlo_fail(error, HLO_SHAPE_ERROR, "computation %%%.*s has %d parameters, not %d",
                  LONGEST_NAME_SHOWN, computation->name, count, computation->parameter_count);
}

static hlo_status check_computation(verifier *v, const hlo_computation *computation,
                                    hlo_error *error) {
  v->depths[computation->index] = 1;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (x == NULL || x->id != i || x->computation != computation)
      return hlo_fail(error, HLO_SHAPE_ERROR, "instruction %d of %%%.*s is not in its place", i,
                      LONGEST_NAME_SHOWN, computation->name);
    HLO_TRY(check_instruction(v, x, error));
  }
  if (!holds(computation, computation->root))
    return hlo_fail(error, HLO_SHAPE_ERROR, "computation %%%.*s has no root", LONGEST_NAME_SHOWN,
                    computation->name);
  return check_parameters(computation, error);
}

static hlo_status check_module(verifier *v, hlo_error *error) {
  const hlo_module *module = v->module;
  if (module->computation_count == 0)
    return hlo_fail(error, HLO_SHAPE_ERROR, "the module has no computation");
  HLO_ALLOC(v->depths, &v->scratch, module->computation_count, error);
  for (int32_t i = 0; i < module->computation_count; i++) {
    const hlo_computation *computation = module->computations[i];
    if (computation == NULL || computation->index != i || computation->module != module)
      return hlo_fail(error, HLO_SHAPE_ERROR, "computation %d is not in its place", i);
    HLO_TRY(check_computation(v, computation, error));
  }
  if (module->entry != NULL && !has_computation(module, module->entry))
    return hlo_fail(error, HLO_SHAPE_ERROR, "the entry is not a computation of the module");
  return HLO_OK;
}

hlo_status hlo_verify(const hlo_module *module, hlo_error *error) {
  verifier v = {.module = module};
  hlo_status status = check_module(&v, error);
  hlo_arena_free(&v.scratch);
  return status;
}
