// Attributes that StableHLO cannot express. Each one must be listed as printed, by a row of
// text/stablehlo/attributes.def or by the operation's printer, or as irrelevant to the value: a new
// attribute is an error that names its instruction until it has a form, and is never lost silently.
// See printer.h.
#include "text/stablehlo/print/printer.h"

#include "text/stablehlo/attributes.h"
#include "text/stablehlo/forms.h"

#include <string.h>

typedef struct said_attribute {
  hlo_opcode opcode;
  hlo_attribute_id id;
} said_attribute;

// Written by printers of their own.
static const said_attribute said[] = {
    {HLO_OP_SLICE, HLO_ATTRIBUTE_SLICE},
    {HLO_OP_PAD, HLO_ATTRIBUTE_PADDING},
    {HLO_OP_DOT, HLO_ATTRIBUTE_ALGORITHM},
    {HLO_OP_CONVOLUTION, HLO_ATTRIBUTE_WINDOW},
    {HLO_OP_CONVOLUTION, HLO_ATTRIBUTE_DIM_LABELS},
    {HLO_OP_REDUCE_WINDOW, HLO_ATTRIBUTE_WINDOW},
    {HLO_OP_SELECT_AND_SCATTER, HLO_ATTRIBUTE_WINDOW},
    {HLO_OP_SCAN, HLO_ATTRIBUTE_DIMENSIONS},
    {HLO_OP_SCAN, HLO_ATTRIBUTE_NUM_CARRIES},
    {HLO_OP_SCAN, HLO_ATTRIBUTE_IS_REVERSE},
    {HLO_OP_SCAN, HLO_ATTRIBUTE_IS_ASSOCIATIVE},
    {HLO_OP_ALL_TO_ALL, HLO_ATTRIBUTE_DIMENSIONS},
    {HLO_OP_ALL_TO_ALL, HLO_ATTRIBUTE_SPLIT_COUNT},
    {HLO_OP_SEND_DONE, HLO_ATTRIBUTE_CHANNEL_ID},
    {HLO_OP_SEND_DONE, HLO_ATTRIBUTE_IS_HOST_TRANSFER},
    {HLO_OP_RECV_DONE, HLO_ATTRIBUTE_CHANNEL_ID},
    {HLO_OP_RECV_DONE, HLO_ATTRIBUTE_IS_HOST_TRANSFER},
    {HLO_OP_CALL, HLO_ATTRIBUTE_IS_COMPOSITE},
    {HLO_OP_CUSTOM_CALL, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET},
    {HLO_OP_CUSTOM_CALL, HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT},
    {HLO_OP_CUSTOM_CALL, HLO_ATTRIBUTE_API_VERSION},
    {HLO_OP_CUSTOM_CALL, HLO_ATTRIBUTE_OPERAND_LAYOUT_CONSTRAINTS},
    {HLO_OP_CUSTOM_CALL, HLO_ATTRIBUTE_OUTPUT_TO_OPERAND_ALIASING},
};

// What only says how to compile or run an instruction, or repeats what shapes say, goes: the value
// is the same without.
static bool is_hint(hlo_opcode opcode, hlo_attribute_id id) {
  static const hlo_attribute_id hints[] = {HLO_ATTRIBUTE_PARAMETER_REPLICATION,
                                           HLO_ATTRIBUTE_CROSS_PROGRAM_PREFETCH_INDEX,
                                           HLO_ATTRIBUTE_RESULT_LAYOUT,
                                           HLO_ATTRIBUTE_CONSTRAIN_LAYOUT,
                                           HLO_ATTRIBUTE_INFERRED_DIMENSION,
                                           HLO_ATTRIBUTE_OUTFEED_SHAPE,
                                           HLO_ATTRIBUTE_KIND};
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (hints[i] == id) return true;
  // The pretty forms of elementwise operations write their accuracy.
  return id == HLO_ATTRIBUTE_RESULT_ACCURACY && hlo_op_is_pointwise(opcode);
}

// Where an instruction is from and what was measured goes, too (but for what parameters are called,
// which is their location); of the others universal.c knows whether they are said.
static bool is_common(hlo_attribute_id id) {
  return hlo_attribute_is_universal(id) && id != HLO_ATTRIBUTE_CONTROL_PREDECESSORS;
}

static bool is_said(hlo_opcode opcode, hlo_attribute_id id) {
  hlo_attribute_kind kind = hlo_attribute_get_kind(id);
  if (kind == HLO_KIND_COMPUTATION || kind == HLO_KIND_COMPUTATIONS) return true;
  for (int32_t i = 0; i < hlo_stablehlo_attribute_row_count; i++) {
    const stablehlo_attribute_row *row = &hlo_stablehlo_attribute_rows[i];
    if (row->opcode == opcode && row->id == id) return true;
  }
  for (size_t i = 0; i < sizeof said / sizeof *said; i++)
    if (said[i].opcode == opcode && said[i].id == id) return true;
  return is_hint(opcode, id);
}

hlo_status hlo_print_check_said(const stablehlo_printer *p, const hlo_instruction *x,
                                hlo_error *error) {
  if (!p->is_said) HLO_TRY(hlo_print_check_common(x, error));
  for (int32_t i = 0; i < x->attribute_count; i++) {
    hlo_attribute_id id = x->attributes[i].id;
    if (is_common(id) || is_said(x->opcode, id)) continue;
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error, "StableHLO cannot say its attribute %s",
                                hlo_attribute_name(id));
  }
  return HLO_OK;
}

static bool has_word(const char *format, const char *name) {
  size_t length, wanted = strlen(name);
  for (const char *word; (word = hlo_stablehlo_form_word(&format, &length)) != NULL;) {
    size_t inner = length - (word[0] == '[' ? 2 : 1);
    bool is_value = length > 1 && strchr("[#?!$", word[0]) != NULL;
    if (is_value && inner == wanted && strncmp(word + 1, name, wanted) == 0) return true;
  }
  return false;
}

bool hlo_stablehlo_form_says_all(const hlo_instruction *x, const char *format) {
  for (int32_t i = 0; i < hlo_stablehlo_attribute_row_count; i++) {
    const stablehlo_attribute_row *row = &hlo_stablehlo_attribute_rows[i];
    if (row->opcode == x->opcode && hlo_find_attribute(x, row->id) != NULL &&
        !has_word(format, row->name))
      return false;
  }
  return true;
}

bool hlo_stablehlo_is_pretty(hlo_opcode opcode, const char *format) {
  for (int32_t i = 0; i < hlo_stablehlo_attribute_row_count; i++)
    if (hlo_stablehlo_attribute_rows[i].opcode == opcode) return strcmp(format, "%*") != 0;
  return true;
}
