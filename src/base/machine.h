// Assumptions about the machine, and the tuned constants of memory, copies and transposes, which
// the layers below kernels need. All other tuned constants are in kernels/machine.h, which includes
// this. Each states its unit and what it controls; sections name the entries of the notebook,
// docs/performance.md, that measured them. Register tiles, formats and limits are not tuned: they
// stand where they are used.
#ifndef HLO_BASE_MACHINE_H
#define HLO_BASE_MACHINE_H

// --- the processor ---
// Common to x86-64 and ARM64.
enum {
  HLO_LINE_BYTES = 64,        // that come into a cache at a time
  HLO_VECTOR_BYTES = 16,      // of a SIMD register of WebAssembly
  HLO_PAGE_BYTES = 4096,      // by which the first cache chooses sets
  HLO_SET_STRIDE = 2048,      // rows about a multiple of it apart share few sets there
  HLO_BYTE_SET_STRIDE = 1024, // the same of tiles of bytes, which have many rows
  HLO_FREE_WAYS = 4,          // lines of a set that one array may fill: half of all
};

// --- copies of bytes ---
// docs/performance.md, "Rows of 8 to 255 bytes".
enum {
  HLO_COPY_IN_BULK = 256, // bytes from which memory.copy is worth its call
};

// --- transposes and strided copies ---
// docs/performance.md, "Transposes" (panels), "One loop over tiles"; of the others no measurement
// is on record.
enum {
  HLO_REPEAT_SOME = 32,    // elements written one by one before these are repeated
  HLO_REPEAT_BYTES = 4096, // that are repeated at a time: they stay in the first cache
  HLO_STRIP_LENGTH = 256,  // elements along a strip that go together, and stay in cache
  HLO_TRANSPOSE_CACHED_BYTES = 8 << 20, // of a matrix that needs no panels
  HLO_TRANSPOSE_PANEL = 512,            // rows, each on a page of its own whose address is kept
  HLO_COPY_SHORT_ROW = 8,               // elements: starting a row takes as long as copying them
  HLO_COPY_SMALL_MATRIX = 64,           // elements, likewise of a matrix
  HLO_COPY_LONG_LOOP = 16,              // steps of a loop that is worth going inside of small ones
  HLO_COPY_NEIGHBOUR_BYTES = 256,       // steps further apart evict each other
  HLO_COPY_NEAR_BYTES = 256 << 10,      // that all loops around such a loop come back to
};

// --- memory ---
// docs/performance.md, "Static offsets instead of counted buffers" (small blocks are kept); of
// sizes no measurement is on record.
enum {
  HLO_ARENA_FIRST_BLOCK = 512,       // bytes of an arena's first block; each next one is larger
  HLO_ARENA_LARGEST_BLOCK = 1 << 20, // bytes
  HLO_MEMORY_SMALL_BLOCK = 128,      // bytes of blocks that are kept for the next allocation
};

#endif
