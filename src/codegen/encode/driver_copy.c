// Copies of arrays and of boxes in them, in the function of a whole loop. See driver.h.
#include "codegen/encode/driver_code.h"
#include "kernels/machine.h"

// So many bytes in pieces, of what is at `from`, or, with a value, all of that.
static void write_pieces(hlo_driver *d, hlo_place to, hlo_place from, hlo_node value,
                         int64_t bytes) {
  static const struct {
    int64_t bytes;
    uint32_t load, store;
  } pieces[] = {{16, SIMD_LOAD, SIMD_STORE},
                {8, SIMD_LOAD64_SPLAT, SIMD_STORE64_LANE},
                {4, SIMD_LOAD32_SPLAT, SIMD_STORE32_LANE},
                {2, SIMD_LOAD16_SPLAT, SIMD_STORE16_LANE},
                {1, SIMD_LOAD8_SPLAT, SIMD_STORE8_LANE}};
  int64_t done = 0;
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
    for (; bytes - done >= pieces[i].bytes; done += pieces[i].bytes) {
      uint64_t at = hlo_driver_push_base(d, to);
      if (value != 0) {
        hlo_maker_count(&d->m, value);
        hlo_maker_count(&d->m, value);
        hlo_maker_push(&d->m, value);
      } else {
        uint64_t source = hlo_driver_push_base(d, from);
        hlo_wasm_simd(&d->m.f, pieces[i].load);
        hlo_wasm_offset(&d->m.f, source + (uint64_t)done);
      }
      hlo_wasm_simd(&d->m.f, pieces[i].store);
      hlo_wasm_offset(&d->m.f, at + (uint64_t)done);
      if (i > 0) hlo_wasm_byte(&d->m.f.code, 0); // lane
    }
  }
}

void hlo_driver_copy(hlo_driver *d, hlo_place to, hlo_place from, int64_t bytes) {
  if (bytes <= HLO_DRIVER_FEW_BYTES) {
    write_pieces(d, to, from, 0, bytes);
    return;
  }
  hlo_driver_push_address(d, to);
  hlo_driver_push_address(d, from);
  hlo_wasm_i32(&d->m.f, bytes);
  hlo_wasm_op(&d->m.f, WASM_MEMORY_COPY);
  hlo_wasm_byte(&d->m.f.code, 0);
  hlo_wasm_byte(&d->m.f.code, 0);
}

void hlo_driver_fill(hlo_driver *d, hlo_type type, hlo_value value, hlo_place to, int64_t bytes) {
  write_pieces(d, to, to, hlo_value_to_memory(&d->e.graph, type, value).part[0], bytes);
}

hlo_place hlo_driver_part(hlo_place array, const hlo_shape *shape, const int64_t *starts) {
  int64_t stride = hlo_type_bytes(shape->type);
  for (int32_t k = shape->rank - 1; k >= 0; stride *= shape->dims[k--])
    array.offset += starts[k] * stride;
  return array;
}

// Neighbouring elements of a box, and the dimension around them: -1 when they are all of it.
static int64_t run_of(const hlo_shape *array, const hlo_shape *box, int32_t *around) {
  int64_t run = 1;
  int32_t dim = array->rank - 1;
  while (dim >= 0 && box->dims[dim] == array->dims[dim]) run *= box->dims[dim--];
  if (dim >= 0) run *= box->dims[dim--];
  *around = dim;
  return run;
}

int64_t hlo_driver_box_runs(const hlo_shape *array, const hlo_shape *box) {
  int32_t around;
  int64_t run = run_of(array, box, &around);
  return run == 0 ? 0 : hlo_shape_elements(box) / run;
}

bool hlo_driver_locate_box(hlo_driver *d, hlo_place array, const hlo_shape *shape,
                           const hlo_shape *box, const hlo_type *types, const hlo_value *starts,
                           hlo_place *out) {
  int64_t stride = hlo_type_bytes(shape->type);
  hlo_node nodes[HLO_DRIVER_MAX_RANK];
  if (shape->rank > HLO_DRIVER_MAX_RANK) return false;
  for (int32_t k = 0; k < shape->rank; k++) {
    int64_t limit = shape->dims[k] - box->dims[k];
    nodes[k] = 0;
    if (limit > 0 && !hlo_emit_clamp_start(&d->e.graph, types[k], starts[k], limit, &nodes[k]))
      return false;
  }
  *out = (hlo_place){.kind = HLO_PLACE_LOCAL, .at = hlo_maker_integer(&d->m)};
  hlo_driver_push_address(d, array);
  for (int32_t k = shape->rank - 1; k >= 0; stride *= shape->dims[k--]) {
    if (nodes[k] == 0) continue;
    hlo_driver_push_lane(d, HLO_S32, (hlo_value){{nodes[k]}});
    hlo_wasm_i32(&d->m.f, stride);
    hlo_wasm_op(&d->m.f, WASM_I32_MUL);
    hlo_wasm_op(&d->m.f, WASM_I32_ADD);
  }
  hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, (int32_t)out->at);
  return true;
}

void hlo_driver_copy_box(hlo_driver *d, const hlo_shape *shape, const hlo_shape *box,
                         hlo_place in_array, hlo_place dense, bool to_array) {
  int32_t around;
  int64_t size = hlo_type_bytes(shape->type), run = run_of(shape, box, &around) * size;
  int64_t runs = hlo_driver_box_runs(shape, box);
  for (int64_t r = 0; r < runs; r++) {
    int64_t offset = 0, stride = size, left = r;
    for (int32_t k = shape->rank - 1; k >= 0; stride *= shape->dims[k--]) {
      if (k > around) continue;
      offset += left % box->dims[k] * stride;
      left /= box->dims[k];
    }
    hlo_place part = in_array, run_of_box = dense;
    part.offset += offset;
    run_of_box.offset += r * run;
    if (to_array) hlo_driver_copy(d, part, run_of_box, run);
    else hlo_driver_copy(d, run_of_box, part, run);
  }
}
