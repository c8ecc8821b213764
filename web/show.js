// Prints arrays for a terminal: the shape, then rows with aligned numbers, large arrays abbreviated.

const MAX_ELEMENTS = 1000; // beyond which rows and columns are elided
const LINE_LENGTH = 100; // characters, beyond which a row is wrapped
const EDGE = 3; // kept at each end of an elided dimension

/** @param {any} element */
function elementText(element) {
  if (typeof element === 'object')
    return `${numberText(element.re)}${element.im < 0 || Object.is(element.im, -0) ? '-' : '+'}${numberText(Math.abs(element.im))}i`;
  return typeof element === 'number' ? numberText(element) : String(element);
}

/** @param {number} x */
function numberText(x) {
  if (Object.is(x, -0)) return '-0';
  if (Number.isInteger(x) || !Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  return size < 1e-4 || size >= 1e7 ? x.toExponential(6) : String(Number(x.toPrecision(7)));
}

/**
 * The elements as texts in nested lists, null where some are left out.
 * @param {import('./array.js').HloArray} array row-major
 * @param {boolean} elide
 * @param {number[]} index of the part
 * @returns {any}
 */
function texts(array, elide, index) {
  if (index.length === array.rank) return elementText(array.item(...index));
  const size = array.dims[index.length];
  const inner = (/** @type {number} */ i) => texts(array, elide, [...index, i]);
  if (!elide || size <= 2 * EDGE) return Array.from({ length: size }, (_, i) => inner(i));
  const edge = Array.from({ length: EDGE }, (_, i) => i);
  return [...edge.map(inner), null, ...edge.map((i) => inner(size - EDGE + i))];
}

/**
 * @param {any} part of nested lists of texts
 * @param {number} width
 * @param {string} indent
 * @returns {string}
 */
function rows(part, width, indent) {
  if (part === null) return '…';
  if (!Array.isArray(part)) return part.padStart(width);
  const inner = part.map((entry) => rows(entry, width, `${indent} `));
  const isDeep = Array.isArray(part[0]);
  const perLine = isDeep ? 1 : Math.max(1, Math.floor((LINE_LENGTH - indent.length) / (width + 2)));
  const lines = [];
  for (let i = 0; i < inner.length; i += perLine)
    lines.push(inner.slice(i, i + perLine).join(', '));
  return `[${lines.join(`,\n${indent} `)}]`;
}

/**
 * @param {import('./array.js').HloArray} array
 * @returns {string}
 */
export function show(array) {
  if (array.type === 'token') return array.xla.text;
  const inRows = array.withLayout(null);
  try {
    const found = texts(inRows, array.size > MAX_ELEMENTS, []);
    if (!Array.isArray(found)) return `${array.xla.text} ${found}`;
    const all = /** @type {(string | null)[]} */ (found.flat(Infinity));
    const width = Math.max(0, ...all.map((text) => text?.length ?? 0));
    return `${array.xla.text}\n${rows(found, width, '')}`;
  } finally {
    if (inRows !== array) inRows.dispose();
  }
}
