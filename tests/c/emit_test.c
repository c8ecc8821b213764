// Emission under sanitizers, for every target: what code is made for and what is refused, that its
// bytes are instructions of the target, that every allocation may fail, and the frame of the
// module. That the code computes what it should is tested in JavaScript, where it can run:
// tests/js/emit.test.js, tests/js/targets.test.js.
#include "check.h"
#include "memory_check.h"
#include "wasm_decode.h"

#include "codegen/codegen.h"
#include "text/text.h"

#include <string.h>

#define ADD                                                                                        \
  "add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}\n"
#define MAX                                                                                        \
  "max {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] maximum(a, b)\n}\n"
#define MINUS                                                                                      \
  "minus {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] subtract(a, b)\n}\n"
#define ARGMAX(pick)                                                                               \
  "argmax {\n a = f32[] parameter(0)\n i = s32[] parameter(1)\n b = f32[] parameter(2)\n j = "     \
  "s32[] parameter(3)\n"                                                                           \
  " above = pred[] compare(a, b), direction=" pick "\n nan = pred[] compare(a, a), direction=NE\n" \
  " pick = pred[] or(above, nan)\n equal = pred[] compare(a, b), direction=EQ\n"                   \
  " before = pred[] compare(i, j), direction=LT\n both = pred[] and(equal, before)\n"              \
  " pick_index = pred[] or(pick, both)\n v = f32[] select(pick, a, b)\n w = s32[] "                \
  "select(pick_index, i, j)\n"                                                                     \
  " ROOT t = (f32[], s32[]) tuple(v, w)\n}\n"

typedef struct emit_case {
  const char *name, *computations, *fused; // lines of the fused computation
  const char *operands, *result;           // shapes, with blanks between them
  bool emits;
} emit_case;

static const emit_case cases[] = {
    {"elementwise", "",
     "a = f32[8,3] parameter(0)\n b = f32[3] parameter(1)\n c = f32[8,3] broadcast(b), "
     "dimensions={1}\n"
     " d = f32[8,3] add(a, c)\n ROOT r = f32[8,3] tanh(d)\n",
     "f32[8,3] f32[3]", "f32[8,3]", true},
    {"types", "",
     "a = s8[7] parameter(0)\n b = f64[7] convert(a)\n c = bf16[7] convert(a)\n d = s64[7] "
     "convert(b)\n"
     " e = pred[7] compare(d, d), direction=EQ\n f = f16[7] convert(c)\n ROOT r = f16[7] select(e, "
     "f, f)\n",
     "s8[7]", "f16[7]", true},
    {"moves", "",
     "a = f32[4,6]{0,1} parameter(0)\n b = f32[6,4] transpose(a), dimensions={1,0}\n c = f32[24] "
     "reshape(b)\n"
     " d = f32[24] reverse(c), dimensions={0}\n e = f32[12] slice(d), slice={[0:12:1]}\n ROOT r = "
     "f32[3,4] reshape(e)\n",
     "f32[4,6]{0,1}", "f32[3,4]", true},
    {"parts", "",
     "a = f32[12] parameter(0)\n f = f32[] constant(1)\n g = f32[14] pad(a, f), padding=1_1\n"
     " ROOT r = f32[28] concatenate(g, g), dimensions={0}\n",
     "f32[12]", "f32[28]", true},
    {"softmax", ADD MAX,
     "x = f32[5,9] parameter(0)\n low = f32[] constant(-inf)\n zero = f32[] constant(0)\n"
     " m = f32[5] reduce(x, low), dimensions={1}, to_apply=max\n mb = f32[5,9] broadcast(m), "
     "dimensions={0}\n"
     " d = f32[5,9] subtract(x, mb)\n e = f32[5,9] exponential(d)\n"
     " s = f32[5] reduce(e, zero), dimensions={1}, to_apply=add\n sb = f32[5,9] broadcast(s), "
     "dimensions={0}\n"
     " ROOT r = f32[5,9] divide(e, sb)\n",
     "f32[5,9]", "f32[5,9]", true},
    {"columns and several results", ADD,
     "x = f32[5,9] parameter(0)\n zero = f32[] constant(0)\n s = f32[9] reduce(x, zero), "
     "dimensions={0}, to_apply=add\n"
     " n = f32[9] negate(s)\n sb = f32[5,9] broadcast(n), dimensions={1}\n y = f32[5,9] "
     "multiply(x, sb)\n"
     " ROOT r = (f32[9], f32[5,9]) tuple(n, y)\n",
     "f32[5,9]", "(f32[9], f32[5,9])", true},
    {"all of a large array", ADD,
     "x = f32[100000] parameter(0)\n zero = f32[] constant(0)\n"
     " ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=add\n",
     "f32[100000]", "f32[]", true},
    {"argmax", ARGMAX("GT"),
     "x = f32[4,11] parameter(0)\n low = f32[] constant(-inf)\n zero = s32[] constant(0)\n"
     " i = s32[4,11] iota(), iota_dimension=1\n"
     " ROOT t = (f32[4], s32[4]) reduce(x, i, low, zero), dimensions={1}, to_apply=argmax\n",
     "f32[4,11]", "(f32[4], s32[4])", true},
    {"an argmax that keeps the last of equals", ARGMAX("GE"),
     "x = f32[4,11] parameter(0)\n low = f32[] constant(-inf)\n zero = s32[] constant(0)\n"
     " i = s32[4,11] iota(), iota_dimension=1\n"
     " ROOT t = (f32[4], s32[4]) reduce(x, i, low, zero), dimensions={1}, to_apply=argmax\n",
     "f32[4,11]", "(f32[4], s32[4])", false},
    {"differences", MINUS,
     "x = f32[100] parameter(0)\n zero = f32[] constant(0)\n"
     " ROOT r = f32[] reduce(x, zero), dimensions={0}, to_apply=minus\n",
     "f32[100]", "f32[]", false},
    {"reductions over different dimensions", ADD,
     "x = f32[5,5] parameter(0)\n zero = f32[] constant(0)\n"
     " r0 = f32[5] reduce(x, zero), dimensions={0}, to_apply=add\n"
     " r1 = f32[5] reduce(x, zero), dimensions={1}, to_apply=add\n b0 = f32[5,5] broadcast(r0), "
     "dimensions={1}\n"
     " b1 = f32[5,5] broadcast(r1), dimensions={0}\n ROOT r = f32[5,5] add(b0, b1)\n",
     "f32[5,5]", "f32[5,5]", false},
    {"a sum of sums", ADD,
     "x = f32[5,6] parameter(0)\n zero = f32[] constant(0)\n"
     " r0 = f32[5] reduce(x, zero), dimensions={1}, to_apply=add\n"
     " ROOT r = f32[] reduce(r0, zero), dimensions={0}, to_apply=add\n",
     "f32[5,6]", "f32[]", false},
    {"a type of one element per vector", "",
     "a = c128[4] parameter(0)\n ROOT r = c128[4] negate(a)\n", "c128[4]", "c128[4]", true},
    {"a conversion that rounds to odd first", "",
     "a = f64[4] parameter(0)\n ROOT r = bf16[4] convert(a)\n", "f64[4]", "bf16[4]", true},
    {"an integer that f64 does not hold", "",
     "a = s64[4] parameter(0)\n ROOT r = bf16[4] convert(a)\n", "s64[4]", "bf16[4]", true},
    {"no elements", "", "a = f32[0,4] parameter(0)\n ROOT r = f32[0,4] negate(a)\n", "f32[0,4]",
     "f32[0,4]", false},
    {"a tuple in a tuple", ARGMAX("GT"),
     "x = f32[4,11] parameter(0)\n low = f32[] constant(-inf)\n zero = s32[] constant(0)\n"
     " i = s32[4,11] iota(), iota_dimension=1\n"
     " t = (f32[4], s32[4]) reduce(x, i, low, zero), dimensions={1}, to_apply=argmax\n"
     " ROOT r = ((f32[4], s32[4]), f32[4,11]) tuple(t, x)\n",
     "f32[4,11]", "((f32[4], s32[4]), f32[4,11])", false},
    {"padding far away", "",
     "a = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " ROOT r = f32[4] pad(a, z), padding=9223372036854775800_-9223372036854775800\n",
     "f32[4]", "f32[4]", false},
    {"a dot", "",
     "a = f32[4,4] parameter(0)\n"
     " ROOT r = f32[4,4] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
     "f32[4,4]", "f32[4,4]", false},
    {"padding between elements", "",
     "a = f32[4] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[7] pad(a, z), padding=0_0_1\n",
     "f32[4]", "f32[7]", false},
};
enum { CASES = sizeof cases / sizeof *cases };

static void add_program(hlo_string *out, const emit_case *c) {
  hlo_string_add_format(out, "HloModule m\n%s\nfused {\n %s}\n\nENTRY main {\n", c->computations,
                        c->fused);
  const char *shape = c->operands;
  int count = 0;
  for (; *shape != '\0'; count++) {
    size_t length = strcspn(shape, " ");
    hlo_string_add_format(out, "  p%d = ", count);
    hlo_string_add_bytes(out, shape, length);
    hlo_string_add_format(out, " parameter(%d)\n", count);
    shape += length + (shape[length] == ' ');
  }
  hlo_string_add_format(out, "  ROOT r = %s fusion(", c->result);
  for (int i = 0; i < count; i++) hlo_string_add_format(out, i == 0 ? "p%d" : ", p%d", i);
  hlo_string_add(out, "), kind=kLoop, calls=fused\n}\n");
}

static hlo_module *parse(const emit_case *c) {
  hlo_string text = {0};
  hlo_module *module = NULL;
  hlo_error error = {0};
  add_program(&text, c);
  hlo_parse_hlo(text.text, text.length, &module, &error);
  CHECK_MESSAGE(module != NULL, "%s: %s", c->name, error.message);
  hlo_string_free(&text);
  return module;
}

static const hlo_target targets[] = {{.relaxed_simd = false}, {.relaxed_simd = true}};
enum { TARGETS = sizeof targets / sizeof *targets };

static void check_case(const emit_case *c, hlo_target target) {
  hlo_module *module = parse(c);
  if (module == NULL) return;
  hlo_arena arena = {0};
  hlo_error error = {0};
  const hlo_emit_kernel *kernel;
  hlo_emit_imports imports = {0};
  size_t before = hlo_memory_in_use();
  const hlo_instruction *obstacle;
  CHECK_MESSAGE(hlo_emit_supports(target, module->entry->root, &obstacle) == c->emits,
                "%s: supported or not", c->name);
  CHECK_MESSAGE(!c->emits || obstacle == NULL, "%s: has no obstacle", c->name);
  CHECK_MESSAGE(hlo_memory_in_use() == before, "%s: leaks", c->name);
  CHECK(hlo_emit_fusion(target, &arena, module->entry->root, &imports, &kernel, &error) == HLO_OK);
  CHECK_MESSAGE((kernel != NULL) == c->emits, "%s: made or not", c->name);
  if (kernel != NULL) {
    CHECK(kernel->rows >= 1 && kernel->row_chunk >= 1 && kernel->row_chunk <= kernel->rows);
    CHECK(kernel->inner >= 1 && kernel->inner_chunk >= 1 && kernel->inner_chunk <= kernel->inner);
    wasm_census census;
    CHECK_MESSAGE(wasm_decode_body(kernel->body, kernel->body_length, &census), "%s: decodes",
                  c->name);
    CHECK_MESSAGE(census.relaxed == 0 || target.relaxed_simd, "%s: %d instructions that the %s",
                  c->name, census.relaxed, "target lacks");
    hlo_string bytes = {0};
    CHECK(hlo_emit_module(&bytes, 1, &kernel, &imports, false, &error) == HLO_OK);
    CHECK(bytes.length > kernel->body_length && memcmp(bytes.text, "\0asm\1\0\0\0", 8) == 0);
    hlo_string_free(&bytes);
  }
  hlo_arena_free(&arena);
  hlo_module_destroy(module);
}

static wasm_census census_of(const char *name, hlo_target target) {
  wasm_census census = {0};
  for (int i = 0; i < CASES; i++) {
    if (strcmp(cases[i].name, name) != 0) continue;
    hlo_module *module = parse(&cases[i]);
    hlo_arena arena = {0};
    hlo_error error = {0};
    hlo_emit_imports imports = {0};
    const hlo_emit_kernel *kernel;
    CHECK(hlo_emit_fusion(target, &arena, module->entry->root, &imports, &kernel, &error) ==
          HLO_OK);
    CHECK(wasm_decode_body(kernel->body, kernel->body_length, &census));
    hlo_arena_free(&arena);
    hlo_module_destroy(module);
  }
  return census;
}

// An exponential has multiply-adds, a selection and lookups, which relaxed SIMD has instructions
// for; moves have none.
static void check_targets_differ(void) {
  wasm_census plain = census_of("softmax", targets[0]), relaxed = census_of("softmax", targets[1]);
  CHECK(plain.relaxed == 0 && relaxed.relaxed > 0);
  CHECK(relaxed.instructions < plain.instructions);
  CHECK(census_of("moves", targets[1]).relaxed == 0);
}

static void check_decoder_fails(void) {
  wasm_census census;
  CHECK(wasm_decode_body("\x02\x00\x0b", 3, &census) && census.instructions == 1);
  CHECK(!wasm_decode_body("\x02\x00\x02", 3, &census)); // a block, without its type
  CHECK(!wasm_decode_body("\x02\x00\x06", 3, &census)); // no instruction
  CHECK(!wasm_decode_body("\x03\x00\x0b\x0b", 4, &census));
  CHECK(!wasm_decode_body("\x02\x00\x0b\x0b", 4, &census));
}

static hlo_target target_at_hand;
static const hlo_instruction *fusion;

static hlo_status emit(hlo_arena *arena, hlo_error *error) {
  const hlo_emit_kernel *kernel;
  hlo_emit_imports imports = {0};
  HLO_TRY(hlo_emit_fusion(target_at_hand, arena, fusion, &imports, &kernel, error));
  if (kernel == NULL) return hlo_fail(error, HLO_UNSUPPORTED, "no code");
  hlo_string bytes = {0};
  hlo_status status = hlo_emit_module(&bytes, 1, &kernel, &imports, false, error);
  hlo_string_free(&bytes);
  return status;
}

int main(void) {
  check_decoder_fails();
  for (int i = 0; i < CASES * TARGETS; i++) check_case(&cases[i / TARGETS], targets[i % TARGETS]);
  check_targets_differ();
  for (int i = 0; i < CASES; i++) {
    hlo_module *module = cases[i].emits ? parse(&cases[i]) : NULL;
    if (module == NULL) continue;
    fusion = module->entry->root;
    target_at_hand = targets[i % TARGETS];
    check_out_of_memory(cases[i].name, emit);
    hlo_module_destroy(module);
  }
  return CHECK_RESULT();
}
