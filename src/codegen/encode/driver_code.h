// A driver under way, shared by driver.c and driver_copy.c.
#ifndef HLO_CODEGEN_ENCODE_DRIVER_CODE_H
#define HLO_CODEGEN_ENCODE_DRIVER_CODE_H

#include "codegen/encode/driver.h"
#include "codegen/encode/maker.h"

// A number that is carried from round to round: its parts are parameters of the graph.
typedef struct hlo_driver_carried {
  hlo_type type;
  hlo_value value;
  int32_t cell;
} hlo_driver_carried;

typedef struct hlo_driver_register {
  bool is_fixed;
  int32_t local, word;
} hlo_driver_register;

// What the function stores before its first round: the address of a place that never changes.
typedef struct hlo_driver_argument {
  int32_t offset;
  hlo_place place;
} hlo_driver_argument;

struct hlo_driver {
  hlo_emitter e;
  hlo_maker m;
  int32_t state;         // local
  int32_t depth;         // of blocks inside of the round
  int32_t last_computed; // hlo_maker.computed is no greater
  int64_t block_bytes, scratch_bytes;
  int32_t register_count, register_capacity;
  hlo_driver_register *registers;
  int32_t carried_count, carried_capacity;
  hlo_driver_carried *carried;
  int32_t fixed_count, fixed_capacity;
  hlo_driver_argument *fixed;
  int32_t call_count, call_capacity;
  size_t *calls;
};

// Pushes an address; returns what the instruction is to add to it.
uint64_t hlo_driver_push_base(hlo_driver *driver, hlo_place place);
// Pushes all of it.
void hlo_driver_push_address(hlo_driver *driver, hlo_place place);
// Pushes the first lane of a value of at most 32 bits.
void hlo_driver_push_lane(hlo_driver *driver, hlo_type type, hlo_value value);

#endif
