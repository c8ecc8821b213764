// Finds the row of a fixed list of names (the op list, the attribute list), made on first use.
#ifndef HLO_HLO_NAME_INDEX_H
#define HLO_HLO_NAME_INDEX_H

#include "hlo/name_table.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { HLO_NAME_INDEX_SIZE = 512 }; // a power of two, more than twice the rows of any list

// Static and zero at the start. Needs no lock: two threads that make it at the same time enter the
// same rows in the same order, so both write the same value into each slot.
typedef struct hlo_name_index {
  atomic_bool ready;
  atomic_ushort slots[HLO_NAME_INDEX_SIZE]; // row + 1; 0: free
} hlo_name_index;

typedef const char *hlo_name_of_row(int row);

static inline int hlo_name_index_slot(hlo_name_index *index, hlo_name_of_row *name_of,
                                      const char *text, size_t length) {
  uint32_t i = hlo_name_hash(text, length);
  for (;; i++) {
    int row = atomic_load_explicit(&index->slots[i % HLO_NAME_INDEX_SIZE], memory_order_relaxed);
    if (row == 0) break;
    const char *name = name_of(row - 1);
    if (strncmp(name, text, length) == 0 && name[length] == '\0') break;
  }
  return (int)(i % HLO_NAME_INDEX_SIZE);
}

// The row of that name, or `rows` when there is none. Rows named "" are not found. When two rows
// have one name, the first is found.
static inline int hlo_name_index_find(hlo_name_index *index, hlo_name_of_row *name_of, int rows,
                                      const char *text, size_t length) {
  if (!atomic_load_explicit(&index->ready, memory_order_acquire)) {
    for (int row = 0; row < rows; row++) {
      const char *name = name_of(row);
      int slot = hlo_name_index_slot(index, name_of, name, strlen(name));
      if (name[0] != '\0' && index->slots[slot] == 0)
        atomic_store_explicit(&index->slots[slot], (unsigned short)(row + 1), memory_order_relaxed);
    }
    atomic_store_explicit(&index->ready, true, memory_order_release);
  }
  if (length == 0 || memchr(text, '\0', length) != NULL) return rows;
  int row = index->slots[hlo_name_index_slot(index, name_of, text, length)];
  return row == 0 ? rows : row - 1;
}

#endif
