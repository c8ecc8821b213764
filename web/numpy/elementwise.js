// NumPy's elementwise functions.
import { HloArray } from '../array.js';
import { HloError } from '../errors.js';
import { castTo } from './casting.js';
import { asProgram } from './programs.js';
import {
  asArray,
  asFloat,
  asPredicate,
  broadcastShapes,
  broadcastTo,
  classOf,
  computeWider,
  convert,
  extremes,
  isOperand,
  promoteAndBroadcast,
  typeOf,
  withoutBooleans,
} from './promotion.js';

/** @typedef {any} Hlo */

/** By NumPy's names; the identity on integers and booleans. */
const rounding = { floor: 'floor', ceil: 'ceil' };
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
};
const binary = {
  add: 'add',
  subtract: 'sub',
  multiply: 'mul',
};
const bitwise = { bitwiseAnd: 'and', bitwiseOr: 'or', bitwiseXor: 'xor' };
const choices = { maximum: 'max', minimum: 'min' };
const comparisons = {
  equal: 'eq',
  notEqual: 'ne',
  less: 'lt',
  lessEqual: 'le',
  greater: 'gt',
  greaterEqual: 'ge',
};

/** @param {Hlo} hlo @param {any} x a number or an array of integers @returns {boolean} false: none, or not known */
function isAnyBelow0(hlo, x) {
  if (typeof x === 'number') return x < 0;
  return x instanceof HloArray && hlo.reduce(hlo.lt(x, 0), hlo.array(false), 'or').item();
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function elementwiseFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const isFloat = (/** @type {any} */ x) => classOf(hlo, x) === 'float';
  const isUnsigned = (/** @type {any} */ x) => /unsigned|pred/.test(classOf(hlo, x));
  for (const [name, op] of Object.entries(rounding))
    np[name] = (value) => {
      const x = asArray(hlo, value);
      return /signed|pred/.test(classOf(hlo, x)) ? x : hlo[op](x);
    };
  np.negative = (x) => hlo.neg(asArray(hlo, x));
  np.abs = (value) => {
    const x = asArray(hlo, value);
    return isUnsigned(x) ? x : hlo.abs(x);
  };
  np.sign = (value) => {
    const x = asArray(hlo, value);
    if (x.type === 'pred') throw new HloError('booleans have no sign: convert them with astype');
    if (isUnsigned(x)) return hlo.min(x, 1);
    if (isComplex(x)) return signOfComplex(x);
    return isFloat(x) ? hlo.add(hlo.sign(x), 0) : hlo.sign(x); // that of -0 is 0
  };
  for (const [name, op] of Object.entries(floating)) np[name] = (x) => hlo[op](asFloat(hlo, x));
  const isComplex = (/** @type {any} */ x) => classOf(hlo, x) === 'complex';
  /** x / |x|; along an axis where one part is infinite, whatever the other is. */
  const signOfComplex = hlo.jit((/** @type {any} */ x) => {
    const [re, im] = [hlo.real(x), hlo.imag(x)];
    const [isReal, isImaginary] = [re, im].map((part) => hlo.eq(hlo.abs(part), Infinity));
    const along = (/** @type {any} */ part, /** @type {any} */ isOwn, /** @type {any} */ isOther) =>
      hlo.select(isOwn, hlo.select(isOther, NaN, hlo.sign(part)), hlo.select(isOther, 0, part));
    return hlo.sign(hlo.complex(along(re, isReal, isImaginary), along(im, isImaginary, isReal)));
  });
  /** Compares complex numbers by real, then by imaginary part; false where either is NaN. @type {(op: string, x: any, y: any) => any} */
  const compareOrdered = (op, x, y) => {
    if (!isComplex(x) || op === 'eq' || op === 'ne') return hlo[op](x, y);
    const [a, b] = [x, y].map((z) => [hlo.real(z), hlo.imag(z)]);
    const areNumbers = hlo.and(hlo.eq(a[1], a[1]), hlo.eq(b[1], b[1]));
    const isBeyond = hlo.and(hlo[op[0] === 'l' ? 'lt' : 'gt'](a[0], b[0]), areNumbers);
    return hlo.or(isBeyond, hlo.and(hlo.eq(a[0], b[0]), hlo[op](a[1], b[1])));
  };
  const chooseExtreme = (/** @type {string} */ op, /** @type {any} */ x, /** @type {any} */ y) => {
    if (!isComplex(x)) return hlo[op](x, y);
    return hlo.select(hlo.or(compareOrdered(op === 'max' ? 'ge' : 'le', x, y), hlo.ne(x, x)), x, y);
  };
  for (const [names, run] of /** @type {const} */ ([
    [binary, (/** @type {string} */ op, /** @type {any[]} */ [x, y]) => hlo[op](x, y)],
    [
      comparisons,
      (/** @type {string} */ op, /** @type {any[]} */ [x, y]) => compareOrdered(op, x, y),
    ],
    [choices, (/** @type {string} */ op, /** @type {any[]} */ [x, y]) => chooseExtreme(op, x, y)],
  ]))
    for (const [name, op] of Object.entries(names))
      np[name] = (a, b) => run(op, promoteAndBroadcast(hlo, [a, b]));
  for (const [name, op] of Object.entries(bitwise))
    np[name] = (a, b) => hlo[op](...promoteAndBroadcast(hlo, [a, b], undefined, 's32')); // numbers are integers here
  np.invert = (x) => hlo.not(promoteAndBroadcast(hlo, [x], undefined, 's32')[0]);
  for (const [name, ofSigned, ofUnsigned] of [
    ['leftShift', 'shiftLeft', 'shiftLeft'],
    ['rightShift', 'shiftRightArithmetic', 'shiftRightLogical'],
  ])
    np[name] = (a, b) => {
      const [x, y] = promoteAndBroadcast(hlo, [a, b], undefined, 's32').map((z) =>
        withoutBooleans(hlo, z),
      );
      return hlo[classOf(hlo, x) === 'unsigned' ? ofUnsigned : ofSigned](x, y);
    };
  /** The maximum or minimum, ignoring NaN. @param {'maximum' | 'minimum'} name @returns {(a: any, b: any) => any} */
  const ignoringNaN = (name) => (a, b) => {
    const [x, y] = promoteAndBroadcast(hlo, [a, b]);
    return hlo.select(hlo.ne(y, y), x, hlo.select(hlo.ne(x, x), y, np[name](x, y)));
  };
  np.fmax = ignoringNaN('maximum');
  np.fmin = ignoringNaN('minimum');
  np.rint = (value) => {
    const x = asFloat(hlo, value);
    if (!isComplex(x)) return hlo.roundNearestEven(x);
    const [re, im] = [hlo.real(x), hlo.imag(x)].map((part) => hlo.roundNearestEven(part));
    return hlo.complex(re, im);
  };
  const scaleBy = (/** @type {number} */ factor) => (/** @type {any} */ value) => {
    const x = asFloat(hlo, value);
    return computeWider(hlo, [x], 'f64', (y) => hlo.mul(y, factor));
  };
  np.deg2rad = scaleBy(Math.PI / 180);
  np.rad2deg = scaleBy(180 / Math.PI);
  const complexPart = (/** @type {'real' | 'imag'} */ name) => (/** @type {any} */ value) => {
    const x = asArray(hlo, value);
    if (isComplex(x)) return hlo[name](x);
    return name === 'real' ? x : hlo.broadcastInDim(hlo.array(0, x.type), x.dims, []);
  };
  np.real = complexPart('real');
  np.imag = complexPart('imag');
  np.conjugate = (value) => {
    const x = withoutBooleans(hlo, asArray(hlo, value));
    return isComplex(x) ? hlo.complex(hlo.real(x), hlo.neg(hlo.imag(x))) : x;
  };
  for (const [name, op] of [
    ['logicalAnd', 'and'],
    ['logicalOr', 'or'],
    ['logicalXor', 'xor'],
  ])
    np[name] = (a, b) => {
      const [x, y] = promoteAndBroadcast(hlo, [asPredicate(hlo, a), asPredicate(hlo, b)]);
      return hlo[op](x, y);
    };
  np.power = (a, b) => {
    const isSigned = (/** @type {any} */ x) =>
      typeof x === 'number' ? Number.isInteger(x) : isOperand(x) && classOf(hlo, x) === 'signed';
    // NumPy rejects negative powers of integers; the value of a traced exponent is not known.
    const isRefused = isSigned(b) && isOperand(a) && /signed/.test(classOf(hlo, a));
    if (isRefused && isAnyBelow0(hlo, b))
      throw new HloError('integers have no negative powers: convert them with astype');
    return raise(a, b, {});
  };
  const raise = asProgram(hlo, (a, b) => {
    const [x, y] = promoteAndBroadcast(hlo, [a, b]);
    return hlo.pow(withoutBooleans(hlo, x), withoutBooleans(hlo, y));
  });
  np.logicalNot = (x) => hlo.not(asPredicate(hlo, x));
  np.divide = (a, b) => {
    const [x, y] = promoteAndBroadcast(hlo, [a, b]);
    return hlo.div(asFloat(hlo, x), asFloat(hlo, y));
  };
  np.arctan2 = (a, b) => {
    const [x, y] = promoteAndBroadcast(hlo, [a, b]);
    return hlo.atan2(asFloat(hlo, x), asFloat(hlo, y));
  };
  np.arctan = (x) => np.arctan2(x, 1);
  np.square = (value) => {
    const x = withoutBooleans(hlo, asArray(hlo, value));
    return hlo.mul(x, x);
  };
  np.isfinite = (value) => {
    const x = asFloat(hlo, value);
    if (isFloat(x)) return hlo.isFinite(x);
    return hlo.and(hlo.isFinite(hlo.real(x)), hlo.isFinite(hlo.imag(x)));
  };
  np.isnan = (value) => {
    const x = asFloat(hlo, value);
    return hlo.ne(x, x);
  };
  np.isinf = (x) => hlo.eq(hlo.abs(asFloat(hlo, x)), Infinity);
  np.trunc = (value) => {
    const x = asArray(hlo, value);
    return isFloat(x) ? hlo.select(hlo.lt(x, 0), hlo.ceil(x), hlo.floor(x)) : x;
  };
  np.fix = np.trunc;
  np.logaddexp = (a, b) => {
    const [x, y] = promoteAndBroadcast(hlo, [a, b]).map((array) => asFloat(hlo, array));
    return computeWider(hlo, [x, y], 'f32', (p, q) => {
      const more = hlo.log1p(hlo.exp(hlo.neg(hlo.abs(hlo.sub(p, q)))));
      // Equal infinities have no difference.
      return hlo.select(hlo.eq(p, q), hlo.add(p, Math.LN2), hlo.add(hlo.max(p, q), more));
    });
  };
  np.isclose = (a, b, { rtol = 1e-5, atol = 1e-8, equalNan = false } = {}) => {
    for (const tolerance of [rtol, atol])
      if (typeof tolerance !== 'number') throw new HloError('tolerances are numbers');
    const [x, y] = promoteAndBroadcast(hlo, [a, b]).map((array) => asFloat(hlo, array));
    const most = hlo.add(hlo.mul(hlo.abs(y), rtol), atol);
    const isNear = hlo.and(hlo.le(hlo.abs(hlo.sub(x, y)), most), np.isfinite(y));
    const isClose = hlo.or(isNear, hlo.eq(x, y));
    return equalNan ? hlo.or(isClose, hlo.and(np.isnan(x), np.isnan(y))) : isClose;
  };
  np.where = (condition, onTrue, onFalse) => {
    const predicate = asPredicate(hlo, condition);
    const [x, y] = promoteAndBroadcast(hlo, [onTrue, onFalse]);
    const dims = broadcastShapes(predicate.dims, x.dims);
    return hlo.select(...[predicate, x, y].map((part) => broadcastTo(hlo, part, dims)));
  };
  np.clip = (given, { aMin, aMax, min, max, dtype, casting } = {}) => {
    if ((aMin !== undefined || aMax !== undefined) && (min !== undefined || max !== undefined))
      throw new HloError('clip takes aMin and aMax, or min and max');
    const limits = [aMin ?? min, aMax ?? max];
    const x = dtype === undefined ? asArray(hlo, given) : castTo(hlo, given, dtype, casting);
    const range = /signed/.test(classOf(hlo, x)) ? extremes(typeOf(hlo, x.type)) : [];
    const [low, high] = limits.map((limit, i) => {
      // Limits beyond the type's range have no effect.
      const isWhole = Number.isInteger(limit) || typeof limit === 'bigint';
      if (isWhole && (i === 0 ? limit < range[0] : limit > range[1])) return undefined;
      return dtype === undefined || limit === undefined
        ? limit
        : castTo(hlo, limit, dtype, casting);
    });
    const atLeast = low === undefined ? x : np.maximum(x, low);
    return high === undefined ? atLeast : np.minimum(atLeast, high);
  };
  np.astype = (x, type) => convert(hlo, asArray(hlo, x), type);
  return np;
}
