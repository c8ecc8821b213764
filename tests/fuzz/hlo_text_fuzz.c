// Fuzzes HLO text.
#include "text_round_trip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static hlo_status print(hlo_string *out, const hlo_module *module, hlo_error *error) {
  hlo_print_hlo(out, module);
  return out->failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  check_round_trip(hlo_parse_hlo, print, (const char *)data, size);
  return 0;
}
