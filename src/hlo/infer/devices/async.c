// Inference rules of start/done pairs: a start gives a tuple of operands, results and contexts,
// from which the done selects the results; send, recv and infeed, whose tuples end in a token.
// Source: "Operation Semantics" of XLA's documentation, and the shapes that XLA prints.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

static hlo_status fail_stated(const hlo_instruction *x, const char *form, const hlo_shape *declared,
                              hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE] = "nothing";
  if (declared != NULL) hlo_shape_to_text(text, declared);
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "the result must be stated as %s, not %s",
                              form, text);
}

static bool is_token(const hlo_shape *shape) { return shape->type == HLO_TOKEN; }

// A request number, a semaphore, …: u32[] or s32[].
static bool is_context(const hlo_shape *shape) {
  return hlo_shape_is_scalar(shape) && (shape->type == HLO_U32 || shape->type == HLO_S32);
}

// The operands as one shape: the only one, or a tuple.
static hlo_status operand_part(const hlo_instruction *x, bool always_tuple, hlo_arena *arena,
                               const hlo_shape **out, hlo_error *error) {
  if (x->operand_count == 1 && !always_tuple) {
    *out = hlo_operand_shape(x, 0);
    return HLO_OK;
  }
  const hlo_shape **shapes;
  HLO_ALLOC(shapes, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) shapes[k] = hlo_operand_shape(x, k);
  return hlo_shape_make_tuple(arena, x->operand_count, shapes, out, error);
}

// (first, second, contexts…) as the program states it; without a statement (first, second).
static hlo_status start_shape(const hlo_instruction *x, const hlo_shape *first,
                              const hlo_shape *second, const hlo_shape *declared, hlo_arena *arena,
                              const hlo_shape **out, hlo_error *error) {
  const hlo_shape *both[2] = {first, second};
  if (declared == NULL) return hlo_shape_make_tuple(arena, 2, both, out, error);
  bool fits = hlo_shape_is_tuple(declared) && declared->element_count >= 2;
  for (int32_t i = 0; fits && i < declared->element_count; i++) {
    const hlo_shape *element = declared->elements[i];
    fits = i < 2 ? hlo_shape_compatible(element, both[i]) : is_context(element);
  }
  if (!fits) {
    char a[HLO_SHAPE_TEXT_SIZE], b[HLO_SHAPE_TEXT_SIZE], c[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error, "the result must be stated as (%s, %s, contexts...), not %s",
        hlo_shape_to_text(a, first), hlo_shape_to_text(b, second), hlo_shape_to_text(c, declared));
  }
  *out = declared;
  return HLO_OK;
}

// Element `index` of a start's stated tuple: what the rule of the operation itself is asked about.
static const hlo_shape *stated_element(const hlo_shape *declared, int32_t index) {
  bool there = declared != NULL && hlo_shape_is_tuple(declared) && index < declared->element_count;
  return there ? declared->elements[index] : NULL;
}

static hlo_status collective_start(hlo_infer_function *rule, const hlo_instruction *x,
                                   const hlo_shape *declared, hlo_arena *arena,
                                   const hlo_shape **out, hlo_error *error) {
  const hlo_shape *operands, *results;
  HLO_TRY(rule(x, stated_element(declared, 1), arena, &results, error));
  HLO_TRY(operand_part(x, false, arena, &operands, error));
  return start_shape(x, operands, results, declared, arena, out, error);
}

hlo_status hlo_infer_all_gather_start(const hlo_instruction *x, const hlo_shape *declared,
                                      hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  return collective_start(hlo_infer_all_gather, x, declared, arena, out, error);
}

hlo_status hlo_infer_collective_permute_start(const hlo_instruction *x, const hlo_shape *declared,
                                              hlo_arena *arena, const hlo_shape **out,
                                              hlo_error *error) {
  return collective_start(hlo_infer_collective_permute, x, declared, arena, out, error);
}

// (copy, original, contexts…).
hlo_status hlo_infer_copy_start(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  return start_shape(x, shape, shape, declared, arena, out, error);
}

// ((operands…), results, contexts…).
hlo_status hlo_infer_async_start(const hlo_instruction *x, const hlo_shape *declared,
                                 hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  const hlo_computation *callee = hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_CALLS, callee, x->operand_count, error));
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(
        hlo_require_parameter(x, HLO_ATTRIBUTE_CALLS, callee, k, hlo_operand_shape(x, k), error));
  const hlo_shape *operands;
  HLO_TRY(operand_part(x, true, arena, &operands, error));
  return start_shape(x, operands, callee->root->shape, declared, arena, out, error);
}

// What may finish what: a done, and what can begin it.
static const struct {
  hlo_opcode opcode, begun_by[2];
} pairs[] = {
    {HLO_OP_ALL_GATHER_DONE, {HLO_OP_ALL_GATHER_START, HLO_OP_ALL_GATHER_START}},
    {HLO_OP_ALL_REDUCE_DONE, {HLO_OP_ALL_REDUCE_START, HLO_OP_ALL_REDUCE_START}},
    {HLO_OP_COLLECTIVE_PERMUTE_DONE,
     {HLO_OP_COLLECTIVE_PERMUTE_START, HLO_OP_COLLECTIVE_PERMUTE_START}},
    {HLO_OP_COPY_DONE, {HLO_OP_COPY_START, HLO_OP_COPY_START}},
    {HLO_OP_ASYNC_UPDATE, {HLO_OP_ASYNC_START, HLO_OP_ASYNC_UPDATE}},
    {HLO_OP_ASYNC_DONE, {HLO_OP_ASYNC_START, HLO_OP_ASYNC_UPDATE}},
    {HLO_OP_SEND_DONE, {HLO_OP_SEND, HLO_OP_SEND}},
    {HLO_OP_RECV_DONE, {HLO_OP_RECV, HLO_OP_RECV}},
};

// A value from outside of the computation, or out of a tuple, may have been begun anywhere.
static bool comes_from_elsewhere(hlo_opcode opcode) {
  return opcode == HLO_OP_PARAMETER || opcode == HLO_OP_GET_TUPLE_ELEMENT ||
         opcode == HLO_OP_OPTIMIZATION_BARRIER;
}

static hlo_status require_start(const hlo_instruction *x, hlo_error *error) {
  const hlo_instruction *start = x->operands[0];
  size_t i = 0;
  while (pairs[i].opcode != x->opcode) i++;
  if (start->opcode == pairs[i].begun_by[0] || start->opcode == pairs[i].begun_by[1] ||
      comes_from_elsewhere(start->opcode))
    return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "finishes what %s begins, not %s",
                              hlo_op_get(pairs[i].begun_by[0])->name,
                              hlo_op_get(start->opcode)->name);
}

// The element of the operand that a done gives.
static hlo_status select_element(const hlo_instruction *x, int32_t index, const hlo_shape **out,
                                 hlo_error *error) {
  HLO_TRY(require_start(x, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  if (!hlo_shape_is_tuple(shape) || shape->element_count <= index || shape->element_count < 2)
    return hlo_fail_about(x, "the operand must be what its start gives", shape, NULL, error);
  *out = shape->elements[index];
  return HLO_OK;
}

hlo_status hlo_infer_async_update(const hlo_instruction *x, const hlo_shape *declared,
                                  hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared, (void)arena;
  HLO_TRY(require_start(x, error));
  *out = hlo_operand_shape(x, 0);
  return HLO_OK;
}

hlo_status hlo_infer_all_reduce_done(const hlo_instruction *x, const hlo_shape *declared,
                                     hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared, (void)arena;
  HLO_TRY(require_start(x, error));
  *out = hlo_operand_shape(x, 0);
  return HLO_OK;
}

// async-done, all-gather-done, collective-permute-done.
hlo_status hlo_infer_async_done(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared, (void)arena;
  return select_element(x, 1, out, error);
}

hlo_status hlo_infer_copy_done(const hlo_instruction *x, const hlo_shape *declared,
                               hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared, (void)arena;
  return select_element(x, 0, out, error);
}

// --- send, recv: (data, request number, token) ---

static hlo_status transfer_shape(const hlo_instruction *x, const hlo_shape *data, hlo_arena *arena,
                                 const hlo_shape **out, hlo_error *error) {
  const hlo_shape *parts[3] = {data, hlo_shape_scalar(HLO_U32), hlo_shape_scalar(HLO_TOKEN)};
  (void)x;
  return hlo_shape_make_tuple(arena, 3, parts, out, error);
}

static hlo_status require_token(const hlo_instruction *x, int32_t k, hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  if (is_token(hlo_operand_shape(x, k))) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "operand %d must be a token: %s", k,
                              hlo_shape_to_text(text, hlo_operand_shape(x, k)));
}

static bool is_transfer(const hlo_shape *shape) {
  return hlo_shape_is_tuple(shape) && shape->element_count == 3 && is_context(shape->elements[1]) &&
         is_token(shape->elements[2]);
}

// The operand of a send-done or recv-done: begun by its other half, which says the same of the
// channel.
static hlo_status require_transfer(const hlo_instruction *x, hlo_error *error) {
  static const hlo_attribute_id same[] = {HLO_ATTRIBUTE_CHANNEL_ID, HLO_ATTRIBUTE_IS_HOST_TRANSFER};
  const hlo_instruction *start = x->operands[0];
  HLO_TRY(require_start(x, error));
  if (!is_transfer(start->shape))
    return hlo_fail_about(x, "the operand must be (data, u32[], token[])", start->shape, NULL,
                          error);
  for (int i = 0; i < 2 && !comes_from_elsewhere(start->opcode); i++) {
    int64_t here = hlo_get_int(x, same[i], 0), there = hlo_get_int(start, same[i], 0);
    if (hlo_find_attribute(x, same[i]) != NULL && here != there)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "must have the %s of what it finishes: %lld, not %lld",
                                  hlo_attribute_name(same[i]), (long long)there, (long long)here);
  }
  return HLO_OK;
}

hlo_status hlo_infer_send(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(require_token(x, 1, error));
  return transfer_shape(x, hlo_operand_shape(x, 0), arena, out, error);
}

hlo_status hlo_infer_send_done(const hlo_instruction *x, const hlo_shape *declared,
                               hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared, (void)arena;
  HLO_TRY(require_transfer(x, error));
  *out = hlo_shape_scalar(HLO_TOKEN);
  return HLO_OK;
}

hlo_status hlo_infer_recv(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(require_token(x, 0, error));
  if (declared == NULL || !is_transfer(declared))
    return fail_stated(x, "(data, u32[], token[])", declared, error);
  *out = declared;
  return HLO_OK;
}

hlo_status hlo_infer_recv_done(const hlo_instruction *x, const hlo_shape *declared,
                               hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  HLO_TRY(require_transfer(x, error));
  const hlo_shape *parts[2] = {shape->elements[0], shape->elements[2]};
  return hlo_shape_make_tuple(arena, 2, parts, out, error);
}

// (data, token); data is an array, or a tuple of arrays.
hlo_status hlo_infer_infeed(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                            const hlo_shape **out, hlo_error *error) {
  HLO_TRY(require_token(x, 0, error));
  HLO_TRY(hlo_infer_declared(x, declared, arena, out, error));
  bool fits = hlo_shape_is_tuple(declared) && declared->element_count == 2 &&
              is_token(declared->elements[1]);
  if (!fits) return fail_stated(x, "(data, token[])", declared, error);
  const hlo_shape *data = declared->elements[0];
  fits = hlo_shape_is_array(data) || hlo_shape_is_tuple(data);
  for (int32_t i = 0; fits && hlo_shape_is_tuple(data) && i < data->element_count; i++)
    fits = hlo_shape_is_array(data->elements[i]);
  if (!fits) return fail_stated(x, "(array, token[]) or ((arrays...), token[])", declared, error);
  return HLO_OK;
}
