// Writes WebAssembly. See wasm_code.h.
#include "codegen/encode/wasm_code.h"

void hlo_wasm_byte(hlo_string *out, uint32_t byte) {
  char c = (char)byte;
  hlo_string_add_bytes(out, &c, 1);
}

void hlo_wasm_unsigned(hlo_string *out, uint64_t value) {
  while (value >= 0x80) {
    hlo_wasm_byte(out, (value & 0x7f) | 0x80);
    value >>= 7;
  }
  hlo_wasm_byte(out, (uint32_t)value);
}

void hlo_wasm_signed(hlo_string *out, int64_t value) {
  while (value < -0x40 || value >= 0x40) {
    hlo_wasm_byte(out, ((uint32_t)value & 0x7f) | 0x80);
    value >>= 7;
  }
  hlo_wasm_byte(out, (uint32_t)value & 0x7f);
}

void hlo_wasm_op(hlo_wasm_function *f, uint32_t opcode) {
  if (opcode >> 8 == WASM_SATURATING) hlo_wasm_byte(&f->code, WASM_SATURATING);
  hlo_wasm_byte(&f->code, opcode & 0xff);
}

void hlo_wasm_simd(hlo_wasm_function *f, uint32_t opcode) {
  hlo_wasm_byte(&f->code, WASM_SIMD);
  hlo_wasm_unsigned(&f->code, opcode);
}

void hlo_wasm_local(hlo_wasm_function *f, uint32_t opcode, int32_t local) {
  hlo_wasm_byte(&f->code, opcode);
  hlo_wasm_unsigned(&f->code, (uint64_t)local);
}

void hlo_wasm_i32(hlo_wasm_function *f, int64_t value) {
  hlo_wasm_byte(&f->code, WASM_I32_CONST);
  hlo_wasm_signed(&f->code, (int32_t)(uint32_t)(uint64_t)value);
}

void hlo_wasm_begin(hlo_wasm_function *f, uint32_t opcode) {
  hlo_wasm_byte(&f->code, opcode);
  hlo_wasm_byte(&f->code, WASM_TYPE_VOID);
}

void hlo_wasm_branch(hlo_wasm_function *f, uint32_t opcode, uint32_t depth) {
  hlo_wasm_byte(&f->code, opcode);
  hlo_wasm_unsigned(&f->code, depth);
}

void hlo_wasm_offset(hlo_wasm_function *f, uint64_t offset) {
  hlo_wasm_byte(&f->code, 0);
  hlo_wasm_unsigned(&f->code, offset);
}

static void end_run(hlo_wasm_function *f) {
  if (f->run_length == 0) return;
  hlo_wasm_unsigned(&f->locals, (uint64_t)f->run_length);
  hlo_wasm_byte(&f->locals, f->run_type);
  f->run_count++;
  f->run_length = 0;
}

int32_t hlo_wasm_new_local(hlo_wasm_function *f, uint8_t type) {
  if (type != f->run_type) end_run(f);
  f->run_type = type;
  f->run_length++;
  return f->local_count++;
}

void hlo_wasm_finish(hlo_wasm_function *f, hlo_string *out) {
  end_run(f);
  hlo_string body = {0};
  hlo_wasm_unsigned(&body, (uint64_t)f->run_count);
  if (f->locals.length > 0) hlo_string_add_bytes(&body, f->locals.text, f->locals.length);
  if (f->code.length > 0) hlo_string_add_bytes(&body, f->code.text, f->code.length);
  hlo_wasm_byte(&body, WASM_END);
  hlo_wasm_unsigned(out, body.length);
  if (body.failed || f->code.failed || f->locals.failed) out->failed = true;
  else hlo_string_add_bytes(out, body.text, body.length);
  hlo_string_free(&body);
}

void hlo_wasm_free(hlo_wasm_function *f) {
  hlo_string_free(&f->code);
  hlo_string_free(&f->locals);
}
