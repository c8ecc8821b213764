// NumPy's functions that tell about arrays and element types: shapes, common types, limits of types.
import { dtypeOf, elementType } from '../dtypes.js';
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';
import { mayCast } from './casting.js';
import {
  asArray,
  axesOf,
  broadcastShapes,
  classOf,
  dimsOf,
  floatTypeOf,
  isOperand,
  product,
  promote,
  typeOf,
} from './promotion.js';

/** @typedef {any} Hlo */

/** Bits of the fraction and of the exponent. @type {Record<string, [number, number]>} */
const formats = { f16: [10, 5], bf16: [7, 8], f32: [23, 8], f64: [52, 11] };
/** Numbers below these are within the range of small types, with room for rounding. @type {[string, number][]} */
const limits = [
  ['float16', 65000],
  ['float32', 3.4e38],
];
/** Classes of element types in the array API. @type {Record<string, RegExp>} */
const kindsOfTypes = {
  bool: /^pred$/,
  'signed integer': /^s/,
  'unsigned integer': /^u/,
  integral: /^[su]/,
  'real floating': /^b?f/,
  'complex floating': /^c/,
  numeric: /^(?!pred)/,
};

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function typeFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const isNumber = (/** @type {any} */ x) => ['number', 'bigint', 'boolean'].includes(typeof x);
  np.isscalar = (x) =>
    isNumber(x) || (typeof x === 'object' && x !== null && 're' in x && 'im' in x && !isOperand(x));
  np.ndim = (x) => asArray(hlo, x).rank;
  np.shape = (x) => [...asArray(hlo, x).dims];
  np.size = (x, { axis } = {}) => {
    const { dims } = asArray(hlo, x);
    return product(axesOf(axis, dims.length).map((d) => dims[d]));
  };
  np.broadcastShapes = (shapes) => broadcastShapes([], ...shapes.map(dimsOf));

  const typeNamed = (/** @type {any} */ type) => {
    const name = elementType(type);
    return typeOf(hlo, name).name;
  };
  np.promoteTypes = (a, b) => dtypeOf(promote(hlo, typeNamed(a), typeNamed(b)));
  np.resultType = (list) => {
    if (list.length === 0) throw new HloError('resultType takes an array or a type at least');
    const isWeak = (/** @type {any} */ x) => typeof x === 'number' || typeof x === 'bigint';
    const types = list
      .filter((/** @type {any} */ x) => !isWeak(x))
      .map((/** @type {any} */ x) => (typeof x === 'string' ? typeNamed(x) : asArray(hlo, x).type));
    const known =
      types.length > 0
        ? types.reduce((/** @type {any} */ a, /** @type {any} */ b) => promote(hlo, a, b))
        : undefined;
    // Numbers take the type of the others if it can hold them.
    const weak = list
      .filter(isWeak)
      .map((/** @type {any} */ x) => asArray(hlo, x, known ?? 'f32').type);
    const all = known === undefined ? weak : [known, ...weak];
    return dtypeOf(all.reduce((/** @type {any} */ a, /** @type {any} */ b) => promote(hlo, a, b)));
  };
  np.commonType = (arrays) => {
    const types = arrays.map((/** @type {any} */ x) => {
      const array = asArray(hlo, x);
      if (array.type === 'pred') throw new HloError('commonType takes numbers, got booleans');
      return floatTypeOf(hlo, array);
    });
    const join = (/** @type {any} */ a, /** @type {any} */ b) => promote(hlo, a, b);
    return dtypeOf(types.reduce(join, types[0] ?? 'f16'));
  };
  np.canCast = (from, to, { casting = 'safe' } = {}) => {
    if (isNumber(from)) throw new HloError('canCast takes types and arrays, not numbers');
    const type = typeof from === 'string' ? typeNamed(from) : asArray(hlo, from).type;
    return mayCast(hlo, type, typeNamed(to), casting);
  };
  np.minScalarType = (x) => {
    if (isOperand(x) && x.rank > 0) return dtypeOf(x.type);
    const scalar = isOperand(x) ? /** @type {any} */ (x).item() : x;
    if (typeof scalar === 'boolean') return 'bool';
    if (!isNumber(scalar)) throw new HloError(`minScalarType takes a number, got ${nameOf(x)}`);
    const isFloat = isOperand(x)
      ? /float/.test(classOf(hlo, x))
      : !Number.isInteger(Number(scalar));
    if (isFloat) {
      const size = Math.abs(Number(scalar));
      const fits = Number.isFinite(size) ? limits.find(([, limit]) => size < limit) : limits[0];
      return fits?.[0] ?? 'float64';
    }
    const whole = BigInt(scalar);
    const [name, wrap] = whole < 0n ? ['int', BigInt.asIntN] : ['uint', BigInt.asUintN];
    const width = [8, 16, 32, 64].find((bits) => wrap(bits, whole) === whole);
    if (width === undefined) throw new HloError(`no element type holds ${scalar}`);
    return `${name}${width}`;
  };
  np.isdtype = (type, kind) => {
    const name = typeNamed(type);
    const isOf = (/** @type {any} */ one) => {
      if (typeof one !== 'string')
        throw new HloError(`kind is a name or a list of names, got ${nameOf(one)}`);
      if (Object.hasOwn(kindsOfTypes, one) && one !== 'bool') return kindsOfTypes[one].test(name);
      return typeNamed(one) === name;
    };
    return Array.isArray(kind) ? kind.some(isOf) : isOf(kind);
  };
  np.finfo = (given) => {
    const type = isOperand(given) ? given.type : typeNamed(given);
    const real = type === 'c64' ? 'f32' : type === 'c128' ? 'f64' : type;
    if (!Object.hasOwn(formats, real)) throw new HloError(`finfo is of floats, not of ${type}`);
    const [nmant, iexp] = formats[real];
    const bias = 2 ** (iexp - 1) - 1;
    const [eps, epsneg] = [2 ** -nmant, 2 ** (-nmant - 1)];
    const max = (2 - eps) * 2 ** bias;
    const tiny = 2 ** (1 - bias);
    const precision = Math.floor(nmant * Math.log10(2));
    return {
      dtype: dtypeOf(real),
      bits: 1 + nmant + iexp,
      ...{ eps, epsneg, max, min: -max, tiny, smallestNormal: tiny },
      smallestSubnormal: tiny * eps,
      ...{ precision, resolution: Number(`1e-${precision}`) },
      ...{ nmant, iexp, nexp: iexp, machep: -nmant, negep: -nmant - 1 },
      ...{ minexp: 1 - bias, maxexp: bias + 1 },
    };
  };
  np.iinfo = (given) => {
    const name = isOperand(given) ? given.type : typeNamed(given);
    const { class: kind, bits } = typeOf(hlo, name);
    if (!/signed/.test(kind)) throw new HloError(`iinfo is of integers, not of ${name}`);
    const isSigned = kind === 'signed';
    const [min, max] = isSigned
      ? [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
      : [0n, 2n ** BigInt(bits) - 1n];
    const asNumber = (/** @type {bigint} */ x) => (bits > 32 ? x : Number(x));
    return { dtype: dtypeOf(name), bits, min: asNumber(min), max: asNumber(max) };
  };
  return np;
}
