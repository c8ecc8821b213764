// BitcastConvert: the same bits as elements of another type. Source of semantics: "BitcastConvert"
// of the operation semantics: a narrower type gives a new minor dimension, the low bits first; a
// wider one takes it away.
#include "kernels/structural.h"

#include <string.h>

// Types below a byte keep one value per byte: the bits, extended as element.c does it.
static uint8_t extend(hlo_type type, uint32_t bits) {
  int32_t spare = 8 - hlo_type_bits(type);
  bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
  uint8_t high = (uint8_t)(bits << spare);
  return is_signed ? (uint8_t)((int8_t)high >> spare) : (uint8_t)(high >> spare);
}

static uint32_t low_bits(hlo_type type, uint8_t byte) {
  return byte & ((1u << hlo_type_bits(type)) - 1);
}

// The narrow array without its minor dimension, which goes to *minor with its stride.
static hlo_view without_minor(const hlo_view *narrow, int64_t *minor, int64_t *stride) {
  hlo_view out = *narrow;
  out.rank--;
  *minor = narrow->dims[out.rank];
  *stride = narrow->strides[out.rank];
  return out;
}

static int64_t offset_of(const hlo_view *view, const int64_t *index) {
  int64_t offset = 0;
  for (int32_t i = 0; i < view->rank; i++) offset += index[i] * view->strides[i];
  return offset;
}

// Takes each element of `wide` apart into elements of several bits, or puts it together.
static void move_bits(const hlo_view *wide, const hlo_view *narrow, bool apart) {
  int64_t minor, stride, index[HLO_MAX_RANK] = {0};
  hlo_view outer = without_minor(narrow, &minor, &stride);
  int32_t bits = hlo_type_bits(narrow->type);
  do {
    uint8_t *bytes = hlo_view_at(wide, offset_of(wide, index));
    uint8_t *few = hlo_view_at(&outer, offset_of(&outer, index));
    if (!apart) memset(bytes, 0, (size_t)hlo_type_bytes(wide->type));
    for (int64_t j = 0; j < minor; j++) {
      int64_t at = j * bits; // little-endian
      if (apart) {
        few[j * stride] = extend(narrow->type, (uint32_t)bytes[at / 8] >> at % 8);
      } else {
        bytes[at / 8] |= (uint8_t)(low_bits(narrow->type, few[j * stride]) << at % 8);
      }
    }
    if (!apart && hlo_type_bits(wide->type) < 8) bytes[0] = extend(wide->type, bytes[0]);
  } while (hlo_next_index(wide->rank, wide->dims, index));
}

// The wide array as narrow elements, with the minor dimension that the narrow one has.
static hlo_view as_narrow(const hlo_view *wide, const hlo_view *narrow) {
  hlo_view out = *wide;
  int64_t ratio = hlo_type_bytes(wide->type) / hlo_type_bytes(narrow->type);
  out.type = narrow->type;
  for (int32_t i = 0; i < out.rank; i++) out.strides[i] *= ratio;
  out.dims[out.rank] = ratio;
  out.strides[out.rank++] = 1;
  return out;
}

// Elements below a byte of equal width: the bits, newly extended.
static void copy_extended(const hlo_view *to, const hlo_view *from) {
  int64_t index[HLO_MAX_RANK] = {0};
  hlo_view_copy(to, from);
  do {
    uint8_t *byte = hlo_view_at(to, offset_of(to, index));
    *byte = extend(to->type, *byte);
  } while (hlo_next_index(to->rank, to->dims, index));
}

hlo_status hlo_eval_bitcast_convert(const hlo_evaluator *evaluator,
                                    const hlo_instruction *instruction, const hlo_view *operands,
                                    const hlo_view *results, hlo_error *error) {
  (void)evaluator, (void)instruction, (void)error;
  const hlo_view *from = &operands[0], *to = &results[0];
  if (hlo_view_elements(from) == 0) return HLO_OK;
  if (from->rank == to->rank) {
    bool extends = hlo_type_bits(to->type) < 8 && to->type != HLO_PRED;
    if (extends) copy_extended(to, from);
    else hlo_view_copy(to, from);
    return HLO_OK;
  }
  bool apart = to->rank > from->rank;
  const hlo_view *wide = apart ? from : to, *narrow = apart ? to : from;
  if (hlo_type_bits(narrow->type) < 8) {
    move_bits(wide, narrow, apart);
    return HLO_OK;
  }
  hlo_view parts = as_narrow(wide, narrow);
  if (apart) hlo_view_copy(to, &parts);
  else hlo_view_copy(&parts, from);
  return HLO_OK;
}
