// The exported C API: shapes and arrays. Conventions and contracts in include/hlo.h.
#include "api/api.h"

#include "api/json.h"
#include "kernels/indexed/true_places.h"
#include "run/array.h"
#include "shape/literal.h"

// Parses one shape that takes up the whole text.
static hlo_status parse_shape(hlo_arena *arena, const char *text, uint32_t length,
                              const hlo_shape **out, hlo_error *error) {
  const char *at = text, *end = text + length;
  HLO_TRY(hlo_shape_parse(arena, &at, end, out, error));
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return HLO_OK;
  return hlo_fail_at(error, HLO_PARSE_ERROR, 1, (int32_t)(at - text) + 1,
                     "unexpected text after the shape");
}

int32_t hlo_api_shape_parse(const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape;
  hlo_status status = parse_shape(&arena, text, length, &shape, error);
  if (status == HLO_OK) {
    hlo_string *out = hlo_api_begin_text();
    hlo_json_shape(out, shape);
    status = hlo_string_status(out, error);
  }
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}

hlo_array *hlo_api_array_create(const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape;
  hlo_array *array = NULL;
  hlo_status status = parse_shape(&arena, text, length, &shape, error);
  if (status == HLO_OK && !hlo_shape_is_array(shape)) {
    status =
        hlo_fail(error, HLO_SHAPE_ERROR, "an array cannot have the shape %.*s", (int)length, text);
  }
  if (status == HLO_OK) status = hlo_array_create(shape, NULL, &array, error);
  hlo_arena_free(&arena);
  return status == HLO_OK ? array : NULL;
}

hlo_array *hlo_api_array_parse(const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape, *unpacked;
  hlo_literal literal;
  hlo_array *array = NULL;
  const char *at = text;
  hlo_status status = hlo_shape_parse(&arena, &at, text + length, &shape, error);
  int32_t shape_length = (int32_t)(at - text);
  if (status == HLO_OK && !hlo_shape_is_array(shape)) {
    status = hlo_fail(error, HLO_SHAPE_ERROR, "expected the shape of an array");
  }
  if (status == HLO_OK)
    status = hlo_literal_parse(&arena, shape, &at, text + length, &literal, error);
  if (status == HLO_OK) status = hlo_shape_unpacked(&arena, shape, &unpacked, error);
  if (status == HLO_OK) status = hlo_array_create(shape, NULL, &array, error);
  if (status == HLO_OK) {
    status = hlo_relayout(shape, array->buffer->data, unpacked, literal.data, error);
  } else if (error->line == 1) {
    error->column += shape_length; // positions count from where the literal starts
  }
  hlo_arena_free(&arena);
  if (status == HLO_OK) return array;
  hlo_array_destroy(array);
  return NULL;
}

void hlo_api_array_destroy(hlo_array *array) { hlo_array_destroy(array); }
void *hlo_api_array_data(const hlo_array *array) { return array->buffer->data; }
void hlo_api_array_shape(const hlo_array *array) {
  hlo_json_shape(hlo_api_begin_text(), array->shape);
}

int32_t hlo_api_array_bound(const hlo_array *array) {
  if (array->bound == NULL) return 0;
  hlo_json_shape(hlo_api_begin_text(), array->bound);
  return 1;
}

hlo_array *hlo_api_array_relayout(const hlo_array *array, const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape;
  hlo_array *result = NULL;
  hlo_status status = parse_shape(&arena, text, length, &shape, error);
  if (status == HLO_OK && !hlo_shape_compatible(shape, array->shape)) {
    char from[HLO_SHAPE_TEXT_SIZE], to[HLO_SHAPE_TEXT_SIZE];
    status = hlo_fail(error, HLO_SHAPE_ERROR, "an array of shape %s cannot be laid out as %s",
                      hlo_shape_to_text(from, array->shape), hlo_shape_to_text(to, shape));
  }
  if (status == HLO_OK) status = hlo_array_create(shape, NULL, &result, error);
  if (status == HLO_OK) {
    status = hlo_relayout(shape, result->buffer->data, array->shape, array->buffer->data, error);
  }
  hlo_arena_free(&arena);
  if (status == HLO_OK) return result;
  hlo_array_destroy(result);
  return NULL;
}

hlo_array *hlo_api_array_true_places(const hlo_array *array) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape = array->shape, *of_places;
  hlo_array *result = NULL;
  if (shape->type != HLO_PRED || shape->rank != 1 || shape->layout != NULL) {
    char text[HLO_SHAPE_TEXT_SIZE];
    hlo_fail(error, HLO_SHAPE_ERROR, "places are found in a vector of pred, got %s",
             hlo_shape_to_text(text, shape));
    return NULL;
  }
  const uint8_t *marks = array->buffer->data;
  int64_t count = hlo_count_true(shape->dims[0], marks);
  hlo_status status = hlo_shape_make(&arena, HLO_S32, 1, &count, &of_places, error);
  if (status == HLO_OK) status = hlo_array_create(of_places, NULL, &result, error);
  if (status == HLO_OK) hlo_true_places(marks, count, result->buffer->data);
  hlo_arena_free(&arena);
  return result;
}

int32_t hlo_api_array_print(const hlo_array *array) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  hlo_literal literal = {0};
  const hlo_shape *unpacked;
  hlo_status status = hlo_shape_unpacked(&arena, array->shape, &unpacked, error);
  if (status == HLO_OK) status = hlo_literal_make(&arena, unpacked, &literal, error);
  if (status == HLO_OK) {
    status = hlo_relayout(unpacked, literal.data, array->shape, array->buffer->data, error);
  }
  if (status == HLO_OK) {
    hlo_string *out = hlo_api_begin_text();
    hlo_literal_print(out, &literal);
    status = hlo_string_status(out, error);
  }
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}
