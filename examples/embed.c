// A StableHLO program compiled and run by the native engine: all that an embedder includes is
// hlo.h.
//   make native && cc -Iinclude examples/embed.c build/optimized/libhlo.a -lm -o embed && ./embed
// prints "f32[2] {2.5, 7}".
#include <hlo.h>

#include <stdio.h>
#include <string.h>

static const char program[] =
    "func.func @main(%x: tensor<2x3xf32>, %w: tensor<3xf32>) -> tensor<2xf32> {\n"
    "  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]\n"
    "      : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>\n"
    "  return %y : tensor<2xf32>\n"
    "}\n";

static int fail(const char *what) {
  fprintf(stderr, "%s: %s, line %d, column %d: %s\n", what, hlo_api_error_kind(),
          (int)hlo_api_error_line(), (int)hlo_api_error_column(), hlo_api_error_message());
  return 1;
}

// An array of that shape with a copy of the elements; NULL when there is no memory.
static hlo_array *array_of(const char *shape, const float *elements, size_t size) {
  hlo_array *array = hlo_api_array_create(shape, (uint32_t)strlen(shape));
  if (array != NULL) memcpy(hlo_api_array_data(array), elements, size);
  return array;
}

int main(void) {
  static const float x[] = {1, 2, 3, 4, 5, 6}, w[] = {0.5f, 1, 0};
  hlo_module *module = hlo_api_module_parse(program, sizeof program - 1, HLO_API_FORMAT_STABLEHLO,
                                            "", 0, "", 0, 0, 0, NULL);
  if (module == NULL) return fail("parse");
  hlo_executable *executable = hlo_api_compile(module, "", 0, 0);
  hlo_api_module_destroy(module);
  if (executable == NULL) return fail("compile");

  hlo_array *arguments[] = {array_of("f32[2,3]", x, sizeof x), array_of("f32[3]", w, sizeof w)};
  if (arguments[0] == NULL || arguments[1] == NULL) return fail("arguments");
  hlo_array *result;
  if (hlo_api_executable_run(executable, 2, arguments, &result, NULL) < 0) return fail("run");
  if (hlo_api_array_print(result) != 0) return fail("print");
  printf("f32[2] %s\n", hlo_api_text());

  hlo_api_array_destroy(result);
  hlo_api_array_destroy(arguments[0]);
  hlo_api_array_destroy(arguments[1]);
  hlo_api_executable_destroy(executable);
  return 0;
}
