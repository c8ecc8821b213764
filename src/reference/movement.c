// Operations that say where each element comes from and leave its bits alone. Source of semantics:
// the sections of the operation semantics of the same names.
#include "reference/operation.h"

void hlo_reference_copy(const hlo_view *to, const hlo_view *from) {
  for (hlo_index i = hlo_index_over(to); hlo_index_next(&i);)
    memcpy(hlo_element_at(to, i.at), hlo_element_at(from, i.at),
           (size_t)hlo_type_bytes(from->type));
}

void hlo_reference_fill(const hlo_view *to, hlo_scalar scalar) {
  for (hlo_index i = hlo_index_over(to); hlo_index_next(&i);) hlo_store_scalar(to, i.at, scalar);
}

hlo_status hlo_reference_scratch(const hlo_reference *reference, hlo_type type, int32_t rank,
                                 const int64_t *dims, hlo_view *out, hlo_error *error) {
  int64_t stride = 1;
  out->type = type;
  out->rank = rank;
  for (int32_t d = rank - 1; d >= 0; d--) {
    out->dims[d] = dims[d];
    out->strides[d] = stride;
    stride *= dims[d];
  }
  out->data = hlo_arena_array(reference->arena, (size_t)hlo_view_elements(out),
                              (size_t)hlo_type_bytes(type));
  return out->data == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// result[i] = operand[i], whatever the layouts.
hlo_status hlo_reference_copy_array(const hlo_operation *x, hlo_error *error) {
  (void)error;
  hlo_reference_copy(x->results, x->operands);
  return HLO_OK;
}

// Reshape: the elements keep their row-major order.
hlo_status hlo_reference_reshape(const hlo_operation *x, hlo_error *error) {
  (void)error;
  hlo_index from = hlo_index_over(x->operands);
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);) {
    hlo_index_next(&from);
    hlo_store_scalar(x->results, i.at, hlo_scalar_at(x->operands, from.at));
  }
  return HLO_OK;
}

// The dimensions by falling stride, so that a walk goes through memory in order.
static hlo_view in_memory_order(const hlo_view *view) {
  hlo_view out = *view;
  for (int32_t i = 1; i < out.rank; i++) {
    for (int32_t d = i; d > 0 && out.strides[d - 1] < out.strides[d]; d--) {
      int64_t dim = out.dims[d], stride = out.strides[d];
      out.dims[d] = out.dims[d - 1], out.strides[d] = out.strides[d - 1];
      out.dims[d - 1] = dim, out.strides[d - 1] = stride;
    }
  }
  return out;
}

// Bitcast: the elements keep their order in memory.
hlo_status hlo_reference_bitcast(const hlo_operation *x, hlo_error *error) {
  hlo_view from = in_memory_order(x->operands), to = in_memory_order(x->results);
  hlo_operation in_order = *x;
  in_order.operands = &from;
  in_order.results = &to;
  return hlo_reference_reshape(&in_order, error);
}

// --- BitcastConvertType ---

// Bits first … first + count of an element, and setting them.
static uint64_t bits_at(const hlo_view *view, const int64_t *at, int64_t first, int32_t count) {
  const unsigned char *bytes = hlo_element_at(view, at);
  uint64_t bits = 0;
  for (int32_t i = 0; i < count; i++)
    bits |= (uint64_t)(bytes[(first + i) / 8] >> (first + i) % 8 & 1) << i;
  return bits;
}
static void set_bits(const hlo_view *view, const int64_t *at, int64_t first, int32_t count,
                     uint64_t bits) {
  unsigned char *bytes = hlo_element_at(view, at);
  for (int32_t i = 0; i < count; i++) {
    unsigned char bit = (unsigned char)(1u << (first + i) % 8);
    if (bits >> i & 1) bytes[(first + i) / 8] |= bit;
    else bytes[(first + i) / 8] &= (unsigned char)~bit;
  }
}

// Bits of integers below a byte are kept sign- or zero-extended.
static void extend(const hlo_view *view, const int64_t *at) {
  if (hlo_type_is_integer(view->type)) hlo_store_number(view, at, hlo_number_at(view, at));
}

// BitcastConvertType: the same bits as elements of another type. A narrower type adds a minor
// dimension, a wider one takes it away; the low bits come first in it.
hlo_status hlo_reference_bitcast_convert(const hlo_operation *x, hlo_error *error) {
  (void)error;
  const hlo_view *from = x->operands, *to = x->results;
  const hlo_view *finer = from->rank > to->rank ? from : to; // with all dimensions
  int32_t bits = hlo_type_bits(finer->type);
  for (hlo_index i = hlo_index_over(finer); hlo_index_next(&i);) {
    int64_t part = from->rank == to->rank ? 0 : i.at[finer->rank - 1] * bits;
    for (int32_t done = 0; done < bits; done += 64) {
      int32_t count = bits - done < 64 ? bits - done : 64;
      uint64_t word = bits_at(from, i.at, done + (finer == to ? part : 0), count);
      set_bits(to, i.at, done + (finer == from ? part : 0), count, word);
    }
    if (hlo_type_bits(to->type) < 8) extend(to, i.at);
  }
  return HLO_OK;
}

// --- element maps ---

// Broadcast: dimension d of the operand is dimension dimensions[d] of the result, which repeats it
// along all others; size 1 grows.
hlo_status hlo_reference_broadcast(const hlo_operation *x, hlo_error *error) {
  (void)error;
  hlo_int_list dimensions = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS);
  int64_t from[HLO_MAX_RANK];
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);) {
    for (int32_t d = 0; d < x->operands->rank; d++)
      from[d] = x->operands->dims[d] == 1 ? 0 : i.at[dimensions.ints[d]];
    hlo_store_scalar(x->results, i.at, hlo_scalar_at(x->operands, from));
  }
  return HLO_OK;
}

// Transpose: dimension d of the result is dimension dimensions[d] of the operand.
hlo_status hlo_reference_transpose(const hlo_operation *x, hlo_error *error) {
  (void)error;
  hlo_int_list dimensions = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS);
  int64_t from[HLO_MAX_RANK];
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);) {
    for (int32_t d = 0; d < i.rank; d++) from[dimensions.ints[d]] = i.at[d];
    hlo_store_scalar(x->results, i.at, hlo_scalar_at(x->operands, from));
  }
  return HLO_OK;
}

// Slice: result[i] = operand[start + i · stride].
hlo_status hlo_reference_slice(const hlo_operation *x, hlo_error *error) {
  enum { START, LIMIT, STRIDE, FIELDS };
  (void)error;
  hlo_int_list slice = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_SLICE);
  int64_t from[HLO_MAX_RANK];
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);) {
    for (int32_t d = 0; d < i.rank; d++) {
      const int64_t *field = slice.ints + (ptrdiff_t)d * FIELDS;
      from[d] = field[START] + (i.at[d] == 0 ? 0 : i.at[d] * field[STRIDE]);
    }
    hlo_store_scalar(x->results, i.at, hlo_scalar_at(x->operands, from));
  }
  return HLO_OK;
}

// Concatenate: operand after operand along a dimension.
hlo_status hlo_reference_concatenate(const hlo_operation *x, hlo_error *error) {
  (void)error;
  int64_t d = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0], start = 0;
  for (int32_t k = 0; k < x->instruction->operand_count; k++) {
    for (hlo_index i = hlo_index_over(&x->operands[k]); hlo_index_next(&i);) {
      int64_t to[HLO_MAX_RANK];
      for (int32_t e = 0; e < i.rank; e++) to[e] = i.at[e] + (e == d ? start : 0);
      hlo_store_scalar(x->results, to, hlo_scalar_at(&x->operands[k], i.at));
    }
    start += x->operands[k].dims[d];
  }
  return HLO_OK;
}

// Pad: result[low + i · (interior + 1)] = operand[i] where that is within the result, which low and
// high below 0 cut; all else is the padding value.
hlo_status hlo_reference_pad(const hlo_operation *x, hlo_error *error) {
  enum { LOW, HIGH, INTERIOR, FIELDS };
  (void)error;
  hlo_int_list padding = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_PADDING);
  int64_t to[HLO_MAX_RANK];
  hlo_reference_fill(x->results, hlo_scalar_at(&x->operands[1], NULL));
  for (hlo_index i = hlo_index_over(x->operands); hlo_index_next(&i);) {
    bool is_inside = true;
    for (int32_t d = 0; d < i.rank; d++) {
      const int64_t *field = padding.ints + (ptrdiff_t)d * FIELDS;
      to[d] = field[LOW] + i.at[d] + (i.at[d] == 0 ? 0 : i.at[d] * field[INTERIOR]);
      is_inside = is_inside && to[d] >= 0 && to[d] < x->results->dims[d];
    }
    if (is_inside) hlo_store_scalar(x->results, to, hlo_scalar_at(x->operands, i.at));
  }
  return HLO_OK;
}

// Rev: from the last element to the first along the dimensions.
hlo_status hlo_reference_reverse(const hlo_operation *x, hlo_error *error) {
  (void)error;
  int64_t from[HLO_MAX_RANK];
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);) {
    for (int32_t d = 0; d < i.rank; d++) {
      bool turns = hlo_lists(x->instruction, HLO_ATTRIBUTE_DIMENSIONS, d);
      from[d] = turns ? x->operands->dims[d] - 1 - i.at[d] : i.at[d];
    }
    hlo_store_scalar(x->results, i.at, hlo_scalar_at(x->operands, from));
  }
  return HLO_OK;
}

// Iota: each element is its index along one dimension.
hlo_status hlo_reference_iota(const hlo_operation *x, hlo_error *error) {
  (void)error;
  int64_t d = hlo_get_int(x->instruction, HLO_ATTRIBUTE_IOTA_DIMENSION, 0);
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);)
    hlo_store_number(x->results, i.at, (hlo_number){.type_class = HLO_CLASS_SIGNED, .i = i.at[d]});
  return HLO_OK;
}

// GetDimensionSize: the size that is there, as far as s32 has it.
hlo_status hlo_reference_get_dimension_size(const hlo_operation *x, hlo_error *error) {
  (void)error;
  int64_t d = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0];
  int64_t size = x->operands->dims[d];
  hlo_store_number(
      x->results, NULL,
      (hlo_number){.type_class = HLO_CLASS_SIGNED, .i = size > INT32_MAX ? INT32_MAX : size});
  return HLO_OK;
}
