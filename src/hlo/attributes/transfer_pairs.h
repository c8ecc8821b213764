// The pairs of processes between which send and recv move data. HLO has no attribute of its own for
// them: XLA keeps them in a frontend attribute, as text.
#ifndef HLO_HLO_ATTRIBUTES_TRANSFER_PAIRS_H
#define HLO_HLO_ATTRIBUTES_TRANSFER_PAIRS_H

#include "hlo/hlo.h"

#define HLO_TRANSFER_PAIRS_KEY "_xla_send_recv_source_target_pairs"

// Where the text of the instruction's pairs starts; NULL when it has none.
const char *hlo_transfer_pairs(const hlo_instruction *instruction);
// Reads the next pair (source, target) and moves the cursor past it; false at the end. Numbers
// too large for a process become INT32_MAX.
bool hlo_transfer_next_pair(const char **cursor, int64_t pair[2]);

#endif
