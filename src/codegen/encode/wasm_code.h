// Writes WebAssembly: numbers, instructions and local variables of one function. Memory that runs
// out is noted in the string and found at the end.
#ifndef HLO_CODEGEN_ENCODE_WASM_CODE_H
#define HLO_CODEGEN_ENCODE_WASM_CODE_H

#include "base/string.h"
#include "codegen/encode/simd_opcodes.h"

// Numbers of the module's function types: kernels, functions of one, two and four floats, and loops
// over arrays: (result, operands, count).
enum {
  HLO_WASM_TYPE_KERNEL,
  HLO_WASM_TYPE_F32_1,
  HLO_WASM_TYPE_F32_2,
  HLO_WASM_TYPE_F32_4,
  HLO_WASM_TYPE_F64_1,
  HLO_WASM_TYPE_F64_2,
  HLO_WASM_TYPE_F64_4,
  HLO_WASM_TYPE_LOOP,
  HLO_WASM_TYPES
};

// The instructions of a function under way. Its locals are numbered from its parameters on; runs of
// the same type are declared together.
typedef struct hlo_wasm_function {
  hlo_string code;
  hlo_string locals; // declarations: count and type of each run
  int32_t run_count; // runs in `locals`, without the one under way
  int32_t local_count;
  uint8_t run_type;
  int32_t run_length;
} hlo_wasm_function;

void hlo_wasm_byte(hlo_string *out, uint32_t byte);
void hlo_wasm_unsigned(hlo_string *out, uint64_t value); // LEB128
void hlo_wasm_signed(hlo_string *out, int64_t value);

void hlo_wasm_op(hlo_wasm_function *f, uint32_t opcode); // 0xfcNN: after its prefix
void hlo_wasm_simd(hlo_wasm_function *f, uint32_t opcode);
void hlo_wasm_local(hlo_wasm_function *f, uint32_t opcode, int32_t local); // local.get, .set, .tee
void hlo_wasm_i32(hlo_wasm_function *f, int64_t value);                    // i32.const, modulo 2^32
void hlo_wasm_begin(hlo_wasm_function *f, uint32_t opcode); // block, loop, if, without results
void hlo_wasm_branch(hlo_wasm_function *f, uint32_t opcode, uint32_t depth);
// Behind a memory instruction: its offset, and that addresses need not be aligned.
void hlo_wasm_offset(hlo_wasm_function *f, uint64_t offset);

int32_t hlo_wasm_new_local(hlo_wasm_function *f, uint8_t type);
// The function's body as a module holds it: its size, its locals, its code.
void hlo_wasm_finish(hlo_wasm_function *f, hlo_string *out);
void hlo_wasm_free(hlo_wasm_function *f);

#endif
