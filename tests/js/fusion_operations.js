// What random fusions are made of: element types, questions about them, and the elementwise operations of each kind of
// type.

export const types = [
  'f32',
  'f32',
  'f32',
  'f64',
  's32',
  'u32',
  'pred',
  's8',
  'u8',
  's16',
  'u16',
  's64',
  'u64',
  'bf16',
  'f16',
  'c64',
  'c128',
  's4',
  'u4',
  's2',
  'u2',
  'f8e5m2',
  'f8e4m3',
  'f8e4m3fn',
  'f8e3m4',
  'f8e5m2fnuz',
  'f8e4m3fnuz',
  'f8e4m3b11fnuz',
  'f8e8m0fnu',
];
export const isComplex = (type) => type[0] === 'c';
export const isFloat = (type) => /^(f|bf)/.test(type);
export const isInteger = (type) => /^[su]\d/.test(type);
/** Types of a few values: without infinities, some of them, or 7. */
export const isSmall = (type) => /^([su][24]|f[48].*)$/.test(type);
export const bitsOf = (type) => (type === 'pred' ? 1 : Number(/\d+/.exec(type)[0]));

export const ops = {
  float: {
    1: [
      'abs',
      'negate',
      'sign',
      'ceil',
      'floor',
      'round-nearest-afz',
      'round-nearest-even',
      'sqrt',
      'is-finite',
    ],
    2: ['add', 'subtract', 'multiply', 'divide', 'maximum', 'minimum'],
  },
  function: {
    1: [
      'exponential',
      'exponential-minus-one',
      'log',
      'log-plus-one',
      'logistic',
      'rsqrt',
      'sine',
      'cosine',
      'tanh',
      'erf',
      'lgamma',
      'cbrt',
      'tan',
      'acos',
      'asin',
      'cosh',
      'sinh',
      'acosh',
      'asinh',
      'atanh',
      'erfc',
      'erf-inv',
    ],
    2: ['add', 'power', 'atan2', 'remainder', 'zeta'],
  },
  integer: {
    1: ['abs', 'negate', 'sign', 'not', 'popcnt', 'count-leading-zeros'],
    2: [
      'add',
      'subtract',
      'multiply',
      'divide',
      'remainder',
      'power',
      'maximum',
      'minimum',
      'and',
      'or',
      'xor',
      'shift-left',
      'shift-right-arithmetic',
      'shift-right-logical',
    ],
  },
  pred: { 1: ['not'], 2: ['add', 'multiply', 'maximum', 'minimum', 'and', 'or', 'xor'] },
  complex: {
    1: ['negate', 'real', 'imag', 'abs', 'exponential', 'log', 'sqrt', 'tanh', 'sign'],
    2: ['add', 'subtract', 'multiply', 'divide', 'power'],
  },
  // What sums may go through without small errors becoming large ones.
  smooth: {
    1: ['negate', 'tanh', 'logistic', 'abs'],
    2: ['add', 'subtract', 'maximum', 'minimum'],
  },
};
