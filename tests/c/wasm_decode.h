// For native tests: reads the instructions of a function that the engine has written, which native
// code cannot run. Types are not checked: WebAssembly engines do that in the JavaScript tests.
#ifndef HLO_TESTS_C_WASM_DECODE_H
#define HLO_TESTS_C_WASM_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct wasm_reader {
  const uint8_t *at, *end;
  bool failed;
} wasm_reader;

static inline uint8_t wasm_read_byte(wasm_reader *r) {
  if (r->at < r->end) return *r->at++;
  r->failed = true;
  return 0;
}

// LEB128 of at most ten bytes, signed numbers without their sign.
static inline uint64_t wasm_read_number(wasm_reader *r) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    uint8_t byte = wasm_read_byte(r);
    if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  r->failed = true;
  return 0;
}

static inline void wasm_skip(wasm_reader *r, size_t bytes) {
  if ((size_t)(r->end - r->at) < bytes) r->failed = true;
  else r->at += bytes;
}

static inline void wasm_skip_memory_place(wasm_reader *r) {
  wasm_read_number(r); // alignment
  wasm_read_number(r); // offset
}

enum { WASM_FIRST_RELAXED = 0x100, WASM_LAST_RELAXED = 0x113 };

// Returns the opcode. The numbers are those of the specification's index of instructions.
static inline uint64_t wasm_read_simd(wasm_reader *r) {
  uint64_t opcode = wasm_read_number(r);
  bool is_memory = opcode <= 11 || (opcode >= 84 && opcode <= 93);
  if (is_memory) wasm_skip_memory_place(r);
  if (opcode == 12 || opcode == 13) wasm_skip(r, 16); // v128.const, i8x16.shuffle
  if ((opcode >= 21 && opcode <= 34) || (opcode >= 84 && opcode <= 91)) wasm_skip(r, 1); // a lane
  if (opcode > WASM_LAST_RELAXED) r->failed = true;
  return opcode;
}

// Of an instruction that opens a block 1, of one that closes it -1, else 0.
static inline int wasm_read_scalar(wasm_reader *r, uint8_t opcode) {
  if (opcode >= 0x02 && opcode <= 0x04) return wasm_skip(r, 1), 1; // block, loop, if
  if (opcode == 0x0b) return -1;
  if (opcode >= 0x28 && opcode <= 0x3e) return wasm_skip_memory_place(r), 0;
  if (opcode >= 0x45 && opcode <= 0xc4) return 0; // of numbers
  switch (opcode) {
  case 0x05: // else
  case 0x0f: // return
  case 0x1a: // drop
  case 0x1b: // select
    return 0;
  case 0x0c: // br
  case 0x0d: // br_if
  case 0x10: // call
  case 0x20: // local.get
  case 0x21: // local.set
  case 0x22: // local.tee
  case 0x41: // i32.const
  case 0x42: // i64.const
    return wasm_read_number(r), 0;
  case 0x43: // f32.const
    return wasm_skip(r, 4), 0;
  case 0x44: // f64.const
    return wasm_skip(r, 8), 0;
  case 0xfc: // saturating conversions, memory.copy, memory.fill
  {
    uint64_t second = wasm_read_number(r);
    if (second == 10 || second == 11) wasm_skip(r, second == 10 ? 2 : 1);
    else if (second > 7) r->failed = true;
    return 0;
  }
  default:
    r->failed = true;
    return 0;
  }
}

typedef struct wasm_census {
  int instructions, relaxed; // how many, and of relaxed SIMD
} wasm_census;

// False where the bytes are not one function's locals and code, blocks closed, and nothing else.
static inline bool wasm_decode_function(wasm_reader r, wasm_census *out) {
  for (uint64_t runs = wasm_read_number(&r); runs > 0 && !r.failed; runs--) {
    wasm_read_number(&r); // locals
    wasm_skip(&r, 1);     // their type
  }
  int depth = 1;
  while (depth > 0 && !r.failed) {
    uint8_t opcode = wasm_read_byte(&r);
    out->instructions++;
    if (opcode != 0xfd) depth += wasm_read_scalar(&r, opcode);
    else if (wasm_read_simd(&r) >= WASM_FIRST_RELAXED) out->relaxed++;
  }
  return !r.failed && depth == 0 && r.at == r.end;
}

// The same with the number of bytes in front.
static inline bool wasm_decode_body(const char *bytes, size_t length, wasm_census *out) {
  wasm_reader r = {(const uint8_t *)bytes, (const uint8_t *)bytes + length, false};
  *out = (wasm_census){0};
  if (wasm_read_number(&r) != (uint64_t)(r.end - r.at)) return false;
  return wasm_decode_function(r, out);
}

// All functions of a module together.
static inline bool wasm_decode_module(const char *bytes, size_t length, wasm_census *out) {
  enum { HEADER = 8, SECTION_CODE = 10 };
  wasm_reader r = {(const uint8_t *)bytes, (const uint8_t *)bytes + length, false};
  *out = (wasm_census){0};
  wasm_skip(&r, HEADER);
  while (!r.failed && r.at < r.end) {
    uint8_t section = wasm_read_byte(&r);
    uint64_t size = wasm_read_number(&r);
    if (section != SECTION_CODE) {
      wasm_skip(&r, size);
      continue;
    }
    for (uint64_t left = wasm_read_number(&r); left > 0 && !r.failed; left--) {
      size = wasm_read_number(&r);
      const uint8_t *start = r.at;
      wasm_skip(&r, size);
      if (r.failed || !wasm_decode_function((wasm_reader){start, r.at, false}, out)) return false;
    }
  }
  return !r.failed;
}

#endif
