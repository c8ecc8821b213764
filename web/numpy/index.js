// A NumPy-like layer: broadcasting and element types are inferred here and lowered to XLA's explicit operations. Works on
// arrays and, inside jit, on traced values. Must not know how operations run.
import { HloError, checkOptions } from '../index.js';
import { elementwiseFunctions } from './elementwise.js';
import { reductionFunctions } from './reduction.js';
import { shapingFunctions } from './shaping.js';

/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {HloArray | number | bigint | boolean | import('../elements.js').NestedList} ArrayLike */
/** @typedef {{ axis?: number | number[], keepdims?: boolean }} Along all axes by default */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {(x: ArrayLike, y: ArrayLike) => HloArray} Binary */
/** @typedef {(x: ArrayLike, options?: Along) => HloArray} Reduction */

/**
 * @typedef {'abs' | 'negative' | 'sign' | 'floor' | 'ceil' | 'round' | 'exp' | 'expm1' | 'log' | 'log1p' | 'log2' | 'log10'
 *   | 'sqrt' | 'cbrt' | 'sin' | 'cos' | 'tan' | 'tanh' | 'sinh' | 'cosh' | 'arcsin' | 'arccos' | 'arctan' | 'arcsinh'
 *   | 'arccosh' | 'arctanh' | 'sigmoid' | 'erf' | 'square' | 'reciprocal' | 'relu' | 'isfinite' | 'isnan' | 'isinf'
 *   | 'logicalNot' | 'ravel'} UnaryName
 */
/**
 * @typedef {'add' | 'subtract' | 'multiply' | 'divide' | 'floorDivide' | 'mod' | 'fmod' | 'power' | 'maximum' | 'minimum'
 *   | 'bitwiseAnd' | 'bitwiseOr' | 'bitwiseXor' | 'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual'
 *   | 'logicalAnd' | 'logicalOr' | 'logicalXor' | 'arctan2' | 'hypot' | 'matmul' | 'dot' | 'outer'} BinaryName
 */
/** @typedef {'sum' | 'prod' | 'max' | 'min' | 'mean' | 'any' | 'all'} ReductionName */
/**
 * @typedef {object} Others
 * @property {(x: ArrayLike, options?: Along & { ddof?: number }) => HloArray} var
 * @property {(x: ArrayLike, options?: Along & { ddof?: number }) => HloArray} std
 * @property {(x: ArrayLike, options?: { axis?: number, keepdims?: boolean }) => HloArray} argmax
 * @property {(x: ArrayLike, options?: { axis?: number, keepdims?: boolean }) => HloArray} argmin
 * @property {(x: ArrayLike, options?: { axis?: number }) => HloArray} cumsum
 * @property {(x: ArrayLike, options?: { axis?: number }) => HloArray} cumprod
 * @property {(x: ArrayLike, options?: { axis?: number }) => HloArray} sort
 * @property {(x: ArrayLike, options?: { axis?: number }) => HloArray} argsort
 * @property {(x: ArrayLike, options?: { axis?: number }) => HloArray} softmax
 * @property {(x: ArrayLike, indices: ArrayLike, options?: { axis?: number }) => HloArray} take
 * @property {(condition: ArrayLike, onTrue: ArrayLike, onFalse: ArrayLike) => HloArray} where
 * @property {(x: ArrayLike, low: ArrayLike, high: ArrayLike) => HloArray} clip
 * @property {(x: ArrayLike, type: string) => HloArray} astype
 * @property {(data: ArrayLike, type?: string) => HloArray} array
 * @property {(dims: number[], value: number | boolean, type?: string) => HloArray} full
 * @property {(dims: number[], type?: string) => HloArray} zeros
 * @property {(dims: number[], type?: string) => HloArray} ones
 * @property {(x: HloArray) => HloArray} zerosLike
 * @property {(x: HloArray) => HloArray} onesLike
 * @property {(start: number, stop?: number, step?: number, type?: string) => HloArray} arange
 * @property {(start: number, stop: number, count?: number, type?: string) => HloArray} linspace
 * @property {(rows: number, columns?: number, type?: string) => HloArray} eye
 * @property {(x: ArrayLike, k?: number) => HloArray} tril
 * @property {(x: ArrayLike, k?: number) => HloArray} triu
 * @property {(x: ArrayLike, dims: number | number[]) => HloArray} reshape one size may be -1
 * @property {(x: ArrayLike, axes?: number[]) => HloArray} transpose
 * @property {(x: ArrayLike, from: number, to: number) => HloArray} moveaxis
 * @property {(x: ArrayLike, a: number, b: number) => HloArray} swapaxes
 * @property {(x: ArrayLike, axis: number) => HloArray} expandDims
 * @property {(x: ArrayLike, axis?: number | number[]) => HloArray} squeeze
 * @property {(x: ArrayLike, dims: number[]) => HloArray} broadcastTo
 * @property {(arrays: ArrayLike[], axis?: number) => HloArray} concatenate
 * @property {(arrays: ArrayLike[], axis?: number) => HloArray} stack
 * @property {(x: ArrayLike, parts: number, axis?: number) => HloArray[]} split
 * @property {(x: ArrayLike, axis?: number | number[]) => HloArray} flip
 * @property {(x: ArrayLike, shift: number, axis?: number) => HloArray} roll
 * @property {(x: ArrayLike, widths: number | (number | [number, number])[], value?: number) => HloArray} pad
 * @property {(x: ArrayLike, y: ArrayLike, axes?: number | [number | number[], number | number[]]) => HloArray} tensordot
 * @property {(subscripts: string, ...operands: ArrayLike[]) => HloArray} einsum
 */
/** @typedef {Record<UnaryName, Unary> & Record<BinaryName, Binary> & Record<ReductionName, Reduction> & Others} NumPy */

/**
 * NumPy's functions on the arrays of an engine, under their names in camelCase.
 * @param {import('../index.js').Hlo} hlo what load() gave
 * @returns {NumPy}
 */
export function numpy(hlo) {
  const functions = {
    ...elementwiseFunctions(hlo),
    ...reductionFunctions(hlo),
    ...shapingFunctions(hlo),
  };
  return /** @type {any} */ (
    Object.freeze(
      Object.fromEntries(
        Object.entries(functions).map(([name, f]) => [name, called(hlo, name, f)]),
      ),
    )
  );
}

/** Options of functions, and the place of the argument that holds them. @type {Record<string, [number, string]>} */
const options = {};
for (const name of ['sum', 'prod', 'any', 'all', 'max', 'min', 'mean', 'argmax', 'argmin'])
  options[name] = [1, 'axis keepdims'];
for (const name of ['var', 'std']) options[name] = [1, 'axis keepdims ddof'];
for (const name of ['cumsum', 'cumprod', 'sort', 'argsort', 'softmax']) options[name] = [1, 'axis'];
options.take = [2, 'axis'];

/**
 * A function as users call it: the arrays that it makes on its way are freed, and wrong arguments are an error about the
 * call.
 * @param {import('../index.js').Hlo} hlo
 * @param {string} name
 * @param {(...args: any[]) => any} f
 */
function called(hlo, name, f) {
  const [place, names] = options[name] ?? [-1, ''];
  return {
    [name]: (/** @type {any[]} */ ...args) => {
      if (args[place] !== undefined) checkOptions(name, args[place], names);
      try {
        return hlo.tidy(() => f(...args));
      } catch (error) {
        if (error instanceof HloError) throw error;
        const why = `${name} cannot be called like this: ${/** @type {any} */ (error).message}`;
        throw Object.assign(new HloError(why), { cause: error });
      }
    },
  }[name];
}
