// A NumPy-like layer: broadcasting and element types are inferred here and lowered to XLA's explicit operations. Works on
// arrays and, inside jit, on traced values. Must not know how operations run.
import { Hlo, HloError, checkArguments, checkOptions, signatureOf } from '../index.js';
import { arrangementFunctions } from './arrangement.js';
import { elementwiseFunctions } from './elementwise.js';
import { dtypes, elementType } from './promotion.js';
import { reductionFunctions } from './reduction.js';
import { shapingFunctions } from './shaping.js';

/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {HloArray | number | bigint | boolean | import('../elements.js').NestedList} ArrayLike */
/** @typedef {keyof typeof dtypes | import('../elements.js').ElementType} DType NumPy's name of an element type, or XLA's */
/** @typedef {number | { axis?: number }} Axis */
/** @typedef {number | number[]} Dims */
/** @typedef {number | number[] | { axis?: number | number[], keepdims?: boolean }} Along all axes by default */
/** @typedef {number | number[] | { axis?: number | number[], keepdims?: boolean, ddof?: number }} AlongWithDdof */
/** @typedef {number | { axis?: number, keepdims?: boolean }} AlongOne */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {(x: ArrayLike, y: ArrayLike) => HloArray} Binary */
/** @typedef {(x: ArrayLike, along?: Along) => HloArray} Reduction */

/**
 * @typedef {'abs' | 'negative' | 'sign' | 'floor' | 'ceil' | 'exp' | 'expm1' | 'log' | 'log1p' | 'log2' | 'log10'
 *   | 'sqrt' | 'cbrt' | 'sin' | 'cos' | 'tan' | 'tanh' | 'sinh' | 'cosh' | 'arcsin' | 'arccos' | 'arctan' | 'arcsinh'
 *   | 'arccosh' | 'arctanh' | 'sigmoid' | 'erf' | 'square' | 'reciprocal' | 'relu' | 'isfinite' | 'isnan' | 'isinf'
 *   | 'logicalNot' | 'ravel' | 'trunc'} UnaryName
 */
/**
 * @typedef {'add' | 'subtract' | 'multiply' | 'divide' | 'floorDivide' | 'mod' | 'fmod' | 'power' | 'maximum' | 'minimum'
 *   | 'bitwiseAnd' | 'bitwiseOr' | 'bitwiseXor' | 'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual'
 *   | 'logicalAnd' | 'logicalOr' | 'logicalXor' | 'arctan2' | 'hypot' | 'logaddexp' | 'matmul' | 'dot' | 'outer' | 'inner'} BinaryName
 */
/** @typedef {'sum' | 'prod' | 'max' | 'min' | 'mean' | 'any' | 'all'} ReductionName */
/**
 * @typedef {object} Others
 * @property {(x: ArrayLike, along?: AlongWithDdof) => HloArray} var
 * @property {(x: ArrayLike, along?: AlongWithDdof) => HloArray} std
 * @property {(x: ArrayLike, along?: AlongOne) => HloArray} argmax
 * @property {(x: ArrayLike, along?: AlongOne) => HloArray} argmin
 * @property {(x: ArrayLike, axis?: Axis) => HloArray} cumsum
 * @property {(x: ArrayLike, axis?: Axis) => HloArray} cumprod
 * @property {(x: ArrayLike, axis?: Axis) => HloArray} sort
 * @property {(x: ArrayLike, axis?: Axis) => HloArray} argsort
 * @property {(x: ArrayLike, axis?: Axis) => HloArray} softmax
 * @property {(x: ArrayLike, indices: ArrayLike, axis?: Axis) => HloArray} take
 * @property {(condition: ArrayLike, onTrue: ArrayLike, onFalse: ArrayLike) => HloArray} where
 * @property {(x: ArrayLike, low: ArrayLike, high: ArrayLike) => HloArray} clip
 * @property {(x: ArrayLike, decimals?: number) => HloArray} round half to even
 * @property {(x: ArrayLike, type: DType) => HloArray} astype
 * @property {(data: ArrayLike, type?: DType) => HloArray} array
 * @property {(shape: Dims, value: number | boolean, type?: DType) => HloArray} full
 * @property {(shape: Dims, type?: DType) => HloArray} zeros
 * @property {(shape: Dims, type?: DType) => HloArray} ones
 * @property {(x: HloArray) => HloArray} zerosLike
 * @property {(x: HloArray) => HloArray} onesLike
 * @property {(start: number, stop?: number, step?: number, type?: DType) => HloArray} arange int32, or float32 where a number is not whole
 * @property {(start: number, stop: number, count?: number, type?: DType) => HloArray} linspace
 * @property {(rows: number, columns?: number, type?: DType) => HloArray} eye
 * @property {(x: ArrayLike, k?: number) => HloArray} tril
 * @property {(x: ArrayLike, k?: number) => HloArray} triu
 * @property {(x: ArrayLike, shape: Dims) => HloArray} reshape one size may be -1
 * @property {(x: ArrayLike, axes?: number[]) => HloArray} transpose
 * @property {(x: ArrayLike, from: number, to: number) => HloArray} moveaxis
 * @property {(x: ArrayLike, a: number, b: number) => HloArray} swapaxes
 * @property {(x: ArrayLike, axis: Axis) => HloArray} expandDims
 * @property {(x: ArrayLike, axis?: Dims | { axis?: Dims }) => HloArray} squeeze
 * @property {(x: ArrayLike, shape: Dims) => HloArray} broadcastTo
 * @property {(arrays: ArrayLike[], axis?: Axis) => HloArray} concatenate
 * @property {(arrays: ArrayLike[], axis?: Axis) => HloArray} stack
 * @property {(x: ArrayLike, parts: number, axis?: Axis) => HloArray[]} split
 * @property {(x: ArrayLike, axis?: Dims | { axis?: Dims }) => HloArray} flip
 * @property {(x: ArrayLike, shift: number, axis?: Axis) => HloArray} roll
 * @property {(x: ArrayLike, widths: number | [number, number] | [number, number][], value?: number) => HloArray} pad before and after
 *   all dimensions, or each
 * @property {(x: HloArray, value: number | boolean, type?: DType) => HloArray} fullLike
 * @property {(x: ArrayLike, counts: number | number[], axis?: Axis) => HloArray} repeat each element, or each slice along an axis
 * @property {(x: ArrayLike, counts: Dims) => HloArray} tile
 * @property {(...axes: (ArrayLike | { indexing: 'xy' | 'ij' })[]) => HloArray[]} meshgrid
 * @property {(arrays: ArrayLike[]) => HloArray} vstack
 * @property {(arrays: ArrayLike[]) => HloArray} hstack
 * @property {(x: ArrayLike, k?: number) => HloArray} diag a matrix with that diagonal, or the diagonal of a matrix
 * @property {(x: ArrayLike, k?: number) => HloArray} trace
 * @property {(x: ArrayLike, times?: number | { axis?: number }, axis?: Axis) => HloArray} diff of neighbours, so many times, or along that axis
 * @property {(x: ArrayLike, indices: ArrayLike, axis?: Axis) => HloArray} takeAlongAxis
 * @property {(x: ArrayLike, along?: AlongOne) => HloArray} median
 * @property {(x: ArrayLike, y: ArrayLike, relative?: number, absolute?: number) => HloArray} isclose
 * @property {(x: ArrayLike, y: ArrayLike, relative?: number, absolute?: number) => HloArray} allclose
 * @property {(x: ArrayLike, y: ArrayLike, axes?: number | [number | number[], number | number[]]) => HloArray} tensordot
 * @property {(subscripts: string, ...operands: ArrayLike[]) => HloArray} einsum
 */
/** @typedef {Record<UnaryName, Unary> & Record<BinaryName, Binary> & Record<ReductionName, Reduction> & Others & typeof dtypes} NumPy */

/**
 * NumPy's functions on the arrays of an engine, under their names in camelCase (`expandDims`, `zerosLike`), and its names of
 * element types, which stand for XLA's: `np.int32` is 's32', and 'int32' will do, too.
 * @param {import('../index.js').Hlo} hlo what load() gave
 * @returns {NumPy}
 */
export function numpy(hlo) {
  checkArguments('numpy', signatureOf('hlo'), arguments);
  if (!(hlo instanceof Hlo))
    throw new HloError('numpy takes what load() gave: await it; one in a worker, by far.jit()');
  const elementwise = elementwiseFunctions(hlo); // which take as many arguments as they name
  const others = { ...elementwise, ...reductionFunctions(hlo), ...shapingFunctions(hlo) };
  const functions = { ...others, ...arrangementFunctions(hlo, others) };
  const calls = Object.entries(functions).map(([name, f]) => [
    name,
    called(hlo, name, f, name in elementwise ? f.length : 1),
  ]);
  return /** @type {any} */ (Object.freeze({ ...dtypes, ...Object.fromEntries(calls) }));
}

/**
 * Where functions take an axis, and which options beside it: `{ axis: 0, keepdims: true }`, or the axis itself, as NumPy has it
 * without a name. @type {Record<string, [number, string]>}
 */
const options = {};
for (const name of 'sum prod any all max min mean median argmax argmin'.split(' '))
  options[name] = [1, 'axis keepdims'];
for (const name of ['var', 'std']) options[name] = [1, 'axis keepdims ddof'];
for (const name of ['cumsum', 'cumprod', 'sort', 'argsort', 'softmax']) options[name] = [1, 'axis'];
options.take = [2, 'axis'];
/** Functions whose axis has a place of its own. @type {Record<string, number>} */
const places = {
  ...{ expandDims: 1, squeeze: 1, concatenate: 1, stack: 1, flip: 1 },
  ...{ split: 2, roll: 2, repeat: 2, diff: 2, takeAlongAxis: 2 },
};
/** Where functions take an element type. @type {Record<string, number>} */
const types = {
  array: 1,
  astype: 1,
  zeros: 1,
  ones: 1,
  full: 2,
  fullLike: 2,
  eye: 2,
  arange: 3,
  linspace: 3,
};

/** @param {string} name @param {any[]} args @returns {any[]} as the function called so takes them */
function argumentsOf(name, args) {
  const [place, names] = options[name] ?? [places[name] ?? -1, 'axis'];
  const given = args[place];
  if (given !== undefined && given !== null) {
    const isAxis = typeof given === 'number' || Array.isArray(given);
    if (!isAxis) checkOptions(name, given, names);
    if (name in options) args[place] = isAxis ? { axis: given } : given;
    else args[place] = isAxis ? given : given.axis;
  }
  if (args[types[name]] !== undefined) args[types[name]] = elementType(args[types[name]]);
  return args;
}

/**
 * A function as users call it: the arrays that it makes on its way are freed, and wrong arguments are an error about the
 * call.
 * @param {import('../index.js').Hlo} hlo
 * @param {string} name
 * @param {(...args: any[]) => any} f
 * @param {number} least how many arguments it takes at least
 */
function called(hlo, name, f, least) {
  return {
    [name]: (/** @type {any[]} */ ...args) => {
      if (args.length < least)
        throw new HloError(`${name} takes ${least} arguments, got ${args.length}`);
      const given = argumentsOf(name, args);
      try {
        return hlo.tidy(() => f(...given));
      } catch (error) {
        if (error instanceof HloError) throw error;
        const why = `${name} cannot be called like this: ${/** @type {any} */ (error).message}`;
        throw Object.assign(new HloError(why), { cause: error });
      }
    },
  }[name];
}
