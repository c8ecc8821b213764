// Values on their way: from the host to a process (infeed), back (outfeed), between processes
// (send and recv).
#ifndef HLO_RUN_DEVICES_PARCEL_H
#define HLO_RUN_DEVICES_PARCEL_H

#include "hlo/hlo.h"
#include "run/array.h"

enum { HLO_ANY_PROCESS = -1 };

typedef struct hlo_parcel {
  struct hlo_parcel *next;
  // Of a message: the instruction that sent it, on which channel, from and to which process.
  const hlo_instruction *instruction;
  int64_t channel;
  int32_t sender, receiver;
  int32_t count;
  hlo_array *arrays[]; // owned; of a token only the shape counts
} hlo_parcel;

// Room for `count` arrays, all NULL.
hlo_status hlo_parcel_create(int32_t count, hlo_parcel **out, hlo_error *error);
void hlo_parcel_destroy(hlo_parcel *parcel); // NULL is fine

// First in, first out. A zero-initialised queue is an empty one.
typedef struct hlo_parcel_queue {
  hlo_parcel *first, *last;
} hlo_parcel_queue;
void hlo_parcel_queue_add(hlo_parcel_queue *queue, hlo_parcel *parcel); // takes it over
hlo_parcel *hlo_parcel_queue_remove(hlo_parcel_queue *queue);           // NULL when empty
// The oldest message on the channel for the receiver (HLO_ANY_PROCESS in the message serves all),
// from the sender unless that is HLO_ANY_PROCESS; NULL when there is none.
hlo_parcel *hlo_parcel_queue_receive(hlo_parcel_queue *queue, int64_t channel, int32_t sender,
                                     int32_t receiver);
// Moves all of `from` after `to`.
void hlo_parcel_queue_append(hlo_parcel_queue *to, hlo_parcel_queue *from);
void hlo_parcel_queue_clear(hlo_parcel_queue *queue);

#endif
