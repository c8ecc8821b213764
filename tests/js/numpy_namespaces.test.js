// np.linalg and np.fft as namespaces: the parameters of NumPy's functions, errors that say what is wrong, singular matrices.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { parseCall } from '../../web/numpy/calls.js';
import { signatures as ofFft } from '../../web/numpy/fft/signatures.js';
import { signatures as ofLinalg } from '../../web/numpy/linalg/signatures.js';
import { readCases } from './fixture_arrays.js';

const hlo = await load();
const { linalg, fft } = /** @type {Record<string, any>} */ (hlo.np);

/** Name, whether it goes by place, whether it may be missing. @type {Record<string, Record<string, [string, boolean, boolean][]>>} */
const parameters = JSON.parse(
  readFileSync(new URL('../fixtures/numpy/namespaces.json', import.meta.url), 'utf8'),
);
/** JAX's, of functions that make an array of nothing but numbers. @type {Record<string, string[]>} */
const additional = { fftfreq: ['dtype'], rfftfreq: ['dtype'] };

for (const [
  namespace,
  functions,
  signatures,
] of /** @type {[string, any, Record<string, string>][]} */ ([
  ['linalg', linalg, ofLinalg],
  ['fft', fft, ofFft],
])) {
  test(`np.${namespace} has NumPy’s functions`, () => {
    assert.ok(Object.isFrozen(functions));
    assert.deepEqual(Object.keys(functions).sort(), Object.keys(parameters[namespace]).sort());
  });
  test(`the functions of np.${namespace} take NumPy’s parameters`, () => {
    for (const [name, rows] of Object.entries(parameters[namespace])) {
      const { order, required, named } = parseCall(signatures[name]);
      const own = (/** @type {string} */ parameter) => !additional[name]?.includes(parameter);
      const byPlace = rows.filter(([, isInOrder]) => isInOrder).map(([parameter]) => parameter);
      assert.deepEqual(order.filter(own), byPlace, name);
      const optional = rows
        .filter(([, , mayBeMissing]) => mayBeMissing)
        .map(([parameter]) => parameter);
      const ours = named.filter((parameter) => own(parameter) && !required.includes(parameter));
      assert.deepEqual(ours.sort(), optional.sort(), name);
    }
  });
}

test('every function of np.linalg and every option is compared', () => {
  const cases = readCases('linalg.json.gz');
  const given = new Set(
    cases.flatMap(([name, args]) =>
      name
        .split(' after ')
        .flatMap((/** @type {string} */ one) => [
          one,
          ...args.flatMap((/** @type {any} */ x) =>
            Object.keys(Object(x)).map((option) => `${one} ${option}`),
          ),
        ]),
    ),
  );
  assert.deepEqual(
    Object.keys(linalg).filter((name) => !given.has(name)),
    [],
  );
  const byName = [
    'svd computeUv',
    'svd hermitian',
    'norm ord',
    'norm axis',
    'norm keepdims',
    'pinv rtol',
    'matrixRank tol',
    'matrixRank rtol',
    'lu pIndices',
    'qr mode',
    'cholesky upper',
    'solveTriangular unitDiagonal',
  ];
  assert.deepEqual(
    byName.filter((option) => !given.has(option)),
    [],
  );
});

const square = [
  [1, 2],
  [3, 4],
];
/** @type {[() => any, RegExp][]} */
const mistakes = [
  [() => linalg.inv([1, 2]), /^linalg\.inv: a is a matrix or a batch of matrices, got f32\[2\]/],
  [() => linalg.inv([[1, 2, 3]]), /^linalg\.inv: a is a square matrix .* got f32\[1,3\]/],
  [() => linalg.inv(), /^linalg\.inv\(a\) takes 1 argument, got 0/],
  [() => linalg.inv(square, 2), /^linalg\.inv\(a\)/],
  [
    () => linalg.solve(square, [1, 2, 3]),
    /^linalg\.solve: b has 2 rows, .* got f32\[3\] for f32\[2,2\]/,
  ],
  [
    () => linalg.svd(square, { fullMatrices: 1 }),
    /^linalg\.svd: fullMatrices is true or false, got 1/,
  ],
  [
    () => linalg.svd(square, { full_matrices: false }),
    /^linalg\.svd has no option "full_matrices": .*fullMatrices/,
  ],
  [() => linalg.qr(square, 'full'), /^linalg\.qr: mode is "reduced" or .*"full"/],
  [() => linalg.eigh(square, 'l'), /^linalg\.eigh: UPLO is "L" or "U", got "l"/],
  [() => linalg.norm(square, 3), /^linalg\.norm: ord of matrices is "fro", .* got 3/],
  [() => linalg.norm([1, 2], 'fro'), /^linalg\.norm: ord of vectors is a number, got "fro"/],
  [() => linalg.norm(square, { axis: 2 }), /^linalg\.norm: axis 2 is out of range for rank 2/],
  [() => linalg.matrixPower(square, 0.5), /^linalg\.matrixPower: n is an integer, got 0\.5/],
  [() => linalg.multiDot([square]), /^linalg\.multiDot: arrays is a list of two arrays at least/],
  [
    () => linalg.multiDot([square, [[1, 2, 3]]]),
    /^linalg\.multiDot: arrays\[0\] has as many columns/,
  ],
  [() => linalg.outer(square, [1]), /^linalg\.outer: x1 has one dimension, got f32\[2,2\]/],
  [
    () => linalg.choSolve(square, [1, 2]),
    /^linalg\.choSolve: cAndLower is the result of choFactor/,
  ],
  [() => linalg.luSolve([square], [1, 2]), /^linalg\.luSolve: luAndPiv is the result of luFactor/],
  [() => linalg.lstsq(square, [1, 2], '1'), /^linalg\.lstsq: rcond is a number or null, got "1"/],
  [() => linalg.pinv(square, { rcond: 1, rtol: 1 }), /^linalg\.pinv: rcond and rtol/],
  [() => linalg.schur(square, 'r'), /^linalg\.schur: output is "real" or "complex", got "r"/],
  [() => linalg.det('x'), /^linalg\.det: a is an array, a list or a number, got "x"/],
  [() => linalg.solve(square, null), /^linalg\.solve: b is an array, a list or a number, got null/],
  [() => linalg.multiDot([square, 'x']), /^linalg\.multiDot: arrays\[1\] is an array.* got "x"/],
  [() => linalg.matrixRank(square, 'x'), /^linalg\.matrixRank: tol is an array.* got "x"/],
  [() => linalg.cross([1, 2, 3], 'x'), /^linalg\.cross: x2 is an array.* got "x"/],
  [() => fft.fft('x'), /^fft\.fft: a is an array, a list or a number, got "x"/],
  [() => fft.fftfreq(4, { dtype: 'int32' }), /^fft\.fftfreq: dtype is a type of floats, got "s32"/],
  [() => fft.fft([1, 2], 3, 0, null, 5), /^fft\.fft\(a, n, axis, norm\)/],
  [() => fft.fft([1, 2], { n: 1.5 }), /^fft\.fft: n is an integer of at least 1, got 1\.5/],
  [() => fft.fft([1, 2], { size: 4 }), /^fft\.fft has no option "size"/],
  [() => fft.fft([1, 2], { norm: 'unitary' }), /^fft\.fft: norm is "backward", .*"unitary"/],
  [() => fft.fft2([[1, 2]], { axes: 1 }), /^fft\.fft2: axes is a list, got 1/],
  [() => fft.fftn([[1, 2]], { s: 4 }), /^fft\.fftn: s is a list of sizes, got 4/],
  [() => fft.fftfreq(4, '1'), /^fft\.fftfreq: d is a number, got "1"/],
];
for (const [call, message] of mistakes)
  test(`a mistake is explained: ${call.toString().slice(6)}`, () =>
    assert.throws(call, (error) => {
      assert.ok(error instanceof HloError, `${error}`);
      assert.match(error.message, message);
      return true;
    }));

test('a singular matrix gives infinities and NaN, traced or not', () => {
  const singular = hlo.array(
    [
      [1, 2],
      [2, 4],
    ],
    'f32',
  );
  const b = hlo.array([1, 1], 'f32');
  for (const run of [(/** @type {any} */ f) => f, (/** @type {any} */ f) => hlo.jit(f)]) {
    const solution = run((/** @type {any} */ a, /** @type {any} */ c) => linalg.solve(a, c))(
      singular,
      b,
    );
    assert.ok([...solution.toTypedArray()].every((x) => !Number.isFinite(x)));
    assert.equal(Math.abs(run((/** @type {any} */ a) => linalg.det(a))(singular).item()), 0);
    const [sign, logarithm] = run((/** @type {any} */ a) => linalg.slogdet(a))(singular);
    assert.deepEqual([sign.item(), logarithm.item()], [0, -Infinity]);
    assert.ok(run((/** @type {any} */ a) => linalg.cond(a))(singular).item() > 1e7);
    const factor = run((/** @type {any} */ a) => linalg.cholesky(a))(
      hlo.array(
        [
          [1, 2],
          [2, 1],
        ],
        'f32',
      ),
    );
    assert.ok([...factor.toTypedArray()].some(Number.isNaN));
  }
});

test('NaN in a matrix gives NaN, and no error', () => {
  const a = hlo.array(
    [
      [1, NaN],
      [NaN, 4],
    ],
    'f64',
  );
  for (const name of [
    'inv',
    'det',
    'eigvalsh',
    'svdvals',
    'eigvals',
    'pinv',
    'expm',
    'norm',
    'cond',
  ]) {
    const numbers = [...hlo.convert(linalg[name](a), 'c128').toTypedArray()];
    assert.ok(numbers.some(Number.isNaN), name);
  }
});
