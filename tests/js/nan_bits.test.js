// Which NaN comes out: an operation that hands a NaN on keeps its sign and payload, whatever the size, the type, the build and
// the way the program takes, so that a total order sorts it to the same place. See docs/numerics.md. Signalling NaNs, which an
// operation may make quiet, are left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const Words = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };
/** By type: its quiet NaNs with payloads of both signs, and numbers at which functions have no value. */
const kinds = {
  f32: {
    bytes: 4,
    nans: [0x7fc00000n, 0xffc00000n, 0x7fc20123n, 0xffc20123n, 0x7fffffffn, 0xffffffffn],
    numbers: [0x3f800000n, 0n, 0x80000000n, 0xbf800000n, 0x40000000n, 0x7f800000n, 0xff800000n],
  },
  f64: {
    bytes: 8,
    nans: [0x7ff8n << 48n, 0xfff8n << 48n, (0x7ff8n << 48n) + 0x123n, (0xfff8n << 48n) + 0x123n],
    numbers: [0x3ff0n << 48n, 0n, 1n << 63n, 0xbff0n << 48n, 0x7ff0n << 48n, 0xfff0n << 48n],
  },
  f16: {
    bytes: 2,
    nans: [0x7e00n, 0xfe00n, 0x7e12n, 0xfe12n, 0x7fffn, 0xffffn],
    numbers: [0x3c00n, 0n, 0x8000n, 0xbc00n, 0x4000n, 0x7c00n, 0xfc00n],
  },
  bf16: {
    bytes: 2,
    nans: [0x7fc0n, 0xffc0n, 0x7fc2n, 0xffc2n, 0x7fffn, 0xffffn],
    numbers: [0x3f80n, 0n, 0x8000n, 0xbf80n, 0x4000n, 0x7f80n, 0xff80n],
  },
  f8e5m2: {
    bytes: 1,
    nans: [0x7en, 0xfen, 0x7fn, 0xffn],
    numbers: [0x3cn, 0n, 0x80n, 0xbcn, 0x40n, 0x7cn, 0xfcn],
  },
  f8e4m3fn: { bytes: 1, nans: [0x7fn, 0xffn], numbers: [0x38n, 0n, 0x80n, 0xb8n, 0x40n] },
};
const sizes = [1, 7, 100, 4099, 40003];
const ways = { reference: { reference: true }, plain: { optimize: false }, optimized: {} };

const unary =
  `abs negate sign ceil floor round-nearest-afz round-nearest-even exponential exponential-minus-one log log-plus-one
  logistic sqrt rsqrt cbrt sine cosine tan tanh erf acos acosh asin asinh atanh cosh sinh erfc erf-inv lgamma digamma bessel-i1e
  copy`.split(/\s+/);
const binary =
  'add subtract multiply divide remainder power maximum minimum atan2 next-after'.split(' ');
/** What is known of an operand chooses other instructions. */
const bounds = ['0', '1', '-1', '-0', 'inf', 'nan'];

/** An array of a list's bits, repeated. */
function arrayOf(hlo, type, list, size) {
  const words = new Words[kinds[type].bytes](size);
  for (let i = 0; i < size; i++)
    words[i] = kinds[type].bytes === 8 ? list[i % list.length] : Number(list[i % list.length]);
  return hlo.array(words.buffer, { type, shape: [size] });
}

const bitsOf = (x) => {
  const { buffer, byteOffset, byteLength } = x.toTypedArray();
  const bytes = kinds[x.type].bytes;
  return new Words[bytes](buffer, byteOffset, byteLength / bytes);
};

/**
 * Runs `body(size)` with operands of all sizes in all ways; every element depends on its place modulo the period alone.
 * @param {(i: number) => boolean} [isOpen] where the oracle may give another one than all others
 */
function checkBits(hlo, title, program, operands, isOpen = () => false) {
  const period = operands[0][1].length;
  const seen = new Array(period);
  for (const [way, options] of Object.entries(ways))
    for (const size of sizes)
      hlo.tidy(() => {
        const executable = hlo.compile(program(size), options);
        const [result] = executable.run(
          operands.map(([type, list]) => arrayOf(hlo, type, list, size)),
        );
        bitsOf(result).forEach((bits, i) => {
          if (way === 'reference' && isOpen(i % period)) return;
          seen[i % period] ??= bits;
          if (seen[i % period] === bits) return;
          const given = operands.map(([, list]) => list[i % period].toString(16)).join(', ');
          const [got, want] = [bits, seen[i % period]].map((x) => x.toString(16));
          assert.fail(
            `${title} of ${given}: ${got} where ${way} and of ${size} elements, else ${want}`,
          );
        });
        result.dispose();
        executable.dispose();
      });
  return seen;
}

for (const build of ['simd', 'relaxed-simd']) {
  const hlo = await load({ build }).catch(() => undefined); // this Node may have no relaxed SIMD
  for (const [type, { nans, numbers }] of hlo ? Object.entries(kinds) : [])
    test(`${build}: the same NaN of ${type} in every way`, () => {
      const all = [...nans, ...numbers];
      const one = numbers[0];
      for (const op of unary)
        checkBits(
          hlo,
          `${op} of ${type}`,
          (n) => `ENTRY e { p = ${type}[${n}] parameter(0) ROOT r = ${type}[${n}] ${op}(p) }`,
          [[type, all]],
        );
      const pairs = all.flatMap((a) => all.map((b) => [a, b]));
      for (const op of binary) {
        const results = checkBits(
          hlo,
          `${op} of ${type}`,
          (n) => `ENTRY e { p = ${type}[${n}] parameter(0) q = ${type}[${n}] parameter(1)
            ROOT r = ${type}[${n}] ${op}(p, q) }`,
          [0, 1].map((i) => [type, pairs.map((pair) => pair[i])]),
          (i) => !/imum/.test(op) && pairs[i].every((x) => nans.includes(x)),
        );
        pairs.forEach(([a, b], i) => {
          const [isA, isB] = [a, b].map((x) => nans.includes(x));
          const isOne =
            op === 'power' && (b === numbers[1] || b === numbers[2] || a === numbers[0]);
          if (isOne || (isA && isB && !/imum/.test(op)) || !(isA || isB)) return; // x^0, 1^x, either
          assert.equal(BigInt(results[i]), isA ? a : b, `${op} of ${type} ${a}, ${b}`);
        });
      }
      for (const op of ['maximum', 'minimum'])
        for (const bound of bounds)
          if (!(bound === 'inf' && type === 'f8e4m3fn'))
            for (const operands of ['p, q', 'q, p'])
              checkBits(
                hlo,
                `${op} of ${type} and ${bound}`,
                (n) => `ENTRY e { p = ${type}[${n}] parameter(0) c = ${type}[] constant(${bound})
                  q = ${type}[${n}] broadcast(c), dimensions={} ROOT r = ${type}[${n}] ${op}(${operands}) }`,
                [[type, all]],
              );
      checkBits(
        hlo,
        `clamp of ${type}`,
        (
          n,
        ) => `ENTRY e { p = ${type}[${n}] parameter(0) c = ${type}[] constant(0) d = ${type}[] constant(2)
          ROOT r = ${type}[${n}] clamp(c, p, d) }`,
        [[type, all]],
      );
      const few = [...nans, one];
      const triples = few.flatMap((a) => few.flatMap((b) => few.map((c) => [a, b, c])));
      checkBits(
        hlo,
        `clamp of ${type}`,
        (
          n,
        ) => `ENTRY e { a = ${type}[${n}] parameter(0) p = ${type}[${n}] parameter(1) b = ${type}[${n}] parameter(2)
          ROOT r = ${type}[${n}] clamp(a, p, b) }`,
        [0, 1, 2].map((i) => [type, triples.map((triple) => triple[i])]),
      );
      for (const to of Object.keys(kinds))
        if (to !== type)
          checkBits(
            hlo,
            `${type} to ${to}`,
            (n) => `ENTRY e { p = ${type}[${n}] parameter(0) ROOT r = ${to}[${n}] convert(p) }`,
            [[type, all]],
          );
      for (const [exponent, mantissa] of [
        [5, 10],
        [8, 7],
        [8, 23],
        [11, 52],
        [4, 3],
        [5, 2],
        [1, 0],
      ])
        checkBits(
          hlo,
          `reduce-precision of ${type}`,
          (n) => `ENTRY e { p = ${type}[${n}] parameter(0)
            ROOT r = ${type}[${n}] reduce-precision(p), exponent_bits=${exponent}, mantissa_bits=${mantissa} }`,
          [[type, all]],
        );
    });

  for (const [type, { nans, numbers, bytes }] of hlo ? Object.entries(kinds) : [])
    test(`${build}: the largest of rows with a NaN of ${type} is that NaN`, () => {
      for (const op of ['maximum', 'minimum'])
        for (const [rows, columns] of [
          [7, 3],
          [64, 100],
          [300, 300],
        ])
          for (const dimension of [0, 1])
            for (const nan of nans)
              for (const options of Object.values(ways))
                hlo.tidy(() => {
                  const place = (row, column) =>
                    dimension ? column === row % columns : row === column % rows;
                  const words = new Words[bytes](rows * columns);
                  for (let i = 0; i < words.length; i++) {
                    const value = place(Math.floor(i / columns), i % columns)
                      ? nan
                      : numbers[i % 4];
                    words[i] = bytes === 8 ? value : Number(value);
                  }
                  const count = dimension ? rows : columns;
                  const executable = hlo.compile(
                    `m { a = ${type}[] parameter(0) b = ${type}[] parameter(1) ROOT r = ${type}[] ${op}(a, b) }
                    ENTRY e { p = ${type}[${rows},${columns}] parameter(0) i = ${type}[] constant(1)
                      ROOT r = ${type}[${count}] reduce(p, i), dimensions={${dimension}}, to_apply=m }`,
                    options,
                  );
                  const x = hlo.array(words.buffer, { type, shape: [rows, columns] });
                  const [result] = executable.run([x]);
                  for (const bits of bitsOf(result))
                    assert.equal(
                      BigInt(bits),
                      nan,
                      `${op} of ${type} ${rows}x${columns} along ${dimension}`,
                    );
                  executable.dispose();
                });
    });
}
