// The types of np.random. A key is an array u32[2] that key(), split() or foldIn() gave.
/** @typedef {import('../../array.js').HloArray} HloArray */
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {number | number[]} Shape sizes, or the one size */
/** @typedef {{ shape?: Shape, dtype?: DType }} Drawn the shape, by default that of the parameters; the type, float32 by default */
/** @typedef {Drawn & { minval?: ArrayLike, maxval?: ArrayLike }} UniformOptions */
/** @typedef {Drawn & { sigma?: ArrayLike }} LognormalOptions */
/** @typedef {(key: HloArray, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} Plain */
/** @typedef {(key: HloArray, parameter: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} OfOne */
/** @typedef {(key: HloArray, first: ArrayLike, second: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} OfTwo */

/** @typedef {'normal' | 'exponential' | 'gumbel' | 'laplace' | 'logistic' | 'cauchy' | 'maxwell'} PlainName */
/** @typedef {'rayleigh' | 'pareto' | 'wald' | 'gamma' | 'loggamma' | 'chisquare' | 't' | 'generalizedNormal'} OfOneName */
/** @typedef {'truncatedNormal' | 'doubleSidedMaxwell' | 'weibullMin' | 'beta' | 'f'} OfTwoName */
/**
 * @typedef {object} Others
 * @property {(seed: number | bigint | HloArray) => HloArray} key of an integer, of which the lower 32 bits count
 * @property {(key: HloArray, num?: number | number[] | { num?: number | number[] }, options?: { num?: number | number[] }) => any} split
 *   a list of keys, two by default: `const [key, own] = np.random.split(key)`
 * @property {(key: HloArray, data: number | HloArray) => HloArray} foldIn the key of a number, such as that of a step
 * @property {(key: HloArray, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} bits of unsigned integers, uint32 by default
 * @property {(key: HloArray, shape?: Shape | UniformOptions, dtype?: DType | UniformOptions, minval?: ArrayLike | UniformOptions, maxval?: ArrayLike | UniformOptions, options?: UniformOptions) => HloArray} uniform
 *   from 0 up to 1 by default
 * @property {(key: HloArray, sigma?: ArrayLike | LognormalOptions, shape?: Shape | LognormalOptions, dtype?: DType | LognormalOptions, options?: LognormalOptions) => HloArray} lognormal
 * @property {(key: HloArray, left: ArrayLike, mode: ArrayLike, right: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} triangular
 */
/** @typedef {Record<PlainName, Plain> & Record<OfOneName, OfOne> & Record<OfTwoName, OfTwo> & Others} Random */
export {};
