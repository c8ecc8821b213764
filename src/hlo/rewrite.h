// Changing programs: copies of modules and instructions, computations rewritten instruction by
// instruction, dead code removed, order restored.
//
// After an error a module is good for nothing but hlo_module_destroy.
#ifndef HLO_HLO_REWRITE_H
#define HLO_HLO_REWRITE_H

#include "hlo/hlo.h"

// A module with copies of `entry`, which becomes its entry, and of all computations that it calls.
// Literals, shapes and the contents of attributes are shared: the clone holds the original.
// Control predecessors are left out: nothing moves across a side effect, and the rest has no order.
hlo_status hlo_module_clone(const hlo_module *module, const hlo_computation *entry,
                            hlo_module **out, hlo_error *error);
// Appends a copy of x with other operands (x->operand_count of them). x may be of any computation
// whose memory lives long enough.
hlo_status hlo_instruction_copy(hlo_computation *computation, const hlo_instruction *x,
                                hlo_instruction *const *operands, hlo_instruction **out,
                                hlo_error *error);
// Appends copies of all of a computation's instructions, parameters replaced by the arguments;
// *root is the copy of its root.
hlo_status hlo_computation_inline(hlo_computation *computation, const hlo_computation *callee,
                                  hlo_instruction *const *arguments, hlo_instruction **root,
                                  hlo_error *error);

// Looks at x, whose operands have been rewritten already, and which is not in its computation's
// list at the moment. May append instructions. *replacement: what stands for x from now on, an
// instruction of the list with the same shape, layout included; NULL leaves x.
typedef hlo_status hlo_rewrite_rule(void *context, hlo_instruction *x,
                                    hlo_instruction **replacement, hlo_error *error);
// Calls the rule for every instruction but parameters, in order. use_count is set before.
hlo_status hlo_computation_rewrite(hlo_computation *computation, hlo_rewrite_rule *rule,
                                   void *context, hlo_error *error);
// The same for all computations of a module, callees first.
hlo_status hlo_module_rewrite(hlo_module *module, hlo_rewrite_rule *rule, void *context,
                              hlo_error *error);

// The computation that attribute `id` of x names is another one from now on.
hlo_status hlo_instruction_set_computation(hlo_instruction *x, hlo_attribute_id id,
                                           hlo_computation *computation, hlo_error *error);

// True for instructions that must run even when nobody uses the result: those of the op list's
// properties, custom calls but LAPACK's, and whatever calls a computation that has such. For
// clones.
bool hlo_has_side_effect(const hlo_instruction *x);
// Removes instructions that neither the root nor a side effect needs; parameters stay. Removes
// computations that the entry does not reach, and puts callees before callers.
hlo_status hlo_module_remove_dead(hlo_module *module, hlo_error *error);
// Puts every operand before its users, else keeping the order.
hlo_status hlo_computation_sort(hlo_computation *computation, hlo_error *error);

#endif
