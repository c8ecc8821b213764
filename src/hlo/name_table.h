// A hash table from names to pointers, which also makes names unique. Lives in an arena.
#ifndef HLO_HLO_NAME_TABLE_H
#define HLO_HLO_NAME_TABLE_H

#include "base/arena.h"

typedef struct hlo_name_entry {
  const char *name; // NULL: a free slot
  uint32_t hash;
  int32_t next_suffix; // names name.1 … name.(next_suffix - 1) are taken
  void *value;
} hlo_name_entry;

// Zero-initialise before use. capacity is 0 or a power of two.
typedef struct hlo_name_table {
  int32_t count, capacity;
  hlo_name_entry *entries;
} hlo_name_table;

// NULL when nothing has that name.
void *hlo_name_table_find(const hlo_name_table *table, const char *text, size_t length);

// Enters value under `wanted`, or, when that is taken, under the first free of wanted.1, wanted.2,
// …; *name is a copy in the arena. Any number of additions takes time linear in that number. On
// error the table is as it was.
hlo_status hlo_name_table_add(hlo_name_table *table, hlo_arena *arena, const char *wanted,
                              void *value, const char **name, hlo_error *error);

// FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
uint32_t hlo_name_hash(const char *text, size_t length);

#endif
