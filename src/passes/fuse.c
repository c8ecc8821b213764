#include "passes/passes.h"
hlo_status hlo_pass_fuse(hlo_module *module, const hlo_pass_options *options, hlo_error *error) {
  (void)module, (void)options, (void)error;
  return HLO_OK;
}
