// Shapes and layouts: element type, dimensions, and how an array lies in linear memory.
// Source: "Shapes and Layout" of XLA's documentation.
#ifndef HLO_SHAPE_SHAPE_H
#define HLO_SHAPE_SHAPE_H

#include "base/arena.h"
#include "base/string.h"
#include "shape/type.h"

// Limits of the nesting depth and the total number of shapes of a tuple, which bound recursions
// over it.
enum { HLO_MAX_RANK = 64, HLO_MAX_TUPLE_DEPTH = 256, HLO_MAX_TUPLE_SHAPES = 1 << 20 };

// A tile of a layout, e.g. T(8,128); a size of HLO_TILE_COMBINE prints as '*'. Kept and printed;
// linear indices ignore tiles.
enum { HLO_TILE_COMBINE = INT32_MIN };
typedef struct hlo_tile {
  int32_t rank;
  const int64_t *dims;
} hlo_tile;

// How an array lies in memory. minor_to_major has the shape's rank entries, the fastest varying
// dimension first. padded_dims is NULL, or holds the width that each dimension is padded to.
typedef struct hlo_layout {
  int32_t rank;
  const int64_t *minor_to_major;
  const int64_t *padded_dims;
  const char *padding_value; // literal text of the value in the padding ("0", "-inf"), NULL: zero
  int32_t tile_count;
  const hlo_tile *tiles;
  int32_t element_bits;   // E(n): 1, 2 or 4 packs below a byte, low bits first; 0: not packed
  int64_t memory_space;   // S(n), kept and printed
  const char *other_text; // further properties that XLA prints ("L(128)M(64)"), in the order of
                          // layout_text.c, kept; or NULL
} hlo_layout;

// The size of a dynamic dimension without a bound. Only the types of StableHLO programs that are
// yet to be refined have one (text/stablehlo/import/dynamic.h); no instruction does.
enum { HLO_UNBOUNDED = -1 };

// A shape is immutable and lives in an arena (or is static). dims are bounds where dynamic[i].
typedef struct hlo_shape {
  hlo_type type;
  int32_t rank;
  const int64_t *dims;
  const bool *dynamic;      // NULL: all static
  const hlo_layout *layout; // NULL: the default, major-to-minor without padding
  int32_t element_count;    // of a tuple
  const struct hlo_shape *const *elements;
  const int32_t *leaf_ends; // of a tuple: how many leaves its elements 0 to i have
} hlo_shape;

// --- making shapes (shape.c). Results live in the arena; inputs are copied ---
// Fails with HLO_SHAPE_ERROR for a negative size, rank > HLO_MAX_RANK, or a byte size beyond 63
// bits (sizes of 0 counting as 1, so that strides never overflow either).
hlo_status hlo_shape_make(hlo_arena *arena, hlo_type type, int32_t rank, const int64_t *dims,
                          const hlo_shape **out, hlo_error *error);
// The same with some dimensions dynamic (their dims are bounds, or HLO_UNBOUNDED); dynamic may be
// NULL.
hlo_status hlo_shape_make_dynamic(hlo_arena *arena, hlo_type type, int32_t rank,
                                  const int64_t *dims, const bool *dynamic, const hlo_shape **out,
                                  hlo_error *error);
hlo_status hlo_shape_make_tuple(hlo_arena *arena, int32_t count, const hlo_shape *const *elements,
                                const hlo_shape **out, hlo_error *error);
// The layout (NULL: the default) is checked against the shape. One that equals the
// default is stored as NULL. padding_value without padded_dims is dropped.
hlo_status hlo_shape_with_layout(hlo_arena *arena, const hlo_shape *shape, const hlo_layout *layout,
                                 const hlo_shape **out, hlo_error *error);
// Same dimensions (and dynamic marks), other element type; the layout is kept when kept_layout, but
// for packing and a padding value that the new type cannot have.
hlo_status hlo_shape_with_type(hlo_arena *arena, const hlo_shape *shape, hlo_type type,
                               bool kept_layout, const hlo_shape **out, hlo_error *error);
// Completes a tuple by computing its leaf_ends.
hlo_status hlo_shape_count_leaves(hlo_arena *arena, hlo_shape *tuple, hlo_error *error);
hlo_status hlo_shape_copy(hlo_arena *arena, const hlo_shape *shape, const hlo_shape **out,
                          hlo_error *error);
// The shape with its layout's packing removed: how the engine holds arrays while it works on them
// (shape_unpacked.c). The same shape when nothing is packed.
hlo_status hlo_shape_unpacked(hlo_arena *arena, const hlo_shape *shape, const hlo_shape **out,
                              hlo_error *error);
// A static rank-0 shape; also for token and opaque. HLO_TUPLE gives the empty tuple.
const hlo_shape *hlo_shape_scalar(hlo_type type);

// --- queries ---
static inline bool hlo_shape_is_array(const hlo_shape *shape) {
  return hlo_type_is_array(shape->type);
}
static inline bool hlo_shape_is_tuple(const hlo_shape *shape) { return shape->type == HLO_TUPLE; }
static inline bool hlo_shape_is_scalar(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && shape->rank == 0;
} // an array of rank 0
bool hlo_shape_is_dynamic(const hlo_shape *shape);   // any dimension, in any tuple element
bool hlo_shape_is_unbounded(const hlo_shape *shape); // any dimension, in any tuple element
int32_t hlo_shape_true_rank(const hlo_shape *shape); // dimensions larger than 1
int64_t hlo_shape_elements(const hlo_shape *shape);  // product of dims; 1 for a scalar
// Bytes of the array in memory under its layout, padding included, packed if the layout says so.
// Of a tuple: the sum over its leaves (at most INT64_MAX); 0 for tokens.
int64_t hlo_shape_bytes(const hlo_shape *shape);
// Elements of linear memory: padding included.
int64_t hlo_shape_memory_elements(const hlo_shape *shape);
// Bits per element when the layout packs several into a byte (1, 2 or 4), else 0.
int32_t hlo_shape_packed_bits(const hlo_shape *shape);
// The element of a tuple; any other shape is its own element, whatever the index.
const hlo_shape *hlo_shape_element(const hlo_shape *shape, int32_t index);
// Leaves (arrays, tokens, opaques) of a shape in order, tuples flattened. 1 for an array.
int32_t hlo_shape_leaf_count(const hlo_shape *shape);
int32_t hlo_shape_leaves_before(const hlo_shape *shape, int32_t element); // of a tuple
int32_t hlo_shape_element_at(const hlo_shape *shape,
                             int32_t leaf); // of a tuple, which has the leaf
const hlo_shape *hlo_shape_leaf(const hlo_shape *shape, int32_t index);
int32_t hlo_shape_leaves(const hlo_shape *shape, const hlo_shape **out); // all; returns how many

// Same type and dimensions; layouts, dynamic marks aside. Tuples: element by element.
bool hlo_shape_compatible(const hlo_shape *a, const hlo_shape *b);
// An array of shape b may stand where a is wanted: compatible, or smaller in a's dynamic
// dimensions.
bool hlo_shape_admits(const hlo_shape *a, const hlo_shape *b);
// Same rank and sizes of two arrays; types aside.
bool hlo_shape_same_dimensions(const hlo_shape *a, const hlo_shape *b);
// The same, and the same layouts: elements lie at the same places. Types aside.
bool hlo_shape_same_order(const hlo_shape *a, const hlo_shape *b);
bool hlo_shape_equal(const hlo_shape *a, const hlo_shape *b);    // all of it
bool hlo_layout_equal(const hlo_layout *a, const hlo_layout *b); // NULL equals a spelt-out default
// The layout's order is major-to-minor, nothing is padded or packed (NULL counts).
bool hlo_layout_is_default(const hlo_layout *layout);
// minor_to_major is a permutation, padded_dims are no smaller than the dims, and so on.
hlo_status hlo_shape_validate(const hlo_shape *shape, hlo_error *error);

// --- text (shape_text.c, layout_text.c, shape_print.c) ---
// Prints XLA's form: f32[2,3]{1,0}, (s32[], f32[<=4]{0}), pred[], token[]. A default layout is
// printed only when with_layout (XLA prints {1,0} in full dumps). padded_dimensions and
// padding_value, which XLA's text form lacks, print as {0,1:P(3,5)} and {0,1:P(3,5;-inf)}.
void hlo_shape_print(hlo_string *out, const hlo_shape *shape, bool with_layout);
// For messages: prints into text (cut when too long) and returns it.
enum { HLO_SHAPE_TEXT_SIZE = 256 };
const char *hlo_shape_to_text(char text[HLO_SHAPE_TEXT_SIZE], const hlo_shape *shape);
// Parses one shape at *cursor (which it advances; leading blanks and /*comments*/ are skipped), up
// to end. A layout's brace must follow the bracket at once: in "f32[2] {1, 2}" the braces are left
// for the caller. On error *cursor stays, the column is the 1-based offset from it, the line 1; a
// parser of larger texts relocates it. HLO_UNSUPPORTED for an unbounded dimension (f32[?]).
hlo_status hlo_shape_parse(hlo_arena *arena, const char **cursor, const char *end,
                           const hlo_shape **out, hlo_error *error);
// The same for programs, where no values follow and blanks may stand before a layout's brace.
hlo_status hlo_shape_parse_spaced(hlo_arena *arena, const char **cursor, const char *end,
                                  const hlo_shape **out, hlo_error *error);

// --- index arithmetic (index.c): the only place that turns indices into memory positions ---
// strides[i] = distance in elements between neighbours along dimension i, padding included.
void hlo_shape_strides(const hlo_shape *shape, int64_t *strides);
// Position in linear memory of a multi-index. index[i] must be within the padded width.
int64_t hlo_linear_index(const hlo_shape *shape, const int64_t *index);
// The inverse. Returns false when the position lies in the padding (index is set all the same) or
// outside of the array's memory.
bool hlo_multi_index(const hlo_shape *shape, int64_t linear, int64_t *index);
// Steps index to the next one in row-major order (last dimension fastest) within dims;
// false after the last, when it is all zeros again. An array without elements has no first index
// either: callers look at hlo_shape_elements before a do-while.
bool hlo_next_index(int32_t rank, const int64_t *dims, int64_t *index);

#endif
