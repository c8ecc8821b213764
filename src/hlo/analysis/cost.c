// See cost.h. An operation that is neither elementwise nor only moves elements has a rule in the
// table; without one it counts no operations.
#include "hlo/analysis/cost.h"

#include "hlo/attributes/window.h"

typedef struct costs {
  const hlo_cost_table *table;
  const hlo_instruction *x;
  hlo_cost *out;                  // of x, zero so far
  const hlo_instruction **reader; // by id: whose operand it has been counted as
} costs;

typedef void cost_rule(costs *c);

static double elements(const hlo_shape *shape) { return (double)hlo_shape_elements(shape); }
static const hlo_shape *operand(const costs *c, int32_t i) { return c->x->operands[i]->shape; }
static const hlo_shape *result(const costs *c) { return hlo_shape_leaf(c->x->shape, 0); }

static void add(hlo_cost *to, const hlo_cost *cost, double times) {
  to->operations += times * cost->operations;
  to->transcendentals += times * cost->transcendentals;
  to->bytes_read += times * cost->bytes_read;
  to->bytes_written += times * cost->bytes_written;
  to->is_incomplete |= cost->is_incomplete;
}

static const hlo_cost *cost_of_called(const costs *c, hlo_attribute_id id) {
  static const hlo_cost none = {0};
  const hlo_computation *called = hlo_get_computation(c->x, id);
  return called == NULL ? &none : &c->table->computations[called->index];
}

// A function applied to single elements: its arithmetic counts, its scalars are no memory.
static void apply(costs *c, hlo_attribute_id id, double times) {
  hlo_cost cost = *cost_of_called(c, id);
  cost.bytes_read = cost.bytes_written = 0;
  add(c->out, &cost, times < 0 ? 0 : times);
}

static double binary_logarithm(double n) { // rounded up
  double log = 0;
  for (double power = 1; power < n; power *= 2) log++;
  return log;
}

// --- rules: operations ---

static void dot(costs *c) {
  int32_t count;
  const int64_t *dims = hlo_get_ints(c->x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &count);
  double products = elements(result(c));
  for (int32_t i = 0; i < count; i++) products *= (double)operand(c, 0)->dims[dims[i]];
  c->out->operations = 2 * products;
}

// Pairs of a position and a place of the window that meet an element: not padding, and no hole.
static double meetings(const int64_t *field, int64_t size, int64_t positions) {
  enum { MOST = 1 << 20 }; // beyond it (never in earnest) padding counts, too
  int64_t holes = field[HLO_WINDOW_LHS_DILATION], stride = field[HLO_WINDOW_STRIDE];
  int64_t taps = field[HLO_WINDOW_SIZE];
  if (size < 1 || positions < 1) return 0;
  for (int32_t i = 0; i < HLO_WINDOW_FIELDS; i++) {
    if (field[i] > MOST || field[i] < -MOST) return (double)taps * (double)positions;
  }
  if (size > INT64_C(1) << 40 || positions > INT64_C(1) << 40 ||
      taps * (holes < positions ? holes : positions) > MOST)
    return (double)taps * (double)positions;
  double count = 0;
  int64_t last = (size - 1) * holes;
  for (int64_t tap = 0; tap < taps; tap++) {
    // Positions p from low to high, where 0 <= at + p * stride <= last.
    int64_t at = tap * field[HLO_WINDOW_RHS_DILATION] - field[HLO_WINDOW_PAD_LOW];
    int64_t low = at < 0 ? (-at + stride - 1) / stride : 0;
    int64_t high = at > last ? -1 : (last - at) / stride;
    if (high > positions - 1) high = positions - 1;
    // Whether a position meets a hole repeats with every `holes` positions.
    for (int64_t p = low; p <= high && p < low + holes; p++) {
      if ((at + p * stride) % holes == 0) count += (double)((high - p) / holes + 1);
    }
  }
  return count;
}

static void convolution(costs *c) {
  hlo_convolution_dimensions d;
  hlo_error ignored = {0};
  const int64_t *window = NULL;
  if (hlo_convolution_dimensions_read(c->x, &d, &ignored) != HLO_OK ||
      hlo_window_read(c->x, d.spatial_rank, &window, &ignored) != HLO_OK)
    return;
  const hlo_shape *input = operand(c, 0), *kernel = operand(c, 1), *out = result(c);
  double products = (double)out->dims[d.output_batch] * (double)out->dims[d.output_feature] *
                    (double)kernel->dims[d.kernel_input_feature];
  for (int32_t i = 0; i < d.spatial_rank; i++)
    products *= meetings(window + (ptrdiff_t)i * HLO_WINDOW_FIELDS, input->dims[d.input_spatial[i]],
                         out->dims[d.output_spatial[i]]);
  c->out->operations = 2 * products;
}

static void reduce(costs *c) {
  apply(c, HLO_ATTRIBUTE_TO_APPLY, elements(operand(c, 0)) - elements(result(c)));
}

static double window_elements(const costs *c) {
  int32_t count;
  const int64_t *fields = hlo_get_ints(c->x, HLO_ATTRIBUTE_WINDOW, &count);
  double product = 1;
  for (int32_t i = HLO_WINDOW_SIZE; i < count; i += HLO_WINDOW_FIELDS) product *= (double)fields[i];
  return product;
}

static void reduce_window(costs *c) {
  apply(c, HLO_ATTRIBUTE_TO_APPLY, elements(result(c)) * (window_elements(c) - 1));
}

static void select_and_scatter(costs *c) {
  double sources = elements(operand(c, 1));
  apply(c, HLO_ATTRIBUTE_SELECT, sources * (window_elements(c) - 1));
  apply(c, HLO_ATTRIBUTE_SCATTER, sources);
}

static void map(costs *c) { apply(c, HLO_ATTRIBUTE_TO_APPLY, elements(result(c))); }

static void combine(costs *c) { // collectives: each process combines what one other has
  double count = 0;
  for (int32_t i = 0; i < c->x->operand_count; i++) count += elements(operand(c, i));
  apply(c, HLO_ATTRIBUTE_TO_APPLY, count);
}

static void sort(costs *c) {
  int32_t count;
  const int64_t *dims = hlo_get_ints(c->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  double length = count > 0 ? (double)operand(c, 0)->dims[dims[0]] : 1;
  apply(c, HLO_ATTRIBUTE_TO_APPLY, elements(operand(c, 0)) * binary_logarithm(length));
}

static void topk(costs *c) {
  const hlo_shape *x = operand(c, 0);
  c->out->operations = elements(x) * binary_logarithm((double)x->dims[x->rank - 1]);
}

static void fft(costs *c) {
  int32_t count;
  const int64_t *lengths = hlo_get_ints(c->x, HLO_ATTRIBUTE_FFT_LENGTH, &count);
  const char *type = hlo_get_text(c->x, HLO_ATTRIBUTE_FFT_TYPE);
  bool to_real = type[0] == 'I' && type[1] == 'R', from_real = type[0] == 'R';
  double points = elements(to_real ? result(c) : operand(c, 0)), length = 1;
  for (int32_t i = 0; i < count; i++) length *= (double)lengths[i];
  c->out->operations = (to_real || from_real ? 2.5 : 5) * points * binary_logarithm(length);
}

static void cholesky(costs *c) {
  const hlo_shape *a = operand(c, 0);
  c->out->operations = elements(a) * (double)a->dims[a->rank - 1] / 3;
}

static void triangular_solve(costs *c) {
  const hlo_shape *a = operand(c, 0);
  c->out->operations = elements(operand(c, 1)) * (double)a->dims[a->rank - 1];
}

static void batch_norm(costs *c, double per_element) {
  c->out->operations = per_element * elements(operand(c, 0));
}
static void batch_norm_inference(costs *c) { batch_norm(c, 4); }
static void batch_norm_training(costs *c) { batch_norm(c, 8); }
static void batch_norm_grad(costs *c) { batch_norm(c, 9); }

// --- rules: control flow ---

static void call(costs *c) { add(c->out, cost_of_called(c, HLO_ATTRIBUTE_TO_APPLY), 1); }
static void async(costs *c) { add(c->out, cost_of_called(c, HLO_ATTRIBUTE_CALLS), 1); }
static void fusion(costs *c) { // bytes: its own operands and result
  apply(c, HLO_ATTRIBUTE_CALLS, 1);
}

static void loop(costs *c) {
  int64_t trips = hlo_trip_count(c->x);
  if (trips < 0) c->out->is_incomplete = true, trips = 1;
  add(c->out, cost_of_called(c, HLO_ATTRIBUTE_BODY), (double)trips);
  add(c->out, cost_of_called(c, HLO_ATTRIBUTE_CONDITION), (double)trips + 1);
}

static double sum_of(const hlo_cost *cost) {
  return cost->operations + cost->transcendentals + cost->bytes_read + cost->bytes_written;
}

static void conditional(costs *c) {
  const hlo_cost *dearest = NULL;
  for (int32_t a = 0; a < c->x->attribute_count; a++) {
    const hlo_attribute *attribute = &c->x->attributes[a];
    for (int32_t k = 0; attribute->computations != NULL && k < attribute->count; k++) {
      const hlo_cost *cost = &c->table->computations[attribute->computations[k]->index];
      if (dearest == NULL || sum_of(cost) > sum_of(dearest)) dearest = cost;
    }
  }
  if (dearest != NULL) add(c->out, dearest, 1);
}

static void custom_call(costs *c) { c->out->is_incomplete = true; }

// --- rules: bytes ---

static double bytes(const hlo_shape *shape) {
  double sum = 0;
  for (int32_t i = 0; i < hlo_shape_leaf_count(shape); i++)
    sum += (double)hlo_shape_bytes(hlo_shape_leaf(shape, i));
  return sum;
}

// Of the operands from `first` on, each once.
static double operand_bytes(const costs *c, int32_t first) {
  double sum = 0;
  for (int32_t i = first; i < c->x->operand_count; i++) {
    const hlo_instruction **reader = &c->reader[c->x->operands[i]->id];
    if (*reader != c->x) sum += bytes(operand(c, i));
    *reader = c->x;
  }
  return sum;
}

static void all_bytes(costs *c) {
  c->out->bytes_read = operand_bytes(c, 0);
  c->out->bytes_written = bytes(c->x->shape);
}

static void slice_bytes(costs *c) { // as much of operand 0 as there is in the result
  c->out->bytes_written = bytes(c->x->shape);
  c->out->bytes_read = c->out->bytes_written + operand_bytes(c, 1);
}

static void update_bytes(costs *c) {
  c->out->bytes_read = operand_bytes(c, 1);
  c->out->bytes_written = bytes(operand(c, 1));
}

static void scatter_bytes(costs *c) {            // reads what it adds to
  int32_t count = (c->x->operand_count - 1) / 2; // of operands, and of updates after the indices
  double updates = operand_bytes(c, count + 1);
  c->out->bytes_read = bytes(operand(c, count)) + 2 * updates;
  c->out->bytes_written = updates;
}

static void scatter(costs *c) {
  int32_t count = (c->x->operand_count - 1) / 2;
  apply(c, HLO_ATTRIBUTE_TO_APPLY, elements(operand(c, count + 1)));
}

static void nothing(costs *c) { (void)c; }

// --- the table ---

typedef struct cost_rules {
  hlo_opcode opcode;
  cost_rule *operations; // NULL: one per element of elementwise operations, else none
  cost_rule *bytes;      // NULL: all_bytes
} cost_rules;

static const cost_rules rules[] = {
    {HLO_OP_DOT, dot, NULL},
    {HLO_OP_RAGGED_DOT, dot, NULL},
    {HLO_OP_SCALED_DOT, dot, NULL},
    {HLO_OP_CONVOLUTION, convolution, NULL},
    {HLO_OP_REDUCE, reduce, NULL},
    {HLO_OP_REDUCE_WINDOW, reduce_window, NULL},
    {HLO_OP_SELECT_AND_SCATTER, select_and_scatter, NULL},
    {HLO_OP_MAP, map, NULL},
    {HLO_OP_SORT, sort, NULL},
    {HLO_OP_TOPK, topk, NULL},
    {HLO_OP_FFT, fft, NULL},
    {HLO_OP_CHOLESKY, cholesky, NULL},
    {HLO_OP_TRIANGULAR_SOLVE, triangular_solve, NULL},
    {HLO_OP_BATCH_NORM_INFERENCE, batch_norm_inference, NULL},
    {HLO_OP_BATCH_NORM_TRAINING, batch_norm_training, NULL},
    {HLO_OP_BATCH_NORM_GRAD, batch_norm_grad, NULL},
    {HLO_OP_ALL_REDUCE, combine, NULL},
    {HLO_OP_ALL_REDUCE_START, combine, NULL},
    {HLO_OP_REDUCE_SCATTER, combine, NULL},
    {HLO_OP_COLLECTIVE_REDUCE, combine, NULL},
    {HLO_OP_CALL, call, nothing},
    {HLO_OP_ASYNC_START, async, nothing},
    {HLO_OP_FUSION, fusion, NULL},
    {HLO_OP_WHILE, loop, nothing},
    {HLO_OP_CONDITIONAL, conditional, nothing},
    {HLO_OP_CUSTOM_CALL, custom_call, NULL},
    {HLO_OP_COPY, nothing, NULL},
    {HLO_OP_SLICE, NULL, slice_bytes},
    {HLO_OP_DYNAMIC_SLICE, NULL, slice_bytes},
    {HLO_OP_GATHER, NULL, slice_bytes},
    {HLO_OP_DYNAMIC_UPDATE_SLICE, NULL, update_bytes},
    {HLO_OP_SCATTER, scatter, scatter_bytes},
    {HLO_OP_GET_DIMENSION_SIZE, NULL, nothing},
    {HLO_OP_SET_DIMENSION_SIZE, NULL, nothing},
    {HLO_OP_PARAMETER, NULL, nothing},
    {HLO_OP_CONSTANT, NULL, nothing},
};

static bool is_renaming(const hlo_instruction *x) {
  int32_t properties = hlo_op_get(x->opcode)->properties;
  if (properties & (HLO_PROPERTY_ALIAS | HLO_PROPERTY_TOKEN)) return true;
  if (!(properties & HLO_PROPERTY_RESHAPES)) return false;
  const hlo_shape *from = x->operands[0]->shape;
  return hlo_shape_same_dimensions(from, x->shape)
             ? hlo_layout_equal(from->layout, x->shape->layout)
             : hlo_layout_is_default(from->layout) && hlo_layout_is_default(x->shape->layout);
}

static void each_element(costs *c) {
  bool is_transcendental =
      (hlo_op_get(c->x->opcode)->properties & HLO_PROPERTY_TRANSCENDENTAL) != 0 &&
      (hlo_type_get_class(operand(c, 0)->type) & (HLO_CLASS_FLOAT | HLO_CLASS_COMPLEX)) != 0;
  *(is_transcendental ? &c->out->transcendentals : &c->out->operations) = elements(result(c));
}

static void count(costs *c) {
  static const cost_rules none;
  const cost_rules *found = &none;
  if (is_renaming(c->x)) return;
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (rules[i].opcode == c->x->opcode) found = &rules[i];
  }
  if (found->bytes != NULL) found->bytes(c);
  else all_bytes(c);
  if (found->operations != NULL) found->operations(c);
  else if (hlo_op_is_elementwise(c->x->opcode)) each_element(c);
}

hlo_status hlo_cost_of_module(const hlo_module *module, hlo_arena *arena, hlo_cost_table *out,
                              hlo_error *error) {
  HLO_ALLOC(out->computations, arena, module->computation_count, error);
  HLO_ALLOC(out->instructions, arena, module->computation_count, error);
  for (int32_t i = 0; i < module->computation_count; i++) { // callees first
    const hlo_computation *computation = module->computations[i];
    HLO_ALLOC(out->instructions[i], arena, computation->instruction_count, error);
    const hlo_instruction **reader;
    HLO_ALLOC(reader, arena, computation->instruction_count, error);
    for (int32_t k = 0; k < computation->instruction_count; k++) {
      costs c = {out, computation->instructions[k], &out->instructions[i][k], reader};
      count(&c);
      add(&out->computations[i], c.out, 1);
    }
  }
  return HLO_OK;
}
