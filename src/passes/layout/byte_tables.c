// Expensive elementwise work on a single array of bytes becomes a table lookup: it is computed for
// the 256 bytes there are (gamma curves of images, decoders of short floats and of samples). The
// table applies the same functions to the same values, so the result is bit for bit the same. See
// passes.h.
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/fuse/groups.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

enum {
  BYTES = 256,
  NARROW_LANES = 4,    // that integers may have for each of a float
  MOST_COST = 1 << 20, // so that sums of costs stay numbers
  MOST_OPERANDS = 3,
  NOTHING = -1
};

// Analysis of one instruction of the computation; tables are indexed by id.
typedef struct tabled {
  int32_t source;    // the array of bytes that it is a function of, or NOTHING
  int32_t cost;      // of an element, from there
  bool is_number;    // the same for all elements
  bool is_tabulated; // for all bytes
  bool is_read;      // as an array, so that a lookup pays
  int32_t operands[MOST_OPERANDS];
  hlo_instruction *itself, *of_bytes; // for all elements, for each byte
} tabled;

static bool is_plain(const hlo_instruction *x) {
  return hlo_shape_is_array(x->shape) && !hlo_simplify_is_dynamic(x) &&
         hlo_layout_is_default(x->shape->layout);
}

// Decoding costs as much as looking up; the powers of two of f8e8m0fnu are quick to shift.
static bool is_short_float(hlo_type type) {
  return hlo_type_bits(type) == 8 && hlo_type_is_float(type) && type != HLO_F8E8M0FNU;
}

static bool is_bytes(const hlo_instruction *x) {
  hlo_type type = x->shape->type;
  return is_plain(x) && (type == HLO_U8 || type == HLO_S8 || is_short_float(type)) &&
         hlo_shape_elements(x->shape) >= HLO_PASS_MANY_ELEMENTS;
}

static bool works_on_elements(const hlo_instruction *x) {
  int32_t bits = hlo_type_bits(x->shape->type);
  return hlo_op_is_elementwise(x->opcode) && x->opcode != HLO_OP_MAP &&
         x->operand_count <= MOST_OPERANDS && is_plain(x) &&
         (x->shape->type == HLO_PRED || (bits >= 8 && bits <= 32));
}

static bool is_number(const hlo_instruction *x) {
  return x->shape->rank == 0 || (x->opcode == HLO_OP_BROADCAST && x->operands[0]->shape->rank == 0);
}

// The source that all operands of an elementwise instruction share.
static int32_t common_source(const hlo_instruction *x, const tabled *all) {
  int32_t source = NOTHING;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const tabled *operand = &all[x->operands[k]->id];
    if (operand->is_number) continue;
    if (operand->source == NOTHING || (source != NOTHING && source != operand->source))
      return NOTHING;
    source = operand->source;
  }
  return source;
}

static int32_t cost_of(const hlo_instruction *x) {
  hlo_type from = x->operands[0]->shape->type;
  if (x->opcode == HLO_OP_CONVERT && is_short_float(from)) return HLO_TABLE_LOOKUP_COST;
  bool is_float = hlo_type_is_float(x->shape->type) || hlo_type_is_float(from);
  return hlo_fuse_cost_of(x->opcode) / (is_float ? 1 : NARROW_LANES);
}

static void analyse(hlo_instruction *x, tabled *all) {
  tabled *own = &all[x->id];
  *own = (tabled){.source = NOTHING, .is_number = is_number(x), .itself = x};
  if (own->is_number) return;
  if (works_on_elements(x)) own->source = common_source(x, all);
  if (own->source == NOTHING) {
    if (is_bytes(x)) own->source = x->id;
    return;
  }
  own->cost = cost_of(x);
  for (int32_t k = 0; k < x->operand_count; k++) {
    own->operands[k] = x->operands[k]->id;
    own->cost += all[own->operands[k]].cost;
  }
  if (own->cost > MOST_COST) own->cost = MOST_COST;
}

// Marks the values that are read as arrays: by the root, and by instructions with another source.
static void mark_readers(const hlo_computation *computation, tabled *all) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    for (int32_t k = 0; k < x->operand_count; k++) {
      tabled *operand = &all[x->operands[k]->id];
      if (all[i].source == i || all[i].source != operand->source) operand->is_read = true;
    }
    if (x == computation->root) all[i].is_read = true;
  }
}

// Marks the values to tabulate. False if there are none.
static bool mark_tabulated(const hlo_computation *computation, tabled *all) {
  bool found = false;
  for (int32_t i = computation->instruction_count - 1; i >= 0; i--) {
    const hlo_instruction *x = computation->instructions[i];
    tabled *own = &all[i];
    own->is_read = own->is_read && own->source != NOTHING && own->cost >= HLO_TABLE_LOOKUP_COST;
    own->is_tabulated = own->is_tabulated || own->is_read;
    found = found || own->is_read;
    if (!own->is_tabulated || own->source == i || own->is_number) continue;
    for (int32_t k = 0; k < x->operand_count; k++) all[own->operands[k]].is_tabulated = true;
  }
  return found;
}

static hlo_status shape_of_bytes(hlo_instruction *x, hlo_type type, const hlo_shape **out,
                                 hlo_error *error) {
  return hlo_shape_make(&x->computation->module->arena, type, 1, (int64_t[]){BYTES}, out, error);
}

// x as bits of another 8-bit type.
static hlo_status as_type(hlo_instruction *x, hlo_type type, hlo_instruction **out,
                          hlo_error *error) {
  const hlo_shape *shape;
  *out = x;
  if (x->shape->type == type) return HLO_OK;
  HLO_TRY(
      hlo_shape_with_type(&x->computation->module->arena, x->shape, type, false, &shape, error));
  return hlo_simplify_build(x, HLO_OP_BITCAST_CONVERT, shape, 1, &x, 0, NULL, out, error);
}

static hlo_status build_bytes(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_shape dims = {.rank = 1, .dims = (int64_t[]){BYTES}};
  HLO_TRY(hlo_simplify_build_iota(x, HLO_U8, &dims, 0, out, error));
  return as_type(*out, x->shape->type, out, error);
}

// The table of operand k of x, which is tabulated. Sources are made when they are first read: rules
// do not see parameters.
static hlo_status of_bytes(tabled *own, hlo_instruction *x, int32_t k, tabled *all,
                           hlo_instruction **out, hlo_error *error) {
  tabled *operand = &all[own->operands[k]];
  if (operand->of_bytes == NULL && operand->source == own->operands[k])
    HLO_TRY(build_bytes(x->operands[k], &operand->of_bytes, error));
  *out = operand->of_bytes == NULL ? x->operands[k] : operand->of_bytes; // or a single number
  return HLO_OK;
}

// Builds the table of an instruction after those of its operands.
static hlo_status build_table(tabled *all, hlo_instruction *x, hlo_error *error) {
  tabled *own = &all[x->id];
  const hlo_shape *shape;
  if (x->shape->rank == 0) return HLO_OK;
  HLO_TRY(shape_of_bytes(x, x->shape->type, &shape, error));
  if (own->is_number) return hlo_simplify_broadcast(x->operands[0], shape, &own->of_bytes, error);
  hlo_instruction *operands[MOST_OPERANDS];
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(of_bytes(own, x, k, all, &operands[k], error));
  return hlo_simplify_build(x, x->opcode, shape, x->operand_count, operands, x->attribute_count,
                            x->attributes, &own->of_bytes, error);
}

// table[bytes], of x's shape.
static hlo_status build_lookup(hlo_instruction *x, hlo_instruction *table, hlo_instruction *bytes,
                               hlo_instruction **out, hlo_error *error) {
  static const int64_t zero[] = {0}, one[] = {1};
  hlo_arena *arena = &x->computation->module->arena;
  const hlo_shape *shape;
  hlo_instruction *index;
  const hlo_attribute attributes[] = {
      {.id = HLO_ATTRIBUTE_OFFSET_DIMS, .count = 0, .ints = zero},
      {.id = HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, .count = 1, .ints = zero},
      {.id = HLO_ATTRIBUTE_START_INDEX_MAP, .count = 1, .ints = zero},
      {.id = HLO_ATTRIBUTE_SLICE_SIZES, .count = 1, .ints = one},
      hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX_VECTOR_DIM, x->shape->rank),
  };
  HLO_TRY(as_type(bytes, HLO_U8, &index, error));
  HLO_TRY(hlo_shape_with_type(arena, bytes->shape, HLO_S32, false, &shape, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_CONVERT, shape, 1, &index, 0, NULL, &index, error));
  return hlo_simplify_build(x, HLO_OP_GATHER, x->shape, 2, (hlo_instruction *[]){table, index},
                            sizeof attributes / sizeof *attributes, attributes, out, error);
}

static hlo_status rewrite(void *context, hlo_instruction *x, hlo_instruction **replacement,
                          hlo_error *error) {
  tabled *all = context, *own = &all[x->id];
  if (!own->is_tabulated || own->source == x->id) return HLO_OK;
  HLO_TRY(build_table(all, x, error));
  return own->is_read ? build_lookup(x, own->of_bytes, all[own->source].itself, replacement, error)
                      : HLO_OK;
}

static hlo_status run(hlo_computation *computation, hlo_arena *scratch, hlo_error *error) {
  tabled *all;
  HLO_ALLOC(all, scratch, computation->instruction_count, error);
  for (int32_t i = 0; i < computation->instruction_count; i++)
    analyse(computation->instructions[i], all);
  mark_readers(computation, all);
  return mark_tabulated(computation, all)
             ? hlo_computation_rewrite(computation, rewrite, all, error)
             : HLO_OK;
}

hlo_status hlo_pass_byte_tables(hlo_module *module, hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_status status = HLO_OK;
  for (int32_t c = 0; c < module->computation_count && status == HLO_OK; c++)
    status = run(module->computations[c], &scratch, error);
  hlo_arena_free(&scratch);
  return status == HLO_OK ? hlo_module_remove_dead(module, error) : status;
}
