// LAPACK's routines by the engine against the oracle's: element by element where the definition
// leaves no choice, else by what the results are defined to be, with equal values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const types = {
  f32: { letter: 's', part: 'f32', name: 'f32', close: 1e-4 },
  f64: { letter: 'd', part: 'f64', name: 'f64', close: 1e-10 },
  c64: { letter: 'c', part: 'f32', name: 'complex<f32>', close: 1e-4 },
  c128: { letter: 'z', part: 'f64', name: 'complex<f64>', close: 1e-10 },
};
const isComplex = (type) => type.startsWith('c');
const few = ([m, n]) => Math.min(m, n);
const code = (letters) =>
  Object.entries(letters)
    .map(([key, letter]) => `${key} = ${letter.charCodeAt(0)} : ui8`)
    .join(', ');

// --- complex matrices: lists of rows of [re, im] ---

const add = ([a, b], [c, d]) => [a + c, b + d];
const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];
const matrix = (m, n, of) =>
  Array.from({ length: m }, (_, i) => Array.from({ length: n }, (__, j) => of(i, j)));
const product = (a, b, inner = b.length) =>
  matrix(a.length, b[0]?.length ?? 0, (i, j) => {
    let sum = [0, 0];
    for (let k = 0; k < inner; k++) sum = add(sum, times(a[i][k], b[k][j]));
    return sum;
  });
const adjoint = (a, rows = a[0]?.length ?? 0) =>
  matrix(rows, a.length, (i, j) => [a[j][i][0], -a[j][i][1]]);
const diagonal = (values) =>
  matrix(values.length, values.length, (i, j) => (i === j ? values[i] : [0, 0]));
const distance = (a, b) =>
  Math.max(0, ...a.flatMap((row, i) => row.map((z, j) => Math.hypot(z[0] - b[i][j][0], z[1] - b[i][j][1])))); // prettier-ignore

/** The largest magnitude, or 1. */
const largestOf = (a) => Math.max(1, ...a.flatMap((row) => row.map((z) => Math.hypot(z[0], z[1]))));

function assertEqual(a, b, close, what) {
  assert.deepEqual([a.length, a[0]?.length], [b.length, b[0]?.length], what);
  const off = distance(a, b);
  assert(off <= close, `${what}: off by ${off}`);
}

const assertUnitary = (q, close, what) =>
  assertEqual(
    product(adjoint(q), q),
    diagonal((q[0] ?? []).map(() => [1, 0])),
    close,
    `${what}: not unitary`,
  );

// --- calls ---

/** The tensor types of a call's shapes: of the routine's type, or of `s32`, or of its `real` or `complex` one. */
function tensor(type, shape, kind) {
  const { name, part } = types[type];
  const element = { s32: 'i32', real: part, complex: `complex<${part}>` }[kind] ?? name;
  return `tensor<${[...shape, element].join('x')}>`;
}

/** Runs a routine on a batch of two; gives results as lists, for each, of complex matrices. */
function run(hlo, { routine, type, operands, results, config = '' }, options) {
  const batch = (shape) => [2, ...shape];
  const typed = (list) => list.map(([shape, kind]) => tensor(type, batch(shape), kind));
  const given = typed(operands.map(({ shape }) => [shape]));
  const got = typed(results);
  const names = given.map((_, i) => `%a${i}`);
  const values = got.map((_, i) => (got.length > 1 ? `%r#${i}` : '%r'));
  const program = `func.func @main(${names.map((name, i) => `${name}: ${given[i]}`).join(', ')}) -> (${got.join(', ')}) {
  %r${got.length > 1 ? `:${got.length}` : ''} = stablehlo.custom_call @lapack_${types[type].letter}${routine}_ffi(${names.join(', ')}) {mhlo.backend_config = {${config}}} : (${given.join(', ')}) -> ${got.length > 1 ? `(${got.join(', ')})` : got[0]}
  return ${values.join(', ')} : ${got.join(', ')} }`;
  const inputs = operands.map(({ shape, data }) => hlo.array(data, { type, shape: batch(shape) }));
  const executable = hlo.compile(program, options);
  const outputs = executable.run(inputs);
  const lists = outputs.map((y, k) => {
    const pairs = isComplex(y.type);
    const numbers = y.toTypedArray();
    const [[m = 1, n = 1]] = results[k];
    const at = (i) => (pairs ? [numbers[2 * i], numbers[2 * i + 1]] : [Number(numbers[i]), 0]);
    return [0, 1].map((b) => matrix(m, n, (i, j) => at((b * m + i) * n + j)));
  });
  for (const object of [...inputs, ...outputs, executable]) object.dispose();
  return lists;
}

/** Two matrices side by side in memory, and as lists. */
function operand(type, shape, of) {
  const [m, n = 1] = shape;
  const lists = [0, 1].map((b) => matrix(m, n, (i, j) => of(b, i, j)));
  const Numbers = types[type].part === 'f32' ? Float32Array : Float64Array;
  const rounded = lists.map((list) => list.map((row) => row.map((z) => [...Numbers.from(z)])));
  const pairs = rounded.flat(2);
  return {
    shape,
    data: Numbers.from(isComplex(type) ? pairs.flat() : pairs.map(([x]) => x)),
    lists: rounded,
  };
}

/** Numbers of both signs in all parts of the type; of a singular matrix the middle column is zero. */
const entries = (random, type, n, isSingular) => (_, __, j) => {
  const z = [random() * 2 - 1, isComplex(type) ? random() * 2 - 1 : 0];
  return isSingular && j === n >> 1 ? [0, 0] : z;
};

/** Of the same lists with their adjoints added, so many times the identity, too. */
function hermitian(type, { shape, lists }, shift = 0) {
  return operand(type, shape, (b, i, j) => {
    const [[p, q], [r, s]] = [lists[b][i][j], lists[b][j][i]];
    return [p + r + (i === j ? shift : 0), q - s];
  });
}

/** A column of the lists' first numbers, other ones for other `k`; none is near zero. */
const column = (type, { lists }, length, k = 0) =>
  operand(type, [length], (b, i) => {
    const all = lists[b].flat();
    const [x, y] = all[(i + k) % all.length];
    return [x + (2 + k) * Math.sign(x || 1), y];
  });

// prettier-ignore
const calls = {
  getrf: ({ a, shape: [m, n] }) => ({ operands: [a], results: [[[m, n]], [[few([m, n])], 's32'], [[], 's32']] }),
  geqrf: ({ a, shape: [m, n] }) => ({ operands: [a], results: [[[m, n]], [[few([m, n])]]] }),
  orgqr: ({ type, a, b, shape: [m, n] }) => m >= n && {
    routine: isComplex(type) ? 'ungqr' : 'orgqr', operands: [a, column(type, b, n)], results: [[[m, n]]],
  },
  ormqr: ({ type, a, b, shape: [m, n] }) => ({
    routine: isComplex(type) ? 'unmqr' : 'ormqr', operands: [a, column(type, b, few([m, n])), b], results: [[[m, n]]],
    config: 'left = true, transpose = true',
  }),
  potrf: ({ type, a, shape: [m, n] }) => m === n && {
    operands: [hermitian(type, a, 2 * n)], results: [[[n, n]], [[], 's32']], config: code({ uplo: 'U' }),
  },
  trsm: ({ type, a, b, shape: [m, n] }) => m === n && {
    operands: [hermitian(type, a, 2 * n), b], results: [[[n, n]]],
    config: code({ side: 'R', uplo: 'L', trans_x: 'C', diag: 'N' }),
  },
  gehrd: ({ a, shape: [m, n] }) => m === n && {
    operands: [a], results: [[[n, n]], [[Math.max(n - 1, 0)]], [[], 's32']], config: `low = 1 : i32, high = ${n} : i32`,
  },
  sytrd: ({ type, a, shape: [m, n] }) => m === n && {
    routine: isComplex(type) ? 'hetrd' : 'sytrd', operands: [hermitian(type, a)],
    results: [[[n, n]], [[n], 'real'], [[Math.max(n - 1, 0)], 'real'], [[Math.max(n - 1, 0)]], [[], 's32']],
    config: code({ uplo: 'U' }),
  },
  gtsv: ({ type, a, b, shape: [m, n] }) => m === n && {
    operands: [...[0, 1, 2].map((k) => column(type, b, n, k)), a],
    results: [[[n]], [[n]], [[n]], [[n, n]], [[], 's32']],
  },
};

const shapes = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n, n]);
shapes.push([7, 4], [4, 7], [20, 2], [2, 20], [1, 5], [5, 1]);

for (const type in types) {
  const { close } = types[type];

  /** Calls with each shape, of usual and of singular matrices, the results of the engine and of the oracle. */
  async function compare(seed, call, check) {
    const hlo = await load();
    const random = randomNumbers(seed);
    for (const shape of shapes)
      for (const isSingular of [false, true]) {
        const a = operand(type, shape, entries(random, type, shape[1], isSingular));
        const b = operand(type, shape, entries(random, type, shape[1], false));
        const { routine, ...rest } = call({ type, a, b, shape });
        if (rest.operands === undefined) continue;
        const both = [undefined, { reference: true }].map((options) =>
          run(hlo, { routine, type, ...rest }, options),
        );
        const what = `${routine} of ${type}[${shape}]${isSingular ? ', singular' : ''}`;
        for (const [k, given] of rest.operands[0].lists.entries())
          check(
            given,
            both.map((results) => results.map((list) => list[k])),
            what,
          );
      }
    hlo.dispose?.();
  }

  for (const [routine, call] of Object.entries(calls))
    test(`${routine} of ${type} has the oracle's elements`, () =>
      compare(
        1,
        (given) => ({ routine, ...call(given) }),
        (_, [fast, want], what) => {
          for (const k in want)
            // reflectors of any tau make elements larger
            assertEqual(fast[k], want[k], close * largestOf(want[k]), `${what}, result ${k}`);
        },
      ));

  test(`eigenvectors of Hermitian matrices of ${type} are what they are defined to be`, () =>
    compare(
      2,
      ({ a, shape: [m, n] }) => ({
        routine: isComplex(type) ? 'heevd' : 'syevd',
        ...(m === n && {
          operands: [hermitian(type, a)],
          results: [[[n, n]], [[n], 'real'], [[], 's32']],
          config: code({ mode: 'V', uplo: 'L' }),
        }),
      }),
      (a, both, what) => {
        for (const [vectors, values] of both) {
          assertUnitary(vectors, close, what);
          const scaled = product(vectors, diagonal(values.flat()));
          assertEqual(product(a, vectors), scaled, close, what);
        }
        assertEqual(both[0][1], both[1][1], close, `${what}, values`);
      },
    ));

  for (const mode of ['S', 'A'])
    test(`singular vectors (${mode}) of ${type} are what they are defined to be`, () =>
      compare(
        3,
        ({ a, shape: [m, n] }) => {
          const [p, q] = mode === 'A' ? [m, n] : [few([m, n]), few([m, n])];
          const results = [[[m, n]], [[few([m, n])], 'real'], [[m, p]], [[q, n]], [[], 's32']];
          return { routine: 'gesdd', operands: [a], results, config: code({ mode }) };
        },
        (a, both, what) => {
          for (const [, values, u, vh] of both) {
            assertUnitary(u, close, `${what}, u`);
            assertUnitary(adjoint(vh, a[0]?.length), close, `${what}, v`);
            const scaled = u.map((row) => values.map(([[s]], k) => times(row[k], [s, 0])));
            assertEqual(product(scaled, vh, values.length), a, close, what);
          }
          assertEqual(both[0][1], both[1][1], close, `${what}, values`);
        },
      ));

  test(`Schur forms of ${type} are what they are defined to be`, () =>
    compare(
      4,
      ({ a, shape: [m, n] }) => ({
        routine: 'gees',
        ...(m === n && {
          operands: [a],
          results: [[[n, n]], [[n, n]], [[n]], ...(isComplex(type) ? [] : [[[n]]]), [[], 's32'], [[], 's32']],
          config: code({ mode: 'V', sort: 'N' }),
        }), // prettier-ignore
      }),
      (a, both, what) => {
        for (const [t, z] of both) {
          assertUnitary(z, close, what);
          assertEqual(product(product(z, t), adjoint(z)), a, close, what);
          const below = matrix(a.length, a.length, (i, j) =>
            i > j + (isComplex(type) ? 0 : 1) ? t[i][j] : [0, 0],
          );
          assertEqual(
            below,
            below.map((row) => row.map(() => [0, 0])),
            0,
            `${what}, not triangular`,
          );
        }
      },
    ));

  test(`eigenvectors of ${type} are what they are defined to be`, () =>
    compare(
      5,
      ({ a, shape: [m, n] }) => ({
        routine: 'geev',
        ...(m === n && {
          operands: [a],
          results: [[[n]], ...(isComplex(type) ? [] : [[[n]]]), [[n, n], 'complex'], [[n, n], 'complex'], [[], 's32']],
          config: code({ compute_left: 'V', compute_right: 'V' }),
        }), // prettier-ignore
      }),
      (a, both, what) => {
        for (const results of both) {
          const [left, right] = results.slice(isComplex(type) ? 1 : 2);
          const values = results[0].map(([z], i) =>
            isComplex(type) ? z : [z[0], results[1][i][0][0]],
          );
          const conjugates = diagonal(values.map(([x, y]) => [x, -y]));
          assertEqual(product(a, right), product(right, diagonal(values)), close, what);
          assertEqual(product(adjoint(a), left), product(left, conjugates), close, what);
          for (const vectors of [left, right]) {
            const norms = product(adjoint(vectors), vectors).map((row, i) => row[i]);
            assertEqual([norms], [norms.map(() => [1, 0])], close, `${what}, norms`);
          }
        }
      },
    ));
}
