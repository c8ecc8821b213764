// Fuzzes the text of shapes and literals: a shape, then values for it. What is accepted must print
// to a text that is read back as the same; nothing may crash, leak or fill the memory.
#include "shape/literal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Ends the program where the fuzzer sees it.
static void require(bool condition) {
  if (!condition) abort();
}

static void check_shape(hlo_arena *arena, const hlo_shape *shape) {
  hlo_error error = {0};
  hlo_string text = {0}, again_text = {0};
  const hlo_shape *again;
  require(hlo_shape_validate(shape, &error) == HLO_OK);
  hlo_shape_print(&text, shape, true);
  const char *cursor = text.text, *end = text.text + text.length;
  require(hlo_shape_parse(arena, &cursor, end, &again, &error) == HLO_OK && cursor == end);
  require(hlo_shape_equal(shape, again));
  hlo_shape_print(&again_text, again, true);
  require(strcmp(text.text, again_text.text) == 0);
  hlo_string_free(&text);
  hlo_string_free(&again_text);
}

static void check_memory(const hlo_literal *a, const hlo_literal *b) {
  for (int32_t i = 0; i < a->shape->element_count; i++) {
    check_memory(&a->elements[i], &b->elements[i]);
  }
  if (a->data == NULL) return;
  size_t bytes = (size_t)hlo_shape_memory_elements(a->shape);
  require(memcmp(a->data, b->data, bytes * (size_t)hlo_type_bytes(a->shape->type)) == 0);
}

static void check_literal(hlo_arena *arena, const hlo_literal *literal) {
  hlo_error error = {0};
  hlo_string text = {0};
  hlo_literal again;
  hlo_literal_print(&text, literal);
  const char *cursor = text.text, *end = text.text + text.length;
  hlo_status status = hlo_literal_parse(arena, literal->shape, &cursor, end, &again, &error);
  if (status != HLO_OUT_OF_MEMORY) {
    require(status == HLO_OK && cursor == end);
    check_memory(literal, &again);
  }
  hlo_string_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_memory_set_limit((size_t)64 << 20);
  hlo_arena arena = {0};
  hlo_error error = {0};
  const hlo_shape *shape;
  hlo_literal literal;
  const char *cursor = (const char *)data, *end = cursor + size;
  hlo_status status = hlo_shape_parse(&arena, &cursor, end, &shape, &error);
  if (status == HLO_OK) {
    check_shape(&arena, shape);
    const char *values = cursor;
    status = hlo_literal_parse(&arena, shape, &cursor, end, &literal, &error);
    if (status == HLO_OK) check_literal(&arena, &literal);
    else require(error.column <= end - values + 1 && cursor == values);
  }
  require(status == error.status && (status == HLO_OK || error.message[0] != '\0'));
  hlo_arena_free(&arena);
  require(hlo_memory_in_use() == 0);
  return 0;
}
