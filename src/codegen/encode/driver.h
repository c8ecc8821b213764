// Code for whole loops: one function that keeps single numbers in its locals and calls kernels on
// arrays, round after round. Written piece by piece, in the order in which things happen in a
// round.
#ifndef HLO_CODEGEN_ENCODE_DRIVER_H
#define HLO_CODEGEN_ENCODE_DRIVER_H

#include "codegen/codegen.h"
#include "codegen/graph/value.h"

// The function's first parameter is the address of a block of memory, whose start this is; the
// second one says how many rounds it may take. Nobody takes the others.
typedef struct hlo_driver_block {
  int32_t state;   // hlo_driver_state
  int32_t scratch; // address of scratch memory for the code's own calls
} hlo_driver_block;

typedef enum hlo_driver_state {
  HLO_DRIVER_MORE, // so many rounds are over; it may be called again
  HLO_DRIVER_DONE, // the condition does not hold
  HLO_DRIVER_LONG, // a loop inside of the round goes on and on: nothing of the round is kept
  // A function of the engine has set this, and said why somewhere else. Of the block no more is
  // kept.
  HLO_DRIVER_FAILED,
} hlo_driver_state;

// Where an array or a number stands.
typedef enum hlo_place_kind {
  HLO_PLACE_BLOCK,    // `at` bytes from the start of the block
  HLO_PLACE_REGISTER, // where register `at` says
  HLO_PLACE_FIXED,    // at the address `at`
  HLO_PLACE_SCRATCH,  // in scratch memory
  HLO_PLACE_LOCAL,    // where a local of the driver's says
} hlo_place_kind;
typedef struct hlo_place {
  hlo_place_kind kind;
  int64_t at;
  int64_t offset; // bytes from there
} hlo_place;

typedef struct hlo_driver hlo_driver;

enum {
  HLO_DRIVER_MAX_RANK = 8, // of arrays with boxes
};

// A function of the engine that a driver calls: with its block, a number, and zeros.
typedef void hlo_driver_function(void *block, int32_t number, int32_t, int32_t, int32_t);

// `arena` has what is under way, `kept` what goes into the kernel. NULL: memory is out.
hlo_driver *hlo_driver_create(hlo_target target, hlo_arena *arena, hlo_arena *kept,
                              hlo_emit_imports *imports);
// So many bytes of the block, 16-aligned. Kernels may read HLO_MEMORY_SLACK bytes after them.
int32_t hlo_driver_reserve(hlo_driver *driver, int64_t bytes);
// A register: the address of an array, which the block has where `word` says before and after. What
// is fixed never changes.
int32_t hlo_driver_add_register(hlo_driver *driver, bool is_fixed, int32_t *word);
hlo_graph *hlo_driver_graph(hlo_driver *driver);

// A number that is in the block when the function starts, and again when it ends; its value in the
// round under way.
hlo_value hlo_driver_carry(hlo_driver *driver, hlo_type type, int32_t *cell);
// A number with locals of its own, which hlo_driver_set gives a value, where the code has come to:
// all of them at once.
hlo_value hlo_driver_new_number(hlo_driver *driver, hlo_type type);
typedef struct hlo_driver_assignment {
  hlo_type type;
  hlo_value to, from;
} hlo_driver_assignment;
void hlo_driver_set(hlo_driver *driver, int32_t count, const hlo_driver_assignment *assignments);
// The same value, which may be needed more than once, and by values that others are made of: after
// many instructions it is computed here.
hlo_value hlo_driver_keep(hlo_driver *driver, hlo_type type, hlo_value value);
hlo_value hlo_driver_load(hlo_driver *driver, hlo_type type, hlo_place from);
void hlo_driver_store(hlo_driver *driver, hlo_type type, hlo_value value, hlo_place to);
void hlo_driver_copy(hlo_driver *driver, hlo_place to, hlo_place from, int64_t bytes);
// An array of few bytes of the number, which has 32 or 64 bits.
void hlo_driver_fill(hlo_driver *driver, hlo_type type, hlo_value value, hlo_place to,
                     int64_t bytes);
// Ends the loop under way where the value is false. Once, after what its condition needs.
void hlo_driver_leave_unless(hlo_driver *driver, hlo_value condition);
// A loop inside of the round; what the code between them computes is not known after it. Returns
// what the end is told.
int32_t hlo_driver_begin_loop(hlo_driver *driver);
void hlo_driver_end_loop(hlo_driver *driver, int32_t outside);
// Before the end of a loop inside whose rounds nobody knows the number of: each counts as one of
// the function's. With `most` more than it may take, it ends, and its state is that before the
// round.
void hlo_driver_count_round(hlo_driver *driver, int32_t most);
// Code for where a pred is true, or a 32-bit integer is `number`, then for where it is not.
int32_t hlo_driver_begin_if(hlo_driver *driver, hlo_type type, hlo_value value, int32_t number);
void hlo_driver_begin_else(hlo_driver *driver);
void hlo_driver_end_if(hlo_driver *driver, int32_t outside);
// Calls kernel `number` of the module for all that it does; `arguments` are its own, without
// constants and scratch memory, for which it takes any place.
void hlo_driver_call(hlo_driver *driver, int32_t number, const hlo_emit_kernel *kernel,
                     const hlo_place *arguments);
// Calls a function of the engine, with the addresses of the places in the block at the offset that
// is returned.
int32_t hlo_driver_call_engine(hlo_driver *driver, hlo_driver_function *function, int32_t number,
                               int32_t count, const hlo_place *places);
// The place of the part of a row-major array that starts there.
hlo_place hlo_driver_part(hlo_place array, const hlo_shape *shape, const int64_t *starts);
// How many runs of neighbouring elements a box of the array has: the fewer the better.
int64_t hlo_driver_box_runs(const hlo_shape *array, const hlo_shape *box);
// The place of the part of the array that starts at `starts`, one per dimension, clamped so that
// the box is inside: until the round ends. False where no code can be made.
bool hlo_driver_locate_box(hlo_driver *driver, hlo_place array, const hlo_shape *shape,
                           const hlo_shape *box, const hlo_type *types, const hlo_value *starts,
                           hlo_place *out);
// Copies between a box in such a place and a dense array, one way or the other.
void hlo_driver_copy_box(hlo_driver *driver, const hlo_shape *shape, const hlo_shape *box,
                         hlo_place in_array, hlo_place dense, bool to_array);
// Moves registers for the next round: register to[i] gets what from[i] has.
void hlo_driver_move(hlo_driver *driver, int32_t count, const int32_t *to, const int32_t *from);
// Whether the function has become so large that it would take long to compile.
bool hlo_driver_is_large(const hlo_driver *driver);
// Ends the function.
hlo_status hlo_driver_finish(hlo_driver *driver, int64_t *block_bytes, const hlo_emit_kernel **out,
                             hlo_error *error);
void hlo_driver_free(hlo_driver *driver); // NULL is fine
// Of the driver's function at the end of a module's code: after what is imported, the kernels that
// it calls have numbers that are higher by so many.
void hlo_driver_raise_calls(hlo_string *code, const hlo_emit_kernel *kernel, int32_t by);

#endif
