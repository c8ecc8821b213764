// The types of the functions of neural networks.
/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {import('../numpy/types.js').ArrayLike} ArrayLike */
/** @typedef {import('../numpy/types.js').Axes} Axes */
/** @typedef {{ axis?: Axes, where?: ArrayLike }} SoftmaxOptions where: which elements count */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {'relu' | 'sigmoid'} UnaryName */
/**
 * @typedef {object} Others
 * @property {(x: ArrayLike, axis?: Axes | SoftmaxOptions, where?: ArrayLike | SoftmaxOptions, options?: SoftmaxOptions) => HloArray} softmax along the last axis by default
 * @property {(x: ArrayLike, axis?: Axes | SoftmaxOptions, where?: ArrayLike | SoftmaxOptions, options?: SoftmaxOptions) => HloArray} logSoftmax along the last axis by default
 * @property {import('../special/types.js').SpecialFunctions['logsumexp']} logsumexp
 */
/** @typedef {Record<UnaryName, Unary> & Others} NeuralNetworks */
export {};
