// The programs of tests/fixtures/jax (format and tolerances: README.md there), and those of other front ends beside it, for
// JavaScript: reading, running on an engine, comparing.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const directory = new URL('../fixtures/jax/', import.meta.url);
const read = (file) => readFileSync(new URL(file, directory));
const tolerances = JSON.parse(read('tolerances.json'));

/** The names of the programs that cannot run yet, each with the operation that stops it. */
export const unsupported = JSON.parse(read('unsupported.json'));
export const unsupportedFile = new URL('unsupported.json', directory);

/** Where each area's files are, without their endings. @type {Map<string, string>} */
const places = new Map(
  ['', '../frontends/'].flatMap((folder) =>
    readdirSync(new URL(folder, directory))
      .filter((name) => name.endsWith('.mlir.gz'))
      .map((name) => name.slice(0, -'.mlir.gz'.length))
      .map((name) => [name, folder + name]),
  ),
);

export function areaNames() {
  return [...places.keys()].sort();
}

/** All programs of an area: { name, text, tolerance, inputs, outputs }, values as { shape, bytes }. */
export function readArea(area) {
  const place = places.get(area);
  const index = JSON.parse(read(`${place}.json`));
  const blob = read(`${place}.bin`);
  const texts = new Map(
    String(gunzipSync(read(`${place}.mlir.gz`)))
      .split(/^\/\/ program /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf('\n')), part]),
  );
  const values = ([shape, offset]) => ({ shape, bytes: blob.subarray(offset) });
  return index.programs.map(({ name, tolerance = index.tolerance, inputs, outputs }) => ({
    name: `${area}/${name}`,
    text: `// program ${texts.get(name)}`,
    tolerance,
    inputs: inputs.map(values),
    outputs: outputs.map(values),
  }));
}

/** The array that a value of the corpus describes. */
function arrayOf(hlo, { shape, bytes }) {
  const [, type, dims] = /^(\w+)\[(.*)\]$/.exec(shape);
  const sizes = dims === '' ? [] : dims.split(',').map(Number);
  const info = hlo.types.find(({ name }) => name === type);
  const Storage = storage(info);
  const size = sizes.reduce((product, n) => product * n, 1) * info.bytes;
  return hlo.array(new Storage(Uint8Array.from(bytes.subarray(0, size)).buffer), {
    type,
    shape: sizes,
  });
}

/** The typed array that holds a type's elements: what toTypedArray() gives. */
function storage({ name, class: kind, bytes }) {
  const floats = { f32: Float32Array, f64: Float64Array, c64: Float32Array, c128: Float64Array };
  const signed = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: BigInt64Array };
  const unsigned = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array };
  return floats[name] ?? (kind === 'signed' ? signed : unsigned)[bytes];
}

/** Runs a program; gives undefined, or what is wrong. Errors of the engine pass through. */
export function runProgram(hlo, program, options) {
  const kept = [];
  const keep = (object) => (kept.push(object), object);
  try {
    const executable = keep(keep(hlo.parse(program.text)).compile(options));
    const results = executable.run(program.inputs.map((x) => keep(arrayOf(hlo, x)))).map(keep);
    if (results.length !== program.outputs.length)
      return `${results.length} results, not ${program.outputs.length}`;
    for (const [i, result] of results.entries()) {
      const want = keep(arrayOf(hlo, program.outputs[i]));
      const wrong = compare(hlo, want, result, tolerances[program.tolerance], keep);
      if (wrong) return `result ${i}, ${want.xla.text}: ${wrong}`;
    }
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}

/** `|got - want| <= abs + rel * |want|` for every element, with the modulus for complex numbers; zeros have the same sign. */
function compare(hlo, want, got, tolerance, keep) {
  if (String([want.type, want.dims]) !== String([got.type, got.dims])) return `got ${got.xla.text}`;
  const type = hlo.types.find(({ name }) => name === want.type);
  const isComplex = type.class === 'complex';
  const values = (x) =>
    type.class === 'float' && type.bytes < 4
      ? keep(hlo.convert(x, 'f32')).toTypedArray()
      : x.toTypedArray();
  const [wants, gots] = [values(want), values(got)];
  const { abs, rel } = tolerance[type.name] ?? { abs: 0, rel: 0 };
  const step = isComplex ? 2 : 1;
  for (let i = 0; i < wants.length; i += step) {
    const [w, g] = [wants.subarray(i, i + step), gots.subarray(i, i + step)];
    const agree = w.every((part, k) => part === g[k] || (part !== part && g[k] !== g[k]));
    const isMirrored = w.some((part, k) => part === 0 && !Object.is(part, g[k]));
    // Of complex numbers under a tolerance a part may be the zero of the other sign: cholesky's diagonal has -0.
    if (agree && isMirrored && !(isComplex && abs > 0))
      return `at ${i / step}: the zero of the other sign`;
    if (agree) continue;
    const off = isComplex ? Math.hypot(g[0] - w[0], g[1] - w[1]) : Math.abs(Number(g[0] - w[0]));
    const limit = abs + rel * (isComplex ? Math.hypot(w[0], w[1]) : Math.abs(Number(w[0])));
    if (!(off <= limit && limit < Infinity))
      return `at ${i / step}: want ${[...w]}, got ${[...g]}, off by ${off}, allowed ${limit}`;
  }
}
