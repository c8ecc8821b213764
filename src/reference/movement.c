// Operations that say where each element comes from and leave its bits alone. Source of semantics:
// the sections of the operation semantics of the same names.
#include "reference/operation.h"

void hlo_reference_copy(const hlo_view *to, const hlo_view *from) {
  for (hlo_index i = hlo_index_over(from); hlo_index_next(&i);)
    hlo_store_scalar(to, i.at, hlo_scalar_at(from, i.at));
}

hlo_status hlo_reference_scratch(const hlo_reference *reference, hlo_type type, int32_t rank,
                                 const int64_t *dims, hlo_view *out, hlo_error *error) {
  out->type = type;
  out->rank = rank;
  for (int32_t d = 0; d < rank; d++) out->dims[d] = dims[d];
  hlo_view_set_row_major(out);
  out->data = hlo_arena_array(reference->arena, (size_t)hlo_view_elements(out),
                              (size_t)hlo_type_bytes(type));
  return out->data == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
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

static void copy_bits(unsigned char *to, int64_t to_first, const unsigned char *from,
                      int64_t from_first, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    int64_t source = from_first + i, target = to_first + i;
    unsigned bit = from[source / 8] >> source % 8 & 1u, others = ~(1u << target % 8);
    to[target / 8] = (unsigned char)((to[target / 8] & others) | bit << target % 8);
  }
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
    copy_bits(hlo_element_at(to, i.at), finer == from ? part : 0, hlo_element_at(from, i.at),
              finer == to ? part : 0, bits);
    if (bits < 8 && hlo_type_is_integer(to->type)) // is kept sign- or zero-extended
      hlo_store_number(to, i.at, hlo_number_at(to, i.at));
  }
  return HLO_OK;
}

// --- where each element of the result comes from ---

// The operand's, whatever the layouts.
hlo_scalar hlo_reference_copy_element(const hlo_operation *x, const int64_t *at) {
  return hlo_scalar_at(x->operands, at);
}

// Broadcast: dimension d of the operand is dimension dimensions[d] of the result, which repeats it
// along all others; size 1 grows.
hlo_scalar hlo_reference_broadcast(const hlo_operation *x, const int64_t *at) {
  hlo_int_list dimensions = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS);
  int64_t from[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->operands->rank; d++)
    from[d] = x->operands->dims[d] == 1 ? 0 : at[dimensions.ints[d]];
  return hlo_scalar_at(x->operands, from);
}

// Transpose: dimension d of the result is dimension dimensions[d] of the operand.
hlo_scalar hlo_reference_transpose(const hlo_operation *x, const int64_t *at) {
  hlo_int_list dimensions = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS);
  int64_t from[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->results->rank; d++) from[dimensions.ints[d]] = at[d];
  return hlo_scalar_at(x->operands, from);
}

// Slice: result[i] = operand[start + i · stride].
hlo_scalar hlo_reference_slice(const hlo_operation *x, const int64_t *at) {
  enum { START, LIMIT, STRIDE, FIELDS };
  const int64_t *field = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_SLICE).ints;
  int64_t from[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->results->rank; d++, field += FIELDS)
    from[d] = field[START] + (at[d] == 0 ? 0 : at[d] * field[STRIDE]);
  return hlo_scalar_at(x->operands, from);
}

// Concatenate: operand after operand along a dimension.
hlo_scalar hlo_reference_concatenate(const hlo_operation *x, const int64_t *at) {
  int64_t d = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0];
  const hlo_view *operand = x->operands;
  int64_t from[HLO_MAX_RANK];
  memcpy(from, at, (size_t)x->results->rank * sizeof *from);
  for (; from[d] >= operand->dims[d]; operand++) from[d] -= operand->dims[d];
  return hlo_scalar_at(operand, from);
}

// Pad: result[low + i · (interior + 1)] = operand[i] where that is within the result, which low and
// high below 0 cut; all else is the padding value.
hlo_scalar hlo_reference_pad(const hlo_operation *x, const int64_t *at) {
  enum { LOW, HIGH, INTERIOR, FIELDS };
  const int64_t *field = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_PADDING).ints;
  int64_t from[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->results->rank; d++, field += FIELDS) {
    int64_t distance = at[d] - field[LOW];
    uint64_t step = (uint64_t)field[INTERIOR] + 1;
    from[d] = (int64_t)((uint64_t)distance / step);
    if (distance < 0 || (uint64_t)distance % step != 0 || from[d] >= x->operands->dims[d])
      return hlo_scalar_at(&x->operands[1], NULL);
  }
  return hlo_scalar_at(x->operands, from);
}

// Rev: from the last element to the first along the dimensions.
hlo_scalar hlo_reference_reverse(const hlo_operation *x, const int64_t *at) {
  int64_t from[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->results->rank; d++) {
    bool turns = hlo_lists(x->instruction, HLO_ATTRIBUTE_DIMENSIONS, d);
    from[d] = turns ? x->operands->dims[d] - 1 - at[d] : at[d];
  }
  return hlo_scalar_at(x->operands, from);
}

// Iota: each element is its index along one dimension.
hlo_scalar hlo_reference_iota(const hlo_operation *x, const int64_t *at) {
  int64_t d = hlo_get_int(x->instruction, HLO_ATTRIBUTE_IOTA_DIMENSION, 0);
  return hlo_scalar_of(x->results->type, hlo_signed_number(at[d]));
}

// GetDimensionSize: the size that is there, as far as s32 has it.
hlo_scalar hlo_reference_get_dimension_size(const hlo_operation *x, const int64_t *at) {
  (void)at;
  int64_t d = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_DIMENSIONS).ints[0];
  int64_t size = x->operands->dims[d];
  return hlo_scalar_of(x->results->type, hlo_signed_number(size > INT32_MAX ? INT32_MAX : size));
}
