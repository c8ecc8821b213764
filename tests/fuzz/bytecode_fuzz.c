// Fuzzes StableHLO's bytecode and files of jax.export. See binary_round_trip.h.
#include "binary_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static hlo_status parse(const char *bytes, size_t length, hlo_module **out, hlo_error *error) {
  hlo_parse_options options = {.format = HLO_FORMAT_DETECT};
  return hlo_parse_bytecode_with(bytes, length, &options, out, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_round_trip(parse, data, size);
  return 0;
}
