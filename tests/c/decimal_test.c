// Checks base/decimal.h against the host's strtod, strtof and printf (glibc rounds them all
// correctly), against known hard cases, and against shortest decimals from Python
// (tests/c/data/shortest_decimals.py). Run from the top of the repository.
#include "base/bits.h"
#include "base/decimal.h"
#include "math/float_formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void) { // xorshift64 (G. Marsaglia, 2003)
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

// The same value, and the same zero.
static bool same(double a, double b) { return bits_of_double(a) == bits_of_double(b); }

// Parses text every way and compares with the host. The text is copied to its exact size, so that
// the address sanitizer sees reads beyond length.
static void check_parse(const char *text) {
  size_t length = strlen(text);
  char *copy = malloc(length + (length == 0));
  memcpy(copy, text, length);
  double wide = -7, odd = -7;
  float narrow = -7;
  CHECK_MESSAGE(hlo_parse_f64(copy, length, &wide), "%.60s", text);
  CHECK_MESSAGE(hlo_parse_f32(copy, length, &narrow), "%.60s", text);
  CHECK_MESSAGE(hlo_parse_f64_odd(copy, length, &odd), "%.60s", text);
  free(copy);
  CHECK_MESSAGE(same(wide, strtod(text, NULL)), "%.60s: %a, not %a", text, wide,
                strtod(text, NULL));
  CHECK_MESSAGE(same(narrow, strtof(text, NULL)), "%.60s as float: %a, not %a", text, narrow,
                strtof(text, NULL));
  // Rounded to odd: the exact number or its odd neighbour, never further than one step from the
  // nearest.
  int64_t distance = (int64_t)(bits_of_double(odd) - bits_of_double(wide));
  CHECK_MESSAGE(distance == 0 ||
                    ((bits_of_double(odd) & 1) != 0 && distance >= -1 && distance <= 1),
                "%.60s: %a", text, odd);
}

static void check_hard_cases(void) {
  // V. Paxson, "A program for testing IEEE decimal-binary conversion", 1991: decimals of 1 to 22
  // digits that lie very close to a double or to the middle of two.
  static const char *const hard[] = {
      "5e+125", "69e+267", "999e-026", "7861e-034", "75569258e-254", "928609187e-261",
      "9210917080e-238", "84863171114e-261", "653777767721e-234", "5232604057788e-253",
      "27235667517e-109", "653532977297e-123", "3142213164987e-294", "46202199371337e-072",
      "231010996856685e-073", "9324754620109615e+212", "78459735791271921e+049",
      "272104041512242479e+200", "6802601037806061975e+198", "20505426358836677347e-221",
      "836168422905420598437e-234", "4891559871276714924261e+222", "9e-265", "85e-037", "623e+100",
      "3571e+263", "81661e+153", "920657e-023", "4603285e-024", "87575437e-309", "245540327e+122",
      "6138508175e+120", "83356057653e+193", "619534293513e+124", "2335141086879e+218",
      "36167929443327e-159", "609610927149051e-255", "3743626360493413e-165",
      "94080055902682397e-242", "899810892172646163e+283", "7120190517612959703e+120",
      "25188282901709339043e-252", "308984926168550152811e-052", "6372891218502368041059e+064",
      // Ends of the range, and numbers that have stopped other parsers.
      "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
      "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
      "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649"
      "01797758720709633028641669288791094655554785194040263065748867150582068190890200070838367627"
      "38548458177115317644757"
      "3027006985557136695962284291481986083493647529271907416844436551070434271155969950809304288"
      "0",
      "1e309", "1e400", "1e99999999999999999999999999", "1e-99999999999999999999999999",
      "0e99999999999999999999", "-0", "-0.0", "+1", "0", "1.", ".5", "-.5e1",
      "00000000000000000000000000001", "0.000000000000000000000000000000000001e36",
      "9007199254740993", "9007199254740992.9999999999999999999999",
      "9007199254740993.0000000000000000000000000001", "1.17549435e-38", "1.4e-45",
      "7.006492321624085e-46", "7.006492321624086e-46", "3.4028235677973366e38",
      "3.4028235677973367e38", "16777217", "16777217.0000000000000000000000000000001", "1E5",
      "1e+05",
      // Hexadecimal.
      "0x1p0", "0x1.8p3", "-0X1.FFFFFFFFFFFFFP1023", "0x1.fffffffffffff8p1023",
      "0x1.fffffffffffff7ffp1023", "0x.8", "0x10", "0x1p-1074", "0x1p-1075", "0x1.0000000001p-1075",
      "0x1.00000000000008p0", "0x1.000000000000080000001p0", "0x1.000001p0",
      "0x1.00000100000000000000000001p0", "0x0p5", "-0x0.0", "0xabcdef0123456789abcdefp-7",
      "0x1p99999999999999999999999", "0x1p-99999999999999999999999", "0x0000000000000000000000001"};
  for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) check_parse(hard[i]);
  static const char *const wrong[] = {
      "",    "-",   "+",    ".",   "-.",  "e5",    ".e5",     "1e",   "1e+",   "1e5x",
      "1 ",  " 1",  "1..2", "--1", "0x",  "0x.",   "0xp5",    "0x1p", "0x1p-", "0x1p5x",
      "0xg", "inf", "nan",  "1f",  "1_0", "1e5.0", "0x1.8.0", "1,0",  "١"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    double wide = -7;
    float narrow = -7;
    size_t length = strlen(wrong[i]);
    CHECK_MESSAGE(!hlo_parse_f64(wrong[i], length, &wide) && wide == -7, "'%s' is no number",
                  wrong[i]);
    CHECK_MESSAGE(!hlo_parse_f32(wrong[i], length, &narrow) && narrow == -7, "'%s' is no number",
                  wrong[i]);
  }
  double value = -7;
  CHECK(hlo_parse_f64("12345", 2, &value) && value == 12); // length counts, not a terminator
}

static double random_double(void) {
  for (;;) {
    double value = double_of_bits(random_bits());
    if (isfinite(value)) return value;
  }
}

static void check_random_parse(void) {
  char text[2000];
  for (int i = 0; i < 20000; i++) {
    snprintf(text, sizeof text, "%.*e", (int)(random_bits() % 40), random_double());
    check_parse(text);
    snprintf(text, sizeof text, "%.*g", 1 + (int)(random_bits() % 12),
             (double)float_of_bits((uint32_t)random_bits() & 0xff7fffff));
    check_parse(text);
    snprintf(text, sizeof text, "%a", random_double());
    check_parse(text);
    // Digits without a plan, near both ends of the range too.
    int length = 0, digits = 1 + (int)(random_bits() % 30), point = (int)(random_bits() % 30);
    for (int d = 0; d < digits; d++) {
      if (d == point) text[length++] = '.';
      text[length++] = (char)('0' + random_bits() % 10);
    }
    snprintf(text + length, 20, "e%d", (int)(random_bits() % 700) - 360);
    check_parse(text);
  }
  // Exactly halfway between two doubles, and a hair to either side: up to 767 digits and one more.
  for (int i = 0; i < 300; i++) {
    double low = fabs(random_double());
    if (i % 3 == 0) low = double_of_bits(bits_of_double(low) >> 12); // subnormal
    if (bits_of_double(low) >= 0x7fe0000000000000) continue;
    long double middle =
        ((long double)low + (long double)double_of_bits(bits_of_double(low) + 1)) / 2;
    int length = snprintf(text, sizeof text, "%.1100Lf", middle);
    check_parse(text);
    snprintf(text + length, 10, "%d", 1);
    check_parse(text);
    snprintf(text, sizeof text, "%.800Le", middle);
    check_parse(text);
  }
}

// decimal → f16 through the odd double rounds once: exact middles and their neighbourhoods.
static void check_single_rounding(void) {
  char text[200];
  for (uint16_t code = 0; code < 0x7bff; code++) {
    double low = hlo_f16_to_f32(code), middle = (low + hlo_f16_to_f32((uint16_t)(code + 1))) / 2,
           value = 0;
    int length = snprintf(text, sizeof text, "%.40f", middle);
    uint16_t even = code & 1 ? (uint16_t)(code + 1) : code;
    CHECK(hlo_parse_f64_odd(text, (size_t)length, &value) && hlo_f64_to_f16(value) == even);
    length += snprintf(text + length, 20, "00000001");
    CHECK(hlo_parse_f64_odd(text, (size_t)length, &value) && hlo_f64_to_f16(value) == code + 1);
    length = snprintf(text, sizeof text, "-%.100f", nextafter(middle, 0));
    CHECK(hlo_parse_f64_odd(text, (size_t)length, &value) &&
          hlo_f64_to_f16(value) == (code | 0x8000));
  }
  double value = 0;
  CHECK(hlo_parse_f64_odd("1.00048828124999999999999999999", 31, &value) &&
        hlo_f64_to_f16(value) == 0x3c00);
  CHECK(hlo_parse_f64_odd("1.00048828125000000000000000001", 31, &value) &&
        hlo_f64_to_f16(value) == 0x3c01);
  CHECK(hlo_parse_f64_odd("1e400", 5, &value) && value == 0x1.fffffffffffffp1023 &&
        isinf((float)value));
  CHECK(hlo_parse_f64_odd("-1e-400", 7, &value) && value == -0x1p-1074 && same((float)value, -0.0));
}

static void check_format(double value) {
  char text[HLO_FORMAT_SIZE], expected[64];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(expected, sizeof expected, "%.*g", digits, value);
    CHECK(hlo_format_digits(text, value, digits) == strlen(text));
    CHECK_MESSAGE(strcmp(text, expected) == 0, "%.*g: %s, not %s", digits, value, text, expected);
    snprintf(expected, sizeof expected, "%.*e", digits - 1, value);
    CHECK(hlo_format_scientific(text, value, digits) == strlen(text));
    CHECK_MESSAGE(strcmp(text, expected) == 0, "%s, not %s", text, expected);
  }
  snprintf(expected, sizeof expected, "%.15g", value);
  if (strtod(expected, NULL) != value) snprintf(expected, sizeof expected, "%.17g", value);
  CHECK(hlo_format_f64(text, value) == strlen(text));
  CHECK_MESSAGE(strcmp(text, expected) == 0, "%s, not %s", text, expected);
  float narrow = (float)value;
  if (isinf(narrow)) return;
  snprintf(expected, sizeof expected, "%.6g", narrow);
  if (strtof(expected, NULL) != narrow) snprintf(expected, sizeof expected, "%.9g", narrow);
  CHECK(hlo_format_f32(text, narrow) == strlen(text));
  CHECK_MESSAGE(strcmp(text, expected) == 0, "%s, not %s", text, expected);
}

static void check_formats(void) {
  static const double values[] = {0,
                                  1,
                                  8,
                                  10,
                                  100,
                                  0.1,
                                  0.5,
                                  1.5,
                                  2.5,
                                  0.25,
                                  0.125,
                                  9.5,
                                  99.5,
                                  999999.5,
                                  0.0001,
                                  0.00001,
                                  123456,
                                  1234567,
                                  1e5,
                                  1e6,
                                  1e7,
                                  1e14,
                                  1e15,
                                  1e16,
                                  1e17,
                                  1e21,
                                  1e22,
                                  1e23,
                                  1.0 / 3,
                                  16777216,
                                  9007199254740992,
                                  1.17549435e-38,
                                  1e-45,
                                  3.4028235e38,
                                  0x1p-1074,
                                  0x1p-1022,
                                  0x1.fffffffffffffp1023,
                                  9.5367431640625e-07,
                                  5e-324,
                                  1.05,
                                  4503599627370497.5};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    check_format(values[i]), check_format(-values[i]);
  for (int exponent = -1074; exponent <= 1023; exponent++) {
    check_format(ldexp(1, exponent));
    check_format(nextafter(ldexp(1, exponent), 0));
  }
  for (int i = 0; i < 3000; i++)
    check_format(random_double()),
        check_format(float_of_bits((uint32_t)random_bits() & 0x7f7fffff));
  for (int i = 0; i < 3000; i++) check_format((double)(random_bits() >> random_bits() % 64) / 1024);
}

static void check_text(size_t length, const char *text, const char *expected) {
  CHECK_MESSAGE(strcmp(text, expected) == 0 && length == strlen(expected), "%s, not %s", text,
                expected);
}

static void check_special_formats(void) {
  char text[HLO_FORMAT_SIZE];
  check_text(hlo_format_f64(text, INFINITY), text, "inf");
  check_text(hlo_format_f32(text, -INFINITY), text, "-inf");
  check_text(hlo_format_f64(text, double_of_bits(0x7ff8000000000000)), text, "nan");
  check_text(hlo_format_f32(text, float_of_bits(0xffc00000)), text, "-nan");
  check_text(hlo_format_shortest_f64(text, -0.0), text, "-0");
  check_text(hlo_format_scientific(text, -0.0, 7), text, "-0.000000e+00");
  check_text(hlo_format_digits(text, -0.0, 3), text, "-0");
  // As XLA of jaxlib 0.10.2 prints them.
  check_text(hlo_format_f32(text, 1e10f), text, "1e+10");
  check_text(hlo_format_f32(text, 123456789.f), text, "123456792");
  check_text(hlo_format_f32(text, 1.f / 3), text, "0.333333343");
  check_text(hlo_format_f32(text, 1e-45f), text, "1.4013e-45");
  check_text(hlo_format_f64(text, 1e10), text, "10000000000");
  check_text(hlo_format_digits(text, hlo_bf16_to_f32(hlo_f32_to_bf16(1e10f)), 4), text,
             "9.999e+09");
  check_text(hlo_format_digits(text, hlo_f16_to_f32(hlo_f32_to_f16(0.1f)), 5), text, "0.099976");
}

static void check_shortest(const char *path) {
  char type[8], expected[64], text[HLO_FORMAT_SIZE], line[128];
  unsigned long long bits;
  int lines = 0;
  FILE *file = fopen(path, "r");
  CHECK_MESSAGE(file != NULL, "cannot open %s (run from the top of the repository)", path);
  if (file == NULL) return;
  while (fgets(line, sizeof line, file) &&
         sscanf(line, "%7s %llx %63s", type, &bits, expected) == 3) {
    bool is_float = strcmp(type, "f32") == 0;
    lines++;
    if (is_float)
      check_text(hlo_format_shortest_f32(text, float_of_bits((uint32_t)bits)), text, expected);
    else check_text(hlo_format_shortest_f64(text, double_of_bits(bits)), text, expected);
  }
  fclose(file);
  CHECK(lines > 2000);
}

int main(void) {
  check_hard_cases();
  check_random_parse();
  check_single_rounding();
  check_formats();
  check_special_formats();
  check_shortest("tests/c/data/shortest_decimals.txt");
  return CHECK_RESULT();
}
