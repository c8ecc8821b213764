// Conversions to a type that the caller specifies, by NumPy's casting rules.
import { HloError, ShapeError } from '../errors.js';
import { nameOf } from '../options.js';
import { asArray, asArrays, convert, isOperand, kinds, range, typeOf } from './promotion.js';

/** @typedef {any} Hlo */

/** NumPy's casting rules, from the strictest to the most permissive. */
const castings = ['no', 'equiv', 'safe', 'same_kind', 'unsafe'];

/** Whether every value of one type is representable in the other, by NumPy's rules. @param {Hlo} hlo @param {string} from @param {string} to */
function isSafe(hlo, from, to) {
  const [a, b] = [typeOf(hlo, from), typeOf(hlo, to)];
  /** Bits of a float that represents such numbers. @param {import('../engine.js').TypeInfo} type */
  const floatBits = ({ class: kind, bits }) =>
    kind === 'float' ? bits : kind === 'complex' ? bits / 2 : Math.min(64, 2 * bits);
  if (from === to || a.class === 'pred') return true;
  if (kinds.indexOf(a.class) > kinds.indexOf(b.class)) return false;
  if (/float|complex/.test(b.class))
    return floatBits(a) < floatBits(b) || (floatBits(a) === floatBits(b) && a.class !== b.class);
  return a.class === b.class ? a.bits <= b.bits : a.bits < b.bits;
}

/** Whether a casting rule allows it. @param {Hlo} hlo @param {string} from @param {string} to @param {string} casting @returns {boolean} */
export function mayCast(hlo, from, to, casting) {
  const rule = castings.indexOf(casting);
  if (rule < 0) throw new HloError(`casting is ${castings.join(', ')}, got ${nameOf(casting)}`);
  const kindRank = (/** @type {string} */ name) => kinds.indexOf(typeOf(hlo, name).class);
  return (
    from === to ||
    casting === 'unsafe' ||
    (rule >= 2 && isSafe(hlo, from, to)) ||
    (casting === 'same_kind' && kindRank(from) <= kindRank(to))
  );
}

/**
 * Converts an argument to an array of a type, where the casting rule allows it.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {string} type
 * @param {string} [casting]
 */
export function castTo(hlo, x, type, casting = 'same_kind') {
  const array = asArray(hlo, x, type);
  if (!mayCast(hlo, array.type, type, casting))
    throw new HloError(`${array.type} does not become ${type} with casting ${nameOf(casting)}`);
  return convert(hlo, array, type);
}

/**
 * Wraps a function so that the caller may choose the type it computes in.
 * @param {Hlo} hlo
 * @param {string} name
 * @param {(...args: any[]) => any} f
 * @returns {(...args: any[]) => any}
 */
export function withDtype(hlo, name, f) {
  return (...given) => {
    const { dtype, casting } = given.at(-1);
    const args = given.slice(0, -1);
    if (dtype === undefined) {
      if (casting !== undefined)
        throw new HloError('casting says how arguments become the dtype, which is missing');
      return f(...args);
    }
    const result = f(...args.map((x) => castTo(hlo, x, dtype, casting)));
    if (result.type === dtype) return result;
    throw new HloError(`${name} does not compute in ${dtype}: of that it makes ${result.type}`);
  };
}

/** The parts of an array along its first dimension. @param {Hlo} hlo @param {any} x @returns {any[]} */
function rowsOf(hlo, x) {
  if (x.rank === 0) throw new ShapeError('expected a list of arrays, got an array of rank 0');
  return range(x.dims[0]).map((i) =>
    hlo.reshape(hlo.sliceInDim(x, i, i + 1, 1, 0), x.dims.slice(1)),
  );
}

/**
 * Converts arrays to one type: their common type or, where the casting rule allows it, another.
 * @param {Hlo} hlo
 * @param {any} given a list of arrays, or an array, which means its parts along the first dimension
 * @param {{ dtype?: string, casting?: string }} [options]
 * @returns {any[]}
 */
export function sameType(hlo, given, { dtype, casting } = {}) {
  const list = isOperand(given) ? rowsOf(hlo, given) : given;
  if (!Array.isArray(list)) throw new HloError(`expected a list of arrays, got ${nameOf(list)}`);
  if (list.length === 0) throw new ShapeError('expected at least one array');
  if (dtype !== undefined) return list.map((x) => castTo(hlo, x, dtype, casting));
  const [arrays, type] = asArrays(hlo, list);
  if (casting !== undefined) return arrays.map((x) => castTo(hlo, x, type, casting));
  return arrays.map((x) => convert(hlo, x, type));
}
