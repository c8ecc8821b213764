// Products of c64 against their definition, bit by bit and on every path: the evaluator, compiled and eager programs of one
// multiplication, and emitted code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const specials = [0, -0, NaN, Infinity, -Infinity, 1, -1, 2 ** -149, 2 ** -126, 2 ** -75, 2 ** -74];
specials.push(2 ** 127, -(2 ** 64), 2 ** -24, 1.5, 1.5 * 2 ** -24, 1 + 2 ** -23, 2 - 2 ** -23);

/** Parts of every kind: any bits, small integers, special ones, and such as make sums cancel and tie, or vanish. */
function parts(length, seed) {
  const random = randomNumbers(seed);
  const x = new Float32Array(length);
  const bits = new Uint32Array(x.buffer);
  for (let i = 0; i < length; i++) {
    const kind = Math.floor(random() * 6);
    bits[i] = random() * 2 ** 32;
    if (kind === 0) x[i] = specials[Math.floor(random() * specials.length)];
    if (kind === 1) x[i] = Math.floor(random() * 8191) - 4095;
    if (kind === 2 || kind === 3) bits[i] = (bits[i] & 0x807fffff) | 0x3f800000;
    if (kind === 4) bits[i] = (bits[i] & 0x80ffffff) | 0x1f000000;
  }
  return x;
}

/** A number holds the exact product of two floats; the other product is rounded, then their sum, and that once more. */
const productOf = (a, b, c, d) => [
  Math.fround(a * c - Math.fround(b * d)),
  Math.fround(b * c + Math.fround(a * d)),
];

for (const build of ['simd', 'relaxed-simd'])
  test(`products of c64 on ${build}`, async (context) => {
    const hlo = await load({ build }).catch((error) => error);
    if (hlo instanceof WebAssembly.CompileError)
      return context.skip('this Node has no relaxed SIMD');
    for (const n of [1, 2, 3, 4, 5, 7, 1030, 40003]) {
      const left = parts(2 * n, n);
      const right = parts(2 * n, n + 1);
      const type = `c64[${n}]`;
      const two = `x = ${type} parameter(0)\n  y = ${type} parameter(1)`;
      const lone = `ENTRY e {\n  ${two}\n  ROOT r = ${type} multiply(x, y)\n}`;
      const fused = `HloModule fused\nf {\n  ${two}\n  p = ${type} multiply(x, y)\n  ROOT r = ${type} negate(p)\n}
ENTRY e {\n  ${two}\n  ROOT r = ${type} fusion(x, y), kind=kLoop, calls=f\n}`;
      const x = hlo.array(left, { type: 'c64', shape: [n] });
      const y = hlo.array(right, { type: 'c64', shape: [n] });
      const emitted = hlo.compile(fused, { optimize: false });
      assert.equal(await emitted.ready, true);
      const results = {
        evaluator: hlo.compile(lone, { reference: true }).run([x, y])[0],
        compiled: hlo.compile(lone).run([x, y])[0],
        eager: hlo.multiply(x, y),
        emitted: hlo.negate(emitted.run([x, y])[0]),
      };
      for (const [path, result] of Object.entries(results)) {
        const got = result.toTypedArray();
        for (let i = 0; i < n; i++) {
          const [a, b, c, d] = [...left.slice(2 * i, 2 * i + 2), ...right.slice(2 * i, 2 * i + 2)];
          productOf(a, b, c, d).forEach((want, part) => {
            if (!Object.is(got[2 * i + part], want))
              assert.fail(
                `${path}: (${a}, ${b}) (${c}, ${d}) is ${got[2 * i + part]}, not ${want}`,
              );
          });
        }
      }
    }
  });
