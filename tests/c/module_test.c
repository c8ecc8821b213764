// Checks hlo/module.c, name_table.c and attribute.c: unique names, large modules, parameters,
// errors, and what happens when memory runs out.
#include "hlo/hlo.h"
#include "hlo/name_hash.h"

#include <string.h>

#include "check.h"

static hlo_error error;

static hlo_module *new_module(void) {
  hlo_module *module = NULL;
  hlo_error_clear(&error);
  CHECK(hlo_module_create("m", &module, &error) == HLO_OK);
  return module;
}

static hlo_computation *new_computation(hlo_module *module, const char *name) {
  hlo_computation *computation = NULL;
  CHECK(hlo_computation_create(module, name, &computation, &error) == HLO_OK);
  return computation;
}

static hlo_instruction *new_instruction(hlo_computation *computation, hlo_opcode opcode,
                                        const char *name) {
  hlo_instruction *instruction = NULL;
  CHECK(hlo_instruction_create(computation, opcode, name, hlo_shape_scalar(HLO_F32), 0, NULL, 0,
                               NULL, &instruction, &error) == HLO_OK);
  return instruction;
}

static void test_names(void) {
  hlo_module *module = new_module();
  hlo_computation *main_computation = new_computation(module, "main");
  CHECK(strcmp(module->name, "m") == 0);
  CHECK(strcmp(new_computation(module, "main")->name, "main.1") == 0);
  CHECK(strcmp(new_computation(module, "main.1")->name, "main.1.1") == 0);
  CHECK(strcmp(new_computation(module, "main")->name, "main.2") == 0);
  CHECK(module->computation_count == 4 && module->computations[3]->index == 3);
  CHECK(hlo_module_find(module, "main") == main_computation);
  CHECK(hlo_module_find(module, "main.2") == module->computations[3]);
  CHECK(hlo_module_find(module, "mai") == NULL && hlo_module_find(module, "") == NULL);

  hlo_instruction *add = new_instruction(main_computation, HLO_OP_ADD, NULL);
  CHECK(strcmp(add->name, "add") == 0 && add->id == 0 && add->computation == main_computation);
  CHECK(strcmp(new_instruction(main_computation, HLO_OP_ADD, "add.2")->name, "add.2") == 0);
  CHECK(strcmp(new_instruction(main_computation, HLO_OP_ADD, NULL)->name, "add.1") == 0);
  CHECK(strcmp(new_instruction(main_computation, HLO_OP_ADD, NULL)->name, "add.3") == 0);
  CHECK(hlo_computation_find(main_computation, "add.3,", 5) == main_computation->instructions[3]);
  CHECK(hlo_computation_find(main_computation, "add", 2) == NULL);
  CHECK(hlo_computation_find(main_computation, "add\0.1", 6) == NULL);
  CHECK(hlo_computation_find(module->computations[1], "add", 3) == NULL);
  hlo_module_destroy(module);
  hlo_module_destroy(NULL);
  CHECK(hlo_memory_in_use() == 0);
}

// 100 000 equal names and as many different ones: would take minutes if any step were linear.
static void test_many_instructions(void) {
  enum { COUNT = 100000 };
  hlo_module *module = new_module();
  hlo_computation *computation = new_computation(module, "main");
  for (int i = 0; i < COUNT; i++) new_instruction(computation, HLO_OP_ADD, NULL);
  for (int i = 0; i < COUNT; i++) {
    char name[32];
    snprintf(name, sizeof name, "add.%d.x", i);
    new_instruction(computation, HLO_OP_ADD, name);
  }
  CHECK(computation->instruction_count == 2 * COUNT);
  CHECK(strcmp(computation->instructions[COUNT - 1]->name, "add.99999") == 0);
  CHECK(hlo_computation_find(computation, "add.77777", 9) == computation->instructions[77777]);
  CHECK(hlo_computation_find(computation, "add.5.x", 7) == computation->instructions[COUNT + 5]);
  CHECK(computation->instructions[123456]->id == 123456);
  hlo_module_destroy(module);
}

static hlo_instruction *new_parameter(hlo_computation *computation, int64_t number) {
  hlo_instruction *parameter = new_instruction(computation, HLO_OP_PARAMETER, "p");
  parameter->parameter_number = number;
  return parameter;
}

// Names whose FNV-1a hashes are equal: from each hash on two blocks that lead to the next one (A.
// Joux, "Multicollisions in Iterated Hash Functions", 2004), so that STEPS blocks make 2^STEPS
// names.
enum { STEPS = 13, BLOCK = 10, TRIED = 1 << 18, SLOTS = 1 << 19 };

static uint32_t hash_on(uint32_t hash, const char *block) {
  for (int i = 0; i < BLOCK; i++) hash = (hash ^ (unsigned char)block[i]) * 16777619u;
  return hash;
}

// Of letters that differ in many bits: short blocks of near ones never collide.
static void make_block(char *block, uint32_t n) {
  uint64_t bits = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
  for (int i = 0; i < BLOCK; i++, bits >>= 6) block[i] = (char)('0' + (bits & 63));
}

static uint32_t find_pair(uint32_t hash, char pair[2][BLOCK]) {
  static uint32_t seen[SLOTS]; // block + 1 by the low bits of its hash
  memset(seen, 0, sizeof seen);
  for (uint32_t n = 0; n < TRIED; n++) {
    make_block(pair[0], n);
    uint32_t next = hash_on(hash, pair[0]);
    for (uint32_t slot = next % SLOTS;; slot = (slot + 1) % SLOTS) {
      if (seen[slot] == 0) {
        seen[slot] = n + 1;
        break;
      }
      make_block(pair[1], seen[slot] - 1);
      if (hash_on(hash, pair[1]) == next) return next;
    }
  }
  CHECK(false);
  return hash;
}

static void test_colliding_names(void) {
  char pairs[STEPS][2][BLOCK], name[STEPS * BLOCK + 1] = {0};
  uint32_t hash = hlo_name_hash("", 0);
  for (int i = 0; i < STEPS; i++) hash = find_pair(hash, pairs[i]);
  hlo_arena arena = {0};
  hlo_name_table table = {0};
  const char *entered;
  for (int32_t n = 0; n < 1 << STEPS; n++) {
    for (int i = 0; i < STEPS; i++) memcpy(name + BLOCK * i, pairs[i][n >> i & 1], BLOCK);
    CHECK(hlo_name_hash(name, STEPS * BLOCK) == hash);
    CHECK(hlo_name_table_add(&table, &arena, name, &pairs[n % STEPS], &entered, &error) == HLO_OK);
    CHECK(hlo_name_table_find(&table, name, STEPS * BLOCK) == &pairs[n % STEPS]);
  }
  CHECK(table.count == 1 << STEPS);
  for (int32_t i = 0; i < table.capacity; i++) {
    const hlo_name_entry *entry = &table.entries[i];
    if (entry->name == NULL) continue;
    uint32_t mask = (uint32_t)table.capacity - 1;
    CHECK((((uint32_t)i - entry->hash) & mask) < HLO_NAME_MOST_PROBES);
  }
  hlo_arena_free(&arena);
}

static void test_parameters(void) {
  hlo_module *module = new_module();
  hlo_computation *computation = new_computation(module, "f");
  hlo_instruction *one = new_parameter(computation, 1), *zero = new_parameter(computation, 0);
  new_instruction(computation, HLO_OP_ADD, NULL);
  CHECK(hlo_computation_collect_parameters(computation, &error) == HLO_OK);
  CHECK(computation->parameter_count == 2 && computation->parameters[0] == zero &&
        computation->parameters[1] == one);

  new_parameter(computation, 3);
  CHECK(hlo_computation_collect_parameters(computation, &error) == HLO_SHAPE_ERROR);
  CHECK(strcmp(error.message, "instruction %p.2 (parameter): parameter number 3 is not below the "
                              "number of parameters, 3") == 0);
  hlo_error_clear(&error);
  hlo_computation *twice = new_computation(module, "g");
  new_parameter(twice, 0);
  new_parameter(twice, 0);
  CHECK(hlo_computation_collect_parameters(twice, &error) == HLO_SHAPE_ERROR);
  CHECK(strcmp(error.message, "instruction %p.1 (parameter): parameter number 0 is taken by %p") ==
        0);
  hlo_error_clear(&error);
  hlo_computation *negative = new_computation(module, "h");
  new_parameter(negative, -1);
  CHECK(hlo_computation_collect_parameters(negative, &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  hlo_computation *none = new_computation(module, "i");
  CHECK(hlo_computation_collect_parameters(none, &error) == HLO_OK && none->parameter_count == 0);
  hlo_module_destroy(module);
}

static void test_attributes(void) {
  hlo_module *module = new_module();
  hlo_computation *computation = new_computation(module, "f");
  const int64_t dims[] = {2, 0, 1};
  hlo_attribute attributes[4];
  CHECK(hlo_attribute_make_ints(&module->arena, HLO_ATTRIBUTE_DIMENSIONS, 3, dims, &attributes[0],
                                &error) == HLO_OK);
  attributes[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, 7);
  attributes[2] = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "LT");
  CHECK(hlo_attribute_make_computation(&module->arena, HLO_ATTRIBUTE_TO_APPLY, computation,
                                       &attributes[3], &error) == HLO_OK);
  hlo_instruction *instruction = NULL;
  CHECK(hlo_instruction_create(computation, HLO_OP_TRANSPOSE, "t", hlo_shape_scalar(HLO_F32), 0,
                               NULL, 4, attributes, &instruction, &error) == HLO_OK);
  int32_t count = -1;
  const int64_t *ints = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  CHECK(count == 3 && ints != dims && ints[0] == 2 && ints[1] == 0 && ints[2] == 1);
  CHECK(hlo_get_ints(instruction, HLO_ATTRIBUTE_LHS_BATCH_DIMS, &count) == NULL && count == 0);
  CHECK(hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX, 0) == 7);
  CHECK(hlo_get_int(instruction, HLO_ATTRIBUTE_IOTA_DIMENSION, -5) == -5);
  CHECK(strcmp(hlo_get_text(instruction, HLO_ATTRIBUTE_DIRECTION), "LT") == 0);
  CHECK(hlo_get_text(instruction, HLO_ATTRIBUTE_TYPE) == NULL);
  CHECK(hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY) == computation);
  CHECK(hlo_get_computation(instruction, HLO_ATTRIBUTE_BODY) == NULL);
  hlo_module_destroy(module);
}

static void test_located_error(void) {
  hlo_module *module = new_module();
  hlo_instruction *instruction = new_instruction(new_computation(module, "f"), HLO_OP_ADD, "sum");
  instruction->line = 12;
  instruction->column = 3;
  CHECK(hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, &error, "%d and %s", 5, "x") ==
        HLO_SHAPE_ERROR);
  CHECK(error.line == 12 && error.column == 3);
  CHECK(strcmp(error.message, "instruction %sum (add): 5 and x") == 0);
  hlo_module_destroy(module);
}

// A module of some size; every allocation may fail.
static hlo_status build_small_module(void) {
  hlo_module *module;
  HLO_TRY(hlo_module_create("small", &module, &error));
  hlo_status status = HLO_OK;
  for (int c = 0; c < 20 && status == HLO_OK; c++) {
    hlo_computation *computation;
    status = hlo_computation_create(module, "c", &computation, &error);
    hlo_instruction *last = NULL;
    for (int i = 0; i < 40 && status == HLO_OK; i++) {
      hlo_attribute attribute;
      const int64_t number = i;
      status = hlo_attribute_make_ints(&module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &number,
                                       &attribute, &error);
      if (status != HLO_OK) break;
      int32_t before = computation->instruction_count;
      hlo_instruction *operands[] = {last};
      status = hlo_instruction_create(computation, i == 0 ? HLO_OP_PARAMETER : HLO_OP_NEGATE, "x",
                                      hlo_shape_scalar(HLO_F32), i > 0, operands, 1, &attribute,
                                      &last, &error);
      CHECK(computation->instruction_count == before + (status == HLO_OK));
    }
    if (status == HLO_OK) status = hlo_computation_collect_parameters(computation, &error);
  }
  hlo_module_destroy(module);
  return status;
}

static void test_out_of_memory(void) {
  hlo_status status = HLO_OUT_OF_MEMORY;
  int64_t failures = 0;
  for (int64_t n = 1; status != HLO_OK; n++) {
    hlo_error_clear(&error);
    hlo_memory_fail_after(n);
    status = build_small_module();
    hlo_memory_fail_after(0);
    CHECK(hlo_memory_in_use() == 0);
    if (status == HLO_OK) break;
    CHECK(status == HLO_OUT_OF_MEMORY && error.status == HLO_OUT_OF_MEMORY);
    failures++;
  }
  CHECK(failures > 3);
}

int main(void) {
  test_names();
  test_many_instructions();
  test_colliding_names();
  test_parameters();
  test_attributes();
  test_located_error();
  test_out_of_memory();
  return CHECK_RESULT();
}
