// Batch normalisation, in wide numbers rounded once. Source of semantics: "BatchNormTraining",
// "BatchNormInference" and "BatchNormGrad" of the operation semantics, whose formulas are cited.
#include "reference/operation.h"
#include "reference/wide.h"

typedef struct batch_norm {
  const hlo_operation *x;
  int64_t feature_index;
  hlo_wide epsilon; // XLA keeps it as a float
  hlo_wide count;   // of the elements of each feature
} batch_norm;

static batch_norm describe(const hlo_operation *x) {
  const hlo_attribute *epsilon = hlo_find_attribute(x->instruction, HLO_ATTRIBUTE_EPSILON);
  batch_norm b = {.x = x,
                  .feature_index = hlo_get_int(x->instruction, HLO_ATTRIBUTE_FEATURE_INDEX, 0),
                  .epsilon = hlo_wide_real(epsilon == NULL ? 0 : (double)(float)epsilon->real)};
  double count = 1;
  for (int32_t d = 0; d < x->operands->rank; d++)
    if (d != b.feature_index) count *= (double)x->operands->dims[d];
  b.count = hlo_wide_real(count);
  return b;
}

// A walk over the elements of one feature.
static hlo_index over_feature(const batch_norm *b, int64_t feature) {
  hlo_index index = hlo_index_over(b->x->operands);
  hlo_index_fix(&index, b->feature_index, feature);
  return index;
}

#define FOR_EACH_OF(feature, i) for (hlo_index i = over_feature(b, feature); hlo_index_next(&i);)

static hlo_wide at(const batch_norm *b, int32_t k, const int64_t *index) {
  return hlo_wide_at(&b->x->operands[k], index);
}

static void store(const batch_norm *b, int32_t k, const int64_t *index, hlo_wide value) {
  hlo_store_number(&b->x->results[k], index, hlo_wide_round(value));
}

// x - μ
static hlo_wide distance_of(const batch_norm *b, const int64_t *index, hlo_wide mean) {
  return hlo_wide_subtract(at(b, 0, index), mean);
}

// sqrt(σ² + ε)
static hlo_wide deviation_of(const batch_norm *b, hlo_wide variance) {
  return hlo_wide_root(hlo_wide_add(variance, b->epsilon));
}

// y = γ (x - μ) / sqrt(σ² + ε) + β
static hlo_wide normalized(const batch_norm *b, const int64_t *index, hlo_wide mean,
                           hlo_wide variance) {
  const int64_t *feature = &index[b->feature_index];
  hlo_wide scaled = hlo_wide_multiply(at(b, 1, feature), distance_of(b, index, mean));
  return hlo_wide_add(hlo_wide_divide(scaled, deviation_of(b, variance)), at(b, 2, feature));
}

// BatchNormTraining: normalised by μ and σ² of the batch, which are results too.
hlo_status hlo_reference_batch_norm_training(const hlo_operation *x, hlo_error *error) {
  (void)error;
  const batch_norm norm = describe(x), *b = &norm;
  for (int64_t f = 0; f < x->operands->dims[b->feature_index]; f++) {
    hlo_wide sum = hlo_wide_real(0), squares = sum;
    FOR_EACH_OF(f, i) sum = hlo_wide_add(sum, at(b, 0, i.at));
    hlo_wide mean = hlo_wide_divide(sum, b->count);
    FOR_EACH_OF(f, i) {
      hlo_wide distance = distance_of(b, i.at, mean);
      squares = hlo_wide_add(squares, hlo_wide_multiply(distance, distance));
    }
    hlo_wide variance = hlo_wide_divide(squares, b->count);
    FOR_EACH_OF(f, i) store(b, 0, i.at, normalized(b, i.at, mean, variance));
    store(b, 1, &f, mean);
    store(b, 2, &f, variance);
  }
  return HLO_OK;
}

// BatchNormInference: normalised by a given μ and σ².
hlo_scalar hlo_reference_batch_norm_inference(const hlo_operation *x, const int64_t *index) {
  batch_norm b = describe(x);
  const int64_t *feature = &index[b.feature_index];
  hlo_wide value = normalized(&b, index, at(&b, 3, feature), at(&b, 4, feature));
  return hlo_scalar_of(x->results->type, hlo_wide_round(value));
}

// BatchNormGrad, with the page's names: ∇γ = Σ ∇y (x - μ) / sqrt(σ² + ε), ∇β = Σ ∇y,
// c = mean(∇y (x - μ) / (σ² + ε)), d = mean(∇y), ∇x = γ / sqrt(σ² + ε) (∇y - d - c (x - μ)).
hlo_status hlo_reference_batch_norm_grad(const hlo_operation *x, hlo_error *error) {
  (void)error;
  const batch_norm norm = describe(x), *b = &norm;
  for (int64_t f = 0; f < x->operands->dims[b->feature_index]; f++) {
    hlo_wide scale = at(b, 1, &f), mean = at(b, 2, &f), variance = at(b, 3, &f);
    hlo_wide deviation = deviation_of(b, variance), products = hlo_wide_real(0), sum = products;
    FOR_EACH_OF(f, i) {
      hlo_wide product = hlo_wide_multiply(at(b, 4, i.at), distance_of(b, i.at, mean));
      products = hlo_wide_add(products, product);
      sum = hlo_wide_add(sum, at(b, 4, i.at));
    }
    hlo_wide c = hlo_wide_divide(products, hlo_wide_add(variance, b->epsilon));
    hlo_wide d = hlo_wide_divide(sum, b->count);
    c = hlo_wide_divide(c, b->count);
    FOR_EACH_OF(f, i) {
      hlo_wide y = hlo_wide_subtract(at(b, 4, i.at), d);
      y = hlo_wide_subtract(y, hlo_wide_multiply(c, distance_of(b, i.at, mean)));
      store(b, 0, i.at, hlo_wide_multiply(hlo_wide_divide(scale, deviation), y));
    }
    store(b, 1, &f, hlo_wide_divide(products, deviation));
    store(b, 2, &f, sum);
  }
  return HLO_OK;
}
