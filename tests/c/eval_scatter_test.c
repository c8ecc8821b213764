// Scatters of single numbers against one combination after the other, bit by bit: index vectors of
// one to three numbers of each type, beside each other and with gaps, inside and outside, for the
// operations that have loops of their own. (tests/ops/scatter.hlo has the dimension numbers.)
#include "eval_fixture.h"

#include <math.h>

enum { VECTORS = 700, RANK = 3 };

static const int64_t dims[RANK] = {9, 5, 7};

// NaNs, zeros of both signs, and infinities come often.
static void fill(test_array *array) {
  static const float rare[] = {0.0f, -0.0f, -INFINITY, INFINITY, NAN};
  int64_t count = elements_of(array->view.rank, array->view.dims);
  fill_small(array, 3);
  for (int64_t i = 0; i < count && array->view.type == HLO_F32; i++) {
    int64_t k = random_below(random_below(40) + 1);
    if (k < 5) memcpy(element_number(&array->view, i), &rare[k], sizeof rare[k]);
  }
}

static void check_scatter(hlo_opcode opcode, hlo_type type, hlo_type index_type, int64_t numbers,
                          bool with_gaps) {
  test_program program;
  start_program(&program);
  const int64_t map[] = {0, 1, 2};
  test_array operand = make_array(type, (int32_t)numbers, dims, ROW_MAJOR);
  test_array result = make_array(type, (int32_t)numbers, dims, ROW_MAJOR);
  test_array updates = make_array(type, 1, (const int64_t[]){VECTORS}, ROW_MAJOR);
  test_array indices = make_array(index_type, 2, (const int64_t[]){VECTORS, numbers},
                                  with_gaps ? PADDED : ROW_MAJOR);
  fill(&operand);
  fill(&updates);
  for (int64_t i = 0; i < VECTORS * numbers; i++) {
    int64_t first = index_type == HLO_U32 ? 0 : -1;
    set_small(index_type, element_number(&indices.view, i),
              first + random_below(dims[i % numbers] + 1 - first));
  }
  hlo_attribute attributes[] = {
      ints_attribute(&program, HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS, 0, NULL),
      ints_attribute(&program, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS, (int32_t)numbers, map),
      ints_attribute(&program, HLO_ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, (int32_t)numbers, map),
      hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 1),
      {0},
  };
  hlo_attribute_make_computation(&program.module->arena, HLO_ATTRIBUTE_TO_APPLY,
                                 make_binary(&program, opcode, type), &attributes[4],
                                 &program.error);
  const hlo_view operands[] = {operand.view, indices.view, updates.view};
  CHECK(evaluate(&program, HLO_OP_SCATTER, 3, operands, &result.view, 5, attributes));
  for (int64_t i = 0; i < VECTORS; i++) {
    int64_t at[RANK];
    bool inside = true;
    for (int64_t j = 0; j < numbers; j++) {
      at[j] = (int64_t)as_double(index_type, element_number(&indices.view, i * numbers + j));
      inside = inside && at[j] >= 0 && at[j] < dims[j];
    }
    if (!inside) continue;
    void *to = element(&operand.view, at);
    hlo_pointwise_get(opcode, type)(to, (const void *const[]){to, element_number(&updates.view, i)},
                                    1);
  }
  CHECK_MESSAGE(memcmp(operand.memory, result.memory, operand.size) == 0,
                "op %d of type %d by %lld numbers of type %d", (int)opcode, (int)type,
                (long long)numbers, (int)index_type);
  free_array(&operand), free_array(&indices), free_array(&updates), free_array(&result);
  end_program(&program);
}

int main(void) {
  static const hlo_type types[] = {HLO_F32, HLO_S32, HLO_F64};
  static const hlo_type index_types[] = {HLO_S32, HLO_U32, HLO_S64, HLO_S16};
  static const hlo_opcode opcodes[] = {HLO_OP_MAXIMUM, HLO_OP_MINIMUM, HLO_OP_ADD};
  for (size_t o = 0; o < sizeof opcodes / sizeof *opcodes; o++) {
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
      for (size_t i = 0; i < sizeof index_types / sizeof *index_types; i++) {
        for (int64_t numbers = 1; numbers <= RANK; numbers++) {
          check_scatter(opcodes[o], types[t], index_types[i], numbers, false);
          check_scatter(opcodes[o], types[t], index_types[i], numbers, true);
        }
      }
    }
  }
  return CHECK_RESULT();
}
