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
/** @typedef {HloArray | Keys[]} Keys */
/**
 * @typedef {((key: HloArray, num?: number | { num?: number }) => HloArray[])
 *   & ((key: HloArray, num: number[] | { num: number[] }) => Keys[])} Split
 */
/**
 * @typedef {object} Others
 * @property {(seed: number | bigint | HloArray) => HloArray} key of an integer, of which the lower 32 bits count
 * @property {Split} split a list of keys, two by default: `const [key, own] = np.random.split(key)`; nested for a list of sizes
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
 * @property {(key: HloArray, shape: number[], minval: ArrayLike, maxval: ArrayLike, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} randint
 *   integers from minval up to maxval, without it
 * @property {(key: HloArray, p?: ArrayLike | BernoulliOptions, shape?: Shape | BernoulliOptions, options?: BernoulliOptions) => HloArray} bernoulli
 *   true with probability p, 0.5 by default
 * @property {(key: HloArray, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} rademacher -1 and 1
 * @property {(key: HloArray, p: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} geometric int32 by default
 * @property {(key: HloArray, lam: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} poisson int32 by default
 * @property {(key: HloArray, n: ArrayLike, p: ArrayLike, shape?: Shape | Drawn, dtype?: DType | Drawn, options?: Drawn) => HloArray} binomial
 * @property {(key: HloArray, n: ArrayLike, p: ArrayLike, options?: Drawn) => HloArray} multinomial counts of categories along the last axis of p
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
/** @typedef {{ size?: Shape }} Sized the shape, by default that of the parameters */
/** @typedef {Sized & { dtype?: DType }} SizedTyped */
/** @typedef {Sized & { low?: ArrayLike, high?: ArrayLike }} Limits */
/** @typedef {Sized & { loc?: ArrayLike, scale?: ArrayLike }} Moved */
/** @typedef {Sized & { high?: ArrayLike, dtype?: DType, endpoint?: boolean }} IntegersOptions */
/** @typedef {Sized & { mean?: ArrayLike, sigma?: ArrayLike }} GeneratorLognormal */
/** @typedef {Sized & { replace?: boolean, p?: ArrayLike, axis?: number }} GeneratorChoice */
/** @typedef {(size?: Shape | SizedTyped, dtype?: DType | SizedTyped, options?: SizedTyped) => HloArray} Standard */
/** @typedef {(loc?: ArrayLike | Moved, scale?: ArrayLike | Moved, size?: Shape | Moved, options?: Moved) => HloArray} LocScale */
/** @typedef {(parameter: ArrayLike, size?: Shape | Sized, options?: Sized) => HloArray} SizedOfOne */
/** @typedef {(first: ArrayLike, second: ArrayLike, size?: Shape | Sized, options?: Sized) => HloArray} SizedOfTwo */
/**
 * Methods of a Generator, with NumPy's arguments; each call gives other numbers.
 * @typedef {object} GeneratorMethods
 * @property {Standard} random from 0 up to 1, float32
 * @property {Standard} standardNormal
 * @property {Standard} standardExponential
 * @property {(size?: Shape | Sized, options?: Sized) => HloArray} standardCauchy
 * @property {LocScale} normal
 * @property {LocScale} laplace
 * @property {LocScale} logistic
 * @property {LocScale} gumbel
 * @property {(low?: ArrayLike | Limits, high?: ArrayLike | Limits, size?: Shape | Limits, options?: Limits) => HloArray} uniform
 * @property {(low: ArrayLike, high?: ArrayLike | IntegersOptions, size?: Shape | IntegersOptions, dtype?: DType | IntegersOptions, endpoint?: boolean | IntegersOptions, options?: IntegersOptions) => HloArray} integers
 *   from low up to high, or from 0 up to low
 * @property {(scale?: ArrayLike | Moved, size?: Shape | Moved, options?: Moved) => HloArray} exponential
 * @property {(scale?: ArrayLike | Moved, size?: Shape | Moved, options?: Moved) => HloArray} rayleigh
 * @property {(mean?: ArrayLike | GeneratorLognormal, sigma?: ArrayLike | GeneratorLognormal, size?: Shape | GeneratorLognormal, options?: GeneratorLognormal) => HloArray} lognormal
 * @property {SizedOfOne} weibull
 * @property {SizedOfOne} pareto
 * @property {SizedOfOne} standardGamma
 * @property {SizedOfOne} chisquare
 * @property {SizedOfOne} standardT
 * @property {SizedOfOne} geometric
 * @property {SizedOfOne} dirichlet
 * @property {SizedOfTwo} beta
 * @property {SizedOfTwo} f
 * @property {SizedOfTwo} wald
 * @property {SizedOfTwo} binomial
 * @property {SizedOfTwo} negativeBinomial
 * @property {SizedOfTwo} multinomial
 * @property {SizedOfTwo} multivariateNormal
 * @property {(left: ArrayLike, mode: ArrayLike, right: ArrayLike, size?: Shape | Sized, options?: Sized) => HloArray} triangular
 * @property {(shape: ArrayLike, scale?: ArrayLike | Moved, size?: Shape | Moved, options?: Moved) => HloArray} gamma
 * @property {(lam?: ArrayLike | (Sized & { lam?: ArrayLike }), size?: Shape | Sized, options?: Sized) => HloArray} poisson
 * @property {(a: ArrayLike, size?: Shape | GeneratorChoice, replace?: boolean | GeneratorChoice, p?: ArrayLike | GeneratorChoice, axis?: number | GeneratorChoice, options?: GeneratorChoice) => HloArray} choice
 * @property {(x: ArrayLike, axis?: number | { axis?: number }, options?: { axis?: number }) => HloArray} permutation
 * @property {(x: ArrayLike, options?: { axis?: number | null }) => HloArray} permuted each row along the axis on its own; all elements without an axis
 * @property {(nChildren: number) => Generator[]} spawn further generators, of seeds of their own
 */
/** @typedef {import('./generator.js').Generator & GeneratorMethods} Generator */
/** @typedef {{ seed?: number | bigint | null }} SeedOptions */
/**
 * @typedef {object} Seeded
 * @property {(seed?: number | bigint | null | SeedOptions, options?: SeedOptions) => Generator} defaultRng
 *   NumPy's interface without keys; the numbers are not NumPy's. Without a seed they are others each time
 */
/** @typedef {Seeded & Sampling & Record<PlainName, Plain> & Record<OfOneName, OfOne> & Record<OfTwoName, OfTwo> & Others} Random */
export {};
