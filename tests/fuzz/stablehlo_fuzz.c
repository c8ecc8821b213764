// Fuzzes StableHLO text.
#include "text_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_round_trip(hlo_parse_stablehlo, hlo_print_stablehlo, (const char *)data, size);
  return 0;
}
