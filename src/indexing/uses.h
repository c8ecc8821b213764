// Queries on indexing maps for a compiler: how much of an operand is read and how often, with which
// stride a loop walks over memory, and which tile of an operand a tile of the result needs. Source:
// "Indexing analysis" of XLA's documentation, its sections on operand utilisation, coalescing and
// tiling; how they are computed is our own.
//
// How to call them. Make one hlo_indexing_analysis for a module that does not change meanwhile; all
// results live in its arena. Maps come from
//   hlo_indexing_output_to_input(analysis, x, leaf, &sets, error)    of one instruction: sets[k]
//   hlo_indexing_from(analysis, root, leaf, &table, error)           through a computation:
//   hlo_indexing_get(table, producer, leaf)                            … to any instruction in it
// The profitability of fusing `producer` into the computation with root `root`:
//   const hlo_indexing_table *table;
//   hlo_indexing_use use;
//   HLO_TRY(hlo_indexing_from(analysis, root, 0, &table, error));
//   const hlo_indexing_set *set = hlo_indexing_get(table, producer, 0);
//   HLO_TRY(hlo_indexing_measure_use(analysis, set, producer->shape, &use, error));
//   bool repeats_work = use.reads > use.elements;  // an element is computed more than once
//   bool wastes_work = use.distinct < use.elements; // or some need not be computed at all
// Strides and tiles are asked of accesses that lie in the array wherever they apply, as those from
// hlo_indexing_from and the simplified ones of single ops do (but for a dynamic-update-slice's).
// A question costs microseconds when maps are linear, and at most a few milliseconds.
#ifndef HLO_INDEXING_USES_H
#define HLO_INDEXING_USES_H

#include "indexing/indexing.h"

// --- operand utilisation ---

// Example: from reduce-window f32[1024,3] of f32[1024,514] with window 1x512,
//   (d0, d1)[s0] -> (d0, d1 + s0), d0 in [0, 1023], d1 in [0, 2], s0 in [0, 511]
// to the operand: elements = 526336, distinct = 526336, reads = 1024 * 3 * 512 = 1572864, is_exact:
// everything is read, 2.99 times on average. Of slice [0:50:2] from f32[50]: 50, 25, 25.
typedef struct hlo_indexing_use {
  int64_t elements; // in the operand
  int64_t distinct; // of them are read when the whole result is computed
  int64_t reads;    // for that, each result element on its own, each map of the set counted
  bool is_exact;    // else distinct and reads are upper bounds (INT64_MAX: no bound known)
} hlo_indexing_use;
// `set` leads to an array of shape `operand`. Unknown indexing: all elements, any number of reads.
hlo_status hlo_indexing_measure_use(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                                    const hlo_shape *operand, hlo_indexing_use *out,
                                    hlo_error *error);

// --- coalescing ---

typedef struct hlo_indexing_loop { // over one variable: HLO_AFFINE_DIM or HLO_AFFINE_RANGE
  hlo_affine_kind kind;
  int32_t index;
} hlo_indexing_loop;

// Example: f32[8,4] that transposes a reshape of f32[32] reads
//   (d0, d1) -> (d1 * 8 + d0), so that the stride is 1 along d0 and 8 along d1.
// Example with a run: reshape f32[32] of f32[4,8]{0,1} reads (d0) -> (d0 floordiv 8, d0 mod 8), at
// position d0 floordiv 8 + (d0 mod 8) * 4: stride 4, run 8. Of f32[4,8]{1,0}: position d0,
// stride 1.
typedef struct hlo_indexing_stride {
  bool is_known;   // false: neighbours lie anywhere
  int64_t stride;  // from one iteration to the next, in elements of the operand's memory; may be 0
  int64_t run;     // not so onto values that are multiples of run; INT64_MAX: always so
  bool is_guarded; // some values of the variable may be outside of the domain: to be tested
} hlo_indexing_stride;
// Along one variable of the map, for an operand of this shape and layout.
hlo_status hlo_indexing_stride_along(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                                     const hlo_shape *operand, hlo_indexing_loop loop,
                                     hlo_indexing_stride *out, hlo_error *error);
// For every access of the set (out: set->count entries), along the innermost of the loops, given
// from the outside in, that the access has and that has more than one iteration. An access with
// none of them: stride 0.
hlo_status hlo_indexing_strides_along(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                                      const hlo_shape *operand, const hlo_indexing_loop *loops,
                                      int32_t loop_count, hlo_indexing_stride *out,
                                      hlo_error *error);

// --- tiling ---

// The elements offset + i * stride, i in [0, size - 1], along each dimension. Offsets are
// expressions over tile numbers d0, d1, … and, of operands' tiles, runtime variables.
//
// Example: the 6x64 tiles of transpose f32[12,128] of f32[128,12] are, with 2x2 tile numbers,
//   dims = {{d0 * 6, 6, 1}, {d1 * 64, 64, 1}}
// and need of the operand, through (d0, d1) -> (d1, d0), {{d1 * 64, 64, 1}, {d0 * 6, 6, 1}}. Tiles
// of 16 of reshape f32[32] of f32[4,8], {{d0 * 16, 16, 1}}, need {{d0 * 2, 2, 1}, {0, 8, 1}}.
typedef struct hlo_indexing_tile_dim {
  const hlo_affine *offset; // of an expression context: hlo_indexing_context(analysis)
  int64_t size, stride;     // size ≥ 1, stride ≥ 1
} hlo_indexing_tile_dim;

typedef struct hlo_indexing_tile {
  int32_t rank;
  hlo_indexing_tile_dim *dims;
  // Of operands' tiles:
  bool is_exact;         // every element is needed; else some only lie between those that are
  bool is_guarded;       // for some tile numbers a part of it lies outside of the domain:
  const hlo_map *domain; // its ranges and constraints, over tile numbers d, elements s of the
                         // result's tile and, after them, ranges of the map
  int32_t runtime_count;
  const hlo_indexing_runtime *runtimes;
} hlo_indexing_tile;
// The tile of the operand that `access` needs for a tile of the result, in a grid of
// grid[0] x … x grid[grid_rank - 1] tile numbers. *found is false when no offset, size and stride
// describe it: a tile that cuts through rows of a reshape, say.
hlo_status hlo_indexing_tile_of(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                                int32_t grid_rank, const int64_t *grid,
                                const hlo_indexing_tile *result, hlo_indexing_tile *operand,
                                bool *found, hlo_error *error);

// A tile whose sizes are left open, as those of XLA's symbolic tiles are. `map` leads from the
// offsets d0, d1, … of the result's tile, in elements, and its sizes s0, s1, …, all of them
// dimensions of the map, to the operand's offsets and, after them, its sizes; its constraints say
// for which tiles that holds. Other fields as above.
//
// Example: of reshape f32[32] of f32[4,8] there are two,
//   (d0, s0) -> (d0 floordiv 8, 0, s0 floordiv 8, 8), d0 mod 8 in [0, 0], s0 mod 8 in [0, 0]
//   (d0, s0) -> (d0 floordiv 8, d0 mod 8, 1, s0), d0 mod 8 + s0 in [1, 8]
typedef struct hlo_indexing_symbolic_tile {
  int32_t rank; // of the operand
  const hlo_map *map;
  int64_t *strides;
  bool is_exact, is_guarded;
  const hlo_indexing_runtime *runtimes;
} hlo_indexing_symbolic_tile;
// Every case in which a tile of the result, of that shape, needs a tile of the operand, as far as
// they are found.
hlo_status hlo_indexing_symbolic_tiles_of(hlo_indexing_analysis *analysis,
                                          const hlo_indexing *access, const hlo_shape *result,
                                          hlo_indexing_symbolic_tile **tiles, int32_t *count,
                                          hlo_error *error);

// --- traffic ---

// Bytes that cross between memory and a computation's instructions. Fused: all instructions run as
// one loop over the result, so that inputs (parameters and constants) are read and the result is
// written, and nothing else. Unfused: every instruction reads its operands and writes its result.
// Each element is counted once where it is read; fused_loaded counts every load of a loop that
// computes each element of the result on its own.
// Example: transpose(exp(p)) of f32[64,32]: fused 8,192 read and written; unfused 16,384 each.
typedef struct hlo_indexing_traffic {
  int64_t fused_read, fused_loaded, fused_written;
  int64_t unfused_read, unfused_written;
  bool is_exact; // else numbers are upper bounds (INT64_MAX: no bound known)
} hlo_indexing_traffic;
hlo_status hlo_indexing_measure_traffic(hlo_indexing_analysis *analysis,
                                        const hlo_computation *computation,
                                        hlo_indexing_traffic *out, hlo_error *error);

#endif
