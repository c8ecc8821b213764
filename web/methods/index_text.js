// Python's notation of an index, '1:3, ::-1, None', read as the components that at() takes.
import { HloError } from '../errors.js';
import { nameOf } from '../options.js';

/**
 * A component of an index: of integers one, a slice with Python's meaning (undefined where Python has nothing), a new dimension,
 * all dimensions that the others leave, whether to take anything, or an array of integers or booleans.
 * @typedef {{ kind: 'integer', at: number } | { kind: 'slice', start?: number | undefined, stop?: number | undefined, step?: number | undefined }
 *   | { kind: 'new' } | { kind: 'ellipsis' } | { kind: 'boolean', isTaken: boolean } | { kind: 'array', data: any }} Component
 */

const words = new Map(
  Object.entries({
    '...': { kind: 'ellipsis' },
    Ellipsis: { kind: 'ellipsis' },
    None: { kind: 'new' },
    newaxis: { kind: 'new' },
    'np.newaxis': { kind: 'new' },
    True: { kind: 'boolean', isTaken: true },
    False: { kind: 'boolean', isTaken: false },
  }),
);

/** @param {string} text @returns {string[]} its parts between commas that are in no list */
function splitAtCommas(text) {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    depth += { '[': 1, ']': -1 }[character] ?? 0;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  const trimmed = parts.map((part) => part.trim());
  if (trimmed.length > 1 && trimmed.at(-1) === '') trimmed.pop(); // '1,' is '1'
  return trimmed;
}

/**
 * @param {string} name of the method, for errors
 * @param {string} text
 * @returns {Component[]}
 */
export function parseIndex(name, text) {
  const isInteger = (/** @type {string} */ part) => /^[+-]?\d+$/.test(part);
  const fail = (/** @type {string} */ part) => {
    throw new HloError(
      `${name}: ${nameOf(part)} in ${nameOf(text)} is no index: it is an integer, a slice start:stop:step, a list, None, ... or True`,
    );
  };
  return splitAtCommas(text).map((part) => {
    const word = words.get(part);
    if (word) return /** @type {Component} */ (word);
    if (isInteger(part)) return { kind: 'integer', at: Number(part) };
    if (part.startsWith('[')) {
      try {
        const json = part.replace(/\bTrue\b/g, 'true').replace(/\bFalse\b/g, 'false');
        return { kind: 'array', data: JSON.parse(json) };
      } catch {
        return fail(part);
      }
    }
    const bounds = part.split(':').map((bound) => bound.trim());
    const isBound = (/** @type {string} */ bound) => /^(None)?$/.test(bound) || isInteger(bound);
    if (bounds.length < 2 || bounds.length > 3 || !bounds.every(isBound)) return fail(part);
    const [start, stop, step] = bounds.map((bound) =>
      isInteger(bound) ? Number(bound) : undefined,
    );
    return { kind: 'slice', start, stop, step };
  });
}
