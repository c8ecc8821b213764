// Marks the functions that JavaScript sees, so that no list of exports has to be kept elsewhere.
// For the files of wasm/ only: the engine in src/ must not know that it runs as wasm.
#ifndef HLO_WASM_EXPORT_H
#define HLO_WASM_EXPORT_H

#define HLO_EXPORT __attribute__((used, visibility("default")))

#endif
