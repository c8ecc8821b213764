// Every tuned constant of kernels, passes, generated code and plans, grouped by the decision it
// controls. Each states its unit; sections name the entries of the notebook, docs/performance.md,
// that measured them, and say which were chosen without measurement. The machine itself is
// described in base/machine.h. Register tiles, formats and limits are not tuned: they stand where
// they are used.
#ifndef HLO_KERNELS_MACHINE_H
#define HLO_KERNELS_MACHINE_H

#include "base/machine.h"

// --- throughput estimates, which decide how many threads share the work ---
// Estimates of one core, rounded; no measurement of them is on record. Only the order of magnitude
// matters, since a thread's share takes some microseconds at least.
enum {
  HLO_F32_PRODUCTS_PER_NS = 32,      // multiply-adds of f32 with operands in cache
  HLO_S8_PRODUCTS_PER_NS = 128,      // multiply-adds of s8, four to a lane
  HLO_WINOGRAD_PRODUCTS_PER_NS = 28, // the same, with the transforms around them
  HLO_DEPTHWISE_PRODUCTS_PER_NS = 8, // each with a load of its own
  HLO_BAND_PRODUCTS_PER_NS = 12,     // of short bands
  HLO_SMALL_PRODUCTS_PER_NS = 8,     // of many small matrices of f32
  HLO_STRIDED_PRODUCTS_PER_NS = 2,   // of operands as they lie, and of portable kernels
  HLO_READ_F32_PER_NS = 8,           // f32 of a matrix that is read once
  HLO_PACKED_F32_PER_NS = 8,         // f32 brought into panels
  HLO_CONVERTED_PER_NS = 4,          // elements of narrow types widened
  HLO_POOLED_PER_NS = 4,             // elements combined in windows
  HLO_LANES_PER_NS = 4,              // elements of an elementwise step
  HLO_COPIED_BYTES_PER_NS = 10,      // between arrays in memory
  HLO_NODES_PER_NS = 64,             // nodes of a fusion's graph times elements: four at a time
  HLO_SORT_PASS_NS = 2,              // of an item, to be counted and put into its place
  HLO_FFT_PASS_NS = 1,               // of a complex number in a pass
  HLO_FFT_ELEMENT_NS = 2,            // of an element in a whole transform
};

// --- threads ---
// docs/performance.md, "Threads sleep after a while"; no measurement of patience and shares is on
// record.
enum {
  HLO_POOL_LOOKS = 100000,           // at memory before a thread goes to sleep: some 100 us
  HLO_POOL_PARTS_PER_THREAD = 8,     // so that one that is held up does not hold up all
  HLO_POOL_NAP_NS = 1000000,         // after which a waiting thread looks again
  HLO_POOL_PART_NS = 8000,           // what a part takes at least; handing it over takes 200
  HLO_POOL_WORTH_WAKING_NS = 120000, // of work: waking takes thread 0 10 us, others 60
  HLO_POOL_MOST_PATIENCE = 16,       // times that amount of work, where waking was in vain
  HLO_FUSED_FEWEST_UNITS = 4,        // calls of a kernel that several threads share
};

// --- calls and blocks of elementwise work ---
// docs/performance.md, "Elementwise steps over large arrays", "One generated function per loop";
// blocks are to stay in the first cache, without a measurement on record.
enum {
  HLO_CALL_ELEMENTS = 16384, // of a call: engines switch to optimised code between calls
  HLO_CALL_ROUNDS = 256,     // of a generated loop, likewise
  HLO_LANE_BLOCK = 1024,     // elements that are gathered at a time
  HLO_APPLY_BLOCK = 1024,    // lanes that a vector program takes at a time
  HLO_NARROW_BLOCK = 256,    // floats that narrow types are widened to at a time
  HLO_LARGE_CHUNK = 16 * HLO_CALL_ELEMENTS, // elements of a call once so many are done
};

// --- products: which way ---
// docs/performance.md, "Small dots with XLA's bits", "Small convolutions with XLA's bits where the
// host does not fuse", "Batches of small matrices", "Banded matrices", "Few rows times the rows of
// a large matrix", "bf16 matrix times a vector", "Small strided products", "Cost of packing".
enum {
  HLO_SMALL_DOT = 1 << 12,         // products of a dot: fewer have XLA's bits
  HLO_SMALL_CONVOLUTION = 1 << 17, // the same of a convolution: see hlo_backend
  HLO_SMALL_MOST = 16,             // rows and columns of matrices that are multiplied in batches
  HLO_SMALL_WITH_VECTOR = 64,      // the same of a matrix times a vector
  HLO_SMALL_BLOCK = 4096,          // elements of a batch that are converted, multiplied and stored
  HLO_FEW_COLUMNS = 4,             // columns that go one after the other: less than half a panel
  HLO_DOT_MANY_ELEMENTS = 16384, // of a matrix: less is transposed without looking for a way around
  HLO_DOT_FEW_PRODUCTS =
      512,               // products of each of several matrices that are multiplied as they lie
  HLO_DOT_MUCH_MORE = 4, // times more to transpose before factors change places
  HLO_PLAIN_MOST_TURNED = 4096, // elements turned beforehand: packing turns more on its way
  HLO_PLAIN_LONGEST_SUM = 16,   // terms of the sums of a small product that goes as its factors lie
  HLO_FEW_FOR_LARGE = 8,        // rows or columns; more pay for a conversion as a whole
  HLO_LARGE_TO_CONVERT = 1 << 16,  // elements of a matrix that is converted block by block
  HLO_SHORTEST_OF_BANDS = 32,      // elements of a row; skipping some of fewer does not pay
  HLO_FEWEST_BANDS = 8,            // nor do fewer rows, or columns of the other factor
  HLO_PART_OF_BANDS = 8,           // bands are at most such a part of all rows together
  HLO_PRODUCTS_OF_BANDS = 1 << 19, // of a dot that is looked at for bands
};

// --- products: blocking ---
// docs/performance.md, "GEMM tile", "GEMM tile without multiply-add", "Cost of packing",
// "Prefetching packed panels", "Two to seven columns", "Short sums in tiles", "s8 products in the
// relaxed build". A is the left matrix, B the right one. Blocks are as large as the cache that the
// comment names allows (after Goto and van de Geijn); no measurement of single sizes is on record.
enum {
  HLO_GEMM_DEPTH_IN_PLACE = 256, // rows of B in place: a panel stays in the first cache
  HLO_GEMM_DEPTH_APART = 384,    // rows of packed panels where product and sum are two instructions
  HLO_GEMM_BLOCK_OF_A = 49152,   // elements in the second cache while all panels pass
  HLO_GEMM_MOST_ROWS = 768,      // in such a block, so that its part of C stays there, too
  HLO_GEMM_FLAT_DEPTH = 16,      // little to sum: writing C is much of the work
  HLO_GEMM_GROUP = 16,           // panels of B that stay in cache; half as many of long ones
  HLO_GEMM_GROUP_ELEMENTS = 32768,  // of A, in the second cache while all panels pass
  HLO_GEMM_ROWS_OF_A_PART = 256,    // from which packing B again for other rows does no harm
  HLO_GEMM_TINY = 16384,            // products that are done before blocks have been laid out
  HLO_GEMM_CACHED_B = 16384,        // elements of B that are no burden to read in place
  HLO_GEMM_FEW_ROWS = 64,           // of A, for B to be read in place
  HLO_GEMM_NEAR_B = 1 << 19,        // elements of B that come fast enough for that
  HLO_GEMM_FAR_A = 1 << 20,         // elements of A that come slowly to tiles
  HLO_GEMM_TALL = 4,                // rows of A to a column of B, for A to be most of what is read
  HLO_GEMM_WIDE = 4096,             // columns of B: shorter stretches of rows come slowly
  HLO_GEMM_DEEP = 256,              // rows of B that few rows of A are summed over on their own
  HLO_GEMM_MOST_DEPTHS = 8,         // parts of such sums
  HLO_GEMM_SHORT_ROW = 1024,        // bytes of a row of B whose panels come as they are
  HLO_GEMM_SHORT_ROW_APART = 512,   // the same where more tiles read each panel
  HLO_GEMM_LONG_SUM_ROWS = 384,     // of long sums that go on together, and pay for packing again
  HLO_GEMV_STRETCH = 16384,         // bytes of a row of results, which stay in the first cache
  HLO_GEMV_STRETCH_OF_ROWS = 512,   // elements of each of several rows, likewise
  HLO_PANELS_PACKED_AT_ONCE = 8,    // so that lines of B are used while they are in cache
  HLO_NARROW_SHALLOW = 32,          // products of sums of which few columns stay in registers
  HLO_NARROW_DEPTH = 512,           // products of sums whose few columns are turned into rows
  HLO_SEGMENT_ROWS = 48,            // of long sums of segments that go on together
  HLO_S8_GROUP_COLUMNS = 128,       // of B, in the second cache while A passes
  HLO_S8_DEPTH_BLOCK = 512,         // elements: two panels of B stay in the first cache
  HLO_S8_BLOCK_OF_A = 16 << 10,     // elements in the second cache while all panels pass
  HLO_DEPTHWISE_POSITIONS = 16,     // of many taps, at a time
  HLO_DEPTHWISE_CHANNELS = 64,      // of these
  HLO_GEMV_NEAR_ELEMENTS = 1 << 15, // of A, in two caches while all columns pass
  HLO_CONVERTED_BLOCK = 1 << 15,    // elements converted at a time: they stay in the second cache
  HLO_CONVERTED_STRETCH = 2048,     // columns of a matrix on the right that a part is for
  HLO_BANDS_ROWS_OF_A_PART = 16,    // rows of a part
  HLO_BANDS_NEAR_COLUMNS = 1024,    // of both, passed by all rows before the next ones come
};

// --- convolutions ---
// docs/performance.md, "Constants around their values" (rows, tiles, columns);
// docs/performance.md, "Convolutions in every type", "Winograd's F(2x2, 3x3)", "Images of few
// features are not cut", "Epilogues behind products"; of the others no measurement is on record.
enum {
  HLO_FEW_FEATURES = 16,                // of images that are copied whole: see hlo_backend
  HLO_CONVOLUTION_ROWS = 144,           // positions of a block
  HLO_CONVOLUTION_FEW_ROWS = 12,        // that make no full tiles
  HLO_EPILOGUE_ELEMENTS = 16384,        // of the result, in the second cache for its epilogue
  HLO_CONVOLUTION_FEW_POSITIONS = 256,  // of a thread: parts are features then
  HLO_FEATURES_PACKED_AT_ONCE = 64,     // by one thread
  HLO_CONVOLUTION_ROWS_BYTES = 1 << 22, // of windows that are copied into rows at a time
  HLO_CONVOLUTION_GROWTH = 8,           // times larger that padding and holes may make the image
  HLO_CONVOLUTION_SMALL_IMAGE = 4096,   // elements by which it may be larger anyway
  HLO_CONVOLUTION_COPIED_PER_NS = 4, // elements of 32 bits, into a padded image or rows of windows
  HLO_CONVOLUTION_NS_OF_A_PHASE = 1500,    // besides its products
  HLO_CONVOLUTION_NS_OF_AN_EDGE = 4,       // of a position whose features do not fill panels
  HLO_CONVOLUTION_NS_OF_A_RUN = 10,        // of results to which a part of a window is added
  HLO_CONVOLUTION_WINDOWS_BYTES = 1 << 18, // of a transposed one, in the second cache until added
  HLO_SAME_SET_BYTES = 1024, // apart, lines may go to the same few sets of the first cache
  HLO_WINOGRAD_TILES = 96,   // that are transformed at a time
  HLO_WINOGRAD_FILTER_ELEMENTS = 8192, // of a point, that stay in the second cache
  HLO_WINOGRAD_COLUMNS = 64,           // of those
  HLO_WINOGRAD_MOST_FILTERS =
      1 << 20, // elements of a point of filters that are transformed once for all parts
};

// --- reductions and cumulative operations ---
// docs/performance.md, "Constants around their values" (lanes, runs, segments);
// docs/performance.md, "Sums and products in blocks" (blocks), "Cumulative sums of short vectors",
// "Windows of every length and type";
// of the others no measurement is on record. Blocks and segments decide how results are rounded.
enum {
  HLO_SCAN_BLOCK = 64,   // elements of a block of a cumulative sum, or rows of one of added rows
  HLO_SCAN_LANES = 1024, // side by side, at a time
  HLO_CUMULATIVE_ENOUGH_LANES = 256,    // for whole rows; fewer are cut in segments
  HLO_WANTED_LANES = 1024,              // so many lanes are made of segments
  HLO_CUMULATIVE_SHORTEST_SEGMENT = 32, // elements
  HLO_CUMULATIVE_BLOCK = 1 << 16,       // elements of many lanes that are taken together
  HLO_CUMULATIVE_SHORTEST_ROW = 12, // elements; of shorter ones it does not pay to take them whole
  HLO_CUMULATIVE_PIECE = 1 << 13,   // elements of long rows that are taken at a time
  HLO_CUMULATIVE_TILE = 1 << 16,    // elements of several lanes that are taken at a time
  HLO_CUMULATIVE_TILE_LANES = 32,   // side by side, for that
  HLO_CUMULATIVE_FEW = 2048,        // elements combined one by one while views are being set up
  HLO_REDUCE_MANY_STEPS = 256,      // elements into a result: more are cut in segments
  HLO_REDUCE_LONG_SEGMENT = 64,     // elements
  HLO_REDUCE_TILE_LANES = 256,      // in a tile: its running results stay in the first cache
  HLO_REDUCE_WIDE_LANES = 4096,     // where each running result takes in several steps at once
  HLO_REDUCE_RUN = 1024,            // elements gathered or widened at a time
  HLO_REDUCE_DENSE_RUN = 16384,     // the same where they are dense and of the type of the sums
  HLO_REDUCE_FEW_LANES = 16,        // results, for which elements are gathered into runs
  HLO_REDUCE_ROW_BLOCK = 4096,      // elements gathered at a time
  HLO_REDUCE_IN_ORDER = 32,         // elements combined into one: more need not have XLA's bits
  HLO_WINDOW_JOINT_TAPS = 9,        // of windows that are combined at once, not by dimension
  HLO_WINDOW_TAPS = 8,              // along a dimension; longer windows are scanned
  HLO_FOLD_NARROW_MOST = 1 << 14,   // elements of the operand that are widened at a time
  HLO_FOLD_NARROW_LEAST = 1 << 8,   // the same where results are few
};

// --- gathers, scatters, paddings ---
// docs/performance.md, "Constants around their values" (slices, padding);
// docs/performance.md, "Gathers read 128 KB ahead", "Gathers ask for lines beforehand", "Scatters
// of single numbers"; of the others no measurement is on record.
enum {
  HLO_PREFETCH_BYTES = 128 << 10,    // of slices whose lines are asked for before they are used
  HLO_GATHER_SLICES = 1024,          // whose places are found at a time
  HLO_GATHER_COLUMNS = 2048,         // slices of which one part after the other is copied
  HLO_GATHER_LONG_SLICE = 4096,      // bytes that the processor reads ahead of by itself
  HLO_SHORT_SLICE = 8,               // bytes, for which nothing else is worth its instructions
  HLO_GATHER_NEAR_BYTES = 512 << 10, // of an operand that is in the cache anyway
  HLO_SCATTER_NEAR_BYTES = 4 << 20,  // of an array whose lines come soon enough
  HLO_SCATTER_SLICES = 256,          // whose places are found at a time
  HLO_SCATTER_BLOCK = 64,            // slices that an element takes in per block of its sum
  HLO_SCATTER_FEW = 16,              // elements of a slice that are folded one by one
  HLO_PAD_SHORT = 512,               // bytes from edge to edge that are filled as quickly as edges
};

// --- sorting and top k ---
// docs/performance.md, "Constants around their values" (few, row block, together);
// docs/performance.md, "Sorts on threads", "Top k", "Top k of short rows"; of the others no
// measurement is on record.
enum {
  HLO_SORT_FEW = 40,            // items that are sorted by insertion
  HLO_SORT_MANY = 1 << 18,      // items for threads: what one writes, others read from far
  HLO_SORT_MOST_PARTS = 16,     // each with counts of its own
  HLO_SORT_ROW_BLOCK = 1 << 15, // elements of short rows that are sorted together
  HLO_SORT_SHORTEST_PIECE = 32, // rows of a piece of a merge, of which several go side by side
  HLO_TOPK_FEW = 16,            // candidates that stay in order, each in its place
  HLO_TOPK_TOGETHER = 4096,     // keys made at a time, of several rows if those are short
  HLO_TOPK_CHUNK = 16,          // keys of 32 bits that are passed over together
};

// --- Fourier transforms ---
// docs/performance.md, "Fourier transforms on threads", "… planes off each other's cache sets", "…
// straight into planes".
enum {
  HLO_FFT_MANY = 1 << 17,      // numbers of a pass that go to threads
  HLO_FFT_WORK = 1 << 14,      // numbers transformed together where a transform has fewer
  HLO_FFT_SKEW = 1088,         // bytes by which each plane begins further on than the one before
  HLO_FFT_FEWEST_LANES = 4,    // transforms side by side, where there are so many
  HLO_FFT_MANY_LANES = 64,     // that would fall on the same sets of the cache
  HLO_FFT_FEWER_LANES = 16,    // less are taken then
  HLO_FFT_STREAMS = 8,         // lanes that are read or written at a time, each somewhere else
  HLO_FFT_STREAM_NUMBERS = 16, // of these, so that lines stay until all is used
};

// --- linear algebra ---
// docs/performance.md, "Linear algebra: blocked factors of f32", "… batches in lanes", "…
// bidiagonal forms in one pass"; of what is few no measurement is on record.
enum {
  HLO_LINALG_STRIP = 128,           // columns of a product that are computed at a time
  HLO_LINALG_SMALL_PRODUCT = 512,   // products of elements: fewer are not worth the preparation
  HLO_SINGLE_SMALL_PRODUCT = 16384, // the same in f32
  HLO_DENSE_FEW = 16,               // rows and columns: how best to copy them is not looked for
  HLO_REFLECTOR_BLOCK = 32,         // reflectors that are applied together
  HLO_REFLECTOR_FEW = 8192, // elements, which are in two caches: fewer are not worth making a block
  HLO_LU_PANEL = 16,        // columns that are eliminated one after the other
  HLO_TRIANGULAR_BLOCK = 24,   // unknowns of a triangular system solved at a time
  HLO_TRIANGULAR_FEW = 16,     // rows and columns that are copied as they come
  HLO_DIVIDE_FEW = 25,         // rows, which are not divided: LAPACK's choice
  HLO_FACTOR_BATCH_MOST = 32,  // rows or columns of matrices that stand side by side in lanes
  HLO_FACTOR_BATCH_FEWEST = 4, // such matrices
};

// --- fusion: what joins ---
// docs/performance.md, "Large groups", "Functions of short sums have a loop of their own",
// "Reductions along short rows", "Softmax over columns", "Conversions and cheap operations as
// fusions". Costs count additions. Of others no measurement is on record.
enum {
  HLO_FUSE_MOST_WORK = 192,            // members that compute or move elements
  HLO_FUSE_MOST_MERGED_WORK = 64,      // of groups that become one
  HLO_FUSE_MOST_ROOTS = 4,             // results of a fusion
  HLO_FUSE_MOST_COPIES = 64,           // groups that a cheap instruction is copied into
  HLO_FUSE_REPEATED_COST = 6,          // of an instruction, that is still better than memory
  HLO_FUSE_REPEATED_CHAIN = 12,        // the same of all that may join after it
  HLO_FUSE_FUNCTION_COST = 20,         // of an elementary function
  HLO_FUSE_SHORT_REDUCTION = 64,       // elements whose sum's functions have a loop of their own
  HLO_FUSE_MANY_RESULTS = 256,         // results that are worth it
  HLO_FUSE_SHORT_ROW = 8,              // elements, of which loops make no whole vectors
  HLO_FUSE_LONGEST_ROW = 1 << 15,      // elements: read again, they are still in the cache
  HLO_FUSE_COLUMNS = 256,              // gone through together at least, where there are so many
  HLO_FUSE_COLUMNS_IN_CACHE = 1 << 16, // elements of them
  HLO_FUSE_SMALL_TRANSPOSE = 1024,     // elements
  HLO_FUSE_SMALL_CONSTANT = 1,         // elements: in code
  HLO_FUSE_MOST_CONCATENATED = 4,      // operands
  HLO_FUSE_MUCH_LESS = 16,             // times less is read of an array than it has, for it to join
  HLO_FUSE_EXPENSIVE = 4,              // cost of an instruction that is a fusion alone
  HLO_FUSE_FEWEST_SCALARS = 4,         // steps on scalars that are worth a fusion
  HLO_FUSE_MANY_ELEMENTS = 32768,      // for cheap operations on narrow types to be fusions
  HLO_FUSE_SHORT_RUN = 64,             // bytes, for which copying one by one does not pay
  HLO_FUSE_FEWEST_ELEMENTS = 1024,     // code for less takes longer to compile than it saves
};

// --- passes: when to rewrite ---
// docs/performance.md, "Batch norms become elementwise work", "Functions of bytes become tables",
// "Channel vectors repeated along rows", "Concatenations of whole rows", "Small operations in loops
// become elementwise", "Small arrays as scalars in loops", "Unrolled loops over arrays",
// "Loop-invariant code motion", "Gathers and scatters of one slice", "Elementwise work on
// concatenations". Of others no measurement is on record.
enum {
  HLO_PASS_MANY_ELEMENTS =
      4096,                   // of arrays that are worth a rewrite: batch norms, short rows, bytes
  HLO_PASS_FEW_COLUMNS = 8,   // elements of rows whose reductions of several arrays are unrolled
  HLO_SHORT_ROW = 32,         // elements: channels of shorter rows are repeated along several
  HLO_TILE_FEWEST_ROWS = 4,   // that channels are repeated along
  HLO_TILE_MOST_ROWS = 32,    // the same at most
  HLO_ROWS_MOST_CHANNELS = 7, // of rows moved element by element: loops along eight do as well
  HLO_ROWS_FEW_CHANNELS = 3,  // along so few, all loops are slow
  HLO_PARTS_MOST = 4,         // operands of a concatenation that is split
  HLO_PARTS_FEWEST_ELEMENTS = 32, // steps over fewer cost as much as over many
  HLO_TABLE_LOOKUP_COST = 10,     // about so many instructions for each element
  HLO_MOST_SCALARS = 4,           // elements of an array that become scalars
  HLO_NUMBERS_MOST_COST = 4,      // of an element; functions are as quick for a vector
  HLO_NUMBERS_FEW_TRIPS = 32,     // of a loop, that do not pay for splitting its state
  HLO_UNROLL_TRIPS = 16,          // of a loop that is unrolled
  HLO_UNROLL_COST = 256,          // of all its rounds, about in vector instructions
  HLO_UNROLL_READ_COST = 2,       // of choosing an element by data
  HLO_UNROLL_MANY = 256,          // elements, for which long code pays outside of loops, too
  HLO_UNROLL_GROWTH = 160,        // instructions
  HLO_HOIST_WORK = 8,             // for each element: what a function of it takes
  HLO_HOIST_NEW_BYTES = 1 << 24,  // of results that are larger than what they are made of
  HLO_HOIST_FEW_BYTES = 4096,     // of what takes little work, unless it is a scalar
  HLO_TINY_PAIRS = 1024,          // of updates and elements, or of elements that a sort compares
  HLO_TINY_PRODUCTS = 4096,       // of a convolution
  HLO_TINY_UPDATES = 16,          // of a scatter
  HLO_TINY_TAPS = 24,             // of all features of a convolution
  HLO_TINY_CUMULATIVE = 16,       // elements
  HLO_TINY_UNKNOWNS = 4,          // of a triangular system
  HLO_TINY_SOLUTIONS = 16,        // elements of its solution
  HLO_TINY_LU = 3,                // rows of a matrix that is factored
  HLO_DOT_SHORT_SUM = 4,          // terms of sums by a vector that become elementwise in large dots
  HLO_DOT_TINY_SUM = 32,          // terms of their sums; sums of more need not have XLA's bits
  HLO_DOT_TINY_BY_ROWS = 64,      // products of a matrix and a vector in a loop, summed along rows
  HLO_DOT_TINY_BY_COLUMNS = 512,  // the same, summed down columns
  HLO_SMALL_WINDOW = 512,         // elements of a window that may be read and written twice
  HLO_CACHED_WINDOW = 1 << 15,    // the same where it is known to be inside
  HLO_SMALL_CONSTANT = 64,        // elements of constants that rules may copy
  HLO_FOLD_ELEMENTS = 1 << 16,    // of a folded constant, which stays in memory
  HLO_FOLD_GROWN_ELEMENTS = 64,   // of one that is larger than its operands
  HLO_FOLD_MATRIX = 1 << 18,      // elements of a factor of a dot that depends on no argument
  HLO_FOLD_MOST_NODES = 96,       // instructions that compute it
  HLO_FOLD_IN_ALL = 1 << 20,      // elements of all folded constants of a program
};

// --- plans ---
// docs/performance.md, "One generated function per loop", "Epilogues behind products"; no
// measurement of these three is on record.
enum {
  HLO_EPILOGUE_FEWEST_COLUMNS = 8, // of a product: its parts are as small as their start is long
  HLO_PACK_FEWEST_BYTES = 4096,    // of constants that are brought into panels beforehand
  HLO_LOOP_MOST_COPIED =
      4096, // bytes of an array that a loop's function copies, and the executor would not
};

// --- generated code: loops ---
// docs/performance.md, "Sums and products in blocks", "Loop fission", "Several reduced rows at a
// time", "Rows read at two places", "Reductions of rows in distant pieces", "Softmax over columns",
// "Index-set splitting at masks", "Narrow lanes". Of others no measurement is on record.
enum {
  HLO_LOOP_BLOCK = 192,          // elements visited together: see "Loop fission"
  HLO_EMIT_SUM_BLOCK = 64,       // steps of a running value until a sum of two floats takes it in
  HLO_EMIT_LONG_SUM_BLOCK = 128, // the same where steps are loads and sums alone
  HLO_KERNEL_CALLS = 8,          // calls at least, of a kernel whose calls become longer
  HLO_KERNEL_LONGER =
      4, // times, at most, where rows at both ends of a call have loops of their own
  HLO_COLUMN_BLOCK = 1024,       // results side by side whose running values stay in cache
  HLO_COLUMN_CACHE = 1 << 16,    // elements that stay there from one stage of columns to the next
  HLO_AWAY_SHALLOW = 8,          // nodes in a chain: two threads are no faster at shorter steps
  HLO_AWAY_FAR = 16384,          // elements from one place to the next, at least
  HLO_AWAY_FIRST_CACHE = 2048,   // running values that stay in the first cache
  HLO_AWAY_WHOLE_BLOCK = 65536,  // running values that stay in the second cache
  HLO_AWAY_SHORTEST_WHOLE = 32,  // elements of a row that is read whole
  HLO_AWAY_LONGEST_WHOLE = 4096, // the same at one place
  HLO_AWAY_IN_CACHE = 2 << 20,   // elements of an array that is read as it comes
  HLO_CARRY_MOST_BYTES = 256 << 10, // of running values of rows that come in pieces
  HLO_CARRY_SHORTEST_TURN = 4096,   // elements of such a piece
  HLO_SHORTEST_PARTED = 20,         // elements: shorter rows of maps are visited whole
  HLO_UNROLL_EIGHT_COST = 5,    // instructions of a step with eight copies, if running values wait
  HLO_UNROLL_FOUR_COST = 120,   // the same with four copies: more take long to compile
  HLO_UNROLL_TWO_COST = 250,    // the same with two
  HLO_UNROLL_SHORTEST_STEP = 4, // instructions of a step that has copies although its row is cut
  HLO_UNROLL_SHORT_STEP = 16,   // instructions of a step that is not long
  HLO_UNROLL_SHORT_INTERIOR =
      80,                   // instructions that the processor sees at a time: fewer are not split
  HLO_SCRATCH_APART = 192,  // bytes from one scratch row to the next
  HLO_NARROW_SHORTEST = 16, // elements of a row in narrow lanes
  HLO_NARROW_FEWEST = 1024, // elements in all, for that
  HLO_NARROW_SHORT = 40,    // instructions of a narrow loop that has two copies
  HLO_INDEX_SET_SHORTEST = 12,               // elements of a row that is split at its masks
  HLO_PIPELINED_STAGE_MOST_INSTRUCTIONS = 8, // of a first stage that runs with the row before
  HLO_PIPELINED_STAGE_SHORTEST_ROW = 16,     // elements
  HLO_PIPELINED_STAGE_LONGEST_ROW =
      2048, // elements; of longer ones the cache has no room for several
  HLO_PIPELINED_OUTPUTS_MOST_INSTRUCTIONS = 16, // of outputs written with the next row
  HLO_PIPELINED_OUTPUTS_SHORTEST_ROW = 16,      // elements, if operands are read again
  HLO_PIPELINED_OUTPUTS_LONGEST_ROW = 8192,     // bytes, if operands are read again
  HLO_SHARE_WORTH_KEEPING = 10, // instructions of a value kept for the next loop of a row
  HLO_DRIVER_FEW_BYTES = 256,   // which a loop's function moves one vector after the other
};

// --- generated code: costs of instructions ---
// docs/performance.md, "Loop fission": the model. Times are in hundredths of a clock, for
// four elements.
enum {
  HLO_FISSION_WINDOW = 80, // instructions that wait for their operands at a time
  HLO_FISSION_PIPE_TIME =
      60,                    // of a product, or of a sum: two of four pipes compute it (50 at best)
  HLO_FISSION_ANY_TIME = 30, // of what any pipe computes (25 at best)
  HLO_FISSION_SLOW_TIME = 300,     // of a division or root
  HLO_FISSION_LOOP_TIME = 60,      // of the loop itself
  HLO_FISSION_SLOT_TIME = 60,      // a value stored, and loaded again
  HLO_FISSION_LOAD_LATENCY = 7,    // clocks
  HLO_FISSION_ROOM_LATENCY = 8,    // clocks
  HLO_FISSION_FEWEST_NODES = 16,   // of a step that is cut
  HLO_FISSION_LONGEST_PIECE = 100, // nodes
  HLO_FISSION_MOST_SLOTS = 20,     // values handed from one loop to the next
  HLO_FISSION_SHORTEST_LOOP = 24,  // elements
  HLO_PATCH_COST = 10,             // instructions that a rare call next to a vector counts as
  HLO_CALL_COST = 40,              // the same of a call for each lane
};

#endif
