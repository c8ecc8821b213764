// One operation in every type that has it, in emitted code and by the oracle: over all codes of short types, at the ends of the
// ranges of long ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { compareWays } from './program_comparison.js';
import { randomNumbers, storageOf } from './random_program.js';

const hlo = await load();
const COUNT = 1 << 12;
const integers = ['s8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64'];
const halves = ['f16', 'bf16'];
const bytes = ['f8e5m2', 'f8e4m3', 'f8e4m3fn', 'f8e3m4', 'f8e5m2fnuz', 'f8e4m3fnuz', 'f8e8m0fnu'];
const bitsOf = (type) => (/^b?f(8|4)/.test(type) ? 8 : Number(type.match(/\d+/)[0]));

/** Integers: small ones, powers of two and their neighbours with either sign, and any. */
function integersOf(type, seed) {
  const random = randomNumbers(seed);
  const bits = BigInt(bitsOf(type));
  const all = Array.from({ length: COUNT }, (_, i) => {
    if (i < 64) return BigInt(i);
    const power = 1n << BigInt(Math.floor(random() * Number(bits)));
    const near = power + BigInt(Math.floor(random() * 5) - 2);
    const low = BigInt(Math.floor(random() * 2 ** 32));
    const any = (BigInt(Math.floor(random() * 2 ** 32)) << 32n) | low;
    return i % 3 === 0 ? any : i % 3 === 1 ? near : -near;
  });
  const wrap = (x) => (type[0] === 's' ? BigInt.asIntN : BigInt.asUintN)(Number(bits), x);
  return storageOf(type).from(bits === 64n ? all.map(wrap) : all.map((x) => Number(wrap(x))));
}

const SPECIAL = [
  0,
  1,
  0.5,
  3,
  1e-45,
  2 ** -126,
  2 ** -1074,
  2 ** -1022,
  3e38,
  1e308,
  Infinity,
  NaN,
];

/** Floats: all pairs of special ones come up; then any magnitude. */
function floatsOf(type, seed) {
  const random = randomNumbers(seed);
  const stride = seed % 2 ? 1 : SPECIAL.length;
  const number = (_, i) => {
    if (i > 600) return (random() < 0.5 ? -1 : 1) * Math.exp(80 * random() - 40);
    const sign = i & (seed % 2 ? 1 : 2) ? -1 : 1;
    return sign * SPECIAL[Math.floor((i >> 2) / stride) % SPECIAL.length];
  };
  return storageOf(type).from({ length: COUNT }, number);
}

/** Codes of floats of 8 and 16 bits: each beside all, or so many, others. */
function codesOf(type, seed) {
  const codes = 2 ** bitsOf(type);
  const random = randomNumbers(seed);
  const code = (_, i) => (seed % 2 ? i % codes : Math.floor(random() * codes));
  return storageOf(type).from({ length: codes * (codes > 256 ? 1 : 64) }, code);
}

function dataOf(type, seed) {
  if (/^[su]/.test(type)) return integersOf(type, seed);
  return bitsOf(type) < 32 ? codesOf(type, seed) : floatsOf(type, seed);
}

/** Runs an instruction of parameters p0, p1 as a fusion, and by the oracle. */
async function check(type, result, instruction, { arity = 1, before = '', second } = {}) {
  const inputs = [1, 2].slice(0, arity).map((seed) => {
    const data = dataOf(type, seed);
    return { type, dims: [data.length], data: seed === 2 && second ? data.fill(second) : data };
  });
  const n = inputs[0].dims[0];
  const names = inputs.map((_, i) => `p${i}`);
  const parameters = names.map((p, i) => ` ${p} = ${type}[${n}] parameter(${i})\n`).join('');
  const shape = `${result}[${n}]`;
  const body = `${parameters}${before.replaceAll('[n]', `[${n}]`)} ROOT r = ${shape} ${instruction}`;
  const text = `HloModule one\nfused {\n${body}\n}
ENTRY main {\n${parameters} ROOT r = ${shape} fusion(${names}), kind=kLoop, calls=fused\n}\n`;
  const { isReady, wrong } = await compareWays(hlo, { text, inputs });
  assert.equal(isReady, true, text);
  assert.equal(wrong, undefined, `${type} ${instruction}: ${wrong}`);
}

test('shifts by arrays, and counts of bits', async () => {
  for (const type of integers) {
    for (const name of ['shift-left', 'shift-right-logical', 'shift-right-arithmetic'])
      await check(type, type, `${name}(p0, p1)`, { arity: 2 });
    for (const name of ['popcnt', 'count-leading-zeros']) await check(type, type, `${name}(p0)`);
  }
});

test('the next number', async () => {
  for (const type of [...halves, ...bytes, 'f32', 'f64'])
    await check(type, type, 'next-after(p0, p1)', { arity: 2 });
});

test('integers as floats', async () => {
  for (const from of integers)
    for (const to of [...halves, ...bytes, 'f32', 'f64']) await check(from, to, 'convert(p0)');
});

test('powers of an exponent that is known', async () => {
  for (const type of [...halves, 'f32', 'f64'])
    for (const y of [-3, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3]) {
      const before = ` c = ${type}[] constant(${y})\n y = ${type}[n] broadcast(c), dimensions={}\n`;
      await check(type, type, 'power(p0, y)', { before });
      if (/32|64/.test(type)) await check(type, type, 'power(p0, p1)', { arity: 2, second: y });
    }
});
