// NumPy's functions of sampled signals: convolution, interpolation, gradients, integrals, windows, spaced samples.
import { HloArray } from '../../array.js';
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { sameType } from '../casting.js';
import {
  asArray,
  asFloat,
  axesOf,
  axisOf,
  broadcastTo,
  classOf,
  convert,
  floatTypeOf,
  integer,
  isOperand,
  promote,
} from '../promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function signalFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const isComplex = (/** @type {any} */ x) => classOf(hlo, x) === 'complex';
  const slice = (
    /** @type {any} */ x,
    /** @type {number} */ from,
    /** @type {number} */ to,
    /** @type {number} */ along,
  ) => hlo.sliceInDim(x, from, to, 1, along);

  /** Slides one vector over the other: padding on both sides by mode. */
  const slide = hlo.jit(
    (/** @type {any} */ x, /** @type {any} */ kernel, /** @type {string} */ mode) => {
      const k = kernel.size;
      const padding = { full: [k - 1, k - 1], same: [k >> 1, (k - 1) >> 1], valid: [0, 0] }[mode];
      const image = hlo.reshape(x, [1, 1, x.size]);
      const window = hlo.reshape(kernel, [1, 1, k]);
      const result = hlo.conv(image, window, [1], [padding]);
      return hlo.reshape(result, [result.size]);
    },
  );
  /** @param {string} name @param {any} a @param {any} b @param {string} mode @param {(x: any, y: any) => any} apply */
  const sliding = (name, a, b, mode, apply) => {
    if (!['full', 'same', 'valid'].includes(mode))
      throw new HloError(`the mode of ${name} is 'full', 'same' or 'valid', got ${nameOf(mode)}`);
    const [x, y] = sameType(hlo, [a, b]).map((z) => (z.rank === 0 ? hlo.reshape(z, [1]) : z));
    if (x.rank !== 1 || y.rank !== 1)
      throw new ShapeError(`${name} takes vectors, got [${x.dims}] and [${y.dims}]`);
    if (x.size === 0 || y.size === 0) throw new ShapeError(`${name} takes no empty vectors`);
    const [p, q] = [x, y].map((z) => (z.type === 'pred' ? hlo.convert(z, 's32') : z));
    const result = apply(p, q);
    return x.type === 'pred' ? hlo.ne(result, 0) : result;
  };
  np.convolve = (a, b, { mode = 'full' } = {}) =>
    sliding('convolve', a, b, mode, (x, y) => {
      const [long, short] = x.size >= y.size ? [x, y] : [y, x];
      return slide(long, hlo.reverse(short, [0]), mode);
    });
  np.correlate = (a, b, { mode = 'valid' } = {}) =>
    sliding('correlate', a, b, mode, (x, y) => {
      const other = isComplex(y) ? others.conjugate(y) : y;
      if (x.size >= y.size) return slide(x, other, mode);
      return hlo.reverse(slide(other, x, mode), [0]);
    });

  /** @param {any} x @param {any} xp @param {any} fp @param {any} left @param {any} right */
  const interpolate = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ xp,
      /** @type {any} */ fp,
      /** @type {any} */ left,
      /** @type {any} */ right,
    ) => {
      const n = xp.size;
      const spread = (/** @type {any} */ y) => hlo.broadcastInDim(y, x.dims, []);
      const above = others.searchsorted(xp, x, { side: 'right' });
      const low = hlo.clamp(0, hlo.sub(above, 1), Math.max(0, n - 2));
      const at = (/** @type {any} */ y, /** @type {any} */ i) =>
        others.take(y, i, { mode: 'clip' });
      const next = hlo.add(low, 1);
      const [x0, x1, y0, y1] = [at(xp, low), at(xp, next), at(fp, low), at(fp, next)];
      const width = hlo.sub(x1, x0);
      const share = hlo.select(hlo.eq(width, 0), 0, hlo.div(hlo.sub(x, x0), width));
      const isExact = hlo.eq(x, x0);
      const weight = isComplex(fp) ? hlo.convert(share, fp.type) : share;
      const between = hlo.select(isExact, y0, hlo.add(y0, hlo.mul(weight, hlo.sub(y1, y0))));
      const atEnd = hlo.select(hlo.eq(x, spread(end(xp, n - 1))), spread(end(fp, n - 1)), between);
      const isBelow = hlo.lt(x, spread(end(xp, 0)));
      const isAbove = hlo.gt(x, spread(end(xp, n - 1)));
      const inside = hlo.select(isBelow, spread(left), hlo.select(isAbove, spread(right), atEnd));
      const isNaN = hlo.ne(x, x);
      return hlo.select(isNaN, isComplex(fp) ? hlo.convert(x, fp.type) : x, inside);
    },
  );
  const end = (/** @type {any} */ x, /** @type {number} */ i) =>
    hlo.reshape(slice(x, i, i + 1, 0), []);
  np.interp = (x, xp, fp, { left, right, period } = {}) => {
    const [places, points, values] = [x, xp, fp].map((one) => asFloat(hlo, one));
    if (points.rank !== 1 || String(points.dims) !== String(values.dims))
      throw new ShapeError(
        `xp and fp are vectors of one size, got [${points.dims}] and [${values.dims}]`,
      );
    if (points.size === 0) throw new ShapeError('there is nothing to interpolate between');
    if (isComplex(places) || isComplex(points))
      throw new HloError('interp takes complex numbers as fp only');
    const real = [places, points].map((one) => one.type).reduce((a, b) => promote(hlo, a, b));
    const type = promote(hlo, real, values.type);
    const inner = isComplex(values) ? 'c128' : 'f64';
    let [a, b, c] = [
      convert(hlo, places, 'f64'),
      convert(hlo, points, 'f64'),
      convert(hlo, values, inner),
    ];
    if (period !== undefined) {
      if (period === 0) throw new HloError('a period is not 0');
      const length = Math.abs(period);
      [a, b] = [others.mod(a, length), others.mod(b, length)];
      const order = others.argsort(b);
      [b, c] = [others.take(b, order), others.take(c, order)];
      const n = b.size;
      b = hlo.concatenate(
        [hlo.sub(slice(b, n - 1, n, 0), length), b, hlo.add(slice(b, 0, 1, 0), length)],
        0,
      );
      c = hlo.concatenate([slice(c, n - 1, n, 0), c, slice(c, 0, 1, 0)], 0);
    }
    const outside = (/** @type {any} */ value, /** @type {number} */ i) =>
      value === undefined || period !== undefined
        ? end(c, i)
        : convert(hlo, asArray(hlo, value, inner), inner);
    return convert(hlo, interpolate(a, b, c, outside(left, 0), outside(right, b.size - 1)), type);
  };

  np.trapezoid = (y, { x, dx = 1, axis = -1 } = {}) => {
    const values = asFloat(hlo, y);
    const along = axisOf(axis, values.rank);
    return integral(values, x === undefined ? null : asFloat(hlo, x), dx, along, axis);
  };
  const integral = hlo.jit(
    (
      /** @type {any} */ values,
      /** @type {any} */ points,
      /** @type {any} */ dx,
      /** @type {number} */ along,
      /** @type {number} */ axis,
    ) => {
      const n = values.dims[along];
      const sums = hlo.add(
        slice(values, Math.min(1, n), n, along),
        slice(values, 0, Math.max(0, n - 1), along),
      );
      if (points === null)
        return others.sum(others.multiply(sums, others.divide(dx, 2)), { axis: along });
      const steps = others.diff(points, { axis: points.rank === 1 ? -1 : axis });
      const spread =
        points.rank === 1
          ? hlo.reshape(
              steps,
              values.dims.map((/** @type {any} */ _, /** @type {number} */ d) =>
                d === along ? steps.size : 1,
              ),
            )
          : steps;
      return others.sum(others.divide(others.multiply(spread, sums), 2), { axis: along });
    },
  );
  /** Differences of second order within, of first or second order at the ends. */
  const derivative = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ spacing,
      /** @type {number} */ along,
      /** @type {number} */ edgeOrder,
    ) => {
      const n = x.dims[along];
      const at = (/** @type {number} */ i, /** @type {number} */ count) =>
        slice(x, i, i + count, along);
      const steps = isOperand(spacing) && spacing.rank === 1 ? spacing : undefined;
      const shape = (/** @type {any} */ h) =>
        hlo.reshape(
          h,
          x.dims.map((/** @type {any} */ _, /** @type {number} */ d) => (d === along ? h.size : 1)),
        );
      const stepAt = (/** @type {number} */ i, /** @type {number} */ count) =>
        steps ? shape(slice(steps, i, i + count, 0)) : spacing;
      const { add, subtract: sub, multiply: mul, divide: div, negative: neg } = others;
      const isEven = steps === undefined;
      const middle = () => {
        if (isEven) return div(sub(at(2, n - 2), at(0, n - 2)), mul(spacing, 2));
        const [h, k] = [stepAt(0, n - 2), stepAt(1, n - 2)];
        const both = add(h, k);
        const [a, b, c] = [
          div(neg(k), mul(h, both)),
          div(sub(k, h), mul(h, k)),
          div(h, mul(k, both)),
        ];
        return add(add(mul(a, at(0, n - 2)), mul(b, at(1, n - 2))), mul(c, at(2, n - 2)));
      };
      /** @param {number} i the end @param {1 | -1} sign towards the inside */
      const edge = (i, sign) => {
        const [y0, y1, y2] = [0, 1, 2].map((k) =>
          k === 2 && edgeOrder === 1 ? undefined : at(i + sign * k, 1),
        );
        const near = stepAt(sign > 0 ? 0 : n - 2, 1);
        if (edgeOrder === 1) return sign > 0 ? div(sub(y1, y0), near) : div(sub(y0, y1), near);
        if (isEven) {
          const sum = add(add(mul(y0, -1.5), mul(y1, 2)), mul(y2, -0.5));
          return div(sum, sign > 0 ? near : neg(near));
        }
        const far = stepAt(sign > 0 ? 1 : n - 3, 1);
        const both = add(near, far);
        const a = div(neg(add(mul(near, 2), far)), mul(near, both));
        const b = div(both, mul(near, far));
        const c = div(neg(near), mul(far, both));
        const sum = add(add(mul(a, y0), mul(b, y1)), mul(c, y2));
        return sign > 0 ? sum : neg(sum);
      };
      return hlo.concatenate([edge(0, 1), ...(n > 2 ? [middle()] : []), edge(n - 1, -1)], along);
    },
  );
  np.gradient = (value, spacings, { axis, edgeOrder = 1 } = {}) => {
    if (edgeOrder !== 1 && edgeOrder !== 2)
      throw new HloError(`edgeOrder is 1 or 2, got ${nameOf(edgeOrder)}`);
    const x = asFloat(hlo, value);
    const axes = axesOf(axis ?? undefined, x.rank);
    if (![0, 1, axes.length].includes(spacings.length))
      throw new HloError(
        `gradient takes a spacing, or one for each of ${axes.length} axes, got ${spacings.length}`,
      );
    const results = axes.map((along, i) => {
      const given = spacings.length === 0 ? 1 : spacings[spacings.length === 1 ? 0 : i];
      if (x.dims[along] < edgeOrder + 1)
        throw new ShapeError(
          `gradient takes ${edgeOrder + 1} elements along an axis at least, got ${x.dims[along]}`,
        );
      const spacing = typeof given === 'number' ? given : asFloat(hlo, given);
      if (typeof spacing === 'number' || spacing.rank === 0)
        return derivative(x, asArray(hlo, spacing, x.type), along, edgeOrder);
      if (spacing.rank > 1 || spacing.size !== x.dims[along])
        throw new ShapeError(
          `[${spacing.dims}] are no coordinates along a dimension of ${x.dims[along]}`,
        );
      const places = convert(hlo, spacing, promote(hlo, spacing.type, x.type));
      return derivative(x, others.diff(places), along, edgeOrder);
    });
    return results.length === 1 ? results[0] : results;
  };

  /** A window of M points, from -1 to 1. @param {string} name @param {(t: any, beta: any) => any} f */
  const window = (name, f) => (/** @type {any} */ size, /** @type {any} */ beta) => {
    const M = Math.ceil(size);
    if (Number.isNaN(M))
      throw new HloError(`${name} takes a number of points, got ${nameOf(size)}`);
    if (M < 1) return others.zeros([0]);
    if (M === 1) return others.ones([1]);
    const t = hlo.div(hlo.sub(hlo.mul(hlo.iota('f64', [M], 0), 2), M - 1), M - 1);
    return hlo.convert(f(t, beta), 'f32');
  };
  const cosine = (/** @type {any} */ t, /** @type {number} */ times) =>
    hlo.cos(hlo.mul(t, Math.PI * times));
  np.bartlett = window('bartlett', (t) => hlo.sub(1, hlo.abs(t)));
  np.hanning = window('hanning', (t) => hlo.add(hlo.mul(cosine(t, 1), 0.5), 0.5));
  np.hamming = window('hamming', (t) => hlo.add(hlo.mul(cosine(t, 1), 0.46), 0.54));
  np.blackman = window('blackman', (t) =>
    hlo.add(hlo.add(hlo.mul(cosine(t, 1), 0.5), hlo.mul(cosine(t, 2), 0.08)), 0.42),
  );
  np.kaiser = window('kaiser', (t, beta) => {
    const width = convert(hlo, asArray(hlo, beta, 'f64'), 'f64');
    if (width.rank > 0) throw new ShapeError(`beta is a number, got [${width.dims}]`);
    const inner = hlo.sqrt(hlo.max(0, hlo.sub(1, hlo.mul(t, t))));
    return others.divide(others.i0(others.multiply(inner, width)), others.i0(width));
  });

  np.logspace = (start, stop, { num, endpoint, base = 10, dtype, axis = 0 } = {}) => {
    const points = spaced(start, stop, { num, endpoint, axis });
    const power = others.power(
      isOperand(base) || Array.isArray(base)
        ? others.expandDims(base, axis)
        : hlo.array(base, 'f64'),
      points,
    );
    return convert(hlo, power, dtype ?? typeOfEnds([start, stop]));
  };
  const typeOfEnds = (/** @type {any[]} */ ends) => {
    const own = ends.filter(isOperand).map((x) => floatTypeOf(hlo, x));
    return own.reduce((a, b) => promote(hlo, a, b), own[0] ?? 'f32');
  };
  const spaced = (
    /** @type {any} */ start,
    /** @type {any} */ stop,
    /** @type {any} */ options,
  ) => {
    const ends = [start, stop].map((x) => asArray(hlo, x, 'f64'));
    const type = ends.some(isComplex) ? 'c128' : 'f64';
    return others.linspace(...ends.map((x) => convert(hlo, x, type)), options);
  };
  np.geomspace = (start, stop, { num = 50, endpoint = true, dtype, axis = 0 } = {}) => {
    const given = [start, stop].map((x) => asArray(hlo, x, 'f64'));
    const inner = given.some(isComplex) ? 'c128' : 'f64';
    const [from, to] = given.map((x) => convert(hlo, x, inner));
    const hasZero = others.any(others.logicalOr(others.equal(from, 0), others.equal(to, 0)));
    if (hasZero instanceof HloArray && hasZero.item())
      throw new HloError('a geometric progression has no zeros');
    // From 1 on, times the start: so that equal signs, and phases, stay exact.
    const ratio = others.divide(to, from);
    const points = others.exp(
      others.linspace(others.multiply(others.log(ratio), 0), others.log(ratio), {
        num,
        endpoint,
        axis: 0,
      }),
    );
    let result = others.multiply(points, from);
    const type = dtype ?? typeOfEnds([start, stop]);
    const count = integer(num, 'num');
    const place = hlo.iota('s32', result.dims, 0);
    if (count > 0)
      result = hlo.select(hlo.eq(place, 0), broadcastTo(hlo, from, result.dims), result);
    if (endpoint && count > 1)
      result = hlo.select(hlo.eq(place, count - 1), broadcastTo(hlo, to, result.dims), result);
    return others.moveaxis(convert(hlo, result, type), 0, axis);
  };
  return np;
}
