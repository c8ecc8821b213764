// Values that were probed, in memory. See probe.h.
#include "run/calls/probe.h"

#include "base/arena.h"

#include <string.h>

struct hlo_probe {
  hlo_probe *next;
  const char *name;
  size_t name_length;
  hlo_view value; // of the elements below
  _Alignas(16) char elements[];
};

hlo_status hlo_probe_add(hlo_probe_list *list, const char *name, size_t length,
                         const hlo_view *value, hlo_error *error) {
  size_t bytes = (size_t)hlo_view_elements(value) * (size_t)hlo_type_bytes(value->type);
  hlo_probe *probe = hlo_memory_alloc(sizeof *probe + bytes);
  if (probe == NULL) return hlo_fail_out_of_memory(error);
  *probe = (hlo_probe){.name = name, .name_length = length, .value = *value};
  probe->value.data = probe->elements;
  int64_t stride = 1;
  for (int32_t d = value->rank - 1; d >= 0; d--) {
    probe->value.strides[d] = stride;
    stride *= value->dims[d];
  }
  hlo_view_copy(&probe->value, value);
  if (list->last == NULL) list->first = probe;
  else list->last->next = probe;
  list->last = probe;
  return HLO_OK;
}

bool hlo_probe_lookup(const hlo_probe_list *list, const char *name, size_t length, int64_t number,
                      hlo_view *out) {
  for (const hlo_probe *probe = list->first; probe != NULL; probe = probe->next) {
    if (probe->name_length != length || memcmp(probe->name, name, length) != 0) continue;
    if (number-- > 0) continue;
    *out = probe->value;
    return true;
  }
  return false;
}

void hlo_probe_list_clear(hlo_probe_list *list) {
  while (list->first != NULL) {
    hlo_probe *next = list->first->next;
    hlo_memory_release(list->first);
    list->first = next;
  }
  list->last = NULL;
}
