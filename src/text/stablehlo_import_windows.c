// Imports operations that move a window over an array: convolution, reduce_window and
// select_and_scatter. See stablehlo_import.h. Must not know how text is written.
#include "text/stablehlo_import.h"

#include <string.h>

enum { MAX_LABELS = 2 * HLO_MAX_RANK };

// The attributes that hold one field of the window for each dimension, where they stand in the
// window's record, and what holds when they are absent.
typedef struct window_field {
  const char *name;
  int32_t field;
  int64_t otherwise;
} window_field;

static hlo_status add_field(stablehlo_importer *im, const mlir_operation *op,
                            const window_field *field, int32_t rank, int64_t *window,
                            hlo_error *error) {
  int32_t count;
  const int64_t *ints;
  HLO_TRY(hlo_import_named_ints(im, op, field->name, &count, &ints, error));
  bool is_present = hlo_mlir_find(op, field->name) != NULL;
  if (is_present && count != rank)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%s has %d entries, the window has %d",
                           field->name, count, rank);
  for (int32_t i = 0; i < rank; i++)
    window[i * HLO_WINDOW_FIELDS + field->field] = is_present ? ints[i] : field->otherwise;
  return HLO_OK;
}

// dense<[[low, high], …]>
static hlo_status add_padding(stablehlo_importer *im, const mlir_operation *op, int32_t rank,
                              int64_t *window, hlo_error *error) {
  const mlir_attribute *padding = hlo_mlir_find(op, "padding");
  int32_t count;
  const int64_t *ints;
  HLO_TRY(hlo_import_ints(im, padding, &count, &ints, error));
  if (padding == NULL) return HLO_OK;
  bool pairs = padding->kind != MLIR_DENSE ||
               (padding->type->shape->rank == 2 && padding->type->shape->dims[1] == 2);
  if (count != 2 * rank || !pairs)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "padding must have a pair for each of the window's %d dimensions: it "
                           "has %d numbers",
                           rank, count);
  for (int32_t i = 0; i < rank; i++) {
    window[i * HLO_WINDOW_FIELDS + HLO_WINDOW_PAD_LOW] = ints[2 * i];
    window[i * HLO_WINDOW_FIELDS + HLO_WINDOW_PAD_HIGH] = ints[2 * i + 1];
  }
  return HLO_OK;
}

static hlo_status window_attribute(stablehlo_importer *im, const mlir_operation *op, int32_t rank,
                                   int32_t field_count, const window_field *fields, int64_t *window,
                                   hlo_attribute *out, hlo_error *error) {
  for (int32_t i = 0; i < field_count; i++)
    HLO_TRY(add_field(im, op, &fields[i], rank, window, error));
  HLO_TRY(add_padding(im, op, rank, window, error));
  return hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_WINDOW, rank * HLO_WINDOW_FIELDS,
                                 window, out, error);
}

// --- convolution ---

typedef struct dimension_labels {
  char text[3 * MAX_LABELS]; // "bf01_oi01->bf01"
  int32_t kernel_start;      // of the kernel's labels in the text
  int32_t kernel_rank;
} dimension_labels;

static bool put_label(char *side, int32_t rank, int64_t dimension, char label) {
  if (dimension < 0 || dimension >= rank || side[dimension] != '\0') return false;
  side[dimension] = label;
  return true;
}

// One side of #stablehlo.conv<raw …>: the dimensions named `first`_dimension and `second`_dimension
// and the list of spatial ones.
static hlo_status raw_side(stablehlo_importer *im, const mlir_operation *op,
                           const mlir_attribute *fields, const char *const names[3],
                           const char *labels, char *side, int32_t *rank, hlo_error *error) {
  int32_t count;
  const int64_t *spatial;
  HLO_TRY(hlo_import_ints(im, hlo_mlir_find_entry(fields, names[2]), &count, &spatial, error));
  bool fits = count <= 10;
  *rank = count + 2;
  for (int32_t i = 0; fits && i < 2; i++) {
    const mlir_attribute *dimension = hlo_mlir_find_entry(fields, names[i]);
    fits = dimension != NULL && dimension->kind == MLIR_INTEGER &&
           put_label(side, *rank, dimension->integer, labels[i]);
  }
  for (int32_t i = 0; fits && i < count; i++)
    fits = put_label(side, *rank, spatial[i], (char)('0' + i));
  if (fits) return HLO_OK;
  return hlo_import_fail(op, HLO_PARSE_ERROR, error,
                         "%s, %s and %s must number the dimensions, each once", names[0], names[1],
                         names[2]);
}

// "raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
// …"
static hlo_status read_raw_labels(stablehlo_importer *im, const mlir_operation *op,
                                  const mlir_attribute *numbers, dimension_labels *labels,
                                  hlo_error *error) {
  static const char *const names[3][3] = {
      {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"},
      {"kernel_output_feature_dimension", "kernel_input_feature_dimension",
       "kernel_spatial_dimensions"},
      {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"},
  };
  mlir_attribute body = *numbers;
  body.body += strlen("raw");
  body.body_length -= strlen("raw");
  const mlir_attribute *fields;
  HLO_TRY(hlo_mlir_struct(im->parser, &body, &fields, error));
  char sides[3][16] = {{0}};
  int32_t rank = 0;
  size_t length = 0;
  for (int32_t i = 0; i < 3; i++) {
    HLO_TRY(raw_side(im, op, fields, names[i], i == 1 ? "oi" : "bf", sides[i], &rank, error));
    if (i > 0) memcpy(labels->text + length, i == 1 ? "_" : "->", (size_t)i), length += (size_t)i;
    if (i == 1) labels->kernel_start = (int32_t)length, labels->kernel_rank = rank;
    memcpy(labels->text + length, sides[i], (size_t)rank);
    length += (size_t)rank;
  }
  labels->text[length] = '\0';
  return HLO_OK;
}

// "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]"
static hlo_status read_labels(stablehlo_importer *im, const mlir_operation *op,
                              dimension_labels *labels, hlo_error *error) {
  const mlir_attribute *numbers = hlo_mlir_find(op, "dimension_numbers");
  bool is_list = numbers != NULL && numbers->kind == MLIR_DIALECT && numbers->body != NULL;
  size_t length = 0;
  if (is_list && numbers->body_length > 4 && memcmp(numbers->body, "raw", 3) == 0 &&
      strchr(" \n\t\r", numbers->body[3]) != NULL)
    return read_raw_labels(im, op, numbers, labels, error);
  bool inside = false;
  for (size_t i = 0; is_list && i < numbers->body_length; i++) {
    char c = numbers->body[i];
    bool separates = c == ' ' || c == ',' || c == '\n' || c == '\t' || c == '\r';
    if (c == '[' || c == ']') inside = c == '[';
    else if (!separates && length < sizeof labels->text - 1)
      labels->text[length++] = !inside && c == 'x' ? '_' : c;
  }
  labels->text[length] = '\0';
  const char *kernel = strchr(labels->text, '_');
  const char *arrow = kernel == NULL ? NULL : strstr(kernel, "->");
  if (arrow == NULL) {
    return hlo_import_fail(op, HLO_PARSE_ERROR, error,
                           "needs dimension numbers as [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]");
  }
  labels->kernel_start = (int32_t)(kernel + 1 - labels->text);
  labels->kernel_rank = (int32_t)(arrow - kernel) - 1;
  return HLO_OK;
}

// The window's sizes are the kernel's in its spatial dimensions.
static hlo_status kernel_sizes(const mlir_operation *op, const dimension_labels *labels,
                               const hlo_shape *kernel, int64_t *window, int32_t *rank,
                               hlo_error *error) {
  *rank = 0;
  if (!hlo_shape_is_array(kernel) || kernel->rank != labels->kernel_rank)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "the kernel's rank is not that of its dimension numbers");
  for (int32_t i = 0; i < kernel->rank; i++) {
    char label = labels->text[labels->kernel_start + i];
    int32_t spatial = label - '0';
    if (spatial < 0 || spatial > 9) continue; // input and output features
    if (spatial >= kernel->rank)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "there is no spatial dimension %d",
                             spatial);
    window[spatial * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE] = kernel->dims[i];
    if (spatial >= *rank) *rank = spatial + 1;
  }
  return HLO_OK;
}

hlo_status hlo_import_convolution(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  static const window_field fields[] = {{"window_strides", HLO_WINDOW_STRIDE, 1},
                                        {"lhs_dilation", HLO_WINDOW_LHS_DILATION, 1},
                                        {"rhs_dilation", HLO_WINDOW_RHS_DILATION, 1},
                                        {"window_reversal", HLO_WINDOW_REVERSAL, 0}};
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  dimension_labels labels;
  int64_t window[HLO_MAX_RANK * HLO_WINDOW_FIELDS] = {0};
  int32_t rank, count = 0;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(read_labels(im, op, &labels, error));
  HLO_TRY(kernel_sizes(op, &labels, operands[1]->shape, window, &rank, error));
  HLO_TRY(window_attribute(im, op, rank, 4, fields, window, &attributes[count++], error));
  const char *text = hlo_arena_copy_text(&im->module->arena, labels.text, strlen(labels.text));
  if (text == NULL) return hlo_fail_out_of_memory(error);
  attributes[count++] = hlo_attribute_make_text(HLO_ATTRIBUTE_DIM_LABELS, text);
  HLO_TRY(hlo_import_attributes(im, HLO_OP_CONVOLUTION, op, attributes, &count, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_CONVOLUTION, shape, 2, operands, count, attributes, &result,
                          error));
  return hlo_import_set_results(im, op, result, error);
}

// --- reduce_window, select_and_scatter ---

// Regions nest, and the stack is small: what is large must not stand below the next region.
__attribute__((noinline)) static hlo_status emit_window(stablehlo_importer *im,
                                                        const mlir_operation *op, bool is_reduce,
                                                        hlo_computation *const computations[2],
                                                        hlo_error *error) {
  static const window_field fields[] = {{"window_dimensions", HLO_WINDOW_SIZE, 1},
                                        {"window_strides", HLO_WINDOW_STRIDE, 1},
                                        {"base_dilations", HLO_WINDOW_LHS_DILATION, 1},
                                        {"window_dilations", HLO_WINDOW_RHS_DILATION, 1}};
  static const hlo_attribute_id two[] = {HLO_ATTRIBUTE_SELECT, HLO_ATTRIBUTE_SCATTER};
  hlo_opcode opcode = is_reduce ? HLO_OP_REDUCE_WINDOW : HLO_OP_SELECT_AND_SCATTER;
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  int64_t window[HLO_MAX_RANK * HLO_WINDOW_FIELDS] = {0};
  hlo_attribute attributes[3];
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_promote(im, opcode, computations[0], op->operand_count, operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  int32_t rank = operands[0]->shape->rank;
  if (hlo_mlir_find(op, "window_dimensions") == NULL)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks the attribute window_dimensions");
  HLO_TRY(window_attribute(im, op, rank, 4, fields, window, &attributes[0], error));
  for (int32_t i = 0; i < op->region_count; i++) {
    hlo_attribute_id id = is_reduce ? HLO_ATTRIBUTE_TO_APPLY : two[i];
    HLO_TRY(hlo_attribute_make_computation(&im->module->arena, id, computations[i],
                                           &attributes[1 + i], error));
  }
  HLO_TRY(hlo_import_emit(im, opcode, shape, op->operand_count, operands, 1 + op->region_count,
                          attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

hlo_status hlo_import_window(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  bool is_reduce = strcmp(op->name, "stablehlo.reduce_window") == 0;
  hlo_computation *computations[2] = {NULL, NULL};
  if (op->operand_count == 0 || op->region_count != (is_reduce ? 1 : 2))
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks operands or regions");
  for (int32_t i = 0; i < op->region_count; i++)
    HLO_TRY(hlo_import_reducer(im, op, i, &computations[i], error));
  return emit_window(im, op, is_reduce, computations, error);
}
