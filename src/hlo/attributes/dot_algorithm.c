// See dot_algorithm.h.
#include "hlo/attributes/dot_algorithm.h"

#include <string.h>

const hlo_dot_algorithm hlo_dot_algorithms[] = {
    {"dot_any_f8_any_f8_f32", "f8E5M2", "f8E5M2", "f32", 1, 1, 1, false},
    {"dot_any_f8_any_f8_f32_fast_accum", "f8E5M2", "f8E5M2", "f32", 1, 1, 1, true},
    {"dot_f16_f16_f16", "f16", "f16", "f16", 1, 1, 1, false},
    {"dot_f16_f16_f32", "f16", "f16", "f32", 1, 1, 1, false},
    {"dot_bf16_bf16_bf16", "bf16", "bf16", "bf16", 1, 1, 1, false},
    {"dot_bf16_bf16_f32", "bf16", "bf16", "f32", 1, 1, 1, false},
    {"dot_bf16_bf16_f32_x3", "bf16", "bf16", "f32", 1, 1, 3, false},
    {"dot_bf16_bf16_f32_x6", "bf16", "bf16", "f32", 1, 1, 6, false},
    {"dot_bf16_bf16_f32_x9", "bf16", "bf16", "f32", 1, 1, 9, false},
    {"dot_tf32_tf32_f32", "tf32", "tf32", "f32", 1, 1, 1, false},
    {"dot_tf32_tf32_f32_x3", "tf32", "tf32", "f32", 1, 1, 3, false},
    {"dot_f32_f32_f32", "f32", "f32", "f32", 1, 1, 1, false},
    {"dot_f64_f64_f64", "f64", "f64", "f64", 1, 1, 1, false},
};
const int32_t hlo_dot_algorithm_count = sizeof hlo_dot_algorithms / sizeof *hlo_dot_algorithms;

const hlo_dot_algorithm *hlo_dot_algorithm_find(const char *name) {
  for (int32_t i = 0; name != NULL && i < hlo_dot_algorithm_count; i++)
    if (strcmp(hlo_dot_algorithms[i].name, name) == 0) return &hlo_dot_algorithms[i];
  return NULL;
}

hlo_status hlo_require_dot_algorithm(const hlo_instruction *x, hlo_error *error) {
  const char *name = hlo_get_text(x, HLO_ATTRIBUTE_ALGORITHM);
  if (name == NULL || strcmp(name, "unset") == 0 || hlo_dot_algorithm_find(name) != NULL)
    return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "there is no dot algorithm \"%.*s\"", 60,
                              name);
}
