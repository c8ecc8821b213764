// The NumPy layer against NumPy (tests/fixtures/numpy/table.py): every function, over types, special values, shapes and
// options; what NumPy refuses is refused. Results have the bits of NumPy's, but for NaN's and for functions that are not
// rounded correctly.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { HloError, load } from '../../web/index.js';
import { parseCall } from '../../web/numpy/calls.js';
import { numpy } from '../../web/numpy/index.js';
import { added, leftOut } from '../../web/numpy/left_out.js';
import { signatures } from '../../web/numpy/signatures.js';

const hlo = await load();
const np = /** @type {Record<string, any>} */ (numpy(hlo));
const file = new URL('../fixtures/numpy/table.json.gz', import.meta.url);
/** @type {[string, any[], any, number][]} */
const cases = JSON.parse(gunzipSync(readFileSync(file)).toString());

const isArray = (/** @type {any} */ x) =>
  Array.isArray(x) && typeof x[0] === 'string' && typeof x[2] === 'string';

/** @param {any} x @returns {any} */
function decode(x) {
  if (x?.number) return Number(x.number.replace('inf', 'Infinity'));
  if (x?.list) return x.list.map(decode);
  if (x?.bigint) return BigInt(x.bigint);
  if (x?.bytes) return new Uint8Array(Buffer.from(x.bytes, 'base64')).buffer;
  if (x?.np) return np[x.np];
  if (isArray(x)) {
    const bytes = new Uint8Array(Buffer.from(x[2], 'base64'));
    return hlo.array(bytes.buffer, { type: x[0], shape: x[1] });
  }
  if (Array.isArray(x)) return x.map(decode);
  if (x === null || typeof x !== 'object') return x;
  return Object.fromEntries(Object.entries(x).map(([key, value]) => [key, decode(value)]));
}

/** Bits after the point. @type {Record<string, number>} */
const mantissas = { f16: 10, bf16: 7, f32: 23, f64: 52, c64: 23, c128: 52 };
/** @type {Record<string, number>} */
const leastExponents = { f16: -14, bf16: -126, f32: -126, f64: -1022, c64: -126, c128: -1022 };

/** Numbers as they are; complex ones as their parts. @param {any} array */
function numbersOf(array) {
  if (!(array.type in mantissas)) return [...array.toTypedArray()];
  const floats = array.type === 'bf16' || array.type === 'f16' ? hlo.convert(array, 'f32') : array;
  return [...floats.toTypedArray()];
}

/** @param {any} got @param {any} want @param {number} ulps @returns {string | undefined} what is wrong */
function difference(got, want, ulps) {
  if (got.type !== want.type || String(got.dims) !== String(want.dims))
    return `${got.xla.text} for ${want.xla.text}`;
  const [ours, theirs] = [got, want].map(numbersOf);
  const bits = mantissas[want.type];
  for (const [i, y] of theirs.entries()) {
    const x = ours[i];
    if (Object.is(x, y)) continue;
    // Parts of complex numbers are as exact as the greater one allows.
    const size = want.type[0] === 'c' ? Math.max(Math.abs(y), Math.abs(theirs[i ^ 1])) : Number(y);
    const exponent = Math.max(Math.floor(Math.log2(Math.abs(size))), leastExponents[want.type]);
    if (ulps > 0 && Math.abs(x - y) <= ulps * 2 ** (exponent - bits)) continue;
    return `element ${i} is ${x} for ${y}`;
  }
  return undefined;
}

/** @param {any} given @returns {string} */
function show(given) {
  if (isArray(given)) return `${given[0]}[${given[1]}]`;
  if (given?.list) return `[${given.list.map(show)}]`;
  return JSON.stringify(given);
}

/** A program of a call; what cannot be an argument of one is fixed. @param {any} f @param {any[]} given */
function traced(f, given) {
  const isFixed = (/** @type {any} */ x) =>
    typeof x === 'function' || x instanceof ArrayBuffer || (Array.isArray(x) && x.some(isFixed));
  const fixed = given.flatMap((x, i) => (isFixed(x) ? [i] : []));
  return hlo.jit((...inner) => f(...inner), { static: fixed });
}

/** @param {[string, any[], any, number]} one @param {boolean} isTraced @returns {string | undefined} */
function faultOf([name, args, result, ulps], isTraced) {
  const given = args.map(decode);
  const call = isTraced ? traced(np[name], given) : np[name];
  let got;
  try {
    got = call(...given);
  } catch (error) {
    if (result === null && error instanceof HloError) return undefined;
    return `${error}`;
  }
  if (result === null) return `${got}, which NumPy refuses`;
  return faultIn(got, result, ulps);
}

/** @param {any} got @param {any} want as a case has it @param {number} ulps @returns {string | undefined} */
function faultIn(got, want, ulps) {
  if (isArray(want)) return got?.dims ? difference(got, decode(want), ulps) : `${got} for an array`;
  if (!want?.list)
    return isDeepStrictEqual(got, decode(want))
      ? undefined
      : `${JSON.stringify(got)} for ${JSON.stringify(want)}`;
  if (got?.length !== want.list.length) return `${got?.length} results for ${want.list.length}`;
  return want.list
    .map((/** @type {any} */ part, /** @type {number} */ i) => faultIn(got[i], part, ulps))
    .find((/** @type {any} */ fault) => fault !== undefined);
}

/** Functions whose results are as large, or of a type, as numbers say, unless the size is stated. */
const ofUnknownSize = [
  ...added.flatMap(({ of }) => of.split(' ')),
  'trimZeros',
  'realIfClose',
  'delete',
  'maskIndices',
  'polymul',
  'polydiv',
  'roots',
];
/** Those that refuse indices, which traced programs do not know. */
const checkingIndices = ['choose', 'put', 'unravelIndex', 'ravelMultiIndex'];
const hasArrays = (/** @type {any} */ result) =>
  result === null ||
  isArray(result) ||
  (Array.isArray(result?.list) && result.list.every(hasArrays));
/** @param {[string, any[], any, number]} one */
const isTraceable = ([name, args, result]) =>
  hasArrays(result) &&
  !(result === null && checkingIndices.includes(name)) &&
  !args.some((x) => typeof x?.bins === 'string') &&
  (!ofUnknownSize.includes(name) ||
    args.some((x) => x?.size !== undefined || (x?.length >= 0 && !Array.isArray(x))));

const functions = [...new Set(cases.map(([name]) => name))];
for (const name of functions)
  test(`${name} gives what NumPy gives`, () => {
    const own = cases.filter(([its]) => its === name);
    /** @type {string[]} */
    const faults = [];
    for (const [i, one] of own.entries()) {
      // Every eighth is traced, too: the same code, to which numbers are constants and shapes are all that is known.
      for (const isTraced of i % 8 === 0 && isTraceable(one) ? [false, true] : [false]) {
        const fault = hlo.tidy(() => {
          const found = faultOf(one, isTraced);
          return found === undefined ? [] : [found];
        });
        if (fault.length > 0)
          faults.push(
            `${name}(${one[1].map(show).join(', ')})${isTraced ? ' traced' : ''}: ${fault[0]}`,
          );
      }
    }
    assert.deepEqual(
      faults.slice(0, Number(process.env.FAULTS ?? 12)),
      [],
      `${faults.length} of ${own.length}`,
    );
  });

test('every function is in the table', () => {
  const missing = Object.keys(np).filter(
    (name) => typeof np[name] === 'function' && !functions.includes(name),
  );
  assert.deepEqual(missing, []);
});

/** NumPy's parameters: name, kind, whether it may be missing. @type {Record<string, [string, string, boolean][] | null>} */
const theirs = JSON.parse(
  readFileSync(new URL('../fixtures/numpy/signatures.json', import.meta.url), 'utf8'),
);
/** The parameters behind Python's **, which has no names. @type {Record<string, string>} */
const behind = {
  pad: 'constantValues endValues statLength reflectType',
  einsum: 'order dtype casting',
  clip: 'where casting order dtype',
};
/** Whether an option is one that the layer does without. */
const isLeftOut = (/** @type {string} */ name, /** @type {string} */ option) =>
  leftOut.some(
    ({ options, of }) =>
      options.split(' ').includes(option) && (of === undefined || of.split(' ').includes(name)),
  );

const isAdded = (/** @type {string} */ name, /** @type {string} */ option) =>
  added.some(
    ({ options, of }) => options.split(' ').includes(option) && of.split(' ').includes(name),
  );

for (const [name, rows] of Object.entries(theirs))
  test(`${name} has NumPy’s options, but for those that are left out`, () => {
    const { order, required, named } = parseCall(/** @type {any} */ (signatures)[name]);
    if (rows === null) return;
    const all = rows.flatMap(([option, kind, isOptional]) =>
      kind === 'VAR_KEYWORD'
        ? (behind[name]?.split(' ') ?? []).map(
            (one) => /** @type {const} */ ([one, 'KEYWORD_ONLY', true]),
          )
        : [/** @type {const} */ ([option, kind, isOptional])],
    );
    const options = all.filter(([, kind, isOptional]) => isOptional && kind !== 'VAR_POSITIONAL');
    const kept = options.filter(([option]) => !isLeftOut(name, option)).map(([option]) => option);
    // Of where, NumPy's form with the condition alone has results of unknown shapes.
    const wanted = name === 'where' ? [] : kept;
    assert.deepEqual(
      new Set(named.filter((option) => !required.includes(option) && !isAdded(name, option))),
      new Set(wanted),
    );
    for (const option of named)
      assert.ok(
        name === 'arange' || isAdded(name, option) || all.some(([its]) => its === option),
        option,
      );
    // In the same order, as far as NumPy has one and everything in front of it is here.
    const inOrder = all.filter(([, kind]) => kind !== 'KEYWORD_ONLY' && kind !== 'VAR_POSITIONAL');
    const end = inOrder.findIndex(([option]) => isLeftOut(name, option));
    const placed = inOrder.slice(required.length, end < 0 ? undefined : end).map(([its]) => its);
    if (name !== 'where')
      assert.deepEqual(order.slice(required.length, required.length + placed.length), placed);
  });

test('every option is in the table', () => {
  const missing = Object.entries(signatures).flatMap(([name, text]) => {
    const own = cases.filter(([its]) => its === name);
    const given = new Set(own.flatMap(([, args]) => args.flatMap((x) => Object.keys(Object(x)))));
    return parseCall(text)
      .named.filter((option) => !given.has(option))
      .map((option) => `${name} ${option}`);
  });
  assert.deepEqual(missing, []);
});

test('the page about NumPy lists what is left out', () => {
  const page = readFileSync(new URL('../../docs/numpy.md', import.meta.url), 'utf8');
  for (const { options, why } of leftOut) {
    const names = options.split(' ').map((option) => `\`${option}\``);
    assert.ok(page.includes(`| ${names.join(', ')} | `), options);
    assert.ok(page.includes(` | ${why} |`), why);
  }
});
