// Types of the NumPy layer: of products of vectors, signals and polynomials.
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').Axes} Axes */
/** @typedef {import('../types.js').Axis} Axis */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {import('../types.js').HloArray} HloArray */
/** @typedef {{ deg?: number, rcond?: number, full?: boolean, w?: ArrayLike, cov?: boolean | 'unscaled' }} PolyfitOptions */
/** @typedef {{ axisa?: number, axisb?: number, axisc?: number, axis?: number }} CrossOptions */
/** @typedef {{ left?: number, right?: number, period?: number }} InterpOptions */
/** @typedef {{ x?: ArrayLike, dx?: number, axis?: Axis }} TrapezoidOptions */
/** @typedef {{ num?: number, endpoint?: boolean, base?: ArrayLike, dtype?: DType, axis?: number }} LogspaceOptions */
/** @typedef {{ num?: number, endpoint?: boolean, dtype?: DType, axis?: number }} GeomspaceOptions */

/**
 * Arguments have NumPy's order; a last object gives the optional ones by name.
 * @typedef {object} SignalFunctions
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} kron
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} vdot
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} matvec
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} vecmat
 * @property {(x: ArrayLike, y: ArrayLike, options?: { axis?: number }) => HloArray} vecdot
 * @property {(x: ArrayLike, y: ArrayLike, axisa?: number | CrossOptions, axisb?: number | CrossOptions, axisc?: number | CrossOptions, axis?: number | CrossOptions, options?: CrossOptions) => HloArray} cross
 * @property {(x: ArrayLike, y: ArrayLike, mode?: 'full' | 'same' | 'valid' | { mode?: 'full' | 'same' | 'valid' }, options?: { mode?: 'full' | 'same' | 'valid' }) => HloArray} convolve
 * @property {(x: ArrayLike, y: ArrayLike, mode?: 'full' | 'same' | 'valid' | { mode?: 'full' | 'same' | 'valid' }, options?: { mode?: 'full' | 'same' | 'valid' }) => HloArray} correlate of mode valid by default
 * @property {(x: ArrayLike, xp: ArrayLike, fp: ArrayLike, left?: number | InterpOptions, right?: number | InterpOptions, period?: number | InterpOptions, options?: InterpOptions) => HloArray} interp between points (xp, fp), whose xp rise
 * @property {(y: ArrayLike, x?: ArrayLike | TrapezoidOptions, dx?: number | TrapezoidOptions, axis?: Axis | TrapezoidOptions, options?: TrapezoidOptions) => HloArray} trapezoid
 * @property {<R extends HloArray | HloArray[] = HloArray>(x: ArrayLike, ...spacings: (ArrayLike | { axis?: Axes, edgeOrder?: 1 | 2 })[]) => R} gradient spacings: a number or coordinates, or one of these for each axis; a list, where there are several axes
 * @property {(M: number) => HloArray} bartlett
 * @property {(M: number) => HloArray} blackman
 * @property {(M: number) => HloArray} hamming
 * @property {(M: number) => HloArray} hanning
 * @property {(M: number, beta: ArrayLike) => HloArray} kaiser
 * @property {(start: ArrayLike, stop: ArrayLike, num?: number | LogspaceOptions, endpoint?: boolean | LogspaceOptions, base?: ArrayLike | LogspaceOptions, dtype?: DType | LogspaceOptions, axis?: number | LogspaceOptions, options?: LogspaceOptions) => HloArray} logspace powers of the base
 * @property {(start: ArrayLike, stop: ArrayLike, num?: number | GeomspaceOptions, endpoint?: boolean | GeomspaceOptions, dtype?: DType | GeomspaceOptions, axis?: number | GeomspaceOptions, options?: GeomspaceOptions) => HloArray} geomspace a geometric progression
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} polyadd
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} polysub
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} polymul of coefficients from the highest power down, as all of these
 * @property {(x: ArrayLike, y: ArrayLike) => [HloArray, HloArray]} polydiv quotient and rest
 * @property {(p: ArrayLike, x: ArrayLike) => HloArray} polyval
 * @property {(p: ArrayLike, m?: number | { m?: number }, options?: { m?: number }) => HloArray} polyder
 * @property {(p: ArrayLike, m?: number | { m?: number, k?: ArrayLike }, k?: ArrayLike | { m?: number, k?: ArrayLike }, options?: { m?: number, k?: ArrayLike }) => HloArray} polyint
 * @property {(x: ArrayLike) => HloArray} roots complex; zeros in front of the coefficients do not count
 * @property {<R extends HloArray | HloArray[] = HloArray>(x: ArrayLike, y: ArrayLike, deg: number | PolyfitOptions, rcond?: number | PolyfitOptions, full?: boolean | PolyfitOptions, w?: ArrayLike | PolyfitOptions, cov?: boolean | 'unscaled' | PolyfitOptions, options?: PolyfitOptions) => R} polyfit coefficients; with full or cov a list of more
 * @property {(x: ArrayLike) => HloArray} poly of roots, or the characteristic polynomial of a matrix
 * @property {(x: ArrayLike, N?: number | { N?: number, increasing?: boolean }, increasing?: boolean | { N?: number, increasing?: boolean }, options?: { N?: number, increasing?: boolean }) => HloArray} vander N: columns
 */
export {};
