// Arrays for people at a terminal: the shape, then rows with aligned numbers; large arrays with an ellipsis.
// Must not know where arrays come from.

const MANY = 1000; // elements beyond which rows and columns are elided
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
 * @param {any} part a nested list or an element
 * @param {boolean} elide
 * @param {(element: any) => string} text
 * @param {string} indent
 * @returns {string}
 */
function rows(part, elide, text, indent) {
  if (!Array.isArray(part)) return text(part);
  const long = elide && part.length > 2 * EDGE;
  const shown = long ? [...part.slice(0, EDGE), null, ...part.slice(-EDGE)] : part;
  const texts = shown.map((entry) =>
    entry === null ? '…' : rows(entry, elide, text, `${indent} `),
  );
  const deep = part.length > 0 && Array.isArray(part[0]);
  return `[${texts.join(deep ? `,\n${indent} ` : ', ')}]`;
}

/**
 * @param {import('../index.js').HloArray} array
 * @returns {string}
 */
export function show(array) {
  const nested = array.toNested();
  if (array.rank === 0) return `${array.shape.text} ${elementText(nested)}`;
  const elide = array.size > MANY;
  let width = 0;
  rows(
    nested,
    elide,
    (element) => ((width = Math.max(width, elementText(element).length)), ''),
    '',
  );
  return `${array.shape.text}\n${rows(nested, elide, (element) => elementText(element).padStart(width), '')}`;
}
