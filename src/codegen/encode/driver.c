// Writes the function of a whole loop; driver_copy.c has the copies. See driver.h.
#include "base/machine.h"
#include "codegen/encode/driver_code.h"

#include <stddef.h>
#include <string.h>

enum {
  LONGEST_CALL = 5,    // bytes of a function's number, which is known when the module is made
  MOST_LOCALS = 20000, // engines allow 50000
  MOST_DEPTH = 100,    // of nodes that are not computed: code is written by walks that are as deep
};

// Room for one more item of a list in the arena.
static bool grow(hlo_driver *d, void *list, size_t size, int32_t count, int32_t *capacity) {
  void **items = list, *grown = hlo_arena_grow_list(d->e.arena, *items, count, capacity, size);
  if (grown == NULL) d->e.out_of_memory = true;
  else *items = grown;
  return grown != NULL;
}

hlo_driver *hlo_driver_create(hlo_target target, hlo_arena *arena, hlo_arena *kept,
                              hlo_emit_imports *imports) {
  hlo_driver *d = hlo_arena_array(arena, 1, sizeof *d);
  if (d == NULL) return NULL;
  d->e = (hlo_emitter){.arena = arena,
                       .kept = kept,
                       .imports = imports,
                       .graph = {.arena = arena, .target = target}};
  d->m = (hlo_maker){.e = &d->e, .epoch = 1, .computed = 1};
  d->m.nest = (hlo_nest){.sizes = {1}, .rows = 1, .reduced = 1, .inner = 1};
  d->m.f.local_count = HLO_PARAMETERS;
  d->m.scratch_argument = offsetof(hlo_driver_block, scratch) / sizeof(int32_t);
  d->state = hlo_maker_integer(&d->m);
  d->last_computed = d->m.computed;
  hlo_driver_reserve(d, sizeof(hlo_driver_block));
  return d;
}

hlo_graph *hlo_driver_graph(hlo_driver *d) { return &d->e.graph; }

int32_t hlo_driver_reserve(hlo_driver *d, int64_t bytes) {
  int64_t offset = d->block_bytes;
  d->block_bytes += (bytes + HLO_VECTOR_BYTES - 1) / HLO_VECTOR_BYTES * HLO_VECTOR_BYTES;
  if (d->block_bytes > INT32_MAX / 2) d->e.out_of_memory = true;
  return (int32_t)offset;
}

int32_t hlo_driver_add_register(hlo_driver *d, bool is_fixed, int32_t *word) {
  *word = hlo_driver_reserve(d, sizeof(int32_t));
  if (!grow(d, &d->registers, sizeof *d->registers, d->register_count, &d->register_capacity))
    return 0;
  d->registers[d->register_count] =
      (hlo_driver_register){is_fixed, hlo_maker_integer(&d->m), *word};
  return d->register_count++;
}

// --- places ---

static bool is_fixed(const hlo_driver *d, hlo_place place) {
  if (place.kind == HLO_PLACE_REGISTER) return d->registers[place.at].is_fixed;
  return place.kind != HLO_PLACE_LOCAL;
}

uint64_t hlo_driver_push_base(hlo_driver *d, hlo_place place) {
  int32_t local = place.kind == HLO_PLACE_LOCAL      ? (int32_t)place.at
                  : place.kind == HLO_PLACE_REGISTER ? d->registers[place.at].local
                                                     : HLO_PARAMETER_ARGUMENTS;
  if (place.kind == HLO_PLACE_FIXED) hlo_wasm_i32(&d->m.f, place.at);
  else hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, local);
  if (place.kind == HLO_PLACE_SCRATCH) {
    hlo_wasm_op(&d->m.f, WASM_I32_LOAD);
    hlo_wasm_offset(&d->m.f, offsetof(hlo_driver_block, scratch));
  }
  return (uint64_t)(place.offset + (place.kind == HLO_PLACE_BLOCK ? place.at : 0));
}

void hlo_driver_push_address(hlo_driver *d, hlo_place place) {
  uint64_t offset = hlo_driver_push_base(d, place);
  if (offset == 0) return;
  hlo_wasm_i32(&d->m.f, (int64_t)offset);
  hlo_wasm_op(&d->m.f, WASM_I32_ADD);
}

static void store_address(hlo_driver *d, int32_t offset, hlo_place place) {
  hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
  hlo_driver_push_address(d, place);
  hlo_wasm_op(&d->m.f, WASM_I32_STORE);
  hlo_wasm_offset(&d->m.f, (uint64_t)offset);
}

// The place's address as a word of the block: now, or before the first round.
static void pass_address(hlo_driver *d, int32_t offset, hlo_place place) {
  if (!is_fixed(d, place)) {
    store_address(d, offset, place);
  } else if (grow(d, &d->fixed, sizeof *d->fixed, d->fixed_count, &d->fixed_capacity)) {
    d->fixed[d->fixed_count++] = (hlo_driver_argument){offset, place};
  }
}

// --- numbers ---

// A parameter of the graph with a local of its own. All lanes have the same.
static hlo_node add_parameter(hlo_driver *d, hlo_type type) {
  hlo_node node = hlo_graph_parameter(&d->e.graph);
  if (node == 0) return 0;
  hlo_maker_analyze(&d->m);
  int32_t local = hlo_maker_vector(&d->m);
  hlo_maker_node(&d->m, node)->local = local;
  hlo_maker_node(&d->m, node)->is_alike = hlo_type_get_class(type) != HLO_CLASS_COMPLEX;
  return node;
}

hlo_value hlo_driver_new_number(hlo_driver *d, hlo_type type) {
  hlo_value value = {{0}};
  for (int32_t part = 0; part < hlo_value_parts(type); part++)
    value.part[part] = add_parameter(d, type);
  return value;
}

hlo_value hlo_driver_carry(hlo_driver *d, hlo_type type, int32_t *cell) {
  hlo_driver_carried number = {.type = type, .cell = hlo_driver_reserve(d, HLO_VECTOR_BYTES)};
  number.value = hlo_driver_new_number(d, type);
  *cell = number.cell;
  if (grow(d, &d->carried, sizeof *d->carried, d->carried_count, &d->carried_capacity))
    d->carried[d->carried_count++] = number;
  return number.value;
}

static void count_uses(hlo_driver *d, hlo_type type, hlo_value value) {
  for (int32_t part = 0; part < hlo_value_parts(type); part++) {
    hlo_maker_count(&d->m, value.part[part]);
    hlo_maker_count(&d->m, value.part[part]);
  }
}

hlo_value hlo_driver_keep(hlo_driver *d, hlo_type type, hlo_value value) {
  int32_t depth = 0;
  count_uses(d, type, value);
  for (int32_t part = 0; part < hlo_value_parts(type); part++) {
    if (value.part[part] == 0) return value; // there was no memory for it
    const hlo_graph_node *node = hlo_maker_node(&d->m, value.part[part]);
    if (node->depth > depth) depth = node->depth;
  }
  if (depth < MOST_DEPTH) return value;
  hlo_driver_assignment number = {type, hlo_driver_new_number(d, type), value};
  hlo_driver_set(d, 1, &number);
  return number.to;
}

void hlo_driver_set(hlo_driver *d, int32_t count, const hlo_driver_assignment *list) {
  // All are there before the first one changes.
  for (int32_t i = 0; i < count; i++) {
    count_uses(d, list[i].type, list[i].from);
    for (int32_t part = 0; part < hlo_value_parts(list[i].type); part++)
      hlo_maker_push(&d->m, list[i].from.part[part]);
  }
  for (int32_t i = count - 1; i >= 0; i--) {
    for (int32_t part = hlo_value_parts(list[i].type) - 1; part >= 0; part--) {
      hlo_node node = list[i].to.part[part];
      if (node != 0) hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, hlo_maker_node(&d->m, node)->local);
    }
  }
}

static uint32_t log2_of(int64_t size) { return (uint32_t)__builtin_ctzll((uint64_t)size); }

hlo_value hlo_driver_load(hlo_driver *d, hlo_type type, hlo_place from) {
  static const uint32_t loads[] = {SIMD_LOAD8_SPLAT, SIMD_LOAD16_SPLAT, SIMD_LOAD32_SPLAT,
                                   SIMD_LOAD64_SPLAT, SIMD_LOAD};
  int64_t size = hlo_type_bytes(type);
  hlo_node node = add_parameter(d, type);
  hlo_value memory = {{0}};
  if (node == 0) return memory;
  uint64_t offset = hlo_driver_push_base(d, from);
  hlo_wasm_simd(&d->m.f, loads[log2_of(size)]);
  hlo_wasm_offset(&d->m.f, offset);
  if (size < 4) {
    hlo_wasm_i32(&d->m.f, 32 - 8 * size);
    hlo_wasm_simd(&d->m.f, SIMD_I32X4_SHR_U);
  }
  hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, hlo_maker_node(&d->m, node)->local);
  for (int64_t part = 0; part < (size <= 4 ? 1 : size / 4); part++) memory.part[part] = node;
  return hlo_driver_keep(d, type, hlo_value_from_memory(&d->e.graph, type, memory));
}

void hlo_driver_store(hlo_driver *d, hlo_type type, hlo_value value, hlo_place to) {
  static const uint32_t stores[] = {SIMD_STORE8_LANE, SIMD_STORE16_LANE, SIMD_STORE32_LANE,
                                    SIMD_STORE64_LANE, SIMD_STORE};
  int64_t size = hlo_type_bytes(type);
  hlo_node node = hlo_value_to_memory(&d->e.graph, type, value).part[0];
  uint64_t offset = hlo_driver_push_base(d, to);
  hlo_maker_count(&d->m, node);
  hlo_maker_push(&d->m, node);
  hlo_wasm_simd(&d->m.f, stores[log2_of(size)]);
  hlo_wasm_offset(&d->m.f, offset);
  if (size < HLO_VECTOR_BYTES) hlo_wasm_byte(&d->m.f.code, 0); // lane
}

// --- loops and branches ---

void hlo_driver_push_lane(hlo_driver *d, hlo_type type, hlo_value value) {
  count_uses(d, type, value);
  hlo_maker_push(&d->m, value.part[0]);
  hlo_wasm_simd(&d->m.f, SIMD_I32X4_EXTRACT);
  hlo_wasm_byte(&d->m.f.code, 0);
}

void hlo_driver_leave_unless(hlo_driver *d, hlo_value condition) {
  hlo_driver_push_lane(d, HLO_PRED, condition);
  hlo_wasm_op(&d->m.f, WASM_I32_EQZ);
  hlo_wasm_branch(&d->m.f, WASM_BR_IF, 1);
  if (d->depth > 0) return;
  hlo_wasm_i32(&d->m.f, HLO_DRIVER_MORE);
  hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, d->state);
  hlo_maker_advance(&d->m, HLO_PARAMETER_ROW, -1);
}

// What is computed from here on is known only here.
static int32_t enter(hlo_driver *d) {
  int32_t outside = d->m.computed;
  d->m.computed = ++d->last_computed;
  return outside;
}

int32_t hlo_driver_begin_loop(hlo_driver *d) {
  hlo_wasm_begin(&d->m.f, WASM_BLOCK);
  hlo_wasm_begin(&d->m.f, WASM_LOOP);
  d->depth += 2;
  return enter(d);
}

void hlo_driver_end_loop(hlo_driver *d, int32_t outside) {
  hlo_wasm_branch(&d->m.f, WASM_BR, 0);
  hlo_wasm_op(&d->m.f, WASM_END);
  hlo_wasm_op(&d->m.f, WASM_END);
  d->depth -= 2;
  d->m.computed = outside;
}

void hlo_driver_count_round(hlo_driver *d, int32_t most) {
  hlo_maker_advance(&d->m, HLO_PARAMETER_ROW, -1);
  hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, HLO_PARAMETER_ROW);
  hlo_wasm_i32(&d->m.f, -most);
  hlo_wasm_op(&d->m.f, WASM_I32_LT_S);
  hlo_wasm_begin(&d->m.f, WASM_IF);
  hlo_wasm_i32(&d->m.f, HLO_DRIVER_LONG);
  hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, d->state);
  hlo_wasm_branch(&d->m.f, WASM_BR, d->depth + 2); // after the block around all rounds
  hlo_wasm_op(&d->m.f, WASM_END);
}

int32_t hlo_driver_begin_if(hlo_driver *d, hlo_type type, hlo_value value, int32_t number) {
  hlo_driver_push_lane(d, type, value);
  if (type != HLO_PRED) {
    hlo_wasm_i32(&d->m.f, number);
    hlo_wasm_op(&d->m.f, WASM_I32_EQ);
  }
  hlo_wasm_begin(&d->m.f, WASM_IF);
  d->depth++;
  return enter(d);
}

void hlo_driver_begin_else(hlo_driver *d) {
  hlo_wasm_op(&d->m.f, WASM_ELSE);
  enter(d);
}

void hlo_driver_end_if(hlo_driver *d, int32_t outside) {
  hlo_wasm_op(&d->m.f, WASM_END);
  d->depth--;
  d->m.computed = outside;
}

// --- calls ---

static void call_kernel(hlo_driver *d, int32_t number) {
  hlo_wasm_byte(&d->m.f.code, WASM_CALL);
  if (!grow(d, &d->calls, sizeof *d->calls, d->call_count, &d->call_capacity)) return;
  d->calls[d->call_count++] = d->m.f.code.length;
  for (int i = 0; i < LONGEST_CALL; i++) { // LEB128 in full length
    hlo_wasm_byte(&d->m.f.code, ((uint32_t)number & 0x7f) | (i < LONGEST_CALL - 1 ? 0x80 : 0));
    number >>= 7;
  }
}

void hlo_driver_call(hlo_driver *d, int32_t number, const hlo_emit_kernel *kernel,
                     const hlo_place *arguments) {
  int32_t offset = hlo_driver_reserve(d, 4 * (int64_t)kernel->argument_count);
  if (kernel->scratch_bytes > d->scratch_bytes) d->scratch_bytes = kernel->scratch_bytes;
  for (int32_t i = 0; i < kernel->argument_count; i++) {
    const hlo_emit_argument *argument = &kernel->arguments[i];
    hlo_place place = arguments[i];
    if (argument->kind == HLO_ARGUMENT_SCRATCH)
      place = (hlo_place){.kind = HLO_PLACE_SCRATCH, .at = 0};
    if (argument->kind == HLO_ARGUMENT_CONSTANT)
      place = (hlo_place){.kind = HLO_PLACE_FIXED, .at = (int64_t)(intptr_t)argument->data};
    pass_address(d, offset + 4 * i, place);
  }
  for (int64_t row = 0; row < kernel->rows; row += kernel->row_chunk) {
    for (int64_t inner = 0; inner < kernel->inner; inner += kernel->inner_chunk) {
      int64_t row_end = row + kernel->row_chunk, inner_end = inner + kernel->inner_chunk;
      hlo_driver_push_address(d, (hlo_place){.kind = HLO_PLACE_BLOCK, .at = offset});
      hlo_wasm_i32(&d->m.f, row);
      hlo_wasm_i32(&d->m.f, row_end < kernel->rows ? row_end : kernel->rows);
      hlo_wasm_i32(&d->m.f, inner);
      hlo_wasm_i32(&d->m.f, inner_end < kernel->inner ? inner_end : kernel->inner);
      call_kernel(d, number);
    }
  }
}

int32_t hlo_driver_call_engine(hlo_driver *d, hlo_driver_function *function, int32_t number,
                               int32_t count, const hlo_place *places) {
  int32_t offset = hlo_driver_reserve(d, 4 * (int64_t)count);
  for (int32_t i = 0; i < count; i++) pass_address(d, offset + 4 * i, places[i]);
  hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
  hlo_wasm_i32(&d->m.f, number);
  for (int i = 0; i < HLO_PARAMETERS - 2; i++) hlo_wasm_i32(&d->m.f, 0);
  hlo_maker_call(&d->m, (int32_t)(intptr_t)function, HLO_WASM_TYPE_KERNEL);
  hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
  hlo_wasm_op(&d->m.f, WASM_I32_LOAD);
  hlo_wasm_offset(&d->m.f, offsetof(hlo_driver_block, state));
  hlo_wasm_i32(&d->m.f, HLO_DRIVER_FAILED);
  hlo_wasm_op(&d->m.f, WASM_I32_EQ);
  hlo_wasm_begin(&d->m.f, WASM_IF);
  // The state is lost. (Ways from here to the end, where it is stored, would take engines long.)
  hlo_wasm_op(&d->m.f, WASM_RETURN);
  hlo_wasm_op(&d->m.f, WASM_END);
  return offset;
}

void hlo_driver_move(hlo_driver *d, int32_t count, const int32_t *to, const int32_t *from) {
  for (int32_t i = 0; i < count; i++)
    hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, d->registers[from[i]].local);
  for (int32_t i = count - 1; i >= 0; i--)
    hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, d->registers[to[i]].local);
}

// --- the function ---

// What stands before the first round.
static void write_start(hlo_driver *d) {
  enter(d);
  for (int32_t i = 0; i < d->register_count; i++) {
    hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
    hlo_wasm_op(&d->m.f, WASM_I32_LOAD);
    hlo_wasm_offset(&d->m.f, (uint64_t)d->registers[i].word);
    hlo_wasm_local(&d->m.f, WASM_LOCAL_SET, d->registers[i].local);
  }
  for (int32_t i = 0; i < d->fixed_count; i++)
    store_address(d, d->fixed[i].offset, d->fixed[i].place);
  hlo_driver_assignment *list =
      hlo_arena_array(d->e.arena, (size_t)d->carried_count + 1, sizeof *list);
  if (list == NULL) {
    d->e.out_of_memory = true;
    return;
  }
  for (int32_t i = 0; i < d->carried_count; i++) {
    const hlo_driver_carried *number = &d->carried[i];
    const hlo_place cell = {.kind = HLO_PLACE_BLOCK, .at = number->cell};
    list[i] = (hlo_driver_assignment){number->type, number->value,
                                      hlo_driver_load(d, number->type, cell)};
  }
  hlo_driver_set(d, d->carried_count, list);
}

// What stands after the last one.
static void write_end(hlo_driver *d) {
  enter(d);
  for (int32_t i = 0; i < d->register_count; i++)
    store_address(d, d->registers[i].word, (hlo_place){.kind = HLO_PLACE_REGISTER, .at = i});
  for (int32_t i = 0; i < d->carried_count; i++) {
    const hlo_place cell = {.kind = HLO_PLACE_BLOCK, .at = d->carried[i].cell};
    hlo_driver_store(d, d->carried[i].type, d->carried[i].value, cell);
  }
  hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
  hlo_wasm_local(&d->m.f, WASM_LOCAL_GET, d->state);
  hlo_wasm_op(&d->m.f, WASM_I32_STORE);
  hlo_wasm_offset(&d->m.f, offsetof(hlo_driver_block, state));
}

static void add_code(hlo_wasm_function *f, hlo_string *code) {
  if (code->failed) f->code.failed = true;
  else if (code->length > 0) hlo_string_add_bytes(&f->code, code->text, code->length);
  hlo_string_free(code);
}

static void write_function(hlo_driver *d) {
  hlo_wasm_function *f = &d->m.f;
  hlo_string round = f->code, start, end;
  f->code = (hlo_string){0};
  write_start(d);
  start = f->code;
  f->code = (hlo_string){0};
  write_end(d);
  end = f->code;
  f->code = (hlo_string){0};
  hlo_maker_write_constants(&d->m);
  add_code(f, &start);
  hlo_wasm_begin(f, WASM_BLOCK);
  hlo_wasm_begin(f, WASM_LOOP);
  hlo_wasm_i32(f, HLO_DRIVER_MORE);
  hlo_wasm_local(f, WASM_LOCAL_SET, d->state);
  hlo_wasm_local(f, WASM_LOCAL_GET, HLO_PARAMETER_ROW);
  hlo_wasm_i32(f, 0);
  hlo_wasm_op(f, WASM_I32_LE_S);
  hlo_wasm_branch(f, WASM_BR_IF, 1);
  hlo_wasm_i32(f, HLO_DRIVER_DONE);
  hlo_wasm_local(f, WASM_LOCAL_SET, d->state);
  size_t before = f->code.length;
  add_code(f, &round);
  for (int32_t i = 0; i < d->call_count; i++) d->calls[i] += before;
  hlo_wasm_branch(f, WASM_BR, 0);
  hlo_wasm_op(f, WASM_END);
  hlo_wasm_op(f, WASM_END);
  add_code(f, &end);
}

bool hlo_driver_is_large(const hlo_driver *d) { return d->m.f.local_count > MOST_LOCALS; }

hlo_status hlo_driver_finish(hlo_driver *d, int64_t *block_bytes, const hlo_emit_kernel **out,
                             hlo_error *error) {
  hlo_string body = {0};
  write_function(d);
  size_t length = d->m.f.code.length + 1; // and the last instruction
  hlo_wasm_finish(&d->m.f, &body);
  hlo_emit_kernel *made = hlo_arena_array(d->e.kept, 1, sizeof *made);
  size_t *calls = hlo_arena_array(d->e.kept, (size_t)d->call_count + 1, sizeof *calls);
  char *bytes = body.failed ? NULL : hlo_arena_copy_text(d->e.kept, body.text, body.length);
  bool failed =
      made == NULL || calls == NULL || bytes == NULL || d->e.graph.failed || d->e.out_of_memory;
  if (!failed) {
    for (int32_t i = 0; i < d->call_count; i++) calls[i] = length - d->calls[i];
    *made = (hlo_emit_kernel){.body = bytes, .body_length = body.length};
    made->call_count = d->call_count;
    made->calls = calls;
    if (d->m.scratch_bytes > d->scratch_bytes) d->scratch_bytes = d->m.scratch_bytes;
    made->scratch_bytes = d->scratch_bytes;
    *block_bytes = d->block_bytes + HLO_MEMORY_SLACK;
    *out = made;
  }
  hlo_string_free(&body);
  return failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}

void hlo_driver_free(hlo_driver *d) {
  if (d != NULL) hlo_wasm_free(&d->m.f);
}

void hlo_driver_raise_calls(hlo_string *code, const hlo_emit_kernel *kernel, int32_t by) {
  for (int32_t i = 0; i < kernel->call_count && !code->failed; i++) {
    char *at = code->text + code->length - kernel->calls[i];
    uint32_t sum = (uint32_t)by;
    for (int k = 0; k < LONGEST_CALL; k++) {
      sum += (uint32_t)at[k] & 0x7f;
      at[k] = (char)((at[k] & 0x80) | (sum & 0x7f));
      sum >>= 7;
    }
  }
}
