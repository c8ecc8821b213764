// Types of the NumPy layer: of statistics without NaN, histograms, sets, and of what selects and replaces elements.
/** @typedef {(x: HloArray, ...args: unknown[]) => ArrayLike} SliceFunction of a part of an array */
/** @typedef {(x: HloArray, axis: number) => HloArray} AxisFunction such as np.sum */
/** @typedef {import('../types.js').ArrayLike} ArrayLike */
/** @typedef {import('../types.js').Axes} Axes */
/** @typedef {import('../types.js').Axis} Axis */
/** @typedef {import('../types.js').Casting} Casting */
/** @typedef {import('../types.js').DType} DType */
/** @typedef {import('../types.js').HloArray} HloArray */
/** @typedef {import('../types.js').QuantileMethod} QuantileMethod */
/** @typedef {ArrayLike | 'auto' | 'fd' | 'doane' | 'scott' | 'rice' | 'sturges' | 'sqrt'} BinsLike how many, edges, or what estimates how many */
/** @typedef {[(ArrayLike | { default?: ArrayLike })?, { default?: ArrayLike }?]} SelectOptions */
/** @typedef {{ q?: number | number[] | HloArray, axis?: Axes, method?: QuantileMethod, keepdims?: boolean }} NanquantileOptions */
/** @typedef {{ axis?: Axis, dtype?: DType, includeInitial?: boolean }} CumulativeSumOptions */
/** @typedef {{ weights?: ArrayLike, minlength?: number, length?: number }} BincountOptions */
/** @typedef {{ bins?: BinsLike, range?: [number, number], density?: boolean, weights?: ArrayLike }} HistogramOptions */
/** @typedef {{ bins?: BinsLike, range?: [number, number], weights?: ArrayLike }} HistogramBinEdgesOptions */
/** @typedef {{ bins?: ArrayLike | ArrayLike[], range?: ([number, number] | null)[], density?: boolean, weights?: ArrayLike }} Histogram2dOptions */
/** @typedef {{ axis?: Axis, size?: number, fillValue?: ArrayLike }} CompressOptions */
/** @typedef {{ assumeUnique?: boolean, size?: number, fillValue?: ArrayLike }} Setdiff1dOptions */
/** @typedef {{ assumeUnique?: boolean, returnIndices?: boolean, size?: number, fillValue?: ArrayLike }} Intersect1dOptions */
/** @typedef {{ assumeUnique?: boolean, invert?: boolean, kind?: 'sort' | 'table' }} IsinOptions */

/**
 * Arguments have NumPy's order; a last object gives the optional ones by name.
 * @typedef {object} CountingFunctions
 * @property {(x: ArrayLike, q: number | number[] | HloArray | NanquantileOptions, axis?: Axes | NanquantileOptions, options?: NanquantileOptions) => HloArray} nanquantile
 * @property {(x: ArrayLike, q: number | number[] | HloArray | NanquantileOptions, axis?: Axes | NanquantileOptions, options?: NanquantileOptions) => HloArray} nanpercentile
 * @property {(x: ArrayLike, axis?: Axes | { axis?: Axes, keepdims?: boolean }, options?: { axis?: Axes, keepdims?: boolean }) => HloArray} nanmedian
 * @property {(x: ArrayLike, axis?: Axis | { axis?: Axis, keepdims?: boolean }, options?: { axis?: Axis, keepdims?: boolean }) => HloArray} nanargmax
 * @property {(x: ArrayLike, axis?: Axis | { axis?: Axis, keepdims?: boolean }, options?: { axis?: Axis, keepdims?: boolean }) => HloArray} nanargmin
 * @property {(x: ArrayLike, axis?: Axis | { axis?: Axis, dtype?: DType }, dtype?: DType | { axis?: Axis, dtype?: DType }, options?: { axis?: Axis, dtype?: DType }) => HloArray} nancumsum
 * @property {(x: ArrayLike, axis?: Axis | { axis?: Axis, dtype?: DType }, dtype?: DType | { axis?: Axis, dtype?: DType }, options?: { axis?: Axis, dtype?: DType }) => HloArray} nancumprod
 * @property {(x: ArrayLike, options?: CumulativeSumOptions) => HloArray} cumulativeSum includeInitial: with 0 in front
 * @property {(x: ArrayLike, options?: CumulativeSumOptions) => HloArray} cumulativeProd includeInitial: with 1 in front
 * @property {(x: ArrayLike, y?: ArrayLike | { y?: ArrayLike, rowvar?: boolean }, rowvar?: boolean | { y?: ArrayLike, rowvar?: boolean }, options?: { y?: ArrayLike, rowvar?: boolean }) => HloArray} corrcoef
 * @property {(x: ArrayLike, weights?: ArrayLike | BincountOptions, minlength?: number | BincountOptions, options?: BincountOptions) => HloArray} bincount how often each integer from 0 on is there; length: of the result
 * @property {(x: ArrayLike, bins: ArrayLike | { bins?: ArrayLike, right?: boolean }, right?: boolean | { bins?: ArrayLike, right?: boolean }, options?: { bins?: ArrayLike, right?: boolean }) => HloArray} digitize the bin that each element is in
 * @property {(x: ArrayLike, bins?: BinsLike | HistogramOptions, range?: [number, number] | HistogramOptions, density?: boolean | HistogramOptions, weights?: ArrayLike | HistogramOptions, options?: HistogramOptions) => [HloArray, HloArray]} histogram how many elements each bin has, and the edges of bins
 * @property {(x: ArrayLike, bins?: BinsLike | HistogramBinEdgesOptions, range?: [number, number] | HistogramBinEdgesOptions, weights?: ArrayLike | HistogramBinEdgesOptions, options?: HistogramBinEdgesOptions) => HloArray} histogramBinEdges
 * @property {(x: ArrayLike, y: ArrayLike, bins?: ArrayLike | ArrayLike[] | Histogram2dOptions, range?: ([number, number] | null)[] | Histogram2dOptions, density?: boolean | Histogram2dOptions, weights?: ArrayLike | Histogram2dOptions, options?: Histogram2dOptions) => [HloArray, HloArray, HloArray]} histogram2d counts, and the edges along x and y
 * @property {(sample: ArrayLike[] | ArrayLike, bins?: ArrayLike | ArrayLike[] | Histogram2dOptions, range?: ([number, number] | null)[] | Histogram2dOptions, density?: boolean | Histogram2dOptions, weights?: ArrayLike | Histogram2dOptions, options?: Histogram2dOptions) => [HloArray, HloArray[]]} histogramdd sample: points as rows, or a list of coordinates
 * @property {(x: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => HloArray} argwhere
 * @property {(condition: ArrayLike, x: ArrayLike, axis?: Axis | CompressOptions, options?: CompressOptions) => HloArray} compress slices where a condition holds
 * @property {(condition: ArrayLike, x: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => HloArray} extract elements where a condition holds
 * @property {(x: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => HloArray} uniqueValues
 * @property {(x: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => [HloArray, HloArray]} uniqueCounts
 * @property {(x: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => [HloArray, HloArray]} uniqueInverse
 * @property {(x: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => [HloArray, HloArray, HloArray, HloArray]} uniqueAll
 * @property {(x: ArrayLike, y: ArrayLike, options?: { size?: number, fillValue?: ArrayLike }) => HloArray} union1d
 * @property {(x: ArrayLike, y: ArrayLike, assumeUnique?: boolean | Setdiff1dOptions, options?: Setdiff1dOptions) => HloArray} setdiff1d
 * @property {(x: ArrayLike, y: ArrayLike, assumeUnique?: boolean | Setdiff1dOptions, options?: Setdiff1dOptions) => HloArray} setxor1d in one of them alone
 * @property {<R extends HloArray | HloArray[] = HloArray>(x: ArrayLike, y: ArrayLike, assumeUnique?: boolean | Intersect1dOptions, returnIndices?: boolean | Intersect1dOptions, options?: Intersect1dOptions) => R} intersect1d with returnIndices a list of the elements and of their places in both
 * @property {(x: ArrayLike, testElements: ArrayLike, assumeUnique?: boolean | IsinOptions, invert?: boolean | IsinOptions, options?: IsinOptions) => HloArray} isin whether elements are among the others
 * @property {(x: ArrayLike, y: ArrayLike) => HloArray} arrayEquiv whether all elements of arrays that broadcast are equal
 * @property {(condlist: ArrayLike[], choicelist: ArrayLike[], ...options: SelectOptions) => HloArray} select of each place the first choice whose condition holds
 * @property {(x: ArrayLike, choices: ArrayLike[] | HloArray, mode?: 'raise' | 'clip' | 'wrap' | { mode?: 'raise' | 'clip' | 'wrap' }, options?: { mode?: 'raise' | 'clip' | 'wrap' }) => HloArray} choose of each place the choice of that index
 * @property {(x: ArrayLike, condlist: ArrayLike, funclist: (ArrayLike | SliceFunction)[], ...args: unknown[]) => HloArray} piecewise a function or number for each condition, and one more for the rest
 * @property {(x: ArrayLike, mask: ArrayLike, values: ArrayLike) => HloArray} place a new array, with values repeated one by one where the mask holds
 * @property {(x: ArrayLike, mask: ArrayLike, values: ArrayLike) => HloArray} putmask a new array, with values repeated from the start, where the mask holds
 * @property {(x: ArrayLike, indices: ArrayLike, values: ArrayLike, mode?: 'raise' | 'clip' | 'wrap' | { mode?: 'raise' | 'clip' | 'wrap' }, options?: { mode?: 'raise' | 'clip' | 'wrap' }) => HloArray} put a new array, with values at flat indices
 * @property {(x: ArrayLike, indices: ArrayLike, values: ArrayLike, axis: number | null) => HloArray} putAlongAxis a new array, with values where takeAlongAxis would take
 * @property {(x: ArrayLike, values: ArrayLike, casting?: Casting | { casting?: Casting, where?: ArrayLike }, where?: ArrayLike | { casting?: Casting, where?: ArrayLike }, options?: { casting?: Casting, where?: ArrayLike }) => HloArray} copyto a new array: the values, where the condition holds
 * @property {(x: ArrayLike) => HloArray} sortComplex
 * @property {(x: ArrayLike, kth: number | number[], axis?: Axis | { axis?: Axis, kind?: 'introselect' }, kind?: 'introselect' | { axis?: Axis, kind?: 'introselect' }, options?: { axis?: Axis, kind?: 'introselect' }) => HloArray} partition sorted, which is a partition at every place
 * @property {(x: ArrayLike, kth: number | number[], axis?: Axis | { axis?: Axis, kind?: 'introselect' }, kind?: 'introselect' | { axis?: Axis, kind?: 'introselect' }, options?: { axis?: Axis, kind?: 'introselect' }) => HloArray} argpartition
 * @property {(keys: ArrayLike[] | HloArray, axis?: Axis | { axis?: Axis }, options?: { axis?: Axis }) => HloArray} lexsort the order by the last key, where equal by the one before …
 * @property {(func1d: SliceFunction, axis: number, x: ArrayLike, ...args: unknown[]) => HloArray} applyAlongAxis of each slice along an axis
 * @property {(func: AxisFunction, x: ArrayLike, axes: number | number[]) => HloArray} applyOverAxes
 */
export {};
