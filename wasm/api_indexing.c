// The exported C API: indexing maps. Conventions in api.h.
#include "api.h"

#include "base/arena.h"
#include "indexing/indexing.h"
#include "indexing/map.h"

enum { PHYSICAL = 1, INPUT_TO_OUTPUT = 2, TO_PARAMETERS = 4 }; // flags of hlo_api_indexing

static hlo_status copy_name(hlo_arena *arena, const char *text, uint32_t length, const char **out,
                            hlo_error *error) {
  *out = NULL;
  if (length == 0) return HLO_OK;
  *out = hlo_arena_copy_text(arena, text, length);
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// Leaves the maps of an instruction as text. Empty names: the entry, its root, its operands. input
// and output number leaves (output -1: each). Returns 0, or -1 on error.
HLO_EXPORT int32_t hlo_api_indexing(const hlo_module *module, const char *computation,
                                    uint32_t computation_length, const char *instruction,
                                    uint32_t instruction_length, const char *target,
                                    uint32_t target_length, uint32_t flags, int32_t input,
                                    int32_t output) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  hlo_indexing_options options = {.to_parameters = (flags & TO_PARAMETERS) != 0,
                                  .input_to_output = (flags & INPUT_TO_OUTPUT) != 0,
                                  .physical = (flags & PHYSICAL) != 0,
                                  .input = input,
                                  .output = output};
  hlo_status status =
      copy_name(&arena, computation, computation_length, &options.computation, error);
  if (status == HLO_OK) {
    status = copy_name(&arena, instruction, instruction_length, &options.instruction, error);
  }
  if (status == HLO_OK) status = copy_name(&arena, target, target_length, &options.target, error);
  if (status == HLO_OK) {
    hlo_string *out = hlo_api_begin_text();
    status = hlo_indexing_print_module(out, module, &options, error);
    if (status == HLO_OK) status = hlo_string_status(out, error);
  }
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}

// Parses one map, simplifies it, and leaves it as text. Returns 0, or -1 on error.
HLO_EXPORT int32_t hlo_api_map_simplify(const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_status status = hlo_map_simplify_text(out, text, length, error);
  if (status == HLO_OK) status = hlo_string_status(out, error);
  return status == HLO_OK ? 0 : -1;
}
