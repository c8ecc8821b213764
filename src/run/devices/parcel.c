// Queues of values on their way. See parcel.h.
#include "run/devices/parcel.h"

#include <string.h>

hlo_status hlo_parcel_create(int32_t count, hlo_parcel **out, hlo_error *error) {
  size_t size = sizeof(hlo_parcel) + (size_t)count * sizeof(hlo_array *);
  *out = hlo_memory_alloc(size);
  if (*out == NULL) return hlo_fail_out_of_memory(error);
  memset(*out, 0, size);
  (*out)->count = count;
  return HLO_OK;
}

void hlo_parcel_destroy(hlo_parcel *parcel) {
  if (parcel == NULL) return;
  for (int32_t i = 0; i < parcel->count; i++) hlo_array_destroy(parcel->arrays[i]);
  hlo_memory_release(parcel);
}

void hlo_parcel_queue_add(hlo_parcel_queue *queue, hlo_parcel *parcel) {
  parcel->next = NULL;
  if (queue->last != NULL) queue->last->next = parcel;
  else queue->first = parcel;
  queue->last = parcel;
}

// Takes the parcel after `before` (NULL: the first) out of the queue.
static hlo_parcel *unlink_after(hlo_parcel_queue *queue, hlo_parcel *before) {
  hlo_parcel **link = before == NULL ? &queue->first : &before->next, *parcel = *link;
  *link = parcel->next;
  if (queue->last == parcel) queue->last = before;
  parcel->next = NULL;
  return parcel;
}

hlo_parcel *hlo_parcel_queue_remove(hlo_parcel_queue *queue) {
  return queue->first == NULL ? NULL : unlink_after(queue, NULL);
}

hlo_parcel *hlo_parcel_queue_receive(hlo_parcel_queue *queue, int64_t channel, int32_t sender,
                                     int32_t receiver) {
  hlo_parcel *before = NULL;
  for (hlo_parcel *p = queue->first; p != NULL; before = p, p = p->next) {
    bool is_mine = p->receiver == HLO_ANY_PROCESS || p->receiver == receiver;
    bool is_theirs = sender == HLO_ANY_PROCESS || p->sender == sender;
    if (p->channel == channel && is_mine && is_theirs) return unlink_after(queue, before);
  }
  return NULL;
}

void hlo_parcel_queue_append(hlo_parcel_queue *to, hlo_parcel_queue *from) {
  if (from->first == NULL) return;
  if (to->last != NULL) to->last->next = from->first;
  else to->first = from->first;
  to->last = from->last;
  *from = (hlo_parcel_queue){0};
}

void hlo_parcel_queue_clear(hlo_parcel_queue *queue) {
  for (hlo_parcel *p; (p = hlo_parcel_queue_remove(queue)) != NULL;) hlo_parcel_destroy(p);
}
