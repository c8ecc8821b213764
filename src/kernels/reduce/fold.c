// See fold.h.
#include "kernels/reduce/fold.h"

#include "kernels/machine.h"
#include "kernels/parts.h"

#include <string.h>

enum { TABLE = 4096 }; // entries for the values under way: a power of two, a few per lane

static hlo_status copy_types(const hlo_view *like, hlo_folder *out, hlo_error *error) {
  hlo_type *types;
  HLO_ALLOC(types, out->evaluator->scratch, out->count, error);
  for (int32_t k = 0; k < out->count; k++) types[k] = like[k].type;
  out->types = types;
  return HLO_OK;
}

// Allocates the dense blocks that a computation needs; a single op works in place.
static hlo_status allocate(hlo_folder *out, hlo_error *error) {
  hlo_arena *scratch = out->evaluator->scratch;
  int32_t count = out->count;
  HLO_ALLOC(out->values, scratch, count, error);
  HLO_ALLOC(out->elements, scratch, count, error);
  HLO_ALLOC(out->arguments, scratch, 2 * (int64_t)count, error);
  HLO_ALLOC(out->targets, scratch, (int64_t)count * HLO_APPLY_BLOCK, error);
  HLO_ALLOC(out->places, scratch, HLO_APPLY_BLOCK, error);
  HLO_ALLOC(out->taken, scratch, TABLE, error);
  for (int32_t k = 0; k < count; k++) {
    size_t size = (size_t)hlo_type_bytes(out->types[k]);
    out->values[k] = hlo_arena_array(scratch, HLO_APPLY_BLOCK, size);
    out->elements[k] = hlo_arena_array(scratch, HLO_APPLY_BLOCK, size);
    if (out->values[k] == NULL || out->elements[k] == NULL) return hlo_fail_out_of_memory(error);
    out->arguments[k] = out->values[k];
    out->arguments[count + k] = out->elements[k];
  }
  return HLO_OK;
}

hlo_status hlo_folder_init(const hlo_evaluator *evaluator, const hlo_computation *computation,
                           int32_t count, const hlo_view *like, hlo_folder *out, hlo_error *error) {
  hlo_opcode opcode = count == 1 ? hlo_applied_op(computation, like[0].type) : HLO_OP_COUNT;
  if (opcode != HLO_OP_COUNT) {
    return hlo_folder_init_for_op(evaluator, opcode, like[0].type, out, error);
  }
  *out = (hlo_folder){.evaluator = evaluator, .count = count};
  HLO_TRY(hlo_applier_create(evaluator, computation, HLO_APPLY_BLOCK, &out->applier, error));
  HLO_TRY(copy_types(like, out, error));
  return allocate(out, error);
}

hlo_status hlo_folder_init_for_op(const hlo_evaluator *evaluator, hlo_opcode opcode, hlo_type type,
                                  hlo_folder *out, hlo_error *error) {
  const hlo_view like = {.type = type};
  *out = (hlo_folder){.evaluator = evaluator,
                      .count = 1,
                      .kernel = hlo_pointwise_get(opcode, type),
                      .opcode = opcode};
  return copy_types(&like, out, error);
}

static hlo_status run(hlo_folder *folder, int64_t lanes, const void *const *arguments,
                      void *const *results, hlo_error *error) {
  if (folder->kernel == NULL) {
    return hlo_applier_run(folder->applier, lanes, arguments, results, error);
  }
  folder->kernel(results[0], arguments, lanes);
  return HLO_OK;
}

static hlo_status run_dense(hlo_folder *folder, int64_t lanes, hlo_error *error) {
  return run(folder, lanes, folder->arguments, (void *const *)folder->values, error);
}

// --- views ---

static hlo_status run_block(void *context, void *result, const void *const *operands, int64_t n,
                            hlo_error *error) {
  return run(context, n, operands, &result, error);
}

// Copies the current part of a view to dense memory, or back.
static void copy_part(const hlo_parts *parts, const hlo_view *view, char *dense, bool back) {
  hlo_view part, block;
  hlo_parts_of_view(parts, view, &part);
  block = part;
  block.data = dense;
  hlo_view_set_row_major(&block);
  if (back) hlo_view_copy(&part, &block);
  else hlo_view_copy(&block, &part);
}

// Folds several values at once through dense blocks.
static hlo_status fold_parts(hlo_folder *folder, const hlo_view *values, const hlo_view *elements,
                             hlo_error *error) {
  hlo_parts parts;
  hlo_parts_start(&parts, values[0].rank, values[0].dims, HLO_APPLY_BLOCK);
  do {
    for (int32_t k = 0; k < folder->count; k++) {
      copy_part(&parts, &values[k], folder->values[k], false);
      copy_part(&parts, &elements[k], folder->elements[k], false);
    }
    HLO_TRY(run_dense(folder, hlo_parts_size(&parts), error));
    for (int32_t k = 0; k < folder->count; k++) {
      copy_part(&parts, &values[k], folder->values[k], true);
    }
  } while (hlo_parts_next(&parts));
  return HLO_OK;
}

hlo_status hlo_folder_fold(hlo_folder *folder, const hlo_view *values, const hlo_view *elements,
                           hlo_error *error) {
  if (hlo_view_elements(&values[0]) == 0) return HLO_OK;
  if (folder->count > 1) return fold_parts(folder, values, elements, error);
  const hlo_view operands[2] = {values[0], elements[0]};
  return hlo_run_over_views(folder->evaluator, run_block, folder, 2, operands, &values[0], error);
}

// --- single elements ---

// The hash table slot of the value at this address, occupied or free.
static int32_t place_of(const hlo_folder *folder, const void *address) {
  uint64_t hash = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u; // 2^64 / golden ratio
  int32_t place = (int32_t)(hash >> 52);                              // 12 bits: TABLE
  while (folder->taken[place] != NULL && folder->taken[place] != address) {
    place = (place + 1) % TABLE;
  }
  return place;
}

hlo_status hlo_folder_flush(hlo_folder *folder, hlo_error *error) {
  int64_t lanes = folder->lanes;
  if (lanes == 0) return HLO_OK;
  for (int32_t k = 0; k < folder->count; k++) {
    size_t size = (size_t)hlo_type_bytes(folder->types[k]);
    void **targets = folder->targets + (size_t)k * HLO_APPLY_BLOCK;
    for (int64_t i = 0; i < lanes; i++) {
      memcpy(folder->values[k] + (size_t)i * size, targets[i], size);
    }
  }
  HLO_TRY(run_dense(folder, lanes, error));
  for (int32_t k = 0; k < folder->count; k++) {
    size_t size = (size_t)hlo_type_bytes(folder->types[k]);
    void **targets = folder->targets + (size_t)k * HLO_APPLY_BLOCK;
    for (int64_t i = 0; i < lanes; i++) {
      memcpy(targets[i], folder->values[k] + (size_t)i * size, size);
    }
  }
  for (int64_t i = 0; i < lanes; i++) folder->taken[folder->places[i]] = NULL;
  folder->lanes = 0;
  return HLO_OK;
}

hlo_status hlo_folder_add(hlo_folder *folder, void *const *values, const void *const *elements,
                          hlo_error *error) {
  if (folder->kernel != NULL) { // a call takes no longer than to put it off
    const void *operands[2] = {values[0], elements[0]};
    folder->kernel(values[0], operands, 1);
    return HLO_OK;
  }
  int32_t place = place_of(folder, values[0]);
  if (folder->taken[place] != NULL || folder->lanes == HLO_APPLY_BLOCK) {
    HLO_TRY(hlo_folder_flush(folder, error));
    place = place_of(folder, values[0]);
  }
  int64_t lane = folder->lanes++;
  folder->places[lane] = place;
  folder->taken[place] = values[0];
  for (int32_t k = 0; k < folder->count; k++) {
    size_t size = (size_t)hlo_type_bytes(folder->types[k]);
    folder->targets[(int64_t)k * HLO_APPLY_BLOCK + lane] = values[k];
    memcpy(folder->elements[k] + (size_t)lane * size, elements[k], size);
  }
  return HLO_OK;
}

bool hlo_set_neutral(hlo_opcode opcode, hlo_type type, void *element) {
  static const struct {
    hlo_opcode opcode;
    hlo_number number;
  } known[] = {{HLO_OP_ADD, {.type_class = HLO_CLASS_FLOAT, .re = -0.0}},
               {HLO_OP_MULTIPLY, {.type_class = HLO_CLASS_FLOAT, .re = 1}},
               {HLO_OP_MAXIMUM, {.type_class = HLO_CLASS_FLOAT, .re = -__builtin_inf()}},
               {HLO_OP_MINIMUM, {.type_class = HLO_CLASS_FLOAT, .re = __builtin_inf()}},
               {HLO_OP_AND, {.type_class = HLO_CLASS_SIGNED, .i = -1}},
               {HLO_OP_OR, {.type_class = HLO_CLASS_SIGNED}},
               {HLO_OP_XOR, {.type_class = HLO_CLASS_SIGNED}}};
  bool is_greatest_pred = opcode == HLO_OP_MAXIMUM && type == HLO_PRED; // false is the least
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (known[i].opcode != (is_greatest_pred ? HLO_OP_OR : opcode)) continue;
    hlo_element_set(type, element, known[i].number);
    return true;
  }
  return false;
}

void hlo_fill_neutral(const hlo_folder *folder, const hlo_view *view) {
  uint64_t bits[2] = {0};
  hlo_set_neutral(folder->opcode, view->type, bits);
  hlo_view_fill(view, bits);
}
