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
/** @typedef {{ p?: ArrayLike, shape?: Shape }} BernoulliOptions */
/** @typedef {{ axis?: number, shape?: Shape, replace?: boolean }} CategoricalOptions */
/** @typedef {{ shape?: Shape, replace?: boolean, p?: ArrayLike, axis?: number }} ChoiceOptions */
/** @typedef {{ axis?: number, independent?: boolean }} PermutationOptions */
/** @typedef {Drawn & { p?: number }} BallOptions */
/** @typedef {Drawn & { method?: 'cholesky' }} VectorOptions */
/** @typedef {Drawn & { m?: number }} MatrixOptions */
/**
 * @typedef {object} Sampling
 * @property {(key: HloArray, shape: Shape, minval: ArrayLike, maxval: ArrayLike, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} randint
 *   integers from minval up to maxval, without it
 * @property {(key: HloArray, p?: ArrayLike | BernoulliOptions, shape?: Shape | BernoulliOptions, options?: BernoulliOptions) => HloArray} bernoulli
 *   true with probability p, 0.5 by default
 * @property {(key: HloArray, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} rademacher -1 and 1
 * @property {(key: HloArray, p: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} geometric int32 by default
 * @property {(key: HloArray, lam: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} poisson int32 by default
 * @property {(key: HloArray, n: ArrayLike, p: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} binomial
 * @property {(key: HloArray, logits: ArrayLike, axis?: number | CategoricalOptions, shape?: Shape | CategoricalOptions, replace?: boolean | CategoricalOptions, options?: CategoricalOptions) => HloArray} categorical
 *   positions along the axis, by unnormalised log probabilities
 * @property {(key: HloArray, x: ArrayLike, axis?: number | PermutationOptions, independent?: boolean | PermutationOptions, options?: PermutationOptions) => HloArray} permutation
 *   of an array's slices, or of the integers below a number
 * @property {(key: HloArray, a: ArrayLike, shape?: Shape | ChoiceOptions, replace?: boolean | ChoiceOptions, p?: ArrayLike | ChoiceOptions, axis?: number | ChoiceOptions, options?: ChoiceOptions) => HloArray} choice
 *   of an array's slices, or of the integers below a number
 * @property {(key: HloArray, alpha: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} dirichlet
 * @property {(key: HloArray, d: number, p?: number | BallOptions, shape?: Shape | BallOptions, dtype?: DType | BallOptions, options?: BallOptions) => HloArray} ball
 *   points of the unit ball in the p-norm, with d coordinates each
 * @property {(key: HloArray, mean: ArrayLike, cov: ArrayLike, shape?: Shape | VectorOptions, dtype?: DType | VectorOptions, method?: 'cholesky' | VectorOptions, options?: VectorOptions) => HloArray} multivariateNormal
 * @property {(key: HloArray, n: number, shape?: Shape | MatrixOptions, dtype?: DType | MatrixOptions, m?: number | MatrixOptions, options?: MatrixOptions) => HloArray} orthogonal
 *   matrices [n, m], [n, n] by default, whose columns (or, of wide ones, rows) are orthonormal
 */
/** @typedef {Sampling & Record<PlainName, Plain> & Record<OfOneName, OfOne> & Record<OfTwoName, OfTwo> & Others} Random */
export {};
