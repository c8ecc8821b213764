// Aliasing of the operations that only rename values: tuples and their elements, barriers, and
// start/done pairs, whose tuples pass operands and results on.
#ifndef HLO_HLO_ALIAS_FORM_H
#define HLO_HLO_ALIAS_FORM_H

#include "hlo/hlo.h"

// Of instructions that give one element of their operand: which. -1: the instruction is none.
int32_t hlo_alias_element(const hlo_instruction *instruction);

// Of instructions that begin what a done finishes: of their tuple, one element is the operands
// again, one is the results, and the rest are contexts that nobody looks at.
typedef struct hlo_start_form {
  hlo_opcode opcode;
  int32_t operands, results; // elements of the tuple; -1: there is none
} hlo_start_form;

const hlo_start_form *hlo_start_form_of(hlo_opcode opcode); // NULL: the operation is none
// The shape that the tuple of a start states for its operand k.
const hlo_shape *hlo_start_operand_shape(const hlo_start_form *form, const hlo_instruction *start,
                                         int32_t k);

#endif
