// Nested structures of arrays ("trees"): lists, plain objects and Maps, with anything else as leaves; and texts that identify
// them.
import { HloError } from './errors.js';

const MAX_DEPTH = 200; // deeper nesting is taken for a cycle

/** @param {any} value @returns {boolean} an object made by {…}, not by a class */
export function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** @param {any} value @returns {boolean} a shape as hlo.shape() describes it */
export function isShape(value) {
  return typeof value?.text === 'string' && Array.isArray(value.dims) && 'layout' in value;
}

/**
 * The XLA shape that something is or has: arrays as `xla`; instructions and parameters of programs as `shape`.
 * @param {any} thing
 * @returns {import('./engine.js').ShapeInfo | undefined}
 */
export function xlaShapeOf(thing) {
  return [thing, thing?.xla, thing?.shape].find(isShape);
}

/** @param {any} tree @returns {boolean} whether it has parts, rather than being a leaf */
function isNode(tree) {
  if (typeof tree !== 'object' || tree === null) return false;
  return Array.isArray(tree) || tree instanceof Map || (isPlain(tree) && !isShape(tree));
}

/** @param {number} depth */
function checkDepth(depth) {
  if (depth > MAX_DEPTH)
    throw new HloError(
      `lists and objects are nested deeper than ${MAX_DEPTH}: one of them contains itself`,
    );
}

/**
 * A copy of a tree with every leaf replaced.
 * @param {any} tree
 * @param {(leaf: any, path: string) => any} replace path: as JavaScript writes it, ".layers[0].w"
 * @param {string} [path]
 * @param {number} [depth]
 * @returns {any}
 */
export function mapTree(tree, replace, path = '', depth = 0) {
  if (!isNode(tree)) return replace(tree, path);
  checkDepth(depth);
  const inner = (/** @type {any} */ part, /** @type {string} */ step) =>
    mapTree(part, replace, path + step, depth + 1);
  if (Array.isArray(tree)) return Array.from(tree, (part, i) => inner(part, `[${i}]`));
  if (tree instanceof Map)
    return new Map([...tree].map(([key, part]) => [key, inner(part, `.get(${String(key)})`)]));
  return Object.fromEntries(
    Object.entries(tree).map(([key, part]) => [key, inner(part, `.${key}`)]),
  );
}

/**
 * Calls a function with every leaf, in the order of mapTree.
 * @param {any} tree
 * @param {(leaf: any) => void} visit
 * @param {number} [depth]
 */
export function eachLeaf(tree, visit, depth = 0) {
  if (!isNode(tree)) return visit(tree);
  checkDepth(depth);
  const parts = Array.isArray(tree)
    ? tree
    : tree instanceof Map
      ? tree.values()
      : Object.values(tree);
  for (const part of parts) eachLeaf(part, visit, depth + 1);
}

/**
 * A text that two trees share if and only if they have the same structure, equal plain values, and leaves of the same text.
 * @param {any} tree
 * @param {(leaf: any, path: string) => string} leafText for what is neither a list, an object, a Map nor a plain value
 * @param {string} [path]
 * @param {number} [depth]
 * @returns {string}
 */
export function keyOf(tree, leafText, path = '', depth = 0) {
  switch (typeof tree) {
    case 'number':
      return Object.is(tree, -0) ? '-0' : String(tree);
    case 'string':
      return JSON.stringify(tree);
    case 'bigint':
      return `${tree}n`;
    case 'boolean':
    case 'undefined':
      return String(tree);
  }
  if (tree === null) return 'null';
  if (!isNode(tree)) return leafText(tree, path);
  checkDepth(depth);
  if (Array.isArray(tree)) {
    let text = '[';
    for (let i = 0; i < tree.length; i++)
      text += `${keyOf(tree[i], leafText, `${path}[${i}]`, depth + 1)},`;
    return `${text}]`;
  }
  const isMap = tree instanceof Map;
  let text = isMap ? 'Map{' : '{';
  for (const [key, part] of isMap ? tree : Object.entries(tree)) {
    const name = typeof key === 'string' ? JSON.stringify(key) : keyOf(key, leafText, path, depth);
    text += `${name}:${keyOf(part, leafText, `${path}.${String(key)}`, depth + 1)},`;
  }
  return `${text}}`;
}
