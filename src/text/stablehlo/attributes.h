// The table of StableHLO's attributes and their HLO counterparts, for importer and printer.
#ifndef HLO_TEXT_STABLEHLO_ATTRIBUTES_H
#define HLO_TEXT_STABLEHLO_ATTRIBUTES_H

#include "hlo/hlo.h"

typedef enum stablehlo_conversion {
  STABLEHLO_INTS,
  STABLEHLO_INT,
  STABLEHLO_INT32,
  STABLEHLO_COUNT,
  STABLEHLO_DIMENSION,
  STABLEHLO_BOOL,
  STABLEHLO_FLOAT,
  STABLEHLO_WORD,
  STABLEHLO_RNG_WORD,
  STABLEHLO_PRECISION,
  STABLEHLO_GROUPS,
  STABLEHLO_UNIT,
  STABLEHLO_STRING,
} stablehlo_conversion;

typedef struct stablehlo_attribute_row {
  hlo_opcode opcode;
  const char *structure; // "" when the attribute stands by itself
  const char *name;
  hlo_attribute_id id;
  stablehlo_conversion conversion;
} stablehlo_attribute_row;

// The rows of attributes.def.
extern const stablehlo_attribute_row hlo_stablehlo_attribute_rows[];
extern const int32_t hlo_stablehlo_attribute_row_count;

// How HLO compares values of the type when an instruction does not say: "FLOAT", "SIGNED",
// "UNSIGNED".
const char *hlo_stablehlo_compare_type(hlo_type type);

// A list of sizes is one operand in StableHLO and a scalar for each size in HLO. The list that x is
// element `index` of; NULL: x is none.
hlo_instruction *hlo_stablehlo_list_of(const hlo_instruction *x, int64_t index);

#endif
