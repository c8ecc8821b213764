// What collectives compute: against XLA's CPU backend (data/collectives.txt, made by
// collectives.py), the examples of the operation semantics, and, for what that backend lacks,
// values worked out by hand. Run from the top of the repository.
#include "files.h"
#include "group_fixture.h"

#include <stdlib.h>

// --- data/collectives.txt ---

// Cuts the text at the next line break; returns what follows.
static char *cut_line(char *at) {
  char *end = strchr(at, '\n');
  if (end == NULL) return at + strlen(at);
  *end = '\0';
  return end + 1;
}

static char *check_block(char *at) {
  char name[64] = "";
  int replicas = 0, partitions = 0;
  char *next = cut_line(at);
  CHECK(sscanf(at, "== %63s %d %d", name, &replicas, &partitions) == 3);
  char *text = next, *end = strstr(text, "--\n");
  *end = '\0';
  const char *inputs[MAX_PROCESSES], *results[MAX_PROCESSES];
  next = end + 3;
  for (int i = 0; i < replicas * partitions; i++) {
    inputs[i] = next;
    next = cut_line(next);
    char *bar = strchr(inputs[i], '|');
    *bar = '\0';
    results[i] = bar + 1;
  }
  group_check(name, text, replicas, partitions, inputs, results);
  return next;
}

static void test_against_xla(void) {
  char *text = read_file("tests/c/data/collectives.txt", NULL);
  int blocks = 0;
  for (char *at = text; at != NULL && *at != '\0'; blocks++) at = check_block(at);
  CHECK_MESSAGE(blocks > 30, "%d blocks", blocks);
  free(text);
}

// --- HLO text ---

#define SUM "add { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }\n"

// The examples of the operation semantics.
static void test_documented(void) {
  const char *inputs[] = {"f32[2] {1, 2.5}", "f32[2] {3, 5.25}"};
  group_check("all-gather",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n"
              " ROOT y = f32[4] all-gather(x), dimensions={0} }",
              2, 1, inputs,
              (const char *[]){"f32[4] {1, 2.5, 3, 5.25}", "f32[4] {1, 2.5, 3, 5.25}"});
  group_check("all-reduce",
              "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
              " ROOT y = f32[2] all-reduce(x), to_apply=add }",
              2, 1, inputs, (const char *[]){"f32[2] {4, 7.75}", "f32[2] {4, 7.75}"});
  group_check("reduce-scatter",
              "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
              " ROOT y = f32[1] reduce-scatter(x), dimensions={0}, to_apply=add }",
              2, 1, (const char *[]){"f32[2] {1, 2.25}", "f32[2] {3, 5.25}"},
              (const char *[]){"f32[1] {4}", "f32[1] {7.5}"});
  group_check("ragged-all-to-all",
              "HloModule m\nENTRY e { i = s32[3] parameter(0)\n o = s32[4] parameter(1)\n"
              " io = s32[2] parameter(2)\n s = s32[2] parameter(3)\n oo = s32[2] parameter(4)\n"
              " r = s32[2] parameter(5)\n"
              " ROOT y = s32[4] ragged-all-to-all(i, o, io, s, oo, r), replica_groups={{0,1}} }",
              2, 1,
              (const char *[]){"s32[3] {1,2,2}; s32[4] {0,0,0,0}; s32[2] {0,1}; s32[2] {1,2}; "
                               "s32[2] {0,0}; s32[2] {1,1}",
                               "s32[3] {3,4,0}; s32[4] {0,0,0,0}; s32[2] {0,1}; s32[2] {1,1}; "
                               "s32[2] {1,2}; s32[2] {2,1}"},
              (const char *[]){"s32[4] {1,3,0,0}", "s32[4] {2,2,4,0}"});
}

// Several updates for each participant, rows of more than one element, unsigned offsets, and a
// result that keeps what nobody writes.
static void test_ragged_updates(void) {
  const char *text =
      "HloModule m\nENTRY e { i = f32[3,2] parameter(0)\n o = f32[4,2] parameter(1)\n"
      " io = u32[2,2] parameter(2)\n s = u32[2,2] parameter(3)\n oo = u32[2,2] parameter(4)\n"
      " r = u32[2,2] parameter(5)\n"
      " ROOT y = f32[4,2] ragged-all-to-all(i, o, io, s, oo, r), replica_groups={{1,0}} }";
  // The group's order is 1, 0: row 0 of offsets and sizes is about replica 1.
  const char *inputs[] = {
      "f32[3,2] {{1,2},{3,4},{5,6}}; f32[4,2] {{9,9},{9,9},{9,9},{9,9}}; "
      "u32[2,2] {{0,2},{1,0}}; u32[2,2] {{1,1},{2,0}}; u32[2,2] {{3,0},{1,0}}; u32[2,2] "
      "{{0,1},{2,0}}",
      "f32[3,2] {{7,8},{0,1},{2,3}}; f32[4,2] {{8,8},{8,8},{8,8},{8,8}}; "
      "u32[2,2] {{0,0},{2,0}}; u32[2,2] {{0,0},{1,0}}; u32[2,2] {{0,0},{0,0}}; u32[2,2] "
      "{{0,0},{1,1}}",
  };
  group_check(
      "ragged updates", text, 2, 1, inputs,
      (const char *[]){"f32[4,2] {{2,3},{3,4},{5,6},{9,9}}", "f32[4,2] {{5,6},{8,8},{8,8},{1,2}}"});
  const char *one = "HloModule m\nENTRY e { i = f32[3] parameter(0)\n o = f32[3] parameter(1)\n"
                    " io = s32[1] parameter(2)\n s = s32[1] parameter(3)\n oo = s32[1] "
                    "parameter(4)\n r = s32[1] parameter(5)\n"
                    " ROOT y = f32[3] ragged-all-to-all(i, o, io, s, oo, r) }";
  group_check_error("ragged input", one, 1, 1,
                    (const char *[]){"f32[3] {1,2,3}; f32[3] {0,0,0}; s32[1] {2}; s32[1] {2}; "
                                     "s32[1] {0}; s32[1] {2}"},
                    HLO_RUNTIME_ERROR, "rows 2 to 3 are not all in the input of 3 rows");
  group_check_error("ragged output", one, 1, 1,
                    (const char *[]){"f32[3] {1,2,3}; f32[3] {0,0,0}; s32[1] {0}; s32[1] {2}; "
                                     "s32[1] {-1}; s32[1] {2}"},
                    HLO_RUNTIME_ERROR, "rows -1 to 0 are not all in the output of 3 rows");
}

static const char *const four[] = {"f32[2] {1, 2}", "f32[2] {3, 4}", "f32[2] {5, 6}",
                                   "f32[2] {7, 8}"};

// What XLA's CPU backend does not run, and forms that only HLO text has.
static void test_forms(void) {
  group_check("collective-broadcast, with a replica in no group",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n"
              " ROOT y = f32[2] collective-broadcast(x), replica_groups={{2,0},{3}} }",
              4, 1, four,
              (const char *[]){"f32[2] {5, 6}", "f32[2] {0, 0}", "f32[2] {5, 6}", "f32[2] {7, 8}"});
  group_check("collective-broadcast across partitions",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n"
              " ROOT y = f32[2] collective-broadcast(x), channel_id=1, replica_groups={{1,0}} }",
              2, 2, four,
              (const char *[]){"f32[2] {3, 4}", "f32[2] {3, 4}", "f32[2] {7, 8}", "f32[2] {7, 8}"});
  group_check("tuple all-to-all",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n n = f32[2] negate(x)\n"
              " ROOT y = (f32[2], f32[2]) all-to-all(x, n), replica_groups={{0,3},{2,1}} }",
              4, 1, four,
              (const char *[]){"f32[2] {1, 2}; f32[2] {7, 8}", "f32[2] {-5, -6}; f32[2] {-3, -4}",
                               "f32[2] {5, 6}; f32[2] {3, 4}", "f32[2] {-1, -2}; f32[2] {-7, -8}"});
  group_check(
      "groups as an iota, mode by name",
      "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
      " ROOT y = f32[2] all-reduce(x), channel_id=1, replica_groups=[2,2]<=[2,2]T(1,0), "
      "mode=flattened_id, to_apply=add }",
      4, 1, four,
      (const char *[]){"f32[2] {6, 8}", "f32[2] {10, 12}", "f32[2] {6, 8}", "f32[2] {10, 12}"});
  group_check("layouts other than the default",
              "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
              " b = f32[2,3]{0,1} broadcast(x), dimensions={0}\n"
              " g = f32[4,3]{0,1} all-gather(b), dimensions={0}, replica_groups={{0,1},{2,3}}\n"
              " ROOT y = f32[4,3]{1,0} all-reduce(g), to_apply=add }",
              4, 1, four,
              (const char *[]){"f32[4,3] {{12,12,12},{16,16,16},{20,20,20},{24,24,24}}",
                               "f32[4,3] {{12,12,12},{16,16,16},{20,20,20},{24,24,24}}",
                               "f32[4,3] {{12,12,12},{16,16,16},{20,20,20},{24,24,24}}",
                               "f32[4,3] {{12,12,12},{16,16,16},{20,20,20},{24,24,24}}"});
  group_check(
      "any computation: order matters",
      "HloModule m\nf { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
      " two = f32[] constant(2)\n d = f32[] multiply(a, two)\n ROOT s = f32[] subtract(d, "
      "b) }\nENTRY e { x = f32[2] parameter(0)\n"
      " ROOT y = f32[2] all-reduce(x), replica_groups={{3,2,1,0}}, to_apply=f }",
      4, 1, four, // ((7*2 - 5)*2 - 3)*2 - 1
      (const char *[]){"f32[2] {29, 30}", "f32[2] {29, 30}", "f32[2] {29, 30}", "f32[2] {29, 30}"});
  group_check("no elements",
              "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
              " z = f32[0] slice(x), slice={[0:0]}\n g = f32[0] all-gather(z), dimensions={0}\n"
              " ROOT y = f32[0] all-reduce(g), to_apply=add }",
              4, 1, four, (const char *[]){"f32[0] {}", "f32[0] {}", "f32[0] {}", "f32[0] {}"});
}

// Start and done.
static void test_asynchronous(void) {
  group_check(
      "all-reduce-start",
      "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
      " s = f32[2] all-reduce-start(x), to_apply=add\n"
      " ROOT y = f32[2] all-reduce-done(s) }",
      4, 1, four,
      (const char *[]){"f32[2] {16, 20}", "f32[2] {16, 20}", "f32[2] {16, 20}", "f32[2] {16, 20}"});
  group_check("all-gather-start of two, everything looked at",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n n = f32[2] negate(x)\n"
              " s = ((f32[2], f32[2]), (f32[4], f32[4]), u32[]) all-gather-start(x, n), "
              "dimensions={0}, replica_groups={{0,1},{2,3}}\n"
              " o = (f32[2], f32[2]) get-tuple-element(s), index=0\n"
              " o1 = f32[2] get-tuple-element(o), index=1\n"
              " c = u32[] get-tuple-element(s), index=2\n"
              " d = (f32[4], f32[4]) all-gather-done(s)\n"
              " d0 = f32[4] get-tuple-element(d), index=0\n d1 = f32[4] get-tuple-element(d), "
              "index=1\n ROOT y = (f32[2], f32[4], f32[4], u32[]) tuple(o1, d0, d1, c) }",
              4, 1, four,
              (const char *[]){
                  "f32[2] {-1,-2}; f32[4] {1,2,3,4}; f32[4] {-1,-2,-3,-4}; u32[] 0",
                  "f32[2] {-3,-4}; f32[4] {1,2,3,4}; f32[4] {-1,-2,-3,-4}; u32[] 0",
                  "f32[2] {-5,-6}; f32[4] {5,6,7,8}; f32[4] {-5,-6,-7,-8}; u32[] 0",
                  "f32[2] {-7,-8}; f32[4] {5,6,7,8}; f32[4] {-5,-6,-7,-8}; u32[] 0",
              });
  group_check("collective-permute-start",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n"
              " s = (f32[2], f32[2], u32[], u32[]) collective-permute-start(x), "
              "source_target_pairs={{0,1},{1,2},{2,3}}\n"
              " ROOT y = f32[2] collective-permute-done(s) }",
              4, 1, four,
              (const char *[]){"f32[2] {0, 0}", "f32[2] {1, 2}", "f32[2] {3, 4}", "f32[2] {5, 6}"});
  group_check("async-start of a computation with a collective, async-update, in a short form",
              "HloModule m\n" SUM "ENTRY e { x = f32[2] parameter(0)\n"
              " s = ((f32[2]), f32[1], s32[]) reduce-scatter-start(x), dimensions={0}, "
              "replica_groups={{0,1},{2,3}}, to_apply=add\n"
              " u = ((f32[2]), f32[1], s32[]) reduce-scatter-update(s)\n"
              " ROOT y = f32[1] reduce-scatter-done(u) }",
              4, 1, four,
              (const char *[]){"f32[1] {4}", "f32[1] {6}", "f32[1] {12}", "f32[1] {14}"});
  group_check("async-start in its long form",
              "HloModule m\n" SUM "wrapped { p = f32[2] parameter(0)\n q = f32[2] parameter(1)\n"
              " a = f32[2] all-reduce(p), replica_groups={{0,2},{1,3}}, to_apply=add\n"
              " ROOT t = (f32[2], f32[2]) tuple(a, q) }\n"
              "ENTRY e { x = f32[2] parameter(0)\n n = f32[2] negate(x)\n"
              " s = ((f32[2], f32[2]), (f32[2], f32[2])) async-start(x, n), calls=wrapped\n"
              " ROOT y = (f32[2], f32[2]) async-done(s) }",
              4, 1, four,
              (const char *[]){"f32[2] {6,8}; f32[2] {-1,-2}", "f32[2] {10,12}; f32[2] {-3,-4}",
                               "f32[2] {6,8}; f32[2] {-5,-6}", "f32[2] {10,12}; f32[2] {-7,-8}"});
  group_check("copy-start",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n"
              " b = f32[2,2]{0,1} broadcast(x), dimensions={0}\n"
              " s = (f32[2,2]{1,0}, f32[2,2]{0,1}, u32[]) copy-start(b)\n"
              " ROOT y = f32[2,2]{1,0} copy-done(s) }",
              1, 1, four, (const char *[]){"f32[2,2] {{1,1},{2,2}}"});
}

// Instructions that only order or mark.
static void test_structure(void) {
  group_check("tokens, dependencies, domains, barriers",
              "HloModule m\nENTRY e { x = f32[2] parameter(0)\n t = token[] after-all()\n"
              " u = token[] after-all(t, t)\n a = f32[2] add-dependency(x, u)\n"
              " d = f32[2] domain(a), domain={kind=\"sharding\", entry={maximal device=0}, "
              "exit={}}\n p = (f32[2], token[]) tuple(d, u)\n"
              " o = (f32[2], token[]) opt-barrier(p)\n"
              " ROOT y = f32[2] get-tuple-element(o), index=0 }",
              1, 1, four, (const char *[]){"f32[2] {1, 2}"});
  group_check("constant tuples",
              "HloModule m\nENTRY e { c = (f32[2], (s32[], pred[])) constant(({1, 2}, (7, true)))\n"
              " i = (s32[], pred[]) get-tuple-element(c), index=1\n"
              " ROOT y = s32[] get-tuple-element(i), index=0 }",
              1, 1, NULL, (const char *[]){"s32[] 7"});
}

// Collectives within loops, branches and calls: each process goes its own way to them.
static void test_control_flow(void) {
  group_check("a loop of permutations",
              "HloModule m\n" SUM "more { s = (s32[], f32[2]) parameter(0)\n"
              " n = s32[] get-tuple-element(s), index=0\n z = s32[] constant(0)\n"
              " ROOT m = pred[] compare(n, z), direction=GT }\n"
              "body { s = (s32[], f32[2]) parameter(0)\n n = s32[] get-tuple-element(s), index=0\n"
              " x = f32[2] get-tuple-element(s), index=1\n o = s32[] constant(1)\n"
              " r = s32[] subtract(n, o)\n y = f32[2] collective-permute(x), "
              "source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n"
              " ROOT t = (s32[], f32[2]) tuple(r, y) }\n"
              "ENTRY e { x = f32[2] parameter(0)\n n = s32[] constant(5)\n"
              " s = (s32[], f32[2]) tuple(n, x)\n w = (s32[], f32[2]) while(s), condition=more, "
              "body=body\n ROOT y = f32[2] get-tuple-element(w), index=1 }",
              4, 1, four,
              (const char *[]){"f32[2] {7, 8}", "f32[2] {1, 2}", "f32[2] {3, 4}", "f32[2] {5, 6}"});
  group_check(
      "a branch that only some take",
      "HloModule m\n" SUM "yes { x = f32[2] parameter(0)\n"
      " ROOT y = f32[2] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add }\n"
      "no { x = f32[2] parameter(0)\n ROOT n = f32[2] negate(x) }\n"
      "ENTRY e { x = f32[2] parameter(0)\n i = u32[] replica-id()\n t = u32[] constant(2)\n"
      " p = pred[] compare(i, t), direction=LT\n"
      " ROOT y = f32[2] conditional(p, x, x), true_computation=yes, "
      "false_computation=no }",
      4, 1, four,
      (const char *[]){"f32[2] {4, 6}", "f32[2] {4, 6}", "f32[2] {-5, -6}", "f32[2] {-7, -8}"});
}

int main(void) {
  size_t before = hlo_memory_in_use();
  test_against_xla();
  test_documented();
  test_ragged_updates();
  test_forms();
  test_asynchronous();
  test_structure();
  test_control_flow();
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
