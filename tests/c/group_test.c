// Groups of processes: steps in turn, messages, feeds, and what goes wrong: deadlock, disagreement,
// programs that do not fit, memory that runs out at any point.
#include "group_fixture.h"

#include "memory_check.h"

#define SUM   "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }\n"
#define ENTRY "ENTRY e { x = f32[2] parameter(0)\n"

static const char *const two[] = {"f32[2] {1, 2}", "f32[2] {3, 4}"};
static const char *const four[] = {"f32[2] {1, 2}", "f32[2] {3, 4}", "f32[2] {5, 6}",
                                   "f32[2] {7, 8}"};

// --- errors ---

static void test_disagreement(void) {
  // Which replica does what is decided by its number.
#define BRANCHES(yes, no)                                                                          \
  "HloModule m\n" SUM "yes { x = f32[2] parameter(0)\n" yes                                        \
  " }\nno { x = f32[2] parameter(0)\n" no " }\n" ENTRY                                             \
  " i = u32[] replica-id()\n z = u32[] constant(0)\n"                                              \
  " p = pred[] compare(i, z), direction=EQ\n"                                                      \
  " ROOT y = f32[2] conditional(p, x, x), true_computation=yes, false_computation=no }"
  group_check_error("other operations",
                    BRANCHES(" ROOT y = f32[2] all-reduce(x), to_apply=add",
                             " ROOT z = f32[2] collective-permute(x), "
                             "source_target_pairs={{0,1}}"),
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "participants disagree: replica 1 has collective-permute, but replica 0 at %y "
                    "has all-reduce");
  group_check_error(
      "other shapes",
      BRANCHES(" ROOT y = f32[2] all-reduce(x), to_apply=add",
               " s = f32[1] slice(x), slice={[0:1]}\n r = f32[1] all-reduce(s), to_apply=add\n"
               " q = f32[] reshape(r)\n ROOT z = f32[2] broadcast(q), dimensions={}"),
      2, 1, two, HLO_RUNTIME_ERROR,
      "instruction %r (all-reduce): participants disagree: replica 1 has f32[1], but replica 0 at "
      "%y has f32[2]");
  group_check_error("another dimension",
                    "HloModule m\nyes { x = f32[2,2] parameter(0)\n"
                    " ROOT y = f32[2,2] all-to-all(x), dimensions={0} }\n"
                    "no { x = f32[2,2] parameter(0)\n"
                    " ROOT z = f32[2,2] all-to-all(x), dimensions={1} }\n" ENTRY
                    " b = f32[2,2] broadcast(x), dimensions={0}\n i = u32[] replica-id()\n"
                    " o = u32[] constant(0)\n p = pred[] compare(i, o), direction=EQ\n"
                    " ROOT c = f32[2,2] conditional(p, b, b), true_computation=yes, "
                    "false_computation=no }",
                    2, 1, two, HLO_RUNTIME_ERROR, "another dimension");
  group_check_error("other pairs",
                    BRANCHES(" ROOT y = f32[2] collective-permute(x), source_target_pairs={{0,1}}",
                             " ROOT z = f32[2] collective-permute(x), source_target_pairs={{1,0}}"),
                    2, 1, two, HLO_RUNTIME_ERROR, "other source_target_pairs");
  group_check_error("one never comes",
                    BRANCHES(" ROOT y = f32[2] all-reduce(x), channel_id=7, to_apply=add",
                             " ROOT z = f32[2] negate(x)"),
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "deadlock, no process can go on: replica 0 waits at %y (all-reduce, channel 7) "
                    "for replica 1 (which has ended)");
  group_check_error("each waits for the other",
                    BRANCHES(" ROOT y = f32[2] all-reduce(x), channel_id=1, to_apply=add",
                             " ROOT z = f32[2] all-reduce(x), channel_id=2, to_apply=add"),
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "replica 0 waits at %y (all-reduce, channel 1) for replica 1; replica 1 waits "
                    "at %z (all-reduce, channel 2) for replica 0");
  group_check_error("one of four never comes, in two dimensions",
                    "HloModule m\n" SUM "yes { x = f32[2] parameter(0)\n"
                    " ROOT y = f32[2] all-reduce(x), channel_id=1, to_apply=add }\n"
                    "no { ROOT x = f32[2] parameter(0) }\n" ENTRY " i = u32[] replica-id()\n"
                    " j = u32[] partition-id()\n s = u32[] add(i, j)\n t = u32[] constant(2)\n"
                    " p = pred[] compare(s, t), direction=LT\n"
                    " ROOT c = f32[2] conditional(p, x, x), true_computation=yes, "
                    "false_computation=no }",
                    2, 2, four, HLO_RUNTIME_ERROR,
                    "replica 0 partition 0 waits at %y (all-reduce, channel 1) for replica 1 "
                    "partition 1 (which has ended); replica 0 partition 1 waits");
}

static void test_wrong_groups(void) {
  group_check_error("a number that is not there",
                    "HloModule m\n" SUM ENTRY
                    " ROOT y = f32[2] all-reduce(x), replica_groups={{0,1},{2}}, to_apply=add }",
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "replica_groups name replica 2, but the program runs as 2 replicas of 1 "
                    "partitions");
  group_check_error("one process is in no group",
                    "HloModule m\n" SUM ENTRY
                    " ROOT y = f32[2] all-reduce(x), replica_groups={{0}}, to_apply=add }",
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "replica 1 is in none of the replica_groups (in replica 1)");
  group_check_error("sizes for another number of processes",
                    "HloModule m\n" ENTRY " ROOT y = f32[6] all-gather(x), dimensions={0} }", 2, 1,
                    two, HLO_RUNTIME_ERROR, "dimension 0: 6 is not 2 times 2");
  group_check_error("parts that do not come out even",
                    "HloModule m\n" ENTRY " ROOT y = f32[2] all-to-all(x), dimensions={0} }", 3, 1,
                    four, HLO_RUNTIME_ERROR, "cannot be split among 3 participants");
  group_check_error("operands for another number of processes",
                    "HloModule m\n" ENTRY " ROOT y = (f32[2], f32[2]) all-to-all(x, x) }", 1, 1,
                    four, HLO_RUNTIME_ERROR, "has 2 operands for 1 participants");
  group_check_error("global numbers without a channel",
                    "HloModule m\n" SUM ENTRY " ROOT y = f32[2] all-reduce(x), "
                    "use_global_device_ids=true, to_apply=add }",
                    1, 1, four, HLO_SHAPE_ERROR, "use_global_device_ids needs a positive");
  group_check_error(
      "other parts than participants",
      "HloModule m\n" ENTRY " ROOT y = f32[2] all-to-all(x), dimensions={0}, split_count=2 }", 1, 1,
      four, HLO_RUNTIME_ERROR, "split_count is 2, but there are 1 participants");
  group_check_error("copies between parts of buffers",
                    "HloModule m\n" ENTRY " i = s32[] constant(0)\n"
                    " ROOT y = f32[2] collective-permute(x, x, i, i), "
                    "source_target_pairs={{0,1}}, slice_sizes={{1}} }",
                    2, 1, two, HLO_UNSUPPORTED, "the form with slice_sizes");
  group_check_error("in a computation that is applied to elements",
                    "HloModule m\n" SUM "f { a = f32[] parameter(0)\n"
                    " ROOT s = f32[] all-reduce(a), to_apply=add }\n" ENTRY
                    " ROOT y = f32[2] map(x), dimensions={0}, to_apply=f }",
                    2, 1, two, HLO_UNSUPPORTED, "applied to elements");
  group_check_error("too many processes", "HloModule m\n" ENTRY " ROOT y = f32[2] negate(x) }", 8,
                    8193, NULL, HLO_INVALID_ARGUMENT, "there must be 1 to 65536 processes");
  group_check_error("too few arguments", "HloModule m\n" ENTRY " ROOT y = f32[2] negate(x) }", 1, 1,
                    (const char *[]){"f32[2] {1, 2}; f32[2] {3, 4}"}, HLO_INVALID_ARGUMENT,
                    "take 1 arguments, got 2");
}

// Starts and dones whose shapes are not what they must be.
static void test_wrong_shapes(void) {
  static const struct {
    const char *body, *message;
  } cases[] = {
      {" s = (f32[2], f32[5]) all-gather-start(x), dimensions={0}\n"
       " ROOT d = f32[5] all-gather-done(s)",
       "must divide"},
      {" s = (f32[3], f32[4]) all-gather-start(x), dimensions={0}\n"
       " ROOT d = f32[4] all-gather-done(s)",
       "must be stated as (f32[2], f32[4], contexts...), not (f32[3], f32[4])"},
      {" s = (f32[2], f32[2], f32[]) collective-permute-start(x), source_target_pairs={{0,1}}\n"
       " ROOT d = f32[2] collective-permute-done(s)",
       "contexts...)"},
      {" s = (f32[2], s32[2], u32[]) copy-start(x)\n ROOT d = f32[2] copy-done(s)", "contexts...)"},
      {" s = ((f32[2]), f32[3]) async-start(x), calls=neg\n ROOT d = f32[3] async-done(s)",
       "contexts...)"},
      {" ROOT s = ((f32[2], f32[2]), f32[2]) async-start(x, x), calls=neg",
       "takes 1 parameters, not 2"},
      {" ROOT d = f32[2] async-done(x)", "the operand must be what its start gives: f32[2]"},
      {" t = token[] after-all()\n ROOT r = (f32[2], token[]) recv(t), channel_id=1",
       "must be stated as (data, u32[], token[])"},
      {" t = token[] after-all()\n ROOT r = f32[2] infeed(t)", "must be stated as (data, token[])"},
      {" t = token[] after-all()\n ROOT r = (f32[2], u32[], token[]) send(x, x), channel_id=1",
       "operand 1 must be a token"},
      {" p = (f32[2], u32[]) tuple(x, x)\n ROOT r = token[] send-done(p), channel_id=1", "u32[]"},
      {" s = s32[2] constant({1, 2})\n ROOT r = f32[3] ragged-all-to-all(x, x, s, s, s, s)",
       "has shape f32[2]"},
      {" s = s32[2] constant({1, 2})\n o = s32[1] constant({1})\n"
       " ROOT r = f32[2] ragged-all-to-all(x, x, s, s, o, s)",
       "the same dimensions"},
      {" ROOT r = f32[2] ragged-all-to-all(x, x, x, x, x, x)", "may not have elements of type f32"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hlo_string text = {0};
    hlo_string_add(&text, "HloModule m\nneg { x = f32[2] parameter(0)\n ROOT n = f32[2] negate(x) "
                          "}\n" ENTRY);
    hlo_string_add(&text, cases[i].body);
    hlo_string_add(&text, " }");
    group_check_error(cases[i].body, text.text, 1, 1, four, HLO_SHAPE_ERROR, cases[i].message);
    hlo_string_free(&text);
  }
}

// --- messages ---

#define SEND(pairs)                                                                                \
  " t = token[] after-all()\n s = (f32[2], u32[], token[]) send(x, t), channel_id=4" pairs         \
  "\n sd = token[] send-done(s), channel_id=4\n"                                                   \
  " r = (f32[2], u32[], token[]) recv(sd), channel_id=4" pairs                                     \
  "\n rd = (f32[2], token[]) recv-done(r), channel_id=4" pairs                                     \
  "\n ROOT y = f32[2] get-tuple-element(rd), index=0 }"
#define PAIRS(list)                                                                                \
  ", frontend_attributes={_xla_send_recv_source_target_pairs={" list "},"                          \
  "_xla_send_recv_validation=\"invalid\"}"

static void test_messages(void) {
  group_check("pairs say who gets it", "HloModule m\n" ENTRY SEND(PAIRS("{0,1},{1,2},{2,0}")), 3, 1,
              four, (const char *[]){"f32[2] {5, 6}", "f32[2] {1, 2}", "f32[2] {3, 4}"});
  group_check("some send nothing and get zeros", "HloModule m\n" ENTRY SEND(PAIRS("{2,1}")), 3, 1,
              four, (const char *[]){"f32[2] {0, 0}", "f32[2] {5, 6}", "f32[2] {0, 0}"});
  group_check("to itself", "HloModule m\n" ENTRY SEND(""), 1, 1, four,
              (const char *[]){"f32[2] {1, 2}"});
  // Replica 0 receives before it sends, replica 1 the other way round.
#define FIRST(a, b)                                                                                \
  " x = f32[2] parameter(0)\n t = token[] after-all()\n" a b                                       \
  " ROOT y = f32[2] get-tuple-element(rd), index=0 }\n"
#define SENDS(c, t)                                                                                \
  " s = (f32[2], u32[], token[]) send(x, " t "), channel_id=" c "\n sd = token[] send-done(s)\n"
#define RECEIVES(c, t)                                                                             \
  " r = (f32[2], u32[], token[]) recv(" t "), channel_id=" c                                       \
  "\n rd = (f32[2], token[]) recv-done(r)\n"
#define CHOICE                                                                                     \
  ENTRY " i = u32[] replica-id()\n z = u32[] constant(0)\n"                                        \
        " p = pred[] compare(i, z), direction=EQ\n"                                                \
        " ROOT y = f32[2] conditional(p, x, x), true_computation=a, false_computation=b }"
  group_check("a receiver waits",
              "HloModule m\na {" FIRST(RECEIVES("1", "t"), SENDS("2", "t")) "b {" FIRST(
                  SENDS("1", "t"), RECEIVES("2", "sd")) CHOICE,
              2, 1, two, (const char *[]){"f32[2] {3, 4}", "f32[2] {1, 2}"});
  group_check_error("both wait",
                    "HloModule m\na {" FIRST(RECEIVES("1", "t"), SENDS("2", "t")) "b {" FIRST(
                        RECEIVES("2", "t"), SENDS("1", "t")) CHOICE,
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "replica 0 waits at %rd (recv-done) for a send on channel 1 of any process; "
                    "replica 1 waits at %rd (recv-done) for a send on channel 2 of any process");
  group_check_error("never received",
                    "HloModule m\n" ENTRY " t = token[] after-all()\n"
                    " s = (f32[2], u32[], token[]) send(x, t), channel_id=9\n"
                    " sd = token[] send-done(s)\n ROOT y = f32[2] add-dependency(x, sd) }",
                    2, 1, two, HLO_RUNTIME_ERROR,
                    "instruction %s (send): what replica 0 sent on channel 9 was never received");
  group_check_error("from the host",
                    "HloModule m\nENTRY e { t = token[] after-all()\n"
                    " r = (f32[2], u32[], token[]) recv(t), channel_id=9, is_host_transfer=true\n"
                    " rd = (f32[2], token[]) recv-done(r), channel_id=9, is_host_transfer=true\n"
                    " ROOT y = f32[2] get-tuple-element(rd), index=0 }",
                    1, 1, NULL, HLO_RUNTIME_ERROR, "for a send (no host is connected)");
  group_check_error("another shape",
                    "HloModule m\n" ENTRY " t = token[] after-all()\n" SENDS(
                        "1", "t") " r = (f32[3], u32[], token[]) recv(sd), channel_id=1\n"
                                  " rd = (f32[3], token[]) recv-done(r)\n"
                                  " ROOT y = f32[3] get-tuple-element(rd), index=0 }",
                    1, 1, two, HLO_RUNTIME_ERROR, "takes f32[3], but what was sent is f32[2]");
  group_check_error("to nobody there", "HloModule m\n" ENTRY SEND(PAIRS("{0,5}")), 2, 1, two,
                    HLO_RUNTIME_ERROR, "sends to process 5 of 2");
}

// --- feeds ---

static const char *const feeds =
    "HloModule m\nENTRY e { x = f32[2] parameter(0)\n t = token[] after-all()\n"
    " i = ((f32[2], s32[]), token[]) infeed(t)\n v = (f32[2], s32[]) get-tuple-element(i), "
    "index=0\n"
    " u = token[] get-tuple-element(i), index=1\n a = f32[2] get-tuple-element(v), index=0\n"
    " s = f32[2] add(a, x)\n n = s32[] get-tuple-element(v), index=1\n"
    " p = (f32[2], s32[]) tuple(s, n)\n o = token[] outfeed(p, u), outfeed_shape=(f32[2], s32[])\n"
    " j = (f32[2], token[]) infeed(o)\n w = f32[2] get-tuple-element(j), index=0\n"
    " k = token[] get-tuple-element(j), index=1\n l = token[] outfeed(w, k)\n"
    " m = ((), token[]) infeed(l)\n ROOT y = f32[2] subtract(w, s) }";

static void feed(hlo_run *run, const char *text, hlo_error *error) {
  hlo_array *arrays[MAX_VALUES];
  int count = group_read(text, strlen(text), arrays, error);
  if (count >= 0) hlo_run_feed(run, count, arrays, error);
  for (int i = 0; i < count; i++) hlo_array_destroy(arrays[i]);
}

static void test_feeds(void) {
  hlo_error error = {0};
  bool done = false;
  group_program p = group_compile(feeds, &error);
  hlo_run_group *group = group_start(&p, 2, 1, two, &error);
  CHECK_MESSAGE(group != NULL, "%s", error.message);
  feed(hlo_run_group_process(group, 0), "f32[2] {10, 20}; s32[] 5", &error);
  feed(hlo_run_group_process(group, 0), "f32[2] {0, 1}", &error);
  feed(hlo_run_group_process(group, 1), "f32[2] {30, 40}; s32[] 6", &error);
  feed(hlo_run_group_process(group, 1), "f32[2] {2, 3}", &error);
  hlo_status status = hlo_run_group_continue(group, 0, &done, &error);
  CHECK_MESSAGE(status == HLO_OK && done, "%s", error.message);
  group_check_results("feeds", &p, group,
                      (const char *[]){"f32[2] {-11, -21}", "f32[2] {-31, -41}"});
  hlo_run *second = hlo_run_group_process(group, 1);
  hlo_array *want[2];
  CHECK(hlo_run_outfeed_count(second) == 2);
  CHECK(group_read("f32[2] {33, 44}; s32[] 6", 24, want, &error) == 2);
  for (int i = 0; i < 2; i++) {
    hlo_array *out = hlo_run_outfeed_take(second, i);
    group_check_array("outfeed", 1, i, out, want[i]);
    hlo_array_destroy(out);
    hlo_array_destroy(want[i]);
    CHECK(hlo_run_outfeed_take(second, i) == NULL);
  }
  CHECK(hlo_run_outfeed_take(second, 2) == NULL && hlo_run_outfeed_take(second, -1) == NULL);
  hlo_run_outfeed_drop(second);
  CHECK(hlo_run_outfeed_count(second) == 1);
  hlo_run_outfeed_drop(second);
  CHECK(hlo_run_outfeed_count(second) == -1 && hlo_run_outfeed_take(second, 0) == NULL);
  hlo_run_outfeed_drop(second);
  hlo_run_group_destroy(group);
  group_check_error("an empty infeed", feeds, 2, 1, two, HLO_RUNTIME_ERROR,
                    "nothing is left in the infeed (in replica 0)");
  group = group_start(&p, 1, 1, two, &error);
  feed(hlo_run_group_process(group, 0), "f32[2] {10, 20}; s64[] 5", &error);
  CHECK(hlo_run_group_continue(group, 0, &done, &error) == HLO_RUNTIME_ERROR);
  CHECK(strstr(error.message, "takes s32[], but what comes from the infeed is s64[]") != NULL);
  hlo_run_group_destroy(group);
  group_program_destroy(&p);
}

// --- steps and memory ---

static const char *const rotating =
    "HloModule m\n" SUM "more { s = (s32[], f32[2]) parameter(0)\n"
    " n = s32[] get-tuple-element(s), index=0\n z = s32[] constant(0)\n"
    " ROOT m = pred[] compare(n, z), direction=GT }\n"
    "body { s = (s32[], f32[2]) parameter(0)\n n = s32[] get-tuple-element(s), index=0\n"
    " x = f32[2] get-tuple-element(s), index=1\n o = s32[] constant(1)\n"
    " r = s32[] subtract(n, o)\n y = f32[2] collective-permute(x), "
    "source_target_pairs={{0,1},{1,0}}\n v = f32[2] all-reduce(y), to_apply=add\n"
    " g = f32[4] all-gather(y), dimensions={0}\n b = f32[2] slice(g), slice={[1:3]}\n"
    " q = f32[2] subtract(v, b)\n ROOT t = (s32[], f32[2]) tuple(r, q) }\n" ENTRY
    " n = s32[] constant(40)\n"
    " s = (s32[], f32[2]) tuple(n, x)\n w = (s32[], f32[2]) while(s), condition=more, "
    "body=body\n ROOT y = f32[2] get-tuple-element(w), index=1 }";

// One step at a time gives what running through gives, and takes no more memory at every pass.
static void test_resumable(void) {
  hlo_error error = {0};
  group_program p = group_compile(rotating, &error);
  hlo_run_group *group = group_start(&p, 2, 1, two, &error), *whole;
  CHECK_MESSAGE(group != NULL, "%s", error.message);
  bool done = false;
  int pauses = 0;
  size_t highest = 0;
  while (!done && pauses < 100000) {
    if (hlo_run_group_continue(group, 1, &done, &error) != HLO_OK) break;
    if (hlo_memory_in_use() > highest) {
      if (pauses > 100) CHECK(!"memory grows with the passes");
      highest = hlo_memory_in_use();
    }
    pauses++;
  }
  CHECK_MESSAGE(done && pauses > 500, "%d pauses: %s", pauses, error.message);
  whole = group_start(&p, 2, 1, two, &error);
  CHECK(hlo_run_group_continue(whole, 0, &done, &error) == HLO_OK && done);
  for (int i = 0; i < 2; i++) {
    hlo_array *a, *b;
    CHECK(hlo_run_result(hlo_run_group_process(group, i), 0, &a, &error) == HLO_OK);
    CHECK(hlo_run_result(hlo_run_group_process(whole, i), 0, &b, &error) == HLO_OK);
    group_check_array("resumed", i, 0, a, b);
    hlo_array_destroy(a);
    hlo_array_destroy(b);
  }
  CHECK(hlo_run_continue(hlo_run_group_process(group, 0), 0, &done, &error) ==
        HLO_INVALID_ARGUMENT);
  CHECK(hlo_run_group_process(group, 2) == NULL && hlo_run_group_process(group, -1) == NULL);
  hlo_run_group_destroy(group);
  hlo_run_group_destroy(whole);
  // Given up at any point, a group leaves nothing behind.
  size_t before = hlo_memory_in_use();
  for (int steps = 1; steps < 120; steps += 7) {
    hlo_error_clear(&error);
    group = group_start(&p, 2, 1, two, &error);
    CHECK(hlo_run_group_continue(group, steps, &done, &error) == HLO_OK && !done);
    hlo_run_group_destroy(group);
    CHECK(hlo_memory_in_use() == before);
  }
  group_program_destroy(&p);
}

static const char *memory_program;
static hlo_status run_program(hlo_arena *arena, hlo_error *error) {
  (void)arena;
  bool done;
  group_program p = group_compile(memory_program, error);
  hlo_run_group *group = p.executable == NULL ? NULL : group_start(&p, 2, 1, two, error);
  for (int i = 0; group != NULL && error->status == HLO_OK && i < 2; i++) {
    feed(hlo_run_group_process(group, i), "f32[2] {10, 20}; s32[] 5", error);
    if (error->status == HLO_OK) feed(hlo_run_group_process(group, i), "f32[2] {1, 2}", error);
  }
  if (group != NULL && error->status == HLO_OK) hlo_run_group_continue(group, 0, &done, error);
  hlo_run_group_destroy(group);
  group_program_destroy(&p);
  return error->status;
}

static void test_out_of_memory(void) {
  static const char *const programs[] = {
      "HloModule m\n" SUM ENTRY " s = (f32[2], f32[4], u32[]) all-gather-start(x), dimensions={0}\n"
      " g = f32[4] all-gather-done(s)\n b = bf16[4] convert(g)\n"
      " r = f32[2] reduce-scatter(g), dimensions={0}, to_apply=add\n"
      " a = f32[2] all-to-all(r), dimensions={0}\n p = f32[2] collective-permute(a), "
      "source_target_pairs={{0,1}}\n"
      " ROOT c = f32[2] collective-broadcast(p), replica_groups={{1,0}} }",
      "HloModule m\nadd { a = bf16[] parameter(0)\n b = bf16[] parameter(1)\n"
      " ROOT s = bf16[] add(a, b) }\n" ENTRY " b = bf16[2] convert(x)\n"
      " ROOT r = bf16[2] all-reduce(b), to_apply=add }",
      "HloModule m\n" ENTRY SEND(PAIRS("{0,1},{1,0}")),
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    memory_program = programs[i];
    check_out_of_memory("collectives", run_program);
  }
  memory_program = feeds;
  check_out_of_memory("feeds", run_program);
}

// Deadlock errors take memory too.
static hlo_status run_into_deadlock(hlo_arena *arena, hlo_error *error) {
  hlo_status status = run_program(arena, error);
  return status == HLO_RUNTIME_ERROR ? HLO_OK : status;
}

static void test_deadlock_out_of_memory(void) {
  size_t before = hlo_memory_in_use();
  memory_program = "HloModule m\n" ENTRY " t = token[] after-all()\n" RECEIVES(
      "1", "t") " ROOT y = f32[2] get-tuple-element(rd), index=0 }";
  bool found = false;
  for (int n = 1; n < 2000 && !found; n++) {
    hlo_error error = {0};
    hlo_memory_fail_after(n);
    hlo_status status = run_into_deadlock(NULL, &error);
    hlo_memory_fail_after(0);
    found = status == HLO_OK;
    CHECK_MESSAGE(found || status == HLO_OUT_OF_MEMORY, "%s", error.message);
    CHECK(hlo_memory_in_use() == before);
  }
  CHECK(found);
}

int main(void) {
  size_t before = hlo_memory_in_use();
  test_disagreement();
  test_wrong_groups();
  test_wrong_shapes();
  test_messages();
  test_feeds();
  test_resumable();
  test_out_of_memory();
  test_deadlock_out_of_memory();
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
