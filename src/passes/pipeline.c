// The order of the passes. See passes.h.
#include "hlo/infer/infer.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"

enum {
  MOST_ROUNDS = 6,
  FEW_INSTRUCTIONS = 16, // of a program that may run as it is written
};

typedef hlo_status pass_function(hlo_module *module, hlo_error *error);

static hlo_status run(hlo_module *module, const hlo_pass_options *options, pass_function *pass,
                      hlo_error *error) {
  HLO_TRY(pass(module, error));
  return options->verify ? hlo_verify(module, error) : HLO_OK;
}

typedef bool condition(const hlo_instruction *x);

static bool has(const hlo_module *module, condition *holds) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++)
      if (holds(computation->instructions[i])) return true;
  }
  return false;
}

static bool is_map(const hlo_instruction *x) { return x->opcode == HLO_OP_MAP; }

static bool is_custom_call(const hlo_instruction *x) { return x->opcode == HLO_OP_CUSTOM_CALL; }

// These passes enable each other, so they are repeated until nothing changes.
static hlo_status clean_up(hlo_module *module, const hlo_pass_options *options, hlo_error *error) {
  static pass_function *const passes[] = {
      hlo_pass_inline,        hlo_pass_simplify, hlo_pass_fold,         hlo_pass_cse,
      hlo_module_remove_dead, hlo_pass_loops,    hlo_module_remove_dead};
  int64_t before = -1;
  for (int round = 0; round < MOST_ROUNDS && module->revision != before; round++) {
    before = module->revision;
    if (has(module, is_map)) HLO_TRY(run(module, options, hlo_pass_expand, error));
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
      HLO_TRY(run(module, options, passes[i], error));
    }
  }
  return has(module, is_custom_call) ? run(module, options, hlo_pass_unread_vectors, error)
                                     : HLO_OK;
}

static bool is_scan(const hlo_instruction *x) { return x->opcode == HLO_OP_SCAN; }

static bool is_boundary(const hlo_instruction *x) { return hlo_device_boundary_of(x) != NULL; }

// The lowering that every program needs. The oracle evaluates accuracies and reducers as they are
// written.
static hlo_status lower(hlo_module *module, const hlo_pass_options *options, hlo_error *error) {
  if (!options->for_oracle) HLO_TRY(run(module, options, hlo_pass_accuracy, error));
  if (has(module, is_boundary)) HLO_TRY(run(module, options, hlo_pass_spmd, error));
  if (has(module, is_scan)) HLO_TRY(run(module, options, hlo_pass_scan, error));
  if (!options->for_oracle && has(module, hlo_has_separable_reducer))
    HLO_TRY(run(module, options, hlo_pass_separate, error));
  return has(module, hlo_layouts_disagree) ? run(module, options, hlo_pass_layouts, error) : HLO_OK;
}

// Whether there is one instruction besides parameters and results, which calls nothing, as there is
// in most programs of eager operations.
static bool is_single(const hlo_module *module) {
  int32_t count = 0;
  for (int32_t i = 0; i < module->entry->instruction_count; i++) {
    hlo_opcode opcode = module->entry->instructions[i]->opcode;
    count += opcode != HLO_OP_PARAMETER && opcode != HLO_OP_TUPLE;
  }
  return count <= 1 && module->computation_count == 1;
}

static hlo_status tidy(hlo_module *module, const hlo_pass_options *options, hlo_error *error) {
  if (is_single(module)) { // the other passes are about several
    int64_t before = module->revision;
    HLO_TRY(run(module, options, hlo_pass_simplify, error));
    if (module->revision == before) return HLO_OK;
  }
  return clean_up(module, options, error);
}

static bool is_loop(const hlo_instruction *x) { return x->opcode == HLO_OP_WHILE; }

static bool is_concatenate(const hlo_instruction *x) { return x->opcode == HLO_OP_CONCATENATE; }

static hlo_status optimize(hlo_module *module, const hlo_pass_options *options, hlo_error *error) {
  HLO_TRY(lower(module, options, error));
  if (options->supports_fusion != NULL && has(module, hlo_is_large_batch_norm))
    HLO_TRY(run(module, options, hlo_pass_batch_norm, error));
  HLO_TRY(tidy(module, options, error));
  if (options->supports_fusion != NULL && has(module, is_loop))
    HLO_TRY(run(module, options, hlo_pass_unroll_loops, error));
  if (options->supports_fusion != NULL && has(module, hlo_widens_bytes)) {
    HLO_TRY(run(module, options, hlo_pass_widen_late, error));
    HLO_TRY(run(module, options, hlo_pass_ranges, error));
  }
  HLO_TRY(run(module, options, hlo_pass_contract, error));
  if (has(module, is_concatenate) && has(module, hlo_slices_elementwise))
    HLO_TRY(run(module, options, hlo_pass_concatenations, error));
  if (has(module, is_loop)) HLO_TRY(run(module, options, hlo_pass_hoist, error));
  if (options->supports_fusion != NULL && has(module, is_loop) && has(module, hlo_may_be_scalars))
    HLO_TRY(run(module, options, hlo_pass_scalar_replacement, error));
  if (options->supports_fusion != NULL && has(module, hlo_reduces_short_rows))
    HLO_TRY(run(module, options, hlo_pass_unroll, error));
  if (options->supports_fusion != NULL && has(module, hlo_assembles_pixels))
    HLO_TRY(run(module, options, hlo_pass_pixels, error));
  HLO_TRY(tidy(module, options, error));
  if (options->supports_fusion == NULL) return HLO_OK;
  if (has(module, hlo_widens_bytes)) HLO_TRY(run(module, options, hlo_pass_byte_tables, error));
  HLO_TRY(run(module, options, hlo_pass_tile, error));
  HLO_TRY(run(module, options, hlo_pass_collapse_rows, error));
  if (has(module, is_loop)) HLO_TRY(run(module, options, hlo_pass_tiny_steps, error));
  HLO_TRY(hlo_pass_fuse(module, options, error));
  return options->verify ? hlo_verify(module, error) : HLO_OK;
}

bool hlo_gains_by_optimizing(const hlo_module *module, int64_t fewest_elements) {
  int32_t count = 0;
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      const hlo_instruction *x = computation->instructions[i];
      if (x->opcode == HLO_OP_WHILE || ++count > FEW_INSTRUCTIONS) return true;
      if (hlo_shape_is_array(x->shape) && hlo_shape_elements(x->shape) >= fewest_elements)
        return true;
    }
  }
  return false;
}

typedef hlo_status pipeline_function(hlo_module *module, const hlo_pass_options *options,
                                     hlo_error *error);

static hlo_status run_on_clone(const hlo_module *module, const hlo_computation *entry,
                               const hlo_pass_options *options, pipeline_function *pipeline,
                               hlo_module **out, hlo_error *error) {
  hlo_module *clone;
  *out = NULL;
  HLO_TRY(hlo_module_clone(module, entry, &clone, error));
  hlo_status status = pipeline(clone, options, error);
  if (status == HLO_OK) *out = clone;
  else hlo_module_destroy(clone);
  return status;
}

bool hlo_needs_lowering(const hlo_module *module, const hlo_pass_options *options) {
  bool by_kernels = !options->for_oracle &&
                    (has(module, hlo_needs_wider_type) || has(module, hlo_has_separable_reducer));
  return by_kernels || has(module, is_boundary) || has(module, is_scan) ||
         has(module, hlo_layouts_disagree);
}

hlo_status hlo_lower(const hlo_module *module, const hlo_computation *entry,
                     const hlo_pass_options *options, hlo_module **out, hlo_error *error) {
  return run_on_clone(module, entry, options, lower, out, error);
}

hlo_status hlo_optimize(const hlo_module *module, const hlo_computation *entry,
                        const hlo_pass_options *options, hlo_module **out, hlo_error *error) {
  return run_on_clone(module, entry, options, optimize, out, error);
}
