// Exact conversion between decimal text and binary floating point, in both directions, without
// locale or tables. Tokens only. "inf", "nan" and types are the caller's.
#ifndef HLO_BASE_DECIMAL_H
#define HLO_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

// Enough for every result of the hlo_format functions below, terminating zero included.
#define HLO_FORMAT_SIZE 32

// All of them write a zero-terminated string and return its length. Infinity gives "inf" or "-inf",
// NaN "nan" or
// "-nan" by its sign; a NaN's payload is the caller's to print.
//
// As XLA prints constants in HLO text: as %.6g (f64: %.15g) if that reads back as the same value,
// else %.9g (%.17g): 1, -0, 0.1, 1e+06, 0.333333343, 1.17549435e-38; in f64 1000000,
// 0.33333333333333331.
size_t hlo_format_f32(char *out, float value);
size_t hlo_format_f64(char *out, double value);

// The fewest digits that read back as the same value (of those the nearest to it), in the notation
// that JavaScript uses: 1, -0, 0.1, 1000000, 1e+21, 0.33333334, 1.1754944e-38.
size_t hlo_format_shortest_f32(char *out, float value);
size_t hlo_format_shortest_f64(char *out, double value);

// Like %.*g: correctly rounded to the given number of digits, 1 to 17, without trailing zeros. XLA
// prints the narrow formats so, with 2 digits for f8e5m2 and f8e5m2fnuz, f8e8m0fnu and f4e2m1fn, 3
// for f8e4m3*, and f8e3m4, 4 for bf16, 5 for f16.
size_t hlo_format_digits(char *out, double value, int digits);

// Like %.*e with digits - 1 after the point: exactly the given number of digits, 1 to 17. MLIR
// prints 1.000000e+10.
size_t hlo_format_scientific(char *out, double value, int digits);

// Read the whole of text[0..length) as one number: an optional sign, decimal digits with an
// optional point and an optional exponent ("1", "-.5", "1.", "2e-3"), or a C hexadecimal float
// ("0x1.8p3"; the exponent is optional). Any number of digits, correctly rounded to nearest even;
// what is too large becomes infinity, what is too small zero. Anything else, also surrounding
// space, "inf" and "nan": false, and *out is left alone.
bool hlo_parse_f64(const char *text, size_t length, double *out);
bool hlo_parse_f32(const char *text, size_t length, float *out);

// The same rounded to odd: exact if representable, else the neighbour whose last bit is 1 (never
// infinity, never zero for a nonzero number). Such a double can be rounded once more, to any
// narrower format (f32 or float_formats.h), and gives what rounding the number itself would have
// given (S. Boldo and G. Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms
// using rounding to odd", 2008).
bool hlo_parse_f64_odd(const char *text, size_t length, double *out);

#endif
