// See grids.h. The attributes are rewritten as operations of the dialect and read by its parser.
#include "text/shardy/grids.h"

#include "base/string.h"
#include "text/shardy/sdy.h"

#include <string.h>

// The text in quotation marks, or that of the braces, without escapes.
static void add_unescaped(hlo_string *out, const char *text) {
  bool is_quoted = *text == '"';
  for (text += is_quoted; *text != '\0' && !(is_quoted && *text == '"'); text++) {
    if (is_quoted && *text == '\\' && text[1] != '\0') text++;
    hlo_string_add_char(out, *text);
  }
}

// mesh = #sdy.mesh<["x"=2]>, …: an sdy.mesh each.
static hlo_status add_meshes(hlo_string *out, const char *header, hlo_error *error) {
  static const char key[] = "xla.sdy.meshes=", sign[] = "#sdy.mesh<";
  hlo_string meshes = {0};
  const char *at = header == NULL ? NULL : strstr(header, key);
  if (at != NULL) add_unescaped(&meshes, at + strlen(key));
  at = meshes.text == NULL ? "" : meshes.text;
  for (at += *at == '{'; *at != '}' && *at != '\0';) {
    at += strspn(at, ", ");
    size_t name = strcspn(at, " =");
    const char *mesh = strstr(at, sign), *end = mesh == NULL ? NULL : strchr(mesh, '>');
    if (end == NULL) break;
    hlo_string_add(out, "sdy.mesh @");
    hlo_string_add_bytes(out, at, name);
    hlo_string_add(out, " = ");
    mesh += strlen(sign) - 1;
    hlo_string_add_bytes(out, mesh, (size_t)(end - mesh) + 1);
    hlo_string_add_char(out, '\n');
    at = end + 1;
  }
  hlo_status status = hlo_string_status(&meshes, error);
  hlo_string_free(&meshes);
  return status;
}

typedef struct grids {
  mlir_parser parser;
  sdy_mesh mesh;
  bool is_manual[SDY_MAX_AXES];
  sdy_sharding *shardings;
} grids;

static hlo_status find_mesh(grids *g, const mlir_region *top, const char *name, hlo_error *error) {
  for (const mlir_operation *op = top->first; op != NULL; op = op->next) {
    const mlir_attribute *found = hlo_mlir_find_attribute(op, "sym_name");
    if (found != NULL && found->text != NULL && strcmp(found->text, name) == 0)
      return hlo_sdy_mesh(&g->parser, op, &g->mesh, error);
  }
  return hlo_fail(error, HLO_PARSE_ERROR, "the module's xla.sdy.meshes have no mesh %.*s", 100,
                  name);
}

static hlo_status read(grids *g, const hlo_string *text, int32_t count, hlo_arena *arena,
                       hlo_error *error) {
  mlir_region *top;
  const char *name;
  HLO_TRY(hlo_mlir_parse(&g->parser, text->text, text->length, NULL, arena, &top, error));
  const mlir_attribute *all = hlo_mlir_find_attribute(top->last, "shardings");
  HLO_TRY(hlo_sdy_mesh_of(&g->parser, all, &name, &g->mesh, error));
  if (name != NULL) HLO_TRY(find_mesh(g, top, name, error));
  HLO_ALLOC(g->shardings, arena, count, error);
  HLO_TRY(hlo_sdy_shardings(&g->parser, all, name, &g->mesh, count, g->shardings, error));
  return hlo_sdy_axes(&g->parser, hlo_mlir_find_attribute(top->last, "axes"), &g->mesh,
                      g->is_manual, error);
}

static int64_t number_of(const sdy_mesh *mesh, int32_t device) {
  return mesh->device_ids == NULL ? device : mesh->device_ids[device];
}

static hlo_status list_first_shares(const grids *g, const sdy_sharding *sharding, hlo_arena *arena,
                                    hlo_sharding *out, hlo_error *error) {
  int64_t *shares;
  if (sharding->unreduced_count == 0) return HLO_OK;
  HLO_ALLOC(shares, arena, out->device_count, error);
  for (int32_t device = 0; device < out->device_count; device++)
    shares[number_of(&g->mesh, device)] =
        number_of(&g->mesh, hlo_sdy_first_share(&g->mesh, g->is_manual, sharding, device));
  out->first_shares = shares;
  return HLO_OK;
}

// Devices in the order of their parts, those with the same ones by their numbers.
static hlo_status build_grid(const grids *g, const sdy_sharding *sharding, int32_t rank,
                             hlo_arena *arena, hlo_sharding *out, hlo_error *error) {
  const sdy_mesh *mesh = &g->mesh;
  int32_t devices = mesh->device_count < 1 ? 1 : mesh->device_count;
  int64_t cells = 1, *order, *filled, which;
  *out = (hlo_sharding){.device_count = devices};
  if (mesh->axis_count == 0) return HLO_OK; // everything on one device
  if (sharding->rank != rank || rank == HLO_MAX_RANK)
    return hlo_fail(error, HLO_SHAPE_ERROR, "the sharding has %d dimensions, the array %d",
                    (int)sharding->rank, (int)rank);
  for (int32_t d = 0; d < rank; d++) {
    out->tiles[d] = hlo_sdy_parts(mesh, g->is_manual, sharding, d, 0, &which);
    cells *= out->tiles[d];
  }
  out->rank = rank + 1;
  out->tiles[rank] = devices / cells;
  HLO_ALLOC(order, arena, devices, error);
  HLO_ALLOC(filled, arena, cells, error);
  for (int32_t device = 0; device < devices; device++) {
    int64_t cell = 0;
    for (int32_t d = 0; d < rank; d++) {
      hlo_sdy_parts(mesh, g->is_manual, sharding, d, device, &which);
      cell = cell * out->tiles[d] + which;
    }
    order[cell * out->tiles[rank] + filled[cell]++] = number_of(mesh, device);
  }
  out->devices = order;
  return list_first_shares(g, sharding, arena, out, error);
}

hlo_status hlo_sdy_grids(const char *header, const char *shardings, const char *axes, int32_t count,
                         const int32_t *ranks, hlo_arena *arena, hlo_sharding *out,
                         hlo_error *error) {
  hlo_string text = {0};
  grids *g;
  HLO_ALLOC(g, arena, 1, error);
  hlo_status status = add_meshes(&text, header, error);
  hlo_string_add(&text, "\"sdy.shardings\"() {shardings = ");
  add_unescaped(&text, shardings);
  hlo_string_add(&text, ", axes = ");
  add_unescaped(&text, axes);
  hlo_string_add(&text, "} : () -> ()\n");
  if (status == HLO_OK) status = hlo_string_status(&text, error);
  if (status == HLO_OK) status = read(g, &text, count, arena, error);
  for (int32_t i = 0; i < count && status == HLO_OK; i++)
    status = build_grid(g, &g->shardings[i], ranks[i], arena, &out[i], error);
  hlo_mlir_close(&g->parser);
  hlo_string_free(&text);
  return status;
}
