// Replaces calls and fusions by the instructions of their computations. See passes.h.
#include "hlo/rewrite.h"
#include "passes/passes.h"

// Instructions of a computation that is always inlined, and of a module that grows by others.
enum { SMALL = 32, MOST_INSTRUCTIONS = 20000 };

typedef struct inliner {
  int64_t instructions; // of the module as it grows
} inliner;

static const hlo_computation *callee_of(const hlo_instruction *x) {
  if (x->opcode == HLO_OP_CALL) return hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (x->opcode == HLO_OP_FUSION) return hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  return NULL;
}

// A call may change layouts; only those of arrays can be changed by a copy.
static bool can_pass(const hlo_shape *from, const hlo_shape *to) {
  return hlo_shape_equal(from, to) || (hlo_shape_is_array(from) && hlo_shape_is_array(to) &&
                                       !hlo_shape_is_dynamic(from) && !hlo_shape_is_dynamic(to));
}

static bool can_inline(const inliner *in, const hlo_instruction *x, const hlo_computation *callee) {
  if (callee->instruction_count > SMALL &&
      in->instructions + callee->instruction_count > MOST_INSTRUCTIONS) {
    return false;
  }
  for (int32_t i = 0; i < x->operand_count; i++) {
    if (!can_pass(x->operands[i]->shape, callee->parameters[i]->shape)) return false;
  }
  return in->instructions < 4 * MOST_INSTRUCTIONS && can_pass(callee->root->shape, x->shape);
}

static hlo_status pass_on(hlo_computation *computation, hlo_instruction *x, const hlo_shape *shape,
                          hlo_instruction **out, hlo_error *error) {
  *out = x;
  if (hlo_shape_equal(x->shape, shape)) return HLO_OK;
  return hlo_instruction_create(computation, HLO_OP_COPY, NULL, shape, 1, &x, 0, NULL, out, error);
}

static hlo_status inline_call(void *context, hlo_instruction *x, hlo_instruction **replacement,
                              hlo_error *error) {
  inliner *in = context;
  const hlo_computation *callee = callee_of(x);
  if (callee == NULL || !can_inline(in, x, callee)) return HLO_OK;
  hlo_computation *computation = x->computation;
  hlo_arena *arena = &computation->module->arena;
  hlo_instruction **arguments, *root;
  HLO_ALLOC(arguments, arena, x->operand_count, error);
  for (int32_t i = 0; i < x->operand_count; i++) {
    HLO_TRY(
        pass_on(computation, x->operands[i], callee->parameters[i]->shape, &arguments[i], error));
  }
  in->instructions += callee->instruction_count;
  HLO_TRY(hlo_computation_inline(computation, callee, arguments, &root, error));
  return pass_on(computation, root, x->shape, replacement, error);
}

hlo_status hlo_pass_inline(hlo_module *module, hlo_error *error) {
  inliner in = {0};
  for (int32_t i = 0; i < module->computation_count; i++) {
    in.instructions += module->computations[i]->instruction_count;
  }
  return hlo_module_rewrite(module, inline_call, &in, error);
}
