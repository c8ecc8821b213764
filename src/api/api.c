// The exported C API: memory, the last error, the text buffer, and the description of the engine.
#include "api/api.h"

#include "api/json.h"
#include "base/arena.h"
#include "hlo/hlo.h"
#include "kernels/eval.h"
#include "kernels/simd/kernels.h"

static hlo_error last_error;
static hlo_string last_text;

hlo_error *hlo_api_begin(void) {
  hlo_error_clear(&last_error);
  return &last_error;
}

hlo_string *hlo_api_begin_text(void) {
  // Large texts are given back as soon as the next one is made.
  if (last_text.capacity > 1 << 16 || last_text.failed) hlo_string_free(&last_text);
  hlo_string_clear(&last_text);
  return &last_text;
}

// --- calls that the host may cut off ---

static bool is_attempted;
static hlo_module *shared; // by the attempt; NULL: none
static int32_t shares_before;

hlo_error *hlo_api_begin_attempt(const hlo_module *module) {
  hlo_api_abandon();
  hlo_string_free(&last_text); // so that it is the attempt's, or none
  is_attempted = true;
  shared = (hlo_module *)module;
  shares_before = module == NULL ? 0 : module->shares;
  hlo_memory_begin_attempt();
  return hlo_api_begin();
}

void hlo_api_end_attempt(void) {
  is_attempted = false;
  hlo_memory_end_attempt();
}

// May itself be cut off, and called again.
void hlo_api_abandon(void) {
  if (!is_attempted) return;
  if (shared != NULL) shared->shares = shares_before;
  last_text = (hlo_string){0};
  hlo_memory_abandon_attempt();
  is_attempted = false;
}

// The host may call this before it abandons what it has cut off.
void *hlo_api_allocate(uint32_t size) {
  hlo_api_abandon();
  return hlo_memory_alloc(size);
}
void hlo_api_release(void *pointer) { hlo_memory_release(pointer); }
double hlo_api_memory_in_use(void) { return (double)(hlo_memory_in_use() - last_text.capacity); }
double hlo_api_memory_peak(void) { return (double)hlo_memory_peak(); }
void hlo_api_set_memory_limit(double bytes) {
  hlo_memory_set_limit(bytes >= (double)SIZE_MAX ? SIZE_MAX : (size_t)bytes);
}

const char *hlo_api_error_kind(void) { return hlo_status_name(last_error.status); }
const char *hlo_api_error_message(void) { return last_error.message; }
int32_t hlo_api_error_line(void) { return last_error.line; }
int32_t hlo_api_error_column(void) { return last_error.column; }

const char *hlo_api_text(void) { return last_text.text == NULL ? "" : last_text.text; }
uint32_t hlo_api_text_length(void) { return (uint32_t)last_text.length; }

static const char *class_name(hlo_type_class type_class) {
  switch (type_class) {
  case HLO_CLASS_PRED:
    return "pred";
  case HLO_CLASS_SIGNED:
    return "signed";
  case HLO_CLASS_UNSIGNED:
    return "unsigned";
  case HLO_CLASS_FLOAT:
    return "float";
  case HLO_CLASS_COMPLEX:
    return "complex";
  default:
    return "other";
  }
}

void hlo_api_describe(void) {
  hlo_string *out = hlo_api_begin_text();
  hlo_string_add(out, hlo_kernels_backend()->name);
  for (int t = 1; t < HLO_TYPE_COUNT; t++) {
    hlo_type type = (hlo_type)t;
    hlo_string_add_format(out, "%c%s %s %d %d", t == 1 ? '\n' : ',', hlo_type_name(type),
                          class_name(hlo_type_get_class(type)), hlo_type_bits(type),
                          hlo_type_bytes(type));
  }
  for (int o = 0; o < HLO_OP_COUNT; o++) {
    const hlo_op_info *info = hlo_op_get((hlo_opcode)o);
    hlo_string_add_char(out, o == 0 ? '\n' : ',');
    hlo_string_add(out, info->name);
    if (hlo_op_is_elementwise((hlo_opcode)o)) hlo_string_add_format(out, " %d", info->min_operands);
  }
}

static void describe_op(hlo_string *out, hlo_opcode opcode) {
  const hlo_op_info *info = hlo_op_get(opcode);
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", info->name);
  hlo_json_field_text(out, "stablehlo", info->stablehlo_name);
  hlo_json_field_int(out, "minOperands", info->min_operands);
  hlo_json_field_int(out, "maxOperands", info->max_operands);
  hlo_json_field_text(out, "attributes", info->attributes);
  hlo_json_field_bool(out, "elementwise", hlo_op_is_elementwise(opcode));
  hlo_json_field_bool(out, "runs",
                      hlo_evaluator_supports(opcode) || hlo_evaluator_leaves_to_executor(opcode));
  hlo_string_add_char(out, '}');
}

void hlo_api_describe_ops(void) {
  hlo_string *out = hlo_api_begin_text();
  hlo_string_add_char(out, '[');
  for (int o = 0; o < HLO_OP_COUNT; o++) describe_op(out, (hlo_opcode)o);
  hlo_string_add_char(out, ']');
}
