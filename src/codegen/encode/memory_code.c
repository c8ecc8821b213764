// Loads and stores of four elements at a time: dense, reversed, repeated, or gathered one by one.
// See maker.h.
#include "codegen/encode/maker.h"
#include "kernels/machine.h"

int64_t hlo_access_stride(const hlo_access *access, int32_t loop) {
  return access->position.factors[loop] * access->size;
}

void hlo_maker_advance(hlo_maker *m, int32_t local, int64_t by) {
  if (by == 0) return;
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, local);
  hlo_wasm_i32(&m->f, by);
  hlo_wasm_op(&m->f, WASM_I32_ADD);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, local);
}

static int64_t inner_stride(const hlo_maker *m, const hlo_access *access) {
  return hlo_access_stride(access, hlo_nest_inner(&m->nest));
}

// From the access's local to the element `lane` of the step under way.
static int64_t distance_to(const hlo_maker *m, const hlo_access *access, int64_t lane) {
  bool second = m->away > 0 && (m->in_row ? m->second : m->step >= m->copies);
  int64_t away = second ? m->away * hlo_access_stride(access, m->away_loop) : 0;
  if (m->in_row) return away;
  int64_t steps_on = second ? m->step - m->copies : m->step;
  int64_t element = m->lanes * steps_on + m->further + lane;
  int64_t distance = away + element * inner_stride(m, access);
  if (m->slice == 0) return distance;
  int64_t steps = m->slice * (m->apart > 0 ? m->apart : 1);
  return distance + steps * hlo_access_stride(access, hlo_nest_inner(&m->nest) - 1);
}

static int32_t address_local(const hlo_maker *m, const hlo_access *access) {
  return m->in_row ? access->row : access->inner;
}

// Leaves the top of the stack on one side of a limit, as signed numbers: `beyond` says what is not.
static void clamp(hlo_maker *m, int64_t limit, uint32_t beyond) {
  int32_t value = hlo_maker_integer(m);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, value);
  hlo_wasm_i32(&m->f, limit);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, value);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, value);
  hlo_wasm_i32(&m->f, limit);
  hlo_wasm_op(&m->f, beyond);
  hlo_wasm_op(&m->f, WASM_SELECT);
}

// Memory before every array: the stack is there. What is read of it is not used.
enum { BEFORE = 16, READABLE_BEFORE = 1 << 16, READABLE_BEHIND = 32 };

// Whether a guarded access leaves what may be read, before its array or after it.
static bool leaves(const hlo_maker *m, const hlo_access *access, bool behind) {
  int32_t inner = hlo_nest_inner(&m->nest);
  int64_t reach = access->position.offset;
  if (m->exists) return false;
  if (access->moved != 0 || m->away > 0) return true;
  for (int32_t l = 0; l <= inner; l++) {
    int64_t factor = access->position.factors[l];
    int64_t steps = m->splits && l == m->split_loop ? m->split_end : m->nest.sizes[l];
    steps += l == inner ? 3 : -1; // the last vector may be a part
    if ((factor > 0) == behind) reach += factor * steps;
  }
  return behind ? reach * access->size > access->guarded + READABLE_BEHIND
                : reach * access->size < -READABLE_BEFORE;
}

static void push_argument(hlo_maker *m, int32_t argument) {
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
  hlo_wasm_op(&m->f, WASM_I32_LOAD);
  hlo_wasm_offset(&m->f, 4 * (uint64_t)argument);
}

// Pushes the address `distance` bytes from where the access stands, and as many more as it is moved
// for the element `lane`; returns the part of it that the instruction is to add. Of a guarded
// access: an address in the array or so near that the load reads some of it, or none that is used.
static uint64_t push_address(hlo_maker *m, const hlo_access *access, int64_t distance,
                             int64_t lane) {
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, address_local(m, access));
  if (access->moved != 0) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, access->moved_by);
    hlo_wasm_simd(&m->f, SIMD_I32X4_EXTRACT);
    hlo_wasm_byte(&m->f.code, (uint32_t)lane);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
  }
  bool before = access->guarded > 0 && leaves(m, access, false),
       behind = access->guarded > 0 && leaves(m, access, true);
  if (before || behind) {
    if (distance != 0) {
      hlo_wasm_i32(&m->f, distance);
      hlo_wasm_op(&m->f, WASM_I32_ADD);
    }
    push_argument(m, access->argument);
    hlo_wasm_op(&m->f, WASM_I32_SUB);
    if (before) clamp(m, -BEFORE, WASM_I32_LT_S);
    if (behind) clamp(m, access->guarded, WASM_I32_GT_S);
    push_argument(m, access->argument);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
    return 0;
  }
  if (distance >= 0) return (uint64_t)distance;
  hlo_wasm_i32(&m->f, distance);
  hlo_wasm_op(&m->f, WASM_I32_ADD);
  return 0;
}

// In a step with fewer than four elements, one that does not exist is read where the first is.
static uint64_t push_lane_address(hlo_maker *m, const hlo_access *access, int64_t lane) {
  int64_t distance = distance_to(m, access, lane);
  if (!m->masked || lane == 0 || access->guarded > 0)
    return push_address(m, access, distance, lane);
  uint64_t offset = push_address(m, access, distance_to(m, access, 0), lane);
  if (offset > 0) {
    hlo_wasm_i32(&m->f, (int64_t)offset);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
  }
  hlo_wasm_i32(&m->f, lane * inner_stride(m, access));
  hlo_wasm_i32(&m->f, 0);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->count);
  hlo_wasm_i32(&m->f, lane);
  hlo_wasm_op(&m->f, WASM_I32_GT_S);
  hlo_wasm_op(&m->f, WASM_SELECT);
  hlo_wasm_op(&m->f, WASM_I32_ADD);
  return 0;
}

static uint32_t log2_of(int64_t size) { return (uint32_t)__builtin_ctzll((uint64_t)size); }
// Elements of a vector: of narrow ones as many as of 32 bits.
static int64_t per_vector(int64_t size) { return size > 4 ? 16 / size : 4; }

static void reverse_lanes(hlo_maker *m, int64_t size) {
  int32_t vector = hlo_maker_vector(m);
  hlo_wasm_local(&m->f, WASM_LOCAL_TEE, vector);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, vector);
  hlo_wasm_simd(&m->f, SIMD_SHUFFLE);
  uint32_t width = size == 8 ? 8 : 4;
  for (uint32_t i = 0; i < 16; i++)
    hlo_wasm_byte(&m->f.code, (16 / width - 1 - i / width) * width + i % width);
}

// Dense elements, widened to lanes of at least 32 bits.
static void push_dense(hlo_maker *m, const hlo_access *access, int32_t part, bool reversed,
                       bool extends_sign) {
  static const uint32_t loads[][5] = {
      {SIMD_LOAD8X8_U, SIMD_LOAD16X4_U, SIMD_LOAD, SIMD_LOAD, SIMD_LOAD},
      {SIMD_LOAD8X8_S, SIMD_LOAD16X4_S}};
  int64_t size = access->size, elements = per_vector(size), first = part * elements;
  uint64_t offset =
      push_address(m, access, distance_to(m, access, reversed ? first + elements - 1 : first), 0);
  hlo_wasm_simd(&m->f, loads[extends_sign][log2_of(size)]);
  hlo_wasm_offset(&m->f, offset);
  if (size == 1)
    hlo_wasm_simd(&m->f, extends_sign ? SIMD_I32X4_EXTEND_LOW_S : SIMD_I32X4_EXTEND_LOW_U);
  if (reversed && elements > 1) reverse_lanes(m, size);
}

// The same element in all lanes.
static void push_repeated(hlo_maker *m, const hlo_access *access) {
  static const uint32_t loads[] = {SIMD_LOAD8_SPLAT, SIMD_LOAD16_SPLAT, SIMD_LOAD32_SPLAT,
                                   SIMD_LOAD64_SPLAT, SIMD_LOAD};
  uint64_t offset = push_address(m, access, distance_to(m, access, 0), 0);
  hlo_wasm_simd(&m->f, loads[log2_of(access->size)]);
  hlo_wasm_offset(&m->f, offset);
  if (access->size >= 4) return;
  hlo_wasm_i32(&m->f, 32 - 8 * access->size);
  hlo_wasm_simd(&m->f, SIMD_I32X4_SHR_U);
}

static void push_gathered(hlo_maker *m, const hlo_access *access, int32_t part) {
  static const uint32_t loads[] = {SIMD_LOAD8_LANE, SIMD_LOAD16_LANE, SIMD_LOAD32_LANE,
                                   SIMD_LOAD64_LANE};
  int64_t size = access->size, elements = per_vector(size);
  int32_t vector = hlo_maker_vector(m);
  if (elements == 1) {
    uint64_t offset = push_lane_address(m, access, part);
    hlo_wasm_simd(&m->f, SIMD_LOAD);
    hlo_wasm_offset(&m->f, offset);
    return;
  }
  hlo_maker_push(m, hlo_graph_splat32(&m->e->graph, 0));
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, vector);
  for (int64_t i = 0; i < elements; i++) {
    uint64_t offset = push_lane_address(m, access, part * elements + i);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, vector);
    hlo_wasm_simd(&m->f, loads[log2_of(size)]);
    hlo_wasm_offset(&m->f, offset);
    hlo_wasm_byte(&m->f.code, (uint32_t)(i * (size < 4 ? 4 / size : 1)));
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, vector);
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, vector);
}

// Elements so few apart that one load has all four, or two loads of 32-bit elements two each.
static bool is_strided(const hlo_access *access, int64_t factor) {
  if (access->guarded > 0 || factor < 2) return false;
  return access->size < 4 ? (3 * factor + 1) * access->size <= 16
                          : access->size == 4 && factor <= 3;
}

static void push_strided(hlo_maker *m, const hlo_access *access, int64_t factor) {
  uint32_t size = (uint32_t)access->size, step = (uint32_t)factor * size;
  for (int64_t lane = 0; lane < 4; lane += size < 4 ? 4 : 2) {
    uint64_t offset = push_address(m, access, distance_to(m, access, lane), 0);
    hlo_wasm_simd(&m->f, SIMD_LOAD);
    hlo_wasm_offset(&m->f, offset);
  }
  hlo_graph_node order = {.kind = HLO_NODE_CONSTANT};
  for (uint32_t i = 0; i < 16; i++) // bytes 128 away are zeros
    order.immediate[i] = (uint8_t)(i % 4 < size ? i / 4 * step + i % 4 : 128);
  if (size < 4) {
    hlo_maker_push(m, hlo_graph_add(&m->e->graph, &order));
    hlo_wasm_simd(&m->f, SIMD_I8X16_SWIZZLE);
    return;
  }
  hlo_wasm_simd(&m->f, SIMD_SHUFFLE);
  for (uint32_t i = 0; i < 16; i++)
    hlo_wasm_byte(&m->f.code, i / 8 * 16 + i / 4 % 2 * step + i % 4);
}

static void extend_sign(hlo_maker *m, int64_t size) {
  for (int i = 0; i < 2; i++) {
    hlo_wasm_i32(&m->f, 32 - 8 * size);
    hlo_wasm_simd(&m->f, i == 0 ? SIMD_I32X4_SHL : SIMD_I32X4_SHR_S);
  }
}

// All elements of a step, side by side or all alike, in lanes of 8 or 16 bits.
static void push_narrow(hlo_maker *m, const hlo_access *access, const hlo_graph_node *load) {
  bool extends_sign = load->immediate[0] != 0, is_wide = load->immediate[2] > 8 * access->size;
  if (m->in_row || inner_stride(m, access) == 0) {
    uint64_t offset = push_address(m, access, distance_to(m, access, 0), 0);
    hlo_wasm_simd(&m->f, access->size == 1 ? SIMD_LOAD8_SPLAT : SIMD_LOAD16_SPLAT);
    hlo_wasm_offset(&m->f, offset);
    if (is_wide)
      hlo_wasm_simd(&m->f, extends_sign ? SIMD_I16X8_EXTEND_LOW_S : SIMD_I16X8_EXTEND_LOW_U);
    return;
  }
  uint64_t offset = push_address(m, access, distance_to(m, access, 0), 0);
  hlo_wasm_simd(&m->f, !is_wide ? SIMD_LOAD : extends_sign ? SIMD_LOAD8X8_S : SIMD_LOAD8X8_U);
  hlo_wasm_offset(&m->f, offset);
}

static void push_four(hlo_maker *m, const hlo_graph_node *load) {
  hlo_access access = m->e->accesses[load->index];
  bool extends_sign = load->immediate[0] != 0;
  int32_t part = load->op;
  int64_t factor = m->in_row ? 0 : access.position.factors[hlo_nest_inner(&m->nest)];
  bool apart = access.moved != 0 && !m->in_row && !hlo_maker_is_uniform(m, access.moved);
  if (access.moved != 0) {
    access.moved_by = hlo_maker_vector(m);
    hlo_maker_push(m, access.moved);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access.moved_by);
  }
  if ((factor == 1 || factor == -1) && m->nest.inner > 1 && !apart && !access.repeats) {
    push_dense(m, &access, part, factor == -1, extends_sign);
    return;
  }
  if (m->nest.inner == 1 || (factor == 0 && !apart) || access.repeats) push_repeated(m, &access);
  else if (!apart && is_strided(&access, factor)) push_strided(m, &access, factor);
  else push_gathered(m, &access, part);
  if (extends_sign) extend_sign(m, access.size);
}

void hlo_maker_push_load(hlo_maker *m, const hlo_graph_node *load) {
  m->further = 4 * load->immediate[1];
  if (load->immediate[2] == 0) push_four(m, load);
  else push_narrow(m, &m->e->accesses[load->index], load);
  m->further = 0;
}

void hlo_maker_push_index(hlo_maker *m, const hlo_graph_node *node) {
  const hlo_access access = m->e->accesses[node->index];
  int64_t factor = m->in_row ? 0 : access.position.factors[hlo_nest_inner(&m->nest)];
  int64_t distance = distance_to(m, &access, 4 * node->immediate[1]);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, address_local(m, &access));
  if (distance != 0) {
    hlo_wasm_i32(&m->f, distance);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
  }
  hlo_wasm_simd(&m->f, SIMD_I32X4_SPLAT);
  if (factor == 0) return;
  hlo_graph_node steps = {.kind = HLO_NODE_CONSTANT};
  for (uint32_t i = 0; i < 16; i++) {
    steps.immediate[i] = (uint8_t)((uint64_t)((int64_t)(i / 4) * factor) >> i % 4 * 8);
  }
  hlo_maker_push(m, hlo_graph_add(&m->e->graph, &steps));
  hlo_wasm_simd(&m->f, SIMD_I32X4_ADD);
}

// --- stores ---

// Narrow elements side by side in the low bytes.
static void pack(hlo_maker *m, int64_t size, int32_t vector) {
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, vector);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, vector);
  hlo_wasm_simd(&m->f, SIMD_SHUFFLE);
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t element = i / (uint32_t)size & 3;
    hlo_wasm_byte(&m->f.code, element * 4 + i % (uint32_t)size);
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, vector);
}

static void store_lane(hlo_maker *m, const hlo_access *access, const int32_t *parts,
                       int64_t element) {
  static const uint32_t stores[] = {SIMD_STORE8_LANE, SIMD_STORE16_LANE, SIMD_STORE32_LANE,
                                    SIMD_STORE64_LANE, SIMD_STORE};
  int64_t per_part = per_vector(access->size);
  uint64_t offset = push_address(m, access, distance_to(m, access, element), 0);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, parts[element / per_part]);
  hlo_wasm_simd(&m->f, stores[log2_of(access->size)]);
  hlo_wasm_offset(&m->f, offset);
  if (per_part > 1) hlo_wasm_byte(&m->f.code, (uint32_t)(element % per_part));
}

static void store_dense(hlo_maker *m, const hlo_access *access, const int32_t *parts) {
  int64_t size = access->size;
  for (int32_t part = 0; part < 4 / per_vector(size); part++) {
    uint64_t offset = push_address(m, access, distance_to(m, access, part * per_vector(size)), 0);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, parts[part]);
    hlo_wasm_simd(&m->f, size == 1   ? SIMD_STORE32_LANE
                         : size == 2 ? SIMD_STORE64_LANE
                                     : SIMD_STORE);
    hlo_wasm_offset(&m->f, offset);
    if (size < 4) hlo_wasm_byte(&m->f.code, 0);
  }
}

// All elements of a step, side by side, from lanes of 8 or 16 bits.
static void store_narrow(hlo_maker *m, const hlo_access *access, int32_t lanes) {
  bool is_packed = access->size * m->lanes < 16;
  uint64_t offset = push_address(m, access, distance_to(m, access, 0), 0);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, lanes);
  if (is_packed) { // the low bytes of lanes of 16 bits
    hlo_maker_push(m, hlo_graph_splat32(&m->e->graph, 0x00ff00ff));
    hlo_wasm_simd(&m->f, SIMD_AND);
    hlo_wasm_local(&m->f, WASM_LOCAL_TEE, lanes);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, lanes);
    hlo_wasm_simd(&m->f, SIMD_I8X16_NARROW_U);
  }
  hlo_wasm_simd(&m->f, is_packed ? SIMD_STORE64_LANE : SIMD_STORE);
  hlo_wasm_offset(&m->f, offset);
  if (is_packed) hlo_wasm_byte(&m->f.code, 0);
}

void hlo_maker_store(hlo_maker *m, int32_t number, const int32_t *parts) {
  const hlo_access access = m->e->accesses[number];
  bool is_dense = !m->in_row && access.position.factors[hlo_nest_inner(&m->nest)] == 1;
  if (m->lanes > 4 && !m->in_row) {
    store_narrow(m, &access, parts[0]);
    return;
  }
  if (access.size < 4) pack(m, access.size, parts[0]);
  if (m->in_row || m->nest.inner == 1) {
    store_lane(m, &access, parts, 0);
    return;
  }
  if (m->masked) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->count);
    hlo_wasm_i32(&m->f, 4);
    hlo_wasm_op(&m->f, WASM_I32_GE_S);
    hlo_wasm_begin(&m->f, WASM_IF);
  }
  if (is_dense) store_dense(m, &access, parts);
  else
    for (int64_t i = 0; i < 4; i++) store_lane(m, &access, parts, i);
  if (!m->masked) return;
  hlo_wasm_op(&m->f, WASM_ELSE);
  store_lane(m, &access, parts, 0);
  for (int64_t i = 1; i < 3; i++) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->count);
    hlo_wasm_i32(&m->f, i);
    hlo_wasm_op(&m->f, WASM_I32_GT_S);
    hlo_wasm_begin(&m->f, WASM_IF);
    store_lane(m, &access, parts, i);
  }
  for (int64_t i = 1; i < 4; i++) hlo_wasm_op(&m->f, WASM_END);
}

// --- scratch memory ---

// In a column nest, `by_step` has room for each reduced step.
static int32_t new_slot(hlo_maker *m, int64_t elements, bool in_block, bool by_step) {
  hlo_access access = {.kind = HLO_ACCESS_ROOM, .argument = m->scratch_argument, .size = 1};
  access.in_block = in_block;
  access.position.offset = m->scratch_bytes;
  access.position.factors[hlo_nest_inner(&m->nest)] = HLO_VECTOR_BYTES / 4;
  access.row = hlo_maker_integer(m);
  access.outer = hlo_maker_integer(m);
  access.inner = hlo_maker_integer(m);
  int64_t bytes = (elements + 3) / 4 * HLO_VECTOR_BYTES;
  for (int32_t l = hlo_nest_inner(&m->nest) - 1; by_step && l >= m->nest.kept; l--) {
    access.position.factors[l] = bytes;
    bytes *= m->nest.sizes[l];
  }
  m->scratch_bytes += bytes + HLO_SCRATCH_APART;
  int32_t number = hlo_emit_add_access(m->e, &access);
  return number < 0 ? 0 : number;
}

int32_t hlo_maker_new_slot(hlo_maker *m) { return new_slot(m, m->inner_chunk, false, false); }

int32_t hlo_maker_new_step_slot(hlo_maker *m) {
  return new_slot(m, m->inner_chunk, false, m->nest.kind == HLO_NEST_COLUMN);
}

int32_t hlo_maker_new_row(hlo_maker *m, int64_t size) {
  return new_slot(m, m->nest.inner * (size > 4 ? size / 4 : 1), false, false);
}

int32_t hlo_maker_new_block_slot(hlo_maker *m) {
  int64_t elements = m->inner_chunk < HLO_LOOP_BLOCK ? m->inner_chunk : HLO_LOOP_BLOCK;
  return new_slot(m, elements, true, false);
}

static void push_carries(hlo_maker *m) {
  push_argument(m, m->scratch_argument);
  if (m->carry_bytes == 0) return;
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ROW);
  hlo_wasm_i32(&m->f, m->carry_bytes);
  hlo_wasm_op(&m->f, WASM_I32_MUL);
  hlo_wasm_op(&m->f, WASM_I32_ADD);
}

void hlo_maker_push_carry(hlo_maker *m, int32_t number) {
  push_carries(m);
  hlo_wasm_simd(&m->f, SIMD_LOAD);
  hlo_wasm_offset(&m->f, (uint64_t)number * HLO_VECTOR_BYTES);
}

void hlo_maker_store_carry(hlo_maker *m, int32_t number, int32_t local) {
  push_carries(m);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, local);
  hlo_wasm_simd(&m->f, SIMD_STORE);
  hlo_wasm_offset(&m->f, (uint64_t)number * HLO_VECTOR_BYTES);
}

void hlo_maker_push_slot(hlo_maker *m, int32_t number) {
  const hlo_access *access = &m->e->accesses[number];
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, address_local(m, access));
  hlo_wasm_simd(&m->f, SIMD_LOAD);
  hlo_wasm_offset(&m->f, (uint64_t)distance_to(m, access, 0));
}

void hlo_maker_store_slot(hlo_maker *m, int32_t number, int32_t local) {
  const hlo_access *access = &m->e->accesses[number];
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, address_local(m, access));
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, local);
  hlo_wasm_simd(&m->f, SIMD_STORE);
  hlo_wasm_offset(&m->f, (uint64_t)distance_to(m, access, 0));
}

// --- calls with memory ---

void hlo_maker_push_loop(hlo_maker *m, const hlo_graph_node *node, const int32_t *operands) {
  enum {
    RESULT = 2 * HLO_VECTOR_BYTES,
    POINTERS = 3 * HLO_VECTOR_BYTES,
    CALL_SLOT_BYTES = 4 * HLO_VECTOR_BYTES
  };
  int32_t base = hlo_maker_integer(m);
  if (m->call_slot == 0) {
    m->call_slot = m->scratch_bytes + HLO_VECTOR_BYTES; // not 0
    m->scratch_bytes = m->call_slot + CALL_SLOT_BYTES;
  }
  push_argument(m, m->scratch_argument);
  hlo_wasm_i32(&m->f, m->call_slot);
  hlo_wasm_op(&m->f, WASM_I32_ADD);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, base);
  for (int i = 0; i < node->operand_count; i++) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, base);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, operands[i]);
    hlo_wasm_simd(&m->f, SIMD_STORE);
    hlo_wasm_offset(&m->f, (uint64_t)i * HLO_VECTOR_BYTES);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, base);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, base);
    hlo_wasm_i32(&m->f, i * HLO_VECTOR_BYTES);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
    hlo_wasm_op(&m->f, WASM_I32_STORE);
    hlo_wasm_offset(&m->f, POINTERS + 4 * (uint64_t)i);
  }
  const int64_t at[] = {RESULT, POINTERS};
  for (int i = 0; i < 2; i++) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, base);
    hlo_wasm_i32(&m->f, at[i]);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
  }
  hlo_wasm_op(&m->f, WASM_I64_CONST);
  hlo_wasm_signed(&m->f.code, node->immediate[0]);
  hlo_maker_call(m, node->index, HLO_WASM_TYPE_LOOP);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, base);
  hlo_wasm_simd(&m->f, SIMD_LOAD);
  hlo_wasm_offset(&m->f, RESULT);
}
