// Calls of the specification's elementwise operations of one and two operands, for specification_calls.js.

/** @param {any} hlo @returns {Record<string, [any[], any][]>} by XLA's names */
export function elementwiseCallsOf(hlo) {
  const f32 = (/** @type {any} */ data) => hlo.array(data, 'f32');
  const s32 = (/** @type {any} */ data) => hlo.array(data, 's32');
  const [t, f] = [true, false];
  const v = f32([10, 20, 30]);
  const m = f32([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const accuracy = { tolerance: { atol: 0, rtol: 0, ulps: 1 } };
  /** @type {Record<string, [any[], any][]>} */
  const calls = {};

  // --- one operand ---
  const takesAccuracy = 'Cbrt Cos Cosh Exp Expm1 Log Log1p Logistic Rsqrt Sin Sqrt Tan Tanh'.split(
    ' ',
  );
  const one = (
    /** @type {string} */ name,
    /** @type {(x: number) => number} */ of,
    numbers = [0.25, 0.5, 0.75],
  ) => {
    const want = numbers.map(of);
    calls[name] = [[[f32(numbers)], want]];
    if (takesAccuracy.includes(name)) calls[name].push([[f32(numbers), accuracy], want]);
  };
  one('Abs', Math.abs, [-1, 2]);
  one('Acos', Math.acos);
  one('Acosh', Math.acosh, [1, 2]);
  one('Asin', Math.asin);
  one('Asinh', Math.asinh);
  one('Atan', Math.atan);
  one('Atanh', Math.atanh);
  one('Cbrt', Math.cbrt, [-8, 27]);
  one('Ceil', Math.ceil, [-1.5, 1.5]);
  one('Copy', (x) => x);
  one('Cos', Math.cos);
  one('Cosh', Math.cosh);
  one('Exp', Math.exp);
  one('Expm1', Math.expm1);
  one('Floor', Math.floor, [-1.5, 1.5]);
  one('Log', Math.log);
  one('Log1p', Math.log1p);
  one('Logistic', (x) => 1 / (1 + Math.exp(-x)));
  one('Neg', (x) => -x);
  one('Round', (x) => Math.sign(x) * Math.round(Math.abs(x)), [-2.5, 2.5, 0.4]);
  one('RoundNearestAfz', (x) => Math.sign(x) * Math.round(Math.abs(x)), [-2.5, 2.5, 0.4]);
  one('RoundNearestEven', (x) => 2 * Math.round(x / 2), [-2.5, 2.5, 0.4]);
  one('Rsqrt', (x) => 1 / Math.sqrt(x));
  one('Sign', Math.sign, [-3, 0, 3]);
  one('Sin', Math.sin);
  one('Sinh', Math.sinh);
  one('Sqrt', Math.sqrt);
  one('Tan', Math.tan);
  one('Tanh', Math.tanh);
  const erf = [0.27632639016823696, 0.5204998778130465]; // of 0.25 and 0.5
  calls.Erf = [
    [[f32([0.25, 0.5])], erf],
    [[f32([0.25, 0.5]), accuracy], erf],
  ];
  calls.Erfc = [[[f32([0.25, 0.5])], erf.map((x) => 1 - x)]];
  const complex = hlo.complex(f32([1]), f32([2]));
  calls.Real = [[[complex], [1]]];
  calls.Imag = [[[complex], [2]]];
  calls.Conj = [[[complex], [{ re: 1, im: -2 }]]];
  calls.Not = [[[s32([0, 5])], [-1, -6]]];
  calls.Clz = [[[s32([1, 255])], [31, 24]]];
  calls.PopulationCount = [[[s32([1, 255])], [1, 8]]];
  calls.IsFinite = [[[f32([1, Infinity, NaN])], [t, f, f]]];

  // --- two operands: of one shape, and along dimension 1 of a matrix ---
  const two = (
    /** @type {string} */ name,
    /** @type {(a: number, b: number) => any} */ of,
    make = f32,
    long = [
      [7, 2, 9],
      [1, 5, 4],
    ],
    short = [3, 2, 1],
  ) => {
    const wide = long.map((row) => row.map((a, i) => of(a, short[i])));
    calls[name] = [
      [[make(long), make(long.map(() => short))], wide],
      [[make(long), make(short), [1]], wide],
      [[make(long), make(short), [-1]], wide],
    ];
  };
  two('Add', (a, b) => a + b);
  two('And', (a, b) => a & b, s32);
  two('Atan2', Math.atan2);
  two('Complex', (re, im) => ({ re, im }));
  two('Div', (a, b) => a / b);
  two('Max', Math.max);
  two('Min', Math.min);
  two('Mul', (a, b) => a * b);
  two('MulHi', (a, b) => Math.floor((a * b) / 2 ** 32), s32, [[2 ** 30, 2, 9]], [8, 2, 1]);
  two('Or', (a, b) => a | b, s32);
  two('Pow', Math.pow);
  two('Rem', (a, b) => a % b);
  two('ShiftLeft', (a, b) => a << b, s32);
  two('ShiftRightArithmetic', (a, b) => a >> b, s32, [[-7, 2, 9]]);
  two('ShiftRightLogical', (a, b) => (a >>> b) | 0, s32, [[-7, 2, 9]]);
  two('Sub', (a, b) => a - b);
  two('Xor', (a, b) => a ^ b, s32);
  two('Eq', (a, b) => a === b);
  two('Ne', (a, b) => a !== b);
  two('Ge', (a, b) => a >= b);
  two('Gt', (a, b) => a > b);
  two('Le', (a, b) => a <= b);
  two('Lt', (a, b) => a < b);
  // In the total order of floats -NaN < -inf < … < -0 < 0 < … < inf < NaN.
  const [low, high] = [f32([[-0, NaN, 1]]), f32([0, NaN, NaN])];
  for (const [name, want] of Object.entries({
    ...{ EqTotalOrder: [f, t, f], NeTotalOrder: [t, f, t], GeTotalOrder: [f, t, f] },
    ...{ GtTotalOrder: [f, f, f], LeTotalOrder: [t, t, t], LtTotalOrder: [t, f, t] },
  }))
    calls[name] = [[[low, high, [1]], [want]]];
  calls.Compare = [
    [
      [m, v, [1], 'LT'],
      [
        [t, t, t],
        [t, t, t],
      ],
    ],
  ];

  return calls;
}
