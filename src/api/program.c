// The exported C API: programs, executables and runs. Conventions and contracts in include/hlo.h.
#include "api/api.h"

#include "api/json.h"
#include "codegen/codegen.h"
#include "hlo/label.h"
#include "kernels/machine.h"
#include "kernels/simd/kernels.h"
#include "passes/lower/refine_shapes.h"
#include "run/executable.h"
#include "text/digest.h"

#include <string.h>

// Shapes one after the other, with blanks between them.
static hlo_status parse_shapes(hlo_arena *arena, const char *text, uint32_t length, int32_t *count,
                               const hlo_shape ***out, hlo_error *error) {
  const char *end = text + length;
  while (text < end && *text == ' ') text++;
  HLO_ALLOC(*out, arena, length / 2 + 1, error); // the shortest shape is "()"
  for (*count = 0; text < end; ++*count) {
    HLO_TRY(hlo_shape_parse(arena, &text, end, &(*out)[*count], error));
    while (text < end && *text == ' ') text++;
  }
  return HLO_OK;
}

// Parses with the elements of the arrays (NULL: unknown), since the shapes alone were not enough.
// Writes the indices of those that sizes depend on to the text buffer as a JSON list.
static hlo_status parse_for_values(const char *text, uint32_t length, hlo_parse_options *options,
                                   hlo_array *const *arrays, hlo_arena *arena, hlo_module **out,
                                   hlo_error *error) {
  const void **values;
  int32_t count = options->shape_count;
  HLO_ALLOC(values, arena, count, error);
  HLO_ALLOC(options->asked, arena, count, error);
  for (int32_t i = 0; i < count; i++) {
    if (arrays[i] != NULL && hlo_layout_is_default(arrays[i]->shape->layout))
      values[i] = arrays[i]->buffer->data;
  }
  options->values = values;
  hlo_error_clear(error);
  HLO_TRY(hlo_parse_for(text, length, options, out, error));
  hlo_string *list = hlo_api_begin_text();
  for (int32_t i = 0; i < count; i++) {
    if (!options->asked[i]) continue;
    hlo_string_add_char(list, list->length == 0 ? '[' : ',');
    hlo_string_add_int(list, i);
  }
  hlo_string_add(list, list->length == 0 ? "[]" : "]");
  return hlo_string_status(list, error);
}

hlo_module *hlo_api_module_parse(const char *text, uint32_t length, uint32_t format,
                                 const char *shapes_text, uint32_t shapes_length,
                                 const char *platform, uint32_t platform_length, int32_t vjp,
                                 int32_t array_count, hlo_array *const *arrays) {
  hlo_module *module = NULL;
  hlo_arena arena = {0};
  hlo_error *error = hlo_api_begin_attempt(NULL);
  hlo_string *out = hlo_api_begin_text();
  _Static_assert((int)HLO_API_FORMAT_HLO == (int)HLO_FORMAT_HLO &&
                     (int)HLO_API_FORMAT_STABLEHLO == (int)HLO_FORMAT_STABLEHLO,
                 "the same formats");
  hlo_parse_options options = {.format = (hlo_text_format)format,
                               .argument_types = out,
                               .vjp = vjp,
                               .platform = hlo_arena_copy_text(&arena, platform, platform_length)};
  const hlo_shape **shapes = NULL;
  hlo_status status =
      parse_shapes(&arena, shapes_text, shapes_length, &options.shape_count, &shapes, error);
  options.shapes = shapes;
  if (status == HLO_OK) status = hlo_parse_for(text, length, &options, &module, error);
  if (status == HLO_OK) hlo_string_add(out, "[]");
  if (status == HLO_OPEN_PROGRAM && array_count > 0 && array_count == options.shape_count)
    status = parse_for_values(text, length, &options, arrays, &arena, &module, error);
  if (status == HLO_OK || status == HLO_OPEN_PROGRAM) {
    hlo_string_add_char(out, '\n');
    hlo_api_add_signature(out, text, length, vjp); // on a line of its own
  }
  hlo_arena_free(&arena);
  hlo_api_end_attempt();
  return module;
}
void hlo_api_module_destroy(hlo_module *module) { hlo_module_destroy(module); }

int32_t hlo_api_digest(const char *text, uint32_t length, const char *key, uint32_t key_length) {
  uint64_t words[2];
  hlo_error *error = hlo_api_begin_attempt(NULL);
  hlo_string *out = hlo_api_begin_text();
  hlo_status status = HLO_OK;
  if (key_length == sizeof words) {
    memcpy(words, key, sizeof words);
    hlo_digest digest = hlo_digest_of(text, length, words);
    for (int bit = 124; bit >= 0; bit -= 4)
      hlo_string_add_char(out, "0123456789abcdef"[digest.words[bit / 64] >> bit % 64 & 15]);
    status = hlo_string_status(out, error);
  } else {
    status = hlo_fail(error, HLO_INVALID_ARGUMENT, "the key has 16 bytes");
  }
  hlo_api_end_attempt();
  return status == HLO_OK ? 0 : -1;
}

static int32_t print_module(const hlo_module *module, uint32_t format) {
  hlo_error *error = hlo_api_begin_attempt(NULL);
  hlo_string *out = hlo_api_begin_text();
  hlo_status status = HLO_OK;
  if (format == HLO_API_FORMAT_STABLEHLO) status = hlo_print_stablehlo(out, module, error);
  else hlo_print_hlo(out, module);
  if (status == HLO_OK) status = hlo_string_status(out, error);
  hlo_api_end_attempt();
  return status == HLO_OK ? 0 : -1;
}

int32_t hlo_api_module_print(const hlo_module *module, uint32_t format) {
  return print_module(module, format);
}
int32_t hlo_api_executable_print(const hlo_executable *executable, uint32_t format) {
  return print_module(hlo_executable_module(executable), format);
}

// What the parameter is called in the program that it comes from, where that is known.
static void add_label(hlo_string *out, const hlo_instruction *parameter) {
  hlo_string label = {0};
  if (hlo_add_label(&label, parameter) && !label.failed)
    hlo_json_field_text(out, "label", label.text);
  hlo_string_free(&label);
}

static void add_computation(hlo_string *out, const hlo_module *module,
                            const hlo_computation *computation) {
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", computation->name);
  hlo_json_field_bool(out, "isEntry", computation == module->entry);
  hlo_json_field_bool(out, "isFunction", computation->is_function);
  hlo_json_field_int(out, "instructions", computation->instruction_count);
  hlo_json_key(out, "parameters");
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < computation->parameter_count; i++) {
    hlo_json_comma(out);
    hlo_string_add_char(out, '{');
    hlo_json_field_text(out, "name", computation->parameters[i]->name);
    add_label(out, computation->parameters[i]);
    hlo_json_key(out, "shape");
    hlo_json_shape(out, computation->parameters[i]->shape);
    hlo_string_add_char(out, '}');
  }
  hlo_string_add(out, "],\"result\":");
  hlo_json_shape(out, computation->root->shape);
  hlo_string_add_char(out, '}');
}

void hlo_api_module_describe(const hlo_module *module) {
  hlo_string *out = hlo_api_begin_text();
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", module->name);
  hlo_json_key(out, "computations");
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < module->computation_count; i++) {
    add_computation(out, module, module->computations[i]);
  }
  hlo_string_add(out, "]}");
}

hlo_executable *hlo_api_compile(const hlo_module *module, const char *name, uint32_t length,
                                uint32_t flags) {
  hlo_error *error = hlo_api_begin();
  const hlo_backend *backend = hlo_kernels_backend();
  hlo_compile_options options = {.reference = (flags & HLO_API_COMPILE_REFERENCE) != 0,
                                 .backend = backend,
                                 .target = backend->target,
                                 .optimize = (flags & HLO_API_COMPILE_UNOPTIMIZED) == 0,
                                 .unless_small = (flags & HLO_API_COMPILE_UNLESS_SMALL) != 0,
                                 .passes = {.supports_fusion = hlo_emit_supports}};
  if (flags & HLO_API_COMPILE_FOR_SIMD) options.target.relaxed_simd = false;
  if (flags & HLO_API_COMPILE_FOR_RELAXED_SIMD) options.target.relaxed_simd = true;
  if (!(flags & HLO_API_COMPILE_FUSE_ALL))
    options.passes.fewest_elements = HLO_FUSE_FEWEST_ELEMENTS;
  for (int32_t i = 0; length > 0 && i < module->computation_count; i++) {
    const hlo_computation *computation = module->computations[i];
    if (strlen(computation->name) == length && memcmp(computation->name, name, length) == 0) {
      options.computation = computation;
    }
  }
  if (length > 0 && options.computation == NULL) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "module %s has no computation %.*s", module->name,
             (int)length, name);
    return NULL;
  }
  hlo_executable *executable = NULL;
  error = hlo_api_begin_attempt(module);
  hlo_compile(module, &options, &executable, error);
  hlo_api_end_attempt();
  return executable;
}
int32_t hlo_api_executable_code(const hlo_executable *executable, int32_t shared_memory) {
  int32_t count = hlo_executable_kernel_count(executable);
  if (count == 0) return 0;
  hlo_error *error = hlo_api_begin_attempt(NULL);
  hlo_status status =
      hlo_executable_code(executable, shared_memory != 0, hlo_api_begin_text(), error);
  hlo_api_end_attempt();
  return status == HLO_OK ? count : -1;
}
int32_t hlo_api_executable_has_parts(const hlo_executable *executable) {
  return hlo_executable_has_parts(executable);
}
void hlo_api_executable_install(hlo_executable *executable, int32_t count,
                                const uint32_t *indices) {
  for (int32_t i = 0; i < count; i++) {
    hlo_executable_install(executable, i, (hlo_emitted_function *)(uintptr_t)indices[i]);
  }
}
hlo_executable *hlo_api_executable_share(const hlo_executable *executable) {
  hlo_executable *shared = NULL;
  hlo_executable_share(executable, &shared, hlo_api_begin());
  return shared;
}
hlo_module *hlo_api_executable_source(const hlo_executable *executable) {
  return hlo_module_share(hlo_executable_source(executable));
}
void hlo_api_executable_destroy(hlo_executable *executable) { hlo_executable_destroy(executable); }

void hlo_api_executable_describe(const hlo_executable *executable) {
  hlo_string *out = hlo_api_begin_text();
  hlo_string_add_char(out, '{');
  hlo_json_field_bool(out, "isDynamic", hlo_executable_has_dynamic_sizes(executable));
  hlo_json_key(out, "parameters");
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < hlo_executable_parameter_count(executable); i++) {
    hlo_json_comma(out);
    hlo_json_shape(out, hlo_executable_parameter(executable, i));
  }
  hlo_string_add(out, "],\"results\":[");
  for (int32_t i = 0; i < hlo_executable_result_count(executable); i++) {
    hlo_json_comma(out);
    hlo_json_shape(out, hlo_executable_result(executable, i));
  }
  hlo_memory_report memory = hlo_executable_memory(executable);
  hlo_string_add(out, "],\"memory\":{");
  hlo_json_field_int(out, "arguments", memory.arguments);
  hlo_json_field_int(out, "results", memory.results);
  hlo_json_field_int(out, "constants", memory.constants);
  hlo_json_field_int(out, "temporaries", memory.temporaries);
  hlo_json_field_int(out, "peak", memory.peak);
  hlo_string_add(out, "}}");
}
