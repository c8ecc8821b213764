// Tables of calls with the results of another library (tests/fixtures/functions/cases.py): how they are read and compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { HloError } from '../../web/index.js';
import { decode, isArray } from './fixture_arrays.js';

/** @typedef {[name: string, args: any[], result: any, ulps: number, absolute: number]} Case */

/** @param {string} file of tests/fixtures/functions @returns {Case[]} */
export function readTable(file) {
  const at = new URL(`../fixtures/functions/${file}`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(at)).toString());
}

export { decode };

/** Bits after the point, and the exponent of the least normal number. @type {Record<string, [number, number]>} */
const formats = {
  f16: [10, -14],
  bf16: [7, -126],
  f32: [23, -126],
  f64: [52, -1022],
  c64: [23, -126],
  c128: [52, -1022],
};

/** @param {any} hlo @param {any} got @param {any} want @param {number} ulps @param {number} absolute @returns {string | undefined} what is wrong */
export function difference(hlo, got, want, ulps, absolute) {
  if (got.type !== want.type || String(got.dims) !== String(want.dims))
    return `${got.type}[${got.dims}] for ${want.type}[${want.dims}]`;
  const numbers = (/** @type {any} */ x) => [
    ...(/^b?f16$/.test(x.type) ? hlo.convert(x, 'f32').toTypedArray() : x.toTypedArray()),
  ];
  const [ours, theirs] = [numbers(got), numbers(want)];
  const [bits, least] = formats[want.type] ?? [0, 0];
  for (const [i, y] of theirs.entries()) {
    const x = ours[i];
    if (Object.is(x, y) || (ulps > 0 && x === y)) continue;
    const exponent = Math.max(Math.floor(Math.log2(Math.abs(Number(y)))), least);
    const off = Math.abs(Number(x) - Number(y));
    if (off <= ulps * 2 ** (exponent - bits) || off <= absolute) continue;
    return `element ${i} is ${x} for ${y}`;
  }
  return undefined;
}

/** @param {any} given @returns {string} */
function show(given) {
  if (isArray(given)) return `${given[0]}[${given[1]}]`;
  if (given?.list) return `[${given.list.map(show)}]`;
  if (Object(given) === given && !Array.isArray(given))
    return `{ ${Object.entries(given)
      .map(([key, value]) => `${key}: ${show(value)}`)
      .join(', ')} }`;
  return JSON.stringify(given);
}

/**
 * A test for each function of a table: eager, and every few calls also traced.
 * @param {any} hlo
 * @param {any} namespace
 * @param {Case[]} cases
 * @param {{ untraced?: string[], every?: number }} [options] functions that jit does not trace
 */
export function testTable(hlo, namespace, cases, { untraced = [], every = 4 } = {}) {
  const faultOf = (
    /** @type {Case} */ [name, args, result, ulps, absolute],
    /** @type {boolean} */ isTraced,
  ) => {
    const given = args.map((x) => decode(hlo, x));
    const call = isTraced
      ? hlo.jit((/** @type {any[]} */ ...inner) => namespace[name](...inner))
      : namespace[name];
    let got;
    try {
      got = call(...given);
    } catch (error) {
      return result === null && error instanceof HloError ? undefined : `${error}`;
    }
    if (result === null) return `${got}, which is an error elsewhere`;
    const [ours, theirs] = result.list
      ? [got, decode(hlo, result)]
      : [[got], [decode(hlo, result)]];
    if (ours.length !== theirs.length) return `${ours.length} results for ${theirs.length}`;
    for (const [i, part] of theirs.entries()) {
      const wrong = difference(hlo, ours[i], part, ulps, absolute);
      if (wrong) return wrong;
    }
    return undefined;
  };
  for (const name of new Set(cases.map(([its]) => its)))
    test(`${name} gives what JAX and SciPy give`, () => {
      const own = cases.filter(([its]) => its === name);
      /** @type {string[]} */
      const faults = [];
      for (const [i, one] of own.entries())
        for (const isTraced of i % every === 0 && !untraced.includes(name)
          ? [false, true]
          : [false])
          hlo.tidy(() => {
            const fault = faultOf(one, isTraced);
            const call = `${name}(${one[1].map(show).join(', ')})${isTraced ? ' traced' : ''}`;
            if (fault) faults.push(`${call}: ${fault}`);
            return [];
          });
      const shown = faults.slice(0, Number(process.env.FAULTS ?? 8));
      assert.deepEqual(shown, [], `${faults.length} of ${own.length}`);
    });
}
