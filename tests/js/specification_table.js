// The table of what XLA's names map to, in docs/operations.md: `make operations` writes it, specification.test.js holds it.
import { readFileSync } from 'node:fs';
import { signaturesOf } from '../../web/operations.js';
import { methods } from '../../web/signatures.js';

/** @typedef {{ name: string, from: 'page' | 'XlaBuilder' | 'HloInstruction', orders: string[][], here: string }} Row */

/** @type {Row[]} */
export const rows = JSON.parse(
  readFileSync(new URL('../fixtures/specification/names.json', import.meta.url), 'utf8'),
);

/**
 * @param {any} hlo
 * @returns {string[]} lines of the section
 */
export function specificationTable(hlo) {
  const elementwise = hlo.ops.flatMap((/** @type {any} */ op) =>
    op.elementwise ? [[op.name, op.minOperands]] : [],
  );
  const signatures = signaturesOf(/** @type {any} */ ({ elementwise }));
  const here = (/** @type {string} */ name) => {
    const [owner, method] = name.split('.');
    if (method === undefined) {
      const { names, page } = signatures[name];
      return `hlo.${name}(${(page.length > 0 ? page : names).join(', ')})`;
    }
    const taken = /** @type {Record<string, Record<string, string>>} */ (methods)[owner]?.[method];
    const call =
      taken === undefined ? '' : `(${taken.replace(/\{.*\}/, '').replaceAll(' ', ', ')})`;
    return `${owner[0].toLowerCase()}${owner.slice(1)}.${method}${call}`;
  };
  const longest = (/** @type {string[][]} */ orders) =>
    orders.reduce((long, order) => (order.length > long.length ? order : long), orders[0]);
  return [
    "## XLA's names",
    '',
    'Every operation of the page [Operation semantics](https://openxla.org/xla/operation_semantics), every function of `XlaBuilder`, and',
    'the instructions that the page names for HLO dumps, with what they are called here. Calls may have the order of arguments below, which is',
    "XLA's, or options as an object where the types say so: `hlo.cholesky(a, true)` or `hlo.cholesky(a, { lower: true })`. Operands that XLA",
    'lists one by one (`operands…`) are a list. Arrays run at once; traced values, inside `jit` and builders, append an instruction.',
    '',
    '| XLA | from | here |',
    '|---|---|---|',
    ...rows.map(
      (row) =>
        `| \`${row.name}(${longest(row.orders).join(', ')})\` | ${row.from} | \`${here(row.here)}\` |`,
    ),
  ];
}
