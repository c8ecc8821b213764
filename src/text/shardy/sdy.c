// See sdy.h. Source of the syntax: the "SDY dialect" page of Shardy's documentation, and what JAX
// writes.
#include "text/shardy/sdy.h"

#include <string.h>

// --- pretty forms; what stands in brackets is kept as text ---

// Adds the bracketed text at the token, brackets and all, as an attribute's body.
static hlo_status keep_brackets(mlir_parser *p, mlir_operation *op, const char *name, char open,
                                hlo_error *error) {
  mlir_attribute *value;
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DIALECT, &value, error));
  value->text = "sdy";
  value->body = p->token.at;
  HLO_TRY(hlo_mlir_expect(p, open, error));
  HLO_TRY(hlo_mlir_skip_to_close(p, open, error));
  value->body_length = (size_t)(p->taken - value->body);
  return hlo_mlir_add_attribute(p, op, name, value, error);
}

// sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]> {…}
hlo_status hlo_sdy_read_mesh(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_attribute *name, *mesh;
  if (p->token.kind != MLIR_TOKEN_SYMBOL) return hlo_mlir_expected(p, "a symbol (@name)", error);
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_STRING, &name, error));
  HLO_TRY(hlo_mlir_consume_text(p, &name->text, error));
  HLO_TRY(hlo_mlir_add_attribute(p, op, "sym_name", name, error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DIALECT, &mesh, error));
  mesh->body = p->token.at;
  HLO_TRY(hlo_mlir_skip_to_close(p, '<', error));
  HLO_TRY(hlo_mlir_add_attribute(p, op, "mesh", mesh, error));
  return hlo_stablehlo_read_attributes(p, op, error);
}

// sdy.sharding_constraint %x <@mesh, [{"x"}]> : T
hlo_status hlo_sdy_read_sharding(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  mlir_value *operand;
  HLO_TRY(hlo_mlir_operand(p, &operand, error));
  HLO_TRY(hlo_mlir_list_add(p, &operands, operand, error));
  HLO_TRY(keep_brackets(p, op, "sharding", '<', error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  return hlo_stablehlo_read_types(p, op, &operands, error);
}

// sdy.all_gather [{"x"}, {}] %a out_sharding=<@mesh, [{}, {}]> : T: axes in front of the operand,
// if the operation has some, and a sharding after it, which a data_flow_edge may lack.
hlo_status hlo_sdy_read_collective(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  mlir_value *operand;
  bool is_edge = strstr(op->name, "data_flow_edge") != NULL, found = true;
  const char *name = is_edge ? "sharding" : "out_sharding";
  if (p->token.kind == '[' || p->token.kind == '{')
    HLO_TRY(keep_brackets(p, op, "axes", (char)p->token.kind, error));
  HLO_TRY(hlo_mlir_operand(p, &operand, error));
  HLO_TRY(hlo_mlir_list_add(p, &operands, operand, error));
  if (is_edge) HLO_TRY(hlo_mlir_accept_word(p, name, &found, error));
  else HLO_TRY(hlo_mlir_expect_word(p, name, error));
  if (found) {
    HLO_TRY(hlo_mlir_expect(p, '=', error));
    HLO_TRY(keep_brackets(p, op, name, '<', error));
  }
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  return hlo_stablehlo_read_types(p, op, &operands, error);
}

// What follows an operation's shardings: (%b: T) {…} {attributes} : (T) -> T
static hlo_status read_body_and_types(mlir_parser *p, mlir_operation *op, const mlir_list *operands,
                                      hlo_error *error) {
  mlir_list arguments = {0}, regions = {0};
  mlir_value *values;
  mlir_region *region;
  HLO_TRY(hlo_mlir_arguments(p, &arguments, error));
  HLO_TRY(hlo_mlir_gather_values(p, &arguments, &values, error));
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_region_body(p, MLIR_REGION_INNER, values, arguments.count, &region, error));
  HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  hlo_mlir_finish_regions(op, &regions);
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  return hlo_mlir_finish_function_type(p, op, operands, error);
}

// sdy.named_computation<"f">(%a) in_shardings=[…] out_shardings=[…] (%b: T) {…} : (T) -> T
hlo_status hlo_sdy_read_named(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"in_shardings", "out_shardings"};
  mlir_list operands = {0};
  HLO_TRY(keep_brackets(p, op, "name", '<', error));
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ')', error));
  for (int i = 0; i < 2; i++) {
    bool found;
    HLO_TRY(hlo_mlir_accept_word(p, names[i], &found, error));
    if (!found) continue;
    HLO_TRY(hlo_mlir_expect(p, '=', error));
    HLO_TRY(keep_brackets(p, op, names[i], '[', error));
  }
  return read_body_and_types(p, op, &operands, error);
}

// sdy.manual_computation(%a) in_shardings=[…] out_shardings=[…] manual_axes={…} (%b: T) {…} : T
hlo_status hlo_sdy_read_manual(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ')', error));
  static const char *const names[] = {"in_shardings", "out_shardings", "manual_axes"};
  for (int i = 0; i < 3; i++) {
    HLO_TRY(hlo_mlir_expect_word(p, names[i], error));
    HLO_TRY(hlo_mlir_expect(p, '=', error));
    HLO_TRY(keep_brackets(p, op, names[i], i < 2 ? '[' : '{', error));
  }
  return read_body_and_types(p, op, &operands, error);
}

// --- what attributes say ---

typedef hlo_status body_reader(mlir_parser *p, void *out, hlo_error *error);

// Reads the body of the attribute, which the parser has passed already.
static hlo_status read_body(mlir_parser *p, const mlir_attribute *attribute, body_reader *read,
                            void *out, hlo_error *error) {
  const char *resume = p->token.at;
  if (attribute == NULL || attribute->kind != MLIR_DIALECT || attribute->body == NULL) {
    return hlo_mlir_fail_at(p, attribute == NULL ? resume : attribute->at, HLO_PARSE_ERROR, error,
                            "expected an attribute of the sdy dialect");
  }
  HLO_TRY(hlo_mlir_move_to(p, attribute->body, error));
  HLO_TRY(read(p, out, error));
  return hlo_mlir_move_to(p, resume, error);
}

static hlo_status add_axis(mlir_parser *p, sdy_mesh *mesh, hlo_error *error) {
  if (mesh->axis_count == SDY_MAX_AXES) return hlo_mlir_expected(p, "at most 16 axes", error);
  if (p->token.kind != MLIR_TOKEN_STRING) return hlo_mlir_expected(p, "the name of an axis", error);
  HLO_TRY(hlo_mlir_consume_text(p, &mesh->names[mesh->axis_count], error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  int64_t size;
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_integer(p, &size, error));
  if (size < 1 || size > SDY_MAX_DEVICES / mesh->device_count)
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "a mesh has 1 to 4096 devices");
  mesh->device_count *= (int32_t)size;
  mesh->sizes[mesh->axis_count++] = size;
  return HLO_OK;
}

static hlo_status mesh_body(mlir_parser *p, void *out, hlo_error *error) {
  sdy_mesh *mesh = out;
  bool more, ends;
  HLO_TRY(hlo_mlir_expect(p, '[', error));
  HLO_TRY(hlo_mlir_accept(p, ']', &ends, error));
  for (more = !ends; more;) {
    HLO_TRY(add_axis(p, mesh, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ']', error));
  }
  HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  if (!more) return HLO_OK;
  mlir_attribute *ids;
  HLO_TRY(hlo_mlir_expect_word(p, "device_ids", error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_int_list(p, &ids, error));
  if (mesh->axis_count == 0) return HLO_OK; // everything on one device
  uint8_t seen[SDY_MAX_DEVICES] = {0};
  bool fits = ids->count == mesh->device_count;
  for (int32_t i = 0; fits && i < ids->count; i++) {
    fits = ids->ints[i] >= 0 && ids->ints[i] < ids->count && seen[ids->ints[i]]++ == 0;
  }
  if (!fits)
    return hlo_mlir_fail_at(p, ids->at, HLO_PARSE_ERROR, error,
                            "device_ids must name each of the %d devices once",
                            (int)mesh->device_count);
  mesh->device_ids = ids->ints;
  return HLO_OK;
}

hlo_status hlo_sdy_mesh(mlir_parser *p, const mlir_operation *op, sdy_mesh *out, hlo_error *error) {
  *out = (sdy_mesh){.device_count = 1};
  return read_body(p, hlo_mlir_find_attribute(op, "mesh"), mesh_body, out, error);
}

// --- shardings ---

typedef struct sharding_list {
  const char *mesh_name;
  const sdy_mesh *mesh; // NULL: only the first one's is wanted
  int32_t count;
  sdy_sharding *shardings;
  sdy_mesh first; // the mesh that stands in the first sharding
} sharding_list;

static hlo_status read_axis(mlir_parser *p, const sdy_mesh *mesh, int32_t *axis, hlo_error *error) {
  const char *name, *at = p->token.at;
  if (p->token.kind != MLIR_TOKEN_STRING) return hlo_mlir_expected(p, "the name of an axis", error);
  HLO_TRY(hlo_mlir_consume_text(p, &name, error));
  for (*axis = 0; *axis < mesh->axis_count; ++*axis)
    if (strcmp(mesh->names[*axis], name) == 0) break;
  if (*axis == mesh->axis_count)
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the mesh has no axis \"%.*s\"", 100,
                            name);
  return HLO_OK;
}

// "x", "x":(2)4
static hlo_status read_part(mlir_parser *p, const sdy_mesh *mesh, sdy_part *out, hlo_error *error) {
  const char *at = p->token.at;
  bool is_part;
  HLO_TRY(read_axis(p, mesh, &out->axis, error));
  out->slower = 1;
  out->size = mesh->sizes[out->axis];
  HLO_TRY(hlo_mlir_accept(p, ':', &is_part, error));
  if (!is_part) return HLO_OK;
  int64_t whole = out->size;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_integer(p, &out->slower, error));
  HLO_TRY(hlo_mlir_expect(p, ')', error));
  HLO_TRY(hlo_mlir_integer(p, &out->size, error));
  bool fits = out->slower >= 1 && out->size >= 1 && out->slower <= whole && out->size <= whole &&
              whole % (out->slower * out->size) == 0;
  if (fits) return HLO_OK;
  return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                          "an axis of size %lld has no part (%lld)%lld", (long long)whole,
                          (long long)out->slower, (long long)out->size);
}

// No two dimensions, and no dimension twice, are split by the same devices.
static bool overlap(int32_t count, const sdy_part *parts, const sdy_part *part) {
  for (int32_t i = 0; i < count; i++) {
    const sdy_part *other = &parts[i];
    if (other->axis == part->axis && other->slower < part->slower * part->size &&
        part->slower < other->slower * other->size)
      return true;
  }
  return false;
}

static bool is_free(const sdy_sharding *sharding, const sdy_part *part) {
  for (int32_t d = 0; d <= sharding->rank; d++)
    if (overlap(sharding->dimensions[d].count, sharding->dimensions[d].parts, part)) return false;
  return !overlap(sharding->unreduced_count, sharding->unreduced, part);
}

// {"x", "y", ?}p1
static hlo_status read_dimension(mlir_parser *p, const sdy_mesh *mesh, sdy_sharding *out,
                                 hlo_error *error) {
  bool more, ends, is_open;
  if (out->rank == HLO_MAX_RANK) return hlo_mlir_expected(p, "fewer dimensions", error);
  int32_t *count = &out->dimensions[out->rank].count;
  *count = 0;
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_accept(p, '}', &ends, error));
  for (more = !ends; more;) {
    sdy_part part;
    HLO_TRY(hlo_mlir_accept(p, '?', &is_open, error));
    if (!is_open) {
      const char *at = p->token.at;
      HLO_TRY(read_part(p, mesh, &part, error));
      if (*count == SDY_MAX_AXES) return hlo_mlir_expected(p, "fewer axes", error);
      if (!is_free(out, &part))
        return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                                "the axis splits this array already");
      out->dimensions[out->rank].parts[(*count)++] = part;
    }
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, '}', error));
  }
  out->rank++;
  if (p->token.kind == MLIR_TOKEN_WORD && p->token.text[0] == 'p')
    return hlo_mlir_advance(p, error); // a priority
  return HLO_OK;
}

static bool same_mesh(const sdy_mesh *a, const sdy_mesh *b) {
  bool same = a->axis_count == b->axis_count && (a->device_ids == NULL) == (b->device_ids == NULL);
  for (int32_t i = 0; same && i < a->axis_count; i++)
    same = a->sizes[i] == b->sizes[i] && strcmp(a->names[i], b->names[i]) == 0;
  for (int32_t i = 0; same && a->device_ids != NULL && i < a->device_count; i++)
    same = a->device_ids[i] == b->device_ids[i];
  return same;
}

// @mesh, or mesh<["x"=2]> in its place
static hlo_status read_mesh(mlir_parser *p, sharding_list *list, hlo_error *error) {
  const char *name = NULL, *at = p->token.at;
  sdy_mesh mesh = {.device_count = 1};
  if (p->token.kind == MLIR_TOKEN_SYMBOL) {
    HLO_TRY(hlo_mlir_consume_text(p, &name, error));
  } else {
    HLO_TRY(hlo_mlir_expect_word(p, "mesh", error));
    HLO_TRY(hlo_mlir_expect(p, '<', error));
    HLO_TRY(mesh_body(p, &mesh, error));
    HLO_TRY(hlo_mlir_expect(p, '>', error));
  }
  if (list->mesh == NULL) {
    list->mesh_name = name;
    list->first = mesh;
    return HLO_OK;
  }
  bool same = name == NULL ? list->mesh_name == NULL && same_mesh(&mesh, list->mesh)
                           : list->mesh_name != NULL && strcmp(name, list->mesh_name) == 0;
  if (same) return HLO_OK;
  return hlo_mlir_fail_at(p, at, HLO_UNSUPPORTED, error,
                          "all shardings of one operation must be over the same mesh");
}

// replicated={"y"}, unreduced={"z":(1)2}: of those, what is unreduced.
static hlo_status read_other_axes(mlir_parser *p, const sdy_mesh *mesh, sdy_sharding *out,
                                  hlo_error *error) {
  bool is_unreduced, more, ends;
  HLO_TRY(hlo_mlir_accept_word(p, "unreduced", &is_unreduced, error));
  if (!is_unreduced) HLO_TRY(hlo_mlir_expect_word(p, "replicated", error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_accept(p, '}', &ends, error));
  for (more = !ends; more;) {
    sdy_part part;
    const char *at = p->token.at;
    HLO_TRY(read_part(p, mesh, &part, error));
    if (!is_free(out, &part))
      return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the axis splits this array already");
    if (is_unreduced && out->unreduced_count == SDY_MAX_AXES)
      return hlo_mlir_fail_at(p, at, HLO_UNSUPPORTED, error, "more than %d axes", SDY_MAX_AXES);
    if (is_unreduced) out->unreduced[out->unreduced_count++] = part;
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, '}', error));
  }
  return HLO_OK;
}

// @mesh, [{"x"}, {}], replicated={"y"}>
static hlo_status read_inside(mlir_parser *p, sharding_list *list, sdy_sharding *out,
                              hlo_error *error) {
  bool more, ends;
  HLO_TRY(read_mesh(p, list, error));
  if (list->mesh == NULL) return hlo_mlir_skip_to_close(p, '<', error);
  *out = (sdy_sharding){0};
  HLO_TRY(hlo_mlir_expect(p, ',', error));
  HLO_TRY(hlo_mlir_expect(p, '[', error));
  HLO_TRY(hlo_mlir_accept(p, ']', &ends, error));
  for (more = !ends; more;) {
    HLO_TRY(read_dimension(p, list->mesh, out, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ']', error));
  }
  HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  while (more) {
    HLO_TRY(read_other_axes(p, list->mesh, out, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  return hlo_mlir_skip_to_close(p, '<', error);
}

static hlo_status read_one(mlir_parser *p, sharding_list *list, sdy_sharding *out,
                           hlo_error *error) {
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  return read_inside(p, list, out, error);
}

static hlo_status list_body(mlir_parser *p, void *out, hlo_error *error) {
  sharding_list *list = out;
  bool more, ends;
  const char *at = p->token.at;
  int32_t count = 0;
  HLO_TRY(hlo_mlir_accept(p, '[', &more, error));
  if (!more) { // one sharding, in brackets or, in the generic form, without
    HLO_TRY(hlo_mlir_accept(p, '<', NULL, error));
    return read_inside(p, list, list->mesh == NULL ? NULL : list->shardings, error);
  }
  HLO_TRY(hlo_mlir_accept(p, ']', &ends, error));
  for (more = !ends; more; count++) {
    if (list->mesh != NULL && count == list->count) break;
    HLO_TRY(read_one(p, list, list->mesh == NULL ? NULL : &list->shardings[count], error));
    if (list->mesh == NULL) return HLO_OK;
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  if (list->mesh == NULL || (count == list->count && !more)) return HLO_OK;
  return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "expected %d shardings", (int)list->count);
}

hlo_status hlo_sdy_mesh_of(mlir_parser *p, const mlir_attribute *attribute, const char **name,
                           sdy_mesh *out, hlo_error *error) {
  sharding_list list = {0};
  HLO_TRY(read_body(p, attribute, list_body, &list, error));
  *name = list.mesh_name;
  *out = list.first;
  return HLO_OK;
}

hlo_status hlo_sdy_shardings(mlir_parser *p, const mlir_attribute *attribute, const char *mesh_name,
                             const sdy_mesh *mesh, int32_t count, sdy_sharding *out,
                             hlo_error *error) {
  sharding_list list = {.mesh_name = mesh_name, .mesh = mesh, .count = count, .shardings = out};
  return read_body(p, attribute, list_body, &list, error);
}

typedef struct axis_list {
  const sdy_mesh *mesh;
  bool *is_listed;
} axis_list;

static hlo_status axes_body(mlir_parser *p, void *out, hlo_error *error) {
  axis_list *list = out;
  bool more, ends;
  HLO_TRY(hlo_mlir_accept_word(p, "manual_axes", NULL, error)); // in the generic form
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_accept(p, '}', &ends, error));
  for (more = !ends; more;) {
    int32_t axis;
    HLO_TRY(read_axis(p, list->mesh, &axis, error));
    list->is_listed[axis] = true;
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, '}', error));
  }
  return HLO_OK;
}

hlo_status hlo_sdy_axes(mlir_parser *p, const mlir_attribute *attribute, const sdy_mesh *mesh,
                        bool *is_listed, hlo_error *error) {
  axis_list list = {mesh, is_listed};
  return read_body(p, attribute, axes_body, &list, error);
}

// --- which device has what ---

// Where a device, a number in the mesh, is along an axis, and along a part of one.
static int64_t device_coordinate(const sdy_mesh *mesh, int32_t device, int32_t axis) {
  int64_t below = 1;
  for (int32_t a = axis + 1; a < mesh->axis_count; a++) below *= mesh->sizes[a];
  return device / below % mesh->sizes[axis];
}

static int64_t device_place(const sdy_mesh *mesh, int32_t device, const sdy_part *part) {
  int64_t faster = mesh->sizes[part->axis] / (part->slower * part->size);
  return device_coordinate(mesh, device, part->axis) / faster % part->size;
}

int64_t hlo_sdy_parts(const sdy_mesh *mesh, const bool *is_manual, const sdy_sharding *sharding,
                      int32_t dimension, int32_t device, int64_t *which) {
  int64_t parts = 1;
  *which = 0;
  for (int32_t i = 0; i < sharding->dimensions[dimension].count; i++) {
    const sdy_part *part = &sharding->dimensions[dimension].parts[i];
    if (!is_manual[part->axis]) continue;
    parts *= part->size;
    *which = *which * part->size + device_place(mesh, device, part);
  }
  return parts;
}

int32_t hlo_sdy_first_along(const sdy_mesh *mesh, int32_t device, const sdy_part *part) {
  int64_t step = mesh->sizes[part->axis] / (part->slower * part->size);
  for (int32_t a = part->axis + 1; a < mesh->axis_count; a++) step *= mesh->sizes[a];
  return device - (int32_t)(device_place(mesh, device, part) * step);
}

int32_t hlo_sdy_first_share(const sdy_mesh *mesh, const bool *is_manual,
                            const sdy_sharding *sharding, int32_t device) {
  for (int32_t i = 0; i < sharding->unreduced_count; i++)
    if (is_manual[sharding->unreduced[i].axis])
      device = hlo_sdy_first_along(mesh, device, &sharding->unreduced[i]);
  return device;
}
