// Makes kernels from fusions, and modules from kernels. See codegen.h.
#include "codegen/codegen.h"

#include "codegen/encode/driver.h"
#include "codegen/encode/kernel.h"

#include <string.h>

enum {
  SECTION_TYPES = 1,
  SECTION_IMPORTS = 2,
  SECTION_FUNCTIONS = 3,
  SECTION_EXPORTS = 7,
  SECTION_CODE = 10
};
enum {
  FUNCTION_TYPE = 0x60,
  TYPE_F32 = 0x7d,
  TYPE_F64 = 0x7c,
  TYPE_I64 = 0x7e,
  KIND_FUNCTION = 0,
  KIND_MEMORY = 2,
  SHARED_WITH_MAXIMUM = 3,
  MOST_PAGES = 65536
};

// --- one kernel ---

// Whether the step writes that element of the result.
static bool is_written(const hlo_emitter *e, int32_t leaf, const hlo_access *load) {
  for (int32_t o = 0; o < e->output_count; o++) {
    const hlo_access *store = &e->accesses[e->outputs[o].access];
    if (e->outputs[o].leaf == leaf && store->size == load->size &&
        hlo_position_equal(&store->position, &load->position))
      return true;
  }
  return false;
}

// Whether each read of the operand is of an element of the result that the step writes.
static bool may_reuse(const hlo_emitter *e, int32_t argument, int32_t leaf) {
  bool reads = false;
  for (int32_t a = 0; a < e->access_count; a++) {
    const hlo_access *access = &e->accesses[a];
    if (access->kind != HLO_ACCESS_LOAD || access->argument != argument) continue;
    if (access->guarded > 0 || !is_written(e, leaf, access)) return false;
    reads = true;
  }
  return reads;
}

static void list_in_place(const hlo_emitter *e, int32_t leaves, int32_t *in_place) {
  // With reductions an operand may be read again after another result was written.
  bool may = e->reduction_count == 0 || leaves == 1;
  for (int32_t i = 0; i < leaves; i++) {
    in_place[i] = -1;
    for (int32_t a = 0; may && a < e->argument_count && in_place[i] < 0; a++) {
      if (e->arguments[a].kind != HLO_ARGUMENT_OPERAND || !may_reuse(e, a, i)) continue;
      bool taken = false;
      for (int32_t j = 0; j < i; j++) taken = taken || in_place[j] == e->arguments[a].index;
      if (!taken) in_place[i] = e->arguments[a].index;
    }
  }
}

static hlo_status emit_into(hlo_arena *arena, hlo_emitter *e, hlo_string *body,
                            const hlo_emit_kernel **out) {
  hlo_emit_kernel kernel = {0};
  if (!hlo_emit_lower(e)) {
    bool failed = e->out_of_memory || e->graph.failed;
    return failed ? hlo_fail_out_of_memory(e->error) : HLO_OK;
  }
  int32_t leaves = e->output_count / e->parts.count;
  int32_t *in_place = hlo_arena_array(arena, (size_t)leaves, sizeof *in_place);
  hlo_emit_read *reads =
      hlo_arena_array(arena, (size_t)e->fusion->operand_count + 1, sizeof *reads);
  if (in_place == NULL || reads == NULL) return hlo_fail_out_of_memory(e->error);
  list_in_place(e, leaves, in_place);
  if (!hlo_kernel_write(e, &kernel, reads, body)) return hlo_fail_out_of_memory(e->error);
  hlo_emit_kernel *made = hlo_arena_array(arena, 1, sizeof *made);
  hlo_emit_argument *arguments =
      hlo_arena_array(arena, (size_t)e->argument_count, sizeof *arguments);
  char *bytes = hlo_arena_copy_text(arena, body->text, body->length);
  if (made == NULL || arguments == NULL || bytes == NULL) return hlo_fail_out_of_memory(e->error);
  memcpy(arguments, e->arguments, (size_t)e->argument_count * sizeof *arguments);
  *made = kernel;
  made->argument_count = e->argument_count;
  made->arguments = arguments;
  made->in_place = in_place;
  made->reads = reads;
  made->body = bytes;
  made->body_length = body->length;
  *out = made;
  return HLO_OK;
}

static hlo_emitter *create_emitter(hlo_target target, hlo_arena *arena,
                                   const hlo_instruction *fusion, hlo_error *error) {
  hlo_emitter *e = hlo_arena_array(arena, 1, sizeof *e);
  if (e == NULL) return NULL;
  e->arena = arena;
  e->graph.target = target;
  e->error = error;
  e->fusion = fusion;
  e->computation = hlo_get_computation(fusion, HLO_ATTRIBUTE_CALLS);
  return e;
}

hlo_status hlo_emit_fusion(hlo_target target, hlo_arena *arena, const hlo_instruction *fusion,
                           hlo_emit_imports *imports, const hlo_emit_kernel **out,
                           hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_string body = {0};
  hlo_emitter *e = create_emitter(target, &scratch, fusion, error);
  *out = NULL;
  if (e == NULL) return hlo_fail_out_of_memory(error);
  e->kept = arena;
  e->imports = imports;
  hlo_status status = e->computation == NULL ? HLO_OK : emit_into(arena, e, &body, out);
  hlo_string_free(&body);
  hlo_arena_free(&scratch);
  return status;
}

bool hlo_emit_supports(hlo_target target, const hlo_instruction *fusion,
                       const hlo_instruction **obstacle) {
  hlo_arena scratch = {0};
  hlo_error error = {0};
  hlo_emitter *e = create_emitter(target, &scratch, fusion, &error);
  bool supported = e != NULL && e->computation != NULL && hlo_emit_lower(e);
  *obstacle = e != NULL ? e->obstacle : NULL;
  hlo_arena_free(&scratch);
  return supported;
}

// --- the module ---

static void add_section(hlo_string *out, uint32_t number, hlo_string *content) {
  hlo_wasm_byte(out, number);
  hlo_wasm_unsigned(out, content->length);
  if (content->failed) out->failed = true;
  else if (content->length > 0) hlo_string_add_bytes(out, content->text, content->length);
  hlo_string_free(content);
}

static void add_name(hlo_string *out, const char *name) {
  hlo_wasm_unsigned(out, strlen(name));
  hlo_string_add(out, name);
}

static void add_types(hlo_string *out) {
  hlo_string types = {0};
  hlo_wasm_unsigned(&types, HLO_WASM_TYPES);
  hlo_wasm_byte(&types, FUNCTION_TYPE); // HLO_WASM_TYPE_KERNEL
  hlo_wasm_unsigned(&types, HLO_PARAMETERS);
  for (int i = 0; i < HLO_PARAMETERS; i++) hlo_wasm_byte(&types, WASM_TYPE_I32);
  hlo_wasm_unsigned(&types, 0);
  for (int type = HLO_WASM_TYPE_F32_1; type <= HLO_WASM_TYPE_F64_4; type++) {
    uint32_t number = type < HLO_WASM_TYPE_F64_1 ? TYPE_F32 : TYPE_F64;
    bool of_one = type == HLO_WASM_TYPE_F32_1 || type == HLO_WASM_TYPE_F64_1;
    bool of_four = type == HLO_WASM_TYPE_F32_4 || type == HLO_WASM_TYPE_F64_4;
    uint32_t count = of_one ? 1 : of_four ? 4 : 2;
    hlo_wasm_byte(&types, FUNCTION_TYPE);
    hlo_wasm_unsigned(&types, count);
    for (uint32_t i = 0; i < count; i++) hlo_wasm_byte(&types, number);
    hlo_wasm_unsigned(&types, 1);
    hlo_wasm_byte(&types, number);
  }
  static const uint8_t loop[] = {FUNCTION_TYPE, 3, WASM_TYPE_I32, WASM_TYPE_I32, TYPE_I64, 0};
  hlo_string_add_bytes(&types, (const char *)loop, sizeof loop); // HLO_WASM_TYPE_LOOP
  add_section(out, SECTION_TYPES, &types);
}

static void add_number_name(hlo_string *out, int32_t number) {
  hlo_string name = {0};
  hlo_string_add_int(&name, number);
  add_name(out, name.failed ? "" : name.text);
  hlo_string_free(&name);
}

static void add_imports(hlo_string *out, const hlo_emit_imports *list, bool shared_memory) {
  hlo_string imports = {0};
  hlo_wasm_unsigned(&imports, 1 + (uint64_t)list->count);
  add_name(&imports, "e");
  add_name(&imports, "m");
  hlo_wasm_byte(&imports, KIND_MEMORY);
  // Shared memory has a maximum, and an import of it one that is no less: all of 32 bits.
  hlo_wasm_byte(&imports, shared_memory ? SHARED_WITH_MAXIMUM : 0);
  hlo_wasm_unsigned(&imports, 1);
  if (shared_memory) hlo_wasm_unsigned(&imports, MOST_PAGES);
  for (int32_t i = 0; i < list->count; i++) {
    add_name(&imports, "f");
    add_number_name(&imports, list->items[i].function);
    hlo_wasm_byte(&imports, KIND_FUNCTION);
    hlo_wasm_unsigned(&imports, (uint64_t)list->items[i].type);
  }
  add_section(out, SECTION_IMPORTS, &imports);
}

hlo_status hlo_emit_module(hlo_string *out, int32_t count, const hlo_emit_kernel *const *kernels,
                           const hlo_emit_imports *imports, bool shared_memory, hlo_error *error) {
  static const char start[] = {0, 'a', 's', 'm', 1, 0, 0, 0};
  hlo_string functions = {0}, exports = {0}, code = {0};
  hlo_string_add_bytes(out, start, sizeof start);
  add_types(out);
  add_imports(out, imports, shared_memory);
  hlo_wasm_unsigned(&functions, (uint64_t)count);
  hlo_wasm_unsigned(&exports, (uint64_t)count);
  hlo_wasm_unsigned(&code, (uint64_t)count);
  for (int32_t i = 0; i < count; i++) {
    hlo_wasm_unsigned(&functions, HLO_WASM_TYPE_KERNEL);
    add_number_name(&exports, i);
    hlo_wasm_byte(&exports, KIND_FUNCTION);
    hlo_wasm_unsigned(&exports, (uint64_t)imports->count + (uint64_t)i);
    hlo_string_add_bytes(&code, kernels[i]->body, kernels[i]->body_length);
    if (kernels[i]->call_count > 0) hlo_driver_raise_calls(&code, kernels[i], imports->count);
  }
  add_section(out, SECTION_FUNCTIONS, &functions);
  add_section(out, SECTION_EXPORTS, &exports);
  add_section(out, SECTION_CODE, &code);
  return hlo_string_status(out, error);
}
