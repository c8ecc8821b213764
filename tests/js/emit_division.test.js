// Quotients and remainders of integers in emitted code, against BigInt: by constants, whose reciprocals are multiplied
// with, and by values, near multiples of the divisor and at the ends of each type's range.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const types = {
  s8: [Int8Array, 8],
  u8: [Uint8Array, 8],
  s16: [Int16Array, 16],
  u16: [Uint16Array, 16],
  s32: [Int32Array, 32],
  u32: [Uint32Array, 32],
  s64: [BigInt64Array, 64],
  u64: [BigUint64Array, 64],
};

for (const [type, [storage, bits]] of Object.entries(types)) {
  const signed = type[0] === 's';
  const low = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const high = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  const clamp = (x) => (x < low ? low : x > high ? high : x);
  const wrap = (x) => (signed ? BigInt.asIntN(bits, x) : BigInt.asUintN(bits, x));
  const divisors = [
    0n,
    1n,
    2n,
    3n,
    7n,
    10n,
    64n,
    128n,
    641n,
    65535n,
    65537n,
    1n << 30n,
    1n << BigInt(bits - 2),
    high - 1n,
    high,
  ];
  if (signed) divisors.push(-1n, -3n, -7n, -1000n, low, low + 1n);
  const of = (list) => storage.from(bits === 64 ? list : list.map(Number));

  /** Dividends around multiples of d, and at both ends of the range. */
  const dividends = (d) => {
    const out = [low, low + 1n, high - 1n, high, 0n, 1n];
    for (let i = 0n; i < 200n; i++) {
      const multiple = (low + ((high - low) / 199n) * i) / (d || 1n);
      for (const off of [-1n, 0n, 1n]) out.push(clamp(multiple * (d || 1n) + off));
    }
    return out;
  };

  const check = async (xs, ds, divisor, operands) => {
    const n = xs.length;
    const program = hlo.parse(`HloModule division
fused {\n x = ${type}[${n}] parameter(0)\n ${divisor(n)}
 q = ${type}[${n}] divide(x, d)\n r = ${type}[${n}] remainder(x, d)\n ROOT t = (${type}[${n}], ${type}[${n}]) tuple(q, r)\n}
ENTRY main {\n x = ${type}[${n}] parameter(0)\n y = ${type}[${n}] parameter(1)
 ROOT f = (${type}[${n}], ${type}[${n}]) fusion(${operands}), kind=kLoop, calls=fused\n}\n`);
    const emitted = program.compile({ optimize: false });
    assert.equal(await emitted.ready, true);
    const [q, r] = emitted.run([hlo.array(of(xs)), hlo.array(of(ds))]);
    const quotients = q.toTypedArray();
    const remainders = r.toTypedArray();
    xs.forEach((x, i) => {
      const d = ds[i];
      const quotient = d === 0n ? wrap(-1n) : wrap(x / d);
      const remainder = d === 0n ? x : x % d;
      assert.equal(BigInt(quotients[i]), quotient, `${x} / ${d}`);
      assert.equal(BigInt(remainders[i]), remainder, `${x} % ${d}`);
    });
  };

  const fitting = divisors.filter((d) => clamp(d) === d);
  test(`${type} by constants`, async () => {
    for (const d of fitting) {
      const xs = dividends(d);
      const constant = (n) =>
        `c = ${type}[] constant(${d})\n d = ${type}[${n}] broadcast(c), dimensions={}`;
      await check(
        xs,
        xs.map(() => d),
        constant,
        'x',
      );
    }
  });

  test(`${type} by a value that all share`, async () => {
    for (const d of fitting) {
      const xs = dividends(d);
      await check(
        xs,
        xs.map(() => d),
        (
          n,
        ) => `y = ${type}[${n}] parameter(1)\n s = ${type}[1] slice(y), slice={[0:1]}\n z = ${type}[] reshape(s)
 d = ${type}[${n}] broadcast(z), dimensions={}`,
        'x, y',
      );
    }
  });

  test(`${type} by values`, async () => {
    const pairs = fitting.flatMap((d) => dividends(d).map((x) => [x, d]));
    await check(
      pairs.map((p) => p[0]),
      pairs.map((p) => p[1]),
      (n) => `d = ${type}[${n}] parameter(1)`,
      'x, y',
    );
  });
}

// JavaScript's % is exact, as IEEE 754's remainder by truncation is.
test('floats by powers of two, which are multiplied by instead of divided by', async () => {
  const special = [0, 1e-45, 2 ** -149, 1e-39, 0.1, 0.5, 1, 1.5, 2, 2.75, 3, 7.999, 8, 1e7];
  const large = [2 ** 23 + 1, 2 ** 24 + 2, 2 ** 31, 1e20, 3e38, Infinity, NaN];
  const xs = [...special, ...large].flatMap((x) => [x, -x]);
  for (const [type, storage] of Object.entries({ f32: Float32Array, f64: Float64Array }))
    for (const d of [1, 2, 8, 1024, 2 ** 59, 2 ** 60, 3, 0.5, -2, Infinity, 0, NaN]) {
      const n = xs.length;
      const text = `HloModule division
fused {\n x = ${type}[${n}] parameter(0)\n c = ${type}[] constant(${String(d).replace('Infinity', 'inf').toLowerCase()})
 d = ${type}[${n}] broadcast(c), dimensions={}\n ROOT r = ${type}[${n}] remainder(x, d)\n}
ENTRY main {\n x = ${type}[${n}] parameter(0)\n ROOT f = ${type}[${n}] fusion(x), kind=kLoop, calls=fused\n}\n`;
      const emitted = hlo.compile(text, { optimize: false });
      assert.equal(await emitted.ready, true);
      const rounded = storage.from(xs);
      const [r] = emitted.run([hlo.array(rounded)]);
      r.toTypedArray().forEach((y, i) =>
        assert.ok(Object.is(y, rounded[i] % d), `${type} ${rounded[i]} % ${d}: ${y}`),
      );
    }
});
