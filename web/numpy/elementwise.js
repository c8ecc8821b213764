// NumPy's functions of one element, or of elements at the same place. Must not know how operations run.
import {
  alike,
  asArray,
  asFloat,
  asPredicate,
  broadcastShapes,
  broadcastTo,
  convert,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** NumPy's name and the operation's. */
const unary = {
  negative: 'neg',
  floor: 'floor',
  ceil: 'ceil',
};
/** On floats; integers are converted to f32. */
const floating = {
  exp: 'exp',
  expm1: 'expm1',
  log: 'log',
  log1p: 'log1p',
  sqrt: 'sqrt',
  cbrt: 'cbrt',
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  tanh: 'tanh',
  sinh: 'sinh',
  cosh: 'cosh',
  arcsin: 'asin',
  arccos: 'acos',
  arcsinh: 'asinh',
  arccosh: 'acosh',
  arctanh: 'atanh',
  sigmoid: 'logistic',
  erf: 'erf',
};
const binary = {
  add: 'add',
  subtract: 'sub',
  multiply: 'mul',
  power: 'pow',
  maximum: 'max',
  minimum: 'min',
  fmod: 'rem',
  bitwiseAnd: 'and',
  bitwiseOr: 'or',
  bitwiseXor: 'xor',
};
const comparisons = {
  equal: 'eq',
  notEqual: 'ne',
  less: 'lt',
  lessEqual: 'le',
  greater: 'gt',
  greaterEqual: 'ge',
};

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function elementwiseFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  for (const [name, op] of Object.entries(unary)) np[name] = (x) => hlo[op](asArray(hlo, x));
  /** @param {any} x */
  const isUnsigned = (x) => typeOf(hlo, x.type).class === 'unsigned'; // which HLO has neither of for
  /** @param {any} value */
  np.abs = (value) => {
    const x = asArray(hlo, value);
    return isUnsigned(x) ? hlo.max(x, 0) : hlo.abs(x);
  };
  /** @param {any} value */
  np.sign = (value) => {
    const x = asArray(hlo, value);
    return isUnsigned(x) ? hlo.min(x, 1) : hlo.sign(x);
  };
  for (const [name, op] of Object.entries(floating)) np[name] = (x) => hlo[op](asFloat(hlo, x));
  for (const [name, op] of Object.entries({ ...binary, ...comparisons }))
    np[name] = (a, b) => {
      const [x, y] = alike(hlo, [a, b]);
      return hlo[op](x, y);
    };
  for (const [name, op] of [
    ['logicalAnd', 'and'],
    ['logicalOr', 'or'],
    ['logicalXor', 'xor'],
  ])
    np[name] = (a, b) => {
      const [x, y] = alike(hlo, [asPredicate(hlo, a), asPredicate(hlo, b)]);
      return hlo[op](x, y);
    };
  np.logicalNot = (x) => hlo.not(asPredicate(hlo, x));
  np.divide = (a, b) => {
    const [x, y] = alike(hlo, [a, b]);
    return hlo.div(asFloat(hlo, x), asFloat(hlo, y));
  };
  np.floorDivide = (a, b) => {
    const [x, y] = alike(hlo, [a, b]);
    if (typeOf(hlo, x.type).class === 'float') return hlo.floor(hlo.div(x, y));
    const quotient = hlo.div(x, y);
    if (typeOf(hlo, x.type).class !== 'signed') return quotient;
    const isBelow = hlo.and(hlo.ne(hlo.sign(x), hlo.sign(y)), hlo.ne(hlo.rem(x, y), 0));
    return hlo.select(isBelow, hlo.sub(quotient, 1), quotient);
  };
  np.mod = (a, b) => {
    const [x, y] = alike(hlo, [a, b]);
    const rest = hlo.rem(x, y);
    if (typeOf(hlo, x.type).class === 'unsigned') return rest;
    const isOther = hlo.and(hlo.ne(rest, 0), hlo.ne(hlo.lt(rest, 0), hlo.lt(y, 0)));
    return hlo.select(isOther, hlo.add(rest, y), rest);
  };
  np.arctan2 = (a, b) => {
    const [x, y] = alike(hlo, [a, b]);
    return hlo.atan2(asFloat(hlo, x), asFloat(hlo, y));
  };
  np.arctan = (x) => np.arctan2(x, 1);
  np.hypot = (a, b) => np.sqrt(np.add(np.square(a), np.square(b)));
  np.square = (x) => np.multiply(x, x);
  np.reciprocal = (x) => np.divide(1, x);
  np.log2 = (x) => np.divide(np.log(x), Math.LN2);
  np.log10 = (x) => np.divide(np.log(x), Math.LN10);
  np.isfinite = (x) => hlo.isFinite(asFloat(hlo, x));
  np.isnan = (x) => {
    const array = asFloat(hlo, x);
    return hlo.ne(array, array);
  };
  np.isinf = (x) => hlo.eq(hlo.abs(asFloat(hlo, x)), Infinity);
  np.relu = (x) => np.maximum(x, 0);
  np.round = (value, decimals = 0) => {
    const x = asArray(hlo, value);
    if (/signed/.test(typeOf(hlo, x.type).class) && decimals >= 0) return x;
    if (decimals === 0) return hlo.roundNearestEven(x);
    const factor = 10 ** Math.abs(decimals);
    const [there, back] = decimals > 0 ? ['multiply', 'divide'] : ['divide', 'multiply'];
    return np[back](hlo.roundNearestEven(np[there](x, factor)), factor);
  };
  np.trunc = (x) => {
    const array = asArray(hlo, x);
    if (typeOf(hlo, array.type).class !== 'float') return array;
    return hlo.select(hlo.lt(array, 0), hlo.ceil(array), hlo.floor(array));
  };
  np.logaddexp = (a, b) => {
    const [x, y] = alike(hlo, [a, b]).map((array) => asFloat(hlo, array));
    const more = hlo.log1p(hlo.exp(hlo.neg(hlo.abs(hlo.sub(x, y)))));
    // Infinities that are equal have no difference.
    return hlo.select(hlo.eq(x, y), hlo.add(x, Math.LN2), hlo.add(hlo.max(x, y), more));
  };
  np.isclose = (a, b, relative = 1e-5, absolute = 1e-8) => {
    const [x, y] = alike(hlo, [a, b]).map((array) => asFloat(hlo, array));
    const most = hlo.add(hlo.mul(hlo.abs(y), relative), absolute);
    const isNear = hlo.and(hlo.le(hlo.abs(hlo.sub(x, y)), most), hlo.isFinite(y));
    return hlo.or(isNear, hlo.eq(x, y));
  };
  np.where = (condition, onTrue, onFalse) => {
    const predicate = asPredicate(hlo, condition);
    const [x, y] = alike(hlo, [onTrue, onFalse]);
    const dims = broadcastShapes(predicate.dims, x.dims);
    return hlo.select(...[predicate, x, y].map((part) => broadcastTo(hlo, part, dims)));
  };
  np.clip = (x, low, high) => np.minimum(np.maximum(x, low), high);
  np.astype = (x, type) => convert(hlo, asArray(hlo, x), type);
  return np;
}
