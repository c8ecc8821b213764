// Arenas: memory that is released all at once.
#ifndef HLO_BASE_ARENA_H
#define HLO_BASE_ARENA_H

#include "base/memory.h"

typedef struct hlo_arena_block hlo_arena_block;

// A zero-initialised hlo_arena is an empty one. hlo_arena_free gives everything back.
typedef struct hlo_arena {
  hlo_arena_block *block;
  size_t used; // bytes of the current block that are taken
} hlo_arena;

typedef struct hlo_arena_mark {
  hlo_arena_block *block;
  size_t used;
} hlo_arena_mark;

// size bytes, zeroed, aligned to 16; NULL when memory is out. size 0 gives a unique non-NULL
// pointer.
void *hlo_arena_alloc(hlo_arena *arena, size_t size);

// count elements of size bytes with the product checked for overflow.
void *hlo_arena_array(hlo_arena *arena, size_t count, size_t size);
// The same with undefined contents, aligned to 64: large work memory, written before it is read.
void *hlo_arena_array_raw(hlo_arena *arena, size_t count, size_t size);

// Room for one more element of size bytes in a list of the arena that has `count` of them and room
// for *capacity: the list itself, or a copy with twice the room. NULL when memory is out. Abandoned
// lists are together no larger than the last.
void *hlo_arena_grow_list(hlo_arena *arena, void *list, int32_t count, int32_t *capacity,
                          size_t size);

// A zero-terminated copy of length bytes.
char *hlo_arena_copy_text(hlo_arena *arena, const char *text, size_t length);

// Everything allocated after the mark is given back by rewind (scratch memory).
hlo_arena_mark hlo_arena_get_mark(const hlo_arena *arena);
void hlo_arena_rewind(hlo_arena *arena, hlo_arena_mark mark);
void hlo_arena_free(hlo_arena *arena);

// destination = zeroed array of count elements in arena; returns HLO_OUT_OF_MEMORY from the
// surrounding function when there is no memory.
#define HLO_ALLOC(destination, arena, count, error)                                                \
  do {                                                                                             \
    (destination) = hlo_arena_array((arena), (size_t)(count), sizeof *(destination));              \
    if ((destination) == NULL) return hlo_fail_out_of_memory(error);                               \
  } while (0)

// Makes room in a list by hlo_arena_grow_list, and sets list and capacity; or returns likewise.
#define HLO_GROW_LIST(list, arena, count, capacity, error)                                         \
  do {                                                                                             \
    void *room = hlo_arena_grow_list((arena), (list), (count), &(capacity), sizeof *(list));       \
    if (room == NULL) return hlo_fail_out_of_memory(error);                                        \
    (list) = room;                                                                                 \
  } while (0)

#endif
