// The types of the special functions.
/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {import('../numpy/types.js').ArrayLike} ArrayLike */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {'erf'} UnaryName */
/** @typedef {Record<UnaryName, Unary>} SpecialFunctions */
export {};
