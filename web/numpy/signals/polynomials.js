// NumPy's functions of polynomials, whose coefficients stand from the highest power down.
import { HloArray } from '../../array.js';
import { HloError, ShapeError } from '../../errors.js';
import { asArray, asFloat, broadcastTo, classOf, convert, integer, promote } from '../promotion.js';

/** @typedef {any} Hlo */

const MOST_INTEGRALS = 1000; // factorials have long overflowed

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function polynomialFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const coefficients = (
    /** @type {any} */ value,
    /** @type {string | undefined} */ like = undefined,
  ) => {
    const x = asArray(hlo, value, like);
    if (x.rank > 1)
      throw new ShapeError(`coefficients of a polynomial are a vector, got [${x.dims}]`);
    return x.rank === 0 ? hlo.reshape(x, [1]) : x;
  };
  const pair = (/** @type {any} */ a, /** @type {any} */ b) => {
    const x = coefficients(a, b?.type);
    return [x, coefficients(b, x.type)];
  };
  /** Without zeros in front; of traced coefficients all are kept, since their number would depend on them. @param {any} x */
  const trimmed = (x) => {
    if (!(x instanceof HloArray)) return x;
    const list = /** @type {any[]} */ ([...hlo.ne(x, 0).toTypedArray()]);
    const first = list.findIndex((isSet) => isSet);
    return first < 0
      ? hlo.sliceInDim(x, x.size - 1, x.size, 1, 0)
      : hlo.sliceInDim(x, first, x.size, 1, 0);
  };
  const padded = (/** @type {any} */ x, /** @type {number} */ low, /** @type {number} */ high) =>
    hlo.pad(x, hlo.array(0, x.type), { low: [low], high: [high] });
  const padFront = (/** @type {any} */ x, /** @type {number} */ size) =>
    padded(x, size - x.size, 0);
  for (const [name, op] of [
    ['polyadd', 'add'],
    ['polysub', 'subtract'],
  ])
    np[name] = (a, b) => {
      const [x, y] = pair(a, b);
      const size = Math.max(x.size, y.size);
      return others[op](padFront(x, size), padFront(y, size));
    };
  np.polymul = (a, b) => {
    const [x, y] = pair(a, b);
    return others.convolve(trimmed(x), trimmed(y));
  };
  np.polydiv = (a, b) => {
    const [u, v] = pair(a, b);
    const [x, y] = [u, v].map((z) => asFloat(hlo, z));
    const [p, q] = [x, y].map((z) => convert(hlo, z, promote(hlo, x.type, y.type)));
    const scale = hlo.sliceInDim(q, 0, 1, 1, 0);
    const count = Math.max(p.size - q.size + 1, 1);
    let rest = p;
    const quotients = [];
    for (let k = 0; k < p.size - q.size + 1; k++) {
      const d = hlo.div(hlo.sliceInDim(rest, k, k + 1, 1, 0), scale);
      quotients.push(d);
      const part = hlo.mul(broadcastTo(hlo, d, [q.size]), q);
      const shifted = padded(part, k, p.size - q.size - k);
      rest = hlo.sub(rest, shifted);
    }
    const quotient =
      quotients.length > 0
        ? hlo.concatenate(quotients, 0)
        : others.zeros([count], { dtype: p.type });
    return [quotient, withoutSmall(rest)];
  };
  /** Without leading coefficients that are nearly 0. @param {any} x */
  const withoutSmall = (x) => {
    if (!(x instanceof HloArray)) return x;
    const list = [...hlo.lt(hlo.abs(x), 1e-14).toTypedArray()];
    const first = list.findIndex((isSmall) => !isSmall);
    return hlo.sliceInDim(x, first < 0 ? x.size - 1 : first, x.size, 1, 0);
  };
  np.polyval = (p, x) => {
    const given = coefficients(p, x?.type);
    const [points, factors] = [asArray(hlo, x, given.type), given];
    const type = promote(hlo, points.type, factors.type);
    return horner(convert(hlo, factors, type), convert(hlo, points, type));
  };
  const horner = hlo.jit((/** @type {any} */ p, /** @type {any} */ x) => {
    const coefficient = (/** @type {number} */ i) =>
      hlo.broadcastInDim(hlo.reshape(hlo.sliceInDim(p, i, i + 1, 1, 0), []), x.dims, []);
    let sum = hlo.broadcastInDim(hlo.array(0, x.type), x.dims, []);
    for (let i = 0; i < p.size; i++) sum = hlo.add(hlo.mul(sum, x), coefficient(i));
    return sum;
  });
  np.polyder = (p, { m = 1 } = {}) => {
    if (integer(m, 'm') < 0) throw new HloError('the order of a derivative is not negative');
    let x = coefficients(p);
    for (let i = 0; i < m && x.size > 0; i++) {
      const n = x.size - 1;
      const powers = hlo.sub(n, hlo.iota('s32', [Math.max(0, n)], 0));
      x = others.multiply(hlo.sliceInDim(x, 0, Math.max(0, n), 1, 0), powers);
    }
    return x;
  };
  np.polyint = (p, { m = 1, k } = {}) => {
    if (integer(m, 'm') < 0 || m > MOST_INTEGRALS)
      throw new HloError(`the order of an integral is 0 to ${MOST_INTEGRALS}, got ${m}`);
    let x = asFloat(hlo, coefficients(p));
    const constants = convert(hlo, others.ravel(asArray(hlo, k ?? 0, x.type)), x.type);
    if (![1, m].includes(constants.size))
      throw new ShapeError(`${m} integrals take one constant, or as many, got ${constants.size}`);
    for (let i = 0; i < m; i++) {
      const at = constants.size === 1 ? 0 : i;
      const powers = hlo.sub(x.size, hlo.iota('s32', [x.size], 0));
      x = hlo.concatenate(
        [
          others.divide(x, convert(hlo, powers, x.type)),
          hlo.sliceInDim(constants, at, at + 1, 1, 0),
        ],
        0,
      );
    }
    return x;
  };
  np.vander = (value, { N, increasing = false } = {}) => {
    const x = asArray(hlo, value);
    if (x.rank !== 1) throw new ShapeError(`vander takes a vector, got [${x.dims}]`);
    const count = N ?? x.size;
    const base = x.type === 'pred' ? hlo.convert(x, 's32') : x;
    if (count === 0) return others.zeros([x.size, 0], { dtype: base.type });
    const ones = hlo.broadcastInDim(hlo.array(1, base.type), [x.size, 1], []);
    const column = hlo.reshape(base, [x.size, 1]);
    const powers = [ones, ...Array(Math.max(0, count - 1)).fill(column)];
    const all = others.cumprod(hlo.concatenate(powers, 1), { axis: 1, dtype: base.type });
    return increasing ? all : hlo.reverse(all, [1]);
  };
  return np;
}
