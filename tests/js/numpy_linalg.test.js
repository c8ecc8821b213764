// np.linalg against NumPy and SciPy (tests/fixtures/numpy/linalg.py): every function over types, shapes, options and empty arrays,
// called on arrays and traced; what NumPy refuses is refused. Factors that are not unique are multiplied.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { decode, difference, epsilons, readCases, show } from './fixture_arrays.js';

const hlo = await load();
const np = /** @type {Record<string, any>} */ (hlo.np);
const linalg = /** @type {Record<string, any>} */ (hlo.np.linalg);
/** @type {[string, any[], any, number][]} */
const cases = readCases('linalg.json.gz');

const adjoint = (/** @type {any} */ x) => np.conjugate(linalg.matrixTranspose(x));
const product = (/** @type {any[]} */ ...factors) => factors.reduce((x, y) => np.matmul(x, y));
/** Columns times numbers, as many as there are. @param {any} x @param {any} numbers */
const scaled = (x, numbers) =>
  np.multiply(
    hlo.sliceInDim(x, 0, numbers.shape.at(-1), 1, x.ndim - 1),
    np.expandDims(numbers, -2),
  );
const rowsOf = (/** @type {any} */ x, /** @type {number} */ count) =>
  hlo.sliceInDim(x, 0, count, 1, x.ndim - 2);
/** @param {any} x @returns {any} the same in float32 at least, in which products are compared */
const wide = (x) => (/^(f16|bf16)$/.test(x.type) ? hlo.convert(x, 'f32') : x);
const one = (/** @type {any} */ like) =>
  np.broadcastTo(np.eye(like.shape.at(-1), { dtype: like.type }), like.shape);
/** Eigenvalues of each matrix of a batch. @param {any} values @returns {{ re: number, im: number }[][]} */
const rowsOfValues = (values) => {
  const size = values.shape.at(-1);
  const parts = [...hlo.convert(values, 'c128').toTypedArray()];
  const numbers = Array.from({ length: values.size }, (_, i) => ({
    re: parts[2 * i],
    im: parts[2 * i + 1],
  }));
  return Array.from({ length: values.size / (size || 1) }, (_, row) =>
    numbers.slice(row * size, (row + 1) * size),
  );
};

/**
 * What has to be equal, of functions whose results are not unique: pairs of what the results give and what that has to be. `want`
 * has the matrix where NumPy's factors would be.
 * @type {Record<string, (got: any[], want: any[], args: any[]) => [any, any][]>}
 */
const identities = {
  eigh: ([w, v], [values, a]) => [
    [w, values],
    [product(wide(a), wide(v)), scaled(wide(v), wide(w))],
    [product(adjoint(wide(v)), wide(v)), one(wide(v))],
  ],
  eig: ([w, v], [, a]) => [
    [product(a, v), scaled(v, w)],
    [np.sum(np.square(np.abs(v)), -2), np.ones(w.shape, np.real(w).type)],
  ],
  svd: ([u, s, vh], [theirU, values, theirVh], [a]) => {
    const [x, y, numbers] = [u, vh, s].map(wide);
    const count = s.shape.at(-1);
    const matrix = np.astype(a, x.type);
    return [
      [s, values],
      [np.zerosLike(u), np.zerosLike(theirU)],
      [np.zerosLike(vh), np.zerosLike(theirVh)],
      [product(scaled(x, numbers), rowsOf(y, count)), matrix],
      [product(adjoint(x), x), one(product(adjoint(x), x))],
      [product(y, adjoint(y)), one(product(y, adjoint(y)))],
    ];
  },
  sqrtm: ([root], [a]) => [[product(root, root), a]],
  schur: ([form, z], [a]) => [
    [np.zerosLike(form), np.zerosLike(a)],
    [product(wide(z), wide(form), adjoint(wide(z))), wide(a)],
    [product(adjoint(wide(z)), wide(z)), one(wide(z))],
    [np.tril(form, -2), np.zerosLike(form)],
    ...(/^c/.test(form.type)
      ? [/** @type {[any, any]} */ ([np.tril(form, -1), np.zerosLike(form)])]
      : []),
  ],
  hessenberg: (got, want) => {
    if (want.length === 1) return [[np.tril(got[0], -2), np.zerosLike(want[0])]];
    const [h, q] = got.map(wide);
    return [
      [got[0], np.add(got[0], np.zerosLike(want[0]))],
      [product(q, h, adjoint(q)), wide(want[0])],
      [product(adjoint(q), q), one(q)],
      [np.tril(h, -2), np.zerosLike(h)],
    ];
  },
};

/** @param {any} got @param {any} want @param {any[]} args @param {string} name @returns {[any, any][]} */
function pairsOf(got, want, args, name) {
  const [ours, theirs] = [got, want].map((x) => (Array.isArray(x) ? x : [x]));
  if (name in identities && (Array.isArray(want) || name === 'hessenberg'))
    return identities[name](ours, theirs, args);
  assert.equal(ours.length, theirs.length);
  return theirs.map((part, i) => [ours[i], part]);
}

/** Eigenvalues in any order. @param {any} got @param {any} want @param {number} units */
function setDifference(got, want, units) {
  const [ours, theirs] = [got, want].map(rowsOfValues);
  if (got.type !== want.type || String(got.shape) !== String(want.shape))
    return `${got} for ${want}`;
  const epsilon = got.type === 'c64' ? 2 ** -23 : 2 ** -52;
  for (const [row, values] of theirs.entries()) {
    const left = [...ours[row]];
    const largest = Math.max(...values.map(({ re, im }) => Math.hypot(re, im)));
    for (const { re, im } of values) {
      const distances = left.map((z) => Math.hypot(z.re - re, z.im - im));
      const nearest = distances.indexOf(Math.min(...distances));
      if (!(distances[nearest] <= units * epsilon * largest))
        return `no eigenvalue at ${re}+${im}i`;
      left.splice(nearest, 1);
    }
  }
  return undefined;
}

/** Functions of which one takes the other's result. @type {Record<string, (a: any, ...rest: any[]) => any>} */
const chains = {
  'luSolve after luFactor': (a, b, trans) => linalg.luSolve(linalg.luFactor(a), b, trans),
  'choSolve after choFactor': (a, b, lower) => linalg.choSolve(linalg.choFactor(a, { lower }), b),
};

/** @param {[string, any[], any, number]} one @param {boolean} isTraced @returns {string | undefined} */
function faultOf([name, args, result, units], isTraced) {
  const given = args.map((arg) => decode(hlo, arg));
  const f = chains[name] ?? linalg[name];
  const call = isTraced ? hlo.jit((/** @type {any[]} */ ...inner) => f(...inner)) : f;
  let got;
  try {
    got = call(...given);
  } catch (error) {
    const isRefused = result === null && error instanceof HloError;
    return isRefused && error.message.startsWith(`linalg.${name}`) ? undefined : `${error}`;
  }
  if (result === null) return `${got}, which NumPy refuses`;
  const want = decode(hlo, result);
  if (name === 'eigvals') return setDifference(got, want, units);
  if (name === 'eig' && setDifference(got[0], want[0], units))
    return setDifference(got[0], want[0], units);
  const { type } = [given[0]].flat()[0] ?? {};
  const isNarrow = type === 'f16' || type === 'bf16';
  for (const [ours, theirs] of pairsOf(got, want, given, name)) {
    // Products of narrow factors are made in f32.
    const widened = isNarrow && theirs.type === 'f32' ? epsilons[type] / epsilons.f32 : 1;
    const fault = difference(hlo, ours, theirs, units * widened);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

for (const name of [...new Set(cases.map(([its]) => its))])
  test(`linalg.${name} gives what NumPy gives`, () => {
    const own = cases.filter(([its]) => its === name);
    /** @type {string[]} */
    const faults = [];
    for (const [i, one] of own.entries())
      for (const isTraced of i % 8 === 0 && one[2] !== null ? [false, true] : [false])
        hlo.tidy(() => {
          const fault = faultOf(one, isTraced);
          const call = `${name}(${one[1].map(show).join(', ')})${isTraced ? ' traced' : ''}`;
          if (fault !== undefined) faults.push(`${call}: ${fault}`);
          return [];
        });
    assert.deepEqual(
      faults.slice(0, Number(process.env.FAULTS ?? 12)),
      [],
      `${faults.length} of ${own.length}`,
    );
  });
