// Triangular systems and LU factors of a few numbers in loops, which become elementwise operations, as JAX calls BLAS and LAPACK
// for them, next to the routines, whose numbers they have to the last bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

/** A loop of so many rounds over a state whose first element counts them. */
const loop = (state, rounds, body, entry, result) => `HloModule systems
body {
  s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  j = s32[] add(i, one)
${body}
}
goes_on {
  s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(${rounds})
  ROOT less = pred[] compare(i, n), direction=LT
}
ENTRY e {
  zero = s32[] constant(0)
${entry}
  w = ${state} while(s), condition=goes_on, body=body
  ROOT r = ${result}
}
`;

const flags = (...letters) => letters.map((letter) => letter.charCodeAt(0));
for (const side of flags('L', 'R'))
  for (const uplo of flags('L', 'U'))
    test(`triangular systems of a few numbers in a loop, ${String.fromCharCode(side, uplo)}`, async () => {
      const hlo = await load();
      for (const form of flags('N', 'T'))
        for (const diag of flags('N', 'U'))
          for (const [n, m, type] of [
            [1, 3, 'f32'],
            [3, 1, 'f64'],
            [4, 4, 'f32'],
            [5, 2, 'f32'],
          ]) {
            const dims = side === flags('L')[0] ? [n, m] : [m, n];
            const letter = type === 'f32' ? 's' : 'd';
            const config = `{diag = ${diag} : ui8, side = ${side} : ui8, trans_x = ${form} : ui8, uplo = ${uplo} : ui8}`;
            const state = `(s32[], ${type}[${n},${n}], ${type}[${dims}])`;
            const text = loop(
              state,
              3,
              `  a = ${type}[${n},${n}] get-tuple-element(s), index=1
  b = ${type}[${dims}] get-tuple-element(s), index=2
  x = ${type}[${dims}]{0,1} custom-call(a, b), custom_call_target="lapack_${letter}trsm_ffi", backend_config=${config}, api_version=API_VERSION_TYPED_FFI
  y = ${type}[${dims}] copy(x)
  ROOT r = ${state} tuple(j, a, y)`,
              `  a = ${type}[${n},${n}] parameter(0)
  b = ${type}[${dims}] parameter(1)
  s = ${state} tuple(zero, a, b)`,
              `${type}[${dims}] get-tuple-element(w), index=2`,
            );
            const module = hlo.parse(text);
            const numbers = (count) =>
              Array.from({ length: count }, (_, i) => 1 + ((7 * i) % 11) / 8);
            const inputs = [
              hlo.array(numbers(n * n), { type, shape: [n, n] }),
              hlo.array(numbers(n * m), { type, shape: dims }),
            ];
            const [want] = module.compile({ optimize: false }).run(inputs);
            const [got] = module.compile().run(inputs);
            assert.deepEqual(got.toNested(), want.toNested(), text);
          }
    });

for (const type of ['f32', 'f64'])
  test(`LU factors of a few numbers in a loop, ${type}`, async () => {
    const hlo = await load();
    const random = randomNumbers(1);
    for (const n of [1, 2, 3, 4]) {
      const letter = type === 'f32' ? 's' : 'd';
      const state = `(s32[], ${type}[${n},${n}], s32[${n}], s32[])`;
      const text = loop(
        state,
        2,
        `  a = ${type}[${n},${n}] get-tuple-element(s), index=1
  lu = (${type}[${n},${n}]{0,1}, s32[${n}], s32[]) custom-call(a), custom_call_target="lapack_${letter}getrf_ffi", backend_config={}, api_version=API_VERSION_TYPED_FFI
  f = ${type}[${n},${n}]{0,1} get-tuple-element(lu), index=0
  g = ${type}[${n},${n}] copy(f)
  p = s32[${n}] get-tuple-element(lu), index=1
  q = s32[] get-tuple-element(lu), index=2
  ROOT r = ${state} tuple(j, g, p, q)`,
        `  a = ${type}[${n},${n}] parameter(0)
  p = s32[${n}] broadcast(zero), dimensions={}
  s = ${state} tuple(zero, a, p, zero)`,
        `${state} copy(w)`,
      );
      const module = hlo.parse(text);
      const plain = module.compile({ optimize: false }),
        compiled = module.compile();
      for (let k = 0; k < 200; k++) {
        // Mostly few different numbers, so that some are alike and some matrices are singular.
        const number = () => (k % 3 ? Math.floor(5 * random()) - 2 : random() - 0.5);
        const input = hlo.array(Array.from({ length: n * n }, number), { type, shape: [n, n] });
        const [want, got] = [plain, compiled].map((program) => program.run([input]));
        for (const [i, x] of want.entries())
          assert.deepEqual(got[i].toNested(), x.toNested(), JSON.stringify(input.toNested()));
        for (const array of [input, ...want, ...got]) array.dispose();
      }
    }
  });
