// Index vectors of gather and scatter: each gives the start of a slice of the operand.
#ifndef HLO_KERNELS_INDEXED_INDEX_VECTORS_H
#define HLO_KERNELS_INDEXED_INDEX_VECTORS_H

#include "kernels/structural.h"

// The attributes of gather, or those of scatter that stand for the same things.
typedef struct hlo_index_vector_attributes {
  hlo_attribute_id window_dims;      // offset_dims, update_window_dims
  hlo_attribute_id dropped_dims;     // collapsed_slice_dims, inserted_window_dims
  hlo_attribute_id index_map;        // start_index_map, scatter_dims_to_operand_dims
  hlo_attribute_id operand_batching; // operand_batching_dims, input_batching_dims
  hlo_attribute_id indices_batching; // start_indices_…, scatter_indices_batching_dims
} hlo_index_vector_attributes;

// A walk over the index vectors in row-major order. The array of slices is gather's result or
// scatter's updates: its window dimensions go through a slice, the others through the vectors.
typedef struct hlo_index_vectors {
  const hlo_view *indices;
  int32_t operand_rank, length; // of an index vector
  int64_t stride;               // between the numbers of a vector
  const int64_t *index_map;     // number i of a vector is along dimension index_map[i]
  int32_t batching_count;
  const int64_t *operand_batching;
  int32_t batching[HLO_MAX_RANK]; // the walk's dimension for each of operand_batching
  int32_t rank;                   // of the walk: dimensions of the indices but for the vector's
  int64_t dims[HLO_MAX_RANK], strides[HLO_MAX_RANK], index[HLO_MAX_RANK];
  int32_t slices_dims[HLO_MAX_RANK]; // the walk's dimensions in the array of slices
  int32_t window_rank;
  int32_t window_dims[HLO_MAX_RANK];  // dimensions of a slice in the array of slices
  int32_t operand_dims[HLO_MAX_RANK]; // and in the operand
} hlo_index_vectors;

// Starts at the first index vector. slices: the array of slices.
void hlo_index_vectors_start(hlo_index_vectors *vectors, const hlo_instruction *instruction,
                             const hlo_index_vector_attributes *attributes, const hlo_view *operand,
                             const hlo_view *indices, const hlo_view *slices);
// False after the last.
bool hlo_index_vectors_next(hlo_index_vectors *vectors);
// Where the slice starts, for each dimension of the operand; numbers beyond 64 bits become
// INT64_MAX.
void hlo_index_vectors_read(const hlo_index_vectors *vectors, int64_t *starts);
// A slice in the array of slices, and the part of an operand (or of an array of its dims) that
// such a slice covers; their data is that of the array, and moves with the two functions below.
void hlo_index_vectors_view_slice(const hlo_index_vectors *vectors, const hlo_view *slices,
                                  hlo_view *out);
void hlo_index_vectors_view_window(const hlo_index_vectors *vectors, const hlo_view *operand,
                                   const hlo_view *slice, hlo_view *out);
// The first element of the current slice.
void *hlo_index_vectors_slice_at(const hlo_index_vectors *vectors, const hlo_view *slices);
// The first element of the part of an operand that starts there.
void *hlo_index_vectors_window_at(const hlo_view *operand, const int64_t *starts);

// The fast path: index vectors of 32- or 64-bit integers; vectors and slices evenly spaced; slices
// as contiguous as the region of the operand that they cover, except for their first `apart`
// dimensions. Operand batches are evenly spaced too: `period` consecutive vectors belong to the
// same one, the next to the next of `batches`, cyclically.
typedef struct hlo_index_rows {
  int64_t count, first; // number of vectors, and of those before the first
  int64_t period, batches, batch_stride;
  const char *vector; // the first of all
  int64_t vector_stride, number_stride;
  int32_t length;
  hlo_type type;
  int64_t limits[HLO_MAX_RANK], strides[HLO_MAX_RANK]; // of the operand, per number
  char *slice;                                         // the first one
  int64_t slice_stride, slice_bytes;                   // of the contiguous part
  int32_t apart;
} hlo_index_rows; // all strides in bytes

// slice, window: as of the two functions above; operand: the array they are in. False if this is
// not the common case.
bool hlo_index_rows_match(const hlo_index_vectors *vectors, const hlo_view *operand,
                          const hlo_view *slices, const hlo_view *slice, const hlo_view *window,
                          hlo_index_rows *out);

// Where the operand's batches begin, in bytes, for vectors that follow each other from number
// `first` on.
void hlo_index_rows_batch_offsets(const hlo_index_rows *rows, int64_t first, ptrdiff_t *offsets,
                                  ptrdiff_t count);

#endif
