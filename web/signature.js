// The signature of the function that a program was exported from: names, dropped arguments, and nesting of arguments and results.
import { matchNames, namesError, positionsOf, stepsOf } from './argument_names.js';
import { HloError } from './errors.js';
import { nameOf } from './options.js';
import { isPlain } from './tree.js';

/**
 * @typedef {['leaf'] | ['none'] | ['tuple' | 'list' | 'custom', Tree[]] | ['dictionary', [string, Tree][]]} Tree
 * @typedef {object} FileSignature what a file of jax.export says
 * @property {number} inputs
 * @property {number[]} kept
 * @property {Tree | null} arguments
 * @property {Tree | null} results
 * @property {boolean} hasVjp
 */

/** @param {Tree | undefined} tree @returns {[string, Tree][]} its parts, by the steps to them */
function partsOf([kind, parts] = ['none']) {
  if (kind === 'dictionary') return /** @type {any} */ (parts);
  return kind === 'leaf' || kind === 'none'
    ? []
    : /** @type {Tree[]} */ (parts).map((part, i) => [String(i), part]);
}

/** The steps to each leaf. @param {Tree} tree @param {string[]} [path] @returns {string[][]} */
function leavesOf(tree, path = []) {
  if (tree[0] === 'leaf') return [path];
  return partsOf(tree).flatMap(([step, part]) => leavesOf(part, [...path, step]));
}

/**
 * The signature of a function's vector-Jacobian product, of which a file tells only flat leaves: it takes the function's arguments
 * as call() does and then the cotangents, nested like the function's results, and gives the arguments' own, nested like these.
 * @param {FileSignature | null} file the product's
 * @param {FileSignature | null} [of] the function's
 * @returns {FileSignature | null}
 */
export function productSignature(file, of) {
  if (!file || !of?.arguments || !of.results) return file;
  const [positional, byName] = partsOf(of.arguments).map(([, part]) => part);
  /** @type {Tree[]} */
  const own = [...partsOf(positional).map(([, part]) => part)];
  if (partsOf(byName).length > 0) own.push(byName);
  const inputs = leavesOf(['tuple', [...own, of.results]]).length;
  const flatResults = leavesOf(file.results ?? ['none']).length;
  if (inputs !== file.inputs || flatResults !== of.inputs) return file;
  return {
    ...file,
    arguments: [
      'tuple',
      [
        ['tuple', [...own, of.results]],
        ['dictionary', []],
      ],
    ],
    results: ['tuple', own],
  };
}

/** @param {readonly string[]} path @returns {string} as JavaScript writes it */
const pathText = ([root, ...steps]) =>
  root +
  steps
    .map((step) =>
      /^\d+$/.test(step) ? `[${step}]` : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `['${step}']`,
    )
    .join('');

/**
 * Appends the leaves of a value that is nested like the tree.
 * @param {Tree} tree @param {any} value @param {string[]} path @param {any[]} out
 */
function flatten(tree, value, path, out) {
  const [kind] = tree;
  if (kind === 'leaf') return void out.push(value);
  if (kind === 'none') return;
  const parts = partsOf(tree);
  const mismatch = (/** @type {string} */ wanted) =>
    new HloError(`${pathText(path)} is ${wanted}, got ${nameOf(value)}`);
  if (kind !== 'dictionary') {
    if (!Array.isArray(value) || value.length !== parts.length)
      throw mismatch(`a list of ${parts.length}`);
    for (const [i, [step, part]] of parts.entries()) flatten(part, value[i], [...path, step], out);
    return;
  }
  if (!isPlain(value) && !(value instanceof Map)) throw mismatch('an object');
  const entries = value instanceof Map ? value : new Map(Object.entries(value));
  const names = parts.map(([name]) => name);
  for (const name of names)
    if (!entries.has(name))
      throw namesError([...entries.keys()], names, `${pathText(path)} has no "${name}"`);
  for (const name of entries.keys())
    if (!names.includes(name))
      throw namesError([...entries.keys()], names, `${pathText(path)} has "${name}"`);
  for (const [name, part] of parts) flatten(part, entries.get(name), [...path, name], out);
}

/** @param {Tree} tree @param {Iterator<any>} leaves @returns {any} */
function unflatten(tree, leaves) {
  const [kind] = tree;
  if (kind === 'leaf') return leaves.next().value;
  if (kind === 'none') return null;
  const parts = partsOf(tree).map(([name, part]) => [name, unflatten(part, leaves)]);
  if (kind !== 'dictionary') return parts.map(([, value]) => value);
  const object = Object.create(null);
  for (const [name, value] of parts) object[name] = value;
  return object;
}

/** @param {any} tree @param {string} path @param {Map<string, any>} out */
function nameLeaves(tree, path, out) {
  const isNode = Array.isArray(tree) || isPlain(tree) || tree instanceof Map;
  if (!isNode) return void out.set(path, tree);
  const entries = tree instanceof Map ? tree : Object.entries(tree);
  for (const [step, part] of entries)
    nameLeaves(part, path === '' ? String(step) : `${path}.${step}`, out);
}

export class Signature {
  #file;
  #names;
  /** What each leaf of the function's arguments is called; dropped ones by what is known. @type {{ name: string, isKnown: boolean }[]} */
  #inputs;

  /**
   * @param {readonly string[]} names of the program's parameters
   * @param {FileSignature | null} file
   */
  constructor(names, file) {
    this.#file = file?.kept.length === names.length ? file : null;
    this.#names = names;
    this.#inputs = names.map((name) => ({ name, isKnown: true }));
    if (this.#file) this.#inputs = this.#nameInputs(this.#file);
  }

  /** @param {FileSignature} file */
  #nameInputs({ inputs, kept, arguments: tree }) {
    const [positional, byName] = partsOf(tree ?? undefined);
    const paths = tree
      ? [...leavesOf(positional?.[1] ?? ['none']), ...leavesOf(byName?.[1] ?? ['none'])]
      : [];
    const isTold = paths.length === inputs;
    /** What an argument is called, by its place: as a leaf of it is. @type {Map<string, string>} */
    const roots = new Map();
    for (const [i, leaf] of kept.entries()) {
      const steps = stepsOf(this.#names[i]);
      const path = isTold ? paths[leaf] : [];
      const rest = path.slice(1);
      if (steps.length === path.length && rest.every((step, k) => step === steps[k + 1]))
        roots.set(path[0], steps[0]);
    }
    return Array.from({ length: inputs }, (_, leaf) => {
      const at = kept.indexOf(leaf);
      if (at >= 0) return { name: this.#names[at], isKnown: true };
      if (!isTold) return { name: `argument ${leaf}`, isKnown: false };
      const [argument, ...rest] = paths[leaf];
      const root = roots.get(argument) ?? (/^\d+$/.test(argument) ? undefined : argument);
      const name = [root ?? `[${argument}]`, ...rest.map((step) => `['${step}']`)].join('');
      return { name, isKnown: root !== undefined || rest.length > 0 };
    });
  }

  /** The names of the program's parameters. */
  get names() {
    return this.#names;
  }

  /** The number of leaves of the function's arguments; the program may have fewer parameters. */
  get inputCount() {
    return this.#inputs.length;
  }

  /** Numbers of the leaves that parameters are. @returns {readonly number[]} */
  get kept() {
    return this.#file?.kept ?? this.#names.map((_, i) => i);
  }

  /**
   * The program's arguments out of the function's; unchanged if they are the program's already.
   * @template T @param {readonly T[]} list @returns {readonly T[]}
   */
  keep(list) {
    if (list.length === this.#names.length || list.length !== this.inputCount) return list;
    return this.kept.map((leaf) => list[leaf]);
  }

  /**
   * Which leaves of the function's arguments arrays with these names are.
   * @param {readonly string[]} given
   * @returns {number[]} -1: one that was dropped, and has no name
   */
  match(given) {
    const wanted = this.#inputs.map(({ name }) => name);
    let matched = matchNames(wanted, given);
    const places = matched.every((at) => at < 0) ? positionsOf(given) : null;
    const { length } = given;
    if (places && (length === this.inputCount || length === this.#names.length))
      matched = places.map((place) => (length === this.inputCount ? place : this.kept[place]));
    const seen = new Map();
    for (const [i, at] of matched.entries()) {
      if (at >= 0 && seen.has(at))
        throw new HloError(`"${seen.get(at)}" and "${given[i]}" are both ${wanted[at]}`);
      if (at >= 0) seen.set(at, given[i]);
    }
    const unnamed = this.#inputs.filter(({ isKnown }, i) => !isKnown && !seen.has(i)).length;
    const surplus = given.filter((_, i) => matched[i] < 0);
    if (surplus.length > unnamed)
      throw namesError(
        given,
        this.#names,
        seen.size === 0
          ? 'names do not tell which array is which parameter, and their order says nothing'
          : `there is no parameter "${surplus[0]}"`,
      );
    return matched;
  }

  /**
   * The program's arguments out of named arrays: an object or a Map of them, which may be nested.
   * @param {any} tree
   * @returns {any[]}
   */
  bind(tree) {
    /** @type {Map<string, any>} */
    const leaves = new Map();
    nameLeaves(tree, '', leaves);
    const given = [...leaves.keys()];
    const values = [...leaves.values()];
    const matched = this.match(given);
    return this.kept.map((leaf, i) => {
      const at = matched.indexOf(leaf);
      if (at < 0) throw namesError(given, this.#names, `"${this.#names[i]}" is missing`);
      return values[at];
    });
  }

  /**
   * The program's arguments out of the function's, nested as in Python: those by position, then an object with those by name, if
   * there are any.
   * @param {any[]} given
   * @returns {any[]}
   */
  flatten(given) {
    const tree = this.#file?.arguments;
    if (!tree)
      throw new HloError(
        'this program does not say how its arguments are nested: run() takes them in a list, or by name',
      );
    const [positional, byName] = partsOf(tree).map(([, part]) => part);
    const args = partsOf(positional);
    const hasNames = partsOf(byName).length > 0;
    if (given.length !== args.length + (hasNames ? 1 : 0))
      throw new HloError(
        `the function takes ${args.length} arguments${hasNames ? ' and an object with those by name' : ''}, got ${given.length}`,
      );
    /** @type {any[]} */
    const leaves = [];
    for (const [i, [, part]] of args.entries()) flatten(part, given[i], [`argument ${i}`], leaves);
    if (hasNames)
      flatten(byName, given[args.length], ['the object with arguments by name'], leaves);
    return this.kept.map((leaf) => leaves[leaf]);
  }

  /** @param {any[]} results of the program @returns {any} nested as the function gives them */
  unflatten(results) {
    const tree = this.#file?.results;
    return tree ? unflatten(tree, results[Symbol.iterator]()) : results;
  }
}
