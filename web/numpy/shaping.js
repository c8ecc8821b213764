// NumPy's functions that make arrays and change their shapes, and products. Must not know how operations run.
import { HloError, ShapeError } from '../index.js';
import {
  alike,
  asArray,
  axesOf,
  axisOf,
  broadcastShapes,
  broadcastTo,
  convert,
  dimsOf,
  isOperand,
  product,
  promote,
} from './promotion.js';

/** @typedef {any} Hlo */

/** @param {number} count */
function upTo(count) {
  return Array.from({ length: count }, (_, d) => d);
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function shapingFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  np.array = (data, type) => {
    if (type === undefined) return asArray(hlo, data);
    return isOperand(data) ? convert(hlo, data, type) : hlo.array(data, type);
  };
  np.full = (shape, value, type = 'f32') =>
    hlo.broadcastInDim(hlo.array(value, type), dimsOf(shape), []);
  np.zeros = (dims, type) => np.full(dims, 0, type);
  np.ones = (dims, type) => np.full(dims, 1, type);
  np.zerosLike = (x) => np.full(x.dims, 0, x.type);
  np.onesLike = (x) => np.full(x.dims, 1, x.type);
  np.fullLike = (x, value, type = x.type) => np.full(x.dims, value, type);
  np.arange = (start, stop, step = 1, given = undefined) => {
    const [from, to] = stop === undefined ? [0, start] : [start, stop];
    const type = given ?? ([from, to, step].every(Number.isInteger) ? 's32' : 'f32');
    const count = Math.max(0, Math.ceil((to - from) / step));
    const steps = hlo.mul(hlo.iota(type, [count]), hlo.array(step, type));
    return hlo.add(steps, hlo.array(from, type));
  };
  np.linspace = (start, stop, count = 50, type = 'f32') => {
    if (count < 2) return np.full([count], start, type);
    const steps = hlo.mul(hlo.iota(type, [count]), (stop - start) / (count - 1));
    return hlo.add(steps, hlo.array(start, type));
  };
  np.eye = (rows, columns = rows, type = 'f32') =>
    hlo.convert(
      hlo.eq(hlo.iota('s32', [rows, columns], 0), hlo.iota('s32', [rows, columns], 1)),
      type,
    );
  const triangle =
    (/** @type {string} */ keeps) =>
    (/** @type {any} */ x, k = 0) => {
      const array = asArray(hlo, x);
      if (array.rank < 2) throw new ShapeError('a triangle needs two dimensions at least');
      const [row, column] = [array.rank - 2, array.rank - 1].map((d) =>
        hlo.iota('s32', array.dims, d),
      );
      return hlo.select(hlo[keeps](hlo.sub(column, row), k), array, np.zerosLike(array));
    };
  np.tril = triangle('le');
  np.triu = triangle('ge');

  np.reshape = (x, dims) => {
    const array = asArray(hlo, x);
    const wanted = dimsOf(dims);
    const open = wanted.indexOf(-1);
    if (open < 0) return hlo.reshape(array, wanted);
    const rest = product(wanted.filter((_, d) => d !== open));
    const size = product(array.dims) / rest;
    if (!Number.isInteger(size))
      throw new ShapeError(`[${array.dims}] does not reshape to [${wanted}]`);
    return hlo.reshape(array, wanted.with(open, size));
  };
  np.ravel = (x) => np.reshape(x, [-1]);
  np.transpose = (x, axes) => hlo.transpose(asArray(hlo, x), axes);
  np.moveaxis = (x, from, to) => {
    const array = asArray(hlo, x);
    const order = upTo(array.rank).filter((d) => d !== axisOf(from, array.rank));
    order.splice(axisOf(to, array.rank), 0, axisOf(from, array.rank));
    return hlo.transpose(array, order);
  };
  np.swapaxes = (x, a, b) => {
    const array = asArray(hlo, x);
    const [first, second] = [a, b].map((axis) => axisOf(axis, array.rank));
    return hlo.transpose(
      array,
      upTo(array.rank).map((d) => (d === first ? second : d === second ? first : d)),
    );
  };
  np.expandDims = (x, axis) => {
    const array = asArray(hlo, x);
    return hlo.reshape(array, array.dims.toSpliced(axisOf(axis, array.rank + 1), 0, 1));
  };
  np.squeeze = (x, axis) => {
    const array = asArray(hlo, x);
    const axes =
      axis === undefined
        ? upTo(array.rank).filter((d) => array.dims[d] === 1)
        : axesOf(axis, array.rank);
    if (axes.some((d) => array.dims[d] !== 1))
      throw new ShapeError(`[${array.dims}] has sizes other than 1 there`);
    return hlo.reshape(
      array,
      array.dims.filter((/** @type {number} */ _, /** @type {number} */ d) => !axes.includes(d)),
    );
  };
  np.broadcastTo = (x, shape) => broadcastTo(hlo, asArray(hlo, x), dimsOf(shape));
  /** @param {any[]} list */
  const sameType = (list) => {
    const arrays = list.map((x) => asArray(hlo, x));
    const type = arrays.map((x) => x.type).reduce((a, b) => promote(hlo, a, b));
    return arrays.map((x) => convert(hlo, x, type));
  };
  np.concatenate = (list, axis = 0) => hlo.concatenate(sameType(list), axis);
  np.stack = (list, axis = 0) =>
    np.concatenate(
      list.map((/** @type {any} */ x) => np.expandDims(x, axis)),
      axis,
    );
  np.split = (x, parts, axis = 0) => {
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    const size = array.dims[along] / parts;
    if (!(parts > 0) || !Number.isInteger(parts) || !Number.isInteger(size))
      throw new ShapeError(`${array.dims[along]} is not divisible into that many parts`);
    return upTo(parts).map((i) => hlo.sliceInDim(array, i * size, (i + 1) * size, 1, along));
  };
  np.flip = (x, axis) => {
    const array = asArray(hlo, x);
    return hlo.reverse(array, axesOf(axis, array.rank));
  };
  np.roll = (x, shift, axis) => {
    if (axis === undefined) return np.reshape(np.roll(np.ravel(x), shift, 0), asArray(hlo, x).dims);
    const array = asArray(hlo, x);
    const along = axisOf(axis, array.rank);
    const size = array.dims[along];
    const cut = size === 0 ? 0 : ((-shift % size) + size) % size;
    if (cut === 0) return array;
    const [front, back] = [
      hlo.sliceInDim(array, cut, size, 1, along),
      hlo.sliceInDim(array, 0, cut, 1, along),
    ];
    return hlo.concatenate([front, back], along);
  };
  np.pad = (x, widths, value = 0) => {
    const array = asArray(hlo, x);
    const list = Array.isArray(widths) ? widths : [widths];
    // Numbers alone are of every dimension: one for both sides, or before and after.
    const each = Array.isArray(list[0]) ? list : [list];
    if (each.length !== 1 && each.length !== array.rank)
      throw new ShapeError(`${each.length} pairs do not pad ${array.rank} dimensions`);
    const pairs = array.dims.map((/** @type {number} */ _, /** @type {number} */ d) => {
      const [low, high = low] = each[each.length === 1 ? 0 : d];
      return [low, high];
    });
    return hlo.pad(array, hlo.array(value, array.type), {
      low: pairs.map((/** @type {number[]} */ [low]) => low),
      high: pairs.map((/** @type {number[]} */ [, high]) => high),
    });
  };

  np.matmul = (a, b) => {
    const [x, y] = sameType([a, b]);
    if (x.rank === 0 || y.rank === 0) throw new ShapeError('matmul takes no scalars');
    if (x.rank <= 2 && y.rank <= 2) return hlo.dot(x, y);
    if (y.rank === 1) return hlo.dotGeneral(x, y, { lhsContracting: [-1], rhsContracting: [0] });
    if (x.rank === 1) return np.squeeze(np.matmul(np.expandDims(x, 0), y), -2);
    const batch = broadcastShapes(x.dims.slice(0, -2), y.dims.slice(0, -2));
    const numbers = upTo(batch.length);
    return hlo.dotGeneral(
      broadcastTo(hlo, x, [...batch, ...x.dims.slice(-2)]),
      broadcastTo(hlo, y, [...batch, ...y.dims.slice(-2)]),
      { lhsBatch: numbers, rhsBatch: numbers, lhsContracting: [-1], rhsContracting: [-2] },
    );
  };
  np.dot = (a, b) => {
    const [x, y] = sameType([a, b]);
    if (x.rank === 0 || y.rank === 0) return hlo.mul(...alike(hlo, [x, y]));
    return hlo.dotGeneral(x, y, { lhsContracting: [-1], rhsContracting: [y.rank === 1 ? 0 : -2] });
  };
  np.tensordot = (a, b, axes = 2) => {
    const [x, y] = sameType([a, b]);
    const [lhsContracting, rhsContracting] =
      typeof axes === 'number'
        ? [upTo(axes).map((d) => x.rank - axes + d), upTo(axes)]
        : axes.map((/** @type {any} */ list) => (Array.isArray(list) ? list : [list]));
    return hlo.dotGeneral(x, y, { lhsContracting, rhsContracting });
  };
  np.inner = (a, b) => {
    const [x, y] = [a, b].map((value) => asArray(hlo, value));
    return x.rank === 0 || y.rank === 0 ? np.dot(x, y) : np.tensordot(x, y, [-1, -1]);
  };
  np.outer = (a, b) => np.tensordot(np.ravel(a), np.ravel(b), 0);
  np.einsum = (subscripts, ...operands) => einsum(hlo, subscripts, sameType(operands));
  return np;
}

/**
 * Sums of products by subscripts ("bij,bjk->bik"), operand by operand from the left.
 * @param {Hlo} hlo
 * @param {string} subscripts
 * @param {any[]} operands
 */
function einsum(hlo, subscripts, operands) {
  const [inputs, output] = subscripts.replaceAll(' ', '').split('->');
  const labels = inputs.split(',');
  if (labels.length !== operands.length || !/^[A-Za-z,]*$/.test(inputs))
    throw new HloError(`"${subscripts}" does not describe ${operands.length} operands`);
  const letters = [...inputs.replaceAll(',', '')];
  const result =
    output ??
    [...new Set(letters)]
      .filter((c) => letters.indexOf(c) === letters.lastIndexOf(c))
      .sort()
      .join('');
  let terms = operands.map((x, i) => diagonal(hlo, x, labels[i]));
  while (terms.length > 1) {
    const [a, b, ...rest] = terms;
    const needed = new Set([...result, ...rest.flatMap(({ name }) => [...name])]);
    terms = [
      contract(hlo, sumOut(hlo, a, needed, b.name), sumOut(hlo, b, needed, a.name), needed),
      ...rest,
    ];
  }
  const [{ x, name }] = [sumOut(hlo, terms[0], new Set(result), '')];
  for (const c of result)
    if (!name.includes(c)) throw new HloError(`"${c}" of the result is in no operand`);
  return hlo.transpose(
    x,
    [...result].map((c) => name.indexOf(c)),
  );
}

/** One operand with each letter once: repeated ones take the diagonal. @param {Hlo} hlo @param {any} x @param {string} name */
function diagonal(hlo, x, name) {
  if (name.length !== x.rank)
    throw new ShapeError(`"${name}" does not name the dimensions of ${x.shape.text}`);
  for (let d = 0; d < name.length; d++) {
    const other = name.indexOf(name[d], d + 1);
    if (other < 0) continue;
    const isOn = hlo.eq(hlo.iota('s32', x.dims, d), hlo.iota('s32', x.dims, other));
    const zeros = hlo.broadcastInDim(hlo.array(0, x.type), x.dims, []);
    const kept = hlo.reduce(hlo.select(isOn, x, zeros), hlo.array(0, x.type), 'add', [other]);
    return diagonal(hlo, kept, name.slice(0, other) + name.slice(other + 1));
  }
  return { x, name };
}

/** @param {Hlo} hlo @param {{ x: any, name: string }} term @param {Set<string>} needed @param {string} also letters of the other operand */
function sumOut(hlo, { x, name }, needed, also) {
  const gone = [...name].flatMap((c, d) => (needed.has(c) || also.includes(c) ? [] : [d]));
  if (gone.length === 0) return { x, name };
  const left = [...name].filter((_, d) => !gone.includes(d)).join('');
  return { x: hlo.reduce(x, hlo.array(0, x.type), 'add', gone), name: left };
}

/** @param {Hlo} hlo @param {{ x: any, name: string }} a @param {{ x: any, name: string }} b @param {Set<string>} needed */
function contract(hlo, a, b, needed) {
  const shared = [...a.name].filter((c) => b.name.includes(c));
  const batch = shared.filter((c) => needed.has(c));
  const summed = shared.filter((c) => !needed.has(c));
  const numbers = (/** @type {string} */ name, /** @type {string[]} */ list) =>
    list.map((c) => name.indexOf(c));
  const x = hlo.dotGeneral(a.x, b.x, {
    lhsBatch: numbers(a.name, batch),
    rhsBatch: numbers(b.name, batch),
    lhsContracting: numbers(a.name, summed),
    rhsContracting: numbers(b.name, summed),
  });
  const free = (/** @type {string} */ name) => [...name].filter((c) => !shared.includes(c));
  return { x, name: [...batch, ...free(a.name), ...free(b.name)].join('') };
}
