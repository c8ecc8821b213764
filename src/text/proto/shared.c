// Helpers of the reader of serialized modules: tables by id, text, payloads. See hlo_proto.h.
#include "text/proto/hlo_proto.h"

#include <string.h>

enum { KEY_SIZE = 17 }; // 16 letters
enum { PAYLOAD_VALUE = 1, PAYLOAD_NUMBER = 2 };

static void format_key(uint64_t id, char key[KEY_SIZE]) {
  for (int i = 0; i < 16; i++) key[i] = (char)('a' + (id >> (4 * i) & 15));
  key[16] = '\0';
}

void *hlo_proto_find_id(const hlo_name_table *table, uint64_t id) {
  char key[KEY_SIZE];
  format_key(id, key);
  return hlo_name_table_find(table, key, KEY_SIZE - 1);
}

hlo_status hlo_proto_add_id(hlo_proto *p, hlo_name_table *table, uint64_t id, void *value,
                            const char *at, const char *what) {
  char key[KEY_SIZE];
  const char *name;
  format_key(id, key);
  if (hlo_proto_find_id(table, id) != NULL)
    return hlo_proto_fail(&p->reader, at, HLO_PARSE_ERROR, "a second %s has the id %llu", what,
                          (unsigned long long)id);
  return hlo_name_table_add(table, &p->parser.lists, key, value, &name, p->parser.error);
}

hlo_computation *hlo_proto_find_computation(hlo_proto *p, uint64_t id, const char *at) {
  hlo_computation *found = hlo_proto_find_id(&p->computations, id);
  if (found == NULL)
    hlo_proto_fail(&p->reader, at, HLO_PARSE_ERROR, "no computation has the id %llu",
                   (unsigned long long)id);
  return found;
}

hlo_status hlo_proto_check_length(hlo_proto *p, const char *at) {
  enum { AT_LEAST = 1 << 20, PER_BYTE = 256 };
  if (p->reader.status != HLO_OK) return p->reader.status;
  size_t more = p->text.length > AT_LEAST ? p->text.length - AT_LEAST : 0;
  if ((p->written + more) / PER_BYTE <= p->length) return HLO_OK;
  return hlo_proto_fail(&p->reader, at, HLO_PARSE_ERROR,
                        "the instructions up to here say more than a file of %zu bytes should",
                        p->length);
}

hlo_status hlo_proto_keep_text(hlo_proto *p, proto_message text, const char **out) {
  size_t length = hlo_proto_length(text);
  *out = NULL;
  if (length == 0 || p->reader.status != HLO_OK) return p->reader.status;
  const char *zero = memchr(text.at, 0, length);
  if (zero != NULL)
    return hlo_proto_fail(&p->reader, zero, HLO_PARSE_ERROR, "there is a zero byte in a name");
  *out = hlo_arena_copy_text(&p->parser.module->arena, text.at, length);
  return *out == NULL ? hlo_fail_out_of_memory(p->parser.error) : HLO_OK;
}

proto_message hlo_proto_payload(hlo_proto *p, proto_message payload) {
  proto_message value = hlo_proto_bytes(&p->reader, payload, PAYLOAD_VALUE);
  if (value.at != NULL) return value;
  int64_t number = hlo_proto_int(&p->reader, payload, PAYLOAD_NUMBER);
  bool is_known = number >= 0 && number < p->payload_count;
  return is_known ? p->payloads[number] : (proto_message){0};
}
