// Fuzzes serialized HLO modules. See binary_round_trip.h.
#include "binary_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_round_trip(hlo_parse_proto, data, size);
  return 0;
}
