// Functions whose calls on arrays run as one cached program each, rather than as one for each operation.
import { HloArray } from '../array.js';
import { typed } from './signatures.js';

/** @typedef {(...args: any[]) => any} AnyFunction */

/** Functions whose results depend on nothing but elements, shapes and options: none reads elements to decide what to do. */
const inOnePiece = new Set([
  ...Object.keys(typed),
  ...[
    'equal',
    'notEqual',
    'less',
    'lessEqual',
    'greater',
    'greaterEqual',
    'where',
    'clip',
    'round',
  ],
  ...['logicalAnd', 'logicalOr', 'logicalXor', 'logicalNot', 'isfinite', 'isnan', 'isinf'],
  ...['isclose', 'allclose', 'arrayEqual', 'real', 'imag', 'nanToNum', 'angle', 'sinc', 'signbit'],
  ...['sum', 'prod', 'any', 'all', 'max', 'min', 'mean', 'var', 'std', 'median', 'ptp', 'average'],
  ...['amax', 'amin', 'countNonzero', 'nansum', 'nanprod', 'nanmax', 'nanmin', 'nanmean', 'nanvar'],
  ...['nanstd', 'cumsum', 'cumprod', 'dot', 'inner', 'outer', 'stack', 'vstack', 'hstack', 'diff'],
  ...['cross', 'interp', 'cov', 'corrcoef', 'einsum', 'select', 'roll', 'meshgrid', 'convolve'],
  ...['gradient', 'correlate', 'vander', 'polyval', 'isin'],
]);
// It looks at an exponent's elements: integers have no negative powers.
for (const name of ['power', 'pow']) inOnePiece.delete(name);

/** Numbers that a function remembers to have been called with. */
const MAX_NUMBERS = 1000;

/** @param {any} x */
const isPlainValue = (x) => typeof x !== 'object' && typeof x !== 'function';
/** @param {any} x */
const isOperand = (x) =>
  x instanceof HloArray ||
  isPlainValue(x) ||
  (Array.isArray(x) && x.length > 0 && x.every((part) => part instanceof HloArray));
/** @param {any} x an option; lists are of axes */
const isOption = (x) =>
  x instanceof HloArray ||
  isPlainValue(x) ||
  (Array.isArray(x) && x.length <= 8 && x.every(isPlainValue));

/**
 * The function as one program, cached by shapes, numbers and options. A number is compiled into the program when it comes again:
 * of numbers that differ from call to call none would pay. Other arguments (lists, traced values) reach the function as they are.
 * @param {any} hlo the engine with its operations
 * @param {AnyFunction} f takes operands, then an object with options
 * @returns {AnyFunction}
 */
export function asProgram(hlo, f) {
  const program = hlo.jit(f);
  const seen = new Set();
  /** @param {any[]} operands @returns {boolean} whether their numbers were here before */
  const areKnown = (operands) => {
    const numbers = operands.filter(isPlainValue);
    if (numbers.length === 0) return true;
    const key = numbers.length === 1 ? numbers[0] : numbers.join();
    if (seen.has(key)) return true;
    if (seen.size >= MAX_NUMBERS) seen.clear();
    seen.add(key);
    return false;
  };
  return (...args) => {
    const operands = args.slice(0, -1);
    const isCached =
      operands.some((x) => typeof x === 'object') &&
      operands.every(isOperand) &&
      Object.values(args.at(-1)).every(isOption) &&
      areKnown(operands);
    return isCached ? program(...args) : f(...args);
  };
}

/** @param {any} hlo @param {string} name of a function of np @param {AnyFunction} f @returns {AnyFunction} as one program, if it can be */
export function inOneProgram(hlo, name, f) {
  return inOnePiece.has(name) ? asProgram(hlo, f) : f;
}
