// Applies scalar computations to lanes: vectorised if every instruction is a lane function or only
// routes values, else lane by lane through the host.
#include "kernels/elementwise/apply.h"

#include "kernels/machine.h"

#include <string.h>

// One lane function; operands and result are slots.
typedef struct lane_step {
  hlo_lane_op op;
  int32_t operand_count;
  const int32_t *operands;
  int32_t result;
} lane_step;

// A value of the computation: dense memory for a block of lanes.
typedef struct lane_slot {
  char *memory;      // set for each block where it belongs to a parameter
  int32_t parameter; // -1: none
  int64_t size;      // of one element
} lane_slot;

struct hlo_applier {
  const hlo_evaluator *evaluator;
  const hlo_computation *computation;
  bool vector; // the members below serve only vector programs
  int64_t block;
  int32_t slot_count, step_count, result_count;
  lane_slot *slots;
  lane_step *steps;
  const int32_t *results; // slots of the root's leaves
  bool direct;            // the last step alone makes the only result
};

// Operands of a lane function at most; more would be a map.
enum { MAX_OPERANDS = 3 };

// The slots of each instruction's leaves during compilation.
typedef struct program_maker {
  hlo_applier *applier;
  hlo_arena *arena;
  const int32_t **leaves; // by instruction id
} program_maker;

static int32_t leaf_count(const hlo_instruction *instruction) {
  return hlo_shape_leaf_count(instruction->shape);
}

static bool is_scalar(const hlo_instruction *instruction) {
  return hlo_shape_is_array(instruction->shape) && instruction->shape->rank == 0;
}

// One operand, of which the scalar value passes through as it is.
static bool passes_through(const hlo_instruction *instruction) {
  const hlo_op_info *info = hlo_op_get(instruction->opcode);
  if (instruction->operand_count != 1) return false;
  if (instruction->opcode == HLO_OP_OPTIMIZATION_BARRIER) return true;
  bool moves = (info->properties & HLO_PROPERTY_RESHAPES) != 0 ||
               instruction->opcode == HLO_OP_BROADCAST || instruction->opcode == HLO_OP_TRANSPOSE;
  return moves && is_scalar(instruction) && is_scalar(instruction->operands[0]) &&
         hlo_type_bytes(instruction->shape->type) ==
             hlo_type_bytes(instruction->operands[0]->shape->type);
}

static hlo_status add_slot(program_maker *maker, const hlo_instruction *instruction,
                           int32_t parameter, int32_t *out, hlo_error *error) {
  hlo_applier *applier = maker->applier;
  lane_slot *slot = &applier->slots[applier->slot_count];
  *out = applier->slot_count++;
  *slot = (lane_slot){.parameter = parameter, .size = hlo_type_bytes(instruction->shape->type)};
  if (parameter >= 0) return HLO_OK;
  slot->memory = hlo_arena_array(maker->arena, (size_t)applier->block, (size_t)slot->size);
  return slot->memory == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

static hlo_status add_constant(program_maker *maker, const hlo_instruction *instruction,
                               int32_t *leaf, hlo_error *error) {
  HLO_TRY(add_slot(maker, instruction, -1, leaf, error));
  const lane_slot *slot = &maker->applier->slots[*leaf];
  for (int64_t i = 0; i < maker->applier->block; i++) {
    memcpy(slot->memory + i * slot->size, instruction->literal->data, (size_t)slot->size);
  }
  return HLO_OK;
}

static hlo_status add_step(program_maker *maker, const hlo_instruction *instruction,
                           const hlo_lane_op *op, int32_t *leaf, hlo_error *error) {
  HLO_TRY(add_slot(maker, instruction, -1, leaf, error));
  int32_t *operands;
  HLO_ALLOC(operands, maker->arena, instruction->operand_count, error);
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    operands[i] = maker->leaves[instruction->operands[i]->id][0];
  }
  maker->applier->steps[maker->applier->step_count++] =
      (lane_step){*op, instruction->operand_count, operands, *leaf};
  return HLO_OK;
}

// The leaves of a tuple, or of an element of one.
static void collect_leaves(program_maker *maker, const hlo_instruction *instruction,
                           int32_t *leaves) {
  const hlo_instruction *operand = instruction->operands[0];
  if (instruction->opcode == HLO_OP_GET_TUPLE_ELEMENT) {
    int32_t index = (int32_t)hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX, 0);
    int32_t first = hlo_shape_leaves_before(operand->shape, index);
    memcpy(leaves, maker->leaves[operand->id] + first,
           (size_t)leaf_count(instruction) * sizeof *leaves);
    return;
  }
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    int32_t count = leaf_count(instruction->operands[i]);
    memcpy(leaves, maker->leaves[instruction->operands[i]->id], (size_t)count * sizeof *leaves);
    leaves += count;
  }
}

// Adds an instruction to the program; *vector becomes false if it cannot be vectorised.
static hlo_status add_instruction(program_maker *maker, const hlo_instruction *instruction,
                                  bool *vector, hlo_error *error) {
  int32_t *leaves;
  hlo_lane_op op;
  HLO_ALLOC(leaves, maker->arena, leaf_count(instruction), error);
  maker->leaves[instruction->id] = leaves;
  if (passes_through(instruction)) {
    maker->leaves[instruction->id] = maker->leaves[instruction->operands[0]->id];
    return HLO_OK;
  }
  if (instruction->opcode == HLO_OP_TUPLE || instruction->opcode == HLO_OP_GET_TUPLE_ELEMENT) {
    if (instruction->operand_count > 0) collect_leaves(maker, instruction, leaves);
    return HLO_OK;
  }
  *vector = is_scalar(instruction);
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    if (!is_scalar(instruction->operands[i])) *vector = false;
  }
  if (!*vector) return HLO_OK;
  if (instruction->opcode == HLO_OP_PARAMETER) {
    return add_slot(maker, instruction, (int32_t)instruction->parameter_number, leaves, error);
  }
  if (instruction->opcode == HLO_OP_CONSTANT) {
    return add_constant(maker, instruction, leaves, error);
  }
  *vector = instruction->operand_count <= MAX_OPERANDS && hlo_lane_op_match(instruction, &op);
  return *vector ? add_step(maker, instruction, &op, leaves, error) : HLO_OK;
}

// Root leaves that are parameters get a slot of their own, since results may be arguments.
static hlo_status add_results(program_maker *maker, hlo_error *error) {
  hlo_applier *applier = maker->applier;
  const hlo_instruction *root = applier->computation->root;
  int32_t *results;
  HLO_ALLOC(results, maker->arena, applier->result_count, error);
  for (int32_t i = 0; i < applier->result_count; i++) {
    results[i] = maker->leaves[root->id][i];
    int32_t parameter = applier->slots[results[i]].parameter;
    if (parameter < 0) continue;
    const hlo_instruction *source = applier->computation->parameters[parameter];
    int32_t *operand;
    lane_step copy = {.operand_count = 1};
    HLO_ALLOC(operand, maker->arena, 1, error);
    *operand = results[i];
    copy.operands = operand;
    copy.op = (hlo_lane_op){.from = source->shape->type, .to = source->shape->type};
    hlo_lane_op_copy(source, &copy.op);
    HLO_TRY(add_slot(maker, source, -1, &copy.result, error));
    applier->steps[applier->step_count++] = copy;
    results[i] = copy.result;
  }
  applier->results = results;
  return HLO_OK;
}

static hlo_status compile_program(hlo_applier *applier, hlo_error *error) {
  const hlo_computation *computation = applier->computation;
  program_maker maker = {.applier = applier, .arena = applier->evaluator->scratch};
  HLO_ALLOC(maker.leaves, maker.arena, computation->instruction_count, error);
  int64_t capacity = (int64_t)computation->instruction_count + applier->result_count;
  HLO_ALLOC(applier->slots, maker.arena, capacity, error);
  HLO_ALLOC(applier->steps, maker.arena, capacity, error);
  applier->vector = true;
  for (int32_t i = 0; i < computation->instruction_count && applier->vector; i++) {
    HLO_TRY(add_instruction(&maker, computation->instructions[i], &applier->vector, error));
  }
  if (!applier->vector) return HLO_OK;
  HLO_TRY(add_results(&maker, error));
  const lane_step *last = applier->steps + applier->step_count - 1;
  applier->direct =
      applier->step_count > 0 && applier->result_count == 1 && applier->results[0] == last->result;
  return HLO_OK;
}

hlo_status hlo_applier_create(const hlo_evaluator *evaluator, const hlo_computation *computation,
                              int64_t max_lanes, hlo_applier **out, hlo_error *error) {
  HLO_ALLOC(*out, evaluator->scratch, 1, error);
  **out = (hlo_applier){
      .evaluator = evaluator,
      .computation = computation,
      .block = max_lanes < HLO_APPLY_BLOCK ? max_lanes : HLO_APPLY_BLOCK,
      .result_count = leaf_count(computation->root),
  };
  return compile_program(*out, error);
}

// --- running ---

static void run_block(hlo_applier *applier, int64_t first, int64_t n, const void *const *arguments,
                      void *const *results) {
  const void *operands[MAX_OPERANDS];
  for (int32_t i = 0; i < applier->slot_count; i++) {
    lane_slot *slot = &applier->slots[i];
    if (slot->parameter < 0) continue;
    slot->memory = (char *)arguments[slot->parameter] + first * slot->size;
  }
  for (int32_t i = 0; i < applier->step_count; i++) {
    const lane_step *step = &applier->steps[i];
    const lane_slot *slot = &applier->slots[step->result];
    bool direct = applier->direct && i == applier->step_count - 1;
    for (int32_t j = 0; j < step->operand_count; j++) {
      operands[j] = applier->slots[step->operands[j]].memory;
    }
    void *memory = direct ? (char *)results[0] + first * slot->size : slot->memory;
    step->op.run(&step->op, memory, operands, n);
  }
  for (int32_t i = 0; i < applier->result_count && !applier->direct; i++) {
    const lane_slot *slot = &applier->slots[applier->results[i]];
    memcpy((char *)results[i] + first * slot->size, slot->memory, (size_t)(n * slot->size));
  }
}

static hlo_status run_lane_by_lane(hlo_applier *applier, int64_t lanes,
                                   const void *const *arguments, void *const *results,
                                   hlo_error *error) {
  const hlo_evaluator *evaluator = applier->evaluator;
  const hlo_computation *computation = applier->computation;
  int32_t count = computation->parameter_count;
  hlo_view *views;
  if (evaluator->call == NULL) {
    return hlo_fail(error, HLO_UNSUPPORTED, "computation %s is more than a scalar expression",
                    computation->name);
  }
  HLO_ALLOC(views, evaluator->scratch, (int64_t)count + applier->result_count, error);
  for (int64_t lane = 0; lane < lanes; lane++) {
    for (int32_t i = 0; i < count + applier->result_count; i++) {
      bool is_argument = i < count;
      const void *memory = is_argument ? arguments[i] : results[i - count];
      views[i].type = is_argument ? computation->parameters[i]->shape->type
                                  : hlo_shape_leaf(computation->root->shape, i - count)->type;
      views[i].data = (char *)memory + lane * hlo_type_bytes(views[i].type);
    }
    hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
    HLO_TRY(evaluator->call(evaluator->host, computation, count, views, applier->result_count,
                            views + count, error));
    hlo_arena_rewind(evaluator->scratch, mark);
  }
  return HLO_OK;
}

hlo_status hlo_applier_run(hlo_applier *applier, int64_t lanes, const void *const *arguments,
                           void *const *results, hlo_error *error) {
  if (!applier->vector) {
    hlo_arena_mark mark = hlo_arena_get_mark(applier->evaluator->scratch);
    hlo_status status = run_lane_by_lane(applier, lanes, arguments, results, error);
    hlo_arena_rewind(applier->evaluator->scratch, mark);
    return status;
  }
  for (int64_t done = 0; done < lanes; done += applier->block) {
    int64_t n = lanes - done < applier->block ? lanes - done : applier->block;
    run_block(applier, done, n, arguments, results);
  }
  return HLO_OK;
}

hlo_status hlo_apply(const hlo_evaluator *evaluator, const hlo_computation *computation,
                     int64_t lanes, void *const *arguments, void *const *results,
                     hlo_error *error) {
  if (lanes <= 0) return HLO_OK;
  hlo_applier *applier;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = hlo_applier_create(evaluator, computation, lanes, &applier, error);
  if (status == HLO_OK) {
    status = hlo_applier_run(applier, lanes, (const void *const *)arguments, results, error);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}

hlo_opcode hlo_applied_op(const hlo_computation *computation, hlo_type type) {
  static const hlo_opcode ops[] = {HLO_OP_ADD, HLO_OP_MULTIPLY, HLO_OP_MAXIMUM, HLO_OP_MINIMUM,
                                   HLO_OP_AND, HLO_OP_OR,       HLO_OP_XOR};
  const hlo_instruction *root = computation->root;
  if (computation->parameter_count != 2 || root->operand_count != 2) return HLO_OP_COUNT;
  const hlo_instruction *first = computation->parameters[0], *second = computation->parameters[1];
  bool straight = root->operands[0] == first && root->operands[1] == second;
  bool swapped = root->operands[0] == second && root->operands[1] == first;
  if ((!straight && !swapped) || first->shape->type != type) return HLO_OP_COUNT;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    bool defined = ops[i] == root->opcode && hlo_pointwise_get(ops[i], type) != NULL;
    if (defined && is_scalar(first) && is_scalar(second)) return ops[i];
  }
  return HLO_OP_COUNT;
}
