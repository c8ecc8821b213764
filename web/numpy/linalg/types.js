// The types of np.linalg.
/** @typedef {import('../types.js').HloArray} HloArray */
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {import('../types.js').Axes} Axes */
/** @typedef {'reduced' | 'complete' | 'r' | 'raw'} QrMode 'raw': Householder's reflectors as LAPACK has them, transposed, and their factors */
/** @typedef {'L' | 'U'} Triangle the one that is read of Hermitian matrices */
/** @typedef {number | 'fro' | 'f' | 'nuc' | null} NormOrder of vectors a number; of matrices 1, 2, Infinity, their negatives, 'fro' or 'nuc' */
/** @typedef {{ fullMatrices?: boolean, computeUv?: boolean, hermitian?: boolean }} SvdOptions computeUv false: the values alone */
/** @typedef {SvdOptions & { computeUv?: true }} Factors */
/** @typedef {{ rcond?: ArrayLike | null, hermitian?: boolean, rtol?: ArrayLike | null }} PinvOptions rcond and rtol are one thing: below that part of the largest singular value others count as 0 */
/** @typedef {{ ord?: NormOrder, axis?: Axes, keepdims?: boolean }} NormOptions */
/** @typedef {{ tol?: ArrayLike | null, hermitian?: boolean, rtol?: ArrayLike | null }} RankOptions rtol: part of the largest singular value */
/** @typedef {{ permuteL?: boolean, pIndices?: boolean }} LuOptions pIndices: places of rows for the first result */
/** @typedef {0 | 1 | 2} Transposition 1: of the transposed matrix, 2: of its adjoint */
/** @typedef {{ trans?: Transposition | 'N' | 'T' | 'C', lower?: boolean, unitDiagonal?: boolean }} TriangularOptions */
/** @typedef {(a: ArrayLike) => HloArray} OfMatrix */
/** @typedef {(a: ArrayLike) => [HloArray, HloArray]} Pair */
/** @typedef {'inv' | 'det' | 'eigvals' | 'svdvals' | 'expm' | 'sqrtm' | 'matrixTranspose'} OfMatrixName */
/** @typedef {'slogdet' | 'eig' | 'luFactor'} PairName */
/**
 * Arguments have NumPy's order, SciPy's for its functions; a last object gives the optional ones by name. Tuples are lists.
 * @typedef {object} LinearAlgebraOthers
 * @property {(a: ArrayLike, b: ArrayLike) => HloArray} solve b: a vector, or matrices
 * @property {(a: ArrayLike, b: ArrayLike, rcond?: number | null | { rcond?: number | null }) => [HloArray, HloArray, HloArray, HloArray]} lstsq solution, squared residuals, rank, singular values
 * @property {(a: ArrayLike, options?: { upper?: boolean }) => HloArray} cholesky
 * @property {<M extends QrMode = 'reduced'>(a: ArrayLike, mode?: M | { mode?: M }) => M extends 'r' ? HloArray : [HloArray, HloArray]} qr
 * @property {((a: ArrayLike, options: SvdOptions & { computeUv: false }) => HloArray) & ((a: ArrayLike, fullMatrices: boolean, computeUv: false | (SvdOptions & { computeUv: false }), hermitian?: boolean | SvdOptions) => HloArray) & ((a: ArrayLike, fullMatrices?: boolean | Factors, computeUv?: true | Factors, hermitian?: boolean | Factors, options?: Factors) => [HloArray, HloArray, HloArray])} svd U, the values, V's adjoint; with computeUv false the values alone
 * @property {(a: ArrayLike, UPLO?: Triangle | { UPLO?: Triangle }) => [HloArray, HloArray]} eigh values in ascending order, vectors
 * @property {(a: ArrayLike, UPLO?: Triangle | { UPLO?: Triangle }) => HloArray} eigvalsh
 * @property {(a: ArrayLike, rcond?: ArrayLike | null | PinvOptions, hermitian?: boolean | PinvOptions, options?: PinvOptions) => HloArray} pinv
 * @property {(x: ArrayLike, ord?: NormOrder | NormOptions, axis?: Axes | NormOptions, keepdims?: boolean | NormOptions, options?: NormOptions) => HloArray} norm
 * @property {(x: ArrayLike, options?: { axis?: Axes, keepdims?: boolean, ord?: number }) => HloArray} vectorNorm
 * @property {(x: ArrayLike, options?: { keepdims?: boolean, ord?: NormOrder }) => HloArray} matrixNorm
 * @property {(x: ArrayLike, p?: NormOrder | { p?: NormOrder }) => HloArray} cond
 * @property {(A: ArrayLike, tol?: ArrayLike | null | RankOptions, hermitian?: boolean | RankOptions, options?: RankOptions) => HloArray} matrixRank
 * @property {(a: ArrayLike, n: number) => HloArray} matrixPower
 * @property {(arrays: ArrayLike[]) => HloArray} multiDot in the order that takes the fewest multiplications
 * @property {(a: ArrayLike, b: ArrayLike, axes?: number[] | null | { axes?: number[] | null }) => HloArray} tensorsolve
 * @property {(a: ArrayLike, ind?: number | { ind?: number }) => HloArray} tensorinv
 * @property {(x1: ArrayLike, x2: ArrayLike) => HloArray} matmul
 * @property {(x1: ArrayLike, x2: ArrayLike) => HloArray} outer of vectors
 * @property {(x1: ArrayLike, x2: ArrayLike, options?: { axis?: number }) => HloArray} cross of vectors with three elements
 * @property {(x1: ArrayLike, x2: ArrayLike, options?: { axis?: number }) => HloArray} vecdot with x1 conjugated
 * @property {(x1: ArrayLike, x2: ArrayLike, options?: { axes?: number | [number | number[], number | number[]] }) => HloArray} tensordot
 * @property {(x: ArrayLike, options?: { offset?: number }) => HloArray} diagonal of the last two dimensions, as trace
 * @property {(x: ArrayLike, options?: { offset?: number, dtype?: DType }) => HloArray} trace
 * @property {((a: ArrayLike, permuteL: true | (LuOptions & { permuteL: true }), options?: LuOptions) => [HloArray, HloArray]) & ((a: ArrayLike, permuteL?: false | (LuOptions & { permuteL?: false }), options?: LuOptions & { permuteL?: false }) => [HloArray, HloArray, HloArray])} lu P, L and U; with permuteL P L and U
 * @property {(luAndPiv: [ArrayLike, ArrayLike], b: ArrayLike, trans?: Transposition | { trans?: Transposition }) => HloArray} luSolve
 * @property {(a: ArrayLike, lower?: boolean | { lower?: boolean }) => [HloArray, boolean]} choFactor the other triangle has no meaning
 * @property {(cAndLower: [ArrayLike, boolean], b: ArrayLike) => HloArray} choSolve
 * @property {(a: ArrayLike, b: ArrayLike, trans?: Transposition | 'N' | 'T' | 'C' | TriangularOptions, lower?: boolean | TriangularOptions, unitDiagonal?: boolean | TriangularOptions, options?: TriangularOptions) => HloArray} solveTriangular
 * @property {(a: ArrayLike, output?: 'real' | 'complex' | { output?: 'real' | 'complex' }) => [HloArray, HloArray]} schur T and Z
 * @property {((a: ArrayLike, calcQ: true | { calcQ: true }) => [HloArray, HloArray]) & ((a: ArrayLike, calcQ?: false | { calcQ?: false }) => HloArray)} hessenberg H, or with calcQ H and Q
 */
/** @typedef {Record<OfMatrixName, OfMatrix> & Record<PairName, Pair> & LinearAlgebraOthers} LinearAlgebra */
export {};
