// The exported C API's foundation: memory, errors, texts, and what the engine says about itself.
// The files api*.c are all that JavaScript sees. Must not know JavaScript's classes.
#include "api.h"

#include "base/arena.h"
#include "eval/eval.h"
#include "hlo/hlo.h"
#include "json.h"
#include "kernels/kernels.h"

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

// Memory for JavaScript to write texts and lists of handles into. NULL when there is none.
HLO_EXPORT void *hlo_api_allocate(uint32_t size) { return hlo_memory_alloc(size); }
HLO_EXPORT void hlo_api_release(void *pointer) { hlo_memory_release(pointer); }
// Bytes, as doubles because 32 bits would wrap in JavaScript.
HLO_EXPORT double hlo_api_memory_in_use(void) { return (double)hlo_memory_in_use(); }
HLO_EXPORT double hlo_api_memory_peak(void) { return (double)hlo_memory_peak(); }
HLO_EXPORT void hlo_api_set_memory_limit(double bytes) {
  hlo_memory_set_limit(bytes >= (double)SIZE_MAX ? SIZE_MAX : (size_t)bytes);
}

// The last call's error: status, line, column as i32 each, then the zero-terminated message.
HLO_EXPORT const hlo_error *hlo_api_error(void) { return &last_error; }
HLO_EXPORT const char *hlo_api_text(void) { return last_text.text == NULL ? "" : last_text.text; }
HLO_EXPORT uint32_t hlo_api_text_length(void) { return (uint32_t)last_text.length; }

static void describe_type(hlo_string *out, hlo_type type) {
  static const struct {
    hlo_type_class type_class;
    const char *name;
  } classes[] = {{HLO_CLASS_PRED, "pred"},         {HLO_CLASS_SIGNED, "signed"},
                 {HLO_CLASS_UNSIGNED, "unsigned"}, {HLO_CLASS_FLOAT, "float"},
                 {HLO_CLASS_COMPLEX, "complex"},   {HLO_CLASS_OTHER, "other"}};
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", hlo_type_name(type));
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (classes[i].type_class == hlo_type_get_class(type)) {
      hlo_json_field_text(out, "class", classes[i].name);
    }
  }
  hlo_json_field_int(out, "bits", hlo_type_bits(type));
  hlo_json_field_int(out, "bytes", hlo_type_bytes(type));
  hlo_string_add_char(out, '}');
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

// {"build":"relaxed-simd","types":[…],"ops":[…],"attributes":[{"name","kind"}…]}: JavaScript
// mirrors no list, it reads this one at load. An op's number is its position in "ops".
HLO_EXPORT void hlo_api_describe(void) {
  hlo_string *out = hlo_api_begin_text();
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "build", hlo_kernels_backend()->name);
  hlo_json_key(out, "types");
  hlo_string_add_char(out, '[');
  for (int t = 1; t < HLO_TYPE_COUNT; t++) describe_type(out, (hlo_type)t);
  hlo_string_add_char(out, ']');
  hlo_json_key(out, "ops");
  hlo_string_add_char(out, '[');
  for (int o = 0; o < HLO_OP_COUNT; o++) describe_op(out, (hlo_opcode)o);
  hlo_string_add(out, "],\"attributes\":[");
  for (int a = 0; a < HLO_ATTRIBUTE_COUNT; a++) {
    hlo_json_comma(out);
    hlo_string_add_char(out, '{');
    hlo_json_field_text(out, "name", hlo_attribute_name((hlo_attribute_id)a));
    hlo_json_field_int(out, "kind", hlo_attribute_get_kind((hlo_attribute_id)a));
    hlo_string_add_char(out, '}');
  }
  hlo_string_add(out, "]}");
}
