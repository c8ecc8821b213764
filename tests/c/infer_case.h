// One line per inference case: an op, operand shapes, attributes, and the shape or the error that
// must come out. Included by the infer_*_test.c files.
#ifndef HLO_TESTS_INFER_CASE_H
#define HLO_TESTS_INFER_CASE_H

#include "hlo/infer.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

// operands: shapes with commas between them. attributes: words like "dimensions={0,1}",
// "direction=LT", "index=1", "to_apply=(f32[],f32[])->f32[]" (a computation of that type), with
// several in "branch_computations=(..)->..;(..)->.."; SLICE, PADDING and WINDOW are the plain
// integers. declared: a shape or NULL. Either shape (the result as text, without layout) or error
// (part of the message) is set.
typedef struct infer_case {
  const char *op, *operands, *attributes, *declared, *shape, *error;
} infer_case;

enum { MAX_CASE_OPERANDS = 16, MAX_CASE_ATTRIBUTES = 12, MAX_CASE_INTS = 80 };

static hlo_error case_error;

// Shapes up to the closing character or the end of the text.
static int parse_shapes(hlo_arena *arena, const char **cursor, char close,
                        const hlo_shape **shapes) {
  int count = 0;
  const char *end = *cursor + strlen(*cursor);
  while (**cursor == ' ') ++*cursor;
  while (**cursor != close && count < MAX_CASE_OPERANDS) {
    hlo_error error;
    hlo_error_clear(&error);
    if (hlo_shape_parse(arena, cursor, end, &shapes[count++], &error) != HLO_OK) {
      printf("bad shape in a test case: %s (%s)\n", *cursor, error.message);
      exit(2);
    }
    while (**cursor == ',' || **cursor == ' ') ++*cursor;
  }
  return count;
}

// "(f32[],s32[])->f32[]": a computation with these parameters and a root of that shape.
static hlo_computation *parse_signature(hlo_module *module, const char **cursor) {
  const hlo_shape *parameters[MAX_CASE_OPERANDS], *result[MAX_CASE_OPERANDS];
  hlo_computation *computation = NULL;
  hlo_instruction *instruction = NULL;
  hlo_error error;
  hlo_error_clear(&error);
  ++*cursor;
  int count = parse_shapes(&module->arena, cursor, ')', parameters);
  *cursor += strlen(")->");
  const char *end = *cursor + strlen(*cursor);
  bool made = hlo_shape_parse(&module->arena, cursor, end, &result[0], &error) == HLO_OK &&
              hlo_computation_create(module, "f", &computation, &error) == HLO_OK;
  for (int i = 0; made && i < count; i++) {
    made = hlo_instruction_create(computation, HLO_OP_PARAMETER, NULL, parameters[i], 0, NULL, 0,
                                  NULL, &instruction, &error) == HLO_OK;
    if (made) instruction->parameter_number = i;
  }
  made = made &&
         hlo_instruction_create(computation, HLO_OP_CUSTOM_CALL, NULL, result[0], 0, NULL, 0, NULL,
                                &computation->root, &error) == HLO_OK &&
         hlo_computation_collect_parameters(computation, &error) == HLO_OK;
  if (!made) {
    printf("bad signature in a test case: %s\n", error.message);
    exit(2);
  }
  return computation;
}

static hlo_attribute parse_attribute(hlo_module *module, const char **cursor) {
  size_t length = strcspn(*cursor, "=");
  hlo_attribute_id id = hlo_attribute_from_name(*cursor, length);
  if (id == HLO_ATTRIBUTE_COUNT) {
    printf("bad attribute in a test case: %s\n", *cursor);
    exit(2);
  }
  hlo_attribute attribute = {.id = id};
  *cursor += length + 1;
  int64_t ints[MAX_CASE_INTS];
  hlo_computation *computations[MAX_CASE_OPERANDS];
  char *end;
  switch (hlo_attribute_get_kind(id)) {
  case HLO_KIND_INT:
  case HLO_KIND_BOOL:
    attribute.integer = strtoll(*cursor, &end, 10);
    break;
  case HLO_KIND_FLOAT:
    attribute.real = strtod(*cursor, &end);
    break;
  case HLO_KIND_INTS:
  case HLO_KIND_SLICE:
  case HLO_KIND_PADDING:
  case HLO_KIND_WINDOW:
    for (end = (char *)(uintptr_t)*cursor + 1; *end != '}' && attribute.count < MAX_CASE_INTS;) {
      ints[attribute.count++] = strtoll(end, &end, 10);
      if (*end == ',') end++;
    }
    end++;
    hlo_attribute_make_ints(&module->arena, id, attribute.count, ints, &attribute, &case_error);
    break;
  case HLO_KIND_GROUPS: { // rows of equal or different length: {0,1;2,3}
    int64_t rows[MAX_CASE_INTS] = {0};
    int32_t row_count = 0;
    for (end = (char *)(uintptr_t)*cursor + 1; *end != '}';) {
      if (*end == ';') row_count++, end++;
      ints[attribute.count++] = strtoll(end, &end, 10);
      rows[row_count]++;
      if (*end == ',') end++;
    }
    end++;
    row_count += attribute.count > 0;
    int64_t *row_lengths = hlo_arena_array(&module->arena, (size_t)row_count, sizeof *row_lengths);
    memcpy(row_lengths, rows, (size_t)row_count * sizeof *rows);
    hlo_attribute_make_ints(&module->arena, id, attribute.count, ints, &attribute, &case_error);
    attribute.row_count = row_count;
    attribute.row_lengths = row_lengths;
    break;
  }
  case HLO_KIND_COMPUTATION:
  case HLO_KIND_COMPUTATIONS: {
    int32_t count = 0;
    while (**cursor == '(') {
      computations[count++] = parse_signature(module, cursor);
      if (**cursor == ';') ++*cursor;
    }
    hlo_attribute_make_computations(&module->arena, id, count, computations, &attribute,
                                    &case_error);
    return attribute;
  }
  default:
    length = strcspn(*cursor, " ");
    attribute.text = hlo_arena_copy_text(&module->arena, *cursor, length);
    end = (char *)(uintptr_t)*cursor + length;
  }
  *cursor = end;
  return attribute;
}

// Runs one case: prints what is wrong with it, and returns whether it passed.
static bool passes(const infer_case *c) {
  hlo_module *module = NULL;
  hlo_error_clear(&case_error);
  if (hlo_module_create("m", &module, &case_error) != HLO_OK) return false;
  hlo_instruction operands[MAX_CASE_OPERANDS] = {0}, *pointers[MAX_CASE_OPERANDS];
  hlo_attribute attributes[MAX_CASE_ATTRIBUTES];
  const hlo_shape *shapes[MAX_CASE_OPERANDS], *declared = NULL, *result = NULL;
  hlo_instruction x = {.opcode = hlo_op_from_name(c->op, strlen(c->op)),
                       .name = "x",
                       .operands = pointers,
                       .attributes = attributes};
  const char *cursor = c->operands;
  x.operand_count = parse_shapes(&module->arena, &cursor, '\0', shapes);
  for (int i = 0; i < x.operand_count; i++) {
    operands[i].shape = shapes[i];
    pointers[i] = &operands[i];
  }
  cursor = c->attributes;
  while (*cursor != '\0' && x.attribute_count < MAX_CASE_ATTRIBUTES) {
    attributes[x.attribute_count++] = parse_attribute(module, &cursor);
    while (*cursor == ' ') cursor++;
  }
  cursor = c->declared;
  if (cursor != NULL) parse_shapes(&module->arena, &cursor, '\0', shapes), declared = shapes[0];

  hlo_status status = hlo_infer_shape(&x, declared, &module->arena, &result, &case_error);
  hlo_string text = {0};
  bool passed;
  if (c->error != NULL) {
    passed = status == HLO_SHAPE_ERROR && strstr(case_error.message, c->error) != NULL;
  } else {
    passed = status == HLO_OK;
    if (passed) {
      hlo_shape_print(&text, result, false);
      passed = strcmp(text.text, c->shape) == 0 && (declared == NULL || result == declared);
    }
  }
  if (!passed)
    printf("%s(%s) %s: got %s, %s\n", c->op, c->operands, c->attributes,
           text.text == NULL ? "-" : text.text, case_error.message);
  hlo_string_free(&text);
  hlo_module_destroy(module);
  return passed;
}

static void run_cases(const infer_case *cases, size_t count) {
  for (size_t i = 0; i < count; i++)
    CHECK_MESSAGE(passes(&cases[i]), "case %zu (%s) failed", i, cases[i].op);
  CHECK(hlo_memory_in_use() == 0);
}
#define RUN_CASES(cases) run_cases(cases, sizeof(cases) / sizeof *(cases))

#endif
