// Random maps for the tests of the simplifier: texts with up to five variables in small ranges, and
// expressions with the constants that shapes give.
#ifndef HLO_TESTS_C_SIMPLIFY_RANDOM_H
#define HLO_TESTS_C_SIMPLIFY_RANDOM_H

#include "base/string.h"
#include "random_seeds.h"

typedef struct random_map {
  int counts[3]; // d, s, rt
  hlo_string text;
} random_map;

static inline void add_random_variable(random_map *m) {
  static const char *const names[] = {"d", "s", "rt"};
  int pick = random_below(m->counts[0] + m->counts[1] + m->counts[2]);
  for (int kind = 0; kind < 3; kind++) {
    if (pick < m->counts[kind]) {
      hlo_string_add(&m->text, names[kind]);
      hlo_string_add_int(&m->text, pick);
      return;
    }
    pick -= m->counts[kind];
  }
}

static inline int random_divisor(void) {
  static const int divisors[] = {2, 2, 2, 3, 3, 4, 4, 4, 5, 6, 6, 8, 8, 8, 10, 12, 16, 24, 7, 1};
  int divisor = divisors[random_below(20)];
  return random_below(30) == 0 ? -divisor : divisor;
}

static inline void add_random_expression(random_map *m, int depth) {
  if (depth == 0 || random_below(8) == 0) {
    if (random_below(6) == 0) hlo_string_add_int(&m->text, random_between(-20, 20));
    else add_random_variable(m);
    return;
  }
  int form = random_below(12);
  hlo_string_add_char(&m->text, '(');
  add_random_expression(m, depth - 1);
  if (form < 3) hlo_string_add(&m->text, " + ");
  else if (form < 5) hlo_string_add(&m->text, " - ");
  else if (form < 7) hlo_string_add(&m->text, " * ");
  else if (form < 9) hlo_string_add(&m->text, " floordiv ");
  else hlo_string_add(&m->text, " mod ");
  if (form < 5) add_random_expression(m, depth - 1);
  else if (form < 7) hlo_string_add_int(&m->text, random_between(-4, 12));
  else hlo_string_add_int(&m->text, random_divisor());
  hlo_string_add_char(&m->text, ')');
}

// Σ of one variable's quotient and rest times numbers that often fit: what reshapes give.
static inline void add_random_digits(random_map *m) {
  random_map part = {.counts = {m->counts[0], m->counts[1], m->counts[2]}};
  add_random_expression(&part, random_below(3));
  int low = random_divisor(), high = random_divisor();
  low = low < 0 ? -low : low;
  high = high < 0 ? -high : high;
  const char *x = part.text.text;
  switch (random_below(4)) {
  case 0:
    hlo_string_add_format(&m->text, "(%s floordiv %d) * %d + %s mod %d", x, low, low, x, low);
    break;
  case 1:
    hlo_string_add_format(&m->text,
                          "(%s floordiv %d) * %d + ((%s floordiv %d) mod %d) * %d + %s mod %d", x,
                          low * high, low * high, x, low, high, low, x, low);
    break;
  case 2:
    hlo_string_add_format(&m->text, "(%s mod %d) floordiv %d", x, low * high, low);
    break;
  default:
    hlo_string_add_format(&m->text, "(%s floordiv %d) * %d + (%s mod %d) * %d", x, low,
                          random_between(1, 20), x, low, random_between(1, 4));
  }
  hlo_string_free(&part.text);
}

// A whole map; the caller frees the text. Domains hold at most some thousands of assignments.
static inline random_map make_random_map(void) {
  random_map m = {.counts = {random_between(0, 2), random_between(0, 2), random_below(4) == 0}};
  if (m.counts[0] + m.counts[1] == 0) m.counts[0] = 1;
  static const char *const names[] = {"d", "s", "rt"}, *const brackets[] = {"()", "[]", "{}"};
  for (int kind = 0; kind < 3; kind++) {
    hlo_string_add_char(&m.text, brackets[kind][0]);
    for (int i = 0; i < m.counts[kind]; i++)
      hlo_string_add_format(&m.text, "%s%s%d", i == 0 ? "" : ", ", names[kind], i);
    hlo_string_add_char(&m.text, brackets[kind][1]);
  }
  hlo_string_add(&m.text, " -> (");
  for (int i = 0, count = random_between(1, 2); i < count; i++) {
    if (i > 0) hlo_string_add(&m.text, ", ");
    if (random_below(2) == 0) add_random_expression(&m, random_between(1, 4));
    else add_random_digits(&m);
  }
  hlo_string_add(&m.text, "), domain:");
  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < m.counts[kind]; i++) {
      int lower = random_below(2) == 0 ? 0 : random_between(-12, 12);
      hlo_string_add_format(&m.text, " %s%d in [%d, %d]", names[kind], i, lower,
                            lower + random_below(random_below(3) == 0 ? 2 : 12));
    }
  }
  for (int count = random_below(4) - 1; count > 0; count--) {
    hlo_string_add_char(&m.text, ' ');
    add_random_expression(&m, random_between(1, 3));
    int lower = random_below(3) == 0 ? 0 : random_between(-10, 10);
    hlo_string_add_format(&m.text, " in [%d, %d]", lower, lower + random_below(8));
  }
  return m;
}

// A map of 8 variables in larger ranges, with four results and four constraints.
static inline random_map make_random_wide_map(void) {
  random_map m = {.counts = {4, 3, 1}};
  hlo_string_add(&m.text, "(d0, d1, d2, d3)[s0, s1, s2]{rt0} -> (");
  for (int i = 0; i < 4; i++) {
    if (i > 0) hlo_string_add(&m.text, ", ");
    if (random_below(2) == 0) add_random_expression(&m, random_between(3, 6));
    else add_random_digits(&m);
  }
  hlo_string_add(&m.text, "), domain: rt0 in [0, 9]");
  for (int kind = 0; kind < 2; kind++)
    for (int i = 0; i < m.counts[kind]; i++)
      hlo_string_add_format(&m.text, ", %c%d in [0, %d]", kind == 0 ? 'd' : 's', i,
                            random_between(1, 500));
  for (int i = 0; i < 4; i++) {
    hlo_string_add(&m.text, ", ");
    add_random_expression(&m, random_between(2, 4));
    int middle = random_between(-20, 20), width = random_between(0, 8);
    hlo_string_add_format(&m.text, " in [%d, %d]", middle - width * width * width,
                          middle + width * width * width);
  }
  return m;
}

#endif
