// Checks hlo/infer/verify.c: a module of every structure passes; each way to break one is an error.
#include "hlo/builder.h"
#include "hlo/infer/infer.h"

#include <string.h>

#include "check.h"

static hlo_error error;

// callee: negate(p); main: parameters x, y; call(x) + y, with a constant and a control predecessor.
typedef struct sample {
  hlo_module *module;
  hlo_computation *callee, *main_computation;
  hlo_instruction *x, *y, *constant, *call, *sum;
} sample;

static sample make(void) {
  sample s = {0};
  hlo_error_clear(&error);
  CHECK(hlo_module_create("m", &s.module, &error) == HLO_OK);
  hlo_arena *arena = &s.module->arena;
  const int64_t dims[] = {2};
  const hlo_shape *shape = NULL;
  CHECK(hlo_shape_make(arena, HLO_F32, 1, dims, &shape, &error) == HLO_OK);
  hlo_instruction *p = NULL, *negative = NULL;
  CHECK(hlo_computation_create(s.module, "callee", &s.callee, &error) == HLO_OK);
  CHECK(hlo_build_parameter(s.callee, 0, shape, "p", &p, &error) == HLO_OK);
  CHECK(hlo_build(s.callee, HLO_OP_NEGATE, NULL, 1, &p, 0, NULL, &negative, &error) == HLO_OK);
  CHECK(hlo_build_finish(s.callee, NULL, &error) == HLO_OK);

  CHECK(hlo_computation_create(s.module, "main", &s.main_computation, &error) == HLO_OK);
  hlo_computation *c = s.main_computation;
  CHECK(hlo_build_parameter(c, 0, shape, "x", &s.x, &error) == HLO_OK);
  CHECK(hlo_build_parameter(c, 1, shape, "y", &s.y, &error) == HLO_OK);
  float values[] = {1, 2};
  hlo_literal literal = {.shape = shape, .data = values};
  CHECK(hlo_build_constant(c, &literal, &s.constant, &error) == HLO_OK);
  hlo_attribute to_apply;
  CHECK(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_TO_APPLY, s.callee, &to_apply,
                                       &error) == HLO_OK);
  CHECK(hlo_build(c, HLO_OP_CALL, NULL, 1, &s.x, 1, &to_apply, &s.call, &error) == HLO_OK);
  hlo_instruction *operands[] = {s.call, s.y};
  hlo_instruction **predecessors = hlo_arena_array(arena, 1, sizeof *predecessors);
  predecessors[0] = s.constant;
  hlo_attribute after = {
      .id = HLO_ATTRIBUTE_CONTROL_PREDECESSORS, .count = 1, .instructions = predecessors};
  CHECK(hlo_build(c, HLO_OP_ADD, NULL, 2, operands, 1, &after, &s.sum, &error) == HLO_OK);
  CHECK(hlo_build_finish(c, s.sum, &error) == HLO_OK);
  s.module->entry = c;
  return s;
}

// The module is rejected with a message that has this part, and is destroyed.
static void rejects(sample *s, const char *part) {
  hlo_error_clear(&error);
  hlo_status status = hlo_verify(s->module, &error);
  CHECK_MESSAGE(status != HLO_OK && status == error.status && strstr(error.message, part) != NULL,
                "expected \"%s\", got \"%s\"", part, error.message);
  hlo_module_destroy(s->module);
}

static void test_accepts(void) {
  sample s = make();
  CHECK_MESSAGE(hlo_verify(s.module, &error) == HLO_OK, "%s", error.message);
  s.module->entry = NULL; // functions without @main
  CHECK(hlo_verify(s.module, &error) == HLO_OK);
  hlo_module_destroy(s.module);
  CHECK(hlo_memory_in_use() == 0);
}

static void test_module_structure(void) {
  sample s = {0};
  CHECK(hlo_module_create("m", &s.module, &error) == HLO_OK);
  rejects(&s, "the module has no computation");
  s = make();
  s.module->computations[0] = s.main_computation;
  rejects(&s, "computation 0 is not in its place");
  s = make();
  hlo_computation stranger = *s.callee;
  s.module->entry = &stranger;
  rejects(&s, "the entry is not a computation of the module");
  s = make();
  s.main_computation->root = NULL;
  rejects(&s, "computation %main has no root");
  s = make();
  s.main_computation->root = s.callee->root;
  rejects(&s, "computation %main has no root");
}

static void test_order_and_operands(void) {
  sample s = make();
  s.sum->id = 1;
  rejects(&s, "instruction 4 of %main is not in its place");
  s = make();
  s.sum->operands[0] = s.callee->root;
  rejects(&s, "operand 0 is not an instruction of the computation %main");
  s = make();
  s.sum->operands[0] = NULL;
  rejects(&s, "operand 0 is not an instruction of the computation %main");
  s = make();
  s.call->operands[0] = s.sum;
  rejects(&s, "instruction %call (call): operand %add is not defined before its use");
  s = make();
  s.sum->operands[1] = s.sum;
  rejects(&s, "operand %add is not defined before its use");
  s = make();
  s.sum->attributes[0].instructions[0] = s.sum;
  rejects(&s, "entry 0 of control-predecessors does not stand before it");
  s = make();
  s.sum->attributes[0].instructions[0] = s.callee->root;
  rejects(&s, "entry 0 of control-predecessors does not stand before it");
  s = make();
  s.sum->opcode = HLO_OP_COUNT;
  rejects(&s, "is not an opcode");
}

static void test_shapes_and_values(void) {
  sample s = make();
  s.sum->shape = NULL;
  rejects(&s, "instruction %add (add): has no shape");
  s = make();
  s.sum->line = 7;
  s.sum->column = 9;
  s.sum->shape = hlo_shape_scalar(HLO_F32);
  rejects(&s, "instruction %add (add): the result has shape f32[2], but f32[] is stated");
  CHECK(error.line == 7 && error.column == 9);
  s = make();
  s.sum->operand_count = 1;
  rejects(&s, "takes 2 operands, not 1");
  s = make();
  s.call->attribute_count = 0;
  rejects(&s, "the attribute to_apply is missing");
  s = make();
  s.call->attributes[0].id = HLO_ATTRIBUTE_BODY;
  rejects(&s, "takes no attribute body");
  s = make();
  s.constant->literal = NULL; // left out of a dump: can be printed
  CHECK(hlo_verify(s.module, &error) == HLO_OK);
  hlo_module_destroy(s.module);
  s = make();
  s.constant->shape = hlo_shape_scalar(HLO_F32);
  rejects(&s, "shape and value do not fit: f32[] and f32[2]");
}

static void test_parameters(void) {
  sample s = make();
  s.y->parameter_number = 2;
  rejects(&s, "instruction %y (parameter): is not parameter 2 of 2 of its computation");
  s = make();
  s.y->parameter_number = 0;
  rejects(&s, "is not parameter 0 of 2 of its computation");
  s = make();
  s.y->parameter_number = -1;
  rejects(&s, "is not parameter -1 of 2");
  s = make();
  s.main_computation->parameter_count = 1;
  rejects(&s, "is not parameter 1 of 1");
  s = make();
  s.x->opcode = HLO_OP_CONSTANT;
  s.x->literal = s.constant->literal;
  rejects(&s, "computation %main has 1 parameters, not 2");
}

static void test_calls(void) {
  sample s = make();
  s.call->attributes[0].computations[0] = s.main_computation;
  rejects(&s, "calls %main, which does not stand before %main: calls must not be cyclic");
  s = make();
  hlo_computation stranger = *s.callee;
  s.call->attributes[0].computations[0] = &stranger;
  rejects(&s, "calls a computation that is not part of the module");
  s = make();
  s.call->attributes[0].computations[0] = NULL;
  rejects(&s, "calls a computation that is not part of the module");
  s = make();
  s.call->attributes[0].count = 0;
  rejects(&s, "to_apply must name one computation");
  s = make();
  s.callee->parameters[0]->shape = hlo_shape_scalar(HLO_F32);
  rejects(&s, "the result has shape f32[], but f32[2] is stated");
}

// A chain of callers: the deepest that is allowed, and one more.
static void test_call_depth(void) {
  sample s = make(); // main calls callee: two deep
  hlo_computation *last = s.callee;
  for (int i = 2; i <= HLO_MAX_CALL_DEPTH + 1; i++) {
    hlo_computation *next = NULL;
    hlo_instruction *p = NULL, *call = NULL;
    hlo_attribute to_apply;
    CHECK(hlo_computation_create(s.module, "next", &next, &error) == HLO_OK);
    CHECK(hlo_build_parameter(next, 0, s.x->shape, "p", &p, &error) == HLO_OK);
    CHECK(hlo_attribute_make_computation(&s.module->arena, HLO_ATTRIBUTE_TO_APPLY, last, &to_apply,
                                         &error) == HLO_OK);
    CHECK(hlo_build(next, HLO_OP_CALL, NULL, 1, &p, 1, &to_apply, &call, &error) == HLO_OK);
    CHECK(hlo_build_finish(next, NULL, &error) == HLO_OK);
    last = next;
    if (i == HLO_MAX_CALL_DEPTH) CHECK(hlo_verify(s.module, &error) == HLO_OK);
  }
  rejects(&s, "computations call each other more than 200 deep");
}

static void test_out_of_memory(void) {
  sample s = make();
  hlo_memory_fail_after(1);
  CHECK(hlo_verify(s.module, &error) == HLO_OUT_OF_MEMORY);
  hlo_memory_fail_after(0);
  hlo_module_destroy(s.module);
  CHECK(hlo_memory_in_use() == 0);
}

int main(void) {
  test_accepts();
  test_module_structure();
  test_order_and_operands();
  test_shapes_and_values();
  test_parameters();
  test_calls();
  test_call_depth();
  test_out_of_memory();
  return CHECK_RESULT();
}
