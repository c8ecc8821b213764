// NumPy's options that the layer does without, and why.
import { typed } from './signatures.js';

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
    of: 'equal notEqual less lessEqual greater greaterEqual logicalAnd logicalOr logicalXor logicalNot isfinite isnan isinf signbit',
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
  {
    options: 'where casting order dtype',
    of: 'bitwiseCount modf frexp ldexp divmod',
    why: 'results have types of their own, or are two',
  },
  { options: 'order', of: 'copy asarray asanyarray empty emptyLike', why: LAYOUT },
  {
    options: 'axes keepdims dtype casting order',
    of: 'vecdot matvec vecmat',
    why: 'einsum and moveaxis say which axes are meant',
  },
  { options: 'axis', of: 'matvec vecmat', why: 'einsum and moveaxis say which axes are meant' },
  {
    options: 'order',
    of: 'partition argpartition',
    why: 'there are no structured types, whose fields it names',
  },
  {
    options: 'weights',
    of: 'nanquantile nanpercentile',
    why: 'NumPy has weights for one method alone, and interpolation is the old name of method',
  },
  {
    options: 'bias ddof dtype',
    of: 'corrcoef',
    why: 'they change nothing, or astype says the type',
  },
];

/**
 * Options that NumPy does not have, as jax.numpy does.
 * @type {{ options: string, of: string, why: string }[]}
 */
export const added = [
  {
    options: 'size fillValue',
    of: 'nonzero flatnonzero argwhere compress extract unique uniqueValues uniqueCounts uniqueInverse uniqueAll union1d intersect1d setdiff1d setxor1d',
    why: 'of results whose size depends on numbers: so many elements, the last ones filled; traced programs need it',
  },
  { options: 'length', of: 'bincount', why: 'the size of the result; traced programs need it' },
];
