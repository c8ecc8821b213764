// Where constants stand in WebAssembly. Must not know what they are.
#ifndef HLO_BASE_LATE_DATA_H
#define HLO_BASE_LATE_DATA_H

// Marks a constant without pointers that only functions of a build's last file read (WASM_REST_C in
// wasm/flags.mk): it stands in that file (wasm/toolchain/split.sh). All others stand in the first.
#ifdef __wasm__
#define HLO_LATE_DATA __attribute__((section("late")))
#else
#define HLO_LATE_DATA
#endif

#endif
