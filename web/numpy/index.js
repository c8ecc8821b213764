// A NumPy-like layer: broadcasting and element types are inferred here and lowered to XLA's explicit operations. Works on
// arrays and, inside jit, on traced values. Must not know how operations run.
import { Hlo, HloError, checkArguments, signatureOf } from '../index.js';
import { arithmeticFunctions } from './arithmetic.js';
import { arrangementFunctions } from './arrangement.js';
import { elementwiseFunctions } from './elementwise.js';
import { orderingFunctions } from './ordering.js';
import { padFunction } from './padding.js';
import { productFunctions } from './products.js';
import { dtypes, elementType } from './promotion.js';
import { reductionFunctions } from './reduction.js';
import { shapingFunctions } from './shaping.js';
import { signatures } from './signatures.js';

/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {HloArray | number | bigint | boolean | import('../elements.js').NestedList} ArrayLike */
/** @typedef {keyof typeof dtypes | import('../elements.js').ElementType} DType NumPy's name of an element type, or XLA's */
/** @typedef {number | null | { axis?: number | null }} Axis null: of the flattened array, where NumPy has that */
/** @typedef {number | number[] | null | { axis?: number | number[] | null }} Axes null: all */
/** @typedef {number | number[]} Dims */
/** @typedef {number | number[] | null | { axis?: number | number[] | null, keepdims?: boolean }} Along all axes by default */
/** @typedef {number | number[] | null | { axis?: number | number[] | null, keepdims?: boolean, ddof?: number }} AlongWithDdof */
/** @typedef {number | null | { axis?: number | null, keepdims?: boolean }} AlongOne */
/** @typedef {'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap' | 'linear_ramp' | 'maximum' | 'minimum' | 'mean' | 'median' | 'empty'} PadMode */
/** @typedef {number | [number, number] | [number, number][]} Pairs for before and after all dimensions, or each */
/** @typedef {{ constantValues?: Pairs, endValues?: Pairs, statLength?: Pairs, reflectType?: 'even' | 'odd' }} PadOptions each of the modes that it is for */
/** @typedef {{ rtol?: number, atol?: number, equalNan?: boolean }} Tolerances */
/** @typedef {{ axis?: number, prepend?: ArrayLike, append?: ArrayLike }} Differences */
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
 * @property {(x: ArrayLike, indices: ArrayLike, axis?: number | null | { axis?: number | null, mode?: 'raise' | 'clip' | 'wrap' }) => HloArray} take
 *   in mode 'raise', the default, traced indices that are out of range give NaN (of integers the least, or the unsigned greatest)
 * @property {(condition: ArrayLike, onTrue: ArrayLike, onFalse: ArrayLike) => HloArray} where
 * @property {(x: ArrayLike, low?: ArrayLike | null, high?: ArrayLike | null) => HloArray} clip
 * @property {(x: ArrayLike, decimals?: number) => HloArray} round half to even
 * @property {(x: ArrayLike, type: DType) => HloArray} astype
 * @property {(data: ArrayLike, type?: DType) => HloArray} array
 * @property {(shape: Dims, value: number | boolean, type?: DType) => HloArray} full
 * @property {(shape: Dims, type?: DType) => HloArray} zeros
 * @property {(shape: Dims, type?: DType) => HloArray} ones
 * @property {(x: ArrayLike, type?: DType) => HloArray} zerosLike
 * @property {(x: ArrayLike, type?: DType) => HloArray} onesLike
 * @property {(start: number, stop?: number, step?: number, type?: DType) => HloArray} arange int32, or float32 where a number is not whole
 * @property {(start: number, stop: number, count?: number, type?: DType | { type?: DType, endpoint?: boolean }) => HloArray} linspace computed in f64
 * @property {(rows: number, columns?: number, type?: DType | { type?: DType, k?: number }) => HloArray} eye
 * @property {(x: ArrayLike, k?: number) => HloArray} tril
 * @property {(x: ArrayLike, k?: number) => HloArray} triu
 * @property {(x: ArrayLike, shape: Dims) => HloArray} reshape one size may be -1
 * @property {(x: ArrayLike, axes?: number[]) => HloArray} transpose
 * @property {(x: ArrayLike, from: Dims, to: Dims) => HloArray} moveaxis
 * @property {(x: ArrayLike, a: number, b: number) => HloArray} swapaxes
 * @property {(x: ArrayLike, axis: Dims | { axis: Dims }) => HloArray} expandDims
 * @property {(x: ArrayLike, axis?: Axes) => HloArray} squeeze
 * @property {(x: ArrayLike, shape: Dims) => HloArray} broadcastTo
 * @property {(arrays: ArrayLike[], axis?: Axis) => HloArray} concatenate
 * @property {(arrays: ArrayLike[], axis?: Axis) => HloArray} stack
 * @property {(x: ArrayLike, parts: number | number[], axis?: Axis) => HloArray[]} split into so many equal parts, or at these places
 * @property {(x: ArrayLike, axis?: Axes) => HloArray} flip
 * @property {(x: ArrayLike, shift: Dims, axis?: Axes) => HloArray} roll
 * @property {(x: ArrayLike, widths: Pairs, mode?: PadMode | number | (PadOptions & { mode?: PadMode }), options?: PadOptions) => HloArray} pad
 *   with zeros by default, or with a number
 * @property {(x: ArrayLike, value: number | boolean, type?: DType) => HloArray} fullLike
 * @property {(x: ArrayLike, counts: number | number[], axis?: Axis) => HloArray} repeat each element, or each slice along an axis
 * @property {(x: ArrayLike, counts: Dims) => HloArray} tile
 * @property {(...axes: (ArrayLike | { indexing?: 'xy' | 'ij', sparse?: boolean })[]) => HloArray[]} meshgrid
 * @property {(arrays: ArrayLike[]) => HloArray} vstack
 * @property {(arrays: ArrayLike[]) => HloArray} hstack
 * @property {(x: ArrayLike, k?: number) => HloArray} diag a matrix with that diagonal, or the diagonal of a matrix
 * @property {(x: ArrayLike, k?: number) => HloArray} trace
 * @property {(x: ArrayLike, times?: number | Differences, axis?: number | Differences) => HloArray} diff of neighbours, so many times
 * @property {(x: ArrayLike, indices: ArrayLike, axis?: Axis) => HloArray} takeAlongAxis
 * @property {(x: ArrayLike, along?: Along) => HloArray} median
 * @property {(x: ArrayLike, y: ArrayLike, rtol?: number | Tolerances, atol?: number, equalNan?: boolean) => HloArray} isclose
 * @property {(x: ArrayLike, y: ArrayLike, rtol?: number | Tolerances, atol?: number, equalNan?: boolean) => HloArray} allclose
 * @property {(x: ArrayLike, y: ArrayLike, axes?: number | [number | number[], number | number[]]) => HloArray} tensordot
 * @property {(subscripts: string, ...operands: ArrayLike[]) => HloArray} einsum with '...' as NumPy has it
 */
/** @typedef {Record<UnaryName, Unary> & Record<BinaryName, Binary> & Record<ReductionName, Reduction> & Others & typeof dtypes} NumPy */

/**
 * NumPy's functions on the arrays of an engine, under their names in camelCase (`expandDims`, `zerosLike`), and its names of
 * element types, which stand for XLA's: `np.int32` is 's32', and 'int32' will do, too.
 * @param {import('../index.js').Hlo} hlo what load() gave
 * @returns {NumPy}
 */
export function numpy(hlo) {
  checkArguments('numpy', NUMPY, arguments);
  if (!(hlo instanceof Hlo))
    throw new HloError('numpy takes what load() gave: await it; one in a worker, by far.jit()');
  const single = {
    ...elementwiseFunctions(hlo),
    ...arithmeticFunctions(hlo),
    ...reductionFunctions(hlo),
    ...orderingFunctions(hlo),
    ...shapingFunctions(hlo),
    ...productFunctions(hlo),
  };
  const others = { ...single, ...arrangementFunctions(hlo, single) };
  const functions = { ...others, pad: padFunction(hlo, others) };
  const calls = Object.entries(functions).map(([name, f]) => [name, called(hlo, name, f)]);
  return /** @type {any} */ (Object.freeze({ ...dtypes, ...Object.fromEntries(calls) }));
}

const NUMPY = signatureOf('hlo');

/** Where functions take an element type. @type {Record<string, number>} */
const types = {
  array: 1,
  astype: 1,
  zeros: 1,
  ones: 1,
  zerosLike: 1,
  onesLike: 1,
  full: 2,
  fullLike: 2,
  arange: 3,
};

/**
 * @param {string} name
 * @param {import('../options.js').Signature} signature
 * @param {any[]} args
 * @returns {any[]} checked, with options as an object, and element types by XLA's names
 */
function argumentsOf(name, signature, args) {
  const { place, options } = signature;
  const given = args[place];
  const first = given === undefined ? '' : options.split(' ')[0];
  const isAlone =
    typeof given === 'number' ||
    Array.isArray(given) ||
    (first === 'axis' && given === null) ||
    (first === 'type' && typeof given === 'string');
  if (isAlone) args[place] = { [first]: given };
  checkArguments(name, signature, args);
  if (args[types[name]] !== undefined) args[types[name]] = elementType(args[types[name]]);
  if (first === 'type' && args[place].type !== undefined)
    args[place] = { ...args[place], type: elementType(args[place].type) };
  return args;
}

/**
 * A function as users call it: the arrays that it makes on its way are freed, and wrong arguments are an error about the
 * call.
 * @param {import('../index.js').Hlo} hlo
 * @param {string} name
 * @param {(...args: any[]) => any} f
 */
function called(hlo, name, f) {
  const signature = signatureOf(/** @type {Record<string, string>} */ (signatures)[name]);
  const { least, text } = signature;
  return {
    [name]: (/** @type {any[]} */ ...args) => {
      if (args.length < least)
        throw new HloError(
          `${name}${text} takes ${least} argument${least === 1 ? '' : 's'}, got ${args.length}`,
        );
      const given = argumentsOf(name, signature, args);
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
