// Checks the inference rules of ops over windows, index lists and whole dimensions: convolution,
// reduce-window, select-and-scatter, gather, scatter, sort, topk, fft, cholesky, triangular-solve,
// batch normalisation. The shapes are the documentation's examples and what XLA itself infers.
#include "hlo/window.h"
#include "infer_case.h"

// Window fields per dimension: size, stride, pad low, pad high, base dilation, window dilation,
// reversal.
#define W3   "3,1,0,0,1,1,0"
#define W3x3 "window={" W3 "," W3 "}"
#define NHWC " dim_labels=b01f_01io->b01f"
#define ADD  " to_apply=(f32[],f32[])->f32[]"
#define CONV(shapes, attributes, shape, error)                                                     \
  {"convolution", shapes, attributes, NULL, shape, error}

static void test_convolution(void) {
  static const infer_case cases[] = {
      CONV("f32[2,6,7,4], f32[3,3,4,8]", W3x3 NHWC, "f32[2,4,5,8]", NULL),
      CONV("f32[1,6,6,4], f32[3,3,4,8]", "window={3,2,1,1,1,1,1,3,1,2,1,2,1,1}" NHWC,
           "f32[1,3,12,8]", NULL),
      CONV("f32[1,6,6,4], f32[3,3,2,8]", W3x3 " dim_labels=b01f_01io->f01b feature_group_count=2",
           "f32[8,4,4,1]", NULL),
      CONV("f32[4,6,6,4], f32[3,3,4,8]", W3x3 NHWC " batch_group_count=2", "f32[2,4,4,8]", NULL),
      CONV("f32[4,0,6,4], f32[3,3,4,8]", W3x3 NHWC, "f32[4,0,4,8]", NULL),
      CONV("f32[1,9,4], f32[3,4,8]", "window={3,1,0,0,1,4,0} dim_labels=b0f_0io->b0f", "f32[1,1,8]",
           NULL),
      CONV("f32[4,4], f32[4,8]", "dim_labels=bf_io->bf", "f32[4,8]", NULL),
      CONV("f32[4,4], f32[4,8]", "window={} dim_labels=bf_io->bf", "f32[4,8]", NULL),
      {"convolution", "s8[4,4], s8[4,8]", "dim_labels=bf_io->bf", "s32[4,8]", "s32[4,8]", NULL},
      {"convolution", "f32[4,4], f32[4,8]", "dim_labels=bf_io->bf", "s32[4,8]", NULL,
       "do not add up"},
      CONV("f32[4,4], s32[4,8]", "dim_labels=bf_io->bf", NULL, "do not go together"),
      CONV("f32[1,6,6,4], f32[3,3,4,8]", "window={" W3 "}" NHWC, NULL,
           "window must have 2 dimensions: it has 1"),
      CONV("f32[1,6,6,4], f32[3,3,4,8]", "window={" W3 ",2,1,0,0,1,1,0}" NHWC, NULL,
           "window dimension 1 must have the kernel's size 3, not 2"),
      CONV("f32[1,6,4], f32[3,3,4,8]", W3x3 NHWC, NULL, "must have the ranks that dim_labels say"),
      CONV("f32[1,6,6,4], f32[3,3,5,8]", W3x3 NHWC, NULL,
           "the kernel's input features must be the input's features divided"),
      CONV("f32[1,6,6,4], f32[3,3,4,8]", W3x3 NHWC " feature_group_count=2", NULL,
           "the kernel's input features must be"),
      CONV("f32[1,6,6,4], f32[3,3,1,8]", W3x3 NHWC " feature_group_count=3", NULL,
           "the input's feature dimension, 4, must be a multiple of feature_group_count, 3"),
      CONV("f32[1,6,6,4], f32[3,3,2,7]", W3x3 NHWC " feature_group_count=2", NULL,
           "the kernel's output feature dimension, 7, must be a multiple of feature_group_count"),
      CONV("f32[3,6,6,4], f32[3,3,4,8]", W3x3 NHWC " batch_group_count=2", NULL,
           "the input's batch dimension, 3, must be a multiple of batch_group_count, 2"),
      CONV("f32[4,6,6,4], f32[3,3,4,7]", W3x3 NHWC " batch_group_count=2", NULL,
           "the kernel's output feature dimension, 7, must be a multiple of batch_group_count, 2"),
      CONV("f32[4,6,6,4], f32[3,3,2,8]", W3x3 NHWC " batch_group_count=2 feature_group_count=2",
           NULL, "must be at least 1, and one of them 1: 2 and 2"),
      CONV("f32[4,6,6,4], f32[3,3,4,8]", W3x3 NHWC " batch_group_count=0", NULL, "at least 1"),
      CONV("f32[4,6,6,4], f32[3,3,4,8]", W3x3 NHWC " feature_group_count=-1", NULL, "at least 1"),
      CONV("f32[1,9,4], f32[0,4,8]", "window={0,1,0,0,1,1,0} dim_labels=b0f_0io->b0f", NULL,
           "of window dimension 0 must be at least 1"),
      CONV("f32[1,9,4], f32[3,4,8]", "window={3,0,0,0,1,1,0} dim_labels=b0f_0io->b0f", NULL,
           "of window dimension 0 must be at least 1"),
      CONV("f32[1,9,4], f32[3,4,8]", "window={3,1,0,0,0,1,0} dim_labels=b0f_0io->b0f", NULL,
           "of window dimension 0 must be at least 1"),
      CONV("f32[1,9,4], f32[3,4,8]", "window={3,1,0,0,1,-1,0} dim_labels=b0f_0io->b0f", NULL,
           "of window dimension 0 must be at least 1"),
      CONV("f32[1,9,4], f32[3,4,8]",
           "window={3,1,9223372036854775807,0,1,1,0} dim_labels=b0f_0io->b0f", NULL,
           "window dimension 0 over dimension 1 of f32[1,9,4] overflows"),
      CONV("f32[1,9,4], f32[3,4,8]",
           "window={3,1,0,0,9223372036854775807,1,0} dim_labels=b0f_0io->b0f", NULL, "overflows"),
  };
  RUN_CASES(cases);
}

// Labels that are not labels: each of them an error that shows them.
static void test_dimension_labels(void) {
  static const char *const wrong[] = {"b01f_01io->b01",
                                      "b01f_01io",
                                      "b01f",
                                      "b01f_01io->b01f0",
                                      "b01f_0io->b01f",
                                      "b00f_01io->b01f",
                                      "b01f_01io->b02f",
                                      "b01ff_01io->bf",
                                      "b12f_12io->b12f",
                                      "01_01io->b01f",
                                      "->_",
                                      "b01f_01ib->b01f",
                                      "b0?f_01io->b01f"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    char attributes[100];
    snprintf(attributes, sizeof attributes, "%s dim_labels=%s", W3x3, wrong[i]);
    const infer_case c = CONV("f32[1,6,6,4], f32[3,3,4,8]", attributes, NULL,
                              "dim_labels must be like bf01_oi01->bf01");
    CHECK(passes(&c));
  }
  hlo_attribute labels = hlo_attribute_make_text(HLO_ATTRIBUTE_DIM_LABELS, "b1f0_o01i->0fb1");
  hlo_instruction x = {
      .opcode = HLO_OP_CONVOLUTION, .name = "x", .attribute_count = 1, .attributes = &labels};
  hlo_convolution_dimensions dims;
  CHECK(hlo_convolution_dimensions_read(&x, &dims, &case_error) == HLO_OK);
  CHECK(dims.spatial_rank == 2 && dims.input_batch == 0 && dims.input_feature == 2);
  CHECK(dims.input_spatial[0] == 3 && dims.input_spatial[1] == 1);
  CHECK(dims.kernel_output_feature == 0 && dims.kernel_input_feature == 3);
  CHECK(dims.kernel_spatial[0] == 1 && dims.kernel_spatial[1] == 2);
  CHECK(dims.output_batch == 2 && dims.output_feature == 1);
  CHECK(dims.output_spatial[0] == 0 && dims.output_spatial[1] == 3);
}

static void test_reduce_window(void) {
  static const infer_case cases[] = {
      {"reduce-window", "f32[4,6], f32[]", "window={2,2,0,0,1,1,0,3,3,0,0,1,1,0}" ADD, NULL,
       "f32[2,2]", NULL},
      {"reduce-window", "f32[3,2], f32[]", "window={2,4,2,1,2,3,0,1,1,0,0,1,1,0}" ADD, NULL,
       "f32[2,2]", NULL},
      // windows of 3 with stride 2 over 5 elements, without padding and padded to keep the size
      {"reduce-window", "f32[5], f32[]", "window={3,2,0,0,1,1,0}" ADD, NULL, "f32[2]", NULL},
      {"reduce-window", "f32[5], f32[]", "window={3,2,1,1,1,1,0}" ADD, NULL, "f32[3]", NULL},
      {"reduce-window", "f32[3,2], f32[]", "window={5,1,0,0,1,1,0,1,1,0,0,1,1,0}" ADD, NULL,
       "f32[0,2]", NULL},
      {"reduce-window", "f32[3], f32[]", "window={2,1,-3,-3,1,1,0}" ADD, NULL, "f32[0]", NULL},
      {"reduce-window", "f32[], f32[]", "to_apply=(f32[],f32[])->f32[]", NULL, "f32[]", NULL},
      {"reduce-window", "f32[4], s32[4], f32[], s32[]",
       "window={2,1,0,0,1,1,0} to_apply=(f32[],s32[],f32[],s32[])->(f32[],s32[])", NULL,
       "(f32[3], s32[3])", NULL},
      {"reduce-window", "f32[4], s32[], f32[]", "window={2,1,0,0,1,1,0}" ADD, NULL, NULL,
       "as many start values as arrays"},
      {"reduce-window", "f32[4], s32[]", "window={2,1,0,0,1,1,0}" ADD, NULL, NULL,
       "operand 1 must be a scalar f32[]"},
      {"reduce-window", "f32[4], f32[5], f32[], f32[]", "window={2,1,0,0,1,1,0}" ADD, NULL, NULL,
       "must have the same dimensions"},
      {"reduce-window", "f32[4,4], f32[]", "window={2,1,0,0,1,1,0}" ADD, NULL, NULL,
       "window must have 2 dimensions: it has 1"},
      {"reduce-window", "f32[4], f32[]", "window={0,1,0,0,1,1,0}" ADD, NULL, NULL, "at least 1"},
      {"reduce-window", "f32[4], f32[]", "window={2,1,0,0,1,1,0} to_apply=(f32[])->f32[]", NULL,
       NULL, "takes 1 parameters, not 2"},

      {"select-and-scatter", "f32[4,6], f32[2,2], f32[]",
       "window={2,2,0,0,1,1,0,3,3,0,0,1,1,0} select=(f32[],f32[])->pred[] "
       "scatter=(f32[],f32[])->f32[]",
       NULL, "f32[4,6]", NULL},
      {"select-and-scatter", "f32[4], f32[3], f32[]",
       "window={2,2,0,0,1,1,0} select=(f32[],f32[])->pred[] scatter=(f32[],f32[])->f32[]", NULL,
       NULL, "one element for each position of the window: f32[3] and f32[2]"},
      {"select-and-scatter", "f32[4], s32[2], f32[]",
       "window={2,2,0,0,1,1,0} select=(f32[],f32[])->pred[] scatter=(f32[],f32[])->f32[]", NULL,
       NULL, "the same element type"},
      {"select-and-scatter", "f32[4], f32[2], f32[1]",
       "window={2,2,0,0,1,1,0} select=(f32[],f32[])->pred[] scatter=(f32[],f32[])->f32[]", NULL,
       NULL, "operand 2 must be a scalar"},
      {"select-and-scatter", "f32[4], f32[2], f32[]",
       "window={2,2,0,0,1,1,0} select=(f32[],f32[])->f32[] scatter=(f32[],f32[])->f32[]", NULL,
       NULL, "the result of select=%f must have shape pred[], not f32[]"},
      {"select-and-scatter", "f32[4], f32[2], f32[]",
       "window={2,2,0,0,1,1,0} select=(f32[],f32[])->pred[] scatter=(f32[],f32[])->pred[]", NULL,
       NULL, "the result of scatter=%f.1 must have shape f32[], not pred[]"},
      {"select-and-scatter", "f32[4], f32[2], f32[]",
       "window={2,2,0,0,1,1,0} select=(f32[],s32[])->pred[] scatter=(f32[],f32[])->f32[]", NULL,
       NULL, "parameter 1 of select=%f has shape s32[]"},
      {"select-and-scatter", "f32[4], f32[1], f32[]",
       "window={2,2,0,0,1,2,0} select=(f32[],f32[])->pred[] scatter=(f32[],f32[])->f32[]", NULL,
       NULL, "window dimension 0 may not be dilated"},
  };
  RUN_CASES(cases);
}

#define GATHER(shapes, attributes, shape, error) {"gather", shapes, attributes, NULL, shape, error}

static void test_gather(void) {
  static const infer_case cases[] = {
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,2} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8,6}",
             "f32[5,8,6]", NULL),
      GATHER("f32[16,11], s64[4,5,2]",
             "offset_dims={2,3} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=2 "
             "slice_sizes={8,6} indices_are_sorted=1",
             "f32[4,5,8,6]", NULL),
      GATHER("f32[16,11], s64[4,5,1]",
             "offset_dims={2} collapsed_slice_dims={0} start_index_map={0} index_vector_dim=2 "
             "slice_sizes={1,11}",
             "f32[4,5,11]", NULL),
      GATHER("f32[16,11], u8[4,5]",
             "offset_dims={0} collapsed_slice_dims={0} start_index_map={0} index_vector_dim=2 "
             "slice_sizes={0,11}",
             "f32[11,4,5]", NULL),
      GATHER("f32[16,11], s64[2,5]",
             "offset_dims={0} collapsed_slice_dims={1} start_index_map={1,0} index_vector_dim=0 "
             "slice_sizes={3,1}",
             "f32[3,5]", NULL),
      GATHER("f32[3,16,11], s64[4,3,1]",
             "offset_dims={2} collapsed_slice_dims={1} start_index_map={1} "
             "operand_batching_dims={0} start_indices_batching_dims={1} index_vector_dim=2 "
             "slice_sizes={1,1,11}",
             "f32[4,3,11]", NULL),
      GATHER("f32[16], f32[5,1]",
             "offset_dims={1} collapsed_slice_dims={} start_index_map={0} index_vector_dim=1 "
             "slice_sizes={8}",
             NULL, "operand 1 may not have elements of type f32"),
      GATHER("f32[16], s32[5,1]",
             "offset_dims={1} collapsed_slice_dims={} start_index_map={0} index_vector_dim=3 "
             "slice_sizes={8}",
             NULL, "index_vector_dim 3 is out of range for indices of shape s32[5,1]"),
      GATHER("f32[16], s32[5,1]",
             "offset_dims={1} collapsed_slice_dims={} start_index_map={0} index_vector_dim=-1 "
             "slice_sizes={8}",
             NULL, "index_vector_dim -1 is out of range"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,2} collapsed_slice_dims={} start_index_map={0} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL,
             "start_index_map must have an entry for each of 2 numbers of an index: it has 1"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,2} collapsed_slice_dims={} start_index_map={0,2} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL, "dimension 2 in start_index_map is out of range for shape f32[16,11]"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,2} collapsed_slice_dims={} start_index_map={0,0} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL, "dimension 0 stands twice in start_index_map"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL, "each operand dimension must stand for one in offset_dims, or be in"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,2} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8}",
             NULL, "slice_sizes must have 2 numbers"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,2} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8,12}",
             NULL, "the slice size 12 does not fit in dimension 1 of f32[16,11]"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1} collapsed_slice_dims={0} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={2,6}",
             NULL, "the slice size of dimension 0, which is collapsed or a batching dimension"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={2,1} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL, "offset_dims must be in increasing order: 1 follows 2"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={1,3} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL, "dimension 3 in offset_dims is out of range for a result of rank 3"),
      GATHER("f32[16,11], s64[5,2]",
             "offset_dims={-1,1} collapsed_slice_dims={} start_index_map={0,1} index_vector_dim=1 "
             "slice_sizes={8,6}",
             NULL, "dimension -1 in offset_dims is out of range"),
      GATHER("f32[16,11], s64[4,2]",
             "offset_dims={} collapsed_slice_dims={1,0} start_index_map={1,0} index_vector_dim=1 "
             "slice_sizes={1,1}",
             NULL, "collapsed_slice_dims must be in increasing order"),
      GATHER("f32[16,11], s64[4,2]",
             "offset_dims={} collapsed_slice_dims={0,2} start_index_map={1,0} index_vector_dim=1 "
             "slice_sizes={1,1}",
             NULL, "dimension 2 in collapsed_slice_dims is out of range"),
      GATHER("f32[3,16,11], s64[4,3,1]",
             "offset_dims={2} collapsed_slice_dims={1} start_index_map={1} "
             "operand_batching_dims={0} index_vector_dim=2 slice_sizes={1,1,11}",
             NULL, "start_indices_batching_dims must be of one length: 1 and 0"),
      GATHER("f32[3,16,11], s64[4,3,1]",
             "offset_dims={2} collapsed_slice_dims={1} start_index_map={1} "
             "operand_batching_dims={0} start_indices_batching_dims={0} index_vector_dim=2 "
             "slice_sizes={1,1,11}",
             NULL, "batching dimensions must have the same size in operand and indices"),
      GATHER("f32[1,16,11], s64[4,3,1]",
             "offset_dims={2} collapsed_slice_dims={1} start_index_map={1} "
             "operand_batching_dims={0} start_indices_batching_dims={2} index_vector_dim=2 "
             "slice_sizes={1,1,11}",
             NULL, "index_vector_dim 2 may not stand in start_indices_batching_dims"),
      GATHER("f32[3,16,11], s64[4,3,1]",
             "offset_dims={2} collapsed_slice_dims={0} start_index_map={1} "
             "operand_batching_dims={0} start_indices_batching_dims={1} index_vector_dim=2 "
             "slice_sizes={1,1,11}",
             NULL, "dimensions in operand_batching_dims may not stand in collapsed_slice_dims or"),
      GATHER("f32[3,16,11], s64[4,3,1]",
             "offset_dims={2} collapsed_slice_dims={1} start_index_map={0} "
             "operand_batching_dims={0} start_indices_batching_dims={1} index_vector_dim=2 "
             "slice_sizes={1,1,11}",
             NULL, "may not stand in collapsed_slice_dims or start_index_map too"),
      {"gather", "f32[16,11], s64[5,2]", "offset_dims={1,2}", NULL, NULL,
       "the attribute collapsed_slice_dims is missing"},
  };
  RUN_CASES(cases);
}

#define SCATTER(shapes, attributes, shape, error)                                                  \
  {"scatter", shapes, attributes ADD, NULL, shape, error}

static void test_scatter(void) {
  static const infer_case cases[] = {
      SCATTER("f32[2,3,4,2], s64[2,2,3,2], f32[2,2,3,1,2]",
              "update_window_dims={3,4} inserted_window_dims={1} "
              "scatter_dims_to_operand_dims={2,1} input_batching_dims={0} "
              "scatter_indices_batching_dims={1} index_vector_dim=3",
              "f32[2,3,4,2]", NULL),
      SCATTER("f32[16,11], s64[5,2], f32[5,8,6]",
              "update_window_dims={1,2} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              "f32[16,11]", NULL),
      SCATTER("f32[16], s32[5], f32[5]",
              "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
              "index_vector_dim=1 unique_indices=1",
              "f32[16]", NULL),
      {"scatter", "f32[16], s32[16], s64[5], f32[5], s32[5]",
       "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
       "index_vector_dim=1 to_apply=(f32[],s32[],f32[],s32[])->(f32[],s32[])",
       NULL, "(f32[16], s32[16])", NULL},
      SCATTER("f32[16], s32[5], f32[5], f32[5]",
              "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
              "index_vector_dim=1",
              NULL, "takes indices and as many updates as arrays: 4 operands in all"),
      SCATTER("f32[16], f32[5], f32[5]",
              "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
              "index_vector_dim=1",
              NULL, "operand 1 may not have elements of type f32"),
      SCATTER("f32[16], s32[5], s32[5]",
              "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
              "index_vector_dim=1",
              NULL, "operands 0 and 2 must have the same element type"),
      SCATTER("f32[16], f32[15], s32[5], f32[5], f32[5]",
              "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
              "index_vector_dim=1",
              NULL, "operands 0 and 1 must have the same dimensions"),
      SCATTER("f32[16], f32[16], s32[5], f32[5], f32[4]",
              "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
              "index_vector_dim=1",
              NULL, "operands 3 and 4 must have the same dimensions"),
      SCATTER("f32[16,11], s64[5,2], f32[5,17,1]",
              "update_window_dims={1,2} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "a window of the updates is larger than the operand: f32[5,17,1] and"),
      SCATTER("f32[16,11], s64[5,2], f32[4,8,6]",
              "update_window_dims={1,2} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "dimensions of the updates outside of the window must be those of the indices"),
      SCATTER("f32[16,11], s64[5,2], f32[8,6]",
              "update_window_dims={1,2} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "the updates must have a dimension for each of update_window_dims and"),
      SCATTER("f32[16,11], s64[5,2], f32[5,8,6]",
              "update_window_dims={2,1} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "update_window_dims must be in increasing order: 1 follows 2"),
      SCATTER("f32[16,11], s64[5,2], f32[5,8,6]",
              "update_window_dims={1,3} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "dimension 3 in update_window_dims is out of range for shape f32[5,8,6]"),
      SCATTER("f32[16,11], s64[5,2], f32[5,8]",
              "update_window_dims={1} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "each operand dimension must stand for one in update_window_dims, or be in"),
      SCATTER("f32[16,11], s64[5,2], f32[5,8]",
              "update_window_dims={1} inserted_window_dims={2} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "dimension 2 in inserted_window_dims is out of range"),
      SCATTER("f32[16,11], s64[5,2], f32[5]",
              "update_window_dims={} inserted_window_dims={1,0} "
              "scatter_dims_to_operand_dims={0,1} index_vector_dim=1",
              NULL, "inserted_window_dims must be in increasing order"),
      SCATTER("f32[16,11], s64[5,2], f32[5,1,1]",
              "update_window_dims={1,2} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0,0} index_vector_dim=1",
              NULL, "dimension 0 stands twice in scatter_dims_to_operand_dims"),
      SCATTER("f32[16,11], s64[5,2], f32[5,1,1]",
              "update_window_dims={1,2} inserted_window_dims={} "
              "scatter_dims_to_operand_dims={0} index_vector_dim=1",
              NULL, "scatter_dims_to_operand_dims must have an entry for each of 2 numbers"),
      {"scatter", "f32[16], s32[5], f32[5]",
       "update_window_dims={} inserted_window_dims={0} scatter_dims_to_operand_dims={0} "
       "index_vector_dim=1 to_apply=(f32[],f32[])->s32[]",
       NULL, NULL, "the result of to_apply=%f must have shape f32[], not s32[]"},
  };
  RUN_CASES(cases);
}

static void test_sort_and_topk(void) {
  static const infer_case cases[] = {
      {"sort", "f32[4,6]", "dimensions={1} to_apply=(f32[],f32[])->pred[]", NULL, "f32[4,6]", NULL},
      {"sort", "f32[2], s32[2], f64[2]",
       "dimensions={0} is_stable=1 to_apply=(f32[],f32[],s32[],s32[],f64[],f64[])->pred[]", NULL,
       "(f32[2], s32[2], f64[2])", NULL},
      {"sort", "f32[4,6]", "dimensions={2} to_apply=(f32[],f32[])->pred[]", NULL, NULL,
       "dimension 2 in dimensions is out of range for shape f32[4,6]"},
      {"sort", "f32[4,6]", "dimensions={0,1} to_apply=(f32[],f32[])->pred[]", NULL, NULL,
       "dimensions must name one dimension: it has 2"},
      {"sort", "f32[]", "dimensions={0} to_apply=(f32[],f32[])->pred[]", NULL, NULL,
       "out of range"},
      {"sort", "f32[4], f32[5]", "dimensions={0} to_apply=(f32[],f32[],f32[],f32[])->pred[]", NULL,
       NULL, "must have the same dimensions"},
      {"sort", "f32[4], s32[4]", "dimensions={0} to_apply=(f32[],s32[],f32[],s32[])->pred[]", NULL,
       NULL, "parameter 1 of to_apply=%f has shape s32[], but gets f32[]"},
      {"sort", "f32[4], s32[4]", "dimensions={0} to_apply=(f32[],f32[])->pred[]", NULL, NULL,
       "takes 2 parameters, not 4"},
      {"sort", "f32[4]", "dimensions={0} to_apply=(f32[],f32[])->f32[]", NULL, NULL,
       "must have shape pred[], not f32[]"},
      {"sort", "f32[4], token[]", "dimensions={0} to_apply=(f32[],f32[])->pred[]", NULL, NULL,
       "operand 1 must be an array"},
      {"topk", "f32[2,8]", "k=3 largest=1", NULL, "(f32[2,3], s32[2,3])", NULL},
      {"topk", "f32[8]", "k=0", NULL, "(f32[0], s32[0])", NULL},
      {"topk", "f32[8]", "k=9", NULL, NULL, "must have at least k=9 elements: f32[8]"},
      {"topk", "f32[]", "k=1", NULL, NULL, "must have at least k=1 elements: f32[]"},
      {"topk", "f32[8]", "k=-1", NULL, NULL, "must have at least k=-1 elements"},
      {"topk", "c64[8]", "k=1", NULL, NULL, "may not have elements of type c64"},
  };
  RUN_CASES(cases);
}

static void test_linear_algebra(void) {
  static const infer_case cases[] = {
      {"fft", "c64[3,16]", "fft_type=FFT fft_length={16}", NULL, "c64[3,16]", NULL},
      {"fft", "c64[3,16]", "fft_type=IFFT fft_length={3,16}", NULL, "c64[3,16]", NULL},
      {"fft", "f32[3,16]", "fft_type=RFFT fft_length={16}", NULL, "c64[3,9]", NULL},
      {"fft", "f64[3,17]", "fft_type=RFFT fft_length={17}", NULL, "c128[3,9]", NULL},
      {"fft", "c64[3,9]", "fft_type=IRFFT fft_length={16}", NULL, "f32[3,16]", NULL},
      {"fft", "c64[3,9]", "fft_type=IRFFT fft_length={3,17}", NULL, "f32[3,17]", NULL},
      {"fft", "f32[3,0]", "fft_type=RFFT fft_length={0}", NULL, "c64[3,0]", NULL},
      {"fft", "c64[3,0]", "fft_type=IRFFT fft_length={0}", NULL, "f32[3,0]", NULL},
      {"fft", "c64[3,1]", "fft_type=IRFFT fft_length={0}", NULL, "f32[3,0]", NULL},
      {"fft", "f32[3,17]", "fft_type=RFFT fft_length={16}", NULL, NULL,
       "dimension 1 must have size 16 by fft_length: f32[3,17]"},
      {"fft", "c64[3,9]", "fft_type=IRFFT fft_length={18}", NULL, NULL,
       "dimension 1 must have size 10 by fft_length"},
      {"fft", "c64[3,16]", "fft_type=FFT fft_length={2,16}", NULL, NULL,
       "dimension 0 must have size 2"},
      {"fft", "c64[2,3,4,5]", "fft_type=FFT fft_length={2,3,4,5}", NULL, NULL, "1 to 3 numbers"},
      {"fft", "c64[2]", "fft_type=FFT fft_length={}", NULL, NULL, "1 to 3 numbers"},
      {"fft", "c64[2]", "fft_type=FFT fft_length={2,2}", NULL, NULL,
       "no more than the operand has"},
      {"fft", "c64[2]", "fft_type=FFT fft_length={-2}", NULL, NULL, "must not be negative: -2"},
      {"fft", "f32[2]", "fft_type=FFT fft_length={2}", NULL, NULL, "elements of type f32"},
      {"fft", "c64[2]", "fft_type=RFFT fft_length={2}", NULL, NULL, "elements of type c64"},
      {"fft", "f16[2]", "fft_type=RFFT fft_length={2}", NULL, NULL, "must be f32 or f64: f16[2]"},
      {"fft", "c64[2]", "fft_type=DCT fft_length={2}", NULL, NULL, "fft_type must be FFT, IFFT"},

      {"cholesky", "f32[2,3,3]", "lower=1", NULL, "f32[2,3,3]", NULL},
      {"cholesky", "c64[3,3]", "", NULL, "c64[3,3]", NULL},
      {"cholesky", "f32[2,3,4]", "", NULL, NULL,
       "the last two dimensions must have the same size: f32[2,3,4]"},
      {"cholesky", "f32[3]", "", NULL, NULL, "the last two dimensions"},
      {"cholesky", "s32[3,3]", "", NULL, NULL, "may not have elements of type s32"},

      {"triangular-solve", "f32[2,3,3], f32[2,3,4]", "left_side=1 transpose_a=NO_TRANSPOSE", NULL,
       "f32[2,3,4]", NULL},
      {"triangular-solve", "c64[2,3,3], c64[2,4,3]", "transpose_a=ADJOINT unit_diagonal=1", NULL,
       "c64[2,4,3]", NULL},
      {"triangular-solve", "f32[2,3,3], f32[2,4,3]", "left_side=1", NULL, NULL,
       "with left_side the rows of b must be as many as those of a"},
      {"triangular-solve", "f32[2,3,3], f32[2,3,4]", "", NULL, NULL,
       "without left_side the columns of b must be as many as those of a"},
      {"triangular-solve", "f32[2,3,3], f32[1,3,3]", "", NULL, NULL,
       "the same batch dimensions: f32[2,3,3] and f32[1,3,3]"},
      {"triangular-solve", "f32[2,3,3], f32[3,3]", "", NULL, NULL, "the same batch dimensions"},
      {"triangular-solve", "f32[2,3,4], f32[2,3,4]", "", NULL, NULL, "the last two dimensions"},
      {"triangular-solve", "f32[3,3], f64[3,3]", "", NULL, NULL, "the same element type"},
      {"triangular-solve", "s32[3,3], s32[3,3]", "", NULL, NULL, "elements of type s32"},
      {"triangular-solve", "f32[3,3], f32[3,3]", "transpose_a=CONJUGATE", NULL, NULL,
       "transpose_a must be NO_TRANSPOSE, TRANSPOSE or ADJOINT"},
  };
  RUN_CASES(cases);
}

static void test_batch_norm(void) {
  static const infer_case cases[] = {
      {"batch-norm-training", "f32[2,3,4], f32[4], f32[4]", "epsilon=0.1 feature_index=2", NULL,
       "(f32[2,3,4], f32[4], f32[4])", NULL},
      {"batch-norm-inference", "f32[2,3,4], f32[3], f32[3], f32[3], f32[3]",
       "epsilon=0.1 feature_index=1", NULL, "f32[2,3,4]", NULL},
      {"batch-norm-grad", "f32[2,3,4], f32[3], f32[3], f32[3], f32[2,3,4]",
       "epsilon=0.1 feature_index=1", NULL, "(f32[2,3,4], f32[3], f32[3])", NULL},
      {"batch-norm-training", "f32[2,3,4], f32[3], f32[4]", "epsilon=0.1 feature_index=2", NULL,
       NULL, "operand 1 must have a number for each feature: f32[4], not f32[3]"},
      {"batch-norm-training", "f32[2,3,4], f32[4], f32[4]", "epsilon=0.1 feature_index=3", NULL,
       NULL, "dimension 3 in feature_index is out of range for shape f32[2,3,4]"},
      {"batch-norm-training", "s32[2], s32[2], s32[2]", "epsilon=0.1 feature_index=0", NULL, NULL,
       "may not have elements of type s32"},
      {"batch-norm-training", "f32[2], f32[2], f32[2]", "feature_index=0", NULL, NULL,
       "the attribute epsilon is missing"},
      {"batch-norm-inference", "f32[2,3,4], f32[3], f32[3], f32[3], f32[4]",
       "epsilon=0.1 feature_index=1", NULL, NULL, "operand 4 must have a number for each feature"},
      {"batch-norm-grad", "f32[2,3,4], f32[3], f32[3], f32[3], f32[2,3,5]",
       "epsilon=0.1 feature_index=1", NULL, NULL, "operands 0 and 4 must have the same dimensions"},
      {"batch-norm-grad", "f32[2,3,4], f32[3], f64[3], f32[3], f32[2,3,4]",
       "epsilon=0.1 feature_index=1", NULL, NULL, "operand 2 must have a number for each feature"},
  };
  RUN_CASES(cases);
}

int main(void) {
  test_convolution();
  test_dimension_labels();
  test_reduce_window();
  test_gather();
  test_scatter();
  test_sort_and_topk();
  test_linear_algebra();
  test_batch_norm();
  return CHECK_RESULT();
}
