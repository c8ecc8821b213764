// Runs generated code over all rows of a fusion, in chunks, so that the host's engine can switch to
// optimised code between calls. See fused.h.
#include "run/exec/fused.h"

#include "kernels/machine.h"
#include "run/exec/sized.h"

static hlo_emitted_function *function_of(const hlo_run *run, const hlo_step *step) {
  return run->executable->program->plans.functions[step->kernel_number];
}

bool hlo_fused_has_code(const hlo_run *run, const hlo_step *step) {
  return (step->kernel != NULL || step->loop != NULL) && function_of(run, step) != NULL;
}

bool hlo_fused_is_ready(const hlo_run *run, const hlo_step *step) {
  // Code is for the sizes that the program states.
  return hlo_fused_has_code(run, step) && !hlo_step_is_sized(run->frame, step);
}

static int32_t slot_of(const hlo_step *step, int32_t operand) {
  return step->operands[step->operand_starts[operand]];
}

// The operand's slot if its memory is free to take over; another operand must not be the same
// array.
static int32_t free_slot(const hlo_frame *frame, const hlo_step *step, int32_t operand,
                         const hlo_shape *result) {
  int32_t slot = operand < 0 ? -1 : slot_of(step, operand), uses = 0;
  if (slot < 0 || !hlo_step_may_reuse(frame, step, slot, result)) return -1;
  for (int32_t i = 0; i < step->operand_leaves; i++) uses += step->operands[i] == slot;
  return uses == 1 ? slot : -1;
}

static hlo_status prepare_results(hlo_frame *frame, const hlo_step *step, hlo_error *error) {
  for (int32_t i = 0; i < step->result_leaves; i++) {
    const hlo_shape *shape = frame->plan->slot_shapes[step->results[i]];
    int32_t slot = free_slot(frame, step, step->kernel->in_place[i], shape);
    if (slot < 0) {
      HLO_TRY(hlo_step_allocate_result(frame, step->results[i], error));
      continue;
    }
    frame->slots[step->results[i]] = frame->slots[slot];
    hlo_buffer_retain(frame->slots[slot]);
  }
  return HLO_OK;
}

// Calls that may be made in any order: `units` of them, each for some rows, or for a chunk of one.
typedef struct fused_work {
  const hlo_emit_kernel *kernel;
  hlo_emitted_function *function;
  const void **arguments;      // of each thread
  int64_t units, chunks;       // chunks in a row that are units of their own
  int64_t units_of_most_parts; // the last one may have less
} fused_work;

static int64_t ceiling(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t chunk_count(const hlo_emit_kernel *kernel) {
  return kernel->in_order ? 1 : ceiling(kernel->inner, kernel->inner_chunk);
}
static int64_t units_of(const hlo_emit_kernel *kernel) {
  if (kernel->inner == 0) return 0;
  return ceiling(kernel->rows, kernel->row_chunk) * chunk_count(kernel);
}

bool hlo_fused_has_parts(const hlo_emit_kernel *kernel) {
  return units_of(kernel) >= HLO_FUSED_FEWEST_UNITS;
}

static hlo_status bind_arguments(hlo_run *run, const hlo_frame *frame, const hlo_step *step,
                                 int32_t threads, const void ***out, hlo_error *error) {
  const hlo_emit_kernel *kernel = step->kernel;
  int32_t count = kernel->argument_count;
  HLO_ALLOC(*out, &run->scratch, (int64_t)threads * count, error);
  for (int32_t i = 0; i < threads * count; i++) {
    const hlo_emit_argument *argument = &kernel->arguments[i % count];
    const void **to = &(*out)[i];
    if (argument->kind == HLO_ARGUMENT_OPERAND) {
      *to = frame->slots[slot_of(step, argument->index)]->data;
    } else if (argument->kind == HLO_ARGUMENT_RESULT) {
      *to = frame->slots[step->results[argument->index]]->data;
    } else if (argument->kind == HLO_ARGUMENT_CONSTANT) {
      *to = argument->data;
    } else {
      *to = hlo_arena_array_raw(&run->scratch, 1, (size_t)kernel->scratch_bytes);
      if (*to == NULL) return hlo_fail_out_of_memory(error);
    }
  }
  return HLO_OK;
}

static void run_unit(const fused_work *work, int64_t unit, const void *const *arguments) {
  const hlo_emit_kernel *kernel = work->kernel;
  int64_t row = unit / work->chunks * kernel->row_chunk;
  int64_t row_end = smaller(row + kernel->row_chunk, kernel->rows);
  int64_t inner = unit % work->chunks * kernel->inner_chunk;
  int64_t inner_end = kernel->in_order ? kernel->inner : inner + kernel->inner_chunk;
  for (; inner < smaller(inner_end, kernel->inner); inner += kernel->inner_chunk) {
    int64_t end = smaller(inner + kernel->inner_chunk, kernel->inner);
    work->function(arguments, (int32_t)row, (int32_t)row_end, (int32_t)inner, (int32_t)end);
  }
}

static void run_part(void *data, int32_t part, int32_t thread) {
  const fused_work *work = data;
  const void **arguments = work->arguments + thread * work->kernel->argument_count;
  int64_t unit = part * work->units_of_most_parts;
  int64_t end = smaller(unit + work->units_of_most_parts, work->units);
  for (; unit < end; unit++) run_unit(work, unit, arguments);
}

hlo_status hlo_fused_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                             hlo_error *error) {
  const hlo_emit_kernel *kernel = step->kernel;
  const hlo_backend *backend = run->executable->program->backend;
  fused_work work = {.kernel = kernel,
                     .function = function_of(run, step),
                     .units = units_of(kernel),
                     .chunks = chunk_count(kernel)};
  int32_t threads = hlo_backend_threads(backend);
  bool alone = threads < 2 || !hlo_fused_has_parts(kernel) || !backend->threads_know_functions();
  int32_t parts = alone ? 1 : hlo_backend_parts(backend, work.units, kernel->nanoseconds);
  work.units_of_most_parts = ceiling(work.units, parts);
  HLO_TRY(prepare_results(frame, step, error));
  HLO_TRY(bind_arguments(run, frame, step, alone ? 1 : threads, &work.arguments, error));
  hlo_backend_parallel(backend, run_part, &work,
                       alone ? 1 : (int32_t)ceiling(work.units, work.units_of_most_parts));
  return HLO_OK;
}

// --- after a product ---

// Elements of the product's result, one after the other in memory.
static void run_elements(const hlo_fused_offer *o, int64_t first, int64_t end) {
  const hlo_emit_kernel *kernel = o->fusion->kernel;
  while (first < end) {
    int64_t row = first / kernel->inner, inner = first % kernel->inner;
    int64_t stop = smaller(inner + smaller(kernel->inner_chunk, end - first), kernel->inner);
    o->function(o->arguments, (int32_t)row, (int32_t)row + 1, (int32_t)inner, (int32_t)stop);
    first += stop - inner;
  }
}

static void run_rows(void *data, int64_t row, int64_t row_end, int64_t column, int64_t column_end) {
  const hlo_fused_offer *o = data;
  const hlo_emit_kernel *kernel = o->fusion->kernel;
  if (o->by_elements) {
    run_elements(o, row * o->columns, row_end * o->columns);
    return;
  }
  int64_t rows = o->columns / kernel->reads[o->product->chained].row, end = row_end * rows;
  bool is_part = !o->offer.epilogue.whole_rows;
  for (int64_t first = row * rows; first < end; first += kernel->row_chunk) {
    o->function(o->arguments, (int32_t)first, (int32_t)smaller(first + kernel->row_chunk, end),
                is_part ? (int32_t)column : 0, (int32_t)(is_part ? column_end : kernel->inner));
  }
}

// A result must not be made where the product still reads.
static bool writes_over_product(const hlo_fused_offer *o) {
  const hlo_step *fusion = o->fusion;
  for (int32_t i = 0; i < fusion->result_leaves; i++) {
    int32_t operand = fusion->kernel->in_place[i];
    for (int32_t k = 0; operand >= 0 && k < o->product->operand_leaves; k++) {
      if (slot_of(fusion, operand) == o->product->operands[k]) return true;
    }
  }
  return false;
}

// The product's result under the shapes that it is handed on in.
static void share_result(const hlo_fused_offer *o) {
  hlo_buffer **slots = o->frame->slots;
  for (const hlo_step *step = o->product + 1; step < o->fusion; step++) {
    slots[step->results[0]] = slots[step->operands[0]];
    slots[step->operands[0]] = NULL; // nobody else reads it
  }
}

static hlo_status begin(hlo_epilogue_offer *offer, int64_t columns, hlo_error *error) {
  hlo_fused_offer *o = (hlo_fused_offer *)offer;
  const hlo_emit_kernel *kernel = o->fusion->kernel;
  hlo_emit_read read = kernel->reads[o->product->chained];
  // What reads element by element goes over parts of rows, or over rows that are longer than the
  // product's; else its rows are parts of the product's.
  bool may_part = read.by_element && !kernel->whole_rows;
  bool by_parts = may_part && read.row == columns && kernel->inner == kernel->inner_chunk;
  o->by_elements = may_part && !by_parts && read.row % columns == 0 && columns % HLO_EMIT_STEP == 0;
  if (!by_parts && !o->by_elements && columns % read.row != 0) return HLO_OK;
  if (writes_over_product(o)) return HLO_OK;
  o->columns = columns;
  share_result(o);
  HLO_TRY(prepare_results(o->frame, o->fusion, error));
  HLO_TRY(bind_arguments(o->run, o->frame, o->fusion, 1, &o->arguments, error));
  offer->accepted = true;
  offer->epilogue = (hlo_epilogue){.run = run_rows, .data = o, .whole_rows = !by_parts};
  return HLO_OK;
}

hlo_epilogue_offer *hlo_fused_offer_epilogue(hlo_run *run, hlo_frame *frame,
                                             const hlo_step *product, hlo_fused_offer *out) {
  const hlo_step *fusion = product + product->followers;
  if (product->followers == 0 || run->observer != NULL || !hlo_fused_is_ready(run, fusion))
    return NULL;
  *out = (hlo_fused_offer){.offer = {.begin = begin},
                           .run = run,
                           .frame = frame,
                           .product = product,
                           .fusion = fusion,
                           .function = function_of(run, fusion)};
  return &out->offer;
}
