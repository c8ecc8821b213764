// Turns groups of instructions into fusions where the host of the pass can generate code for them.
// A group that it refuses is split and its pieces are tried again. See passes.h.
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/fuse/groups.h"
#include "passes/passes.h"

#include <string.h>

// After the first number of rounds refused groups lose all removable members at once; after the
// second the rest is not fused.
enum {
  PATIENT_ROUNDS = 6,
  MOST_ROUNDS = 10,
};

typedef struct fuser {
  const hlo_pass_options *options;
  hlo_fuse_graph graph;
  hlo_instruction **copies; // by id: an instruction's copy in the fusion under construction
  bool in_loop;             // the computation runs repeatedly
} fuser;

static hlo_status add_parameter(hlo_computation *to, const hlo_instruction *x,
                                hlo_instruction **operands, hlo_instruction *operand,
                                int32_t *count, hlo_instruction **out, hlo_error *error) {
  (void)x;
  operands[*count] = operand;
  HLO_TRY(hlo_build_parameter(to, *count, operand->shape, operand->name, out, error));
  ++*count;
  return HLO_OK;
}

// The fused computation: members in order, everything else a parameter.
static hlo_status build_computation(fuser *f, const hlo_fuse_group *group, hlo_computation **out,
                                    hlo_instruction **operands, int32_t *count, hlo_error *error) {
  hlo_computation *to;
  hlo_instruction *const *all = f->graph.computation->instructions;
  HLO_TRY(hlo_computation_create(f->graph.computation->module, "fused_computation", &to, error));
  *count = 0;
  for (int32_t i = group->count - 1; i >= 0; i--) f->copies[group->members[i]] = NULL;
  for (int32_t i = group->count - 1; i >= 0; i--) {
    const hlo_instruction *x = all[group->members[i]];
    for (int32_t k = 0; k < x->operand_count; k++) f->copies[x->operands[k]->id] = NULL;
  }
  for (int32_t i = group->count - 1; i >= 0; i--) {
    const hlo_instruction *x = all[group->members[i]];
    hlo_instruction **inputs;
    HLO_ALLOC(inputs, f->graph.arena, x->operand_count, error);
    for (int32_t k = 0; k < x->operand_count; k++) {
      hlo_instruction **copies = &f->copies[x->operands[k]->id];
      if (*copies == NULL) {
        HLO_TRY(add_parameter(to, x, operands, x->operands[k], count, copies, error));
      }
      inputs[k] = *copies;
    }
    HLO_TRY(hlo_instruction_copy(to, x, inputs, &f->copies[x->id], error));
  }
  *out = to;
  return HLO_OK;
}

static int32_t operand_slots(const fuser *f, const hlo_fuse_group *group) {
  int32_t total = 0;
  for (int32_t i = 0; i < group->count; i++) {
    total += f->graph.nodes[group->members[i]].instruction->operand_count;
  }
  return total;
}

// XLA's fusion kind: kInput where a reduction is the root.
static const char *kind_of(const fuser *f, const hlo_fuse_group *group) {
  for (int32_t i = 0; i < group->root_count; i++) {
    if (f->graph.nodes[group->roots[i]].kind == FUSE_REDUCE) return "kInput";
  }
  return "kLoop";
}

// Several roots become a tuple.
static hlo_status build_root(fuser *f, const hlo_fuse_group *group, hlo_computation *fused,
                             hlo_error *error) {
  hlo_instruction *root = f->copies[group->roots[0]], *elements[HLO_FUSE_MOST_ROOTS];
  if (group->root_count > 1) {
    for (int32_t i = 0; i < group->root_count; i++) elements[i] = f->copies[group->roots[i]];
    HLO_TRY(
        hlo_build(fused, HLO_OP_TUPLE, NULL, group->root_count, elements, 0, NULL, &root, error));
  }
  return hlo_build_finish(fused, root, error);
}

// The fusion, or an element of its tuple, replaces each root.
static hlo_status replace_roots(fuser *f, const hlo_fuse_group *group, hlo_instruction *fusion,
                                hlo_error *error) {
  hlo_computation *computation = f->graph.computation;
  for (int32_t i = 0; i < group->root_count; i++) {
    hlo_instruction *root = computation->instructions[group->roots[i]];
    hlo_attribute index = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, i);
    root->forward = fusion;
    if (group->root_count == 1) continue;
    HLO_TRY(hlo_build(computation, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &fusion, 1, &index,
                      &root->forward, error));
  }
  computation->module->revision++;
  return HLO_OK;
}

// The member that the fused instruction stands for, or NULL.
static hlo_fuse_node *member_of(fuser *f, const hlo_fuse_group *group,
                                const hlo_instruction *fused) {
  for (int32_t i = 0; i < group->count && fused != NULL; i++) {
    if (f->copies[group->members[i]] == fused) return &f->graph.nodes[group->members[i]];
  }
  return NULL;
}

// Appends the fusion; *accepted: whether there is code for it. A refused one, or any with
// only_asks, is removed again. *obstacle (unless NULL) is the member that prevented code, if known.
static hlo_status try_fusion(fuser *f, const hlo_fuse_group *group, bool only_asks, bool *accepted,
                             hlo_fuse_node **obstacle, hlo_error *error) {
  hlo_computation *computation = f->graph.computation, *fused;
  hlo_module *module = computation->module;
  hlo_instruction *root = computation->instructions[group->roots[0]], *fusion, **operands;
  hlo_attribute attributes[2] = {hlo_attribute_make_text(HLO_ATTRIBUTE_KIND, kind_of(f, group))};
  int32_t count;
  HLO_ALLOC(operands, f->graph.arena, operand_slots(f, group), error);
  HLO_TRY(build_computation(f, group, &fused, operands, &count, error));
  HLO_TRY(build_root(f, group, fused, error));
  HLO_TRY(hlo_attribute_make_computation(&module->arena, HLO_ATTRIBUTE_CALLS, fused, &attributes[1],
                                         error));
  HLO_TRY(hlo_instruction_create(computation, HLO_OP_FUSION, NULL, fused->root->shape, count,
                                 operands, 2, attributes, &fusion, error));
  fusion->line = root->line;
  fusion->column = root->column;
  const hlo_instruction *stopped_at = NULL;
  *accepted = f->options->supports_fusion(f->options->target, fusion, &stopped_at);
  if (obstacle != NULL) *obstacle = *accepted ? NULL : member_of(f, group, stopped_at);
  if (*accepted && !only_asks) return replace_roots(f, group, fusion, error);
  computation->instruction_count--;
  module->computation_count--;
  return HLO_OK;
}

// Whether generated code amortises its compilation: eliminating a step saves about as much as half
// of fewest_elements in memory, so two members over that many elements suffice.
static bool saves_enough(const fuser *f, int32_t members, int64_t elements) {
  int64_t fewest = f->options->fewest_elements, step = fewest / 2;
  return elements >= fewest || (members - 1) * (step + elements) >= step + fewest;
}

// Data movement that reads elements in reverse or with gaps, so that contiguous runs are short: its
// kernel copies run by run.
static bool has_short_runs(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_REVERSE && x->opcode != HLO_OP_SLICE) return false;
  const hlo_shape *shape = x->shape;
  int32_t count;
  const int64_t *slice = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE, &count);
  int64_t run = hlo_type_bytes(shape->type);
  for (int32_t d = shape->rank - 1; d >= 0 && run < HLO_FUSE_SHORT_RUN; d--) {
    bool stays = x->opcode == HLO_OP_REVERSE ? !hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, d)
                                             : slice[3 * d + 2] == 1;
    if (!stays && shape->dims[d] > 1) return true;
    run *= shape->dims[d];
  }
  return false;
}

static bool is_short_float(const hlo_instruction *x) {
  return x->shape->type == HLO_BF16 || x->shape->type == HLO_F16;
}

// Whether its kernel is scalar or makes several passes over memory, or is about as slow.
static bool is_slow_alone(const hlo_instruction *x) {
  if (is_short_float(x) || (x->operand_count > 0 && is_short_float(x->operands[0]))) return true;
  static const struct {
    hlo_opcode opcode;
    int64_t least, most; // bytes of an element
  } slow[] = {
      {HLO_OP_CONVERT, 1, 16},
      {HLO_OP_COMPARE, 1, 16},
      {HLO_OP_SIGN, 1, 16},
      {HLO_OP_IS_FINITE, 1, 16},
      {HLO_OP_CLAMP, 2, 16},
      {HLO_OP_MULTIPLY, 1, 1},
      {HLO_OP_SHIFT_LEFT, 1, 1},
      {HLO_OP_SHIFT_RIGHT_LOGICAL, 1, 1},
      {HLO_OP_SHIFT_RIGHT_ARITHMETIC, 1, 1},
  };
  int64_t bytes = hlo_type_bytes(x->shape->type);
  for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
    if (slow[i].opcode == x->opcode) return slow[i].least <= bytes && bytes <= slow[i].most;
  }
  return false;
}

// A group of one is worth generated code when its loop is heavy.
static bool is_worthwhile(const fuser *f, const hlo_fuse_group *group) {
  const hlo_fuse_node *root = &f->graph.nodes[group->roots[0]];
  int32_t parts = 0, members = 0;
  int64_t elements = 0;
  for (int32_t i = 0; i < group->count; i++) {
    const hlo_fuse_node *node = &f->graph.nodes[group->members[i]];
    int64_t own = hlo_shape_is_array(node->instruction->shape)
                      ? hlo_shape_elements(node->instruction->shape)
                      : 0;
    if (node->kind == FUSE_REDUCE) own = hlo_shape_elements(node->instruction->operands[0]->shape);
    if (own > elements) elements = own;
    members += node->kind != FUSE_CONSTANT;
    parts += node->kind == FUSE_REDUCE || (node->kind == FUSE_ELEMENTWISE && node->cost > 0) ||
             (own >= HLO_FUSE_MANY_ELEMENTS && has_short_runs(node->instruction));
  }
  if (parts == 0 || !(f->in_loop || saves_enough(f, members, elements))) return false;
  if (elements == 1 && parts < HLO_FUSE_FEWEST_SCALARS) return false; // a step of a scalar is quick
  return members > 1 || root->kind == FUSE_REDUCE || root->cost >= HLO_FUSE_EXPENSIVE ||
         (elements >= HLO_FUSE_MANY_ELEMENTS && is_slow_alone(root->instruction)) ||
         root->kind == FUSE_MOVE;
}

// Removes the elementwise members that are refused even alone.
static hlo_status exclude_unsupported(fuser *f, const hlo_fuse_group *group, bool *found,
                                      hlo_error *error) {
  *found = false;
  for (int32_t i = 0; i < group->count; i++) {
    hlo_fuse_node *node = &f->graph.nodes[group->members[i]];
    int32_t id = group->members[i];
    hlo_fuse_group alone = {.root_count = 1, .roots = {id}, .count = 1, .members = &id};
    bool accepted = true;
    if (node->kind != FUSE_ELEMENTWISE || node->is_supported) continue;
    if (node->instruction->opcode != HLO_OP_GET_TUPLE_ELEMENT)
      HLO_TRY(try_fusion(f, &alone, true, &accepted, NULL, error));
    node->is_supported = accepted;
    if (accepted) continue;
    node->kind = FUSE_NOT;
    node->is_taken = *found = true;
    node->may_be_member = false;
  }
  return HLO_OK;
}

// Shrinks a refused group, by the first of these that applies: the data movement that is the
// obstacle stays outside; a merged group is unmerged; the reduction that is the obstacle, or the
// member at which the group is too long, is excluded; all data movement and reductions inside are;
// the root is.
static void shrink_group(fuser *f, const hlo_fuse_group *group, hlo_fuse_node *obstacle) {
  bool found = false, is_inside = obstacle != NULL && obstacle->may_be_member &&
                                  !hlo_fuse_is_root(group, obstacle->instruction->id);
  if (is_inside && obstacle->kind == FUSE_MOVE) {
    obstacle->may_be_member = false;
    return;
  }
  for (int32_t i = 0; i < group->count && group->is_merged; i++) {
    f->graph.nodes[group->members[i]].is_alone = true;
  }
  if (group->is_merged) return;
  // An elementwise obstacle marks where the rest is too long.
  if (is_inside && (obstacle->kind == FUSE_REDUCE || obstacle->kind == FUSE_ELEMENTWISE)) {
    obstacle->may_be_member = false;
    return;
  }
  for (int32_t i = 0; i < group->count; i++) {
    hlo_fuse_node *node = &f->graph.nodes[group->members[i]];
    if (hlo_fuse_is_root(group, group->members[i]) || !node->may_be_member) continue;
    if (node->kind == FUSE_ELEMENTWISE || hlo_fuse_is_scalar(node)) continue;
    node->may_be_member = false;
    found = true;
  }
  if (!found) f->graph.nodes[group->roots[0]].is_taken = true;
}

// patient: refused groups lose only their obstacle.
static hlo_status fuse_round(fuser *f, bool patient, bool *again, hlo_error *error) {
  HLO_TRY(hlo_fuse_graph_group(&f->graph, error));
  HLO_TRY(hlo_fuse_graph_merge(&f->graph, f->in_loop, error));
  *again = false;
  for (int32_t g = 0; g < f->graph.group_count; g++) {
    const hlo_fuse_group *group = &f->graph.groups[g];
    hlo_fuse_node *obstacle = NULL;
    bool accepted = true;
    if (group->root_count == 0) continue;
    if (is_worthwhile(f, group)) HLO_TRY(try_fusion(f, group, false, &accepted, &obstacle, error));
    if (!accepted) {
      bool found;
      HLO_TRY(exclude_unsupported(f, group, &found, error));
      if (!found) shrink_group(f, group, patient ? obstacle : NULL);
      *again = true;
      continue;
    }
    // A member of several groups stays available, since another group may still be split; dead
    // copies are removed at the end.
    for (int32_t i = 0; i < group->root_count; i++) {
      f->graph.nodes[group->roots[i]].is_taken = true;
    }
    for (int32_t i = 0; i < group->count; i++) {
      hlo_fuse_node *node = &f->graph.nodes[group->members[i]];
      if (node->memberships->next == NULL && node->kind != FUSE_CONSTANT) node->is_taken = true;
    }
  }
  return HLO_OK;
}

static hlo_status fuse_computation(fuser *f, hlo_computation *computation, hlo_error *error) {
  HLO_TRY(hlo_fuse_graph_build(f->graph.arena, computation, &f->graph, error));
  HLO_ALLOC(f->copies, f->graph.arena, f->graph.count, error);
  for (int32_t i = 0; i < f->graph.count; i++) computation->instructions[i]->forward = NULL;
  bool again = true;
  for (int round = 0; again && round < MOST_ROUNDS; round++)
    HLO_TRY(fuse_round(f, round < PATIENT_ROUNDS, &again, error));
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *x = computation->instructions[i];
    for (int32_t k = 0; k < x->operand_count; k++) {
      if (x->operands[k]->forward != NULL) x->operands[k] = x->operands[k]->forward;
    }
  }
  if (computation->root->forward != NULL) computation->root = computation->root->forward;
  return hlo_computation_sort(computation, error);
}

// Whether an instruction runs computations as control flow instead of applying them to elements. So
// do sharded programs, whose devices run one.
static bool runs_computations(const hlo_instruction *x) {
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  if (x->opcode == HLO_OP_FUSION) return false;
  return (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_CALLS) ||
         (target != NULL && strcmp(target, "interpreter.run_parallel") == 0);
}

// Marks the computations that run as control flow.
static void mark_callees(const hlo_computation *computation, bool *runs, bool *in_loop) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (!runs_computations(x)) continue;
    for (int32_t a = 0; a < x->attribute_count; a++) {
      for (int32_t c = 0; x->attributes[a].computations != NULL && c < x->attributes[a].count;
           c++) {
        const hlo_computation *callee = x->attributes[a].computations[c];
        runs[callee->index] = true;
        if (x->opcode == HLO_OP_WHILE || in_loop[computation->index]) in_loop[callee->index] = true;
      }
    }
  }
}

static hlo_status fuse_module(hlo_module *module, const hlo_pass_options *options,
                              hlo_arena *scratch, hlo_error *error) {
  bool *runs, *in_loop;
  int32_t count = module->computation_count;
  HLO_ALLOC(runs, scratch, count, error);
  HLO_ALLOC(in_loop, scratch, count, error);
  runs[module->entry->index] = true;
  for (int32_t i = count - 1; i >= 0; i--) {
    if (runs[i]) mark_callees(module->computations[i], runs, in_loop);
  }
  for (int32_t i = 0; i < count; i++) {
    if (!runs[i]) continue;
    hlo_arena arena = {0};
    fuser f = {.options = options, .graph = {.arena = &arena}, .in_loop = in_loop[i]};
    hlo_status status = fuse_computation(&f, module->computations[i], error);
    hlo_arena_free(&arena);
    HLO_TRY(status);
  }
  return HLO_OK;
}

hlo_status hlo_pass_fuse(hlo_module *module, const hlo_pass_options *options, hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_status status = fuse_module(module, options, &scratch, error);
  hlo_arena_free(&scratch);
  // Fused computations come after their callers and the fused instructions are dead: restore order
  // and remove them.
  return status == HLO_OK ? hlo_module_remove_dead(module, error) : status;
}
