// The types of the special functions.
/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {import('../numpy/types.js').ArrayLike} ArrayLike */
/** @typedef {import('../numpy/types.js').Axes} Axes */
/** @typedef {{ axis?: Axes }} Along */
/** @typedef {{ axis?: Axes, b?: ArrayLike, keepdims?: boolean, returnSign?: boolean, where?: ArrayLike }} LogsumexpOptions b: factors of the powers */
/** @typedef {(x: ArrayLike) => HloArray} Unary */
/** @typedef {(x: ArrayLike, y: ArrayLike) => HloArray} Binary */
/**
 * @typedef {'erf' | 'erfc' | 'erfinv' | 'ndtr' | 'ndtri' | 'logNdtr' | 'expit' | 'logit' | 'entr' | 'gamma' | 'gammaln' | 'loggamma'
 *   | 'gammasgn' | 'digamma' | 'i0' | 'i0e' | 'i1' | 'i1e' | 'exp1' | 'expi'} UnaryName
 */
/**
 * @typedef {'beta' | 'betaln' | 'gammainc' | 'gammaincc' | 'xlogy' | 'xlog1py' | 'relEntr' | 'klDiv' | 'boxcox' | 'boxcox1p'
 *   | 'polygamma' | 'expn' | 'poch'} BinaryName
 */
/**
 * @typedef {object} Others
 * @property {(a: ArrayLike, b: ArrayLike, x: ArrayLike) => HloArray} betainc the regularised incomplete beta function
 * @property {(x: ArrayLike, q?: ArrayLike | { q?: ArrayLike }, options?: { q?: ArrayLike }) => HloArray} zeta Hurwitz's; Riemann's for q = 1, the default
 * @property {(n: ArrayLike, exact?: false | { exact?: false }, options?: { exact?: false }) => HloArray} factorial
 * @property {(N: ArrayLike, k: ArrayLike, options?: { repetition?: boolean }) => HloArray} comb binomial coefficients
 * @property {(a: ArrayLike, d: number) => HloArray} multigammaln
 * @property {<R extends HloArray | HloArray[] = HloArray>(a: ArrayLike, axis?: Axes | LogsumexpOptions, b?: ArrayLike | LogsumexpOptions, keepdims?: boolean | LogsumexpOptions, returnSign?: boolean | LogsumexpOptions, where?: ArrayLike | LogsumexpOptions, options?: LogsumexpOptions) => R} logsumexp
 *   with returnSign a list of the logarithm and the sign
 * @property {(x: ArrayLike, axis?: Axes | Along, options?: Along) => HloArray} softmax over all axes by default
 * @property {(x: ArrayLike, axis?: Axes | Along, options?: Along) => HloArray} logSoftmax over all axes by default
 */
/** @typedef {Record<UnaryName, Unary> & Record<BinaryName, Binary> & Others} SpecialFunctions */
export {};
