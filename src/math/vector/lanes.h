// Vectors of four numbers, for instances of functions that are written for any vector
// (vector_math_template.h, wide_math_template.h). The includer says before which vector, LANES, of
// which number, LANE, with which bits, LANE_BITS.
typedef LANE_BITS bits4 __attribute__((vector_size(4 * sizeof(LANE))));

// A zero that no compiler knows to be one. Constants are made with it, which keeps them in locals
// outside of loops: LLVM and Binaryen would put v128.const inside, where V8 loads it anew each
// time.
typedef struct unknown_zero {
  LANE_BITS bits;
} unknown_zero;

static volatile LANE_BITS always_zero;

static inline LANES splat_bits(unknown_zero c, LANE_BITS x) {
  bits4 v = {x, x, x, x};
  return (LANES)(v ^ (bits4){c.bits, c.bits, c.bits, c.bits});
}

static inline LANES splat(unknown_zero c, LANE x) {
  union {
    LANE value;
    LANE_BITS bits;
  } u = {x};
  return splat_bits(c, u.bits);
}

static inline LANES select4(LANES mask, LANES a, LANES b) {
  return (LANES)(((bits4)mask & (bits4)a) | (~(bits4)mask & (bits4)b));
}
