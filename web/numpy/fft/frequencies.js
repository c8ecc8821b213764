// Frequencies of np.fft's transforms, and spectra with frequency 0 in the middle.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { checkOperand } from '../operands.js';
import { asArray, axesOf, classOf, convert } from '../promotion.js';

/** @typedef {any} Hlo */

const AT_ONCE = 3; // axes: their parts are 8

/** @param {any} size @param {string} name */
export function checkSize(size, name) {
  if (!Number.isInteger(size) || size < 1)
    throw new ShapeError(`${name} is an integer of at least 1, got ${nameOf(size)}`);
  return size;
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function frequencies(hlo) {
  /** Multiples of 1 / (n d): NumPy's product in f64, rounded once. */
  const multiples = hlo.jit(
    (
      /** @type {number} */ count,
      /** @type {number} */ wrap,
      /** @type {number} */ step,
      /** @type {string} */ type,
    ) => {
      const i = hlo.iota('s32', [count], 0);
      const k = hlo.select(hlo.lt(i, wrap), i, hlo.sub(i, count));
      return convert(hlo, hlo.mul(hlo.convert(k, 'f64'), step), type);
    },
  );
  const stepOf = (/** @type {any} */ n, /** @type {any} */ d, /** @type {string} */ dtype) => {
    checkSize(n, 'n');
    if (classOf(hlo, { type: dtype }) !== 'float')
      throw new HloError(`dtype is a type of floats, got ${nameOf(dtype)}`);
    if (typeof d !== 'number') throw new HloError(`d is a number, got ${nameOf(d)}`);
    return 1 / (n * d);
  };
  return {
    fftfreq: (n, { d = 1, dtype = 'f32' } = {}) =>
      multiples(n, Math.floor((n + 1) / 2), stepOf(n, d, dtype), dtype),
    rfftfreq: (n, { d = 1, dtype = 'f32' } = {}) => {
      const step = stepOf(n, d, dtype);
      const count = Math.floor(n / 2) + 1;
      return multiples(count, count, step, dtype);
    },
  };
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function shifts(hlo) {
  /**
   * Exchanges the two parts along each axis: all axes of a part first, so that it is cut out and put in its place once.
   * @type {(x: any, axes: number[], startOf: (size: number) => number) => any}
   */
  const exchange = (x, [axis, ...others], startOf) => {
    const size = x.dims[axis];
    const start = startOf(size);
    const parts = [
      [start, size],
      [0, start],
    ].map(([from, to]) => {
      const part = hlo.sliceInDim(x, from, to, 1, axis);
      return others.length > 0 ? exchange(part, others, startOf) : part;
    });
    return hlo.concatenate(parts, axis);
  };
  const shift = (/** @type {(size: number) => number} */ startOf) => {
    const program = hlo.jit((/** @type {any} */ x, /** @type {number[]} */ axes) => {
      let result = x;
      for (let i = 0; i < axes.length; i += AT_ONCE)
        result = exchange(result, axes.slice(i, i + AT_ONCE), startOf);
      return result;
    });
    return (/** @type {any} */ a, /** @type {any} */ { axes = null } = {}) => {
      const x = asArray(hlo, checkOperand(a, 'x'));
      const list = axesOf(axes, x.rank);
      return list.length === 0 ? x : program(x, list);
    };
  };
  return {
    fftshift: shift((size) => Math.ceil(size / 2)),
    ifftshift: shift((size) => Math.floor(size / 2)),
  };
}
