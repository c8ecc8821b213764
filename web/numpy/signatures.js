// Signatures of the NumPy layer, in the form of parseCall() in calls.js: as in Python, with NumPy's names in camelCase and NumPy's
// order.

/** @param {string} names @param {string} text @returns {Record<string, string>} */
function each(names, text) {
  return Object.fromEntries(names.split(' ').map((name) => [name, text]));
}

/**
 * Functions whose dtype is the type that they compute in (NumPy's ufuncs).
 */
export const typed = {
  ...each(
    'abs negative sign floor ceil trunc square reciprocal sqrt cbrt',
    'x / * dtype? casting?',
  ),
  ...each('exp expm1 log log1p log2 log10 sin cos tan tanh sinh cosh', 'x / * dtype? casting?'),
  ...each('arcsin arccos arctan arcsinh arccosh arctanh', 'x / * dtype? casting?'),
  ...each('invert rint deg2rad rad2deg conjugate', 'x / * dtype? casting?'),
  ...each('leftShift rightShift fmax fmin', 'x y / * dtype? casting?'),
  ...each('add subtract multiply divide floorDivide mod fmod power', 'x y / * dtype? casting?'),
  ...each('maximum minimum bitwiseAnd bitwiseOr bitwiseXor', 'x y / * dtype? casting?'),
  ...each('arctan2 hypot logaddexp matmul', 'x y / * dtype? casting?'),
};

export const signatures = {
  ...typed,
  ...each('real imag fliplr flipud', 'x /'),
  ...each('dstack columnStack', 'arrays /'),
  identity: 'size / dtype?',
  arrayEqual: 'x y / equalNan?',
  ...each('isfinite isnan isinf logicalNot', 'x /'),
  ...each('equal notEqual less lessEqual greater greaterEqual', 'x y /'),
  ...each('logicalAnd logicalOr logicalXor dot inner outer', 'x y /'),
  ...each('isclose allclose', 'x y / rtol? atol? equalNan?'),
  round: 'x / decimals?',
  clip: 'x / aMin? aMax? * min? max? dtype? casting?',
  where: 'condition onTrue onFalse /',
  astype: 'x dtype /',

  ...each('sum prod', 'x / axis? dtype? * keepdims? initial? where?'),
  ...each('any all', 'x / axis? * keepdims? where?'),
  ...each('max min', 'x / axis? * keepdims? initial? where?'),
  mean: 'x / axis? dtype? * keepdims? where?',
  ...each('median argmax argmin', 'x / axis? * keepdims?'),
  ...each('var std', 'x / axis? dtype? * ddof? keepdims? where? mean? correction?'),
  ...each('cumsum cumprod', 'x / axis? dtype?'),
  ...each('sort argsort', 'x / axis? kind? * stable?'),
  ...each('quantile percentile', 'x / q axis? * method? keepdims?'),
  ...each('nansum nanprod', 'x / axis? dtype? * keepdims? initial? where?'),
  ...each('nanmax nanmin', 'x / axis? * keepdims? initial? where?'),
  nanmean: 'x / axis? dtype? * keepdims? where?',
  ...each('nanvar nanstd', 'x / axis? dtype? * ddof? keepdims? where? mean? correction?'),
  nanToNum: 'x / * nan? posinf? neginf?',
  ...each('ptp countNonzero', 'x / axis? * keepdims?'),
  average: 'x / axis? weights? returned? * keepdims?',
  cov: 'x / y? rowvar? bias? ddof?',
  ...each('nonzero flatnonzero', 'x /'),
  unique: 'x / returnIndex? returnInverse? returnCounts? * equalNan?',
  searchsorted: 'x / v side? sorter?',
  take: 'x / indices axis? * mode?',
  takeAlongAxis: 'x / indices axis?',

  array: 'data / dtype? * ndmin?',
  ...each('zeros ones', 'shape / dtype?'),
  full: 'shape / fillValue dtype?',
  ...each('zerosLike onesLike', 'x / dtype? * shape?'),
  fullLike: 'x / fillValue dtype? * shape?',
  arange: 'start / stop? step? dtype?',
  linspace: 'start stop / num? endpoint? retstep? dtype? axis?',
  eye: 'rows / M? k? dtype?',
  ...each('tril triu diag', 'x / k?'),
  trace: 'x / offset? axis1? axis2? dtype?',

  reshape: 'x / shape order?',
  ravel: 'x / order?',
  broadcastTo: 'x / shape',
  transpose: 'x / axes?',
  moveaxis: 'x / source destination',
  swapaxes: 'x / axis1 axis2',
  expandDims: 'x / axis',
  ...each('squeeze flip', 'x / axis?'),
  ...each('concatenate stack', 'arrays / axis? * dtype? casting?'),
  ...each('vstack hstack', 'arrays / * dtype? casting?'),
  split: 'x / indicesOrSections axis?',
  roll: 'x / shift axis?',
  repeat: 'x / repeats axis?',
  tile: 'x / reps',
  diff: 'x / n? axis? prepend? append?',
  meshgrid: '...axes / * sparse? indexing?',
  pad: 'x / padWidth mode? * constantValues? endValues? statLength? reflectType?',
  tensordot: 'x y / axes?',
  einsum: 'subscripts ...operands / * dtype? casting?',
};

const IMMUTABLE = 'arrays do not change: the result is a new one';
const LAYOUT = 'how elements lie in memory is withLayout()’s concern';
const UNDEFINED =
  'where it is false NumPy leaves whatever was in memory: np.where says what is to be there';
const SUBCLASSES = 'there are no classes of arrays beside HloArray';
const ONE = 'there is one device, and one library';

/**
 * NumPy's options that are not supported, and why: of all functions, or of those named.
 * @type {{ options: string, of?: string, why: string }[]}
 */
export const leftOut = [
  { options: 'out copy overwriteInput', why: IMMUTABLE },
  { options: 'subok', why: SUBCLASSES },
  { options: 'device like', why: ONE },
  { options: 'signature', why: 'dtype says the same' },
  { options: 'order', of: `${Object.keys(typed).join(' ')} clip einsum`, why: LAYOUT },
  { options: 'order', of: 'array zeros ones full zerosLike onesLike fullLike eye', why: LAYOUT },
  {
    options: 'order',
    of: 'sort argsort',
    why: 'there are no structured types, whose fields it names',
  },
  { options: 'where', of: `${Object.keys(typed).join(' ')} clip`, why: UNDEFINED },
  {
    options: 'where casting order dtype',
    of: 'equal notEqual less lessEqual greater greaterEqual logicalAnd logicalOr logicalXor logicalNot isfinite isnan isinf',
    why: 'results are booleans, whatever the type; and where is false NumPy leaves whatever was in memory',
  },
  {
    options: 'axes axis keepdims',
    of: 'matmul',
    why: 'einsum and moveaxis say which axes are meant',
  },
  { options: 'optimize', of: 'einsum', why: 'the order of products is the engine’s concern' },
  {
    options: 'weights interpolation',
    of: 'quantile percentile',
    why: 'NumPy has weights for one method alone, and interpolation is the old name of method',
  },
  {
    options: 'fweights aweights dtype',
    of: 'cov',
    why: 'average and einsum make covariances with weights; astype says the type',
  },
  { options: 'axis sorted', of: 'unique', why: 'rows are not told apart; results are sorted' },
  { options: 'ndmax', of: 'array', why: 'arrays have no elements that are lists' },
];
