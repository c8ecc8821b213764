// np.linalg on matrices that are large enough for blocks, panels and divide and conquer: factors multiply to the matrix, inverses
// to the identity, within a few units of rounding.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { epsilons } from './fixture_arrays.js';

const hlo = await load();
const { np } = /** @type {{ np: Record<string, any> }} */ (/** @type {unknown} */ (hlo));
const { linalg } = np;
let state = Number(process.env.SEED ?? 7);
const random = () => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return state / 0x7fffffff - 0.5;
};
/** @param {string} type @param {number} rows @param {number} columns */
const matrixOf = (type, rows, columns) => {
  const part = () =>
    hlo.array(new Float64Array(rows * columns).map(random), {
      type: 'f64',
      shape: [rows, columns],
    });
  return hlo.convert(
    type[0] === 'c' ? hlo.complex(part(), part()) : part(),
    /** @type {any} */ (type),
  );
};
const adjoint = (/** @type {any} */ x) => np.conjugate(linalg.matrixTranspose(x));
const product = (/** @type {any[]} */ ...factors) => factors.reduce((x, y) => np.matmul(x, y));
const columnsTimes = (/** @type {any} */ x, /** @type {any} */ numbers) =>
  np.multiply(x, hlo.convert(numbers, x.type));

/** @type {Record<string, (a: any) => [any, any][]>} pairs that are to be equal, of any matrix */
const ofAny = {
  qr: (a) => {
    const [[q, r], [whole, tall]] = [linalg.qr(a), linalg.qr(a, 'complete')];
    return [
      [product(q, r), a],
      [product(whole, tall), a],
    ];
  },
  svd: (a) => {
    const [u, s, vh] = linalg.svd(a, { fullMatrices: false });
    return [
      [product(columnsTimes(u, s), vh), a],
      [linalg.svdvals(a), s],
    ];
  },
  lu: (a) => {
    const [[p, l, u], [pl, upper]] = [linalg.lu(a), linalg.lu(a, { permuteL: true })];
    return [
      [product(p, l, u), a],
      [product(pl, upper), a],
    ];
  },
  pinv: (a) => [[product(a, linalg.pinv(a), a), a]],
};
/** @type {Record<string, (a: any) => [any, any][]>} the same of a square matrix */
const ofSquare = {
  inv: (a) => [[product(a, linalg.inv(a), a), a]],
  solve: (a) => [[product(a, linalg.solve(a, adjoint(a))), adjoint(a)]],
  eigh: (a) => {
    const sum = np.add(a, adjoint(a));
    const [w, v] = linalg.eigh(sum);
    return [
      [product(columnsTimes(v, w), adjoint(v)), sum],
      [linalg.eigvalsh(sum), w],
    ];
  },
  eig: (a) => {
    const [w, v] = linalg.eig(a);
    return [[product(hlo.convert(a, v.type), v), columnsTimes(v, w)]];
  },
  schur: (a) => {
    const [form, z] = linalg.schur(a);
    return [[product(z, form, adjoint(z)), a]];
  },
  hessenberg: (a) => {
    const [h, q] = linalg.hessenberg(a, true);
    return [[product(q, h, adjoint(q)), a]];
  },
  cholesky: (a) => {
    const definite = np.add(product(a, adjoint(a)), np.eye(a.shape[0], { dtype: a.type }));
    const lower = linalg.cholesky(definite);
    const root = linalg.sqrtm(definite);
    return [
      [product(lower, adjoint(lower)), definite],
      [product(root, root), hlo.convert(definite, root.type)],
    ];
  },
  expm: (a) => {
    const small = np.divide(a, hlo.array(4, a.type));
    const one = np.eye(a.shape[0], { dtype: a.type });
    return [[product(linalg.expm(small), linalg.expm(np.negative(small))), one]];
  },
};

for (const type of ['f32', 'f64', 'c64', 'c128'])
  for (const [rows, columns] of [
    [97, 97],
    [130, 70],
    [70, 130],
  ])
    test(`factors of ${type}[${rows},${columns}] multiply to it`, () => {
      const functions = rows === columns ? { ...ofAny, ...ofSquare } : ofAny;
      for (const [name, pairs] of Object.entries(functions))
        hlo.tidy(() => {
          const a = matrixOf(type, rows, columns);
          for (const [got, want] of pairs(a)) {
            const error = linalg.norm(np.subtract(got, want)).item() / linalg.norm(want).item();
            const units = error / epsilons[type];
            // Products with inverses grow with the condition number, some hundreds here.
            const most = /inv|solve|expm/.test(name) ? 20000 : 200;
            assert.ok(units < most, `${name}: ${units} units (SEED=${process.env.SEED ?? 7})`);
          }
          return [];
        });
    });
