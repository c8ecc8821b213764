// Imports operations that move a window over an array: convolution, reduce_window and
// select_and_scatter. See import.h.
#include "text/stablehlo/import/dynamic.h"

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
  bool is_present = hlo_mlir_find_attribute(op, field->name) != NULL;
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
  const mlir_attribute *padding = hlo_mlir_find_attribute(op, "padding");
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

static bool set_label(char *side, int32_t rank, int64_t dimension, char label) {
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
           set_label(side, *rank, dimension->integer, labels[i]);
  }
  for (int32_t i = 0; fits && i < count; i++)
    fits = set_label(side, *rank, spatial[i], (char)('0' + i));
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
  const mlir_attribute *numbers = hlo_mlir_find_attribute(op, "dimension_numbers");
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

static bool is_window_dynamic(const dimension_labels *labels, const hlo_shape *kernel) {
  const char *label = labels->text + labels->kernel_start;
  for (int32_t i = 0; i < kernel->rank; i++)
    if (label[i] >= '0' && label[i] <= '9' && hlo_shape_is_dynamic_in(kernel, i)) return true;
  return false;
}

// Where the label stands in a list of them; -1: nowhere.
static int32_t label_place(const char *labels, int32_t count, char label) {
  const char *at = memchr(labels, label, (size_t)count);
  return at == NULL ? -1 : (int32_t)(at - labels);
}

hlo_status hlo_import_output_features(stablehlo_importer *im, const mlir_operation *op,
                                      int32_t *kernel, int32_t *result, hlo_error *error) {
  dimension_labels labels;
  HLO_TRY(read_labels(im, op, &labels, error));
  const char *start = labels.text + labels.kernel_start, *arrow = start + labels.kernel_rank;
  *kernel = label_place(start, labels.kernel_rank, 'o');
  *result = label_place(arrow + 2, (int32_t)strlen(arrow + 2), 'f');
  return HLO_OK;
}

// A column of operand 2, whose rows are pairs of low and high padding.
static hlo_status padding_column(stablehlo_importer *im, const mlir_operation *op, int32_t rank,
                                 int64_t column_number, hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &im->module->arena;
  hlo_attribute attribute;
  const hlo_shape *column, *list;
  int64_t dims[] = {rank, 1}, slice[] = {0, rank, 1, column_number, column_number + 1, 1};
  HLO_TRY(hlo_import_operand(im, op, 2, out, error));
  const hlo_shape *pairs = (*out)->shape;
  if (pairs->rank != 2 || pairs->dims[0] != rank || pairs->dims[1] != 2)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "padding must have a pair for each of the window's %d dimensions", rank);
  HLO_TRY(hlo_shape_make(arena, pairs->type, 2, dims, &column, error));
  HLO_TRY(hlo_shape_make(arena, pairs->type, 1, dims, &list, error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_SLICE, 6, slice, &attribute, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_SLICE, column, 1, out, 1, &attribute, out, error));
  return hlo_import_emit(im, HLO_OP_RESHAPE, list, 1, out, 0, NULL, out, error);
}

// How many elements the window's positions go over, holes and padding among them.
static hlo_status covered(const mlir_operation *op, const int64_t *field, int64_t positions,
                          int64_t *out, hlo_error *error) {
  int64_t size = field[HLO_WINDOW_SIZE], dilation = field[HLO_WINDOW_RHS_DILATION];
  int64_t stride = field[HLO_WINDOW_STRIDE], most = INT32_MAX;
  bool fits = size <= most && dilation >= 1 && dilation <= most && positions <= most &&
              stride >= 1 && stride <= most && field[HLO_WINDOW_LHS_DILATION] >= 1;
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "strides and dilations must be at least 1, and not huge");
  int64_t reach = size == 0 ? 0 : (size - 1) * dilation + 1;
  *out = positions > 0 ? (positions - 1) * stride + reach : reach > 0 ? reach - 1 : 0;
  return HLO_OK;
}

// How many positions the window has now along spatial dimension k, dimension d of the image, with
// `paddings` before and after it.
static hlo_status positions_now(stablehlo_importer *im, hlo_instruction *image, int32_t d,
                                hlo_instruction *const paddings[2], int32_t k, const int64_t *field,
                                hlo_instruction **out, hlo_error *error) {
  int64_t reach = field[HLO_WINDOW_SIZE] == 0
                      ? 0
                      : (field[HLO_WINDOW_SIZE] - 1) * field[HLO_WINDOW_RHS_DILATION] + 1;
  hlo_instruction *one, *step, *other;
  HLO_TRY(hlo_import_size_now(im, image, d, out, error));
  HLO_TRY(hlo_import_integer(im, 1, &one, error));
  // One more for each hole before an element, of which the first has none.
  HLO_TRY(hlo_import_binary(im, HLO_OP_MAXIMUM, *out, one, &other, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_SUBTRACT, other, one, &other, error));
  HLO_TRY(hlo_import_integer(im, field[HLO_WINDOW_LHS_DILATION] - 1, &step, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_MULTIPLY, other, step, &other, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_ADD, *out, other, out, error));
  for (int i = 0; i < 2; i++) {
    HLO_TRY(hlo_import_list_integer(im, paddings[i], k, &other, error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_ADD, *out, other, out, error));
  }
  HLO_TRY(hlo_import_integer(im, field[HLO_WINDOW_STRIDE] - reach, &other, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_ADD, *out, other, out, error));
  HLO_TRY(hlo_import_integer(im, 0, &other, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_MAXIMUM, *out, other, out, error));
  HLO_TRY(hlo_import_integer(im, field[HLO_WINDOW_STRIDE], &step, error));
  return hlo_import_binary(im, HLO_OP_DIVIDE, *out, step, out, error);
}

// Padding that only the run knows, of an operation whose type states the result or its bounds: the
// image is padded, and its holes are filled, before the window goes over it. positions: for each
// dimension of the result that is dynamic its size now, else NULL.
static hlo_status pad_image(stablehlo_importer *im, const mlir_operation *op,
                            const dimension_labels *labels, int32_t rank, const hlo_shape *shape,
                            int64_t *window, hlo_instruction **image, hlo_instruction **positions,
                            hlo_error *error) {
  const hlo_shape *from = (*image)->shape, *to, *list;
  int64_t dims[HLO_MAX_RANK], entries[HLO_MAX_RANK], size = rank;
  bool dynamic[HLO_MAX_RANK];
  hlo_padding_lists lists = {.entries = entries};
  hlo_instruction *paddings[2];
  hlo_instruction *zero;
  hlo_literal *gaps;
  bool has_gaps = false;
  if (from->rank != rank + 2 || shape->rank != rank + 2)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "image and result must have %d dimensions",
                           rank + 2);
  for (int64_t i = 0; i < 2; i++) HLO_TRY(padding_column(im, op, rank, i, &paddings[i], error));
  lists.low = paddings[0];
  HLO_ALLOC(gaps, &im->module->arena, 1, error);
  HLO_TRY(hlo_shape_make(&im->module->arena, HLO_S64, 1, &size, &list, error));
  HLO_TRY(hlo_literal_make(&im->module->arena, list, gaps, error));
  for (int32_t d = 0; d < from->rank; d++) {
    dims[d] = from->dims[d];
    dynamic[d] = hlo_shape_is_dynamic_in(from, d);
    entries[d] = -1;
    positions[d] = NULL;
  }
  const char *result_labels = labels->text + strlen(labels->text) - (size_t)(rank + 2);
  for (int32_t k = 0; k < rank; k++) {
    int64_t *field = window + (ptrdiff_t)k * HLO_WINDOW_FIELDS;
    int32_t d = label_place(labels->text, rank + 2, (char)('0' + k));
    int32_t r = label_place(result_labels, rank + 2, (char)('0' + k));
    if (d < 0 || r < 0)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "dimension_numbers name no dimension %d",
                             (int)k);
    HLO_TRY(covered(op, field, shape->dims[r], &dims[d], error));
    if (hlo_shape_is_dynamic_in(shape, r))
      HLO_TRY(positions_now(im, *image, d, paddings, k, field, &positions[r], error));
    entries[d] = k;
    dynamic[d] = false;
    ((int64_t *)gaps->data)[k] = field[HLO_WINDOW_LHS_DILATION] - 1;
    has_gaps = has_gaps || field[HLO_WINDOW_LHS_DILATION] > 1;
    field[HLO_WINDOW_LHS_DILATION] = 1;
  }
  if (has_gaps) HLO_TRY(hlo_import_constant(im, gaps, list, &lists.interior, error));
  HLO_TRY(hlo_shape_make_dynamic(&im->module->arena, from->type, from->rank, dims, dynamic, &to,
                                 error));
  HLO_TRY(hlo_import_number(im, hlo_shape_scalar(from->type), 0, &zero, error));
  return hlo_import_pad_late(im, *image, zero, &lists, to, image, error);
}

// The shape before the sizes are set.
static hlo_status without_sizes(stablehlo_importer *im, const hlo_shape *shape,
                                hlo_instruction *const *sizes, const hlo_shape **out,
                                hlo_error *error) {
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++)
    dynamic[d] = sizes[d] == NULL && hlo_shape_is_dynamic_in(shape, d);
  return hlo_shape_make_dynamic(&im->module->arena, shape->type, shape->rank, shape->dims, dynamic,
                                out, error);
}

// dynamic_conv, whose third operand is the padding, comes here when nothing else can be done.
hlo_status hlo_import_convolution(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  static const window_field fields[] = {{"window_strides", HLO_WINDOW_STRIDE, 1},
                                        {"lhs_dilation", HLO_WINDOW_LHS_DILATION, 1},
                                        {"rhs_dilation", HLO_WINDOW_RHS_DILATION, 1},
                                        {"window_reversal", HLO_WINDOW_REVERSAL, 0}};
  hlo_instruction **operands, *result, *positions[HLO_MAX_RANK];
  const hlo_shape *shape, *full;
  dimension_labels labels;
  int64_t window[HLO_MAX_RANK * HLO_WINDOW_FIELDS] = {0};
  int32_t rank, count = 0;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  bool is_late = strcmp(op->name, "stablehlo.dynamic_conv") == 0 && op->operand_count == 3;
  if (!is_late) HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  full = shape;
  HLO_TRY(read_labels(im, op, &labels, error));
  HLO_TRY(kernel_sizes(op, &labels, operands[1]->shape, window, &rank, error));
  HLO_TRY(window_attribute(im, op, rank, 4, fields, window, &attributes[count], error));
  if (is_late) {
    if (is_window_dynamic(&labels, operands[1]->shape))
      return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                             "a window of dynamic size, with padding that only the run knows");
    HLO_TRY(pad_image(im, op, &labels, rank, shape, window, &operands[0], positions, error));
    HLO_TRY(without_sizes(im, shape, positions, &full, error));
    HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_WINDOW,
                                    rank * HLO_WINDOW_FIELDS, window, &attributes[count], error));
  }
  count++;
  const char *text = hlo_arena_copy_text(&im->module->arena, labels.text, strlen(labels.text));
  if (text == NULL) return hlo_fail_out_of_memory(error);
  attributes[count++] = hlo_attribute_make_text(HLO_ATTRIBUTE_DIM_LABELS, text);
  HLO_TRY(hlo_import_attributes(im, HLO_OP_CONVOLUTION, op, attributes, &count, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_CONVOLUTION, full, 2, operands, count, attributes, &result,
                          error));
  for (int32_t d = 0; is_late && d < shape->rank; d++)
    if (positions[d] != NULL)
      HLO_TRY(hlo_import_set_size(im, d, positions[d], shape, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- reduce_window, select_and_scatter ---

// Regions nest, and the stack is small: large locals must not be live during the next region.
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
  HLO_TRY(hlo_import_promote(im, op, opcode, computations[0], operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  int32_t rank = operands[0]->shape->rank;
  if (hlo_mlir_find_attribute(op, "window_dimensions") == NULL)
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
