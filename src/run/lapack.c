// The table of LAPACK routines; checks a call's operands and results against it and runs the
// routine on each matrix of the batch. See lapack.h.
#include "run/lapack.h"

#include "eval/factor_batches.h"

#include <string.h>

// Signatures: operands, '>', results; each a word of dimensions, behind i (s32), r (the real type)
// or c (the complex one) if it is not of the routine's type. Equal letters are equal sizes; k is
// min(m, n), l is n - 1. Attributes: names of those that hold a letter's code, and the letters.
typedef struct lapack_routine {
  const char *name, *types; // the letters of its element types
  const char *signature, *attributes;
  hlo_lapack_function *run;
} lapack_routine;

static const lapack_routine routines[] = {
    {"potrf", "sdcz", "nn > nn i", "uplo=LU", hlo_lapack_potrf},
    {"trsm", "sdcz", "nn xy > xy", "side=LR uplo=LU trans_x=NTC diag=NU", hlo_lapack_trsm},
    {"getrf", "sdcz", "mn > mn ik i", "", hlo_lapack_getrf},
    {"geqrf", "sdcz", "mn > mn k", "", hlo_lapack_geqrf},
    {"geqp3", "sdcz", "mn in > mn in k", "", hlo_lapack_geqp3},
    {"orgqr", "sd", "mn p > mn", "", hlo_lapack_orgqr},
    {"ungqr", "cz", "mn p > mn", "", hlo_lapack_orgqr},
    {"ormqr", "sd", "mn p xy > xy", "", hlo_lapack_ormqr},
    {"unmqr", "cz", "mn p xy > xy", "", hlo_lapack_ormqr},
    {"gesdd", "sdcz", "mn > mn rk mu vn i", "mode=ASN", hlo_lapack_gesdd},
    {"gesvd", "sdcz", "mn > mn rk mu vn i", "mode=ASN", hlo_lapack_gesdd},
    {"syevd", "sd", "nn > nn rn i", "mode=NV uplo=LU", hlo_lapack_syevd},
    {"heevd", "cz", "nn > nn rn i", "mode=NV uplo=LU", hlo_lapack_syevd},
    {"geev", "sd", "nn > n n cnn cnn i", "compute_left=NV compute_right=NV", hlo_lapack_geev},
    {"geev", "cz", "nn > n nn nn i", "compute_left=NV compute_right=NV", hlo_lapack_geev},
    {"gees", "sd", "nn > nn nn n n i i", "mode=NV sort=N", hlo_lapack_gees},
    {"gees", "cz", "nn > nn nn n i i", "mode=NV sort=N", hlo_lapack_gees},
    {"gehrd", "sdcz", "nn > nn l i", "", hlo_lapack_gehrd},
    {"sytrd", "sd", "nn > nn rn rl l i", "uplo=LU", hlo_lapack_sytrd},
    {"hetrd", "cz", "nn > nn rn rl l i", "uplo=LU", hlo_lapack_sytrd},
    {"gtsv", "sdcz", "n n n nm > n n n nm i", "", hlo_lapack_gtsv},
};

// Targets that do not name their type. Those without "ffi" are what XLA's own client library makes
// of factorisations, in programs of TensorFlow and PyTorch.
static const lapack_routine untyped[] = {
    {"tridiagonal_solve_perturbed_ffi", "sdcz", "n n n nm > nm", "", hlo_lapack_perturbed},
    {"Qr", "sdcz", "mn > mn k", "", hlo_lapack_geqrf},
    {"ProductOfElementaryHouseholderReflectors", "sdcz", "mn p > mn", "", hlo_lapack_orgqr},
    {"Eigh", "sdcz", "nn > nn rn", "", hlo_lapack_eigh},
};

static const char prefix[] = "lapack_"; // of targets that name their type

// "lapack_sgetrf_ffi" is getrf of type s.
static const lapack_routine *find_routine(const char *target) {
  static const char suffix[] = "_ffi";
  size_t start = sizeof prefix - 1;
  if (target == NULL) return NULL;
  for (size_t i = 0; i < sizeof untyped / sizeof *untyped; i++)
    if (strcmp(target, untyped[i].name) == 0) return &untyped[i];
  if (strncmp(target, prefix, start) != 0 || target[start] == '\0') return NULL;
  const char *name = target + start + 1;
  for (size_t i = 0; i < sizeof routines / sizeof *routines; i++) {
    size_t length = strlen(routines[i].name);
    if (strncmp(name, routines[i].name, length) == 0 && strcmp(name + length, suffix) == 0 &&
        strchr(routines[i].types, target[start]) != NULL)
      return &routines[i];
  }
  return NULL;
}

bool hlo_lapack_has(const char *target) { return find_routine(target) != NULL; }

// --- checking a call ---

typedef struct checker {
  const hlo_instruction *instruction;
  hlo_type type;      // the routine's
  int32_t batch_rank; // -1 before the first operand
  int64_t sizes[26];  // of the letters, -1 while unknown
} checker;

// "lapack_sgetrf_ffi" names its type; a target without a letter takes its operand's.
static hlo_type type_of(const char *target, hlo_type operand) {
  static const hlo_type types[] = {HLO_F32, HLO_F64, HLO_C64, HLO_C128};
  size_t start = sizeof prefix - 1;
  bool is_typed = strncmp(target, prefix, start) == 0;
  for (int32_t i = 0; i < 4; i++) {
    if (is_typed ? target[start] == "sdcz"[i] : operand == types[i]) return types[i];
  }
  return HLO_TYPE_INVALID;
}

static bool has_type_letter(const char *word) { return strchr("irc", word[0]) != NULL; }

static int64_t size_of(checker *c, char letter, int64_t found) {
  int64_t *size = &c->sizes[letter - 'a'], m = c->sizes['m' - 'a'], n = c->sizes['n' - 'a'];
  if (*size < 0) *size = letter == 'k' ? hlo_smaller(m, n) : letter == 'l' ? n - (n > 0) : found;
  return *size;
}

// Whether the array is as its word says.
static bool fits(checker *c, const char *word, size_t length, const hlo_shape *shape) {
  const hlo_shape *first = hlo_shape_leaf(c->instruction->operands[0]->shape, 0);
  hlo_type type = c->type;
  if (has_type_letter(word)) {
    hlo_type part = hlo_type_complex_part(type);
    type = word[0] == 'i' ? HLO_S32 : word[0] == 'r' ? part : hlo_type_complex_of(part);
    word++, length--;
  }
  if (c->batch_rank < 0) c->batch_rank = shape->rank - (int32_t)length;
  if (c->batch_rank < 0 || shape->type != type || shape->rank != c->batch_rank + (int32_t)length)
    return false;
  for (int32_t d = 0; d < c->batch_rank; d++) {
    if (shape->dims[d] != first->dims[d]) return false;
  }
  for (size_t d = 0; d < length; d++) {
    int64_t found = shape->dims[c->batch_rank + (int32_t)d];
    if (size_of(c, word[d], found) != found) return false;
  }
  return true;
}

// Operand or result k as a leaf, NULL when there is none.
static const hlo_shape *leaf_of(const hlo_instruction *x, bool is_result, int32_t k) {
  if (is_result) return k < hlo_shape_leaf_count(x->shape) ? hlo_shape_leaf(x->shape, k) : NULL;
  return k < x->operand_count ? x->operands[k]->shape : NULL;
}

// Compares all operands and results with the signature.
static hlo_status check_shapes(checker *c, const char *signature, hlo_error *error) {
  const hlo_instruction *x = c->instruction;
  int32_t counts[2] = {0, 0};
  bool is_result = false;
  for (const char *word = signature; *word != '\0'; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    char text[HLO_SHAPE_TEXT_SIZE];
    if (*word == '>') {
      is_result = true;
    } else {
      int32_t k = counts[is_result]++;
      const hlo_shape *shape = leaf_of(x, is_result, k);
      if (shape != NULL && !fits(c, word, length, shape))
        return hlo_instruction_fail(
            x, HLO_SHAPE_ERROR, error,
            "%s %d is %s, not as \"%.*s\" in \"%s\" says (operands > results; letters are sizes "
            "behind those of the batch, k = min(m, n), l = n - 1; i: s32, r: real, c: complex)",
            is_result ? "result" : "operand", (int)k, hlo_shape_to_text(text, shape), (int)length,
            word, signature);
    }
    word += length;
  }
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  if (counts[0] != x->operand_count || counts[1] != leaves)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes %d operands and has %d results, not %d and %d",
                                (int)counts[0], (int)counts[1], (int)x->operand_count, (int)leaves);
  return HLO_OK;
}

static hlo_status check_attributes(const hlo_instruction *x, const char *attributes,
                                   hlo_error *error) {
  for (const char *key = attributes; *key != '\0'; key += strspn(key, " ")) {
    char name[16] = {0};
    size_t length = strcspn(key, "=");
    memcpy(name, key, length);
    key += length + 1;
    double number = hlo_custom_call_number(x, name, 0);
    size_t count = strcspn(key, " ");
    if (!(number > 0 && number < 128) || memchr(key, (int)number, count) == NULL)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the attribute %s must be the code of a letter of \"%.*s\"", name,
                                  (int)count, key);
    key += count;
  }
  return HLO_OK;
}

hlo_status hlo_lapack_check(const hlo_instruction *instruction, hlo_error *error) {
  const char *target = hlo_get_text(instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  const lapack_routine *routine = find_routine(target);
  checker c = {.instruction = instruction, .batch_rank = -1};
  if (routine == NULL) return HLO_OK;
  for (size_t i = 0; i < sizeof c.sizes / sizeof *c.sizes; i++) c.sizes[i] = -1;
  if (instruction->operand_count > 0)
    c.type = type_of(target, instruction->operands[0]->shape->type);
  HLO_TRY(check_shapes(&c, routine->signature, error));
  return check_attributes(instruction, routine->attributes, error);
}

// --- batches ---

static void select_matrix(int32_t batch_rank, int32_t count, const hlo_view *views,
                          const int64_t *index, hlo_view *out) {
  for (int32_t k = 0; k < count; k++) {
    int64_t offset = 0;
    out[k].type = views[k].type; // views have room for many dimensions, which is not copied
    out[k].rank = views[k].rank - batch_rank;
    for (int32_t d = 0; d < batch_rank; d++) offset += index[d] * views[k].strides[d];
    for (int32_t d = 0; d < out[k].rank; d++) {
      out[k].dims[d] = views[k].dims[d + batch_rank];
      out[k].strides[d] = views[k].strides[d + batch_rank];
    }
    out[k].data = (char *)views[k].data + offset * hlo_type_bytes(views[k].type);
  }
}

// Whether the routine goes through the batch of its operand itself.
static bool takes_batches(const lapack_routine *routine, const hlo_view *operand) {
  return routine->run == hlo_lapack_potrf || routine->run == hlo_lapack_trsm ||
         (routine->run == hlo_lapack_getrf && hlo_factor_batches_take(operand));
}

hlo_status hlo_lapack_call(const hlo_custom_call *call, hlo_error *error) {
  const lapack_routine *routine =
      find_routine(hlo_get_text(call->instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET));
  const hlo_view *first = call->operands;
  int32_t matrix_rank = (int32_t)strcspn(routine->signature, " ");
  int32_t batch_rank = takes_batches(routine, first) ? 0 : first->rank - matrix_rank;
  hlo_lapack x;
  x.call = call;
  int64_t index[HLO_MAX_RANK] = {0};
  for (int32_t d = 0; d < batch_rank; d++) {
    if (first->dims[d] == 0) return HLO_OK;
  }
  do {
    hlo_arena_mark mark = hlo_arena_get_mark(call->evaluator->scratch);
    select_matrix(batch_rank, call->operand_count, call->operands, index, x.operands);
    select_matrix(batch_rank, call->result_count, call->results, index, x.results);
    HLO_TRY(routine->run(&x, error));
    hlo_arena_rewind(call->evaluator->scratch, mark);
  } while (hlo_next_index(batch_rank, first->dims, index));
  return HLO_OK;
}

// --- what routines share ---

hlo_status hlo_lapack_fail(const hlo_lapack *x, const char *what, hlo_error *error) {
  return hlo_instruction_fail(x->call->instruction, HLO_SHAPE_ERROR, error, "%s", what);
}

char hlo_lapack_letter(const hlo_lapack *x, const char *key) {
  return (char)hlo_custom_call_number(x->call->instruction, key, 0);
}

hlo_status hlo_lapack_make(const hlo_lapack *x, int64_t rows, int64_t columns, hlo_matrix *out,
                           hlo_error *error) {
  return hlo_matrix_make(x->call->evaluator->scratch, rows, columns,
                         hlo_type_is_complex(x->operands[0].type), out, error);
}

// The address of a part of element (i, j) of a view of at most two dimensions.
static void *part_at(const hlo_view *view, int64_t i, int64_t j, int32_t part) {
  int64_t at = (view->rank > 0 ? i * view->strides[0] : 0);
  if (view->rank > 1) at += j * view->strides[1];
  int32_t parts = hlo_type_is_complex(view->type) ? 2 : 1;
  int32_t size = hlo_type_bytes(view->type) / parts;
  return (char *)view->data + (at * parts + part) * size;
}

// One part of n elements, `step` numbers of the view apart, to doubles one after the other; or, if
// `back`, from them.
static void convert_part(const hlo_view *view, void *data, int64_t step, int64_t n, double *dense,
                         bool back) {
  if (hlo_type_complex_part(view->type) == HLO_F32) {
    float *floats = data;
    for (int64_t i = 0; i < n && back; i++) floats[i * step] = (float)dense[i];
    for (int64_t i = 0; i < n && !back; i++) dense[i] = (double)floats[i * step];
    return;
  }
  double *doubles = data;
  for (int64_t i = 0; i < n && back; i++) doubles[i * step] = dense[i];
  for (int64_t i = 0; i < n && !back; i++) dense[i] = doubles[i * step];
}

// A real matrix stored to a complex view has no imaginary parts.
static void convert_matrix(const hlo_view *view, const hlo_matrix *m, bool back) {
  bool is_complex = hlo_type_is_complex(view->type);
  int64_t step = (view->rank > 0 ? view->strides[0] : 1) * (is_complex ? 2 : 1);
  for (int64_t j = 0; j < m->columns; j++) {
    convert_part(view, part_at(view, 0, j, 0), step, m->rows, m->re + j * m->step, back);
    if (is_complex && m->im != NULL)
      convert_part(view, part_at(view, 0, j, 1), step, m->rows, m->im + j * m->step, back);
    double zero = 0;
    for (int64_t i = 0; is_complex && m->im == NULL && back && i < m->rows; i++)
      convert_part(view, part_at(view, i, j, 1), step, 1, &zero, true);
  }
}

hlo_status hlo_lapack_load(const hlo_lapack *x, const hlo_view *from, hlo_matrix *out,
                           hlo_error *error) {
  HLO_TRY(hlo_lapack_make(x, from->dims[0], from->rank > 1 ? from->dims[1] : 1, out, error));
  convert_matrix(from, out, false);
  return HLO_OK;
}

void hlo_lapack_store(const hlo_view *to, const hlo_matrix *from) {
  convert_matrix(to, from, true);
}

void hlo_lapack_store_reals(const hlo_view *to, const double *from) {
  hlo_matrix column = {to->dims[0], 1, to->dims[0], (double *)from, NULL}; // is not written
  hlo_lapack_store(to, &column);
}

void hlo_lapack_store_int(const hlo_view *to, int64_t index, int64_t value) {
  *(int32_t *)part_at(to, index, 0, 0) = (int32_t)value;
}

void hlo_lapack_complete(const hlo_matrix *a, bool lower) {
  for (int64_t j = 0; j < a->columns; j++) {
    hlo_matrix_set(a, j, j, hlo_real(hlo_matrix_get(a, j, j).re));
    for (int64_t i = j + 1; i < a->rows; i++) {
      if (lower) hlo_matrix_set(a, j, i, hlo_conjugate(hlo_matrix_get(a, i, j)));
      else hlo_matrix_set(a, i, j, hlo_conjugate(hlo_matrix_get(a, j, i)));
    }
  }
}
