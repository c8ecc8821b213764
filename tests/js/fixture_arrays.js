// Arrays of the fixtures that tests/fixtures/numpy/table_cases.py writes, and how far results are from them.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** @typedef {any} Encoded an array as [type, dims, base64], { number: text }, { list: [...] }, or anything else as it is */

/** @param {string} name of a file in tests/fixtures/numpy @returns {any[]} */
export function readCases(name) {
  const file = new URL(`../fixtures/numpy/${name}`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString());
}

/** @param {any} x */
export const isArray = (x) =>
  Array.isArray(x) && typeof x[0] === 'string' && typeof x[2] === 'string';

/** @param {any} hlo @param {Encoded} x @returns {any} */
export function decode(hlo, x) {
  if (x?.number) return Number(x.number.replace('inf', 'Infinity'));
  if (x?.list) return x.list.map((/** @type {any} */ part) => decode(hlo, part));
  if (isArray(x)) {
    const bytes = new Uint8Array(Buffer.from(x[2], 'base64'));
    return hlo.array(bytes.buffer, { type: x[0], shape: x[1] });
  }
  if (Array.isArray(x)) return x.map((part) => decode(hlo, part));
  if (x === null || typeof x !== 'object') return x;
  return Object.fromEntries(Object.entries(x).map(([key, value]) => [key, decode(hlo, value)]));
}

/** @param {Encoded} x @returns {string} */
export function show(x) {
  if (isArray(x)) return `${x[0]}[${x[1]}]`;
  if (x?.list) return `[${x.list.map(show)}]`;
  return JSON.stringify(x);
}

/** Relative distance of neighbouring numbers. @type {Record<string, number>} */
export const epsilons = { f16: 2 ** -10, bf16: 2 ** -7, f32: 2 ** -23, f64: 2 ** -52 };
epsilons.c64 = epsilons.f32;
epsilons.c128 = epsilons.f64;

/** Numbers as they are; complex ones as their parts. @param {any} hlo @param {any} array @returns {number[]} */
export function numbersOf(hlo, array) {
  const narrow = array.type === 'bf16' || array.type === 'f16';
  return [...(narrow ? hlo.convert(array, 'f32') : array).toTypedArray()];
}

/**
 * What is wrong with a result: its type, its dimensions, or a number that is off by more than so many units in the last place of
 * the largest finite one.
 * @param {any} hlo
 * @param {any} got
 * @param {any} want
 * @param {number} units
 * @returns {string | undefined}
 */
export function difference(hlo, got, want, units) {
  if (got?.type !== want.type || String(got.dims) !== String(want.dims))
    return `${got?.type}[${got?.dims}] for ${want.type}[${want.dims}]`;
  const [ours, theirs] = [got, want].map((array) => numbersOf(hlo, array));
  const largest = theirs.reduce(
    (max, y) => (Number.isFinite(y) ? Math.max(max, Math.abs(y)) : max),
    0,
  );
  const allowed = largest * units * (epsilons[want.type] ?? 0);
  for (const [i, y] of theirs.entries()) {
    const x = ours[i];
    if (Object.is(x, y) || x === y || Math.abs(x - y) <= allowed) continue;
    return `element ${i} is ${x} for ${y}`;
  }
  return undefined;
}
