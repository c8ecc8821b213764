// Template of the loops of factor_batches.c for one element type. The includer defines ELEMENT,
// NUMBER (the integer of its width), LANES and NAME(function). Matrices are stored row by row with
// one vector per element, whose lanes belong to different matrices.
#define VECTOR              NAME(vector)
#define MASK                NAME(mask)
#define EACH_LANE           _Pragma("unroll") for (int lane = 0; lane < LANES; lane++)
#define CHOOSE(which, a, b) (VECTOR)(((MASK)(a) & (which)) | ((MASK)(b) & ~(which)))

typedef ELEMENT VECTOR __attribute__((vector_size(LANES * sizeof(ELEMENT))));
typedef NUMBER MASK __attribute__((vector_size(LANES * sizeof(ELEMENT))));

static bool NAME(is_everywhere)(const MASK *mask) {
  NUMBER all = -1;
  EACH_LANE all &= (*mask)[lane];
  return all != 0;
}

static void NAME(load)(const lane_walk *walk, int32_t array, VECTOR *to) {
  const hlo_view *view = walk->arrays[array];
  ptrdiff_t row = (ptrdiff_t)view->strides[view->rank - 2];
  ptrdiff_t column = (ptrdiff_t)view->strides[view->rank - 1];
  ptrdiff_t rows = (ptrdiff_t)view->dims[view->rank - 2];
  ptrdiff_t columns = (ptrdiff_t)view->dims[view->rank - 1];
  const ELEMENT *from[LANES];
  EACH_LANE from[lane] = (void *)walk->at[array][lane];
  for (ptrdiff_t i = 0; i < rows; i++) {
    for (ptrdiff_t j = 0; j < columns; j++, to++) {
      ptrdiff_t place = i * row + j * column;
      VECTOR loaded = {0};
      EACH_LANE loaded[lane] = from[lane][place];
      *to = loaded;
    }
  }
}

static void NAME(store)(const lane_walk *walk, int32_t array, const VECTOR *from) {
  const hlo_view *view = walk->arrays[array];
  ptrdiff_t row = (ptrdiff_t)view->strides[view->rank - 2];
  ptrdiff_t column = (ptrdiff_t)view->strides[view->rank - 1];
  ptrdiff_t rows = (ptrdiff_t)view->dims[view->rank - 2];
  ptrdiff_t columns = (ptrdiff_t)view->dims[view->rank - 1];
  for (int lane = 0; lane < walk->used; lane++) {
    ELEMENT *to = (void *)walk->at[array][lane];
    const ELEMENT *numbers = (const ELEMENT *)from + lane;
    for (ptrdiff_t i = 0; i < rows; i++) {
      for (ptrdiff_t j = 0; j < columns; j++)
        to[i * row + j * column] = numbers[(i * columns + j) * LANES];
    }
  }
}

// --- LU factors ---

// The row of the largest element of column k, from row k on.
static void NAME(find_pivot)(ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t k, const VECTOR *a,
                             MASK *pivot) {
  const MASK magnitude = ~((MASK){0} + (NUMBER)1 << (8 * sizeof(NUMBER) - 1));
  VECTOR size = (VECTOR)((MASK)a[k * columns + k] & magnitude);
  MASK best = (MASK){0} + (NUMBER)k;
  for (ptrdiff_t i = k + 1; i < rows; i++) {
    VECTOR other = (VECTOR)((MASK)a[i * columns + k] & magnitude);
    MASK larger = other > size;
    size = CHOOSE(larger, other, size);
    best = (best & ~larger) | (((MASK){0} + (NUMBER)i) & larger);
  }
  *pivot = best;
}

// Exchanges row k with the row that each lane selects.
static void NAME(exchange)(ptrdiff_t columns, ptrdiff_t k, const MASK *with, VECTOR *a) {
  uint32_t rows = 0;
  EACH_LANE rows |= 1u << (*with)[lane];
  for (rows &= ~(1u << k); rows != 0; rows &= rows - 1) {
    ptrdiff_t i = __builtin_ctz(rows);
    MASK here = *with == (MASK){0} + (NUMBER)i;
    for (ptrdiff_t j = 0; j < columns; j++) {
      VECTOR upper = a[k * columns + j], lower = a[i * columns + j];
      a[k * columns + j] = CHOOSE(here, lower, upper);
      a[i * columns + j] = CHOOSE(here, upper, lower);
    }
  }
}

// Eliminates below row k; lanes whose pivot is zero are left unchanged.
static void NAME(eliminate)(ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t k, const MASK *regular,
                            VECTOR *a) {
  bool all = NAME(is_everywhere)(regular);
  const VECTOR *first = a + k * columns, pivot = first[k];
  for (ptrdiff_t i = k + 1; i < rows; i++) {
    VECTOR *row = a + i * columns, factor = row[k] / pivot;
    row[k] = CHOOSE(*regular, factor, row[k]);
    if (all)
      for (ptrdiff_t j = k + 1; j < columns; j++) row[j] -= factor * first[j];
    else
      for (ptrdiff_t j = k + 1; j < columns; j++)
        row[j] = CHOOSE(*regular, row[j] - factor * first[j], row[j]);
  }
}

static void NAME(lu)(lane_walk *walk) {
  const hlo_view *view = walk->arrays[0], *pivots = walk->arrays[2];
  ptrdiff_t rows = (ptrdiff_t)view->dims[view->rank - 2];
  ptrdiff_t columns = (ptrdiff_t)view->dims[view->rank - 1];
  int64_t steps = smaller(rows, columns);
  while (next(walk)) {
    VECTOR a[HLO_FACTOR_BATCH_MOST * HLO_FACTOR_BATCH_MOST];
    int32_t found[HLO_FACTOR_BATCH_MOST * MOST_LANES], failed[MOST_LANES] = {0};
    NAME(load)(walk, 0, a);
    for (ptrdiff_t k = 0; k < steps; k++) {
      MASK best;
      NAME(find_pivot)(rows, columns, k, a, &best);
      NAME(exchange)(columns, k, &best, a);
      MASK regular = a[k * columns + k] != 0;
      NAME(eliminate)(rows, columns, k, &regular, a);
      EACH_LANE {
        found[k * MOST_LANES + lane] = (int32_t)best[lane] + 1;
        if (!regular[lane] && failed[lane] == 0) failed[lane] = (int32_t)k + 1;
      }
    }
    NAME(store)(walk, 1, a);
    store_numbers(walk, 2, steps, pivots->strides[pivots->rank - 1], found);
    store_numbers(walk, 3, 1, 0, failed);
  }
}

// --- triangular systems ---

static void NAME(solve)(lane_walk *walk, bool unit) {
  const hlo_view *right = walk->arrays[1];
  ptrdiff_t n = (ptrdiff_t)right->dims[right->rank - 2];
  ptrdiff_t columns = (ptrdiff_t)right->dims[right->rank - 1];
  while (next(walk)) {
    VECTOR a[HLO_FACTOR_BATCH_MOST * HLO_FACTOR_BATCH_MOST],
        x[HLO_FACTOR_BATCH_MOST * HLO_FACTOR_BATCH_MOST];
    NAME(load)(walk, 0, a);
    NAME(load)(walk, 1, x);
    for (ptrdiff_t i = 0; i < n; i++) {
      for (ptrdiff_t j = 0; j < columns; j++) {
        VECTOR sum = x[i * columns + j];
        for (ptrdiff_t q = 0; q < i; q++) sum -= a[i * n + q] * x[q * columns + j];
        x[i * columns + j] = unit ? sum : sum / a[i * n + i];
      }
    }
    NAME(store)(walk, 2, x);
  }
}

// --- Cholesky factors ---

static void NAME(cholesky)(lane_walk *walk) {
  const hlo_view *view = walk->arrays[0];
  ptrdiff_t n = (ptrdiff_t)view->dims[view->rank - 1];
  while (next(walk)) {
    VECTOR a[HLO_FACTOR_BATCH_MOST * HLO_FACTOR_BATCH_MOST];
    MASK positive = ~(MASK){0};
    int32_t failed[MOST_LANES] = {0};
    NAME(load)(walk, 0, a);
    for (ptrdiff_t i = 0; i < n; i++) {
      VECTOR inverse = {0};
      for (ptrdiff_t j = 0; j < i; j++) a[i * n + j] = (VECTOR){0};
      for (ptrdiff_t j = i; j < n; j++) {
        VECTOR sum = a[i * n + j];
        for (ptrdiff_t q = 0; q < i; q++) sum -= a[q * n + i] * a[q * n + j];
        if (j == i) {
          positive &= sum > 0;
          EACH_LANE {
            if (!positive[lane] && failed[lane] == 0) failed[lane] = (int32_t)i + 1;
            sum[lane] = (ELEMENT)__builtin_sqrt((double)sum[lane]);
          }
          inverse = 1 / sum;
        }
        a[i * n + j] = j == i ? sum : sum * inverse;
      }
    }
    const VECTOR nan = (VECTOR){0} + (ELEMENT)__builtin_nan("");
    for (ptrdiff_t i = 0; i < n * n; i++) a[i] = CHOOSE(positive, a[i], nan);
    NAME(store)(walk, 1, a);
    if (walk->array_count > 2) store_numbers(walk, 2, 1, 0, failed);
  }
}
#undef VECTOR
#undef MASK
#undef EACH_LANE
#undef CHOOSE
