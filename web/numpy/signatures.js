// What functions of the NumPy layer take, as signatureOf() reads it. Must not know what they do.

/** @param {string} names @param {string} text @returns {Record<string, string>} */
function each(names, text) {
  return Object.fromEntries(names.split(' ').map((name) => [name, text]));
}

/**
 * An argument with options may be given as it is instead, as NumPy has it without a name: an axis, an element type, where that
 * is the first of them.
 */
export const signatures = {
  ...each('abs negative sign floor ceil trunc square reciprocal relu sqrt cbrt sigmoid erf', 'x'),
  ...each('exp expm1 log log1p log2 log10 sin cos tan tanh sinh cosh', 'x'),
  ...each('arcsin arccos arctan arcsinh arccosh arctanh isfinite isnan isinf logicalNot', 'x'),
  ...each('add subtract multiply divide floorDivide mod fmod power maximum minimum', 'x y'),
  ...each('bitwiseAnd bitwiseOr bitwiseXor logicalAnd logicalOr logicalXor', 'x y'),
  ...each('equal notEqual less lessEqual greater greaterEqual', 'x y'),
  ...each('arctan2 hypot logaddexp matmul dot inner outer', 'x y'),
  ...each('isclose allclose', 'x y rtol?{rtol atol equalNan} atol? equalNan?'),
  round: 'x decimals?',
  clip: 'x low? high?',
  where: 'condition onTrue onFalse',
  astype: 'x type',

  ...each('sum prod any all max min mean median argmax argmin', 'x axis?{axis keepdims}'),
  ...each('var std', 'x axis?{axis keepdims ddof}'),
  ...each('cumsum cumprod sort argsort softmax', 'x axis?{axis}'),
  take: 'x indices axis?{axis mode}',
  takeAlongAxis: 'x indices axis?{axis}',

  array: 'data type?',
  ...each('zeros ones', 'shape type?'),
  full: 'shape value type?',
  ...each('zerosLike onesLike', 'x type?'),
  fullLike: 'x value type?',
  arange: 'start stop? step? type?',
  linspace: 'start stop count? type?{type endpoint}',
  eye: 'rows columns? type?{type k}',
  ...each('tril triu diag trace', 'x k?'),

  ...each('reshape broadcastTo', 'x shape'),
  ravel: 'x',
  transpose: 'x axes?',
  moveaxis: 'x from to',
  swapaxes: 'x a b',
  expandDims: 'x axis{axis}',
  ...each('squeeze flip', 'x axis?{axis}'),
  ...each('concatenate stack', 'arrays axis?{axis}'),
  ...each('vstack hstack', 'arrays'),
  split: 'x parts axis?{axis}',
  roll: 'x shift axis?{axis}',
  repeat: 'x counts axis?{axis}',
  tile: 'x counts',
  diff: 'x times? axis?{axis prepend append}',
  meshgrid: '...axes',
  pad: 'x widths mode? options?{mode constantValues endValues statLength reflectType}',
  tensordot: 'x y axes?',
  einsum: 'subscripts ...operands',
};
