// Types of the NumPy layer: of functions of elements that look into numbers, and of what tells about arrays and types.
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').Axes} Axes */
/** @typedef {import('../types.js').Axis} Axis */
/** @typedef {import('../types.js').Casting} Casting */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {import('../types.js').HloArray} HloArray */
/** @typedef {import('../types.js').Numbers} Numbers */
/** @typedef {{ dtype: string, bits: number, eps: number, epsneg: number, max: number, min: number, tiny: number, smallestNormal: number, smallestSubnormal: number, precision: number, resolution: number, nmant: number, iexp: number, nexp: number, machep: number, negep: number, minexp: number, maxexp: number }} FloatInfo as NumPy's finfo has it */
/** @typedef {{ dtype: string, bits: number, min: number | bigint, max: number | bigint }} IntegerInfo */
/** @typedef {{ discont?: number, axis?: Axis, period?: number }} UnwrapOptions */

/**
 * Arguments have NumPy's order; a last object gives the optional ones by name.
 * @typedef {object} NumberFunctions
 * @property {(x: ArrayLike) => HloArray} signbit
 * @property {(x: ArrayLike) => HloArray} bitwiseCount
 * @property {(x: ArrayLike) => HloArray} isposinf
 * @property {(x: ArrayLike) => HloArray} isneginf
 * @property {(x: ArrayLike) => HloArray} isreal
 * @property {(x: ArrayLike) => HloArray} iscomplex
 * @property {(x: ArrayLike) => HloArray} fix towards 0, as trunc
 * @property {(x: ArrayLike) => boolean} iscomplexobj
 * @property {(x: ArrayLike) => boolean} isrealobj
 * @property {(x: ArrayLike) => HloArray} sinc
 * @property {(x: ArrayLike) => HloArray} i0
 * @property {(x: ArrayLike) => [HloArray, HloArray]} frexp fractions and exponents of 2
 * @property {(x: ArrayLike) => [HloArray, HloArray]} modf fractional and whole parts
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} ldexp
 * @property {(x: ArrayLike, y: ArrayLike) => [HloArray, HloArray]} divmod
 * @property {(x: ArrayLike, tol?: number | { tol?: number }, options?: { tol?: number }) => HloArray} realIfClose without imaginary parts, where all are small: tol times the least difference, or less than tol if that is not above 1
 * @property {(x: ArrayLike, deg?: boolean | { deg?: boolean }, options?: { deg?: boolean }) => HloArray} angle of complex numbers
 * @property {(x: ArrayLike, discont?: number | UnwrapOptions, axis?: Axis | UnwrapOptions, options?: UnwrapOptions) => HloArray} unwrap without jumps of whole periods
 * @property {(x: ArrayLike) => boolean} isscalar
 * @property {(x: ArrayLike) => number} ndim
 * @property {(x: ArrayLike) => number[]} shape
 * @property {(x: ArrayLike) => string} minScalarType the smallest type that holds a number
 * @property {(x: DType | HloArray) => FloatInfo} finfo limits of a float type
 * @property {(x: DType | HloArray) => IntegerInfo} iinfo limits of an integer type; of 64 bits they are bigints
 * @property {(x: ArrayLike, axis?: Axes | { axis?: Axes }, options?: { axis?: Axes }) => number} size
 * @property {(...shapes: (Numbers)[]) => number[]} broadcastShapes the shape that arrays of these broadcast to
 * @property {(a: DType, b: DType) => string} promoteTypes
 * @property {(...arraysAndTypes: (ArrayLike | DType)[]) => string} resultType the type that these combine to
 * @property {(from: DType | ArrayLike, to: DType, casting?: Casting | { casting?: Casting }, options?: { casting?: Casting }) => boolean} canCast
 * @property {(...arrays: ArrayLike[]) => string} commonType the float type that holds all
 * @property {(dtype: DType, kind: string | string[]) => boolean} isdtype kind: a type, or one of the array API's, such as 'real floating'
 */
export {};
