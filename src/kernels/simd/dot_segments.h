// Products over segments, what convolution is made of, by the register tiles of dot_tiles.h.
// Included once per file, after dot_loops.h and what that wants.
static int64_t pack_size_of_windows(int64_t n, int64_t k) {
  return panels(n) * PANEL * k * (int64_t)sizeof(ELEMENT);
}

static void pack_windows(int64_t n, int64_t k, const void *b, int64_t ldb, void *packed) {
  pack(n, k, b, ldb, packed, k * PANEL);
}

enum { VECTORS = 4, POSITIONS = LANES * VECTORS };

// One column where rows of A are apart by one element, as in an image of one feature: lanes are
// rows, at least POSITIONS of them. Sums are made as in a tile.
INLINE void positions_at(const segments *s, const ELEMENT *a, const ELEMENT *b, ELEMENT *to,
                         const ELEMENT *begun) {
  v128_t sums[VECTORS] = {0};
  for (int64_t part = 0; part < s->count; part++) {
    const ELEMENT *from = a + s->offsets[part], *end = from + s->length;
    for (; from != end; from++, b += PANEL) {
      v128_t x = LOAD_SPLAT(b);
      _Pragma("unroll") for (int v = 0; v < VECTORS; v++) sums[v] =
          MULTIPLY_ADD(wasm_v128_load(from + LANES * v), x, sums[v]);
    }
  }
  _Pragma("unroll") for (int v = 0; v < VECTORS; v++) wasm_v128_store(
      to + LANES * v, begun != NULL ? PLUS(wasm_v128_load(begun + LANES * v), sums[v]) : sums[v]);
}

// At the edge some sums are made twice.
static __attribute__((noinline)) void multiply_positions(int64_t m, const segments *s,
                                                         const ELEMENT *a, const ELEMENT *panel,
                                                         ELEMENT *c) {
  for (int64_t row = 0; row < m; row += POSITIONS) {
    int64_t i = smaller(row, m - POSITIONS);
    positions_at(s, a + i, panel, c + i, NULL);
  }
}

// c[i] += what the above would store there.
static __attribute__((noinline)) void add_positions(int64_t m, const segments *s, const ELEMENT *a,
                                                    const ELEMENT *panel, ELEMENT *c) {
  ELEMENT last[POSITIONS];
  int64_t edge = m % POSITIONS, whole = m - edge;
  for (int64_t i = 0; i < whole; i += POSITIONS) positions_at(s, a + i, panel, c + i, c + i);
  if (edge == 0) return;
  positions_at(s, a + m - POSITIONS, panel, last, c + m - POSITIONS);
  memcpy(c + whole, last + POSITIONS - edge, (size_t)edge * sizeof *c);
}

// Some rows and columns of a product: A's rows from a on, a panel or ACROSS of them.
typedef struct segment_part {
  const hlo_segmented_product *of;
  bool positions;
  int64_t m, width;
  const ELEMENT *a, *panel;
  ELEMENT *c;
  int64_t ldc;
} segment_part;

static void multiply_segments(const segment_part *part, const segments *s, int64_t done, ELEMENT *c,
                              int64_t ldc, int accumulate) {
  const hlo_segmented_product *p = part->of;
  const ELEMENT *panel = part->panel + done * PANEL;
  int64_t stride = p->segments * p->length * PANEL;
  if (part->positions)
    (accumulate ? add_positions : multiply_positions)(part->m, s, part->a, panel, c);
  else
    multiply_panels(part->m, part->width, s, part->a, p->lda, panel, PANEL, stride, c, ldc,
                    accumulate);
}

// The next products to be added one after the other: some segments, or a part of one.
typedef struct segment_step {
  segments now;
  int64_t segment, at, offset; // the next segment, and where in it; that of a part
} segment_step;

static bool next_segments(const hlo_segmented_product *p, segment_step *step) {
  if (step->segment == p->segments) return false;
  if (p->length <= HLO_SUM_BLOCK) {
    int64_t count = smaller(HLO_SUM_BLOCK / p->length, p->segments - step->segment);
    step->now = (segments){count, p->length, p->offsets + step->segment};
    step->segment += count;
    return true;
  }
  step->offset = p->offsets[step->segment] + step->at;
  step->now = (segments){1, smaller(HLO_SUM_BLOCK, p->length - step->at), &step->offset};
  step->at += step->now.length;
  if (step->at == p->length) step->segment++, step->at = 0;
  return true;
}

// Products up to the next LONG_SUM of them.
static HLO_SMALL_CODE int64_t add_segments(const segment_part *part, segment_step *step,
                                           int64_t done, ELEMENT *c, int64_t ldc) {
  int64_t end = done + LONG_SUM;
  for (int accumulate = 0; done < end && next_segments(part->of, step); accumulate = 1) {
    multiply_segments(part, &step->now, done, c, ldc, accumulate);
    done += step->now.count * step->now.length;
  }
  return done;
}

static HLO_SMALL_CODE void multiply_long_segments(const segment_part *part) {
  ELEMENT beside[HLO_SEGMENT_ROWS * ACROSS * PANEL], lost[HLO_SEGMENT_ROWS * ACROSS * PANEL] = {0};
  int64_t k = part->of->segments * part->of->length;
  segment_step step = {0};
  int64_t done = add_segments(part, &step, 0, part->c, part->ldc);
  while (done < k) {
    done = add_segments(part, &step, done, beside, part->width);
    add_block(part->m, part->width, beside, part->c, part->ldc, lost);
  }
  end_sums(part->m, part->width, lost, part->c, part->ldc);
}

// More than HLO_SUM_BLOCK products.
static HLO_SMALL_CODE void multiply_in_steps(segment_part part) {
  const hlo_segmented_product *p = part.of;
  int64_t m = part.m;
  if (p->segments * p->length <= LONG_SUM) {
    segment_step step = {0};
    add_segments(&part, &step, 0, part.c, part.ldc);
    return;
  }
  for (int64_t row = 0; row < m; row += part.m, part.a += part.m * p->lda) {
    bool fits =
        m - row <= HLO_SEGMENT_ROWS || (part.positions && m - row < HLO_SEGMENT_ROWS + POSITIONS);
    part.m = fits ? m - row : HLO_SEGMENT_ROWS;
    multiply_long_segments(&part);
    part.c += part.m * part.ldc;
  }
}

// Panels outermost but for groups of blocks whose rows of A stay in the second cache.
static HLO_SMALL_CODE void multiply_windows(const hlo_segmented_product *product) {
  int64_t k = product->segments * product->length, m = product->m;
  int64_t apart = product->lda > 0 ? smaller(product->lda, k) : k;
  int64_t group = HLO_GEMM_GROUP_ELEMENTS / (m * apart) + 1;
  bool at_once = k <= HLO_SUM_BLOCK || product->exact;
  const segments all = {product->segments, product->length, product->offsets};
  segment_part part = {.of = product, .m = m, .ldc = product->ldc};
  part.positions = product->n == 1 && product->lda == 1 && product->ldc == 1 && m >= POSITIONS;
  for (int64_t first = 0; first < product->blocks; first += group) {
    int64_t last = smaller(first + group, product->blocks);
    for (int64_t j = 0; j < product->n; j += ACROSS * PANEL) {
      part.width = smaller(ACROSS * PANEL, product->n - j);
      part.panel = (const ELEMENT *)product->packed + j * k;
      read_panels_ahead(part.panel, panels(part.width) * k * PANEL);
      for (int64_t i = first; i < last; i++) {
        part.a = product->a[i];
        part.c = (ELEMENT *)product->c[i] + product->column + j;
        if (at_once) multiply_segments(&part, &all, 0, part.c, part.ldc, 0);
        else multiply_in_steps(part);
      }
    }
  }
}
