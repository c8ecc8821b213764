// See sharding.h. Source of the syntax: what JAX and XLA print.
#include "hlo/attributes/sharding.h"

#include "shape/scan.h"

#include <string.h>

// [2,1,2], at most HLO_MAX_RANK numbers whose product is a number of devices.
static hlo_status read_list(hlo_scan *scan, int32_t *count, int64_t *numbers, int64_t *product) {
  *count = 0;
  *product = 1;
  HLO_TRY(hlo_scan_expect(scan, '['));
  do {
    int64_t number;
    if (*count == HLO_MAX_RANK) return hlo_scan_expected(scan, "fewer dimensions");
    const char *at = scan->at;
    HLO_TRY(hlo_scan_size(scan, &number));
    if (number < 1 || number > HLO_SHARDING_MOST_DEVICES / *product)
      return hlo_scan_fail(scan, at, HLO_PARSE_ERROR, "a sharding is over 1 to %d devices",
                           HLO_SHARDING_MOST_DEVICES);
    numbers[(*count)++] = number;
    *product *= number;
  } while (hlo_scan_accept(scan, ','));
  return hlo_scan_expect(scan, ']');
}

// T(1,0): how the dimensions of the counted grid come to stand.
static hlo_status read_order(hlo_scan *scan, int32_t rank, int32_t *order) {
  uint32_t seen = 0;
  for (int32_t i = 0; i < rank; i++) order[i] = i;
  if (!hlo_scan_accept(scan, 'T')) return HLO_OK;
  HLO_TRY(hlo_scan_expect(scan, '('));
  for (int32_t i = 0; i < rank; i++) {
    int64_t dimension;
    const char *at = scan->at;
    if (i > 0) HLO_TRY(hlo_scan_expect(scan, ','));
    HLO_TRY(hlo_scan_size(scan, &dimension));
    if (dimension >= rank || (seen >> dimension & 1) != 0)
      return hlo_scan_fail(scan, at, HLO_PARSE_ERROR, "T(…) must name each dimension once");
    seen |= 1U << dimension;
    order[i] = (int32_t)dimension;
  }
  return hlo_scan_expect(scan, ')');
}

// <=[2,2]T(1,0): 0, 1, … counted in a grid, then transposed.
static hlo_status count_devices(hlo_scan *scan, int32_t count, int64_t *devices) {
  int64_t dims[HLO_MAX_RANK], strides[HLO_MAX_RANK], product;
  int32_t rank, order[HLO_MAX_RANK];
  HLO_TRY(hlo_scan_expect(scan, '<'));
  HLO_TRY(hlo_scan_expect(scan, '='));
  const char *at = scan->at;
  HLO_TRY(read_list(scan, &rank, dims, &product));
  if (product != count)
    return hlo_scan_fail(scan, at, HLO_PARSE_ERROR, "expected a grid of %d devices", (int)count);
  HLO_TRY(read_order(scan, rank, order));
  strides[rank - 1] = 1;
  for (int32_t d = rank - 1; d > 0; d--) strides[d - 1] = strides[d] * dims[d];
  for (int32_t i = 0; i < count; i++) {
    int64_t rest = i, device = 0;
    for (int32_t k = rank - 1; k >= 0; k--) {
      device += rest % dims[order[k]] * strides[order[k]];
      rest /= dims[order[k]];
    }
    devices[i] = device;
  }
  return HLO_OK;
}

// 0,2,1,3
static hlo_status list_devices(hlo_scan *scan, int32_t count, int64_t *devices) {
  uint8_t seen[HLO_SHARDING_MOST_DEVICES] = {0};
  for (int32_t i = 0; i < count; i++) {
    const char *at = scan->at;
    if (i > 0) HLO_TRY(hlo_scan_expect(scan, ','));
    HLO_TRY(hlo_scan_size(scan, &devices[i]));
    if (devices[i] >= count || seen[devices[i]]++ != 0)
      return hlo_scan_fail(scan, at, HLO_PARSE_ERROR, "each of the %d devices must stand here once",
                           (int)count);
  }
  return HLO_OK;
}

static hlo_status read_grid(hlo_scan *scan, hlo_arena *arena, hlo_sharding *out) {
  int64_t count, *devices;
  HLO_TRY(hlo_scan_expect(scan, '='));
  HLO_TRY(read_list(scan, &out->rank, out->tiles, &count));
  out->device_count = (int32_t)count;
  HLO_ALLOC(devices, arena, count, scan->error);
  out->devices = devices;
  return hlo_scan_peek(scan, '<') ? count_devices(scan, out->device_count, devices)
                                  : list_devices(scan, out->device_count, devices);
}

hlo_status hlo_sharding_parse(const char *text, hlo_arena *arena, hlo_sharding *out,
                              hlo_error *error) {
  hlo_scan scan = {.start = text, .at = text, .end = text + strlen(text), .error = error};
  *out = (hlo_sharding){.device_count = 1};
  HLO_TRY(hlo_scan_expect(&scan, '{'));
  size_t length = hlo_scan_name_length(&scan);
  bool is_grid = length == 7 && memcmp(scan.at, "devices", 7) == 0;
  bool is_whole = (length == 10 && memcmp(scan.at, "replicated", 10) == 0) ||
                  (length == 6 && memcmp(scan.at, "manual", 6) == 0) ||
                  (length == 7 && memcmp(scan.at, "maximal", 7) == 0);
  scan.at += length;
  if (is_whole) return HLO_OK;
  if (!is_grid) return hlo_scan_expected(&scan, "a sharding ({devices=[…]…}, {replicated})");
  return read_grid(&scan, arena, out);
}

hlo_status hlo_share_sum_attributes(hlo_arena *arena, int32_t count, const int64_t *first,
                                    const int64_t *numbers, hlo_computation *add,
                                    hlo_attribute *out, hlo_error *error) {
  int64_t *ints, *lengths;
  int32_t rows = 0, used = 0;
  HLO_ALLOC(ints, arena, count, error);
  HLO_ALLOC(lengths, arena, count, error);
  for (int32_t place = 0; place < count; place++) {
    int32_t before = used;
    for (int32_t i = place; i < count; i++)
      if (first[i] == place) ints[used++] = numbers == NULL ? i : numbers[i];
    if (used > before) lengths[rows++] = used - before;
  }
  out[0] = (hlo_attribute){.id = HLO_ATTRIBUTE_REPLICA_GROUPS,
                           .count = count,
                           .ints = ints,
                           .row_count = rows,
                           .row_lengths = lengths};
  out[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_CHANNEL_ID, 1);
  out[2] = hlo_attribute_make_int(HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 1);
  return hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_TO_APPLY, add, &out[3], error);
}
