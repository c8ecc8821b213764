// Imports interpreter.run_parallel of test modules: a custom call whose called computations are the
// programs of the grid, row by row, and then the functions that feed infeed; its configuration says
// how large the grid is. src/run knows the target. See import.h.
#include "text/stablehlo/import/import.h"

#include <string.h>

// Names of functions: symbols, or strings.
typedef struct name_list {
  int32_t count;
  const mlir_attribute **names;
} name_list;

static hlo_status add_name(const mlir_operation *op, const mlir_attribute *name, name_list *list,
                           hlo_error *error) {
  if (name->kind != MLIR_SYMBOL && name->kind != MLIR_STRING)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error,
                           "programs and infeed are names of functions");
  list->names[list->count++] = name;
  return HLO_OK;
}

static hlo_status start_list(stablehlo_importer *im, int32_t capacity, name_list *list,
                             hlo_error *error) {
  *list = (name_list){0};
  HLO_ALLOC(list->names, &im->parser->tree, capacity, error);
  return HLO_OK;
}

// [[@a, @b], [@c, @d]]: rows are replicas, columns partitions.
static hlo_status read_programs(stablehlo_importer *im, const mlir_operation *op, name_list *list,
                                int32_t *replicas, hlo_error *error) {
  static const char *const form = "has no programs = [[@a, @b], ...], rows of the same length";
  const mlir_attribute *rows = hlo_mlir_find_attribute(op, "programs");
  bool fits = rows != NULL && rows->kind == MLIR_ARRAY && rows->count > 0;
  int32_t columns = 0;
  for (int32_t r = 0; fits && r < rows->count; r++) {
    const mlir_attribute *row = rows->elements[r];
    fits = row->kind == MLIR_ARRAY && row->count > 0 && (r == 0 || row->count == columns);
    columns = row->count;
  }
  if (!fits) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "%s", form);
  if (columns > INT32_MAX / rows->count) return hlo_fail_out_of_memory(error);
  HLO_TRY(start_list(im, rows->count * columns, list, error));
  *replicas = rows->count;
  for (int32_t r = 0; r < rows->count; r++) {
    for (int32_t c = 0; c < columns; c++)
      HLO_TRY(add_name(op, rows->elements[r]->elements[c], list, error));
  }
  return HLO_OK;
}

static hlo_status read_infeed(stablehlo_importer *im, const mlir_operation *op, name_list *list,
                              hlo_error *error) {
  const mlir_attribute *names = hlo_mlir_find_attribute(op, "infeed");
  *list = (name_list){0};
  if (names == NULL) return HLO_OK;
  if (names->kind != MLIR_ARRAY)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "infeed is a list of functions");
  HLO_TRY(start_list(im, names->count, list, error));
  for (int32_t i = 0; i < names->count; i++) HLO_TRY(add_name(op, names->elements[i], list, error));
  return HLO_OK;
}

static hlo_status resolve(stablehlo_importer *im, const mlir_operation *op, const name_list *list,
                          hlo_computation **out, hlo_error *error) {
  for (int32_t i = 0; i < list->count; i++) {
    mlir_attribute symbol = *list->names[i];
    symbol.kind = MLIR_SYMBOL;
    HLO_TRY(hlo_import_callee(im, op, &symbol, 0, NULL, &out[i], error));
  }
  return HLO_OK;
}

static hlo_status grid_text(stablehlo_importer *im, int32_t replicas, int32_t partitions,
                            const char **out, hlo_error *error) {
  hlo_string text = {0};
  hlo_string_add_format(&text, "{replicas = %d, partitions = %d}", (int)replicas, (int)partitions);
  hlo_status status = hlo_string_status(&text, error);
  if (status == HLO_OK) {
    *out = hlo_arena_copy_text(&im->module->arena, text.text, text.length);
    if (*out == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(&text);
  return status;
}

hlo_status hlo_import_processes(stablehlo_importer *im, int32_t replicas, int32_t partitions,
                                int32_t called_count, hlo_computation *const *called,
                                const hlo_shape *shape, int32_t operand_count,
                                hlo_instruction *const *operands, hlo_instruction **out,
                                hlo_error *error) {
  hlo_attribute attributes[5];
  const char *config;
  HLO_TRY(grid_text(im, replicas, partitions, &config, error));
  attributes[0] =
      hlo_attribute_make_text(HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, "interpreter.run_parallel");
  attributes[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1);
  attributes[2] = hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, config);
  HLO_TRY(hlo_attribute_make_computations(&im->module->arena, HLO_ATTRIBUTE_CALLED_COMPUTATIONS,
                                          called_count, called, &attributes[3], error));
  // As it is read again when it was printed as StableHLO.
  attributes[4] = hlo_attribute_make_text(HLO_ATTRIBUTE_API_VERSION, "API_VERSION_TYPED_FFI");
  return hlo_import_emit(im, HLO_OP_CUSTOM_CALL, shape, operand_count, operands, 5, attributes, out,
                         error);
}

hlo_status hlo_import_run_parallel(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  name_list programs, infeed;
  int32_t replicas;
  HLO_TRY(read_programs(im, op, &programs, &replicas, error));
  HLO_TRY(read_infeed(im, op, &infeed, error));
  hlo_computation **called;
  HLO_ALLOC(called, &im->parser->tree, (int64_t)programs.count + infeed.count, error);
  HLO_TRY(resolve(im, op, &programs, called, error));
  HLO_TRY(resolve(im, op, &infeed, called + programs.count, error));
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_processes(im, replicas, programs.count / replicas,
                               programs.count + infeed.count, called, shape, op->operand_count,
                               operands, &result, error));
  return hlo_import_set_results(im, op, result, error);
}
