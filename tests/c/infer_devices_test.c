// Checks the inference rules of collectives, tokens, random numbers and dynamic sizes.
#include "infer_case.h"

#define ADD "to_apply=(f32[],f32[])->f32[]"

static void test_reductions_across_devices(void) {
  static const infer_case cases[] = {
      {"all-reduce", "f32[8]", ADD " replica_groups={0,1;2,3}", NULL, "f32[8]", NULL},
      {"all-reduce", "f32[8], f32[2,2]", ADD " replica_groups={0,2;1} channel_id=1", NULL,
       "(f32[8], f32[2,2])", NULL},
      {"all-reduce", "f32[8]", ADD, NULL, "f32[8]", NULL},
      {"all-reduce", "f32[8], s32[8]", ADD, NULL, NULL, "the same element type"},
      {"all-reduce", "s32[8]", ADD, NULL, NULL, "parameter 0 of to_apply=%f has shape f32[]"},
      {"all-reduce", "f32[8]", ADD " replica_groups={0,1;1,2}", NULL, NULL,
       "1 stands twice in replica_groups"},
      {"all-reduce", "f32[8]", ADD " replica_groups={0,-1}", NULL, NULL,
       "-1 in replica_groups is not the number of a device"},
      {"all-reduce", "f32[8]", ADD " replica_groups={0,9223372036854775807}", NULL, NULL,
       "is not the number of a device"},
      {"all-reduce", "token[]", ADD, NULL, NULL, "operand 0 must be an array"},

      {"reduce-scatter", "f32[2,4]", ADD " replica_groups={0,1} dimensions={1}", NULL, "f32[2,2]",
       NULL},
      {"reduce-scatter", "f32[2]", ADD " replica_groups={0,2;1,3} dimensions={0}", NULL, "f32[1]",
       NULL},
      {"reduce-scatter", "f32[6]", ADD " dimensions={0}", "f32[2]", "f32[2]", NULL},
      {"reduce-scatter", "f32[6]", ADD " dimensions={0}", "f32[4]", NULL,
       "one size of the changed dimension must divide the other: f32[6] and f32[4]"},
      {"reduce-scatter", "f32[6]", ADD " dimensions={0}", "f32[0]", NULL, "must divide the other"},
      {"reduce-scatter", "f32[6]", ADD " dimensions={0}", NULL, NULL,
       "the number of participants is not known"},
      {"reduce-scatter", "f32[2,4]", ADD " replica_groups={0,1,2} dimensions={1}", NULL, NULL,
       "dimension 1 of f32[2,4] does not fit groups of 3"},
      {"reduce-scatter", "f32[4]", ADD " replica_groups={0,1;2} dimensions={0}", NULL, NULL,
       "all groups in replica_groups must be of one size: 2 and 1"},
      {"reduce-scatter", "f32[4]", ADD " replica_groups={0,1} dimensions={1}", NULL, NULL,
       "dimension 1 in dimensions is out of range"},
  };
  RUN_CASES(cases);
}

static void test_exchange(void) {
  static const infer_case cases[] = {
      {"all-gather", "f32[2]", "replica_groups={0,1} dimensions={0}", NULL, "f32[4]", NULL},
      {"all-gather", "f32[2,3], s32[3,3]", "replica_groups={0,1} dimensions={1}", NULL,
       "(f32[2,6], s32[3,6])", NULL},
      // with a channel and without global numbers all partitions take part
      {"all-gather", "f32[2]", "replica_groups={0,1} dimensions={0} channel_id=1", "f32[8]",
       "f32[8]", NULL},
      {"all-gather", "f32[2]",
       "replica_groups={0,1} dimensions={0} channel_id=1 use_global_device_ids=1", "f32[8]", NULL,
       "the result has shape f32[4], but f32[8] is stated"},
      {"all-gather", "f32[2]", "dimensions={0}", "f32[6]", "f32[6]", NULL},
      {"all-gather", "f32[2]", "dimensions={0}", "f32[5]", NULL, "must divide the other"},
      {"all-gather", "f32[2,2]", "dimensions={0}", "f32[4,3]", NULL,
       "the result has shape f32[4,2], but f32[4,3] is stated"},
      {"all-gather", "f32[2]", "dimensions={0,0} replica_groups={0,1}", NULL, NULL,
       "must name one dimension"},
      {"all-gather", "s8[4611686018427387904]", "dimensions={0} replica_groups={0,1}", NULL, NULL,
       "does not fit groups of 2"},

      {"all-to-all", "f32[4,16]", "replica_groups={0,1,2,3} dimensions={1}", NULL, "f32[4,16]",
       NULL},
      {"all-to-all", "f32[8]", "replica_groups={0,1,2} dimensions={0}", NULL, NULL,
       "dimension 0 of f32[8] does not fit groups of 3"},
      {"all-to-all", "f32[8], f32[8]", "replica_groups={0,1}", NULL, "(f32[8], f32[8])", NULL},
      {"all-to-all", "f32[8]", "replica_groups={0}", NULL, "(f32[8])", NULL},
      {"all-to-all", "f32[8], f32[8]", "replica_groups={0,1} dimensions={0}", NULL, NULL,
       "takes one operand when dimensions are given, not 2"},
      {"all-to-all", "f32[8], f32[8]", "replica_groups={0,1,2}", NULL, NULL,
       "takes one operand for each of 3 participants, not 2"},
      {"all-to-all", "f32[8], f32[7]", "replica_groups={0,1}", NULL, NULL, "the same dimensions"},
      {"all-to-all", "f32[8], s32[8]", "replica_groups={0,1}", NULL, NULL, "the same element type"},

      {"collective-permute", "f32[8]", "source_target_pairs={0,1;1,0}", NULL, "f32[8]", NULL},
      {"collective-permute", "f32[8], s32[]", "source_target_pairs={0,1}", NULL, "(f32[8], s32[])",
       NULL},
      {"collective-permute", "f32[8]", "source_target_pairs={}", NULL, "f32[8]", NULL},
      {"collective-permute", "f32[8]", "source_target_pairs={0,1;0,2}", NULL, NULL,
       "0 stands twice in the sources of source_target_pairs"},
      {"collective-permute", "f32[8]", "source_target_pairs={0,1;2,1}", NULL, NULL,
       "1 stands twice in the targets of source_target_pairs"},
      {"collective-permute", "f32[8]", "source_target_pairs={0,1,2}", NULL, NULL,
       "entries of source_target_pairs must be pairs: entry 0 has 3 numbers"},
      {"collective-permute", "f32[8]", "source_target_pairs={0,-1}", NULL, NULL,
       "-1 in the targets of source_target_pairs is not the number of a device"},
      {"collective-broadcast", "f32[8]", "replica_groups={0,1}", NULL, "f32[8]", NULL},
      {"collective-broadcast", "f32[8]", "replica_groups={0,0}", NULL, NULL, "0 stands twice"},
  };
  RUN_CASES(cases);
}

static void test_tokens_and_numbers(void) {
  static const infer_case cases[] = {
      {"after-all", "", "", NULL, "token[]", NULL},
      {"after-all", "token[], token[]", "", NULL, "token[]", NULL},
      {"after-all", "token[], f32[]", "", NULL, NULL, "operand 1 must be a token: f32[]"},
      {"add-dependency", "f32[2], token[]", "", NULL, "f32[2]", NULL},
      {"add-dependency", "f32[2], f32[2]", "", NULL, NULL, "operand 1 must be a token: f32[2]"},
      {"outfeed", "(f32[2], s32[]), token[]", "", NULL, "token[]", NULL},
      {"outfeed", "f32[2], s32[]", "", NULL, NULL, "operand 1 must be a token"},
      {"replica-id", "", "", NULL, "u32[]", NULL},
      {"partition-id", "", "", "u32[]", "u32[]", NULL},
      {"partition-id", "", "", "s32[]", NULL, "but s32[] is stated"},
      {"infeed", "token[]", "", "(f32[2], token[])", "(f32[2], token[])", NULL},
      {"infeed", "token[]", "", NULL, NULL, "the shape of the result must be given"},

      {"get-dimension-size", "f32[2,3]", "dimensions={1}", NULL, "s32[]", NULL},
      {"get-dimension-size", "f32[2,3]", "dimensions={2}", NULL, NULL, "out of range"},
      {"get-dimension-size", "f32[2,3]", "dimensions={}", NULL, NULL, "must name one dimension"},
      {"get-dimension-size", "(f32[2])", "dimensions={0}", NULL, NULL, "must be an array"},
      {"set-dimension-size", "f32[10], s32[]", "dimensions={0}", NULL, "f32[<=10]", NULL},
      {"set-dimension-size", "f32[2,<=3], s32[]", "dimensions={0}", NULL, "f32[<=2,<=3]", NULL},
      {"set-dimension-size", "f32[10], s32[]", "dimensions={0}", "f32[10]", "f32[10]", NULL},
      {"set-dimension-size", "f32[10], s64[]", "dimensions={0}", NULL, NULL,
       "operand 1 must be a scalar s32[]: s64[]"},
      {"set-dimension-size", "f32[10], s32[]", "dimensions={1}", NULL, NULL, "out of range"},
  };
  RUN_CASES(cases);
}

static void test_random(void) {
  static const infer_case cases[] = {
      {"rng", "f32[], f32[]", "distribution=rng_normal", "f32[2,3]", "f32[2,3]", NULL},
      {"rng", "s32[], s32[]", "distribution=rng_uniform", "s32[4]", "s32[4]", NULL},
      {"rng", "s32[], s32[]", "distribution=rng_normal", "s32[4]", NULL,
       "may not have elements of this type: s32[4]"},
      {"rng", "c64[], c64[]", "distribution=rng_uniform", "c64[4]", NULL, "elements of this type"},
      {"rng", "f32[], f64[]", "distribution=rng_uniform", "f32[4]", NULL,
       "operand 1 must be a scalar f32[]: f64[]"},
      {"rng", "f32[2], f32[]", "distribution=rng_uniform", "f32[4]", NULL, "operand 0 must be a"},
      {"rng", "f32[], f32[]", "distribution=rng_bernoulli", "f32[4]", NULL,
       "distribution must be rng_normal or rng_uniform"},
      {"rng", "f32[], f32[]", "distribution=rng_uniform", NULL, NULL, "must be given"},

      {"rng-bit-generator", "u64[2]", "algorithm=rng_three_fry", "(u64[2], u32[7])",
       "(u64[2], u32[7])", NULL},
      {"rng-bit-generator", "u64[3]", "algorithm=rng_philox", "(u64[3], u8[7])", "(u64[3], u8[7])",
       NULL},
      {"rng-bit-generator", "u64[2]", "algorithm=rng_philox", "(u64[2], f32[])", "(u64[2], f32[])",
       NULL},
      {"rng-bit-generator", "u32[4]", "algorithm=rng_default", "(u32[4], u32[2])",
       "(u32[4], u32[2])", NULL},
      {"rng-bit-generator", "u64[3]", "algorithm=rng_three_fry", "(u64[3], u32[7])", NULL,
       "the state must be u64[2]: u64[3]"},
      {"rng-bit-generator", "u32[2]", "algorithm=rng_three_fry", "(u32[2], u32[7])", NULL,
       "the state must be u64[2]: u32[2]"},
      {"rng-bit-generator", "u64[4]", "algorithm=rng_philox", "(u64[4], u32[7])", NULL,
       "the state must be u64[3], or u64[2]: u64[4]"},
      {"rng-bit-generator", "u64[]", "algorithm=rng_default", "(u64[], u32[7])", NULL,
       "the state must be a vector"},
      {"rng-bit-generator", "s64[2]", "algorithm=rng_default", "(s64[2], u32[7])", NULL,
       "operand 0 may not have elements of type s64"},
      {"rng-bit-generator", "u64[2]", "algorithm=mt19937", "(u64[2], u32[7])", NULL,
       "algorithm must be rng_default, rng_three_fry or rng_philox"},
      {"rng-bit-generator", "u64[2]", "algorithm=rng_default", "u32[7]", NULL,
       "the result must be the state and the random bits"},
      {"rng-bit-generator", "u64[2]", "algorithm=rng_default", "(u64[3], u32[7])", NULL,
       "the result must be the state and the random bits"},
      {"rng-bit-generator", "u64[2]", "algorithm=rng_default", "(u64[2], pred[7])", NULL,
       "random bits must be integers or floats: pred[7]"},
      {"rng-bit-generator", "u64[2]", "algorithm=rng_default", NULL, NULL, "must be given"},
  };
  RUN_CASES(cases);
}

int main(void) {
  test_reductions_across_devices();
  test_exchange();
  test_tokens_and_numbers();
  test_random();
  return CHECK_RESULT();
}
