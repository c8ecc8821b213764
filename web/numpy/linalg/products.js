// Products of np.linalg, and diagonals of the last two dimensions.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { sameType } from '../casting.js';
import { checkOperand } from '../operands.js';
import { asArray, axisOf, broadcastShapes, broadcastTo, integer, range } from '../promotion.js';
import { conjugate, diagonalOf, transposed } from './matrices.js';

/** @typedef {any} Hlo */

/**
 * @param {Hlo} hlo
 * @param {any} np
 * @returns {Record<string, (...args: any[]) => any>}
 */
export function products(hlo, np) {
  const lastTwo = (/** @type {any} */ x) => {
    const array = asArray(hlo, checkOperand(x, 'x'));
    if (array.rank < 2)
      throw new ShapeError(`x has two dimensions at least, got ${array.xla.text}`);
    return array;
  };
  const crossProduct = hlo.jit(
    (/** @type {any} */ a, /** @type {any} */ b, /** @type {number} */ along) => {
      const part = (/** @type {any} */ x, /** @type {number} */ i) =>
        hlo.sliceInDim(x, i, i + 1, 1, along);
      const component = (/** @type {number} */ i, /** @type {number} */ j) =>
        hlo.sub(hlo.mul(part(a, i), part(b, j)), hlo.mul(part(a, j), part(b, i)));
      return hlo.concatenate([component(1, 2), component(2, 0), component(0, 1)], along);
    },
  );
  const innerProduct = hlo.jit(
    (/** @type {any} */ a, /** @type {any} */ b, /** @type {number} */ along) => {
      const isBoolean = a.type === 'pred';
      const terms = isBoolean ? hlo.and(a, b) : hlo.mul(conjugate(hlo, a), b);
      return hlo.reduce(terms, hlo.array(0, a.type), isBoolean ? 'or' : 'add', [along]);
    },
  );
  const trace = hlo.jit(
    (/** @type {any} */ x, /** @type {number} */ offset, /** @type {any} */ dtype) =>
      np.sum(diagonalOf(hlo, x, offset), { axis: -1, dtype }),
  );
  const diagonal = hlo.jit((/** @type {any} */ x, /** @type {number} */ offset) =>
    diagonalOf(hlo, x, offset),
  );
  const chain = hlo.jit((/** @type {any[]} */ arrays) => multiDot(hlo, arrays));
  /** Two arrays of vectors along one axis, which counts from the end of both. @param {any[]} values @param {number} axis */
  const vectorsOf = (values, axis) => {
    const [a, b] = sameType(
      hlo,
      values.map((x, i) => checkOperand(x, `x${i + 1}`)),
    );
    const [first, second] = [a, b].map((x) => axisOf(axis, x.rank));
    if (a.dims[first] !== b.dims[second])
      throw new ShapeError(
        `x1 and x2 have vectors of one size along axis ${axis}, got ${a.xla.text} and ${b.xla.text}`,
      );
    const dims = broadcastShapes(a.dims, b.dims);
    const [x, y] = [a, b].map((array) => broadcastTo(hlo, array, dims));
    return { x, y, along: axis < 0 ? axis + dims.length : axis };
  };
  return {
    matmul: (x1, x2) => np.matmul(x1, x2),
    tensordot: (x1, x2, { axes = 2 } = {}) => np.tensordot(x1, x2, { axes }),
    matrixTranspose: (x) => transposed(hlo, lastTwo(x)),
    diagonal: (x, { offset = 0 } = {}) => diagonal(lastTwo(x), integer(offset, 'offset')),
    trace: (x, { offset = 0, dtype } = {}) => trace(lastTwo(x), integer(offset, 'offset'), dtype),
    outer: (x1, x2) => {
      const [a, b] = [x1, x2].map((x, i) => {
        const array = asArray(hlo, checkOperand(x, `x${i + 1}`));
        if (array.rank !== 1)
          throw new ShapeError(`x${i + 1} has one dimension, got ${array.xla.text}`);
        return array;
      });
      return np.outer(a, b);
    },
    cross: (x1, x2, { axis = -1 } = {}) => {
      const { x, y, along } = vectorsOf([x1, x2], axis);
      if (x.dims[along] !== 3)
        throw new ShapeError(`x1 and x2 have three elements along axis ${axis}, got ${x.xla.text}`);
      return crossProduct(x, y, along);
    },
    vecdot: (x1, x2, { axis = -1 } = {}) => {
      const { x, y, along } = vectorsOf([x1, x2], axis);
      return innerProduct(x, y, along);
    },
    multiDot: (given) => {
      if (!Array.isArray(given) || given.length < 2)
        throw new HloError(`arrays is a list of two arrays at least, got ${nameOf(given)}`);
      return chain(
        sameType(
          hlo,
          given.map((x, i) => checkOperand(x, `arrays[${i}]`)),
        ),
      );
    },
  };
}

/**
 * A product of several matrices, in the order that takes the fewest multiplications. The first and the last may be vectors.
 * @param {Hlo} hlo
 * @param {any[]} arrays
 */
function multiDot(hlo, arrays) {
  const end = arrays.length - 1;
  const matrices = arrays.map((x, i) => {
    const isVector = x.rank === 1 && (i === 0 || i === end);
    if (x.rank !== 2 && !isVector)
      throw new ShapeError(
        `arrays[${i}] is a matrix${i === 0 || i === end ? ' or a vector' : ''}, got ${x.xla.text}`,
      );
    if (!isVector) return x;
    return hlo.reshape(x, i === 0 ? [1, x.size] : [x.size, 1]);
  });
  for (let i = 0; i < end; i++)
    if (matrices[i].dims[1] !== matrices[i + 1].dims[0])
      throw new ShapeError(
        `arrays[${i}] has as many columns as arrays[${i + 1}] has rows, got ${arrays[i].xla.text} and ${arrays[i + 1].xla.text}`,
      );
  const cuts = cheapestCuts([matrices[0].dims[0], ...matrices.map((x) => x.dims[1])]);
  /** @type {(from: number, to: number) => any} */
  const multiply = (from, to) =>
    from === to
      ? matrices[from]
      : hlo.dot(multiply(from, cuts[from][to]), multiply(cuts[from][to] + 1, to));
  const result = multiply(0, end);
  const dims = result.dims.filter(
    (/** @type {any} */ _, /** @type {number} */ d) => arrays[d === 0 ? 0 : end].rank === 2,
  );
  return hlo.reshape(result, dims);
}

/**
 * Of a chain of matrices, behind which one each part from i to j is best cut in two (dynamic programming; Cormen et al.,
 * Introduction to Algorithms, "Matrix-chain multiplication").
 * @param {number[]} sizes matrix i has sizes[i] rows and sizes[i + 1] columns
 * @returns {number[][]}
 */
function cheapestCuts(sizes) {
  const count = sizes.length - 1;
  const [costs, cuts] = [0, 0].map(() => range(count).map(() => range(count).map(() => 0)));
  for (let length = 1; length < count; length++)
    for (let from = 0; from + length < count; from++) {
      const to = from + length;
      costs[from][to] = Infinity;
      for (let cut = from; cut < to; cut++) {
        const cost =
          costs[from][cut] + costs[cut + 1][to] + sizes[from] * sizes[cut + 1] * sizes[to + 1];
        if (cost < costs[from][to]) [costs[from][to], cuts[from][to]] = [cost, cut];
      }
    }
  return cuts;
}
