// np.fft against NumPy (tests/fixtures/numpy/fft.py): every function over types, sizes, axes, options, empty arrays and special
// values, called on arrays and traced; what NumPy refuses is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { decode, difference, readCases, show } from './fixture_arrays.js';

const hlo = await load();
const fft = /** @type {Record<string, any>} */ (hlo.np.fft);
/** @type {[string, any[], any][]} */
const cases = readCases('fft.json.gz');
const UNITS = 16; // of the largest number of a result; sizes are small

/** @param {[string, any[], any]} one @param {boolean} isTraced @returns {string | undefined} */
function faultOf([name, args, result], isTraced) {
  const given = args.map((arg) => decode(hlo, arg));
  const call = isTraced ? hlo.jit((...inner) => fft[name](...inner)) : fft[name];
  let got;
  try {
    got = call(...given);
  } catch (error) {
    const isRefused = result === null && error instanceof HloError;
    return isRefused && error.message.startsWith(`fft.${name}`) ? undefined : `${error}`;
  }
  if (result === null) return `${got}, which NumPy refuses`;
  return difference(hlo, got, decode(hlo, result), UNITS);
}

for (const name of Object.keys(fft))
  test(`fft.${name} gives what NumPy gives`, () => {
    const own = cases.filter(([its]) => its === name);
    assert.ok(own.length > 20);
    /** @type {string[]} */
    const faults = [];
    for (const [i, one] of own.entries())
      for (const isTraced of i % 8 === 0 ? [false, true] : [false])
        hlo.tidy(() => {
          const fault = faultOf(one, isTraced);
          const call = `${name}(${one[1].map(show).join(', ')})${isTraced ? ' traced' : ''}`;
          if (fault !== undefined) faults.push(`${call}: ${fault}`);
          return [];
        });
    assert.deepEqual(faults.slice(0, 12), [], `${faults.length} of ${own.length}`);
  });
