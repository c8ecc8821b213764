// BatchNormTraining, BatchNormInference and BatchNormGrad. Source of semantics: their sections of
// the operation semantics, whose formulas are cited below. Everything is computed in double and
// rounded once.
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"

typedef struct batch_norm {
  const hlo_evaluator *evaluator;
  int32_t feature_index;
  double epsilon;
  int64_t features, count; // elements of each feature
} batch_norm;

// XLA keeps epsilon as a float.
static batch_norm batch_norm_of(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                                const hlo_view *operand) {
  const hlo_attribute *epsilon = hlo_find_attribute(instruction, HLO_ATTRIBUTE_EPSILON);
  batch_norm b = {.evaluator = evaluator,
                  .feature_index =
                      (int32_t)hlo_get_int(instruction, HLO_ATTRIBUTE_FEATURE_INDEX, 0),
                  .epsilon = epsilon == NULL ? 0 : (double)(float)epsilon->real};
  b.features = operand->dims[b.feature_index];
  b.count = 1;
  for (int32_t d = 0; d < operand->rank; d++) {
    if (d != b.feature_index) b.count *= operand->dims[d];
  }
  return b;
}

static hlo_view features_first(const batch_norm *b, const hlo_view *view) {
  hlo_view out = *view;
  int32_t rank = 1;
  out.dims[0] = view->dims[b->feature_index];
  out.strides[0] = view->strides[b->feature_index];
  for (int32_t d = 0; d < view->rank; d++) {
    if (d == b->feature_index) continue;
    out.dims[rank] = view->dims[d];
    out.strides[rank++] = view->strides[d];
  }
  return out;
}

// Elements of an array, feature by feature, or one number for each feature, as doubles.
static hlo_status load_elements(const batch_norm *b, const hlo_view *view, double **out,
                                hlo_error *error) {
  hlo_view from = features_first(b, view), dense;
  HLO_TRY(hlo_scratch_view(b->evaluator, HLO_F64, from.rank, from.dims, &dense, error));
  *out = dense.data;
  return hlo_convert_view(b->evaluator, &dense, &from, error);
}

static hlo_status load_numbers(const batch_norm *b, const hlo_view *view, double **out,
                               hlo_error *error) {
  hlo_view dense;
  HLO_TRY(hlo_scratch_view(b->evaluator, HLO_F64, 1, view->dims, &dense, error));
  *out = dense.data;
  return hlo_convert_view(b->evaluator, &dense, view, error);
}

static hlo_status store_elements(const batch_norm *b, const hlo_view *view, double *values,
                                 hlo_error *error) {
  hlo_view to = features_first(b, view), from = to;
  from.type = HLO_F64;
  from.data = values;
  hlo_view_set_row_major(&from);
  return hlo_convert_view(b->evaluator, &to, &from, error);
}

static hlo_status store_numbers(const batch_norm *b, const hlo_view *view, double *values,
                                hlo_error *error) {
  hlo_view from = *view;
  from.type = HLO_F64;
  from.data = values;
  hlo_view_set_row_major(&from);
  return hlo_convert_view(b->evaluator, view, &from, error);
}

static double square_root(double x) { return __builtin_sqrt(x); }

// y = scale (x - mean) / sqrt(variance + epsilon) + offset, in place.
static void normalize(const batch_norm *b, double *x, double mean, double variance, double scale,
                      double offset) {
  double deviation = square_root(variance + b->epsilon);
  for (int64_t i = 0; i < b->count; i++) x[i] = scale * (x[i] - mean) / deviation + offset;
}

static double mean_of(const batch_norm *b, const double *x) {
  double sum = 0;
  for (int64_t i = 0; i < b->count; i++) sum += x[i];
  return sum / (double)b->count;
}

static double variance_of(const batch_norm *b, const double *x, double mean) {
  double sum = 0;
  for (int64_t i = 0; i < b->count; i++) sum += (x[i] - mean) * (x[i] - mean);
  return sum / (double)b->count;
}

hlo_status hlo_eval_batch_norm_training(const hlo_evaluator *evaluator,
                                        const hlo_instruction *instruction,
                                        const hlo_view *operands, const hlo_view *results,
                                        hlo_error *error) {
  batch_norm b = batch_norm_of(evaluator, instruction, &operands[0]);
  double *x, *scale, *offset, *mean, *variance;
  HLO_TRY(load_elements(&b, &operands[0], &x, error));
  HLO_TRY(load_numbers(&b, &operands[1], &scale, error));
  HLO_TRY(load_numbers(&b, &operands[2], &offset, error));
  HLO_ALLOC(mean, evaluator->scratch, b.features, error);
  HLO_ALLOC(variance, evaluator->scratch, b.features, error);
  for (int64_t f = 0; f < b.features; f++) {
    double *row = x + f * b.count;
    mean[f] = mean_of(&b, row);
    variance[f] = variance_of(&b, row, mean[f]);
    normalize(&b, row, mean[f], variance[f], scale[f], offset[f]);
  }
  HLO_TRY(store_elements(&b, &results[0], x, error));
  HLO_TRY(store_numbers(&b, &results[1], mean, error));
  return store_numbers(&b, &results[2], variance, error);
}

hlo_status hlo_eval_batch_norm_inference(const hlo_evaluator *evaluator,
                                         const hlo_instruction *instruction,
                                         const hlo_view *operands, const hlo_view *results,
                                         hlo_error *error) {
  batch_norm b = batch_norm_of(evaluator, instruction, &operands[0]);
  double *x, *scale, *offset, *mean, *variance;
  HLO_TRY(load_elements(&b, &operands[0], &x, error));
  HLO_TRY(load_numbers(&b, &operands[1], &scale, error));
  HLO_TRY(load_numbers(&b, &operands[2], &offset, error));
  HLO_TRY(load_numbers(&b, &operands[3], &mean, error));
  HLO_TRY(load_numbers(&b, &operands[4], &variance, error));
  for (int64_t f = 0; f < b.features; f++) {
    normalize(&b, x + f * b.count, mean[f], variance[f], scale[f], offset[f]);
  }
  return store_elements(&b, &results[0], x, error);
}

// With the page's names: c = mean(∇y (x - μ) / (σ² + ε)), d = mean(∇y),
// ∇x = γ / sqrt(σ² + ε) (∇y - d - c (x - μ)), ∇γ = Σ ∇y (x - μ) / sqrt(σ² + ε), ∇β = Σ ∇y.
// x becomes ∇x.
static void differentiate(const batch_norm *b, double *x, const double *gradient, double scale,
                          double mean, double variance, double *scale_gradient,
                          double *offset_gradient) {
  double deviation = square_root(variance + b->epsilon), products = 0, sum = 0;
  for (int64_t i = 0; i < b->count; i++) {
    products += gradient[i] * (x[i] - mean);
    sum += gradient[i];
  }
  double c = products / (variance + b->epsilon) / (double)b->count, d = sum / (double)b->count;
  for (int64_t i = 0; i < b->count; i++) {
    x[i] = scale / deviation * (gradient[i] - d - c * (x[i] - mean));
  }
  *scale_gradient = products / deviation;
  *offset_gradient = sum;
}

hlo_status hlo_eval_batch_norm_grad(const hlo_evaluator *evaluator,
                                    const hlo_instruction *instruction, const hlo_view *operands,
                                    const hlo_view *results, hlo_error *error) {
  batch_norm b = batch_norm_of(evaluator, instruction, &operands[0]);
  double *x, *scale, *mean, *variance, *gradient, *scale_gradient, *offset_gradient;
  HLO_TRY(load_elements(&b, &operands[0], &x, error));
  HLO_TRY(load_numbers(&b, &operands[1], &scale, error));
  HLO_TRY(load_numbers(&b, &operands[2], &mean, error));
  HLO_TRY(load_numbers(&b, &operands[3], &variance, error));
  HLO_TRY(load_elements(&b, &operands[4], &gradient, error));
  HLO_ALLOC(scale_gradient, evaluator->scratch, b.features, error);
  HLO_ALLOC(offset_gradient, evaluator->scratch, b.features, error);
  for (int64_t f = 0; f < b.features; f++) {
    int64_t first = f * b.count;
    differentiate(&b, x + first, gradient + first, scale[f], mean[f], variance[f],
                  &scale_gradient[f], &offset_gradient[f]);
  }
  HLO_TRY(store_elements(&b, &results[0], x, error));
  HLO_TRY(store_numbers(&b, &results[1], scale_gradient, error));
  return store_numbers(&b, &results[2], offset_gradient, error);
}
