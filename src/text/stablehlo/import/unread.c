// What could not be read, and what is left out for that: an error of those who reach it. See
// import.h.
#include "text/stablehlo/import/import.h"

#include <string.h>

// All that the operation says was read. A reason why it was not names the operation where that is
// what is not known.
hlo_status hlo_import_check_read(const mlir_operation *op, hlo_error *error) {
  size_t length;
  const char *why = hlo_mlir_unread_attribute(op, &length);
  if (why == NULL) return HLO_OK;
  if (hlo_mlir_find_attribute(op, "unread") == NULL)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "%.*s", (int)length, why);
  return hlo_fail_at(error, HLO_UNSUPPORTED, op->line, op->column, "%.*s", (int)length, why);
}

bool hlo_import_may_leave_out(const mlir_operation *op) {
  return strcmp(op->name, "stablehlo.while") == 0 || strcmp(op->name, "stablehlo.if") == 0 ||
         strcmp(op->name, "stablehlo.case") == 0;
}

bool hlo_import_is_read(const mlir_region *region) {
  return region->first == NULL || strcmp(region->first->name, MLIR_UNREAD_BODY) != 0;
}

hlo_status hlo_import_check_region(const mlir_region *region, hlo_error *error) {
  const mlir_operation *first = region->first;
  if (hlo_import_is_read(region)) return HLO_OK;
  const mlir_attribute *why = hlo_mlir_find_attribute(first, "unread");
  size_t length = 0;
  const char *text = why == NULL ? "" : why->text;
  if (why != NULL && why->kind == MLIR_DIALECT)
    text = hlo_mlir_unread_reason(why->at, why->source_length, &length);
  else if (text != NULL) length = strlen(text);
  return hlo_fail_at(error, HLO_UNSUPPORTED, first->line, first->column, "%.*s", (int)length,
                     text == NULL ? "" : text);
}

stablehlo_mark hlo_import_get_mark(const stablehlo_importer *im) {
  return (stablehlo_mark){
      .finished = im->finished.count,
      .levels = im->levels,
      .calls_deep = im->calls_deep,
      .manual_levels = im->manual_levels,
  };
}

void hlo_import_rewind(stablehlo_importer *im, stablehlo_mark mark) {
  for (int32_t i = mark.finished; i < im->finished.count; i++)
    ((hlo_computation *)im->finished.items[i])->index = STABLEHLO_FORGOTTEN;
  im->finished.count = mark.finished;
  im->levels = mark.levels;
  im->calls_deep = mark.calls_deep;
  im->manual_levels = mark.manual_levels;
  im->name = NULL;
}
