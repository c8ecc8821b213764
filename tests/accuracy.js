// `node tests/accuracy.js`: writes accuracy.md beside this file, the greatest error of each elementary function and type
// that the engine shows on the data of tests/c/data/elementary (mpmath, 300 bits; dense and special arguments), and for
// types of 16 bits on all 65,536 arguments. Must not know how functions are computed.
import { readFileSync, writeFileSync } from 'node:fs';
import { load } from '../web/index.js';

/** HLO's operations and the files that hold their references. */
const files = {
  exponential: 'exp',
  'exponential-minus-one': 'expm1',
  log: 'log',
  'log-plus-one': 'log1p',
  logistic: 'logistic',
  rsqrt: 'rsqrt',
  cbrt: 'cbrt',
  sine: 'sin',
  cosine: 'cos',
  tan: 'tan',
  asin: 'asin',
  acos: 'acos',
  sinh: 'sinh',
  cosh: 'cosh',
  tanh: 'tanh',
  asinh: 'asinh',
  acosh: 'acosh',
  atanh: 'atanh',
  erf: 'erf',
  erfc: 'erfc',
  'erf-inv': 'erf_inv',
  lgamma: 'lgamma',
  digamma: 'digamma',
  'bessel-i1e': 'bessel_i1e',
  power: 'pow',
  atan2: 'atan2',
  zeta: 'zeta',
  polygamma: 'polygamma',
};
const digits = { f64: 53, f32: 24, f16: 11, bf16: 8 };
const least = { f64: -1022, f32: -126, f16: -14, bf16: -126 };
const words = new DataView(new ArrayBuffer(8));

function doubleOf(bits) {
  words.setBigUint64(0, BigInt.asUintN(64, bits));
  return words.getFloat64(0);
}
function bitsOf(x) {
  words.setFloat64(0, x);
  return words.getBigUint64(0);
}
function valueOf(type, text) {
  if (type === 'f64') return doubleOf(BigInt(`0x${text}`));
  words.setUint32(0, Number.parseInt(text, 16));
  return words.getFloat32(0);
}

/** The argument rules that tests/c/data/elementary.py describes. */
function* argumentsOf(seed, ranges, count) {
  let state = BigInt(`0x${seed}`);
  for (let i = 0; i < count; i++) {
    yield ranges.map((range) => {
      const [kind, a, b] = range.split(':');
      const [low, high] = [hexadecimal(a), hexadecimal(b)];
      state ^= BigInt.asUintN(64, state << 13n);
      state ^= state >> 7n;
      state ^= BigInt.asUintN(64, state << 17n);
      const u = Number(state >> 11n) * 2 ** -53;
      if (kind === 'lin') return low + (high - low) * u;
      if (kind === 'int') return Math.floor(low + (high - low) * u);
      const [from, to] = [bitsOf(Math.abs(low)), bitsOf(Math.abs(high))];
      const magnitude = doubleOf(from + BigInt(Math.trunc(Number(to - from) * u)));
      return low < 0 ? -magnitude : magnitude;
    });
  }
}
function hexadecimal(text) {
  const [, sign, whole, fraction, exponent] = /^(-?)0x([\da-f]+)\.?([\da-f]*)p([+-]?\d+)$/.exec(
    text,
  );
  const value =
    Number.parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign ? -value : value;
}

/** All arguments and references of a file for one type: { x: number[][], nearest: number[], offset: number[] }. */
function readReferences(name, type) {
  const lines = readFileSync(
    new URL(`c/data/elementary/${name}.txt`, import.meta.url),
    'utf8',
  ).split('\n');
  const out = { x: [], nearest: [], offset: [] };
  for (let i = 0; i < lines.length && lines[i] !== '';) {
    const [kind, count, seed, ...ranges] = lines[i++].split(' ');
    const rows = lines.slice(i, i + Number(count)).map((line) => line.split(' '));
    i += Number(count);
    if (kind !== type) continue;
    const made = seed === 'points' ? null : [...argumentsOf(seed, ranges, rows.length)];
    for (const [k, row] of rows.entries()) {
      out.x.push(made ? made[k] : row.slice(0, -2).map((text) => valueOf(type, text)));
      out.nearest.push(valueOf(type, row.at(-2)));
      out.offset.push(Number(row.at(-1)) / 1000);
    }
  }
  return out;
}

/** The operation's values for columns of arguments. */
function run(hlo, op, type, columns) {
  const parameters = columns.map(
    (column, i) => `x${i} = ${type}[${column.length}] parameter(${i})`,
  );
  const names = columns.map((_, i) => `x${i}`).join(', ');
  const wide = type.endsWith('16') ? 'f32' : type;
  const executable = hlo.compile(
    `HloModule m\nENTRY main {\n${parameters.join('\n')}\ny = ${type}[${columns[0].length}] ${op}(${names})\n` +
      `ROOT z = ${wide}[${columns[0].length}] convert(y)\n}`,
  );
  const inputs = columns.map((column) => hlo.array(column, { type, shape: [column.length] }));
  const [result] = executable.run(inputs);
  const values = Array.from(result.toTypedArray(), Number);
  for (const array of [...inputs, result]) array.dispose();
  executable.dispose();
  return values;
}

function unit(type, x) {
  const exponent = x === 0 ? -Infinity : Number(bitsOf(Math.abs(x)) >> 52n) - 1023;
  return 2 ** (Math.max(exponent, least[type]) - digits[type] + 1);
}

function errorOf(type, got, nearest, offset) {
  if (Object.is(got, nearest) || got === nearest) return Math.abs(offset);
  if (!Number.isFinite(got) || !Number.isFinite(nearest))
    return Number.isNaN(got) && Number.isNaN(nearest) ? 0 : Infinity;
  return Math.abs((got - nearest) / unit(type, nearest) - offset);
}

function worstOnData(hlo, op, type) {
  const { x, nearest, offset } = readReferences(files[op], type);
  const columns = x[0].map((_, axis) => x.map((row) => row[axis]));
  const got = run(
    hlo,
    op,
    type,
    columns.map((column) => (type === 'f32' ? column.map(Math.fround) : column)),
  );
  return {
    count: got.length,
    error: Math.max(...got.map((value, i) => errorOf(type, value, nearest[i], offset[i]))),
  };
}

/** All finite numbers of a type of 16 bits, against the f64 function. */
function worstOfAll(hlo, op, type) {
  const bits = hlo.array(
    Uint16Array.from({ length: 65536 }, (_, i) => i),
    { type: 'u16', shape: [65536] },
  );
  const decode = hlo.compile(
    `HloModule m\nENTRY main {\nx = u16[65536] parameter(0)\ny = ${type}[65536] bitcast-convert(x)\nROOT z = f64[65536] convert(y)\n}`,
  );
  const [decoded] = decode.run([bits]);
  const x = Array.from(decoded.toTypedArray()).filter(Number.isFinite);
  for (const thing of [bits, decoded, decode]) thing.dispose();
  const [narrow, wide] = [type, 'f64'].map((one) => run(hlo, op, one, [x]));
  const largest = type === 'f16' ? 65504 : 2 ** 127 * (2 - 2 ** -7);
  let error = 0;
  for (const [i, value] of narrow.entries()) {
    const beyond = Math.abs(wide[i]) >= largest + unit(type, largest) / 2;
    if (!(beyond && Math.abs(value) === Infinity))
      error = Math.max(error, errorOf(type, value, wide[i], 0));
  }
  return { count: x.length, error };
}

const hlo = await load({ build: 'simd' });
const rows = Object.keys(files).map((op) => {
  const binary = hlo.ops.find(({ name }) => name === op).minOperands === 2;
  const cells = Object.keys(digits).map((type) => {
    const is16 = type.endsWith('16');
    if (is16 && binary) return '';
    const { error, count } = is16 ? worstOfAll(hlo, op, type) : worstOnData(hlo, op, type);
    return is16 ? error.toFixed(3) : `${error.toFixed(3)} of ${count}`;
  });
  return `| ${op} | ${cells.join(' | ')} |`;
});
writeFileSync(
  new URL('accuracy.md', import.meta.url),
  `# Accuracy of the elementary functions

Made by \`node tests/accuracy.js\`. The greatest distance from the exact value, in units in the last place; 0.5 is the best
that rounding allows. f64 and f32: against mpmath on the arguments of \`tests/c/data/elementary\`, dense where functions are
used and special ones, as many as stated. f16 and bf16: all finite arguments, against the f64 function. Wasm and native builds
give the same bits.

| operation | f64 | f32 | f16 | bf16 |
|---|---|---|---|---|
${rows.join('\n')}
`,
);
console.log(rows.join('\n'));
