// The types of the NumPy layer: of its functions, of their arguments and options.
/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {HloArray | number | bigint | boolean | import('../elements.js').NestedList | ListOfArrays} ArrayLike */
/** @typedef {(HloArray | number | bigint | boolean | import('../elements.js').NestedList | ListOfArrays)[]} ListOfArrays arrays of one shape, which are stacked */
/** @typedef {import('../dtypes.js').ElementType} DType NumPy's name of an element type, or XLA's */
/** @typedef {'no' | 'equiv' | 'safe' | 'same_kind' | 'unsafe'} Casting how freely arguments become the dtype; 'same_kind' by default, of einsum 'safe' */
/** @typedef {number | null} Axis null: of the flattened array, where NumPy has that */
/** @typedef {number | number[] | null} Axes null: all */
/** @typedef {number | number[] | HloArray} Numbers of which the result's shape is made */
/** @typedef {'C' | 'F'} Order which index changes fastest: the last, or the first */
/** @typedef {{ dtype?: DType, casting?: Casting }} Typed the type to compute in */
/** @typedef {{ axis?: Axis }} Along */
/** @typedef {{ axis?: Axes, dtype?: DType, keepdims?: boolean, initial?: ArrayLike, where?: ArrayLike }} SumOptions where: of which elements; initial: one number more */
/** @typedef {{ axis?: Axes, keepdims?: boolean, where?: ArrayLike }} AnyOptions */
/** @typedef {{ axis?: Axes, keepdims?: boolean, initial?: ArrayLike, where?: ArrayLike }} MaxOptions */
/** @typedef {{ axis?: Axes, dtype?: DType, keepdims?: boolean, where?: ArrayLike }} MeanOptions */
/** @typedef {MeanOptions & { ddof?: number, correction?: number, mean?: ArrayLike }} VarOptions ddof and correction are one thing; mean: with its axes kept, where it is known already */
/** @typedef {{ axis?: Axes, keepdims?: boolean }} MedianOptions */
/** @typedef {{ axis?: Axis, keepdims?: boolean }} ArgmaxOptions */
/** @typedef {{ q?: number | number[] | HloArray, axis?: Axes, method?: QuantileMethod, keepdims?: boolean }} QuantileOptions */
/**
 * @typedef {'inverted_cdf' | 'averaged_inverted_cdf' | 'closest_observation' | 'interpolated_inverted_cdf' | 'hazen' | 'weibull'
 *   | 'linear' | 'median_unbiased' | 'normal_unbiased' | 'lower' | 'higher' | 'midpoint' | 'nearest'} QuantileMethod
 */
/** @typedef {{ axis?: Axes, weights?: ArrayLike, returned?: boolean, keepdims?: boolean }} AverageOptions */
/** @typedef {{ y?: ArrayLike, rowvar?: boolean, bias?: boolean, ddof?: number }} CovOptions */
/** @typedef {{ returnIndex?: boolean, returnInverse?: boolean, returnCounts?: boolean, equalNan?: boolean, size?: number, fillValue?: ArrayLike }} UniqueOptions size: in place of how many there are, the rest filled */
/** @typedef {{ size?: number, fillValue?: ArrayLike | number[] }} PlacesOptions */
/** @typedef {{ v?: ArrayLike, side?: 'left' | 'right', sorter?: ArrayLike }} SearchOptions */
/** @typedef {{ axis?: Axis, dtype?: DType }} CumsumOptions */
/** @typedef {'quicksort' | 'heapsort' | 'mergesort' | 'stable'} SortKind all are one stable sort */
/** @typedef {{ axis?: Axis, kind?: SortKind, stable?: boolean }} SortOptions */
/** @typedef {{ indices?: ArrayLike, axis?: Axis, mode?: 'raise' | 'clip' | 'wrap' }} TakeOptions */
/** @typedef {{ indices?: ArrayLike, axis?: Axis }} TakeAlongAxisOptions */
/** @typedef {{ axis?: Axis, dtype?: DType, casting?: Casting }} JoinOptions */
/** @typedef {{ dtype?: DType, shape?: Numbers }} LikeOptions */
/** @typedef {{ fillValue?: ArrayLike, dtype?: DType, shape?: Numbers }} FullLikeOptions */
/** @typedef {{ num?: number, endpoint?: boolean, retstep?: boolean, dtype?: DType, axis?: number }} LinspaceOptions */
/** @typedef {{ M?: number | null, k?: number, dtype?: DType }} EyeOptions */
/** @typedef {{ offset?: number, axis1?: number, axis2?: number, dtype?: DType }} TraceOptions */
/** @typedef {{ n?: number, axis?: number, prepend?: ArrayLike, append?: ArrayLike }} DiffOptions */
/** @typedef {{ aMin?: ArrayLike | null, aMax?: ArrayLike | null, min?: ArrayLike | null, max?: ArrayLike | null } & Typed} ClipOptions */
/** @typedef {{ rtol?: number, atol?: number, equalNan?: boolean }} Tolerances */
/** @typedef {'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap' | 'linear_ramp' | 'maximum' | 'minimum' | 'mean' | 'median' | 'empty'} PadMode */
/** @typedef {number | number[] | [number, number][]} Pairs for before and after all dimensions, or each */
/** @typedef {{ padWidth?: Pairs | Record<number, number | [number, number]>, mode?: PadMode, constantValues?: Pairs, endValues?: Pairs, statLength?: Pairs | null, reflectType?: 'even' | 'odd' }} PadOptions each of the modes that it is for */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {(x: ArrayLike, y: ArrayLike) => HloArray} Binary */
/** @typedef {(x: ArrayLike, options?: Typed) => HloArray} TypedUnary */
/** @typedef {(x: ArrayLike, y: ArrayLike, options?: Typed) => HloArray} TypedBinary */

/** @typedef {'real' | 'imag' | 'fliplr' | 'flipud' | 'isfinite' | 'isnan' | 'isinf' | 'logicalNot'} UnaryName */
/**
 * @typedef {'abs' | 'negative' | 'sign' | 'floor' | 'ceil' | 'trunc' | 'exp' | 'expm1' | 'log' | 'log1p' | 'log2' | 'log10'
 *   | 'sqrt' | 'cbrt' | 'sin' | 'cos' | 'tan' | 'tanh' | 'sinh' | 'cosh' | 'arcsin' | 'arccos' | 'arctan' | 'arcsinh'
 *   | 'arccosh' | 'arctanh' | 'square' | 'reciprocal' | 'invert' | 'rint' | 'deg2rad' | 'rad2deg' | 'conjugate'
 *   | 'positive' | 'fabs' | 'exp2' | 'spacing'} TypedUnaryName
 */
/**
 * @typedef {'equal' | 'notEqual' | 'less' | 'lessEqual' | 'greater' | 'greaterEqual' | 'logicalAnd' | 'logicalOr'
 *   | 'logicalXor' | 'dot' | 'outer' | 'inner'} BinaryName
 */
/**
 * @typedef {'add' | 'subtract' | 'multiply' | 'divide' | 'floorDivide' | 'mod' | 'fmod' | 'power' | 'maximum' | 'minimum'
 *   | 'bitwiseAnd' | 'bitwiseOr' | 'bitwiseXor' | 'arctan2' | 'hypot' | 'logaddexp' | 'matmul'
 *   | 'leftShift' | 'rightShift' | 'fmax' | 'fmin' | 'copysign' | 'nextafter' | 'heaviside' | 'logaddexp2' | 'gcd' | 'lcm'
 *   | 'floatPower'} TypedBinaryName
 */
/**
 * Arguments have NumPy's order; a last object, after any of them, gives the optional ones by name.
 * @typedef {object} Others
 * @property {(x: ArrayLike, axis?: Axes | SumOptions, dtype?: DType | SumOptions, options?: SumOptions) => HloArray} sum
 * @property {(x: ArrayLike, axis?: Axes | SumOptions, dtype?: DType | SumOptions, options?: SumOptions) => HloArray} prod
 * @property {(x: ArrayLike, axis?: Axes | AnyOptions, options?: AnyOptions) => HloArray} any
 * @property {(x: ArrayLike, axis?: Axes | AnyOptions, options?: AnyOptions) => HloArray} all
 * @property {(x: ArrayLike, axis?: Axes | MaxOptions, options?: MaxOptions) => HloArray} max
 * @property {(x: ArrayLike, axis?: Axes | MaxOptions, options?: MaxOptions) => HloArray} min
 * @property {(x: ArrayLike, axis?: Axes | MeanOptions, dtype?: DType | MeanOptions, options?: MeanOptions) => HloArray} mean
 * @property {(x: ArrayLike, axis?: Axes | VarOptions, dtype?: DType | VarOptions, options?: VarOptions) => HloArray} var
 * @property {(x: ArrayLike, axis?: Axes | VarOptions, dtype?: DType | VarOptions, options?: VarOptions) => HloArray} std
 * @property {(x: ArrayLike, axis?: Axes | MedianOptions, options?: MedianOptions) => HloArray} median
 * @property {(x: ArrayLike, axis?: Axis | ArgmaxOptions, options?: ArgmaxOptions) => HloArray} argmax
 * @property {(x: ArrayLike, axis?: Axis | ArgmaxOptions, options?: ArgmaxOptions) => HloArray} argmin
 * @property {(x: ArrayLike, axis?: Axis | CumsumOptions, dtype?: DType | CumsumOptions, options?: CumsumOptions) => HloArray} cumsum
 * @property {(x: ArrayLike, axis?: Axis | CumsumOptions, dtype?: DType | CumsumOptions, options?: CumsumOptions) => HloArray} cumprod
 * @property {(x: ArrayLike, axis?: Axis | SortOptions, kind?: SortKind | SortOptions, options?: SortOptions) => HloArray} sort
 * @property {(x: ArrayLike, axis?: Axis | SortOptions, kind?: SortKind | SortOptions, options?: SortOptions) => HloArray} argsort
 * @property {(x: ArrayLike, indices: ArrayLike | TakeOptions, axis?: Axis | TakeOptions, options?: TakeOptions) => HloArray} take
 *   in mode 'raise', the default, traced indices that are out of range give NaN (of integers the least, or the unsigned greatest)
 * @property {(x: ArrayLike, indices: ArrayLike | TakeAlongAxisOptions, axis?: Axis | TakeAlongAxisOptions, options?: TakeAlongAxisOptions) => HloArray} takeAlongAxis
 *   along the last axis by default
 * @property {(x: ArrayLike, q: number | number[] | HloArray | QuantileOptions, axis?: Axes | QuantileOptions, options?: QuantileOptions) => HloArray} quantile q: between 0 and 1
 * @property {(x: ArrayLike, q: number | number[] | HloArray | QuantileOptions, axis?: Axes | QuantileOptions, options?: QuantileOptions) => HloArray} percentile q: between 0 and 100
 * @property {(x: ArrayLike, axis?: Axes | SumOptions, dtype?: DType | SumOptions, options?: SumOptions) => HloArray} nansum
 * @property {(x: ArrayLike, axis?: Axes | SumOptions, dtype?: DType | SumOptions, options?: SumOptions) => HloArray} nanprod
 * @property {(x: ArrayLike, axis?: Axes | MeanOptions, dtype?: DType | MeanOptions, options?: MeanOptions) => HloArray} nanmean
 * @property {(x: ArrayLike, axis?: Axes | VarOptions, dtype?: DType | VarOptions, options?: VarOptions) => HloArray} nanvar
 * @property {(x: ArrayLike, axis?: Axes | VarOptions, dtype?: DType | VarOptions, options?: VarOptions) => HloArray} nanstd
 * @property {(x: ArrayLike, axis?: Axes | MaxOptions, options?: MaxOptions) => HloArray} nanmax
 * @property {(x: ArrayLike, axis?: Axes | MaxOptions, options?: MaxOptions) => HloArray} nanmin
 * @property {(x: ArrayLike, options?: { nan?: ArrayLike, posinf?: number, neginf?: number }) => HloArray} nanToNum
 * @property {(x: ArrayLike, axis?: Axes | MedianOptions, options?: MedianOptions) => HloArray} ptp
 * @property {((x: ArrayLike, options: AverageOptions & { returned: true }) => [HloArray, HloArray]) & (<R extends HloArray | HloArray[] = HloArray>(x: ArrayLike, axis?: Axes | AverageOptions, weights?: ArrayLike | AverageOptions, returned?: boolean | AverageOptions, options?: AverageOptions) => R)} average
 *   with returned a list of the averages and the sums of weights
 * @property {(x: ArrayLike, y?: ArrayLike | CovOptions, rowvar?: boolean | CovOptions, bias?: boolean | CovOptions, ddof?: number | CovOptions, options?: CovOptions) => HloArray} cov
 * @property {(x: ArrayLike, axis?: Axes | MedianOptions, options?: MedianOptions) => HloArray} countNonzero
 * @property {(x: ArrayLike, options?: PlacesOptions) => HloArray} flatnonzero in traced programs with a size, as nonzero and unique
 * @property {(x: ArrayLike, options?: PlacesOptions) => HloArray[]} nonzero
 * @property {((x: ArrayLike, options: UniqueOptions & ({ returnIndex: true } | { returnInverse: true } | { returnCounts: true })) => HloArray[]) & (<R extends HloArray | HloArray[] = HloArray>(x: ArrayLike, returnIndex?: boolean | UniqueOptions, returnInverse?: boolean | UniqueOptions, returnCounts?: boolean | UniqueOptions, options?: UniqueOptions) => R)} unique
 *   sorted; with returnIndex and its like a list of all that is asked for
 * @property {(x: ArrayLike, v: ArrayLike | SearchOptions, side?: 'left' | 'right' | SearchOptions, sorter?: ArrayLike | SearchOptions, options?: SearchOptions) => HloArray} searchsorted
 * @property {(condition: ArrayLike, onTrue: ArrayLike, onFalse: ArrayLike) => HloArray} where
 * @property {(x: ArrayLike, aMin?: ArrayLike | null | ClipOptions, aMax?: ArrayLike | null | ClipOptions, options?: ClipOptions) => HloArray} clip
 * @property {(x: ArrayLike, decimals?: number | { decimals?: number }, options?: { decimals?: number }) => HloArray} round half to even
 * @property {(x: ArrayLike, dtype: DType) => HloArray} astype
 * @property {(data: ArrayLike, dtype?: DType | { dtype?: DType, ndmin?: number }, options?: { dtype?: DType, ndmin?: number }) => HloArray} array
 * @property {(shape: Numbers, fillValue: ArrayLike | { fillValue: ArrayLike, dtype?: DType }, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} full
 *   of a value that broadcasts to the shape
 * @property {(shape: Numbers, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} zeros
 * @property {(shape: Numbers, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} ones
 * @property {(x: ArrayLike, dtype?: DType | LikeOptions, options?: LikeOptions) => HloArray} zerosLike
 * @property {(x: ArrayLike, dtype?: DType | LikeOptions, options?: LikeOptions) => HloArray} onesLike
 * @property {(x: ArrayLike, fillValue: ArrayLike | FullLikeOptions, dtype?: DType | FullLikeOptions, options?: FullLikeOptions) => HloArray} fullLike
 * @property {(start: number, stop?: number | { stop?: number, step?: number, dtype?: DType }, step?: number | { step?: number, dtype?: DType }, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} arange
 *   int32, or float32 where a number is not whole
 * @property {((start: ArrayLike, stop: ArrayLike, ...numAndOptions: [LinspaceOptions & { retstep: true }] | [number, LinspaceOptions & { retstep: true }]) => [HloArray, HloArray]) & (<R extends HloArray | HloArray[] = HloArray>(start: ArrayLike, stop: ArrayLike, num?: number | LinspaceOptions, endpoint?: boolean | LinspaceOptions, retstep?: boolean | LinspaceOptions, dtype?: DType | LinspaceOptions, axis?: number | LinspaceOptions, options?: LinspaceOptions) => R)} linspace
 *   50 points by default, computed in f64; with retstep a list of the points and their distance
 * @property {(rows: number, M?: number | null | EyeOptions, k?: number | EyeOptions, dtype?: DType | EyeOptions, options?: EyeOptions) => HloArray} eye
 *   M: columns
 * @property {(x: ArrayLike, k?: number | { k?: number }, options?: { k?: number }) => HloArray} tril
 * @property {(x: ArrayLike, k?: number | { k?: number }, options?: { k?: number }) => HloArray} triu
 * @property {(x: ArrayLike, k?: number | { k?: number }, options?: { k?: number }) => HloArray} diag a matrix with that diagonal, or the diagonal of a matrix
 * @property {(x: ArrayLike, offset?: number | TraceOptions, axis1?: number | TraceOptions, axis2?: number | TraceOptions, dtype?: DType | TraceOptions, options?: TraceOptions) => HloArray} trace
 * @property {(x: ArrayLike, shape: Numbers | { shape: Numbers, order?: Order }, order?: Order | { order?: Order }, options?: { order?: Order }) => HloArray} reshape
 *   one size may be -1
 * @property {(x: ArrayLike, order?: Order | { order?: Order }, options?: { order?: Order }) => HloArray} ravel
 * @property {(x: ArrayLike, axes?: number[] | null | { axes?: number[] | null }, options?: { axes?: number[] | null }) => HloArray} transpose
 * @property {(x: ArrayLike, source: number | number[] | { source: number | number[], destination: number | number[] }, destination?: number | number[] | { destination: number | number[] }) => HloArray} moveaxis
 * @property {(x: ArrayLike, axis1: number | { axis1: number, axis2: number }, axis2?: number | { axis2: number }) => HloArray} swapaxes
 * @property {(x: ArrayLike, axis: number | number[] | { axis: number | number[] }) => HloArray} expandDims
 * @property {(x: ArrayLike, axis?: Axes | { axis?: Axes }, options?: { axis?: Axes }) => HloArray} squeeze
 * @property {(x: ArrayLike, shape: Numbers | { shape: Numbers }) => HloArray} broadcastTo
 * @property {(arrays: ArrayLike[] | HloArray, axis?: Axis | JoinOptions, options?: JoinOptions) => HloArray} concatenate
 * @property {(arrays: ArrayLike[] | HloArray, axis?: number | JoinOptions, options?: JoinOptions) => HloArray} stack
 * @property {(arrays: ArrayLike[] | HloArray, options?: Typed) => HloArray} vstack
 * @property {(arrays: ArrayLike[] | HloArray, options?: Typed) => HloArray} hstack
 * @property {(arrays: ArrayLike[] | HloArray) => HloArray} dstack
 * @property {(arrays: ArrayLike[] | HloArray) => HloArray} columnStack
 * @property {(size: number, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} identity
 * @property {(x: ArrayLike, y: ArrayLike, equalNan?: boolean | { equalNan?: boolean }, options?: { equalNan?: boolean }) => HloArray} arrayEqual
 * @property {(x: ArrayLike, indicesOrSections: Numbers | { indicesOrSections: Numbers, axis?: number }, axis?: number | { axis?: number }, options?: { axis?: number }) => HloArray[]} split
 *   into that many equal parts, or at these positions
 * @property {(x: ArrayLike, axis?: Axes | { axis?: Axes }, options?: { axis?: Axes }) => HloArray} flip
 * @property {(x: ArrayLike, shift: Numbers | { shift: Numbers, axis?: Axes }, axis?: Axes | { axis?: Axes }, options?: { axis?: Axes }) => HloArray} roll
 * @property {(x: ArrayLike, padWidth: PadOptions['padWidth'] | PadOptions, mode?: PadMode | number | PadOptions, options?: PadOptions) => HloArray} pad
 *   with zeros by default, or with a number
 * @property {(x: ArrayLike, repeats: Numbers | { repeats: Numbers, axis?: Axis }, axis?: Axis | Along, options?: Along) => HloArray} repeat each element, or each slice along an axis
 * @property {(x: ArrayLike, reps: Numbers | { reps: Numbers }) => HloArray} tile
 * @property {(...axes: (ArrayLike | { indexing?: 'xy' | 'ij', sparse?: boolean })[]) => HloArray[]} meshgrid
 * @property {(x: ArrayLike, n?: number | DiffOptions, axis?: number | DiffOptions, prepend?: ArrayLike | DiffOptions, append?: ArrayLike | DiffOptions, options?: DiffOptions) => HloArray} diff of neighbours, so many times
 * @property {(x: ArrayLike, y: ArrayLike, rtol?: number | Tolerances, atol?: number | Tolerances, equalNan?: boolean | Tolerances, options?: Tolerances) => HloArray} isclose
 * @property {(x: ArrayLike, y: ArrayLike, rtol?: number | Tolerances, atol?: number | Tolerances, equalNan?: boolean | Tolerances, options?: Tolerances) => HloArray} allclose
 * @property {(x: ArrayLike, y: ArrayLike, axes?: number | [number | number[], number | number[]] | { axes?: number | [number | number[], number | number[]] }, options?: { axes?: number | [number | number[], number | number[]] }) => HloArray} tensordot
 * @property {(subscripts: string, ...operands: (ArrayLike | Typed)[]) => HloArray} einsum with '...' as NumPy has it
 */
/** @typedef {{ linalg: import('./linalg/types.js').LinearAlgebra, fft: import('./fft/types.js').FourierTransforms, random: import('./random/types.js').Random }} Namespaces */
/**
 * Second names.
 * @typedef {object} Aliases
 * @property {TypedUnary} absolute
 * @property {TypedUnary} acos
 * @property {TypedUnary} acosh
 * @property {TypedUnary} asin
 * @property {TypedUnary} asinh
 * @property {TypedUnary} atan
 * @property {TypedBinary} atan2
 * @property {TypedUnary} atanh
 * @property {import('./types/places.js').PlaceFunctions['asarray']} asanyarray
 * @property {Others['concatenate']} concat
 * @property {TypedUnary} conj
 * @property {TypedUnary} radians
 * @property {TypedBinary} trueDivide
 * @property {TypedUnary} bitwiseInvert
 * @property {TypedUnary} bitwiseNot
 * @property {TypedBinary} bitwiseLeftShift
 * @property {Others['max']} amax
 * @property {Others['min']} amin
 * @property {TypedBinary} remainder
 * @property {TypedBinary} pow
 * @property {TypedUnary} degrees
 * @property {TypedBinary} bitwiseRightShift
 * @property {Others['round']} around
 * @property {Others['transpose']} permuteDims
 * @property {Others['vstack']} rowStack
 */
/** @typedef {{ pi: number, e: number, eulerGamma: number, inf: number, nan: number, newaxis: null }} Constants */
/**
 * @typedef {import('./types/numbers.js').NumberFunctions & import('./types/counting.js').CountingFunctions
 *   & import('./types/places.js').PlaceFunctions & import('./types/signals.js').SignalFunctions} MoreFunctions
 */
/** @typedef {Record<UnaryName, Unary> & Record<TypedUnaryName, TypedUnary> & Record<BinaryName, Binary> & Record<TypedBinaryName, TypedBinary> & Others & Namespaces & MoreFunctions & Aliases & Constants & typeof import('../dtypes.js').dtypes} NumPy */
export {};
