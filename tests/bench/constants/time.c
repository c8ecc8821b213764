// Times a program natively, by kernels on one thread: the least of many runs, in nanoseconds. See measure.sh.
//   time program.hlo seconds
#include "kernels/simd/kernels.h"
#include "passes/lower/refine_shapes.h"
#include "text/text.h"
#include "run/executable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void require(hlo_status status, const hlo_error *error) {
  if (status == HLO_OK) return;
  fprintf(stderr, "%d:%d: %s\n", (int)error->line, (int)error->column, error->message);
  exit(1);
}

// Small numbers in no order.
static hlo_array *create_argument(const hlo_shape *shape, hlo_error *error) {
  hlo_array *array;
  uint32_t state = 1;
  require(hlo_array_create(shape, NULL, &array, error), error);
  char *element = array->buffer->data;
  for (int64_t i = 0; i < hlo_shape_elements(shape); i++, element += hlo_type_bytes(shape->type)) {
    state = state * 1664525 + 1013904223;
    int64_t value = (int64_t)(state >> 8);
    hlo_element_set(shape->type, element,
                    (hlo_number){hlo_type_get_class(shape->type), value, (uint64_t)value, (double)value * 0x1p-24, 0});
  }
  return array;
}

int main(int argc, char **argv) {
  enum { MOST = 16 };
  static char text[1 << 16];
  hlo_error error = {0};
  hlo_module *module;
  hlo_executable *executable;
  hlo_array *arguments[MOST], *results[MOST];
  FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
  if (file == NULL) return 2;
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  hlo_parse_options parse = {.format = HLO_FORMAT_DETECT};
  hlo_compile_options options = {.backend = hlo_kernels_backend()};
  require(hlo_parse_for(text, length, &parse, &module, &error), &error);
  require(hlo_compile(module, &options, &executable, &error), &error);
  int32_t parameters = hlo_executable_parameter_count(executable);
  int32_t count = hlo_executable_result_count(executable);
  for (int32_t i = 0; i < parameters; i++)
    arguments[i] = create_argument(hlo_executable_parameter(executable, i), &error);
  double least = 1e30, end = now() + atof(argv[2]) * 1e9;
  while (now() < end) {
    double start = now();
    require(hlo_execute(executable, parameters, arguments, results, &error), &error);
    double took = now() - start;
    if (took < least) least = took;
    for (int32_t i = 0; i < count; i++) hlo_array_destroy(results[i]);
  }
  printf("%.0f\n", least);
  return 0;
}
