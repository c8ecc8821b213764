// The table of LAPACK routines; checks a call's operands and results against it and runs the
// routine on each matrix of the batch. See lapack.h.
#include "run/calls/built_in/lapack.h"

#include "kernels/linalg/factor_batches.h"
#include "kernels/structural.h"

#include <string.h>

static const hlo_lapack_routine routines[] = {
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
static const hlo_lapack_routine untyped[] = {
    {"tridiagonal_solve_perturbed_ffi", "sdcz", "n n n nm > nm", "", hlo_lapack_perturbed},
    {"Qr", "sdcz", "mn > mn k", "", hlo_lapack_geqrf},
    {"ProductOfElementaryHouseholderReflectors", "sdcz", "mn p > mn", "", hlo_lapack_orgqr},
    {"Eigh", "sdcz", "nn > nn rn", "", hlo_lapack_eigh},
};

// Calls of JAX up to 0.4.30: the first operands are numbers, attributes or "." for sizes, which
// shapes tell too. Letter k of `results` says which of today's results theirs is; memory to work
// in, '.' and all after, becomes zeros, and so do reports of success that are none of today's.
typedef struct lapack_older {
  const char *target, *types, *scalars, *results; // target: '?' is the type's letter
} lapack_older;

static const lapack_older older[] = {
    {"lapack_?potrf", "sdcz", "uplo . .", "01"},
    {"blas_?trsm", "sdcz", "side uplo trans_x diag . . . alpha", "0"},
    {"lapack_?getrf", "sdcz", ". . .", "012"},
    {"lapack_?geqrf", "sdcz", ". . . .", "01"},
    {"lapack_?orgqr", "sd", ". . . . .", "0"},
    {"lapack_?ungqr", "cz", ". . . . .", "0"},
    {"lapack_?gesdd", "sdcz", "whole computes . . . .", "01234"},
    {"lapack_?syevd", "sd", "uplo . .", "012"},
    {"lapack_?heevd", "cz", "uplo . .", "012"},
    {"lapack_?geev", "sd", ". . compute_left compute_right", "...01234"},
    {"lapack_?geev", "cz", ". . compute_left compute_right", "..0123"},
    {"lapack_?gees", "sd", ". . mode sort", "023145"},
    {"lapack_?gees", "cz", ". . mode sort", "0.2134"},
    {"lapack_?gehrd", "sdcz", ". low high . . .", "012"},
    {"lapack_?sytrd", "sd", ". uplo . . .", "01234"},
    {"lapack_?hetrd", "cz", ". uplo . . .", "01234"},
};

// Calls of other platforms in older programs: today's results in their order come first.
static const lapack_older older_devices[] = {{.results = ""},     {.results = "0"},
                                             {.results = "01"},   {.results = "012"},
                                             {.results = "0123"}, {.results = "01234"}};

// The type's letter in "lapack_sgetrf_ffi" or "blas_strsm", NULL if there is none.
static const char *type_letter(const char *target) {
  static const char *const prefixes[] = {"lapack_", "blas_"};
  for (int32_t i = 0; i < 2; i++) {
    size_t length = strlen(prefixes[i]);
    if (strncmp(target, prefixes[i], length) == 0 && target[length] != '\0') return target + length;
  }
  return NULL;
}

static const lapack_older *older_form_of(const char *target) {
  const char *letter = type_letter(target);
  size_t end = strlen(target);
  if (letter == NULL || (end > 4 && strcmp(target + end - 4, "_ffi") == 0)) return NULL;
  for (size_t i = 0; i < sizeof older / sizeof *older; i++) {
    size_t length = (size_t)(letter - target);
    if (strncmp(target, older[i].target, length) == 0 &&
        strcmp(letter + 1, older[i].target + length + 1) == 0 &&
        strchr(older[i].types, *letter) != NULL)
      return &older[i];
  }
  return NULL;
}

// "lapack_sgetrf_ffi" is getrf of type s, and was "lapack_sgetrf".
static const hlo_lapack_routine *routine_of(const char *target, const lapack_older *form,
                                            bool transposed) {
  const char *letter = type_letter(target), *suffix = form != NULL ? "" : "_ffi";
  for (size_t i = 0; letter != NULL && i < sizeof routines / sizeof *routines; i++) {
    size_t length = strlen(routines[i].name);
    if (strncmp(letter + 1, routines[i].name, length) == 0 &&
        strcmp(letter + 1 + length, suffix) == 0 && strchr(routines[i].types, *letter) != NULL)
      return &routines[i];
  }
  for (size_t i = 0; letter == NULL && i < sizeof untyped / sizeof *untyped; i++)
    if (strcmp(target, untyped[i].name) == 0) return &untyped[i];
  bool is_older;
  return letter == NULL ? hlo_lapack_device_routine(target, transposed, &is_older) : NULL;
}

bool hlo_lapack_has(const char *target) {
  return target != NULL && routine_of(target, older_form_of(target), false) != NULL;
}

static int32_t count_words(const char *words) {
  int32_t count = 0;
  for (; *words != '\0'; words += strcspn(words, " "), words += strspn(words, " ")) count++;
  return count;
}

// Before the operands of today.
static int32_t scalar_count(const lapack_older *form) {
  return form != NULL && form->scalars != NULL ? count_words(form->scalars) : 0;
}

// Where today's result k is.
static int32_t place_of_result(const lapack_older *form, int32_t k) {
  return form == NULL ? k : (int32_t)(strchr(form->results, '0' + k) - form->results);
}

// --- checking a call ---

typedef struct checker {
  const hlo_instruction *instruction;
  const lapack_older *form; // NULL: today's
  bool has_factor, is_device, is_older;
  hlo_type type;      // the routine's
  int32_t batch_rank; // -1 before the first operand
  int64_t sizes[26];  // of the letters, -1 while unknown
} checker;

// "lapack_sgetrf_ffi" names its type; a target without a letter takes its operand's.
static hlo_type type_of(const char *target, hlo_type operand) {
  static const hlo_type types[] = {HLO_F32, HLO_F64, HLO_C64, HLO_C128};
  const char *letter = type_letter(target);
  for (int32_t i = 0; i < 4; i++) {
    if (letter != NULL ? *letter == "sdcz"[i] : operand == types[i]) return types[i];
  }
  return HLO_TYPE_INVALID;
}

static bool has_type_letter(const char *word) { return strchr("irc", word[0]) != NULL; }

static int64_t size_of(checker *c, char letter, int64_t found) {
  int64_t *size = &c->sizes[letter - 'a'], m = c->sizes['m' - 'a'], n = c->sizes['n' - 'a'];
  if (*size < 0) *size = letter == 'k' ? (m < n ? m : n) : letter == 'l' ? n - (n > 0) : found;
  return *size;
}

// Operand or result k of today.
static const hlo_shape *shape_of(const checker *c, bool is_result, int32_t k) {
  const hlo_instruction *x = c->instruction;
  return is_result ? hlo_shape_leaf(x->shape, place_of_result(c->form, k))
                   : x->operands[k + scalar_count(c->form)]->shape;
}

// Whether the array is as its word says.
static bool fits(checker *c, const char *word, size_t length, const hlo_shape *shape) {
  const hlo_shape *first = shape_of(c, false, 0);
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

static bool is_scalar_operand(const hlo_instruction *x, int32_t k) {
  return k < x->operand_count && hlo_shape_is_scalar(x->operands[k]->shape);
}

static int32_t result_count(const char *signature) {
  return count_words(strchr(signature, '>') + 2);
}

// trsm may have a factor after its operands, as it had up to JAX 0.4.38; after the results of
// older calls there may be more memory to work in.
static hlo_status check_counts(const checker *c, const char *signature, hlo_error *error) {
  const hlo_instruction *x = c->instruction;
  int32_t scalars = scalar_count(c->form), results = result_count(signature);
  int32_t operands = scalars + count_words(signature) - 1 - results;
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  if (c->form != NULL) results = (int32_t)strlen(c->form->results);
  for (int32_t k = 0; k < scalars; k++) {
    if (!is_scalar_operand(x, k))
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "operand %d is not a number: the first %d are to be \"%s\"",
                                  (int)k, (int)scalars, c->form->scalars);
  }
  bool has_factor = c->has_factor && c->form == NULL && is_scalar_operand(x, operands);
  if (operands + has_factor != x->operand_count || results > leaves ||
      (c->form == NULL && results != leaves))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes %d operands and has %d results, not %d and %d",
                                (int)operands, (int)results, (int)x->operand_count, (int)leaves);
  return HLO_OK;
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
      const hlo_shape *shape = shape_of(c, is_result, k);
      if (!fits(c, word, length, shape))
        return hlo_instruction_fail(
            x, HLO_SHAPE_ERROR, error,
            "%s %d is %s, not as \"%.*s\" in \"%s\" says (operands > results; letters are sizes "
            "behind those of the batch, k = min(m, n), l = n - 1; i: s32, r: real, c: complex)",
            is_result ? "result" : "operand", (int)k, hlo_shape_to_text(text, shape), (int)length,
            word, signature);
    }
    word += length;
  }
  return HLO_OK;
}

// --- attributes ---

// Older calls have numbers for most letters.
static char read_letter(const hlo_lapack *x, const char *key) {
  static const char *const codes[] = {"uplo=UL", "side=RL", "diag=NU", "trans_x=NTC"};
  double number = hlo_lapack_number(x, key, x->scalars == NULL ? 0 : 'V');
  if (x->scalars == NULL && number == 0 && x->is_device)
    return hlo_lapack_device_letter(x->call->instruction, key, x->is_older);
  size_t length = strlen(key);
  for (size_t i = 0; x->scalars != NULL && i < sizeof codes / sizeof *codes; i++) {
    const char *letters = codes[i] + length + 1;
    if (strncmp(codes[i], key, length) != 0 || letters[-1] != '=') continue;
    return number >= 0 && number < (double)strlen(letters) ? letters[(int)number] : 0;
  }
  if (strcmp(key, "mode") == 0 && hlo_lapack_number(x, "computes", 1) == 0) return 'N';
  if (strcmp(key, "mode") == 0 && x->scalars != NULL && strstr(x->scalars, "whole") != NULL)
    return hlo_lapack_number(x, "whole", 0) != 0 ? 'A' : 'S';
  return (char)number;
}

// The letters of all attributes, once for a batch.
static void read_letters(hlo_lapack *x, const char *attributes) {
  int32_t count = 0;
  x->attributes = attributes;
  for (const char *key = attributes; *key != '\0'; key += strspn(key, " ")) {
    char name[16] = {0};
    memcpy(name, key, strcspn(key, "="));
    x->letters[count++] = read_letter(x, name);
    key += strcspn(key, " ");
  }
}

// The attributes as they are written, or as the call's numbers say.
static hlo_status check_attributes(const hlo_instruction *x, const hlo_lapack *call,
                                   const char *attributes, hlo_error *error) {
  for (const char *key = attributes; *key != '\0'; key += strspn(key, " ")) {
    char name[16] = {0};
    size_t length = strcspn(key, "=");
    memcpy(name, key, length);
    key += length + 1;
    double number = read_letter(call, name);
    size_t count = strcspn(key, " ");
    if (!(number > 0 && number < 128) || memchr(key, (int)number, count) == NULL)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the attribute %s must be the code of a letter of \"%.*s\"", name,
                                  (int)count, key);
    key += count;
  }
  return HLO_OK;
}

// What all calls of an instruction have in common.
struct hlo_lapack_plan {
  const lapack_older *form;
  const hlo_lapack_routine *routine;
  int32_t scalars, matrix_rank, result_count;
  char letters[HLO_LAPACK_LETTERS]; // those of today's calls
};

static hlo_status create_plan(const checker *c, const hlo_lapack_routine *routine, hlo_arena *arena,
                              const hlo_lapack_plan **out, hlo_error *error) {
  hlo_lapack_plan *plan;
  HLO_ALLOC(plan, arena, 1, error);
  plan->form = c->form;
  plan->routine = routine;
  plan->scalars = scalar_count(c->form);
  plan->matrix_rank = (int32_t)strcspn(routine->signature, " ");
  plan->result_count = result_count(routine->signature);
  *out = plan;
  if (plan->scalars > 0) return HLO_OK;
  hlo_custom_call call = {.instruction = c->instruction};
  hlo_lapack x = {.call = &call, .is_device = c->is_device, .is_older = c->is_older};
  read_letters(&x, routine->attributes);
  memcpy(plan->letters, x.letters, sizeof plan->letters);
  return HLO_OK;
}

hlo_status hlo_lapack_create_plan(const hlo_instruction *instruction, hlo_arena *arena,
                                  const hlo_lapack_plan **out, hlo_error *error) {
  const char *target = hlo_get_text(instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  checker c = {.instruction = instruction, .form = older_form_of(target), .batch_rank = -1};
  const hlo_lapack_routine *routine =
      routine_of(target, c.form, hlo_custom_call_flag(instruction, "transposed", false));
  c.has_factor = routine->run == hlo_lapack_trsm;
  c.is_device = hlo_lapack_device_routine(target, false, &c.is_older) != NULL;
  if (c.is_older) c.form = &older_devices[result_count(routine->signature)];
  for (size_t i = 0; i < sizeof c.sizes / sizeof *c.sizes; i++) c.sizes[i] = -1;
  if (instruction->operand_count > 0)
    c.type = type_of(target, instruction->operands[0]->shape->type);
  HLO_TRY(check_counts(&c, routine->signature, error));
  HLO_TRY(check_shapes(&c, routine->signature, error));
  hlo_custom_call call = {.instruction = instruction};
  hlo_lapack x = {.call = &call, .is_device = c.is_device, .is_older = c.is_older};
  if (scalar_count(c.form) == 0)
    HLO_TRY(check_attributes(instruction, &x, routine->attributes, error));
  return create_plan(&c, routine, arena, out, error);
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

// Whether the routine goes through the batch of its operand itself; the oracle's never do.
static bool is_batched(const hlo_custom_call *call, const hlo_lapack_routine *routine,
                       const hlo_view *operand) {
  if (call->reference != NULL) return false;
  return routine->run == hlo_lapack_potrf || routine->run == hlo_lapack_trsm ||
         (routine->run == hlo_lapack_getrf && hlo_factor_batches_suit(operand));
}

// The results that are memory to work in, and reports that all went well.
static void clear_others(const hlo_custom_call *call, const lapack_older *form) {
  static const char zeros[16];
  int32_t known = (int32_t)strlen(form->results);
  for (int32_t k = 0; k < call->result_count; k++) {
    if (k >= known || form->results[k] == '.') hlo_view_fill(&call->results[k], zeros);
  }
}

hlo_status hlo_lapack_call(const hlo_custom_call *call, hlo_error *error) {
  const hlo_lapack_plan *plan = call->plan;
  const lapack_older *form = plan->form;
  const hlo_lapack_routine *routine = plan->routine;
  int32_t scalars = plan->scalars;
  const hlo_view *first = call->operands + scalars;
  int32_t batch_rank = is_batched(call, routine, first) ? 0 : first->rank - plan->matrix_rank;
  hlo_lapack x; // its views have room for many dimensions, and are not cleared
  x.call = call;
  x.scalars = form != NULL ? form->scalars : NULL;
  x.is_device = x.is_older = false; // its letters are read
  x.result_count = plan->result_count;
  x.attributes = routine->attributes;
  memcpy(x.letters, plan->letters, sizeof x.letters);
  if (form != NULL) clear_others(call, form);
  if (x.scalars != NULL) {
    HLO_TRY(check_attributes(call->instruction, &x, routine->attributes, error));
    read_letters(&x, routine->attributes);
  }
  int64_t index[HLO_MAX_RANK];
  for (int32_t d = 0; d < batch_rank; d++) {
    index[d] = 0;
    if (first->dims[d] == 0) return HLO_OK;
  }
  do {
    hlo_arena_mark mark = hlo_arena_get_mark(call->evaluator->scratch);
    select_matrix(batch_rank, call->operand_count - scalars, first, index, x.operands);
    for (int32_t k = 0; k < x.result_count; k++)
      select_matrix(batch_rank, 1, &call->results[place_of_result(form, k)], index, &x.results[k]);
    HLO_TRY(routine->run(&x, error));
    hlo_arena_rewind(call->evaluator->scratch, mark);
  } while (hlo_next_index(batch_rank, first->dims, index));
  return HLO_OK;
}
