// Collectives that move elements without changing them. See collective.h.
// Source: "AllGather", "AllToAll", "RaggedAllToAll", "CollectiveBroadcast" and "CollectivePermute"
// of the operation semantics.
#include "run/devices/collective.h"

#include "kernels/structural.h"

#include <string.h>

hlo_view hlo_collective_part(const hlo_view *view, int32_t dimension, int64_t start, int64_t size) {
  hlo_view part = *view;
  part.dims[dimension] = size;
  part.data = hlo_view_at(view, start * view->strides[dimension]);
  return part;
}

hlo_status hlo_collective_require_parts(const hlo_collective *c, int32_t dimension,
                                        const hlo_view *large, const hlo_view *small,
                                        hlo_error *error) {
  int64_t parts = c->count, whole = large->dims[dimension], part = small->dims[dimension];
  if (whole % parts == 0 && whole / parts == part) return HLO_OK;
  return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                              "dimension %d: %lld is not %d times %lld, the number of participants "
                              "times the size of a part",
                              (int)dimension, (long long)whole, (int)parts, (long long)part);
}

void hlo_collective_fill_zeros(const hlo_view *view) {
  static const uint64_t zero[2]; // the widest element
  hlo_view_fill(view, zero);
}

hlo_status hlo_collective_all_gather(const hlo_collective *c, hlo_error *error) {
  int32_t dimension = hlo_collective_dimension(c);
  for (int32_t k = 0; k < c->operand_count; k++) {
    const hlo_view *whole = &c->participants[0].results[k];
    int64_t sum = 0;
    for (int32_t i = 0; i < c->count; i++) sum += c->participants[i].operands[k].dims[dimension];
    if (sum != whole->dims[dimension])
      HLO_TRY(hlo_collective_require_parts(c, dimension, whole, &c->participants[0].operands[k],
                                           error));
    for (int32_t to = 0; to < c->count; to++) {
      int64_t start = 0;
      for (int32_t from = 0; from < c->count; from++) {
        const hlo_view *own = &c->participants[from].operands[k];
        int64_t size = own->dims[dimension];
        hlo_view part =
            hlo_collective_part(&c->participants[to].results[k], dimension, start, size);
        hlo_view_copy(&part, own);
        start += size;
      }
    }
  }
  return HLO_OK;
}

// Part `to` of what `from` has goes to `to`, as part `from` of the result.
static hlo_status exchange_parts(const hlo_collective *c, hlo_error *error) {
  int32_t dimension = hlo_collective_dimension(c);
  int64_t whole = c->participants[0].operands[0].dims[dimension], size = whole / c->count;
  if (whole % c->count != 0) {
    return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                                "dimension %d of %lld elements cannot be split among %d "
                                "participants",
                                (int)dimension, (long long)whole, (int)c->count);
  }
  for (int32_t to = 0; to < c->count; to++) {
    for (int32_t from = 0; from < c->count; from++) {
      hlo_view source =
          hlo_collective_part(&c->participants[from].operands[0], dimension, to * size, size);
      hlo_view target =
          hlo_collective_part(&c->participants[to].results[0], dimension, from * size, size);
      hlo_view_copy(&target, &source);
    }
  }
  return HLO_OK;
}

// With dimensions an array is split; without, operand i is the part for participant i.
hlo_status hlo_collective_all_to_all(const hlo_collective *c, hlo_error *error) {
  // groups that the program does not list have sizes only here
  int64_t parts = hlo_get_int(c->instruction, HLO_ATTRIBUTE_SPLIT_COUNT, c->count);
  if (parts != c->count) {
    return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                                "split_count is %lld, but there are %d participants",
                                (long long)parts, (int)c->count);
  }
  if (hlo_find_attribute(c->instruction, HLO_ATTRIBUTE_DIMENSIONS) != NULL) {
    return exchange_parts(c, error);
  }
  if (c->operand_count != c->count) {
    return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                                "has %d operands for %d participants", (int)c->operand_count,
                                (int)c->count);
  }
  for (int32_t to = 0; to < c->count; to++) {
    for (int32_t from = 0; from < c->count; from++) {
      hlo_view_copy(&c->participants[to].results[from], &c->participants[from].operands[to]);
    }
  }
  return HLO_OK;
}

static int32_t root_of(const hlo_participant *participant, const hlo_collective *c, int32_t k) {
  const hlo_view *roots = &participant->operands[c->operand_count - 1];
  int32_t root;
  memcpy(&root, hlo_view_at(roots, k * roots->strides[0]), sizeof root);
  return root >= 0 && root < c->count ? root : c->count - 1;
}

hlo_status hlo_collective_root(const hlo_collective *c, int32_t k, int32_t *out, hlo_error *error) {
  *out = 0;
  if (hlo_collective_data_count(c->instruction) == c->operand_count) return HLO_OK;
  *out = root_of(&c->participants[0], c, k);
  for (int32_t i = 1; i < c->count; i++)
    if (root_of(&c->participants[i], c, k) != *out)
      return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                                  "participants disagree: the root of operand %d is %d with one of "
                                  "them, %d with another",
                                  (int)k, (int)*out, (int)root_of(&c->participants[i], c, k));
  return HLO_OK;
}

// Everyone gets what the root of the group has; who is in no group gets zeros.
hlo_status hlo_collective_broadcast(const hlo_collective *c, hlo_error *error) {
  for (int32_t k = 0; k < c->result_count; k++) {
    int32_t root;
    HLO_TRY(hlo_collective_root(c, k, &root, error));
    for (int32_t i = 0; i < c->count; i++) {
      const hlo_view *to = &c->participants[i].results[k];
      if (c->is_outside) hlo_collective_fill_zeros(to);
      else hlo_view_copy(to, &c->participants[root].operands[k]);
    }
  }
  return HLO_OK;
}

static const hlo_participant *participant_of(const hlo_collective *c, int64_t number) {
  for (int32_t i = 0; i < c->count; i++) {
    if (c->participants[i].number == number) return &c->participants[i];
  }
  return NULL;
}

const hlo_participant *hlo_collective_source(const hlo_collective *c, const hlo_participant *to) {
  const hlo_attribute *pairs =
      hlo_find_attribute(c->instruction, HLO_ATTRIBUTE_SOURCE_TARGET_PAIRS);
  const hlo_participant *from = NULL;
  for (int32_t p = 0; from == NULL && p + 1 < pairs->count; p += 2) {
    if (pairs->ints[p + 1] == to->number) from = participant_of(c, pairs->ints[p]);
  }
  return from;
}

// Everyone gets what the source of the pair with it as the target has; no target: zeros.
hlo_status hlo_collective_permute(const hlo_collective *c, hlo_error *error) {
  (void)error;
  for (int32_t i = 0; i < c->count; i++) {
    const hlo_participant *to = &c->participants[i], *from = hlo_collective_source(c, to);
    for (int32_t k = 0; k < c->operand_count; k++) {
      if (from == NULL) hlo_collective_fill_zeros(&to->results[k]);
      else hlo_view_copy(&to->results[k], &from->operands[k]);
    }
  }
  return HLO_OK;
}

// --- ragged all-to-all ---

enum { INPUT, OUTPUT, INPUT_OFFSETS, SEND_SIZES, OUTPUT_OFFSETS, RECV_SIZES };

static int64_t integer_at(const hlo_view *view, int32_t row, int64_t column) {
  int64_t offset = row * view->strides[0] + (view->rank > 1 ? column * view->strides[1] : 0);
  hlo_number number = hlo_element_get(view->type, hlo_view_at(view, offset));
  if (number.type_class == HLO_CLASS_SIGNED) return number.i;
  return number.u > INT64_MAX ? INT64_MAX : (int64_t)number.u;
}

static hlo_status require_rows(const hlo_collective *c, const char *what, int64_t start,
                               int64_t size, int64_t rows, hlo_error *error) {
  if (size >= 0 && start >= 0 && start <= rows && size <= rows - start) return HLO_OK;
  return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                              "rows %lld to %lld are not all in the %s of %lld rows",
                              (long long)start, (long long)start + (long long)size - 1, what,
                              (long long)rows);
}

// One update: rows of the sender's input become rows of the receiver's result.
static hlo_status send_rows(const hlo_collective *c, int32_t from, int32_t to, int64_t update,
                            hlo_error *error) {
  const hlo_view *sent = c->participants[from].operands;
  const hlo_view *result = &c->participants[to].results[0];
  int64_t start = integer_at(&sent[INPUT_OFFSETS], to, update);
  int64_t size = integer_at(&sent[SEND_SIZES], to, update);
  int64_t target = integer_at(&sent[OUTPUT_OFFSETS], to, update);
  HLO_TRY(require_rows(c, "input", start, size, sent[INPUT].dims[0], error));
  HLO_TRY(require_rows(c, "output", target, size, result->dims[0], error));
  hlo_view rows = hlo_collective_part(&sent[INPUT], 0, start, size);
  hlo_view place = hlo_collective_part(result, 0, target, size);
  hlo_view_copy(&place, &rows);
  return HLO_OK;
}

hlo_status hlo_collective_ragged_all_to_all(const hlo_collective *c, hlo_error *error) {
  const hlo_view *sizes = &c->participants[0].operands[SEND_SIZES];
  if (sizes->dims[0] != c->count) {
    return hlo_instruction_fail(c->instruction, HLO_RUNTIME_ERROR, error,
                                "has offsets and sizes for %lld participants, but there are %d",
                                (long long)sizes->dims[0], (int)c->count);
  }
  int64_t updates = sizes->rank > 1 ? sizes->dims[1] : 1;
  for (int32_t to = 0; to < c->count; to++) {
    hlo_view_copy(&c->participants[to].results[0], &c->participants[to].operands[OUTPUT]);
  }
  for (int32_t from = 0; from < c->count; from++) {
    for (int32_t to = 0; to < c->count; to++) {
      for (int64_t update = 0; update < updates; update++) {
        HLO_TRY(send_rows(c, from, to, update, error));
      }
    }
  }
  return HLO_OK;
}
