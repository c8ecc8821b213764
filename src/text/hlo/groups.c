// Reads groups of devices in the forms that do not list them: [2,4]<=[4,2]T(1,0) and
// mesh['x'=2,'y'=4] {'y'}. Writes the groups out.
//
// Both forms mean: number devices row-major in an array (dims), transpose it, and split the result,
// in row-major order, into groups of equal size.
#include "text/hlo/parser.h"

#include "base/checked.h"

#include <string.h>

enum { MAX_DEVICES = 1 << 20 };

typedef struct device_array {
  int32_t rank;
  int64_t dims[HLO_MAX_RANK];
  int32_t order_count; // dimensions in the order in which the result reads them, slowest first
  int64_t order[HLO_MAX_RANK];
  int64_t group_size;
} device_array;

// Product of sizes[0..count), each positive.
static hlo_status count_devices(hlo_parser *parser, const char *at, int32_t count,
                                const int64_t *sizes, int64_t *out) {
  int64_t product = 1;
  for (int32_t i = 0; i < count; i++) {
    if (sizes[i] <= 0) return HLO_PARSER_FAIL(parser, at, "sizes here must be positive");
    if (!hlo_checked_mul(product, sizes[i], &product) || product > MAX_DEVICES)
      return HLO_PARSER_FAIL(parser, at, "these groups have more than %d members", MAX_DEVICES);
  }
  *out = product;
  return HLO_OK;
}

// Takes what was added to parser->integers since `first` off again.
static hlo_status pop_dims(hlo_parser *parser, const char *at, int32_t first, int32_t *count,
                           int64_t *out) {
  hlo_integers *list = &parser->integers;
  *count = list->count - first;
  if (*count > HLO_MAX_RANK)
    return HLO_PARSER_FAIL(parser, at, "there are more than %d dimensions here", HLO_MAX_RANK);
  if (*count > 0) memcpy(out, list->data + first, (size_t)*count * sizeof *out);
  list->count = first;
  return HLO_OK;
}

// "[dims]" and perhaps "T(order)".
static hlo_status parse_array(hlo_parser *parser, device_array *array, int64_t *devices) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_lexer_skip(lexer);
  const char *at = lexer->at;
  int32_t first = parser->integers.count;
  HLO_TRY(hlo_parser_int_list(parser, "[", "]"));
  HLO_TRY(pop_dims(parser, at, first, &array->rank, array->dims));
  HLO_TRY(count_devices(parser, at, array->rank, array->dims, devices));
  array->order_count = array->rank;
  for (int32_t i = 0; i < array->rank; i++) array->order[i] = i;
  if (!hlo_lexer_accept(lexer, "T")) return HLO_OK;
  HLO_TRY(hlo_parser_int_list(parser, "(", ")"));
  HLO_TRY(pop_dims(parser, at, first, &array->order_count, array->order));
  uint64_t seen = 0, all = 0;
  for (int32_t i = 0; i < array->rank; i++) all |= (uint64_t)1 << i;
  for (int32_t i = 0; i < array->order_count; i++)
    if (array->order[i] >= 0 && array->order[i] < array->rank)
      seen |= (uint64_t)1 << array->order[i];
  if (array->order_count != array->rank || seen != all)
    return HLO_PARSER_FAIL(parser, at, "T(...) is no permutation of %d dimensions", array->rank);
  return HLO_OK;
}

// Adds the array's device numbers in its order to parser->integers.
static hlo_status add_devices(hlo_parser *parser, const device_array *array) {
  int64_t strides[HLO_MAX_RANK], dims[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0};
  int64_t stride = 1;
  for (int32_t i = array->rank - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= array->dims[i];
  }
  for (int32_t i = 0; i < array->rank; i++) dims[i] = array->dims[array->order[i]];
  do {
    int64_t device = 0;
    for (int32_t i = 0; i < array->rank; i++) device += index[i] * strides[array->order[i]];
    HLO_TRY(hlo_parser_push_int(parser, &parser->integers, device));
  } while (hlo_next_index(array->rank, dims, index));
  return HLO_OK;
}

static hlo_status add_rows(hlo_parser *parser, int64_t rows, int64_t size) {
  for (int64_t i = 0; i < rows; i++) HLO_TRY(hlo_parser_push_int(parser, &parser->rows, size));
  return HLO_OK;
}

// "[groups,size]<=[dims]T(order)"
static hlo_status parse_iota(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  const char *at = lexer->at;
  int64_t sizes[HLO_MAX_RANK], members, devices;
  int32_t count;
  HLO_TRY(hlo_parser_int_list(parser, "[", "]"));
  HLO_TRY(pop_dims(parser, at, 0, &count, sizes));
  if (count != 2)
    return HLO_PARSER_FAIL(parser, at, "expected [groups,size of a group], found %d sizes", count);
  HLO_TRY(count_devices(parser, at, count, sizes, &members));
  HLO_TRY(hlo_lexer_expect(lexer, "<="));
  device_array array;
  HLO_TRY(parse_array(parser, &array, &devices));
  if (members != devices)
    return HLO_PARSER_FAIL(parser, at, "%lld members of groups do not fit %lld devices",
                           (long long)members, (long long)devices);
  HLO_TRY(add_devices(parser, &array));
  return add_rows(parser, sizes[0], sizes[1]);
}

// --- meshes ---

// A part of a mesh axis that a group spans: the middle one if the axis is taken as an array of
// dimensions [before, size, rest]. The whole axis has before 1.
typedef struct axis_part {
  int32_t axis;
  int64_t before, size;
} axis_part;

typedef struct mesh {
  int32_t axis_count;
  hlo_token names[HLO_MAX_RANK];
  int64_t sizes[HLO_MAX_RANK];
  int32_t part_count;
  axis_part parts[HLO_MAX_RANK];
} mesh;

// "'x'=2,'y'=4]"
static hlo_status parse_axes(hlo_parser *parser, mesh *mesh) {
  hlo_lexer *lexer = &parser->lexer;
  if (hlo_lexer_accept(lexer, "]")) return HLO_OK;
  do {
    if (mesh->axis_count == HLO_MAX_RANK)
      return HLO_PARSER_FAIL(parser, lexer->at, "a mesh has at most %d axes", HLO_MAX_RANK);
    int32_t i = mesh->axis_count++;
    HLO_TRY(hlo_lexer_string(lexer, &parser->scratch, &mesh->names[i]));
    HLO_TRY(hlo_lexer_expect(lexer, "="));
    HLO_TRY(hlo_lexer_int(lexer, "the size of an axis", &mesh->sizes[i]));
  } while (hlo_lexer_accept(lexer, ","));
  return hlo_lexer_expect(lexer, "]");
}

// ", device_ids=([4,2]T(1,0))" or ", device_ids=(3,2,1,0)": which device stands where in the mesh.
// Added to parser->integers; without it, devices stand in order.
static hlo_status parse_device_ids(hlo_parser *parser, int64_t count) {
  hlo_lexer *lexer = &parser->lexer;
  device_array array = {.rank = 1, .dims = {count}, .order_count = 1};
  hlo_token word;
  if (!hlo_lexer_accept(lexer, ",")) return add_devices(parser, &array);
  HLO_TRY(hlo_lexer_word(lexer, "device_ids", &word));
  if (!hlo_token_is(word, "device_ids"))
    return HLO_PARSER_FAIL(parser, word.at, "expected device_ids");
  HLO_TRY(hlo_lexer_expect(lexer, "="));
  hlo_lexer_skip(lexer);
  const char *at = lexer->at;
  hlo_lexer ahead = *lexer;
  if (hlo_lexer_accept(&ahead, "(") && hlo_lexer_peek(&ahead) == '[') {
    int64_t devices;
    *lexer = ahead;
    HLO_TRY(parse_array(parser, &array, &devices));
    HLO_TRY(hlo_lexer_expect(lexer, ")"));
    if (devices != count)
      return HLO_PARSER_FAIL(parser, at, "%lld devices do not fit a mesh of %lld",
                             (long long)devices, (long long)count);
    return add_devices(parser, &array);
  }
  HLO_TRY(hlo_parser_int_list(parser, "(", ")"));
  if (parser->integers.count != count)
    return HLO_PARSER_FAIL(parser, at, "%d devices do not fit a mesh of %lld",
                           parser->integers.count, (long long)count);
  return HLO_OK;
}

// "'y'" or "'y':(before)size"
static hlo_status parse_part(hlo_parser *parser, mesh *mesh) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_token name;
  HLO_TRY(hlo_lexer_string(lexer, &parser->scratch, &name));
  if (mesh->part_count == HLO_MAX_RANK)
    return HLO_PARSER_FAIL(parser, name.at, "at most %d axes are possible", HLO_MAX_RANK);
  axis_part part = {.before = 1};
  while (part.axis < mesh->axis_count &&
         (mesh->names[part.axis].length != name.length ||
          memcmp(mesh->names[part.axis].text, name.text, name.length) != 0))
    part.axis++;
  if (part.axis == mesh->axis_count)
    return HLO_PARSER_FAIL(parser, name.at, "the mesh has no axis '%.*s'", hlo_token_shown(name),
                           name.text);
  int64_t whole = part.size = mesh->sizes[part.axis];
  if (hlo_lexer_accept(lexer, ":")) {
    HLO_TRY(hlo_lexer_expect(lexer, "("));
    HLO_TRY(hlo_lexer_int(lexer, "the size before", &part.before));
    HLO_TRY(hlo_lexer_expect(lexer, ")"));
    HLO_TRY(hlo_lexer_int(lexer, "the size", &part.size));
  }
  if (part.before < 1 || part.size < 1 || part.before > whole || whole % part.before != 0 ||
      whole / part.before % part.size != 0)
    return HLO_PARSER_FAIL(parser, name.at, "(%lld)%lld does not divide an axis of %lld",
                           (long long)part.before, (long long)part.size, (long long)whole);
  mesh->parts[mesh->part_count++] = part;
  return HLO_OK;
}

static hlo_status add_dimension(hlo_parser *parser, const char *at, device_array *array,
                                int64_t size) {
  if (array->rank == HLO_MAX_RANK)
    return HLO_PARSER_FAIL(parser, at, "this mesh has too many parts");
  array->dims[array->rank++] = size;
  return HLO_OK;
}

// Cuts one axis at its parts: their dimensions go into `dimension`, by part, the others into the
// order of the array.
static hlo_status cut_axis(hlo_parser *parser, const char *at, const mesh *mesh, int32_t axis,
                           device_array *array, int32_t *dimension) {
  int64_t done = 1;
  for (;;) {
    int32_t next = -1; // the part with the least `before` that is left
    for (int32_t i = 0; i < mesh->part_count; i++) {
      const axis_part *part = &mesh->parts[i];
      if (part->axis == axis && dimension[i] < 0 &&
          (next < 0 || part->before < mesh->parts[next].before))
        next = i;
    }
    int64_t before = next < 0 ? mesh->sizes[axis] : mesh->parts[next].before;
    if (before % done != 0) return HLO_PARSER_FAIL(parser, at, "parts of an axis overlap");
    if (before > done) {
      HLO_TRY(add_dimension(parser, at, array, before / done));
      array->order[array->order_count++] = array->rank - 1;
    }
    if (next < 0) return HLO_OK;
    dimension[next] = array->rank;
    HLO_TRY(add_dimension(parser, at, array, mesh->parts[next].size));
    done = before * mesh->parts[next].size;
  }
}

// Groups vary over the parts in the order given, whatever is left numbers the groups.
static hlo_status arrange_mesh(hlo_parser *parser, const char *at, const mesh *mesh,
                               device_array *array) {
  int32_t dimension[HLO_MAX_RANK];
  *array = (device_array){.group_size = 1};
  for (int32_t i = 0; i < mesh->part_count; i++) dimension[i] = -1;
  for (int32_t axis = 0; axis < mesh->axis_count; axis++)
    HLO_TRY(cut_axis(parser, at, mesh, axis, array, dimension));
  for (int32_t i = 0; i < mesh->part_count; i++) {
    array->order[array->order_count++] = dimension[i];
    array->group_size *= mesh->parts[i].size;
  }
  return HLO_OK;
}

// "mesh['x'=2,'y'=4], device_ids=(…) {'y'}"; the word was read.
static hlo_status parse_mesh(hlo_parser *parser, const char *at) {
  hlo_lexer *lexer = &parser->lexer;
  mesh mesh = {0};
  device_array array;
  int64_t devices;
  HLO_TRY(hlo_lexer_expect(lexer, "["));
  HLO_TRY(parse_axes(parser, &mesh));
  HLO_TRY(count_devices(parser, at, mesh.axis_count, mesh.sizes, &devices));
  HLO_TRY(parse_device_ids(parser, devices));
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  if (!hlo_lexer_accept(lexer, "}")) {
    do HLO_TRY(parse_part(parser, &mesh));
    while (hlo_lexer_accept(lexer, ","));
    HLO_TRY(hlo_lexer_expect(lexer, "}"));
  }
  HLO_TRY(arrange_mesh(parser, at, &mesh, &array));
  // Positions in the mesh after the ids, replaced by the ids, which then go.
  int32_t count = (int32_t)devices;
  HLO_TRY(add_devices(parser, &array));
  int64_t *list = parser->integers.data;
  for (int32_t i = 0; i < count; i++) list[count + i] = list[list[count + i]];
  memmove(list, list + count, (size_t)count * sizeof *list);
  parser->integers.count = count;
  return add_rows(parser, devices / array.group_size, array.group_size);
}

hlo_status hlo_parser_compact_groups(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  const char *at = lexer->at;
  if (hlo_lexer_accept_word(lexer, "mesh")) return parse_mesh(parser, at);
  if (hlo_lexer_peek(lexer) == '[') return parse_iota(parser);
  return hlo_lexer_expected(lexer, "'{', '[' or mesh");
}
