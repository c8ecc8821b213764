// What a run's interpreter.probe operations saw, for the checks that follow them.
#ifndef HLO_RUN_CALLS_PROBE_H
#define HLO_RUN_CALLS_PROBE_H

#include "shape/literal.h"

typedef struct hlo_probe hlo_probe;
// In the order of the probes. A zero-initialised list is an empty one.
typedef struct hlo_probe_list {
  hlo_probe *first, *last;
} hlo_probe_list;

// Keeps a copy of the elements under the name, whose `length` bytes must live as long as the list.
hlo_status hlo_probe_add(hlo_probe_list *list, const char *name, size_t length,
                         const hlo_view *value, hlo_error *error);
// The value that was added as the `number`th of that name, counted from 0; false: there is none.
bool hlo_probe_lookup(const hlo_probe_list *list, const char *name, size_t length, int64_t number,
                      hlo_view *out);
void hlo_probe_list_clear(hlo_probe_list *list);

#endif
