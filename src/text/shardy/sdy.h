// Shardy, the dialect in which JAX states how arrays are sharded over devices: parses its pretty
// forms and interprets its attributes.
#ifndef HLO_TEXT_SHARDY_SDY_H
#define HLO_TEXT_SHARDY_SDY_H

#include "text/stablehlo/forms.h"

enum { SDY_MAX_AXES = 16, SDY_MAX_DEVICES = 4096 };

// The axes of a grid of devices, the last one fastest, and each device's number.
typedef struct sdy_mesh {
  int32_t axis_count, device_count;
  const char *names[SDY_MAX_AXES];
  int64_t sizes[SDY_MAX_AXES];
  const int64_t *device_ids; // NULL: in their order
} sdy_mesh;

// An axis, or what is left of it as a grid of (slower parts, this one, faster parts): "x":(2)4 is
// the part of size 4 after slower ones of 2 together.
typedef struct sdy_part {
  int32_t axis;
  int64_t slower, size;
} sdy_part;

// Which axes, or parts of them, split each dimension of an array, the first one slowest; and along
// which axes the array is the sum of what the devices have.
typedef struct sdy_sharding {
  int32_t rank, unreduced_count;
  sdy_part unreduced[SDY_MAX_AXES];
  struct {
    int32_t count;
    sdy_part parts[SDY_MAX_AXES];
  } dimensions[HLO_MAX_RANK];
} sdy_sharding;

hlo_stablehlo_reader hlo_sdy_read_mesh, hlo_sdy_read_sharding, hlo_sdy_read_collective,
    hlo_sdy_read_named, hlo_sdy_read_manual;

// What the operation sdy.mesh says.
hlo_status hlo_sdy_mesh(mlir_parser *parser, const mlir_operation *operation, sdy_mesh *out,
                        hlo_error *error);
// The mesh of the first of the shardings that the attribute lists: its name, or, where it stands in
// the sharding itself, *out, which has devices then. Neither is set if it lists none.
hlo_status hlo_sdy_mesh_of(mlir_parser *parser, const mlir_attribute *shardings, const char **name,
                           sdy_mesh *out, hlo_error *error);
// All `count` of them over that mesh; name NULL: it must stand in each. An attribute that is one
// sharding does for both.
hlo_status hlo_sdy_shardings(mlir_parser *parser, const mlir_attribute *shardings,
                             const char *mesh_name, const sdy_mesh *mesh, int32_t count,
                             sdy_sharding *out, hlo_error *error);
// is_manual[axis] for the axes that the attribute lists.
hlo_status hlo_sdy_axes(mlir_parser *parser, const mlir_attribute *axes, const sdy_mesh *mesh,
                        bool *is_manual, hlo_error *error);

// Into how many parts manual axes split a dimension, and which of them the device has.
int64_t hlo_sdy_parts(const sdy_mesh *mesh, const bool *is_manual, const sdy_sharding *sharding,
                      int32_t dimension, int32_t device, int64_t *which);

// The first device that differs from this one in its place along the part alone.
int32_t hlo_sdy_first_along(const sdy_mesh *mesh, int32_t device, const sdy_part *part);
// Of the devices whose arrays, along manual axes that are unreduced, are summed with this one's,
// the first. An array that becomes unreduced is there as it is, and zero on the others, as in XLA.
int32_t hlo_sdy_first_share(const sdy_mesh *mesh, const bool *is_manual,
                            const sdy_sharding *sharding, int32_t device);

#endif
