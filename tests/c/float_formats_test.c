// Checks math/float_formats.h against tests/c/data/float_formats.txt, which float_formats.py
// explains: every code decoded, and encoding around every value and every tie of every format. Run
// from the top of the repository.
#include "base/bits.h"
#include "math/float_formats.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct named_format {
  const char *name;
  const hlo_float_format *format;
  unsigned width;
  float (*decode8)(uint8_t);
  uint8_t (*encode8)(float);
  uint8_t (*encode8_double)(double);
  float (*decode16)(uint16_t);
  uint16_t (*encode16)(float);
  uint16_t (*encode16_double)(double);
} named_format;

#define WIDE(name)                                                                                 \
  {#name,                                                                                          \
   &hlo_float_format_##name,                                                                       \
   16,                                                                                             \
   NULL,                                                                                           \
   NULL,                                                                                           \
   NULL,                                                                                           \
   hlo_##name##_to_f32,                                                                            \
   hlo_f32_to_##name,                                                                              \
   hlo_f64_to_##name}
#define NARROW(name, width)                                                                        \
  {#name,                                                                                          \
   &hlo_float_format_##name,                                                                       \
   width,                                                                                          \
   hlo_##name##_to_f32,                                                                            \
   hlo_f32_to_##name,                                                                              \
   hlo_f64_to_##name,                                                                              \
   NULL,                                                                                           \
   NULL,                                                                                           \
   NULL}

static const named_format formats[] = {
    WIDE(f16),
    WIDE(bf16),
    NARROW(f8e5m2, 8),
    NARROW(f8e4m3, 8),
    NARROW(f8e4m3fn, 8),
    NARROW(f8e4m3b11fnuz, 8),
    NARROW(f8e5m2fnuz, 8),
    NARROW(f8e4m3fnuz, 8),
    NARROW(f8e3m4, 8),
    NARROW(f8e8m0fnu, 8),
    NARROW(f4e2m1fn, 4),
    NARROW(f6e2m3fn, 6),
    NARROW(f6e3m2fn, 6),
};

static const named_format *find_format(const char *name) {
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
    if (strcmp(formats[i].name, name) == 0) return &formats[i];
  printf("unknown format %s\n", name);
  exit(1);
}

static uint32_t float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits & 0x7fffffff) > 0x7f800000 ? (bits & 0x80000000) | 0x7fc00000 : bits;
}

// One term of the hash that float_formats.py sums.
static uint64_t term(uint64_t index, uint64_t number) {
  return number * (index * UINT64_C(0x9E3779B97F4A7C15) | 1);
}

static float decode(const named_format *format, uint32_t code) {
  return format->width == 16 ? format->decode16((uint16_t)code) : format->decode8((uint8_t)code);
}

// Checks that the code of a NaN is quiet and has its sign and the payload's leading bits, in
// formats that have these; gives the code without the payload, as the file has it.
static uint32_t canonical_nan(const hlo_float_format *format, uint32_t code, uint64_t sign,
                              uint64_t payload) {
  if (format->kind != HLO_FLOAT_IEEE) return code;
  uint32_t quiet = 1u << (format->mantissa_bits - 1);
  uint32_t nan = ((1u << format->exponent_bits) - 1) << format->mantissa_bits | quiet |
                 (uint32_t)sign << (format->exponent_bits + format->mantissa_bits);
  CHECK_MESSAGE(code == (nan | (uint32_t)payload), "a NaN's code 0x%x, not 0x%x", code,
                nan | (uint32_t)payload);
  return nan;
}

static uint64_t encode_field(const named_format *format, bool from_double, uint64_t field) {
  unsigned source_mantissa = from_double ? 52 : 23, exponent_bits = from_double ? 11 : 8;
  unsigned top_bits = format->format->mantissa_bits + 2u, rest = source_mantissa - top_bits;
  uint64_t hash = 0, index = 0;
  for (uint64_t sign = 0; sign < 2; sign++)
    for (uint64_t top = 0; top < (uint64_t)1 << top_bits; top++)
      for (uint64_t tail = 0; tail < 3; tail++) {
        uint64_t bits = sign << (exponent_bits + source_mantissa) | field << source_mantissa |
                        top << rest | (tail == 2 ? ((uint64_t)1 << rest) - 1 : tail);
        uint32_t code;
        if (from_double && format->width == 16)
          code = format->encode16_double(double_of_bits(bits));
        else if (from_double) code = format->encode8_double(double_of_bits(bits));
        else if (format->width == 16) code = format->encode16(float_of_bits((uint32_t)bits));
        else code = format->encode8(float_of_bits((uint32_t)bits));
        uint64_t mantissa = bits & (((uint64_t)1 << source_mantissa) - 1);
        if (field == ((uint64_t)1 << exponent_bits) - 1 && mantissa != 0)
          code = canonical_nan(format->format, code, sign,
                               mantissa >> (source_mantissa - format->format->mantissa_bits));
        hash += term(index++, code);
      }
  return hash;
}

static void check_file(const char *path) {
  static char line[4096];
  FILE *file = fopen(path, "r");
  CHECK_MESSAGE(file != NULL, "cannot open %s (run from the top of the repository)", path);
  if (file == NULL) return;
  int lines = 0;
  while (fgets(line, sizeof line, file)) {
    const char *kind = strtok(line, " "), *name = strtok(NULL, " ");
    char *rest = strtok(NULL, "\n");
    lines++;
    if (strcmp(kind, "decode") == 0) {
      const named_format *format = find_format(name);
      for (uint32_t code = 0; code < 1u << format->width; code++) {
        uint32_t expected = (uint32_t)strtoul(rest, &rest, 16),
                 got = float_bits(decode(format, code));
        CHECK_MESSAGE(got == expected, "%s 0x%x: 0x%08x, not 0x%08x", name, code, got, expected);
      }
    } else if (strcmp(kind, "decode_hash") == 0) {
      uint64_t hash = 0;
      for (uint32_t code = 0; code < 0x10000; code++)
        hash += term(code, float_bits(decode(find_format(name), code)));
      CHECK_MESSAGE(hash == strtoull(rest, NULL, 16), "decoding %s", name);
    } else {
      const char *format = strtok(rest, " ");
      rest = strtok(NULL, "\n");
      uint64_t field = strtoull(rest, &rest, 10), hash = strtoull(rest, NULL, 16);
      CHECK_MESSAGE(encode_field(find_format(format), strcmp(name, "f64") == 0, field) == hash,
                    "encoding %s to %s, exponent field %d", name, format, (int)field);
    }
  }
  fclose(file);
  CHECK(lines > 1000);
}

// The generic functions and the array loops must agree with the functions that the file has
// checked.
static void check_agreement(void) {
  static float decoded[0x10000];
  static uint16_t codes[0x10000], encoded[0x10000];
  for (uint32_t code = 0; code < 0x10000; code++) codes[code] = (uint16_t)code;
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    const named_format *format = &formats[i];
    for (uint32_t code = 0; code < 1u << format->width; code++) {
      uint32_t by_name = float_bits(decode(format, code));
      CHECK(float_bits(hlo_float_format_decode(format->format, (uint16_t)code)) == by_name);
      // A code read back from its own value is itself, except that NaN has one code per sign.
      float value = decode(format, code);
      if (value == value) CHECK(hlo_float_format_encode(format->format, value) == code);
    }
  }
  hlo_f16_to_f32_n(decoded, codes, 0x10000);
  for (uint32_t code = 0; code < 0x10000; code++)
    CHECK(float_bits(decoded[code]) == float_bits(hlo_f16_to_f32((uint16_t)code)));
  hlo_f32_to_f16_n(encoded, decoded, 0x10000);
  for (uint32_t code = 0; code < 0x10000; code++)
    CHECK(encoded[code] == hlo_f32_to_f16(decoded[code]));
  hlo_bf16_to_f32_n(decoded, codes, 0x10000);
  for (uint32_t code = 0; code < 0x10000; code++)
    CHECK(float_bits(decoded[code]) == float_bits(hlo_bf16_to_f32((uint16_t)code)));
  hlo_f32_to_bf16_n(encoded, decoded, 0x10000);
  for (uint32_t code = 0; code < 0x10000; code++)
    CHECK(encoded[code] == hlo_f32_to_bf16(decoded[code]));
  // High bits beside a 4-bit code are ignored.
  for (uint32_t code = 0; code < 0x100; code++)
    CHECK(float_bits(hlo_f4e2m1fn_to_f32((uint8_t)code)) ==
          float_bits(hlo_f4e2m1fn_to_f32(code & 15)));
}

int main(void) {
  check_file("tests/c/data/float_formats.txt");
  check_agreement();
  return CHECK_RESULT();
}
