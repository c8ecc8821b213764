// The table of LAPACK routines; checks a call's operands and results against it and runs the
// routine on each matrix of the batch. See lapack.h.
#include "run/lapack.h"

#include <string.h>

// Signatures: operands, '>', results; each a word of dimensions, behind i (s32), r (the real type)
// or c (the complex one) if it is not of the routine's type. Equal letters are equal sizes; k is
// min(m, n), l is n - 1.
typedef struct lapack_routine {
  const char *name, *types; // the letters of its element types
  const char *signature;
  hlo_lapack_function *run;
} lapack_routine;

static const lapack_routine routines[] = {
    {"potrf", "sdcz", "nn > nn i", hlo_lapack_potrf},
    {"trsm", "sdcz", "nn xy > xy", hlo_lapack_trsm},
    {"getrf", "sdcz", "mn > mn ik i", hlo_lapack_getrf},
    {"geqrf", "sdcz", "mn > mn k", hlo_lapack_geqrf},
    {"geqp3", "sdcz", "mn in > mn in k", hlo_lapack_geqp3},
    {"orgqr", "sd", "mn p > mn", hlo_lapack_orgqr},
    {"ungqr", "cz", "mn p > mn", hlo_lapack_orgqr},
    {"ormqr", "sd", "mn p xy > xy", hlo_lapack_ormqr},
    {"unmqr", "cz", "mn p xy > xy", hlo_lapack_ormqr},
    {"gesdd", "sdcz", "mn > mn rk mu vn i", hlo_lapack_gesdd},
    {"gesvd", "sdcz", "mn > mn rk mu vn i", hlo_lapack_gesdd},
    {"syevd", "sd", "nn > nn rn i", hlo_lapack_syevd},
    {"heevd", "cz", "nn > nn rn i", hlo_lapack_syevd},
    {"geev", "sd", "nn > n n cnn cnn i", hlo_lapack_geev},
    {"geev", "cz", "nn > n nn nn i", hlo_lapack_geev},
    {"gees", "sd", "nn > nn nn n n i i", hlo_lapack_gees},
    {"gees", "cz", "nn > nn nn n i i", hlo_lapack_gees},
    {"gehrd", "sdcz", "nn > nn l i", hlo_lapack_gehrd},
    {"sytrd", "sd", "nn > nn rn rl l i", hlo_lapack_sytrd},
    {"hetrd", "cz", "nn > nn rn rl l i", hlo_lapack_sytrd},
    {"gtsv", "sdcz", "n n n nm > n n n nm i", hlo_lapack_gtsv},
};
static const lapack_routine perturbed = {"tridiagonal_solve_perturbed_ffi", "sdcz", "n n n nm > nm",
                                         hlo_lapack_perturbed};

// "lapack_sgetrf_ffi" is getrf of type s.
static const lapack_routine *find_routine(const char *target) {
  static const char prefix[] = "lapack_", suffix[] = "_ffi";
  size_t start = sizeof prefix - 1;
  if (target == NULL || strcmp(target, perturbed.name) == 0)
    return target == NULL ? NULL : &perturbed;
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
  const hlo_custom_call *call;
  hlo_type type;      // the routine's
  int32_t batch_rank; // -1 before the first operand
  const hlo_view *first;
  int64_t sizes[26]; // of the letters, -1 while unknown
} checker;

// "lapack_sgetrf_ffi" names its type; a target without a letter takes its operand's.
static hlo_type type_of(const lapack_routine *routine, const char *target, hlo_type operand) {
  static const hlo_type types[] = {HLO_F32, HLO_F64, HLO_C64, HLO_C128};
  for (int32_t i = 0; i < 4; i++) {
    if (routine == &perturbed ? operand == types[i] : target[7] == "sdcz"[i]) return types[i];
  }
  return HLO_TYPE_INVALID;
}

static int64_t size_of(checker *c, char letter, int64_t found) {
  int64_t *size = &c->sizes[letter - 'a'], m = c->sizes['m' - 'a'], n = c->sizes['n' - 'a'];
  if (*size < 0) *size = letter == 'k' ? hlo_smaller(m, n) : letter == 'l' ? n - (n > 0) : found;
  return *size;
}

// Whether the view is as its word says.
static bool fits(checker *c, const char *word, size_t length, const hlo_view *view) {
  hlo_type type = c->type;
  if (length > 0 && strchr("irc", word[0]) != NULL) {
    hlo_type part = hlo_type_complex_part(type);
    type = word[0] == 'i' ? HLO_S32 : word[0] == 'r' ? part : hlo_type_complex_of(part);
    word++, length--;
  }
  if (c->batch_rank < 0) c->batch_rank = view->rank - (int32_t)length;
  if (c->batch_rank < 0 || view->type != type || view->rank != c->batch_rank + (int32_t)length)
    return false;
  for (int32_t d = 0; d < c->batch_rank; d++) {
    if (view->dims[d] != c->first->dims[d]) return false;
  }
  for (size_t d = 0; d < length; d++) {
    int64_t found = view->dims[c->batch_rank + (int32_t)d];
    if (size_of(c, word[d], found) != found) return false;
  }
  return true;
}

static hlo_status misfit(const checker *c, const char *word, size_t length, int32_t k,
                         bool is_result, hlo_error *error) {
  const hlo_view *view = is_result ? &c->call->results[k] : &c->call->operands[k];
  hlo_string text = {0};
  for (int32_t d = 0; d < view->rank; d++) {
    hlo_string_add_format(&text, d > 0 ? ",%lld" : "%lld", (long long)view->dims[d]);
  }
  hlo_status status = hlo_instruction_fail(
      c->call->instruction, HLO_SHAPE_ERROR, error,
      "%s %d is %s[%s], which is not as \"%.*s\" asks (letters are dimensions behind the batch's, "
      "k = min(m, n), l = n - 1; i is s32, r real, c complex)",
      is_result ? "result" : "operand", (int)k, hlo_type_name(view->type),
      text.text == NULL ? "" : text.text, (int)length, word);
  hlo_string_free(&text);
  return status;
}

// Compares all operands and results with the signature.
static hlo_status check_call(checker *c, const char *signature, hlo_error *error) {
  const hlo_custom_call *call = c->call;
  int32_t counts[2] = {0, 0};
  bool is_result = false;
  for (const char *word = signature; *word != '\0'; word += strspn(word, " ")) {
    size_t length = strcspn(word, " ");
    if (*word == '>') {
      is_result = true;
    } else {
      int32_t k = counts[is_result]++;
      const hlo_view *views = is_result ? call->results : call->operands;
      bool there = k < (is_result ? call->result_count : call->operand_count);
      if (there && !fits(c, word, length, &views[k]))
        return misfit(c, word, length, k, is_result, error);
    }
    word += length;
  }
  if (counts[0] != call->operand_count || counts[1] != call->result_count)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes %d operands and has %d results, not %d and %d",
                                (int)counts[0], (int)counts[1], (int)call->operand_count,
                                (int)call->result_count);
  return HLO_OK;
}

// --- batches ---

static void select_matrix(const checker *c, int32_t count, const hlo_view *views,
                          const int64_t *index, hlo_view *out) {
  for (int32_t k = 0; k < count; k++) {
    int64_t offset = 0;
    out[k] = views[k];
    out[k].rank -= c->batch_rank;
    for (int32_t d = 0; d < c->batch_rank; d++) offset += index[d] * views[k].strides[d];
    for (int32_t d = 0; d < out[k].rank; d++) {
      out[k].dims[d] = views[k].dims[d + c->batch_rank];
      out[k].strides[d] = views[k].strides[d + c->batch_rank];
    }
    out[k].data = (char *)views[k].data + offset * hlo_type_bytes(views[k].type);
  }
}

hlo_status hlo_lapack_call(const hlo_custom_call *call, hlo_error *error) {
  const char *target = hlo_get_text(call->instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  const lapack_routine *routine = find_routine(target);
  checker c = {.call = call, .batch_rank = -1, .first = call->operands};
  for (size_t i = 0; i < sizeof c.sizes / sizeof *c.sizes; i++) c.sizes[i] = -1;
  if (call->operand_count > 0) c.type = type_of(routine, target, call->operands[0].type);
  HLO_TRY(check_call(&c, routine->signature, error));
  hlo_lapack x = {.call = call, .routine = routine->name};
  int64_t index[HLO_MAX_RANK] = {0};
  for (int32_t d = 0; d < c.batch_rank; d++) {
    if (call->operands[0].dims[d] == 0) return HLO_OK;
  }
  do {
    hlo_arena_mark mark = hlo_arena_get_mark(call->evaluator->scratch);
    select_matrix(&c, call->operand_count, call->operands, index, x.operands);
    select_matrix(&c, call->result_count, call->results, index, x.results);
    HLO_TRY(routine->run(&x, error));
    hlo_arena_rewind(call->evaluator->scratch, mark);
  } while (hlo_next_index(c.batch_rank, call->operands[0].dims, index));
  return HLO_OK;
}

// --- what routines share ---

hlo_status hlo_lapack_fail(const hlo_lapack *x, const char *what, hlo_error *error) {
  return hlo_instruction_fail(x->call->instruction, HLO_SHAPE_ERROR, error, "%s: %s", x->routine,
                              what);
}

hlo_status hlo_lapack_letter(const hlo_lapack *x, const char *key, const char *choices, char *out,
                             hlo_error *error) {
  double number = hlo_custom_call_number(x->call->instruction, key, 0);
  for (const char *choice = choices; *choice != '\0'; choice++) {
    if (number == *choice) {
      *out = *choice;
      return HLO_OK;
    }
  }
  return hlo_instruction_fail(x->call->instruction, HLO_SHAPE_ERROR, error,
                              "%s: the attribute %s must be the code of a letter of \"%s\"",
                              x->routine, key, choices);
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

static double get_part(const hlo_view *view, int64_t i, int64_t j, int32_t part) {
  const void *at = part_at(view, i, j, part);
  return hlo_type_complex_part(view->type) == HLO_F32 ? (double)*(const float *)at
                                                      : *(const double *)at;
}

static void set_part(const hlo_view *view, int64_t i, int64_t j, int32_t part, double value) {
  void *at = part_at(view, i, j, part);
  if (hlo_type_complex_part(view->type) == HLO_F32) *(float *)at = (float)value;
  else *(double *)at = value;
}

hlo_status hlo_lapack_load(const hlo_lapack *x, const hlo_view *from, hlo_matrix *out,
                           hlo_error *error) {
  HLO_TRY(hlo_lapack_make(x, from->dims[0], from->rank > 1 ? from->dims[1] : 1, out, error));
  for (int64_t j = 0; j < out->columns; j++) {
    for (int64_t i = 0; i < out->rows; i++) {
      hlo_c128 value = {get_part(from, i, j, 0), 0};
      if (out->im != NULL) value.im = get_part(from, i, j, 1);
      hlo_matrix_set(out, i, j, value);
    }
  }
  return HLO_OK;
}

void hlo_lapack_store(const hlo_view *to, const hlo_matrix *from) {
  for (int64_t j = 0; j < from->columns; j++) {
    for (int64_t i = 0; i < from->rows; i++) {
      hlo_c128 value = hlo_matrix_get(from, i, j);
      set_part(to, i, j, 0, value.re);
      if (hlo_type_is_complex(to->type)) set_part(to, i, j, 1, value.im);
    }
  }
}

void hlo_lapack_store_reals(const hlo_view *to, const double *from) {
  for (int64_t i = 0; i < to->dims[0]; i++) set_part(to, i, 0, 0, from[i]);
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
