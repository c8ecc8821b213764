// See order_keys.h.
#include "kernels/order/order_keys.h"

#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/narrow.h"

#include <string.h>

int32_t hlo_order_key_bits(hlo_type type) {
  if (hlo_type_is_complex(type)) return 0;
  return hlo_type_bits(type) > 32 ? 64 : 32;
}

// Sign-magnitude to an unsigned integer of the same order: negative values below the others.
static uint32_t ordered_32(uint32_t bits) {
  return bits ^ ((uint32_t)((int32_t)bits >> 31) | (uint32_t)1 << 31);
}
static uint64_t ordered_64(uint64_t bits) {
  return bits ^ ((uint64_t)((int64_t)bits >> 63) | (uint64_t)1 << 63);
}

void hlo_order_keys_32(hlo_type type, const void *elements, int64_t n, uint32_t *keys) {
  hlo_type_class type_class = hlo_type_get_class(type);
  if (type == HLO_F16 || type == HLO_BF16) { // as bits: NaN keep their order
    const uint16_t *from = elements;
    for (int64_t i = 0; i < n; i++) keys[i] = ordered_32((uint32_t)from[i] << 16);
  } else if (type_class == HLO_CLASS_FLOAT) {
    if (type == HLO_F32) memcpy(keys, elements, (size_t)n * sizeof *keys);
    else hlo_narrow_to_f32(type, (float *)keys, elements, n);
    for (int64_t i = 0; i < n; i++) keys[i] = ordered_32(keys[i]);
  } else if (type_class == HLO_CLASS_SIGNED) {
    hlo_convert_lanes(HLO_S32, keys, type, elements, n);
    for (int64_t i = 0; i < n; i++) keys[i] ^= (uint32_t)1 << 31;
  } else {
    hlo_convert_lanes(HLO_U32, keys, type, elements, n);
  }
}

void hlo_order_keys_64(hlo_type type, const void *elements, int64_t n, uint64_t *keys) {
  memcpy(keys, elements, (size_t)n * sizeof *keys);
  if (type == HLO_F64) {
    for (int64_t i = 0; i < n; i++) keys[i] = ordered_64(keys[i]);
  } else if (type == HLO_S64) {
    for (int64_t i = 0; i < n; i++) keys[i] ^= (uint64_t)1 << 63;
  }
}

void hlo_order_keys_undo_32(hlo_type type, const uint32_t *keys, int64_t n, void *elements) {
  uint32_t *to = elements;
  const uint32_t top = (uint32_t)1 << 31;
  if (type == HLO_F32) {
    for (int64_t i = 0; i < n; i++) to[i] = keys[i] ^ ((keys[i] & top) != 0 ? top : ~(uint32_t)0);
  } else {
    uint32_t flipped = type == HLO_S32 ? top : 0;
    for (int64_t i = 0; i < n; i++) to[i] = keys[i] ^ flipped;
  }
}
