// Code for fusions, made at run time: WebAssembly functions with SIMD instructions, one for each
// fusion instruction, and the module that holds them.
//
// What a fused computation may consist of: parameters and constants; elementwise ops but map; iota,
// broadcast, reshape, bitcast, transpose, slice,
// reverse, pad, concatenate, dynamic-slice, gather; reductions whose reduced elements are the same
// for all of them, by an associative op or by a computation that picks one of its arguments; a root
// that is an array or a tuple of arrays. hlo_emit_supports answers for a fusion at hand.
#ifndef HLO_CODEGEN_CODEGEN_H
#define HLO_CODEGEN_CODEGEN_H

#include "base/string.h"
#include "hlo/hlo.h"
#include "kernels/target.h"

typedef enum hlo_emit_argument_kind {
  HLO_ARGUMENT_OPERAND,  // memory of operand `index`
  HLO_ARGUMENT_RESULT,   // memory of result leaf `index`
  HLO_ARGUMENT_CONSTANT, // data
  HLO_ARGUMENT_SCRATCH,  // scratch_bytes of the kernel, 16-aligned, of any content
} hlo_emit_argument_kind;

typedef struct hlo_emit_argument {
  hlo_emit_argument_kind kind;
  int32_t index;
  const void *data;
} hlo_emit_argument;

// Which elements of an operand's memory are read where. Row r reads only the elements r * row …
// (r + 1) * row - 1; row is 0 if there is no such number. by_element: and its inner element i, of
// `row` of them, only the element r * row + i.
typedef struct hlo_emit_read {
  int64_t row;
  bool by_element;
} hlo_emit_read;

// A function (arguments, row_begin, row_end, inner_begin, inner_end), all i32: `arguments` is the
// address of the arguments' addresses. All rows with all of their inner elements have to be visited
// once, rows in any order; at most row_chunk rows and inner_chunk inner elements at a time let the
// WebAssembly engine switch to optimised code between calls. Where inner_chunk is less than inner,
// rows come one by one, each with all of its chunks; where in_order says so row_chunk rows at a
// time, all of them with the same chunk, in order; where whole_rows says so each call visits all
// inner elements of its rows. Calls may be made at the same time where they may be made in any
// order, each with scratch memory of its own. Inner elements begin and end at multiples of
// HLO_EMIT_STEP, or where the row does.
typedef struct hlo_emit_kernel {
  int32_t argument_count;
  const hlo_emit_argument *arguments;
  int64_t rows, inner, row_chunk, inner_chunk;
  bool in_order;      // the chunks of a row
  bool whole_rows;    // which are short
  double nanoseconds; // that all calls take, roughly
  int64_t scratch_bytes;
  // By result leaf: the operand whose memory it may take over since each element is read before it
  // is written, or -1.
  const int32_t *in_place;
  const hlo_emit_read *reads; // by operand
  const char *body;           // of the function, as a module holds it
  size_t body_length;
  // Calls of other kernels of the module: each has the other's number among kernels in 5 bytes, so
  // many bytes before the end of the body. Only what driver.h makes has any.
  int32_t call_count;
  const size_t *calls;
} hlo_emit_kernel;

typedef void hlo_emitted_function(const void *const *arguments, int32_t row_begin, int32_t row_end,
                                  int32_t inner_begin, int32_t inner_end);

enum { HLO_EMIT_STEP = 32 }; // elements of as many copies of a step as a loop has at most

// Functions of the engine that kernels of one module call, in order of the module's imports.
typedef struct hlo_emit_import {
  int32_t function; // its index in the engine's table
  int32_t type;     // wasm_code.h
} hlo_emit_import;
typedef struct hlo_emit_imports {
  int32_t count, capacity;
  hlo_emit_import *items;
} hlo_emit_imports;

// Makes the function of a fusion instruction, and adds what it calls. *out is NULL, and no error,
// where that cannot be done. Imports begin as zeros, and have the arena's memory.
hlo_status hlo_emit_fusion(hlo_target target, hlo_arena *arena, const hlo_instruction *fusion,
                           hlo_emit_imports *imports, const hlo_emit_kernel **out,
                           hlo_error *error);
// Whether hlo_emit_fusion makes one. Also false when memory is out. If not, *obstacle is the
// instruction of the fused computation that it has no code for in its place, where it is a single
// one's fault, else NULL.
bool hlo_emit_supports(hlo_target target, const hlo_instruction *fusion,
                       const hlo_instruction **obstacle);

// A module of the kernels, with the imports of all of them: it imports "e" "m", the engine's
// memory, and from "f" functions of its table under their indices as decimal numbers, and exports
// function i under the decimal number i. Whether threads share the memory is part of what it
// imports. (It does not import the table: V8 may keep whatever does that as long as the table.)
hlo_status hlo_emit_module(hlo_string *out, int32_t count, const hlo_emit_kernel *const *kernels,
                           const hlo_emit_imports *imports, bool shared_memory, hlo_error *error);

#endif
