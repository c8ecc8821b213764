// Arguments and results of a program that the oracle runs. See oracle.h.
#include "run/exec/oracle.h"

#include "hlo/analysis/actual_sizes.h"
#include "reference/reference.h"
#include "run/devices/collective.h"
#include "run/devices/communicate.h"
#include "run/exec/sized.h"

#include <string.h>

static bool needs_executor(const hlo_instruction *x, bool has_sizes) {
  bool is_number = x->opcode == HLO_OP_REPLICA_ID || x->opcode == HLO_OP_PARTITION_ID;
  if (hlo_communicate_lookup(x->opcode) != NULL)
    return !is_number && hlo_collective_kind_of(x->opcode) == NULL;
  if (!(hlo_op_get(x->opcode)->properties & HLO_PROPERTY_CUSTOM)) return false;
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  return has_sizes || hlo_communicate_lookup_target(target) != NULL ||
         hlo_device_boundary_of(x) != NULL;
}

bool hlo_oracle_has(const hlo_module *module) {
  bool has_sizes = hlo_module_has_dynamic_sizes(module);
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++)
      if (needs_executor(computation->instructions[i], has_sizes)) return false;
  }
  return true;
}

// The arrays and tokens of `shape` from the next buffers on.
static hlo_status read_value(hlo_run *run, const hlo_shape *shape, int32_t *leaf, hlo_value *out,
                             hlo_error *error) {
  *out = (hlo_value){.shape = shape};
  if (hlo_shape_is_tuple(shape)) {
    HLO_ALLOC(out->elements, &run->scratch, shape->element_count, error);
    for (int32_t i = 0; i < shape->element_count; i++)
      HLO_TRY(read_value(run, shape->elements[i], leaf, &out->elements[i], error));
    return HLO_OK;
  }
  const hlo_buffer *buffer = run->frame->slots[*leaf];
  out->shape = run->plan->slot_shapes[(*leaf)++];
  if (buffer == NULL) return HLO_OK; // a token
  out->data = buffer->data;
  if (buffer->sizes == NULL) return HLO_OK;
  hlo_view view;
  bool *dynamic;
  hlo_sized_view(out->shape, buffer, &view);
  HLO_ALLOC(dynamic, &run->scratch, view.rank, error);
  for (int32_t d = 0; d < view.rank; d++) dynamic[d] = buffer->sizes[d] != HLO_STATIC_SIZE;
  return hlo_value_set_sizes(&run->scratch, out, view.dims, dynamic, error);
}

static hlo_status write_array(hlo_run *run, const hlo_value *value, const hlo_shape *shape,
                              hlo_buffer **out, hlo_error *error) {
  hlo_value array;
  int64_t sizes[HLO_MAX_RANK];
  HLO_TRY(hlo_value_copy(&run->scratch, value, shape, &array, error));
  HLO_TRY(hlo_buffer_create(hlo_shape_bytes(shape), out, error));
  memcpy((*out)->data, array.data, (size_t)(*out)->size);
  if (array.sizes == NULL) return HLO_OK;
  for (int32_t d = 0; d < shape->rank; d++)
    sizes[d] = array.dynamic[d] ? array.sizes[d] : HLO_STATIC_SIZE;
  return hlo_sized_set(*out, shape->rank, sizes, error);
}

// Buffers of the leaves, from `leaf` on.
static hlo_status write_value(hlo_run *run, const hlo_value *value, int32_t *leaf,
                              hlo_error *error) {
  for (int32_t i = 0; hlo_shape_is_tuple(value->shape) && i < value->shape->element_count; i++)
    HLO_TRY(write_value(run, &value->elements[i], leaf, error));
  if (hlo_shape_is_tuple(value->shape)) return HLO_OK;
  int32_t i = (*leaf)++;
  const hlo_shape *shape = run->plan->slot_shapes[run->plan->results[i]];
  return hlo_shape_is_array(shape) ? write_array(run, value, shape, &run->results[i], error)
                                   : HLO_OK;
}

bool hlo_oracle_may_run(const hlo_run *run) {
  const hlo_frame *frame = run->frame;
  return run->executable->program->by_oracle != NULL && run->nesting == 0 &&
         run->observer == NULL && run->group == &run->alone && frame->caller == NULL &&
         frame->step == 0 && !frame->in_loop;
}

hlo_status hlo_oracle_run(hlo_run *run, hlo_error *error) {
  const hlo_computation *computation = run->executable->program->by_oracle;
  hlo_reference reference;
  hlo_value *arguments, result;
  size_t size = (size_t)run->plan->result_leaves * sizeof *run->results;
  int32_t leaf = 0;
  hlo_step_reference(run, &reference);
  HLO_ALLOC(arguments, &run->scratch, computation->parameter_count, error);
  for (int32_t i = 0; i < computation->parameter_count; i++)
    HLO_TRY(read_value(run, computation->parameters[i]->shape, &leaf, &arguments[i], error));
  HLO_TRY(hlo_reference_run(&reference, computation, arguments, &result, error));
  run->results = hlo_memory_alloc(size);
  if (run->results == NULL) return hlo_fail_out_of_memory(error);
  memset(run->results, 0, size);
  leaf = 0;
  return write_value(run, &result, &leaf, error);
}
