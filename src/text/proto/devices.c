// Groups of devices and shardings of serialized HLO modules, as HLO text has them. See hlo_proto.h.
#include "text/proto/hlo_proto.h"

// --- meshes ---

enum { AXIS_INDEX = 1, AXIS_PART = 2, PART_BEFORE = 1, PART_SIZE = 2 };
enum { MESH_AXES = 1, MESH_DEVICES = 2, MESH_ORDER = 3, AXIS_NAME = 1, AXIS_SIZE = 2 };
enum { ORDER_DIMENSIONS = 1, ORDER_PERMUTATION = 2 };

static void write_name(hlo_proto *p, proto_message name) {
  bool is_plain = name.at < name.end;
  for (const char *at = name.at; at < name.end; at++)
    is_plain = is_plain && *at > ' ' && *at < 0x7f && *at != '\'' && *at != '\\';
  if (is_plain) hlo_string_add_format(&p->text, "'%.*s'", (int)hlo_proto_length(name), name.at);
  else hlo_proto_write_quoted(p, name);
}

// "[4,2]T(1,0)"; of one dimension there is one order.
static void write_order(hlo_proto *p, proto_message message, uint32_t dimensions,
                        uint32_t permutation) {
  hlo_proto_write_ints(p, message, dimensions, "[]");
  if (hlo_proto_count(&p->reader, hlo_proto_numbers(message, permutation)) < 2) return;
  hlo_string_add_char(&p->text, 'T');
  hlo_proto_write_ints(p, message, permutation, "()");
}

// The names of a mesh's axes.
typedef struct axis_names {
  int32_t count;
  proto_message names[HLO_MAX_RANK];
} axis_names;

// "mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0))"
static void write_mesh(hlo_proto *p, proto_message mesh, axis_names *names) {
  proto_message rest = mesh, axis;
  names->count = 0;
  proto_message order = hlo_proto_bytes(&p->reader, mesh, MESH_ORDER);
  hlo_string_add(&p->text, "mesh[");
  for (const char *before = ""; hlo_proto_next_bytes(&p->reader, &rest, MESH_AXES, &axis);
       before = ",") {
    proto_message name = hlo_proto_bytes(&p->reader, axis, AXIS_NAME);
    if (names->count < HLO_MAX_RANK) names->names[names->count++] = name;
    hlo_string_add(&p->text, before);
    write_name(p, name);
    hlo_string_add_format(&p->text, "=%lld", (long long)hlo_proto_int(&p->reader, axis, AXIS_SIZE));
  }
  size_t start = p->text.length + 1;
  hlo_string_add(&p->text, "], device_ids=(");
  if (order.at != NULL) write_order(p, order, ORDER_DIMENSIONS, ORDER_PERMUTATION);
  else if (!hlo_proto_write_ints(p, mesh, MESH_DEVICES, "")) {
    hlo_proto_truncate_text(p, start);
    return;
  }
  hlo_string_add_char(&p->text, ')');
}

// "{'y','x':(2)2}" of the axes in a field, or what stands in it. False: there are none.
static bool write_axes(hlo_proto *p, const axis_names *names, proto_message message,
                       uint32_t number) {
  proto_message axis;
  bool is_first = true;
  for (; hlo_proto_next_bytes(&p->reader, &message, number, &axis); is_first = false) {
    proto_message part = hlo_proto_bytes(&p->reader, axis, AXIS_PART);
    if (!is_first) hlo_string_add_char(&p->text, ',');
    int64_t index = hlo_proto_int(&p->reader, axis, AXIS_INDEX);
    bool is_known = index >= 0 && index < names->count;
    write_name(p, is_known ? names->names[index] : (proto_message){0});
    if (part.at != NULL)
      hlo_string_add_format(&p->text, ":(%lld)%lld",
                            (long long)hlo_proto_int(&p->reader, part, PART_BEFORE),
                            (long long)hlo_proto_int(&p->reader, part, PART_SIZE));
    if (hlo_proto_check_length(p, axis.at) != HLO_OK) return false;
  }
  return !is_first;
}

// --- groups ---

bool hlo_proto_write_listed_groups(hlo_proto *p, const proto_instruction *x,
                                   proto_message message) {
  enum { GROUPS = 1, MEMBERS = 1 };
  proto_message group;
  bool is_first = true;
  (void)x;
  if (message.at == NULL) return false;
  hlo_string_add_char(&p->text, '{');
  for (; hlo_proto_next_bytes(&p->reader, &message, GROUPS, &group); is_first = false) {
    if (!is_first) hlo_string_add_char(&p->text, ',');
    hlo_proto_write_ints(p, group, MEMBERS, "{}");
  }
  hlo_string_add_char(&p->text, '}');
  return true;
}

// "[2,4]<=[4,2]T(1,0)"
bool hlo_proto_write_iota_groups(hlo_proto *p, const proto_instruction *x, proto_message message) {
  enum { GROUPS = 1, SIZE = 2, DIMENSIONS = 3, PERMUTATION = 4 };
  (void)x;
  if (message.at == NULL) return false;
  hlo_string_add_format(&p->text,
                        "[%lld,%lld]<=", (long long)hlo_proto_int(&p->reader, message, GROUPS),
                        (long long)hlo_proto_int(&p->reader, message, SIZE));
  write_order(p, message, DIMENSIONS, PERMUTATION);
  return true;
}

bool hlo_proto_write_mesh_groups(hlo_proto *p, const proto_instruction *x, proto_message message) {
  enum { MESH = 1, AXES = 2 };
  (void)x;
  if (message.at == NULL) return false;
  axis_names names;
  write_mesh(p, hlo_proto_bytes(&p->reader, message, MESH), &names);
  hlo_string_add(&p->text, " {");
  write_axes(p, &names, message, AXES);
  hlo_string_add_char(&p->text, '}');
  return true;
}

// --- shardings ---

enum {
  SHARDING_KIND = 1,
  SHARDING_TILES = 3,
  SHARDING_DEVICES = 4,
  SHARDING_ELEMENTS = 5,
  SHARDING_LAST_REPLICATED = 6,
  SHARDING_METADATA = 7,
  SHARDING_LAST_KINDS = 8,
  SHARDING_DIMENSIONS = 9,
  SHARDING_PERMUTATION = 10,
  SHARDING_IS_GROUP = 11,
  SHARDING_GROUP = 12,
  SHARDING_GROUP_KIND = 13,
  SHARDING_NAMED = 14,
};
enum { KIND_MAXIMAL = 1, KIND_TUPLE = 2, KIND_TILED = 3, KIND_COUNT = 7 };
static const char *const kinds[KIND_COUNT] = {
    "replicated", "maximal device=", "tuple", "devices=", "manual", "unknown", "unreduced"};

static void write_kind(hlo_proto *p, const char *at, int64_t kind) {
  if (kind >= 0 && kind < KIND_COUNT) hlo_string_add(&p->text, kinds[kind]);
  else
    hlo_proto_fail(&p->reader, at, HLO_UNSUPPORTED, "there is no sharding of kind %lld here",
                   (long long)kind);
}

// "metadata={op_name="x"}", with one more pair of braces around several, or as a named sharding has
// it.
static void write_metadata(hlo_proto *p, proto_message sharding, uint32_t number,
                           bool is_always_list) {
  proto_message rest = sharding, one;
  int64_t count = 0;
  while (hlo_proto_next_bytes(&p->reader, &rest, number, &one)) count++;
  if (count == 0) return;
  bool is_list = is_always_list || count > 1, is_first = true;
  hlo_string_add(&p->text, is_list ? "metadata={" : "metadata=");
  for (; hlo_proto_next_bytes(&p->reader, &sharding, number, &one); is_first = false) {
    if (!is_first) hlo_string_add(&p->text, ", ");
    if (!hlo_proto_write_metadata(p, NULL, one)) hlo_string_add(&p->text, "{}");
  }
  if (is_list) hlo_string_add_char(&p->text, '}');
}

// "devices=[2,1,2]<=[4] last_tile_dims={manual}", after the '='.
static void write_tiles(hlo_proto *p, proto_message sharding) {
  hlo_proto_write_ints(p, sharding, SHARDING_TILES, "[]");
  if (hlo_proto_count(&p->reader, hlo_proto_numbers(sharding, SHARDING_DIMENSIONS)) > 0) {
    hlo_string_add(&p->text, "<=");
    write_order(p, sharding, SHARDING_DIMENSIONS, SHARDING_PERMUTATION);
  } else {
    hlo_proto_write_ints(p, sharding, SHARDING_DEVICES, "");
  }
  if (hlo_proto_int(&p->reader, sharding, SHARDING_LAST_REPLICATED) != 0)
    hlo_string_add(&p->text, " last_tile_dim_replicate");
  proto_numbers last = hlo_proto_numbers(sharding, SHARDING_LAST_KINDS);
  const char *before = " last_tile_dims={";
  for (int64_t kind; hlo_proto_next_number(&p->reader, &last, &kind); before = ", ") {
    hlo_string_add(&p->text, before);
    write_kind(p, sharding.at, kind);
  }
  if (*before == ',') hlo_string_add_char(&p->text, '}');
}

// "{mesh['x'=2], [{'x', ?}, {}], replicated={'y'}}"
static void write_named(hlo_proto *p, proto_message sharding) {
  enum { MESH = 2, DIMENSIONS = 3, METADATA = 6, AXES = 1, IS_CLOSED = 2 };
  static const struct {
    const char *before;
    uint32_t field;
  } lists[] = {{", replicated={", 4}, {", unreduced={", 5}, {", manual={", 7}};
  proto_message rest = sharding, dimension;
  axis_names names;
  hlo_string_add_char(&p->text, '{');
  write_mesh(p, hlo_proto_bytes(&p->reader, sharding, MESH), &names);
  hlo_string_add(&p->text, ", [");
  for (const char *before = "{"; hlo_proto_next_bytes(&p->reader, &rest, DIMENSIONS, &dimension);
       before = ", {") {
    hlo_string_add(&p->text, before);
    bool has_axes = write_axes(p, &names, dimension, AXES);
    if (hlo_proto_int(&p->reader, dimension, IS_CLOSED) == 0)
      hlo_string_add(&p->text, has_axes ? ", ?" : "?");
    hlo_string_add_char(&p->text, '}');
  }
  hlo_string_add_char(&p->text, ']');
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    size_t start = p->text.length;
    hlo_string_add(&p->text, lists[i].before);
    if (write_axes(p, &names, sharding, lists[i].field)) hlo_string_add_char(&p->text, '}');
    else hlo_proto_truncate_text(p, start);
  }
  size_t start = p->text.length, behind = start + 2;
  hlo_string_add(&p->text, ", ");
  write_metadata(p, sharding, METADATA, true);
  if (p->text.length == behind) hlo_proto_truncate_text(p, start);
  hlo_string_add_char(&p->text, '}');
}

static void write_one(hlo_proto *p, proto_message sharding) {
  proto_message named = hlo_proto_bytes(&p->reader, sharding, SHARDING_NAMED);
  if (named.at != NULL) {
    write_named(p, named);
    return;
  }
  int64_t kind = hlo_proto_int(&p->reader, sharding, SHARDING_KIND);
  hlo_string_add_char(&p->text, '{');
  write_kind(p, sharding.at, kind);
  if (kind == KIND_MAXIMAL) hlo_proto_write_ints(p, sharding, SHARDING_DEVICES, "");
  if (kind == KIND_TILED) write_tiles(p, sharding);
  size_t start = p->text.length, behind = start + 1;
  hlo_string_add_char(&p->text, ' ');
  write_metadata(p, sharding, SHARDING_METADATA, false);
  if (p->text.length == behind) hlo_proto_truncate_text(p, start);
  if (hlo_proto_int(&p->reader, sharding, SHARDING_IS_GROUP) != 0) {
    bool is_like = hlo_proto_int(&p->reader, sharding, SHARDING_GROUP_KIND) != 0;
    hlo_string_add_format(&p->text, is_like ? " shard_like %lld" : " shard_as %lld",
                          (long long)hlo_proto_int(&p->reader, sharding, SHARDING_GROUP));
  }
  hlo_string_add_char(&p->text, '}');
}

bool hlo_proto_write_sharding(hlo_proto *p, const proto_instruction *x, proto_message sharding) {
  (void)x;
  if (sharding.at == NULL) return false;
  if (hlo_proto_int(&p->reader, sharding, SHARDING_KIND) != KIND_TUPLE) {
    write_one(p, sharding);
    return true;
  }
  proto_message element;
  hlo_string_add_char(&p->text, '{');
  for (const char *before = "";
       hlo_proto_next_bytes(&p->reader, &sharding, SHARDING_ELEMENTS, &element); before = ", ") {
    hlo_string_add(&p->text, before);
    write_one(p, element);
  }
  hlo_string_add_char(&p->text, '}');
  return true;
}
