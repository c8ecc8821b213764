// Orders and collapses the loops of a kernel. See nest.h.
#include "codegen/schedule/nest.h"

#include <string.h>

static int64_t distance(const hlo_access *access, int32_t loop) {
  int64_t factor = access->position.factors[loop];
  return factor < 0 ? -factor : factor;
}

// The access that the order of loops suits: the first result without reductions; else what visits
// most elements.
static const hlo_access *main_access(const hlo_emitter *e) {
  if (e->reduction_count == 0) return &e->accesses[e->outputs[0].access];
  const hlo_access *found = NULL;
  int64_t most = 0;
  for (int32_t a = 0; a < e->access_count; a++) {
    const hlo_access *access = &e->accesses[a];
    int64_t visited = 1;
    for (int32_t l = 0; l < e->loop_count; l++) {
      if (access->position.factors[l] != 0) visited *= e->loops[l].size;
    }
    bool is_memory = access->kind == HLO_ACCESS_LOAD || access->kind == HLO_ACCESS_STORE;
    if (is_memory && visited > most) found = access, most = visited;
  }
  return found;
}

typedef struct ordering {
  int32_t count;
  int32_t loops[HLO_EMIT_MAX_LOOPS]; // outermost first
} ordering;

// Loops of the group with the longest distances first.
static void insert(const hlo_access *by, ordering *order, int32_t loop) {
  int32_t at = order->count++;
  for (; at > 0 && distance(by, order->loops[at - 1]) < distance(by, loop); at--) {
    order->loops[at] = order->loops[at - 1];
  }
  order->loops[at] = loop;
}

// Whether four steps of the innermost loop share what is read, one number of the four of a pixel:
// with both loops joined it is read as all four are, but no more than the first one.
static bool is_shared(const hlo_emitter *e, const hlo_access *access, int32_t outer,
                      int32_t inner) {
  const int64_t *factors = access->position.factors;
  return e->reduction_count == 0 && access->kind == HLO_ACCESS_LOAD && access->guarded == 0 &&
         access->moved == 0 && e->loops[inner].size == 4 && factors[inner] == 0 &&
         factors[outer] == 4;
}

static bool can_collapse(const hlo_emitter *e, int32_t outer, int32_t inner, bool is_innermost) {
  for (int32_t a = 0; a < e->access_count; a++) {
    const int64_t *factors = e->accesses[a].position.factors;
    if (factors[outer] != factors[inner] * e->loops[inner].size &&
        !(is_innermost && is_shared(e, &e->accesses[a], outer, inner)))
      return false;
  }
  return true;
}

// Joins loops of the group; the inner one of two then runs over both.
static void collapse_loops(hlo_emitter *e, ordering *order) {
  int32_t count = 0;
  for (int32_t i = 0; i < order->count; i++) {
    int32_t loop = order->loops[i];
    bool is_innermost = i == order->count - 1;
    if (count > 0 && can_collapse(e, order->loops[count - 1], loop, is_innermost)) {
      for (int32_t a = 0; a < e->access_count; a++) {
        if (!is_innermost || !is_shared(e, &e->accesses[a], order->loops[count - 1], loop))
          continue;
        e->accesses[a].repeats = true;
        e->accesses[a].position.factors[loop] = 1;
      }
      e->loops[loop].size *= e->loops[order->loops[count - 1]].size;
      count--;
    }
    order->loops[count++] = loop;
  }
  order->count = count;
}

static hlo_nest_kind kind_of(const hlo_emitter *e, const ordering *kept, const ordering *reduced,
                             const hlo_access *by) {
  if (e->reduction_count == 0) return HLO_NEST_MAP;
  if (reduced->count == 0 && kept->count > 0) return HLO_NEST_COLUMN;
  if (kept->count == 0) return HLO_NEST_ROW;
  int64_t kept_last = distance(by, kept->loops[kept->count - 1]);
  int64_t reduced_last = distance(by, reduced->loops[reduced->count - 1]);
  if (kept_last == 0) return HLO_NEST_ROW;
  return reduced_last == 0 || reduced_last > kept_last ? HLO_NEST_COLUMN : HLO_NEST_ROW;
}

void hlo_nest_build(hlo_emitter *e, hlo_nest *nest) {
  static const hlo_access nothing;
  const hlo_access *by = main_access(e);
  ordering kept = {0}, reduced = {0};
  if (by == NULL) by = &nothing;
  for (int32_t l = 0; l < e->loop_count; l++) {
    if (e->loops[l].size > 1) insert(by, e->loops[l].reduced ? &reduced : &kept, l);
  }
  *nest = (hlo_nest){.kind = kind_of(e, &kept, &reduced, by), .rows = 1, .reduced = 1, .inner = 1};
  collapse_loops(e, &kept);
  collapse_loops(e, &reduced);
  ordering *innermost = nest->kind == HLO_NEST_ROW ? &reduced : &kept, order = {0};
  int32_t inner = innermost->count > 0 ? innermost->loops[--innermost->count] : -1;
  for (int32_t i = 0; i < kept.count; i++) order.loops[order.count++] = kept.loops[i];
  for (int32_t i = 0; i < reduced.count; i++) order.loops[order.count++] = reduced.loops[i];
  nest->kept = kept.count;
  nest->outer = reduced.count;
  for (int32_t i = 0; i < order.count; i++) {
    nest->sizes[i] = e->loops[order.loops[i]].size;
    if (i < nest->kept) nest->rows *= nest->sizes[i];
    else nest->reduced *= nest->sizes[i];
  }
  if (inner >= 0) nest->inner = e->loops[inner].size;
  nest->sizes[order.count] = nest->inner;
  if (nest->kind == HLO_NEST_ROW) nest->reduced *= nest->inner;
  for (int32_t a = 0; a < e->access_count; a++) {
    hlo_affine *position = &e->accesses[a].position, old = *position;
    memset(position->factors, 0, sizeof position->factors);
    for (int32_t i = 0; i < order.count; i++) position->factors[i] = old.factors[order.loops[i]];
    if (inner >= 0) position->factors[order.count] = old.factors[inner];
    else if (e->accesses[a].kind == HLO_ACCESS_STORE) position->factors[order.count] = 1;
  }
}

// The elements from one row to the next if rows are evenly spaced in memory, else 0.
static int64_t row_of(const hlo_nest *nest, const hlo_affine *position) {
  int32_t last = nest->kept - 1;
  int64_t row = last < 0 ? nest->inner : position->factors[last];
  for (int32_t l = last; l > 0; l--) {
    if (position->factors[l - 1] != position->factors[l] * nest->sizes[l]) return 0;
  }
  return row;
}

// As hlo_nest_read, of one load.
static hlo_emit_read read_of(const hlo_nest *nest, const hlo_access *access) {
  const hlo_affine *position = &access->position;
  int64_t row = row_of(nest, position), first = position->offset, last = first;
  bool is_known = access->guarded == 0 && access->moved == 0 && position->dynamic == 0;
  for (int32_t l = nest->kept; l <= hlo_nest_inner(nest); l++) {
    int64_t reach = position->factors[l] * (nest->sizes[l] - 1);
    if (reach < 0) first += reach;
    else last += reach;
  }
  if (!is_known || first < 0 || last >= row) return (hlo_emit_read){0};
  bool by_element = nest->kind == HLO_NEST_MAP && !access->repeats && row == nest->inner &&
                    position->offset == 0 &&
                    (row == 1 || position->factors[hlo_nest_inner(nest)] == 1);
  return (hlo_emit_read){row, by_element};
}

hlo_emit_read hlo_nest_read(const hlo_emitter *e, const hlo_nest *nest, int32_t operand) {
  hlo_emit_read all = {0};
  bool is_first = true;
  if (nest->kind == HLO_NEST_COLUMN || (nest->kind == HLO_NEST_ROW && nest->kept == 0)) return all;
  for (int32_t a = 0; a < e->access_count; a++) {
    const hlo_access *access = &e->accesses[a];
    if (access->argument < 0) continue;
    const hlo_emit_argument *argument = &e->arguments[access->argument];
    if (argument->kind != HLO_ARGUMENT_OPERAND || argument->index != operand) continue;
    hlo_emit_read one = {0};
    if (access->kind == HLO_ACCESS_LOAD) one = read_of(nest, access);
    if (is_first) all = one;
    else if (one.row != all.row) return (hlo_emit_read){0};
    all.by_element = all.by_element && one.by_element;
    is_first = false;
  }
  return all;
}
