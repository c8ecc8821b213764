// Random small programs over u64 arrays, and a small interpreter for them: what the maps of the
// indexing analysis are compared with. Integer indices are parameters of type s32, some of them out
// of range on purpose.
#ifndef HLO_TESTS_C_INDEXING_PROGRAMS_H
#define HLO_TESTS_C_INDEXING_PROGRAMS_H

#include "base/string.h"
#include "hlo/builder.h"
#include "kernels/eval.h"
#include "shape/literal.h"
#include "simplify_random.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 5, MOST_ELEMENTS = 40, MOST_INSTRUCTIONS = 64, MOST_RANK = 4 };

typedef struct program {
  hlo_module *module;
  hlo_computation *body;     // the random computation
  hlo_instruction *root;     // of the body
  hlo_instruction *fusion;   // in the entry: a fusion of the body
  hlo_instruction *pool[32]; // arrays that further ops may use
  int pool_count;
  bool has_update; // a dynamic-update-slice, whose maps claim too much
  bool has_runtime;
  hlo_error error;
} program;

static inline void require_ok(program *p, hlo_status status) {
  if (status == HLO_OK) return;
  printf("bad random program: %s\n", p->error.message);
  exit(1);
}

static inline const hlo_shape *make_shape(program *p, hlo_type type, int rank,
                                          const int64_t *dims) {
  const hlo_shape *shape;
  require_ok(p, hlo_shape_make(&p->module->arena, type, rank, dims, &shape, &p->error));
  return shape;
}

static inline hlo_instruction *add_op(program *p, hlo_opcode opcode, const hlo_shape *declared,
                                      int count, hlo_instruction **operands, const char *text) {
  hlo_attribute *attributes = NULL;
  int32_t attribute_count = 0;
  hlo_instruction *x;
  require_ok(p, hlo_parse_attributes(p->module, text, strlen(text), &attributes, &attribute_count,
                                     &p->error));
  require_ok(p, hlo_build(p->body, opcode, declared, count, operands, attribute_count, attributes,
                          &x, &p->error));
  int64_t elements = hlo_shape_elements(x->shape);
  bool is_usable = elements <= MOST_ELEMENTS && x->shape->rank <= MOST_RANK &&
                   (elements > 0 || random_below(10) == 0);
  if (is_usable && p->pool_count < 32) p->pool[p->pool_count++] = x;
  return x;
}

static inline hlo_instruction *add_parameter(program *p, hlo_type type, int rank,
                                             const int64_t *dims) {
  hlo_instruction *x;
  int32_t number = 0;
  for (int32_t i = 0; i < p->body->instruction_count; i++)
    number += p->body->instructions[i]->opcode == HLO_OP_PARAMETER;
  require_ok(p, hlo_build_parameter(p->body, number, make_shape(p, type, rank, dims), NULL, &x,
                                    &p->error));
  return x;
}

static inline hlo_instruction *add_scalar(program *p, uint64_t value) {
  hlo_literal literal = {.shape = hlo_shape_scalar(HLO_U64), .data = &value};
  hlo_instruction *x;
  require_ok(p, hlo_build_constant(p->body, &literal, &x, &p->error));
  return x;
}

static inline void add_list(hlo_string *s, const char *name, int count, const int64_t *ints) {
  hlo_string_add_format(s, "%s%s={", s->length == 0 ? "" : ", ", name);
  for (int i = 0; i < count; i++)
    hlo_string_add_format(s, "%s%lld", i == 0 ? "" : ",", (long long)ints[i]);
  hlo_string_add(s, "}");
}

static inline void shuffle(int count, int64_t *ints) {
  for (int i = 0; i < count; i++) ints[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int j = random_below(i + 1);
    int64_t kept = ints[i];
    ints[i] = ints[j];
    ints[j] = kept;
  }
}

// A random part of 0 … count - 1, increasing; returns its size.
static inline int choose(int count, int64_t *ints) {
  int chosen = 0;
  for (int i = 0; i < count; i++)
    if (random_below(2) == 0) ints[chosen++] = i;
  return chosen;
}

// --- one random op on x each; some make parameters for their other operands ---

static inline void random_elementwise(program *p, hlo_instruction *x) {
  hlo_instruction *other = NULL;
  for (int i = 0; i < p->pool_count; i++)
    if (hlo_shape_same_dimensions(p->pool[i]->shape, x->shape) && random_below(2) == 0)
      other = p->pool[i];
  if (other == NULL) other = add_parameter(p, HLO_U64, x->shape->rank, x->shape->dims);
  add_op(p, other == x || random_below(2) == 0 ? HLO_OP_ADD : HLO_OP_MULTIPLY, NULL, 2,
         (hlo_instruction *[]){x, other}, "");
}

static inline void random_broadcast(program *p, hlo_instruction *x, hlo_string *s) {
  int64_t dims[MOST_RANK], at[MOST_RANK];
  int rank = x->shape->rank + random_below(MOST_RANK - x->shape->rank + 1), used = 0;
  for (int d = 0; d < rank; d++) {
    int left = x->shape->rank - used, free = rank - d;
    bool is_own = left > 0 && (left == free || random_below(free) < left);
    if (is_own) at[used] = d;
    dims[d] = is_own ? x->shape->dims[used++] : random_between(1, 3);
  }
  add_list(s, "dimensions", used, at);
  add_op(p, HLO_OP_BROADCAST, make_shape(p, HLO_U64, rank, dims), 1, &x, s->text);
}

static inline void random_transpose(program *p, hlo_instruction *x, hlo_string *s) {
  int64_t order[MOST_RANK];
  shuffle(x->shape->rank, order);
  add_list(s, "dimensions", x->shape->rank, order);
  add_op(p, HLO_OP_TRANSPOSE, NULL, 1, &x, s->text);
}

static inline void random_reverse(program *p, hlo_instruction *x, hlo_string *s) {
  int64_t which[MOST_RANK];
  int count = choose(x->shape->rank, which);
  add_list(s, "dimensions", count, which);
  add_op(p, HLO_OP_REVERSE, NULL, 1, &x, s->text);
}

static inline void random_slice(program *p, hlo_instruction *x, hlo_string *s) {
  hlo_string_add(s, "slice={");
  for (int d = 0; d < x->shape->rank; d++) {
    int size = (int)x->shape->dims[d], start = size == 0 ? 0 : random_below(size);
    int limit = size == 0 ? 0 : random_between(start + 1, size);
    hlo_string_add_format(s, "%s[%d:%d:%d]", d == 0 ? "" : ", ", start, limit,
                          random_between(1, 3));
  }
  hlo_string_add(s, "}");
  add_op(p, HLO_OP_SLICE, NULL, 1, &x, s->text);
}

static inline void random_pad(program *p, hlo_instruction *x, hlo_string *s) {
  if (x->shape->rank == 0) return;
  hlo_string_add(s, "padding=");
  for (int d = 0; d < x->shape->rank; d++) {
    int size = (int)x->shape->dims[d], interior = random_below(4) == 0 ? random_between(1, 2) : 0;
    int low = random_between(-1, 2), high = random_between(-1, 2);
    if (size + (size > 0 ? (size - 1) * interior : 0) + low + high < 0) low = high = 0;
    hlo_string_add_format(s, "%s%d_%d_%d", d == 0 ? "" : "x", low, high, interior);
  }
  add_op(p, HLO_OP_PAD, NULL, 2, (hlo_instruction *[]){x, add_scalar(p, 77)}, s->text);
}

static inline void random_concatenate(program *p, hlo_instruction *x, hlo_string *s) {
  if (x->shape->rank == 0) return;
  int64_t d = random_below(x->shape->rank), dims[MOST_RANK];
  hlo_instruction *operands[3] = {x, x, x};
  int count = random_between(1, 3), other = random_below(3);
  memcpy(dims, x->shape->dims, sizeof *dims * (size_t)x->shape->rank);
  dims[d] = random_between(1, 3);
  if (other < count) operands[other] = add_parameter(p, HLO_U64, x->shape->rank, dims);
  add_list(s, "dimensions", 1, &d);
  add_op(p, HLO_OP_CONCATENATE, NULL, count, operands, s->text);
}

static inline void random_reshape(program *p, hlo_instruction *x) {
  int64_t left = hlo_shape_elements(x->shape), dims[MOST_RANK];
  int rank = 0;
  if (left == 0) return;
  for (; rank < MOST_RANK && (left > 1 || random_below(3) == 0); rank++) {
    int64_t divisor = random_between(1, (int)left);
    while (left % divisor != 0) divisor--;
    dims[rank] = rank == MOST_RANK - 1 ? left : divisor;
    left /= dims[rank];
  }
  add_op(p, HLO_OP_RESHAPE, make_shape(p, HLO_U64, rank, dims), 1, &x, "");
}

static inline void random_reduce(program *p, hlo_instruction *x, hlo_string *s) {
  int64_t which[MOST_RANK];
  int count = choose(x->shape->rank, which);
  add_list(s, "dimensions", count, which);
  hlo_string_add(s, ", to_apply=%plus");
  add_op(p, HLO_OP_REDUCE, NULL, 2, (hlo_instruction *[]){x, add_scalar(p, 3)}, s->text);
}

// One dimension's part of every window attribute; false when no window fits.
static inline void random_window(int size, bool may_reverse, hlo_string parts[6]) {
  int window = random_between(1, 3), dilation = random_below(4) == 0 ? 2 : 1;
  int base = random_below(4) == 0 ? 2 : 1, low = random_between(-1, 2), high = random_between(0, 2);
  const char *cross = parts[0].length == 0 ? "" : "x";
  (void)size;
  hlo_string_add_format(&parts[0], "%s%d", cross, window);
  hlo_string_add_format(&parts[1], "%s%d", cross, random_between(1, 3));
  hlo_string_add_format(&parts[2], "%s%d_%d", cross, low, high);
  hlo_string_add_format(&parts[3], "%s%d", cross, base);
  hlo_string_add_format(&parts[4], "%s%d", cross, dilation);
  hlo_string_add_format(&parts[5], "%s%d", cross, may_reverse && random_below(4) == 0);
}

static inline void finish_window(hlo_string *s, hlo_string parts[6]) {
  static const char *const names[] = {"size",       "stride",     "pad",
                                      "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  hlo_string_add(s, "window={");
  for (int i = 0; i < 6; i++) {
    hlo_string_add_format(s, "%s%s=%s", i == 0 ? "" : " ", names[i], parts[i].text);
    hlo_string_free(&parts[i]);
  }
  hlo_string_add(s, "}");
}

static inline void random_reduce_window(program *p, hlo_instruction *x, hlo_string *s) {
  if (x->shape->rank == 0) return;
  hlo_string parts[6] = {{0}};
  for (int d = 0; d < x->shape->rank; d++) random_window((int)x->shape->dims[d], false, parts);
  finish_window(s, parts);
  hlo_string_add(s, ", to_apply=%plus");
  add_op(p, HLO_OP_REDUCE_WINDOW, NULL, 2, (hlo_instruction *[]){x, add_scalar(p, 3)}, s->text);
}

static inline void random_convolution(program *p, hlo_instruction *x, hlo_string *s) {
  if (x->shape->rank < 2 || hlo_shape_elements(x->shape) == 0) return;
  static const char *const labels[5] = {"", "", "bf_io->fb", "b0f_0io->bf0", "b0f1_o10i->1b0f"};
  static const int kernel_at[5][2] = {{0, 0}, {0, 0}, {0, 1}, {1, 2}, {3, 0}}; // i, o
  static const int feature_at[5] = {0, 0, 1, 2, 2};
  static const int spatial_at[5][2] = {{0, 0}, {0, 0}, {0, 0}, {1, 0}, {1, 3}};
  static const int kernel_spatial_at[5][2] = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {2, 1}};
  int rank = x->shape->rank;
  int features = (int)x->shape->dims[feature_at[rank]], batch = (int)x->shape->dims[0];
  int feature_groups = 1, batch_groups = 1;
  if (features > 0 && random_below(3) == 0) {
    feature_groups = random_between(1, features);
    while (features % feature_groups != 0) feature_groups--;
  } else if (batch > 0 && random_below(3) == 0) {
    batch_groups = random_between(1, batch);
    while (batch % batch_groups != 0) batch_groups--;
  }
  int64_t kernel[MOST_RANK];
  hlo_string parts[6] = {{0}};
  for (int i = 0; i < rank - 2; i++) {
    size_t before = parts[0].length;
    random_window((int)x->shape->dims[spatial_at[rank][i]], true, parts);
    kernel[kernel_spatial_at[rank][i]] = atoi(parts[0].text + before + (before > 0));
  }
  kernel[kernel_at[rank][0]] = features / feature_groups;
  kernel[kernel_at[rank][1]] = feature_groups * batch_groups * random_between(1, 2);
  if (rank > 2) {
    finish_window(s, parts);
    hlo_string_add(s, ", ");
  }
  hlo_string_add_format(s, "dim_labels=%s, feature_group_count=%d, batch_group_count=%d",
                        labels[rank], feature_groups, batch_groups);
  int before = p->pool_count;
  hlo_instruction *products =
      add_op(p, HLO_OP_CONVOLUTION, NULL, 2,
             (hlo_instruction *[]){x, add_parameter(p, HLO_U64, rank, kernel)}, s->text);
  // Where only padding is seen, 0: what that is multiplied with would seem not to be read.
  hlo_instruction *constant = add_scalar(p, 5);
  constant = add_op(p, HLO_OP_BROADCAST, products->shape, 1, &constant, "dimensions={}");
  p->pool_count = before;
  add_op(p, HLO_OP_ADD, NULL, 2, (hlo_instruction *[]){products, constant}, "");
}

static inline void random_dot(program *p, hlo_instruction *x, hlo_string *s) {
  int64_t order[MOST_RANK], dims[MOST_RANK], place[MOST_RANK];
  if (hlo_shape_elements(x->shape) == 0) return;
  int rank = x->shape->rank, shared = random_below(rank + 1), batch = random_below(shared + 1);
  shuffle(rank, order);
  int other_rank = shared + random_below(MOST_RANK - shared + 1);
  shuffle(other_rank, place);
  for (int i = 0; i < other_rank; i++)
    dims[place[i]] = i < shared ? x->shape->dims[order[i]] : random_between(1, 2);
  add_list(s, "lhs_batch_dims", batch, order);
  add_list(s, "rhs_batch_dims", batch, place);
  add_list(s, "lhs_contracting_dims", shared - batch, order + batch);
  add_list(s, "rhs_contracting_dims", shared - batch, place + batch);
  if (rank + other_rank - 2 * shared + batch > MOST_RANK) return;
  hlo_instruction *other = add_parameter(p, HLO_U64, other_rank, dims);
  add_op(p, HLO_OP_DOT, NULL, 2, (hlo_instruction *[]){x, other}, s->text);
}

static inline int add_starts(program *p, int rank, hlo_instruction **operands) {
  int64_t length = rank;
  p->has_runtime = true;
  if (random_below(4) == 0 && rank > 0) {
    operands[0] = add_parameter(p, HLO_S32, 1, &length);
    return 1;
  }
  for (int d = 0; d < rank; d++)
    operands[d] = d > 0 && random_below(4) == 0 ? operands[0] : add_parameter(p, HLO_S32, 0, NULL);
  return rank;
}

static inline void random_dynamic_slice(program *p, hlo_instruction *x, hlo_string *s) {
  hlo_instruction *operands[MOST_RANK + 1] = {x};
  int64_t sizes[MOST_RANK];
  int count = add_starts(p, x->shape->rank, operands + 1);
  for (int d = 0; d < x->shape->rank; d++)
    sizes[d] = x->shape->dims[d] == 0 ? 0 : random_between(1, (int)x->shape->dims[d]);
  add_list(s, "dynamic_slice_sizes", x->shape->rank, sizes);
  add_op(p, HLO_OP_DYNAMIC_SLICE, NULL, count + 1, operands, s->text);
}

static inline void random_update(program *p, hlo_instruction *x) {
  hlo_instruction *operands[MOST_RANK + 2] = {x};
  int64_t sizes[MOST_RANK];
  for (int d = 0; d < x->shape->rank; d++)
    sizes[d] = x->shape->dims[d] == 0 ? 0 : random_between(1, (int)x->shape->dims[d]);
  operands[1] = add_parameter(p, HLO_U64, x->shape->rank, sizes);
  int count = add_starts(p, x->shape->rank, operands + 2);
  p->has_update = true;
  add_op(p, HLO_OP_DYNAMIC_UPDATE_SLICE, NULL, count + 2, operands, "");
}

static inline void random_gather(program *p, hlo_instruction *x, hlo_string *s) {
  int rank = x->shape->rank;
  if (rank == 0 || hlo_shape_elements(x->shape) == 0) return;
  int64_t starts[MOST_RANK], sizes[MOST_RANK], collapsed[MOST_RANK], offsets[MOST_RANK];
  int64_t indices[3], batching[1] = {random_below(rank)}, in_indices[1] = {0};
  shuffle(rank, starts);
  int start_count = random_between(1, rank), batch_rank = random_below(2);
  bool is_batched = random_below(4) == 0 && batch_rank > 0;
  if (is_batched) {
    int kept = 0;
    for (int i = 0; i < start_count; i++)
      if (starts[i] != batching[0]) starts[kept++] = starts[i];
    start_count = kept;
  }
  int vector_dim = random_below(batch_rank + 1), collapsed_count = 0;
  bool has_vector = start_count != 1 || random_below(2) == 0;
  for (int i = 0, next = 0; i < batch_rank + has_vector; i++)
    indices[i] = has_vector && i == vector_dim ? start_count : random_between(1, 3 + next++ * 0);
  if (!has_vector) vector_dim = batch_rank;
  if (is_batched) {
    in_indices[0] = has_vector && vector_dim == 0 ? 1 : 0;
    indices[in_indices[0]] = x->shape->dims[batching[0]];
  }
  for (int d = 0; d < rank; d++) {
    bool is_batching = is_batched && d == batching[0];
    bool collapses = !is_batching && random_below(3) == 0;
    sizes[d] = is_batching || collapses ? 1 : random_between(1, (int)x->shape->dims[d]);
    if (collapses) collapsed[collapsed_count++] = d;
  }
  int offset_count = rank - collapsed_count - is_batched, result_rank = offset_count + batch_rank;
  for (int d = 0, left = offset_count, next = 0; d < result_rank; d++)
    if (left > 0 && random_below(result_rank - d) < left) {
      offsets[next++] = d;
      left--;
    }
  add_list(s, "offset_dims", offset_count, offsets);
  add_list(s, "collapsed_slice_dims", collapsed_count, collapsed);
  add_list(s, "start_index_map", start_count, starts);
  if (is_batched) {
    add_list(s, "operand_batching_dims", 1, batching);
    add_list(s, "start_indices_batching_dims", 1, in_indices);
  }
  add_list(s, "slice_sizes", rank, sizes);
  hlo_string_add_format(s, ", index_vector_dim=%d", vector_dim);
  p->has_runtime = true;
  hlo_instruction *operands[2] = {x, add_parameter(p, HLO_S32, batch_rank + has_vector, indices)};
  add_op(p, HLO_OP_GATHER, NULL, 2, operands, s->text);
}

static inline void add_random_op(program *p) {
  hlo_instruction *x =
      p->pool[random_below(2) == 0 ? p->pool_count - 1 : random_below(p->pool_count)];
  hlo_string s = {0};
  hlo_string_add(&s, "");
  switch (random_below(18)) {
  case 0:
    random_elementwise(p, x);
    break;
  case 1:
    random_broadcast(p, x, &s);
    break;
  case 2:
    random_transpose(p, x, &s);
    break;
  case 3:
    random_reverse(p, x, &s);
    break;
  case 4:
    random_slice(p, x, &s);
    break;
  case 5:
    random_pad(p, x, &s);
    break;
  case 6:
    random_concatenate(p, x, &s);
    break;
  case 7:
  case 8:
  case 9:
    random_reshape(p, x);
    break;
  case 10:
    random_reduce(p, x, &s);
    break;
  case 11:
    random_reduce_window(p, x, &s);
    break;
  case 12:
    random_convolution(p, x, &s);
    break;
  case 13:
    random_dot(p, x, &s);
    break;
  case 14:
    random_dynamic_slice(p, x, &s);
    break;
  case 15:
    random_update(p, x);
    break;
  case 16:
    random_gather(p, x, &s);
    break;
  default:
    add_op(p, HLO_OP_COPY, NULL, 1, &x, "");
  }
  hlo_string_free(&s);
}

static const char program_frame[] = "HloModule random\n"
                                    "plus { a = u64[] parameter(0) b = u64[] parameter(1)\n"
                                    "  ROOT c = u64[] add(a, b) }\n"
                                    "ENTRY unused { ROOT x = u64[] parameter(0) }\n";

static inline program make_program(void) {
  program p = {0};
  require_ok(&p, hlo_parse_hlo(program_frame, strlen(program_frame), &p.module, &p.error));
  require_ok(&p, hlo_computation_create(p.module, "body", &p.body, &p.error));
  int64_t dims[3];
  int rank = random_below(4);
  for (int d = 0; d < rank; d++) dims[d] = random_between(1, rank == 3 ? 3 : 6);
  p.pool[p.pool_count++] = add_parameter(&p, HLO_U64, rank, dims);
  for (int i = random_between(1, MOST_STEPS); i > 0; i--) add_random_op(&p);
  p.root = p.pool[p.pool_count - 1];
  require_ok(&p, hlo_build_finish(p.body, p.root, &p.error));
  hlo_computation *entry;
  require_ok(&p, hlo_computation_create(p.module, "main", &entry, &p.error));
  hlo_instruction *arguments[MOST_INSTRUCTIONS];
  for (int32_t k = 0; k < p.body->parameter_count; k++)
    require_ok(&p, hlo_build_parameter(entry, k, p.body->parameters[k]->shape, NULL, &arguments[k],
                                       &p.error));
  hlo_attribute *attributes;
  int32_t count;
  const char *text = "kind=kLoop, calls=%body";
  require_ok(&p, hlo_parse_attributes(p.module, text, strlen(text), &attributes, &count, &p.error));
  require_ok(&p, hlo_build(entry, HLO_OP_FUSION, p.root->shape, p.body->parameter_count, arguments,
                           count, attributes, &p.fusion, &p.error));
  require_ok(&p, hlo_build_finish(entry, p.fusion, &p.error));
  p.module->entry = entry;
  return p;
}

// --- running ---

typedef struct program_run {
  hlo_arena arena, scratch;
  hlo_literal values[MOST_INSTRUCTIONS]; // by instruction id
} program_run;

// Indices between a bit too small and a bit too large; data at random, and odd.
static inline void fill_parameter(const hlo_literal *literal) {
  for (int64_t i = 0; i < hlo_shape_elements(literal->shape); i++) {
    if (literal->shape->type == HLO_S32) ((int32_t *)literal->data)[i] = random_between(-2, 6);
    else ((uint64_t *)literal->data)[i] = ((uint64_t)random_bits() << 32 | random_bits()) | 1;
  }
}

static inline void start_run(program *p, program_run *run) {
  memset(run, 0, sizeof *run);
  for (int32_t i = 0; i < p->body->instruction_count; i++) {
    const hlo_instruction *x = p->body->instructions[i];
    require_ok(p, hlo_literal_make(&run->arena, x->shape, &run->values[i], &p->error));
    if (x->opcode == HLO_OP_PARAMETER) fill_parameter(&run->values[i]);
    if (x->opcode == HLO_OP_CONSTANT) memcpy(run->values[i].data, x->literal->data, 8);
  }
}

static inline void run_program(program *p, program_run *run) {
  const hlo_evaluator evaluator = {.scratch = &run->scratch};
  for (int32_t i = 0; i < p->body->instruction_count; i++) {
    const hlo_instruction *x = p->body->instructions[i];
    if (x->opcode == HLO_OP_PARAMETER || x->opcode == HLO_OP_CONSTANT) continue;
    hlo_view operands[MOST_RANK + 4], result = hlo_view_of(x->shape, run->values[i].data);
    for (int32_t k = 0; k < x->operand_count; k++)
      operands[k] = hlo_view_of(x->operands[k]->shape, run->values[x->operands[k]->id].data);
    hlo_arena_mark mark = hlo_arena_get_mark(&run->scratch);
    require_ok(p, hlo_evaluate(&evaluator, x, operands, &result, &p->error));
    hlo_arena_rewind(&run->scratch, mark);
  }
}

static inline void end_run(program_run *run) {
  hlo_arena_free(&run->arena);
  hlo_arena_free(&run->scratch);
}

static inline void print_program(const program *p) {
  hlo_string text = {0};
  hlo_print_hlo(&text, p->module);
  printf("%.*s\n", (int)text.length, text.text);
  hlo_string_free(&text);
}

#endif
