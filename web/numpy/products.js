// NumPy's products of arrays: matrices, tensors, sums by subscripts.
import { HloError, ShapeError } from '../errors.js';
import { sameType } from './casting.js';
import {
  asArray,
  axesOf,
  broadcastShapes,
  broadcastTo,
  integer,
  promoteAndBroadcast,
  range,
} from './promotion.js';

/** @typedef {any} Hlo */

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
export function productFunctions(hlo) {
  /** @type {Record<string, (...args: any[]) => any>} */
  const np = {};
  const dropRow = (/** @type {any} */ x) => hlo.reshape(x, x.dims.toSpliced(-2, 1));
  np.matmul = (a, b) => {
    const [x, y] = sameType(hlo, [a, b]);
    if (x.rank === 0 || y.rank === 0) throw new ShapeError('matmul takes no scalars');
    if (x.rank <= 2 && y.rank <= 2) return hlo.dot(x, y);
    if (y.rank === 1) return hlo.dotGeneral(x, y, { lhsContracting: [-1], rhsContracting: [0] });
    if (x.rank === 1) return dropRow(np.matmul(hlo.reshape(x, [1, ...x.dims]), y));
    const batch = broadcastShapes(x.dims.slice(0, -2), y.dims.slice(0, -2));
    const numbers = range(batch.length);
    return hlo.dotGeneral(
      broadcastTo(hlo, x, [...batch, ...x.dims.slice(-2)]),
      broadcastTo(hlo, y, [...batch, ...y.dims.slice(-2)]),
      { lhsBatch: numbers, rhsBatch: numbers, lhsContracting: [-1], rhsContracting: [-2] },
    );
  };
  np.dot = (a, b) => {
    const [x, y] = sameType(hlo, [a, b]);
    if (x.rank === 0 || y.rank === 0) return hlo.mul(...promoteAndBroadcast(hlo, [x, y]));
    return hlo.dotGeneral(x, y, { lhsContracting: [-1], rhsContracting: [y.rank === 1 ? 0 : -2] });
  };
  const contractAxes = (/** @type {any} */ x, /** @type {any} */ y, /** @type {number} */ axes) => {
    if (integer(axes, 'a number of axes') < 0 || axes > Math.min(x.rank, y.rank))
      throw new ShapeError(`${axes} axes of ${x.xla.text} and ${y.xla.text} cannot be summed`);
    return axes;
  };
  np.tensordot = (a, b, { axes = 2 } = {}) => {
    const [x, y] = sameType(hlo, [a, b]);
    const [lhsContracting, rhsContracting] =
      typeof axes === 'number'
        ? [range(contractAxes(x, y, axes)).map((d) => x.rank - axes + d), range(axes)]
        : [x, y].map(({ rank }, i) => axesOf(axes[i], rank));
    if (lhsContracting.length !== rhsContracting.length)
      throw new ShapeError(
        `${lhsContracting.length} axes are not summed with ${rhsContracting.length}`,
      );
    return hlo.dotGeneral(x, y, { lhsContracting, rhsContracting });
  };
  np.inner = (a, b) => {
    const [x, y] = [a, b].map((value) => asArray(hlo, value));
    return x.rank === 0 || y.rank === 0 ? np.dot(x, y) : np.tensordot(x, y, { axes: [-1, -1] });
  };
  np.outer = (a, b) => {
    const [x, y] = [a, b].map((value) => {
      const array = asArray(hlo, value);
      return hlo.reshape(array, [array.size]);
    });
    return np.tensordot(x, y, { axes: 0 });
  };
  np.einsum = (subscripts, operands, { dtype, casting = dtype && 'safe' } = {}) =>
    einsum(hlo, subscripts, sameType(hlo, operands, { dtype, casting }));
  return np;
}

const FIRST_UNNAMED = 0xe000; // private-use letters name the dimensions of '...'

/**
 * Parses subscripts into the letters of each operand and of the result. '...' expands to private letters, one for each unnamed
 * dimension, aligned at the last.
 * @param {string} subscripts
 * @param {any[]} operands
 * @returns {{ names: string[], result: string }}
 */
function parseSubscripts(subscripts, operands) {
  const [inputs, output, ...rest] = String(subscripts).replaceAll(' ', '').split('->');
  const texts = inputs.split(',');
  const isTerm = (/** @type {string} */ text) => /^[A-Za-z]*(\.{3})?[A-Za-z]*$/.test(text);
  if (
    texts.length !== operands.length ||
    ![...texts, output ?? ''].every(isTerm) ||
    rest.length > 0
  )
    throw new HloError(`"${subscripts}" does not describe ${operands.length} operands`);
  const counts = texts.map((text, i) => {
    const count = operands[i].rank - text.replace('...', '').length;
    if (count < 0 || (count > 0 && !text.includes('...')))
      throw new ShapeError(`"${text}" does not name the dimensions of ${operands[i].xla.text}`);
    return count;
  });
  const unnamed = String.fromCharCode(...range(Math.max(...counts)).map((i) => FIRST_UNNAMED + i));
  const names = texts.map((text, i) =>
    text.replace('...', unnamed.slice(unnamed.length - counts[i])),
  );
  const all = [...inputs.replace(/[,.]/g, '')];
  const once = [...new Set(all)].filter((c) => all.indexOf(c) === all.lastIndexOf(c));
  const result = output?.replace('...', unnamed) ?? unnamed + once.sort().join('');
  if (unnamed !== '' && !result.includes(unnamed))
    throw new HloError(`"${subscripts}" does not say where "..." goes in the result`);
  for (const [i, c] of [...result].entries()) {
    if (!names.some((name) => name.includes(c)))
      throw new HloError(`"${c}" of the result is in no operand`);
    if (result.indexOf(c) < i) throw new HloError(`"${c}" is in the result twice`);
  }
  return { names, result };
}

/**
 * Contracts operands by subscripts ("bij,bjk->bik"), from left to right.
 * @param {Hlo} hlo
 * @param {string} subscripts
 * @param {any[]} operands
 */
function einsum(hlo, subscripts, operands) {
  const { names, result } = parseSubscripts(subscripts, operands);
  const diagonals = operands.map((x, i) => takeDiagonal(hlo, x, names[i]));
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const { x, name } of diagonals)
    for (const [d, c] of [...name].entries()) {
      const known = sizes.get(c) ?? 1;
      if (known !== 1 && x.dims[d] !== 1 && known !== x.dims[d])
        throw new ShapeError(`sizes ${known} and ${x.dims[d]} of "${c}" in "${subscripts}" differ`);
      sizes.set(c, known === 1 ? x.dims[d] : known);
    }
  let terms = diagonals.map((term) => dropStretched(hlo, term, sizes));
  while (terms.length > 1) {
    const [a, b, ...rest] = terms;
    const needed = new Set([...result, ...rest.flatMap(({ name }) => [...name])]);
    terms = [
      contract(hlo, sumOut(hlo, a, needed, b.name), sumOut(hlo, b, needed, a.name), needed),
      ...rest,
    ];
  }
  const [{ x, name }] = [sumOut(hlo, terms[0], new Set(result), '')];
  return hlo.transpose(
    x,
    [...result].map((c) => name.indexOf(c)),
  );
}

/** An operand with each letter once: repeated letters select the diagonal. @param {Hlo} hlo @param {any} x @param {string} name */
function takeDiagonal(hlo, x, name) {
  for (let d = 0; d < name.length; d++) {
    const other = name.indexOf(name[d], d + 1);
    if (other < 0) continue;
    if (x.dims[d] !== x.dims[other])
      throw new ShapeError(`"${name[d]}" has sizes ${x.dims[d]} and ${x.dims[other]}: no diagonal`);
    const isDiagonal = hlo.eq(hlo.iota('s32', x.dims, d), hlo.iota('s32', x.dims, other));
    const zeros = hlo.broadcastInDim(hlo.array(0, x.type), x.dims, []);
    const sum = x.type === 'pred' ? 'or' : 'add';
    const kept = hlo.reduce(hlo.select(isDiagonal, x, zeros), hlo.array(0, x.type), sum, [other]);
    return takeDiagonal(hlo, kept, name.slice(0, other) + name.slice(other + 1));
  }
  return { x, name };
}

/**
 * Drops dimensions of size 1 whose letter has another size elsewhere: the operand is constant along them.
 * @param {Hlo} hlo
 * @param {{ x: any, name: string }} term
 * @param {Map<string, number>} sizes
 */
function dropStretched(hlo, { x, name }, sizes) {
  const kept = [...name].flatMap((c, d) => (x.dims[d] === sizes.get(c) ? [d] : []));
  if (kept.length === name.length) return { x, name };
  return {
    x: hlo.reshape(
      x,
      kept.map((d) => x.dims[d]),
    ),
    name: kept.map((d) => name[d]).join(''),
  };
}

/** @param {Hlo} hlo @param {{ x: any, name: string }} term @param {Set<string>} needed @param {string} also letters of the other operand */
function sumOut(hlo, { x, name }, needed, also) {
  const summedAxes = [...name].flatMap((c, d) => (needed.has(c) || also.includes(c) ? [] : [d]));
  if (summedAxes.length === 0) return { x, name };
  const left = [...name].filter((_, d) => !summedAxes.includes(d)).join('');
  return { x: hlo.reduce(x, hlo.array(0, x.type), 'add', summedAxes), name: left };
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
  const freeLetters = (/** @type {string} */ name) => [...name].filter((c) => !shared.includes(c));
  return { x, name: [...batch, ...freeLetters(a.name), ...freeLetters(b.name)].join('') };
}
