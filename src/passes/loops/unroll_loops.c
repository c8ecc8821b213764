// Unrolls loops of a few iterations of cheap elementwise work, such as the halvings of a binary
// search or the rotations of a random number generator, so that the iterations fuse. See passes.h.
#include "hlo/analysis/cost.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/fuse/groups.h"
#include "passes/loops/while_loop.h"
#include "passes/passes.h"

// The cost per element of the instruction, negative if a fused loop cannot contain it.
static int32_t cost_in_loop(const hlo_instruction *x) {
  static const hlo_opcode others[] = {HLO_OP_PARAMETER, HLO_OP_TUPLE,   HLO_OP_GET_TUPLE_ELEMENT,
                                      HLO_OP_CONSTANT,  HLO_OP_IOTA,    HLO_OP_BROADCAST,
                                      HLO_OP_RESHAPE,   HLO_OP_BITCAST, HLO_OP_SLICE};
  if (x->opcode == HLO_OP_GATHER || x->opcode == HLO_OP_DYNAMIC_SLICE) return HLO_UNROLL_READ_COST;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (x->opcode == others[i]) return 0;
  bool is_elementwise = hlo_op_is_elementwise(x->opcode) && x->opcode != HLO_OP_MAP;
  return is_elementwise && !hlo_has_side_effect(x) ? hlo_fuse_cost_of(x->opcode) : -1;
}

// A loop over scalars is compiled to one function, which is as fast.
static bool is_short(const hlo_while_loop *l, int64_t trips) {
  int64_t cost = 0, most = 1;
  int32_t count = l->body->instruction_count;
  bool has_slices = false;
  if (trips < 1 || trips > HLO_UNROLL_TRIPS || count * trips > 2 * HLO_UNROLL_GROWTH) return false;
  for (int32_t i = 0; i < l->body->instruction_count; i++) {
    const hlo_instruction *x = l->body->instructions[i];
    int32_t own = cost_in_loop(x);
    if (own < 0) return false;
    has_slices = has_slices || x->opcode == HLO_OP_SLICE;
    count -= own == 0;
    cost += own;
    if (own > 0 && hlo_shape_elements(x->shape) > most) most = hlo_shape_elements(x->shape);
  }
  bool runs_once = l->instruction->computation == l->body->module->entry;
  return most > (has_slices && runs_once ? HLO_UNROLL_MANY : 1) &&
         cost * trips <= HLO_UNROLL_COST && count * trips <= HLO_UNROLL_GROWTH;
}

static hlo_status unroll(void *context, hlo_instruction *x, hlo_instruction **replacement,
                         hlo_error *error) {
  hlo_while_loop l;
  (void)context;
  if (x->opcode != HLO_OP_WHILE || !hlo_match_while_loop(x, &l)) return HLO_OK;
  int64_t trips = hlo_trip_count(x);
  if (!is_short(&l, trips)) return HLO_OK;
  hlo_instruction *state = l.start;
  for (int64_t i = 0; i < trips; i++)
    HLO_TRY(hlo_computation_inline(x->computation, l.body, &state, &state, error));
  *replacement = state;
  return HLO_OK;
}

hlo_status hlo_pass_unroll_loops(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, unroll, NULL, error);
}
