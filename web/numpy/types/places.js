// Types of the NumPy layer: of indices and grids, of making, joining and splitting arrays.
/** @typedef {import('../../elements.js').Element} Element */
/** @typedef {(x: HloArray, k: number) => HloArray} MaskFunction such as np.triu */
/** @typedef {(...indices: HloArray[]) => ArrayLike} IndexFunction of positions */
/** @typedef {ArrayLike | Blocks[]} Blocks */
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').Axes} Axes */
/** @typedef {import('../types.js').Axis} Axis */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {import('../types.js').HloArray} HloArray */
/** @typedef {import('../types.js').Numbers} Numbers */
/** @typedef {import('../types.js').Order} Order */
/** @typedef {{ M?: number | null, k?: number, dtype?: DType }} TriOptions */
/** @typedef {{ offset?: number, axis1?: number, axis2?: number }} DiagonalOptions */
/** @typedef {{ dtype?: DType, count?: number, offset?: number }} FrombufferOptions */
/** @typedef {{ axis?: Axis, count?: number, bitorder?: 'big' | 'little' }} UnpackbitsOptions */

/**
 * Arguments have NumPy's order; a last object gives the optional ones by name.
 * @typedef {object} PlaceFunctions
 * @property {<R extends HloArray | HloArray[] = HloArray>(dimensions: Numbers, dtype?: DType | { dtype?: DType, sparse?: boolean }, sparse?: boolean | { dtype?: DType, sparse?: boolean }, options?: { dtype?: DType, sparse?: boolean }) => R} indices with sparse a list
 * @property {(...args: (ArrayLike)[]) => HloArray[]} ix lists of indices for each dimension, as arrays that broadcast
 * @property {(ranges: string) => HloArray} mgrid "0:5, 0:1:3j": ranges as Python slices them; 3j means 3 points with the end
 * @property {<R extends HloArray | HloArray[] = HloArray>(ranges: string) => R} ogrid as mgrid, each with its own dimension: a list
 * @property {(rows: number, M?: number | null | TriOptions, k?: number | TriOptions, dtype?: DType | TriOptions, options?: TriOptions) => HloArray} tri ones at and below a diagonal; M: columns
 * @property {(n: number, k?: number | { k?: number, m?: number }, m?: number | { k?: number, m?: number }, options?: { k?: number, m?: number }) => [HloArray, HloArray]} trilIndices
 * @property {(n: number, k?: number | { k?: number, m?: number }, m?: number | { k?: number, m?: number }, options?: { k?: number, m?: number }) => [HloArray, HloArray]} triuIndices
 * @property {(x: ArrayLike, k?: number | { k?: number }, options?: { k?: number }) => [HloArray, HloArray]} trilIndicesFrom
 * @property {(x: ArrayLike, k?: number | { k?: number }, options?: { k?: number }) => [HloArray, HloArray]} triuIndicesFrom
 * @property {(x: ArrayLike, k?: number | { k?: number }, options?: { k?: number }) => HloArray} diagflat
 * @property {(n: number, maskFunc: MaskFunction, k?: number | { k?: number }, options?: { k?: number }) => HloArray[]} maskIndices where a function such as np.triu leaves something of ones
 * @property {(n: number, ndim?: number | { ndim?: number }, options?: { ndim?: number }) => HloArray[]} diagIndices
 * @property {(x: ArrayLike) => HloArray[]} diagIndicesFrom
 * @property {(x: ArrayLike, offset?: number | DiagonalOptions, axis1?: number | DiagonalOptions, axis2?: number | DiagonalOptions, options?: DiagonalOptions) => HloArray} diagonal
 * @property {(x: ArrayLike, value: ArrayLike, wrap?: boolean | { wrap?: boolean }, options?: { wrap?: boolean }) => HloArray} fillDiagonal a new array; wrap: again after each square
 * @property {(indices: ArrayLike, shape: Numbers, order?: Order | { order?: Order }, options?: { order?: Order }) => HloArray[]} unravelIndex
 * @property {(multiIndex: ArrayLike[] | HloArray, dims: Numbers, mode?: ('raise' | 'clip' | 'wrap') | ('raise' | 'clip' | 'wrap')[] | { mode?: ('raise' | 'clip' | 'wrap') | ('raise' | 'clip' | 'wrap')[], order?: Order }, order?: Order | { mode?: ('raise' | 'clip' | 'wrap') | ('raise' | 'clip' | 'wrap')[], order?: Order }, options?: { mode?: ('raise' | 'clip' | 'wrap') | ('raise' | 'clip' | 'wrap')[], order?: Order }) => HloArray} ravelMultiIndex
 * @property {(data: ArrayLike, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} asarray
 * @property {(x: ArrayLike) => HloArray} copy
 * @property {(x: ArrayLike) => HloArray} matrixTranspose
 * @property {(shape: Numbers, dtype?: DType | { dtype?: DType }, options?: { dtype?: DType }) => HloArray} empty zeros, since memory is not left as it was
 * @property {(x: ArrayLike, dtype?: DType | { dtype?: DType, shape?: Numbers }, options?: { dtype?: DType, shape?: Numbers }) => HloArray} emptyLike
 * @property {(func: IndexFunction, shape: Numbers, options?: { dtype?: DType }) => HloArray} fromfunction a function of the indices
 * @property {(iterable: Iterable<Element>, dtype: DType, count?: number | { count?: number }, options?: { count?: number }) => HloArray} fromiter of anything with an iterator
 * @property {(buffer: ArrayBuffer | ArrayBufferView, dtype?: DType | FrombufferOptions, count?: number | FrombufferOptions, offset?: number | FrombufferOptions, options?: FrombufferOptions) => HloArray} frombuffer of bytes, little-endian
 * @property {((...arrays: [ArrayLike]) => HloArray) & ((...arrays: ArrayLike[]) => HloArray[])} atleast1d several give a list
 * @property {((...arrays: [ArrayLike]) => HloArray) & ((...arrays: ArrayLike[]) => HloArray[])} atleast2d several give a list
 * @property {((...arrays: [ArrayLike]) => HloArray) & ((...arrays: ArrayLike[]) => HloArray[])} atleast3d several give a list
 * @property {(...arrays: (ArrayLike)[]) => HloArray[]} broadcastArrays
 * @property {(x: ArrayLike, indicesOrSections: Numbers | { indicesOrSections?: Numbers, axis?: Axis }, axis?: Axis | { indicesOrSections?: Numbers, axis?: Axis }, options?: { indicesOrSections?: Numbers, axis?: Axis }) => HloArray[]} arraySplit into that many parts, the first ones longer, or at these positions
 * @property {(x: ArrayLike, indicesOrSections: Numbers) => HloArray[]} hsplit
 * @property {(x: ArrayLike, indicesOrSections: Numbers) => HloArray[]} vsplit
 * @property {(x: ArrayLike, indicesOrSections: Numbers) => HloArray[]} dsplit
 * @property {(x: ArrayLike, options?: { axis?: number }) => HloArray[]} unstack
 * @property {(arrays: Blocks) => HloArray} block of nested lists of arrays, which lie side by side in the last dimension
 * @property {(x: ArrayLike, values: ArrayLike, axis?: Axis | { axis?: Axis }, options?: { axis?: Axis }) => HloArray} append
 * @property {(x: ArrayLike, obj: Numbers | boolean[], axis?: Axis | { axis?: Axis }, options?: { axis?: Axis }) => HloArray} delete without these slices; a mask also says which
 * @property {(x: ArrayLike, obj: Numbers | boolean[], values: ArrayLike, axis?: Axis | { axis?: Axis }, options?: { axis?: Axis }) => HloArray} insert before these positions
 * @property {(x: ArrayLike, shape: Numbers) => HloArray} resize repeated or cut to a shape
 * @property {(x: ArrayLike, k?: number | { k?: number, axes?: [number, number] }, axes?: [number, number] | { k?: number, axes?: [number, number] }, options?: { k?: number, axes?: [number, number] }) => HloArray} rot90
 * @property {(x: ArrayLike, axis: number, start?: number | { start?: number }, options?: { start?: number }) => HloArray} rollaxis the axis moves in front of start
 * @property {(x: ArrayLike, trim?: 'f' | 'b' | 'fb' | { trim?: 'f' | 'b' | 'fb', axis?: Axes }, axis?: Axes | { trim?: 'f' | 'b' | 'fb', axis?: Axes }, options?: { trim?: 'f' | 'b' | 'fb', axis?: Axes }) => HloArray} trimZeros without zeros at the ends
 * @property {(x: ArrayLike, toEnd?: ArrayLike | { toEnd?: ArrayLike, toBegin?: ArrayLike }, toBegin?: ArrayLike | { toEnd?: ArrayLike, toBegin?: ArrayLike }, options?: { toEnd?: ArrayLike, toBegin?: ArrayLike }) => HloArray} ediff1d differences of all elements, with others at the ends
 * @property {(x: ArrayLike, axis?: Axis | { axis?: Axis, bitorder?: 'big' | 'little' }, bitorder?: 'big' | 'little' | { axis?: Axis, bitorder?: 'big' | 'little' }, options?: { axis?: Axis, bitorder?: 'big' | 'little' }) => HloArray} packbits 8 elements in a byte
 * @property {(x: ArrayLike, axis?: Axis | UnpackbitsOptions, count?: number | UnpackbitsOptions, bitorder?: 'big' | 'little' | UnpackbitsOptions, options?: UnpackbitsOptions) => HloArray} unpackbits
 */
export {};
