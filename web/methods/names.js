// The methods of arrays and traced values by their names, and their types.

/**
 * NumPy's functions that are methods, too: `x.sum(0)` is `np.sum(x, 0)`.
 */
export const functionNames = /** @type {const} */ ([
  ...['add', 'subtract', 'multiply', 'divide', 'floorDivide', 'mod', 'power', 'matmul', 'dot'],
  ...['negative', 'abs', 'sign', 'square', 'sqrt', 'cbrt', 'reciprocal', 'maximum', 'minimum'],
  ...['exp', 'expm1', 'log', 'log1p', 'log2', 'log10', 'logaddexp', 'hypot', 'arctan2'],
  ...['sin', 'cos', 'tan', 'arcsin', 'arccos', 'arctan', 'sinh', 'cosh', 'tanh'],
  ...['arcsinh', 'arccosh', 'arctanh', 'floor', 'ceil', 'trunc', 'rint', 'round', 'clip'],
  ...['equal', 'notEqual', 'less', 'lessEqual', 'greater', 'greaterEqual', 'isclose', 'allclose'],
  ...['isfinite', 'isnan', 'isinf', 'logicalAnd', 'logicalOr', 'logicalXor', 'logicalNot'],
  ...['bitwiseAnd', 'bitwiseOr', 'bitwiseXor', 'invert', 'leftShift', 'rightShift'],
  ...['real', 'imag', 'conjugate', 'astype', 'sum', 'prod', 'mean', 'var', 'std', 'max', 'min'],
  ...['argmax', 'argmin', 'any', 'all', 'median', 'quantile', 'percentile', 'countNonzero', 'ptp'],
  ...['cumsum', 'cumprod', 'diff', 'sort', 'argsort', 'searchsorted', 'nonzero', 'trace'],
  ...['take', 'takeAlongAxis', 'repeat', 'tile', 'roll', 'flip', 'split', 'tril', 'triu'],
  ...['ravel', 'swapaxes', 'moveaxis', 'expandDims', 'squeeze', 'broadcastTo', 'pad'],
  ...[
    'inner',
    'outer',
    'tensordot',
    'choose',
    'conj',
    'copy',
    'diagonal',
    'partition',
    'argpartition',
  ],
]);

/** Methods whose arguments are no function's of np. */
export const ownNames = /** @type {const} */ ([
  ...['reshape', 'flatten', 'transpose'],
  ...['at', 'set', 'addAt', 'multiplyAt', 'minimumAt', 'maximumAt'],
]);

export const methodNames = [...functionNames, ...ownNames];

/** @typedef {import('../array.js').HloArray} HloArray */
/** @typedef {import('../numpy/types.js').NumPy} NumPy */
/** @typedef {import('../numpy/types.js').ArrayLike} ArrayLike */
/** @typedef {import('../numpy/types.js').Numbers} Numbers */
/** @typedef {import('../elements.js').TypedArray} TypedArray */
/** @typedef {(number | bigint | boolean | IndexList)[]} IndexList */
/**
 * A component of an index, or text with several in Python's notation: '1:3, ::-1, None'. null is a new dimension; lists and arrays
 * of integers or booleans have NumPy's meaning.
 * @typedef {number | bigint | string | boolean | null | IndexList | TypedArray | HloArray} Index
 */
/** @typedef {import('../numpy/types.js').Order} Order */
/**
 * A function without its first argument.
 * @template F
 * @typedef {F extends (x: never, ...rest: infer R) => infer T ? (...rest: R) => T : never} Method
 */
/** @typedef {{ [Name in (typeof functionNames)[number]]: Method<NumPy[Name]> }} FunctionMethods as functions of np, of this array */
/**
 * @typedef {object} OwnMethods
 * @property {(...shape: number[] | [shape: Numbers, order?: Order | { order?: Order }]) => HloArray} reshape one size may be -1
 * @property {() => HloArray} flatten a vector of the elements, row after row
 * @property {(...axes: number[] | [axes?: number[] | null]) => HloArray} transpose reverses the dimensions by default
 * @property {(...index: Index[]) => HloArray} at what NumPy's x[index] is: `x.at('1:3, ::-1, None')`, `x.at(1, [0, 2])`. Integers out of range are an
 *   error; those of a traced array give NaN there (of integers the least, or the unsigned greatest)
 * @property {(...indexAndValue: [index: Index, ...more: Index[], value: ArrayLike]) => HloArray} set a new array with the value in what NumPy's
 *   x[index] is. It broadcasts, and becomes of x's type. Traced positions out of range change nothing
 * @property {(...indexAndValue: [index: Index, ...more: Index[], value: ArrayLike]) => HloArray} addAt with the value added, so often as a position repeats
 * @property {(...indexAndValue: [index: Index, ...more: Index[], value: ArrayLike]) => HloArray} multiplyAt
 * @property {(...indexAndValue: [index: Index, ...more: Index[], value: ArrayLike]) => HloArray} minimumAt
 * @property {(...indexAndValue: [index: Index, ...more: Index[], value: ArrayLike]) => HloArray} maximumAt
 * @property {HloArray} T with the dimensions reversed
 * @property {HloArray} mT with the last two dimensions swapped
 */
/** @typedef {FunctionMethods & OwnMethods} ArrayMethods */
