// The exported C API: indexing maps. Conventions and contracts in include/hlo.h.
#include "api/api.h"
#include "api/indexing_handle.h"
#include "api/json.h"
#include "api/map_json.h"

static hlo_status copy_name(hlo_arena *arena, const char *text, uint32_t length, const char **out,
                            hlo_error *error) {
  *out = NULL;
  if (length == 0) return HLO_OK;
  *out = hlo_arena_copy_text(arena, text, length);
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

void hlo_api_indexing_destroy(hlo_api_indexing *handle) {
  if (handle == NULL) return;
  hlo_arena_free(&handle->arena);
  hlo_memory_release(handle);
}

hlo_api_indexing *hlo_api_indexing_create(const hlo_module *module, const char *computation,
                                          uint32_t computation_length, const char *instruction,
                                          uint32_t instruction_length, const char *target,
                                          uint32_t target_length, uint32_t flags, int32_t input,
                                          int32_t output) {
  hlo_error *error = hlo_api_begin_attempt(NULL);
  hlo_api_indexing *handle = hlo_memory_alloc(sizeof *handle);
  if (handle == NULL) {
    hlo_fail_out_of_memory(error);
    hlo_api_end_attempt();
    return NULL;
  }
  handle->arena = (hlo_arena){0};
  hlo_arena *arena = &handle->arena;
  hlo_indexing_options options = {.to_parameters = (flags & HLO_API_INDEXING_TO_PARAMETERS) != 0,
                                  .to_all = (flags & HLO_API_INDEXING_TO_ALL) != 0,
                                  .input_to_output =
                                      (flags & HLO_API_INDEXING_INPUT_TO_OUTPUT) != 0,
                                  .physical = (flags & HLO_API_INDEXING_PHYSICAL) != 0,
                                  .input = input,
                                  .output = output};
  hlo_status status =
      copy_name(arena, computation, computation_length, &options.computation, error);
  if (status == HLO_OK)
    status = copy_name(arena, instruction, instruction_length, &options.instruction, error);
  if (status == HLO_OK) status = copy_name(arena, target, target_length, &options.target, error);
  if (status == HLO_OK) status = hlo_indexing_analysis_create(arena, &handle->analysis, error);
  if (status == HLO_OK)
    status = hlo_indexing_answer_query(handle->analysis, module, &options, &handle->answer, error);
  if (status != HLO_OK) {
    hlo_api_indexing_destroy(handle);
    handle = NULL;
  }
  hlo_api_end_attempt();
  return handle;
}

int32_t hlo_api_indexing_print(const hlo_api_indexing *handle) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_indexing_answer_print(out, &handle->answer);
  return hlo_string_status(out, error) == HLO_OK ? 0 : -1;
}

// --- as JSON ---

// The arrays that entries lead from and to, each described once: there may be as many entries as
// arrays squared.
typedef struct end_list {
  int32_t count;
  int32_t *first;  // of the instructions: the place of their first leaf in `number`
  int32_t *number; // of the leaves: in the list, from 1 on; 0: not there yet
} end_list;

static hlo_status list_ends(end_list *ends, const hlo_computation *computation, hlo_arena *arena,
                            hlo_error *error) {
  int64_t leaves = 0;
  HLO_ALLOC(ends->first, arena, computation->instruction_count, error);
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    ends->first[i] = (int32_t)leaves;
    leaves += hlo_shape_leaf_count(computation->instructions[i]->shape);
  }
  HLO_ALLOC(ends->number, arena, leaves, error);
  return HLO_OK;
}

static int32_t *end_number(const end_list *ends, const hlo_instruction *x, int32_t leaf) {
  return &ends->number[ends->first[x->id] + leaf];
}

static void add_end(hlo_string *out, end_list *ends, const hlo_instruction *x, int32_t leaf,
                    const hlo_shape *shape) {
  int32_t *number = end_number(ends, x, leaf);
  if (*number != 0) return;
  *number = ++ends->count;
  hlo_json_open(out);
  hlo_json_field_text(out, "name", x->name);
  hlo_json_field_int(out, "leaf", leaf);
  hlo_json_key(out, "shape");
  hlo_json_shape(out, shape);
  hlo_string_add_char(out, '}');
}

static void describe(hlo_string *out, const hlo_indexing_answer *answer, end_list *ends) {
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "computation", answer->computation->name);
  hlo_json_field_text(out, "instruction", answer->instruction->name);
  hlo_json_list(out, "ends");
  for (int32_t i = 0; i < answer->count; i++) {
    const hlo_indexing_entry *e = &answer->entries[i];
    add_end(out, ends, e->from, e->from_leaf, e->from_shape);
    add_end(out, ends, e->to, e->to_leaf, e->to_shape);
  }
  hlo_string_add_char(out, ']');
  hlo_json_list(out, "entries");
  for (int32_t i = 0; i < answer->count; i++) {
    const hlo_indexing_entry *e = &answer->entries[i];
    hlo_json_open(out);
    hlo_json_field_int(out, "from", *end_number(ends, e->from, e->from_leaf) - 1);
    hlo_json_field_int(out, "to", *end_number(ends, e->to, e->to_leaf) - 1);
    hlo_json_field_bool(out, "unknown", e->set->is_unknown);
    hlo_json_list(out, "maps");
    for (int32_t k = 0; k < e->set->count; k++)
      hlo_json_map(out, e->set->items[k].map, e->set->items[k].runtimes);
    hlo_string_add(out, "]}");
  }
  hlo_string_add(out, "]}");
}

int32_t hlo_api_indexing_describe(const hlo_api_indexing *handle) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_arena arena = {0};
  end_list ends = {0};
  hlo_status status = list_ends(&ends, handle->answer.computation, &arena, error);
  if (status == HLO_OK) describe(out, &handle->answer, &ends);
  if (status == HLO_OK) status = hlo_string_status(out, error);
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}

// --- elements ---

int32_t hlo_api_indexing_elements(const hlo_api_indexing *handle, int32_t number,
                                  const double *index, int32_t rank, int32_t limit) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_indexing_answer *answer = &handle->answer;
  if (number < 0 || number >= answer->count || limit < 0 ||
      rank != answer->entries[number].from_shape->rank) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "there is no such indexing entry or index");
    return -1;
  }
  int64_t at[HLO_MAX_RANK], count = 0;
  for (int32_t d = 0; d < rank; d++)
    at[d] = index[d] >= 0 && index[d] < 0x1p62 ? (int64_t)index[d] : -1;
  bool is_complete = false;
  hlo_arena arena = {0};
  int64_t *elements = hlo_arena_array(&arena, (size_t)limit, sizeof *elements);
  hlo_status status = elements == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
  if (status == HLO_OK)
    status = hlo_indexing_elements(&answer->entries[number], at, limit, elements, &count,
                                   &is_complete, error);
  hlo_string_add_char(out, '[');
  for (int64_t i = 0; i < count && status == HLO_OK; i++) {
    hlo_json_comma(out);
    hlo_string_add_int(out, elements[i]);
  }
  hlo_string_add_char(out, ']');
  if (status == HLO_OK) status = hlo_string_status(out, error);
  hlo_arena_free(&arena);
  return status == HLO_OK ? is_complete : -1;
}
