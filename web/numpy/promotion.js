// NumPy's type promotion and broadcasting, lowered to explicit operations.
import { HloArray } from '../array.js';
import { Value } from '../builder.js';
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';

/** @typedef {any} Hlo the engine with its operations */
/** @typedef {HloArray | Value} Operand */

/** Classes of element types: each promotes to those after it. */
export const kinds = ['pred', 'unsigned', 'signed', 'float', 'complex'];

/**
 * The smallest type that holds both: a wider one of the same kind, a signed one wide enough for an unsigned one, f32 for
 * f16 and bf16, floats for integers and floats (of the float's width, as JAX does).
 * @param {Hlo} hlo
 * @param {string} a
 * @param {string} b
 * @returns {string}
 */
export function promote(hlo, a, b) {
  if (a === b) return a;
  const [low, high] = [typeOf(hlo, a), typeOf(hlo, b)].sort(
    (x, y) => kinds.indexOf(x.class) - kinds.indexOf(y.class) || x.bits - y.bits,
  );
  if (low.class === 'pred') return high.name;
  if (low.class === high.class) {
    if (low.bits !== high.bits) return high.name;
    return low.bits === 16 ? 'f32' : throwNotPromotable(a, b);
  }
  if (high.class === 'signed') return `s${Math.min(64, Math.max(high.bits, 2 * low.bits))}`;
  if (high.class === 'float') return high.name;
  return low.class === 'float' && low.bits === 64 ? 'c128' : high.name;
}

/** @param {string} a @param {string} b @returns {never} */
function throwNotPromotable(a, b) {
  throw new HloError(`${a} and ${b} have no type in common: convert one of them`);
}

/** @param {Hlo} hlo @param {string} name @returns {import('../engine.js').TypeInfo} */
export function typeOf(hlo, name) {
  const type = hlo.types.find((/** @type {any} */ info) => info.name === name);
  if (!type || !kinds.includes(type.class))
    throw new HloError(`there is no element type "${name}"`);
  return type;
}

/** @param {Hlo} hlo @param {any} x an array @returns {string} the class of its element type */
export function classOf(hlo, x) {
  return typeOf(hlo, x.type).class;
}

/**
 * Applies f to floats in a type that is at least as wide, and rounds the result to theirs.
 * @param {Hlo} hlo
 * @param {any[]} args all of one type
 * @param {'f32' | 'f64'} type
 * @param {(...args: any[]) => any} f
 */
export function computeWider(hlo, args, type, f) {
  const own = args[0].type;
  if (typeOf(hlo, own).bits >= typeOf(hlo, type).bits) return f(...args);
  return hlo.convert(f(...args.map((x) => hlo.convert(x, type))), own);
}

/** Applies a function of floats to both parts of complex numbers. @param {Hlo} hlo @param {any} x @param {(part: any) => any} f */
export const mapParts = (hlo, x, f) => hlo.complex(f(hlo.real(x)), f(hlo.imag(x)));

/** Complex numbers times a real one; as a product of complex numbers, infinity times the factor's 0 would make NaN. @param {Hlo} hlo @param {any} x @param {number} factor */
export const scaleComplex = (hlo, x, factor) =>
  mapParts(hlo, x, (/** @type {any} */ part) => hlo.mul(part, factor));

/** The least and the greatest value of a type: initial values of maximum and minimum. @param {import('../engine.js').TypeInfo} type */
export function extremes(type) {
  if (type.class === 'complex') return [-Infinity, Infinity].map((re) => ({ re, im: re }));
  if (type.class === 'float') return [-Infinity, Infinity];
  if (type.class === 'pred') return [false, true];
  const bits = BigInt(type.bits);
  if (type.class === 'unsigned') return [0n, 2n ** bits - 1n];
  return [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/**
 * The result for indices out of range, as in JAX: traced programs cannot raise errors.
 * @param {Hlo} hlo
 * @param {string} type
 */
export function fillValue(hlo, type) {
  const { class: kind, bits } = typeOf(hlo, type);
  if (kind === 'pred') return true;
  if (kind === 'float' || kind === 'complex') return NaN;
  return kind === 'signed' ? -(2n ** BigInt(bits - 1)) : 2n ** BigInt(bits) - 1n;
}

/** Whether an argument is an object with options. @param {any} x */
export function isOptions(x) {
  return typeof x === 'object' && x !== null && !isOperand(x) && !Array.isArray(x);
}

/** @param {any} size @param {string} name of the argument @returns {number} */
export function sizeOf(size, name) {
  if (Number.isSafeInteger(size) && size >= 0) return size;
  throw new HloError(`${name} is a whole number from 0, got ${nameOf(size)}`);
}

/** @param {any} number @param {string} what @returns {number} */
export function integer(number, what) {
  if (!Number.isInteger(number)) throw new HloError(`${what} is an integer, got ${nameOf(number)}`);
  return number;
}

/** @param {any} x */
export function isOperand(x) {
  return x instanceof HloArray || x instanceof Value;
}

/**
 * Converts an argument to an array. Numbers, also those of a list, take the type of the other operands if it can represent them;
 * otherwise an integer becomes s32, and other numbers and lists f32.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {string} [like]
 * @returns {any}
 */
export function asArray(hlo, x, like) {
  if (isOperand(x)) return x;
  if (typeof x === 'string' || typeof x === 'function' || typeof x === 'symbol')
    throw new HloError(`an array, a number or a list of numbers is expected, got ${nameOf(x)}`);
  const isList = Array.isArray(x);
  const numbers = isList ? x.flat(Infinity) : [x];
  const areBig = numbers.some((n) => typeof n === 'bigint');
  const areNumbers = numbers.every((n) => typeof n === 'number' || typeof n === 'bigint');
  if (numbers.some(isOperand)) return stackNested(hlo, x);
  if (!areNumbers || like === undefined) return hlo.array(x);
  const areWhole = areBig || numbers.every((n) => Number.isInteger(n));
  const kind = typeOf(hlo, like).class;
  const fits = kind === 'float' || kind === 'complex' || (areWhole && kind !== 'pred');
  const defaultType = areBig ? 's64' : areWhole && !isList ? 's32' : 'f32';
  return hlo.array(!isList && kind === 'float' ? Number(x) : x, fits ? like : defaultType);
}

/**
 * Converts data to an array of the requested type as NumPy does: numbers are truncated to integers, and values out of range are an
 * error.
 * @param {Hlo} hlo
 * @param {any} data
 * @param {string} [type]
 */
export function arrayOf(hlo, data, type) {
  if (isOperand(data)) return convert(hlo, data, type ?? data.type);
  if (type === undefined) return Array.isArray(data) ? asArray(hlo, data) : hlo.array(data);
  const numbers = Array.isArray(data) ? data.flat(Infinity) : [data];
  const kind = typeOf(hlo, type).class;
  if (numbers.some((x) => typeof x !== 'number' && typeof x !== 'bigint')) {
    const array = Array.isArray(data) ? asArray(hlo, data) : hlo.array(data);
    if (classOf(hlo, array) === 'complex' && kind !== 'complex')
      throw new HloError(`complex numbers do not become ${type}: take hlo.real() of them`);
    return convert(hlo, array, type);
  }
  /** @type {(f: (x: any) => any, x: any) => any} */
  const mapNested = (f, x) => (Array.isArray(x) ? x.map((part) => mapNested(f, part)) : f(x));
  if (kind === 'pred')
    return hlo.array(
      mapNested((x) => Number(x) !== 0, data),
      type,
    );
  if (!/signed/.test(kind))
    return hlo.array(kind === 'float' ? mapNested(Number, data) : data, type);
  const nonFinite = numbers.find((x) => typeof x === 'number' && !Number.isFinite(x));
  if (nonFinite !== undefined) throw new HloError(`${nonFinite} is no integer`);
  const whole = mapNested((x) => (typeof x === 'bigint' ? x : Math.trunc(x)), data);
  return hlo.array(whole, type);
}

/** @param {Hlo} hlo @param {any} x @returns {any} as NumPy computes where it has no arithmetic of booleans: those as s8 */
export function withoutBooleans(hlo, x) {
  return x.type === 'pred' ? hlo.convert(x, 's8') : x;
}

/** @param {Hlo} hlo @param {any} x an array @returns {string} its type; f32 when it has integers or booleans */
export function floatTypeOf(hlo, x) {
  return /float|complex/.test(classOf(hlo, x)) ? x.type : 'f32';
}

/** @param {Hlo} hlo @param {any} x @returns {any} an array of that type */
export function asFloat(hlo, x) {
  const array = asArray(hlo, x);
  return convert(hlo, array, floatTypeOf(hlo, array));
}

/** @param {Hlo} hlo @param {any} x @returns {any} whether elements are not zero */
export function asPredicate(hlo, x) {
  const array = asArray(hlo, x);
  return array.type === 'pred' ? array : hlo.ne(array, 0);
}

/** @param {number[]} dims @returns {number} */
export function product(dims) {
  return dims.reduce((all, size) => all * size, 1);
}

/**
 * An array and one of its axes; without an axis the array is flattened.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {number | null | undefined} axis
 * @returns {[any, number]}
 */
export function alongAxis(hlo, x, axis) {
  const array = asArray(hlo, x);
  if (axis !== undefined && axis !== null) return [array, axisOf(axis, array.rank)];
  return [array.rank === 1 ? array : hlo.reshape(array, [product(array.dims)]), 0];
}

/** @param {Hlo} hlo @param {any} x @param {string} type */
export function convert(hlo, x, type) {
  return x.type === type ? x : hlo.convert(x, type);
}

/**
 * The shape that all broadcast to: aligned at the last dimension, sizes of 1 stretch.
 * @param {number[][]} shapes
 * @returns {number[]}
 */
export function broadcastShapes(...shapes) {
  const rank = Math.max(...shapes.map((dims) => dims.length));
  return Array.from({ length: rank }, (_, d) => {
    const sizes = shapes.map((dims) => dims[d - rank + dims.length] ?? 1).filter((n) => n !== 1);
    if (sizes.some((size) => size !== sizes[0]))
      throw new ShapeError(
        `shapes ${shapes.map((dims) => `[${dims}]`).join(' and ')} do not broadcast`,
      );
    return sizes[0] ?? 1;
  });
}

/** @param {Hlo} hlo @param {any} x @param {number[]} dims */
export function broadcastTo(hlo, x, dims) {
  if (String(x.dims) === String(dims) && x.rank === dims.length) return x;
  broadcastShapes(x.dims, dims);
  const first = dims.length - x.rank;
  if (first < 0) throw new ShapeError(`[${x.dims}] does not broadcast to [${dims}]`);
  return hlo.broadcastInDim(
    x,
    dims,
    x.dims.map((/** @type {number} */ _, /** @type {number} */ d) => first + d),
  );
}

/** Up to so many indices JavaScript looks at each in less time than the programs that compare them take to be called. */
const MAX_READ_INDICES = 2000;

/**
 * Refuses indices of an array that are below `least` or not below `end`. Traced ones are not known.
 * @param {Hlo} hlo
 * @param {any} x of integers
 * @param {number} least
 * @param {number} end
 */
export function checkIndices(hlo, x, least, end) {
  if (!(x instanceof HloArray) || x.size === 0) return;
  if (x.size > MAX_READ_INDICES) {
    const isOutside = hlo.or(hlo.lt(x, least), hlo.ge(x, end));
    if (!hlo.reduce(isOutside, hlo.array(false), 'or').item()) return;
  }
  const outside = x.toTypedArray().find((i) => i < least || i >= end);
  if (outside === undefined) return;
  throw new ShapeError(`index ${outside} is out of range for a dimension of ${end}`);
}

/** @param {Hlo} hlo @param {any[]} arrays of any types @returns {any[]} all of the shape that they broadcast to */
export function broadcastTogether(hlo, arrays) {
  const dims = broadcastShapes(...arrays.map((x) => x.dims));
  return arrays.map((x) => broadcastTo(hlo, x, dims));
}

/**
 * Converts arguments to arrays, and returns their common type; numbers among them take that of the others.
 * @param {Hlo} hlo
 * @param {any[]} args
 * @param {string} [defaultType] the type of numbers, where there are only such
 * @returns {[any[], string]}
 */
export function asArrays(hlo, args, defaultType) {
  const commonType = (/** @type {any[]} */ arrays) =>
    arrays.map((x) => x.type).reduce((a, b) => promote(hlo, a, b));
  const areNumbers = (/** @type {any} */ x) =>
    (Array.isArray(x) ? x.flat(Infinity) : [x]).every(
      (n) => typeof n === 'number' || typeof n === 'bigint',
    );
  const own = args.map((x) => (areNumbers(x) ? undefined : asArray(hlo, x)));
  const known = own.filter((x) => x !== undefined);
  const like = known.length > 0 ? commonType(known) : defaultType;
  const arrays = args.map((x, i) => own[i] ?? asArray(hlo, x, like));
  return [arrays, commonType(arrays)];
}

/**
 * An array of a nested list with arrays in it, which are stacked in their common type.
 * @param {Hlo} hlo
 * @param {any[]} list
 * @returns {any}
 */
function stackNested(hlo, list) {
  const [arrays, type] = asArrays(hlo, list);
  const [{ dims }] = arrays;
  const other = arrays.find((x) => String(x.dims) !== String(dims));
  if (other !== undefined)
    throw new ShapeError(
      `the arrays of a list have one shape, got [${dims}] and [${other.dims}]: np.concatenate joins those that differ along its axis`,
    );
  const rows = arrays.map((x) => hlo.reshape(convert(hlo, x, type), [1, ...dims]));
  return hlo.concatenate(rows, 0);
}

/**
 * Converts arguments to arrays of one type and one shape.
 * @param {Hlo} hlo
 * @param {any[]} args
 * @param {string} [type] instead of the promoted one
 * @param {string} [defaultType] the type of numbers, where there are only such
 * @returns {any[]}
 */
export function promoteAndBroadcast(hlo, args, type, defaultType) {
  const [arrays, promoted] = asArrays(hlo, args, defaultType);
  const commonType = type ?? promoted;
  const dims = broadcastShapes(...arrays.map((x) => x.dims));
  return arrays.map((x) => broadcastTo(hlo, convert(hlo, x, commonType), dims));
}

/** @param {number} axis @param {number} rank */
export function axisOf(axis, rank) {
  if (!Number.isInteger(axis)) throw new ShapeError(`an axis is an integer, got ${nameOf(axis)}`);
  if (axis < -rank || axis >= rank)
    throw new ShapeError(`axis ${axis} is out of range for rank ${rank}`);
  return axis < 0 ? axis + rank : axis;
}

/** @param {any} axis undefined: all @param {number} rank @returns {number[]} */
export function axesOf(axis, rank) {
  if (axis === undefined || axis === null) return Array.from({ length: rank }, (_, d) => d);
  const axes = (Array.isArray(axis) ? axis : [axis]).map((a) => axisOf(a, rank));
  const twice = axes.find((a, i) => axes.indexOf(a) < i);
  if (twice !== undefined) throw new ShapeError(`axis ${twice} stands there twice`);
  return axes;
}

/**
 * Numbers that shapes of results depend on, and which therefore cannot be traced.
 * @param {any} x
 * @returns {any} a list, or a number, of what is in an array of integers; others as they are
 */
export function concreteNumbers(x) {
  if (x instanceof Value)
    throw new HloError('what shapes depend on cannot be traced: give numbers');
  return x instanceof HloArray ? x.toNested() : x;
}

/** @param {number | number[]} shape @returns {number[]} a number is the size of one dimension */
export function dimsOf(shape) {
  const dims = typeof shape === 'number' ? [shape] : shape;
  if (!Array.isArray(dims))
    throw new HloError(`sizes are a number or a list of them, got ${nameOf(shape)}`);
  return dims;
}

/** @param {any} shape as dimsOf() takes it, or an array of integers @returns {number[]} sizes, checked */
export function sizesOf(shape) {
  const dims = dimsOf(concreteNumbers(shape));
  return dims.map((size, d) =>
    sizeOf(size, dims.length === 1 ? 'shape' : `size ${d} of the shape`),
  );
}

/** @param {number} count @returns {number[]} 0, 1, … */
export function range(count) {
  return Array.from({ length: count }, (_, d) => d);
}

/**
 * Collapses those axes into one, the last.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {number[]} axes
 */
export function collapseAxes(hlo, x, axes) {
  const left = range(x.rank).filter((d) => !axes.includes(d));
  const size = product(axes.map((d) => x.dims[d]));
  const dims = left.map((d) => x.dims[d]);
  return hlo.reshape(hlo.transpose(x, [...left, ...axes.toSorted((a, b) => a - b)]), [
    ...dims,
    size,
  ]);
}
