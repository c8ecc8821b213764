// The types of the functions of neural networks.
/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {import('../numpy/types.js').ArrayLike} ArrayLike */
/** @typedef {import('../numpy/types.js').Axes} Axes */
/** @typedef {import('../numpy/types.js').DType} DType */
/** @typedef {{ axis?: number }} Along */
/** @typedef {{ axis?: Axes, where?: ArrayLike }} SoftmaxOptions where: which elements count */
/** @typedef {SoftmaxOptions & { keepdims?: boolean }} MeanOptions */
/** @typedef {{ axis?: Axes, mean?: ArrayLike, variance?: ArrayLike, epsilon?: number, where?: ArrayLike }} StandardizeOptions mean, variance: with the axes kept, where they are known already */
/** @typedef {{ scale?: ArrayLike, bias?: ArrayLike, axis?: Axes, epsilon?: number }} LayerNormOptions */
/** @typedef {{ scale?: ArrayLike, axis?: Axes, epsilon?: number }} RmsNormOptions */
/** @typedef {{ mean?: ArrayLike, variance?: ArrayLike, scale?: ArrayLike, bias?: ArrayLike, axis?: number, epsilon?: number }} BatchNormOptions mean and variance: the batch's by default; axis: of the features */
/** @typedef {{ scale?: ArrayLike, bias?: ArrayLike, axis?: number, epsilon?: number }} GroupNormOptions */
/** @typedef {{ bias?: ArrayLike, mask?: ArrayLike, scale?: number, isCausal?: boolean }} AttentionOptions mask: which keys a query sees, [batch, heads, T, S] or what broadcasts to that; scale: 1 / sqrt(size) by default */
/** @typedef {number | number[]} PerDimension one for all dimensions of space, or one for each */
/** @typedef {'same' | 'valid' | 'SAME' | 'VALID' | number | [number, number][]} Padding a number for all sides, or a pair for each dimension */
/** @typedef {'NWC' | 'NHWC' | 'NDHWC' | 'NCW' | 'NCHW' | 'NCDHW'} DataFormat channels last by default, with kernels [...space, inputs, outputs]; channels first with [outputs, inputs, ...space] */
/** @typedef {{ strides?: PerDimension, padding?: Padding, dilation?: PerDimension, groups?: number, bias?: ArrayLike, dataFormat?: DataFormat }} ConvOptions padding: 'same' by default */
/** @typedef {Omit<ConvOptions, 'groups'>} ConvTransposeOptions */
/** @typedef {{ strides?: PerDimension, padding?: Padding, dataFormat?: DataFormat }} PoolOptions strides: the window by default; padding: 'valid' */
/** @typedef {PoolOptions & { countIncludePad?: boolean }} AvgPoolOptions whether padding counts as elements, false by default */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/**
 * @typedef {'identity' | 'relu' | 'relu6' | 'hardTanh' | 'sigmoid' | 'softplus' | 'logSigmoid' | 'softSign' | 'silu' | 'swish'
 *   | 'hardSigmoid' | 'hardSilu' | 'hardSwish' | 'mish' | 'selu' | 'sparsePlus' | 'sparseSigmoid' | 'log1mexp'} UnaryName
 */
/**
 * @typedef {object} Others
 * @property {(x: ArrayLike, alpha?: ArrayLike | { alpha?: ArrayLike }, options?: { alpha?: ArrayLike }) => HloArray} elu
 * @property {(x: ArrayLike, alpha?: ArrayLike | { alpha?: ArrayLike }, options?: { alpha?: ArrayLike }) => HloArray} celu
 * @property {(x: ArrayLike, negativeSlope?: ArrayLike | { negativeSlope?: ArrayLike }, options?: { negativeSlope?: ArrayLike }) => HloArray} leakyRelu
 * @property {(x: ArrayLike, b?: ArrayLike | { b?: ArrayLike }, options?: { b?: ArrayLike }) => HloArray} squareplus
 * @property {(x: ArrayLike, approximate?: boolean | { approximate?: boolean }, options?: { approximate?: boolean }) => HloArray} gelu
 *   by tanh, or exactly with approximate: false
 * @property {(x: ArrayLike, axis?: number | Along, options?: Along) => HloArray} glu one half of an axis times the sigmoid of the other
 * @property {(x: ArrayLike, axis?: Axes | SoftmaxOptions, where?: ArrayLike | SoftmaxOptions, options?: SoftmaxOptions) => HloArray} softmax along the last axis by default
 * @property {(x: ArrayLike, axis?: Axes | SoftmaxOptions, where?: ArrayLike | SoftmaxOptions, options?: SoftmaxOptions) => HloArray} logSoftmax along the last axis by default
 * @property {import('../special/types.js').SpecialFunctions['logsumexp']} logsumexp
 * @property {(x: ArrayLike, axis?: Axes | MeanOptions, where?: ArrayLike | MeanOptions, keepdims?: boolean | MeanOptions, options?: MeanOptions) => HloArray} logmeanexp
 * @property {(x: ArrayLike, axis?: Axes | StandardizeOptions, mean?: ArrayLike | StandardizeOptions, variance?: ArrayLike | StandardizeOptions, epsilon?: number | StandardizeOptions, where?: ArrayLike | StandardizeOptions, options?: StandardizeOptions) => HloArray} standardize
 * @property {(x: ArrayLike, scale?: ArrayLike | LayerNormOptions, bias?: ArrayLike | LayerNormOptions, options?: LayerNormOptions) => HloArray} layerNorm
 * @property {(x: ArrayLike, scale?: ArrayLike | RmsNormOptions, options?: RmsNormOptions) => HloArray} rmsNorm
 * @property {(x: ArrayLike, mean?: ArrayLike | BatchNormOptions, variance?: ArrayLike | BatchNormOptions, scale?: ArrayLike | BatchNormOptions, bias?: ArrayLike | BatchNormOptions, options?: BatchNormOptions) => HloArray} batchNorm
 * @property {(x: ArrayLike, numGroups: number, scale?: ArrayLike | GroupNormOptions, bias?: ArrayLike | GroupNormOptions, options?: GroupNormOptions) => HloArray} groupNorm
 *   the first axis is the batch
 * @property {(x: ArrayLike, numClasses: number, options?: { dtype?: DType, axis?: number }) => HloArray} oneHot
 * @property {(query: ArrayLike, key: ArrayLike, value: ArrayLike, bias?: ArrayLike | AttentionOptions, mask?: ArrayLike | AttentionOptions, options?: AttentionOptions) => HloArray} dotProductAttention
 *   of [batch, T, heads, size] and [batch, S, heads, size], or without the batch
 * @property {(x: ArrayLike, kernel: ArrayLike, options?: ConvOptions) => HloArray} conv over one to three dimensions of space
 * @property {(x: ArrayLike, kernel: ArrayLike, options?: ConvTransposeOptions) => HloArray} convTranspose as jax.lax.conv_transpose
 * @property {(x: ArrayLike, window: PerDimension, options?: PoolOptions) => HloArray} maxPool
 * @property {(x: ArrayLike, window: PerDimension, options?: AvgPoolOptions) => HloArray} avgPool
 * @property {(logits: ArrayLike, labels: ArrayLike, axis?: number | Along, options?: Along) => HloArray} crossEntropy
 *   of each example; labels are classes, or probabilities
 * @property {(logits: ArrayLike, labels: ArrayLike) => HloArray} binaryCrossEntropy of each element; labels are 0, 1 or probabilities
 */
/** @typedef {Record<UnaryName, Unary> & Others} NeuralNetworks */
export {};
