// The types of the functions of neural networks.
/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {import('../numpy/types.js').ArrayLike} ArrayLike */
/** @typedef {import('../numpy/types.js').Axes} Axes */
/** @typedef {{ axis?: Axes }} Along */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {'relu' | 'sigmoid'} UnaryName */
/**
 * @typedef {object} Others
 * @property {(x: ArrayLike, axis?: Axes | Along, options?: Along) => HloArray} softmax along the last axis by default
 */
/** @typedef {Record<UnaryName, Unary> & Others} NeuralNetworks */
export {};
