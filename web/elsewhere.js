// Names that are looked for in the wrong place, or spelt as elsewhere: errors that say where they are. Prototypes do it, at the end of
// a chain, so that names that are there cost nothing, and `in`, Object.keys and printing do not see it.
import { HloError } from './errors.js';

/** What other libraries call the methods of arrays. */
const methodSpellings = new Map(
  Object.entries({
    ...{ sub: 'subtract', mul: 'multiply', div: 'divide', pow: 'power', neg: 'negative' },
    ...{ eq: 'equal', ne: 'notEqual', lt: 'less', le: 'lessEqual', gt: 'greater' },
    ...{ ge: 'greaterEqual', mm: 'matmul', permute: 'transpose', unsqueeze: 'expandDims' },
    ...{ tolist: 'toNested', toList: 'toNested', arraySync: 'toNested', dataSync: 'toTypedArray' },
  }),
);

/** What NumPy and JAX once called, or call, the functions of random numbers. */
const randomSpellings = new Map(
  Object.entries({
    ...{ rand: 'uniform', random: 'uniform', randn: 'normal', seed: 'key', PRNGKey: 'key' },
    ...{ RandomState: 'defaultRng', Generator: 'defaultRng' },
  }),
);

/** @param {string} name @returns {string} expand_dims as expandDims, ix_ as ix */
function camelCase(name) {
  return name
    .replace(/(?<=[a-z0-9])_+([a-z0-9])/g, (_, letter) => letter.toUpperCase())
    .replace(/(?<=\w)_+$/, '');
}

/** @param {any} hlo @returns {[string, any][]} the objects with functions, by what they are called */
function namespacesOf(hlo) {
  const { np, nn, special } = hlo;
  const { linalg, fft, random } = np;
  const inside = { 'np.linalg': linalg, 'np.fft': fft, 'np.random': random };
  return Object.entries({ np, ...inside, nn, special, hlo });
}

/**
 * The end of a prototype chain. Reading a name that the chain has not is an error where the name is another's.
 * @param {string} own what the object is
 * @param {(receiver: any) => any} hloOf the engine that an object belongs to; undefined: no hints
 * @param {Map<string, string>} [spellings] names of its own members in other libraries
 * @param {string} [called] what it is called before a member
 * @returns {object}
 */
export function hints(own, hloOf, spellings = new Map(), called = own) {
  return new Proxy(Object.create(Object.prototype), {
    get(target, name, receiver) {
      if (typeof name !== 'string' || name in target) return Reflect.get(target, name, receiver);
      const hlo = hloOf(receiver);
      if (hlo === undefined) return undefined;
      const spelt = spellings.get(name) ?? camelCase(name);
      if (spelt !== name && spelt in receiver)
        throw new HloError(`${own} has no ${name}: it is ${called}.${spelt}`);
      const isFound = (/** @type {[string, any]} */ [path, space]) =>
        Object.hasOwn(space, spelt) && `${path}.${spelt}` !== own; // np.random.random is not np.random
      const found = namespacesOf(hlo).find(isFound);
      if (found) throw new HloError(`${own} has no ${name}: it is ${found[0]}.${spelt}`);
      return undefined;
    },
  });
}

/**
 * A namespace: an object with functions, which does not change.
 * @template T
 * @param {any} hlo
 * @param {string} name
 * @param {T} members
 * @returns {T}
 */
export function namespace(hlo, name, members) {
  const own = Object.getOwnPropertyDescriptors(members);
  return Object.freeze(
    Object.create(
      hints(name, () => hlo, name === 'np.random' ? randomSpellings : undefined),
      /** @type {any} */ (own),
    ),
  );
}

/**
 * Gives arrays and traced values hints.
 * @param {object} prototype at the start of their chain
 */
export function giveHints(prototype) {
  const hloOf = (/** @type {any} */ x) =>
    Object.hasOwn(x, 'constructor') ? undefined : x.engine.hlo;
  Object.setPrototypeOf(prototype, hints('an array', hloOf, methodSpellings, 'x'));
}
