// `node tests/accuracy.js`: writes accuracy.md beside this file, the greatest error of each elementary function and type
// that the engine shows on the data of tests/c/data/elementary (mpmath, 300 bits; dense and special arguments), for types of
// 16 bits on all 65,536 arguments, for complex ones on tests/c/data/complex.txt.
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
/** Operations of complex numbers alone in the report, and their names in complex.txt, which has of the others: */
const onlyComplex = { sqrt: 'sqrt', sign: 'sign', multiply: 'mul', divide: 'div' };
const alsoComplex =
  'exponential exponential-minus-one log log-plus-one logistic rsqrt sine cosine tan tanh power'.split(
    ' ',
  );
const complexFunctions = {
  ...Object.fromEntries(alsoComplex.map((op) => [op, files[op]])),
  ...onlyComplex,
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

/** xorshift64, as in tests/c/data/elementary.py. */
function fractionsOf(seed) {
  let state = BigInt(`0x${seed}`);
  return () => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return Number(state >> 11n) * 2 ** -53;
  };
}

/** The argument rules that tests/c/data/elementary.py describes. */
function* argumentsOf(seed, ranges, count) {
  const fraction = fractionsOf(seed);
  for (let i = 0; i < count; i++) {
    yield ranges.map((range) => {
      const [kind, a, b] = range.split(':');
      const [low, high] = [hexadecimal(a), hexadecimal(b)];
      const u = fraction();
      if (kind === 'lin') return low + (high - low) * u;
      if (kind === 'int') return Math.floor(low + (high - low) * u);
      const [from, to] = [bitsOf(Math.abs(low)), bitsOf(Math.abs(high))];
      const magnitude = doubleOf(from + BigInt(Math.trunc(Number(to - from) * u)));
      return low < 0 ? -magnitude : magnitude;
    });
  }
}

/** One complex argument by a rule that tests/c/data/complex.py describes. @returns {[number, number]} */
function complexArgument(rule, fraction) {
  const u = [fraction(), fraction(), fraction(), fraction()];
  const [kind, ...numbers] = rule.split(':');
  const [a, b] = numbers.map(Number);
  if (kind === 'box') return [a * (2 * u[0] - 1), a * (2 * u[1] - 1)];
  if (kind === 'log') {
    const part = (i) =>
      (u[i + 2] > 0.5 ? 1 : -1) * 2 ** Math.trunc(a * (2 * u[i] - 1)) * (1 + u[i + 2]);
    return [part(0), part(1)];
  }
  const scale = 2 ** -Math.trunc(40 * u[0]);
  return [a + scale * (2 * u[2] - 1), b + scale * (2 * u[3] - 1)];
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

/** The greater error of the two parts, on all arguments whose result has both in the type's range. */
function worstOfParts(hlo, op, type) {
  const lines = readFileSync(new URL('c/data/complex.txt', import.meta.url), 'utf8').split('\n');
  const parts = type === 'c64' ? 'f32' : 'f64';
  const { minOperands } = hlo.ops.find(({ name }) => name === op);
  const columns = Array.from({ length: minOperands }, () => []);
  const exact = [];
  for (let i = 0; i < lines.length && lines[i] !== '';) {
    const [name, kind, count, seed, rule] = lines[i++].split(' ');
    const rows = lines.slice(i, i + Number(count));
    i += Number(count);
    if (name !== complexFunctions[op] || kind !== type) continue;
    const fraction = fractionsOf(seed);
    for (const row of rows) {
      const made = columns.map(() => complexArgument(rule, fraction));
      if (row === '-') continue;
      for (const [k, column] of columns.entries()) column.push(...made[k]);
      exact.push(...row.split(' ').map((text) => doubleOf(BigInt(`0x${text}`))));
    }
  }
  const Parts = type === 'c64' ? Float32Array : Float64Array;
  const shape = [exact.length / 2];
  const inputs = columns.map((column) => hlo.array(Parts.from(column), { type, shape }));
  const names = columns.map((_, i) => `x${i}`);
  const parameters = names.map((x, i) => `${x} = ${type}[${shape}] parameter(${i})`);
  const executable = hlo.compile(
    `HloModule m\nENTRY main {\n${parameters.join('\n')}\nROOT y = ${type}[${shape}] ${op}(${names})\n}`,
  );
  const [result] = executable.run(inputs);
  const got = result.toTypedArray();
  for (const thing of [...inputs, result, executable]) thing.dispose();
  const errors = exact.map((value, i) => Math.abs(got[i] - value) / unit(parts, value));
  return { count: shape[0], error: Math.max(...errors) };
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
/** @param {{ error: number, count: number }} worst */
const told = ({ error, count }) => `${error.toFixed(3)} of ${count}`;
const rows = Object.keys({ ...files, ...complexFunctions }).map((op) => {
  const binary = hlo.ops.find(({ name }) => name === op).minOperands === 2;
  const cells = Object.keys(digits).map((type) => {
    const is16 = type.endsWith('16');
    if (!(op in files) || (is16 && binary)) return '';
    return is16 ? worstOfAll(hlo, op, type).error.toFixed(3) : told(worstOnData(hlo, op, type));
  });
  for (const type of ['c128', 'c64'])
    cells.push(op in complexFunctions ? told(worstOfParts(hlo, op, type)) : '');
  return `| ${op} | ${cells.join(' | ')} |`;
});
writeFileSync(
  new URL('accuracy.md', import.meta.url),
  `# Accuracy of the elementary functions

Made by \`node tests/accuracy.js\`. The greatest distance from the exact value, in units in the last place; 0.5 is the best
that rounding allows. f64 and f32: against mpmath on the arguments of \`tests/c/data/elementary\`, dense where functions are
used and special ones, as many as stated. f16 and bf16: all finite arguments, against the f64 function. Complex types: the
worse of the two parts, against mpmath on \`tests/c/data/complex.txt\`, whose values are rounded to f64; a part of a product in
which much cancels has the errors of its terms, as in XLA. Wasm and native builds give the same bits.

| operation | f64 | f32 | f16 | bf16 | c128 | c64 |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`,
);
console.log(rows.join('\n'));
