// NumPy's products of vectors and matrices besides matmul: of Kronecker, cross products, products along axes, correlations.
import { HloError, ShapeError } from '../errors.js';
import { sameType } from './casting.js';
import {
  asArray,
  asFloat,
  axisOf,
  broadcastShapes,
  broadcastTo,
  classOf,
  promoteAndBroadcast,
} from './promotion.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} others NumPy's functions that these are made of
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function tensorFunctions(hlo, others) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const conjugate = (/** @type {any} */ x) =>
    classOf(hlo, x) === 'complex' ? others.conjugate(x) : x;
  np.kron = (a, b) => {
    const [x, y] = sameType(hlo, [a, b]);
    const rank = Math.max(x.rank, y.rank);
    const [p, q] = [x, y].map((z) => [...Array(rank - z.rank).fill(1), ...z.dims]);
    const wide = p.flatMap((n, d) => [n, q[d]]);
    const [left, right] = [x, y].map((z, side) =>
      hlo.broadcastInDim(
        hlo.reshape(z, [p, q][side]),
        wide,
        p.map((_, d) => 2 * d + side),
      ),
    );
    return hlo.reshape(
      z(left, right),
      p.map((n, d) => n * q[d]),
    );
  };
  const z = (/** @type {any} */ x, /** @type {any} */ y) =>
    x.type === 'pred' ? hlo.and(x, y) : hlo.mul(x, y);
  np.cross = (a, b, { axisa = -1, axisb = -1, axisc = -1, axis } = {}) => {
    const [p, q] = sameType(hlo, [a, b]);
    const [x, y] = [
      others.moveaxis(p, axisOf(axis ?? axisa, p.rank), -1),
      others.moveaxis(q, axisOf(axis ?? axisb, q.rank), -1),
    ];
    if (![x, y].every((v) => v.dims.at(-1) === 2 || v.dims.at(-1) === 3))
      throw new ShapeError(
        `cross takes vectors of 2 or 3 elements, got [${p.dims}] and [${q.dims}]`,
      );
    if (x.type === 'pred') throw new HloError('cross takes no booleans');
    const part = (/** @type {any} */ v, /** @type {number} */ i) => {
      const outer = v.dims.slice(0, -1);
      if (i >= v.dims.at(-1)) return others.zeros(outer, { dtype: v.type });
      return hlo.reshape(hlo.sliceInDim(v, i, i + 1, 1, v.rank - 1), outer);
    };
    const component = (/** @type {number} */ i, /** @type {number} */ j) => {
      const [xi, yj, xj, yi] = promoteAndBroadcast(hlo, [
        part(x, i),
        part(y, j),
        part(x, j),
        part(y, i),
      ]);
      return hlo.sub(hlo.mul(xi, yj), hlo.mul(xj, yi));
    };
    if (x.dims.at(-1) === 2 && y.dims.at(-1) === 2) return component(0, 1);
    const parts = [component(1, 2), component(2, 0), component(0, 1)];
    return others.stack(parts, { axis: axis ?? axisc });
  };
  np.vdot = (a, b) => {
    const [x, y] = sameType(hlo, [a, b]).map((v) => hlo.reshape(v, [v.size]));
    if (x.size !== y.size)
      throw new ShapeError(`vdot takes as many elements of both, got ${x.size} and ${y.size}`);
    return others.dot(conjugate(x), y);
  };
  np.vecdot = (a, b, { axis = -1 } = {}) => {
    const [p, q] = sameType(hlo, [a, b]);
    if (p.rank === 0 || q.rank === 0) throw new ShapeError('vecdot takes no scalars');
    const [x, y] = [p, q].map((v) => others.moveaxis(v, axisOf(axis, v.rank), -1));
    if (x.dims.at(-1) !== y.dims.at(-1))
      throw new ShapeError(`vecdot takes vectors of one size, got [${p.dims}] and [${q.dims}]`);
    const batch = broadcastShapes(x.dims.slice(0, -1), y.dims.slice(0, -1));
    const [l, r] = [x, y].map((v) => broadcastTo(hlo, v, [...batch, v.dims.at(-1)]));
    const numbers = batch.map((_, d) => d);
    return hlo.dotGeneral(conjugate(l), r, {
      lhsBatch: numbers,
      rhsBatch: numbers,
      lhsContracting: [-1],
      rhsContracting: [-1],
    });
  };
  np.matvec = (a, b) => {
    const [x, y] = sameType(hlo, [a, b]);
    if (x.rank < 2 || y.rank < 1) throw new ShapeError('matvec takes matrices and vectors');
    const product = others.matmul(x, hlo.reshape(y, [...y.dims, 1]));
    return hlo.reshape(product, product.dims.slice(0, -1));
  };
  np.vecmat = (a, b) => {
    const [x, y] = sameType(hlo, [a, b]);
    if (x.rank < 1 || y.rank < 2) throw new ShapeError('vecmat takes vectors and matrices');
    const row = conjugate(hlo.reshape(x, x.dims.toSpliced(-1, 0, 1)));
    const product = others.matmul(row, y);
    return hlo.reshape(product, product.dims.toSpliced(-2, 1));
  };
  np.matrixTranspose = (value) => {
    const x = asArray(hlo, value);
    if (x.rank < 2) throw new ShapeError(`matrixTranspose takes matrices, got [${x.dims}]`);
    return others.swapaxes(x, -1, -2);
  };
  np.corrcoef = (x, { y, rowvar = true } = {}) => {
    const given = asFloat(hlo, x);
    return correlations(others.cov(given, { y, rowvar }));
  };
  const correlations = hlo.jit((/** @type {any} */ c) => {
    if (c.rank === 0) return hlo.div(c, c);
    const deviations = hlo.sqrt(others.real(others.diagonal(c)));
    const real = (/** @type {any} */ part) => {
      const [n] = c.dims;
      const [rows, columns] = [0, 1].map((d) => hlo.broadcastInDim(deviations, [n, n], [d]));
      return hlo.clamp(-1, hlo.div(hlo.div(part, rows), columns), 1);
    };
    if (classOf(hlo, c) !== 'complex') return real(c);
    return hlo.complex(real(hlo.real(c)), real(hlo.imag(c)));
  });
  return np;
}
