// Functions in which sizes depend on arguments: specialised for each kind of arguments that they
// are called with. See dynamic.h.
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

// A list of sizes has at most so many elements; larger arguments count as unknown.
enum { MOST_SIZES = HLO_MAX_RANK, MOST_LEVELS = 64, MOST_COMPUTATIONS = 1 << 16 };

// One version of a function: for arguments of these shapes and, where known, these values.
typedef struct specialisation {
  const hlo_shape **shapes;
  stablehlo_known *values;
  hlo_computation *computation;
} specialisation;

bool hlo_import_is_open_type(const mlir_type *type) {
  return type != NULL && type->kind == MLIR_TYPE_SHAPED && hlo_shape_is_unbounded(type->shape);
}

int32_t hlo_import_first_open_argument(const mlir_region *region) {
  int32_t i = 0;
  while (i < region->argument_count && !hlo_import_is_open_type(region->arguments[i].type)) i++;
  return i;
}

// --- calls ---

static hlo_status check_arguments(const mlir_operation *op, const stablehlo_function *function,
                                  int32_t count, hlo_instruction *const *operands,
                                  hlo_error *error) {
  const mlir_region *region = function->operation->regions[0];
  char type[HLO_SHAPE_TEXT_SIZE], got[HLO_SHAPE_TEXT_SIZE];
  if (count != region->argument_count)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the function takes %d operands, not %d",
                           region->argument_count, count);
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *wanted;
    HLO_TRY(hlo_import_value_shape(op, &region->arguments[i], &wanted, error));
    if (!hlo_import_fits(wanted, operands[i]->shape))
      return hlo_import_fail(
          op, HLO_SHAPE_ERROR, error, "operand %d has shape %s, but the function takes %s", i,
          hlo_shape_to_text(got, operands[i]->shape), hlo_shape_to_text(type, wanted));
  }
  return HLO_OK;
}

// Arguments of the entry are looked at when sizes depend on them, whatever they are.
static bool may_be_looked_at(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         hlo_shape_elements(shape) <= STABLEHLO_MOST_KNOWN;
}

// What functions are made anew for: values that sizes may be made of.
static bool may_say_sizes(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_type_is_integer(shape->type) && shape->rank <= 1 &&
         !hlo_shape_is_dynamic(shape) && hlo_shape_elements(shape) <= MOST_SIZES;
}

static hlo_status describe(stablehlo_importer *im, int32_t count, hlo_instruction *const *operands,
                           specialisation *out, hlo_error *error) {
  HLO_ALLOC(out->shapes, &im->parser->tree, count, error);
  HLO_ALLOC(out->values, &im->parser->tree, count, error);
  for (int32_t i = 0; i < count; i++) {
    out->shapes[i] = operands[i]->shape;
    if (may_say_sizes(operands[i]->shape))
      HLO_TRY(hlo_import_known(im, operands[i], &out->values[i], error));
  }
  return HLO_OK;
}

static bool same_value(const hlo_shape *shape, stablehlo_known a, stablehlo_known b) {
  const void *x = a == NULL ? NULL : a[0], *y = b == NULL ? NULL : b[0];
  if (x == NULL || y == NULL) return x == y;
  size_t size = (size_t)(hlo_shape_elements(shape) * hlo_type_bytes(shape->type));
  return memcmp(x, y, size) == 0;
}

static bool same(const specialisation *a, const specialisation *b, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    if (!hlo_shape_equal(a->shapes[i], b->shapes[i])) return false;
    if (!same_value(a->shapes[i], a->values[i], b->values[i])) return false;
  }
  return true;
}

// In the middle of another function.
static hlo_status import_meanwhile(stablehlo_importer *im, stablehlo_function *function,
                                   const specialisation *wanted, hlo_computation **out,
                                   hlo_error *error) {
  const mlir_operation *op = im->operation;
  hlo_computation *caller = im->computation;
  if (im->levels >= MOST_LEVELS || im->module->computation_count >= MOST_COMPUTATIONS)
    return hlo_import_fail(function->operation, HLO_UNSUPPORTED, error,
                           "too many calls of functions whose shapes depend on their arguments");
  im->levels++;
  HLO_TRY(hlo_import_function_for(im, function, wanted->shapes, wanted->values, out, error));
  im->levels--;
  im->operation = op;
  im->computation = caller;
  return HLO_OK;
}

static hlo_status specialise(stablehlo_importer *im, stablehlo_function *function,
                             const specialisation *wanted, hlo_computation **out,
                             hlo_error *error) {
  specialisation *kept;
  HLO_ALLOC(kept, &im->parser->tree, 1, error);
  *kept = *wanted;
  HLO_TRY(import_meanwhile(im, function, wanted, &kept->computation, error));
  *out = kept->computation;
  return hlo_mlir_list_add(im->parser, &function->specialisations, kept, error);
}

// For arguments that nothing but their types is known of.
static hlo_status import_as_typed(stablehlo_importer *im, const mlir_operation *op,
                                  stablehlo_function *function, hlo_error *error) {
  const specialisation nothing = {0};
  const mlir_region *region = function->operation->regions[0];
  if (function->computation != NULL && function->computation->index != STABLEHLO_FORGOTTEN)
    return HLO_OK;
  int32_t open = hlo_import_first_open_argument(region);
  if (open < region->argument_count)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                           "the shape of %%%.*s in a function is not known here", 100,
                           region->arguments[open].name);
  hlo_status status = import_meanwhile(im, function, &nothing, &function->computation, error);
  if (status != HLO_OK) function->computation = NULL;
  return status;
}

hlo_status hlo_import_callee(stablehlo_importer *im, const mlir_operation *op,
                             const mlir_attribute *symbol, int32_t count,
                             hlo_instruction *const *operands, hlo_computation **out,
                             hlo_error *error) {
  stablehlo_function *function;
  specialisation wanted;
  HLO_TRY(hlo_import_resolve_function(im, op, symbol, &function, error));
  if (function->waits && operands == NULL) HLO_TRY(import_as_typed(im, op, function, error));
  *out = function->computation;
  if (!function->waits || operands == NULL) return HLO_OK;
  HLO_TRY(check_arguments(op, function, count, operands, error));
  HLO_TRY(describe(im, count, operands, &wanted, error));
  for (int32_t i = 0; i < function->specialisations.count; i++) {
    const specialisation *have = function->specialisations.items[i];
    if (have->computation->index == STABLEHLO_FORGOTTEN || !same(have, &wanted, count)) continue;
    *out = have->computation;
    return HLO_OK;
  }
  return specialise(im, function, &wanted, out, error);
}

// --- functions that nobody calls ---

static hlo_status entry_shapes(stablehlo_importer *im, const stablehlo_function *function,
                               const hlo_shape *const **out, hlo_error *error) {
  const mlir_operation *op = function->operation;
  const mlir_region *region = op->regions[0];
  int32_t open = hlo_import_first_open_argument(region), given = im->options->shape_count;
  char type[HLO_SHAPE_TEXT_SIZE], got[HLO_SHAPE_TEXT_SIZE];
  *out = NULL;
  if (given == 0 && open == region->argument_count) return HLO_OK;
  if (given == 0)
    return hlo_import_fail(op, HLO_OPEN_PROGRAM, error,
                           "argument %d, %%%.*s, has the type %s: the shapes of the arguments must "
                           "be given when the program is parsed",
                           open, 100, region->arguments[open].name,
                           hlo_shape_to_text(type, region->arguments[open].type->shape));
  if (given != region->argument_count)
    return hlo_import_fail(op, HLO_INVALID_ARGUMENT, error,
                           "takes %d arguments, but %d shapes are given", region->argument_count,
                           given);
  for (int32_t i = 0; i < given; i++) {
    const hlo_shape *wanted;
    HLO_TRY(hlo_import_value_shape(op, &region->arguments[i], &wanted, error));
    if (!hlo_import_fits(wanted, im->options->shapes[i]))
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "argument %d, %%%.*s, has the type %s, but the shape %s is given", i,
                             100, region->arguments[i].name, hlo_shape_to_text(type, wanted),
                             hlo_shape_to_text(got, im->options->shapes[i]));
  }
  *out = im->options->shapes;
  return HLO_OK;
}

// What the parser's caller says about the elements of the entry's arguments, one leaf each.
static hlo_status entry_values(stablehlo_importer *im, const stablehlo_function *entry,
                               const hlo_shape *const *shapes, hlo_error *error) {
  const mlir_region *region = entry->operation->regions[0];
  const void *const *values = im->options->values;
  stablehlo_known *known;
  HLO_ALLOC(known, &im->parser->tree, region->argument_count, error);
  for (int32_t i = 0; i < region->argument_count; i++) {
    const hlo_shape *shape;
    HLO_TRY(hlo_import_value_shape(entry->operation, &region->arguments[i], &shape, error));
    if (!may_be_looked_at(shapes == NULL ? shape : shapes[i])) continue;
    if (values == NULL || values[i] == NULL) im->may_have_values = true;
    else known[i] = &values[i];
  }
  im->entry_values = known;
  return HLO_OK;
}

static hlo_status import_entry(stablehlo_importer *im, stablehlo_function *entry,
                               hlo_error *error) {
  const hlo_shape *const *shapes;
  HLO_TRY(entry_shapes(im, entry, &shapes, error));
  if (!entry->waits) return HLO_OK;
  HLO_TRY(entry_values(im, entry, shapes, error));
  HLO_TRY(hlo_import_function_for(im, entry, shapes, im->entry_values, &entry->computation, error));
  im->may_have_values = false;
  return HLO_OK;
}

// Written when the program turns out to need more about its arguments.
static void describe_arguments(const stablehlo_importer *im, const stablehlo_function *entry) {
  const mlir_region *region = entry->operation->regions[0];
  hlo_string *out = im->options->argument_types;
  for (int32_t i = 0; out != NULL && i < region->argument_count; i++) {
    const mlir_type *type = region->arguments[i].type;
    if (i > 0) hlo_string_add_char(out, ' ');
    if (type->kind == MLIR_TYPE_SHAPED) hlo_shape_print(out, type->shape, false);
  }
  for (int32_t i = 0; out != NULL && i < region->argument_count; i++) {
    const mlir_value *argument = &region->arguments[i];
    bool has_name = argument->location != NULL && argument->location->text != NULL &&
                    argument->location->kind == MLIR_OTHER;
    hlo_string_add_char(out, '\n');
    const char *name = has_name ? argument->location->text : argument->name;
    for (; *name != '\0'; name++) hlo_string_add_char(out, *name == '\n' ? ' ' : *name);
  }
}

hlo_status hlo_import_waiting_functions(stablehlo_importer *im, stablehlo_function *entry,
                                        hlo_error *error) {
  if (entry != NULL) {
    hlo_status status = import_entry(im, entry, error);
    if (status == HLO_OPEN_PROGRAM) describe_arguments(im, entry);
    if (status != HLO_OK) return status;
  }
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    const mlir_operation *op = function->operation;
    bool is_idle = function->waits && function != entry && function->specialisations.count == 0 &&
                   function->computation == NULL;
    if (!is_idle || hlo_import_first_open_argument(op->regions[0]) < op->regions[0]->argument_count)
      continue;
    HLO_TRY(hlo_import_whole_function(im, function, error));
  }
  return HLO_OK;
}
