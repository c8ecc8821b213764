// NumPy's functions of polynomials that take linear algebra: roots, characteristic polynomials, fits of least squares.
import { HloArray } from '../../array.js';
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { asArray, asFloat, broadcastTo, classOf, convert, integer } from '../promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function fittingFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const padded = (/** @type {any} */ x, /** @type {number} */ low, /** @type {number} */ high) =>
    hlo.pad(x, hlo.array(0, x.type), { low: [low], high: [high] });
  const complexOf = (/** @type {any} */ x) =>
    x.type === 'f64' || x.type === 'c128' ? 'c128' : 'c64';

  np.poly = (value) => {
    const x = asFloat(hlo, value);
    if (x.rank === 2 && x.dims[0] === x.dims[1] && x.dims[0] > 0) {
      const product = np.poly(hlo.np.linalg.eigvals(x));
      return classOf(hlo, x) === 'complex' ? product : others.real(product);
    }
    if (x.rank > 1) throw new ShapeError(`poly takes roots, or a square matrix, got [${x.dims}]`);
    const roots = x.rank === 0 ? hlo.reshape(x, [1]) : x;
    const product = expanded(roots);
    // Roots that come in conjugate pairs have real coefficients.
    if (classOf(hlo, roots) === 'complex' && roots instanceof HloArray) {
      const [own, conjugates] = [roots, others.conjugate(roots)].map((z) => others.sort(z));
      if (others.arrayEqual(own, conjugates).item()) return hlo.real(product);
    }
    return product;
  };
  const expanded = hlo.jit((/** @type {any} */ roots) => {
    let product = others.ones([1], { dtype: roots.type });
    for (let i = 0; i < roots.size; i++) {
      const root = hlo.sliceInDim(roots, i, i + 1, 1, 0);
      const shifted = padded(hlo.mul(product, broadcastTo(hlo, root, product.dims)), 1, 0);
      product = hlo.sub(padded(product, 0, 1), shifted);
    }
    return product;
  });
  /** Eigenvalues of the companion matrix; zeros at the end of the coefficients are roots at 0. */
  np.roots = (value) => {
    const p = asFloat(hlo, value);
    if (p.rank > 1)
      throw new ShapeError(`coefficients of a polynomial are a vector, got [${p.dims}]`);
    const flat = hlo.reshape(p, [p.size]);
    const type = complexOf(flat);
    let [first, end] = [0, flat.size];
    if (flat instanceof HloArray) {
      const isSet = [.../** @type {any} */ (hlo.ne(flat, 0)).toTypedArray()].map(Boolean);
      if (!isSet.includes(true)) return others.zeros([0], { dtype: type });
      [first, end] = [isSet.indexOf(true), isSet.lastIndexOf(true) + 1];
    }
    const zeros = others.zeros([flat.size - end], { dtype: type });
    if (end - first < 2) return zeros;
    const own = hlo.sliceInDim(flat, first, end, 1, 0);
    return hlo.concatenate([convert(hlo, hlo.np.linalg.eigvals(companion(own)), type), zeros], 0);
  };
  const companion = hlo.jit((/** @type {any} */ p) => {
    const n = p.size - 1;
    const lead = broadcastTo(hlo, hlo.sliceInDim(p, 0, 1, 1, 0), [n]);
    const row = hlo.neg(hlo.div(hlo.sliceInDim(p, 1, n + 1, 1, 0), lead));
    const below = others.eye(n, { k: -1, dtype: p.type });
    const isFirst = hlo.eq(hlo.iota('s32', [n, n], 0), 0);
    return hlo.select(isFirst, hlo.broadcastInDim(row, [n, n], [1]), below);
  });

  /** Powers of x and y, both weighted, and the length of each column of powers, by which it is divided. */
  const scaledSystem = hlo.jit(
    (
      /** @type {any} */ x,
      /** @type {any} */ y,
      /** @type {any} */ w,
      /** @type {number} */ order,
    ) => {
      const weighted = (/** @type {any} */ z) =>
        w === null ? z : hlo.mul(z, hlo.broadcastInDim(w, z.dims, [0]));
      const powers = weighted(others.vander(x, { N: order }));
      const scale = hlo.sqrt(
        others.sum(others.multiply(powers, others.conjugate(powers)), { axis: 0 }),
      );
      return { powers: others.divide(powers, scale), scale, values: weighted(y) };
    },
  );
  np.polyfit = (first, second, deg, { rcond, full = false, w, cov = false } = {}) => {
    const [given, results] = [asFloat(hlo, first), asFloat(hlo, second)];
    const order = integer(deg, 'deg') + 1;
    if (order < 1) throw new HloError(`deg is not negative, got ${deg}`);
    if (given.rank !== 1 || given.size === 0)
      throw new ShapeError(`x is a vector of some numbers, got [${given.dims}]`);
    if (results.rank < 1 || results.rank > 2 || results.dims[0] !== given.size)
      throw new ShapeError(`y has one row for each x, got [${results.dims}] for [${given.dims}]`);
    if (typeof cov !== 'boolean' && cov !== 'unscaled')
      throw new HloError(`cov is true, false or 'unscaled', got ${nameOf(cov)}`);
    const weights = w === undefined ? null : convert(hlo, asArray(hlo, w), 'f64');
    if (weights && String(weights.dims) !== String(given.dims))
      throw new ShapeError(
        `w has one weight for each x, got [${weights.dims}] for [${given.dims}]`,
      );
    const isComplex = [given, results].some((z) => classOf(hlo, z) === 'complex');
    const type = others.resultType([given, results]);
    const inner = isComplex ? 'c128' : 'f64'; // powers are nearly dependent
    const least = rcond ?? given.size * 2 ** -52;
    const { powers, scale, values } = scaledSystem(
      convert(hlo, given, inner),
      convert(hlo, results, inner),
      weights && convert(hlo, weights, inner),
      order,
    );
    const [solution, residuals, rank, singular] = hlo.np.linalg.lstsq(powers, values, {
      rcond: least,
    });
    const divisor = hlo.broadcastInDim(scale, solution.dims, [0]);
    const coefficients = hlo.convert(hlo.div(solution, divisor), type);
    const rounded = (/** @type {any} */ z) =>
      hlo.convert(
        z,
        isComplex && classOf(hlo, z) === 'complex'
          ? type
          : others.resultType([others.real(coefficients)]),
      );
    if (full) return [coefficients, rounded(residuals), rank, rounded(singular), least];
    if (cov === false) return coefficients;
    const gram = others.matmul(others.matrixTranspose(others.conjugate(powers)), powers);
    const base = hlo.div(hlo.np.linalg.inv(gram), others.outer(scale, scale));
    const spare = given.size - order;
    if (cov === true && spare <= 0)
      throw new HloError(`a covariance takes more than ${order} points, or cov: 'unscaled'`);
    const factor = cov === true ? hlo.div(residuals, spare) : undefined;
    if (results.rank === 1)
      return [coefficients, hlo.convert(factor ? others.multiply(base, factor) : base, type)];
    const columns = results.dims[1];
    const wide = hlo.broadcastInDim(base, [order, order, columns], [0, 1]);
    return [coefficients, hlo.convert(factor ? others.multiply(wide, factor) : wide, type)];
  };
  return np;
}
