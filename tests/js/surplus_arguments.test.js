// Nothing that a caller gives is dropped without a word: each public function and method refuses arguments that it would not
// look at, and options that it does not have, with its name and what it takes. All of them are tried, found by walking over
// the objects of the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { bestBuild, HloError, load } from '../../web/index.js';
import { parseCall } from '../../web/numpy/calls.js';
import { numpy } from '../../web/numpy/index.js';
import { signatures as numpySignatures } from '../../web/numpy/signatures.js';
import { signaturesOf } from '../../web/operations.js';
import { takes } from '../../web/operations/argument_kinds.js';
import { methods } from '../../web/signatures.js';
import { loadWorker } from '../../web/worker/index.js';

const hlo = await load();
const far = await loadWorker();
after(() => far.terminate());
const np = /** @type {Record<string, any>} */ (numpy(hlo));
const x = hlo.array([1, 2]);
const text = 'ENTRY e { x = f32[2] parameter(0)  ROOT r = f32[2] add(x, x) }';
const module = hlo.parse(text);
const executable = hlo.compile(text);
const open = hlo.compile(
  'func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }',
);
const builder = hlo.builder();

/** Methods that are only for the package itself. */
const internal =
  'constructor handleIn compileQuickly plan own trace finish prepare lower call ask channel'.split(
    ' ',
  );
/** Those that take any number of arguments. */
const open_ended = [
  'tidy',
  ...'item at set addAt multiplyAt minimumAt maximumAt reshape transpose'.split(' '),
  ...Object.entries(numpySignatures).flatMap(([name, text]) =>
    text.includes('...') ? [name] : [],
  ),
];

/** @param {any} object @returns {string[]} */
function callsOf(object) {
  /** @type {Map<string, PropertyDescriptor>} */
  const found = new Map();
  const ends = [Object.prototype, Function.prototype, null];
  for (let it = object; !ends.includes(it); it = Object.getPrototypeOf(it))
    for (const [name, described] of Object.entries(Object.getOwnPropertyDescriptors(it)))
      if (!found.has(name)) found.set(name, described);
  return [...found]
    .filter(([name, { value }]) => typeof value === 'function' && !internal.includes(name))
    .map(([name]) => name);
}

const objects = {
  ...{ hlo, np, array: x, module, executable, open, builder },
  computation: builder.computation('c'),
  indexing: module.indexingMaps(),
  instruction: module.instructions()[0],
  jit: hlo.jit((/** @type {any} */ a) => a),
  far,
  farArray: await far.array([1, 2]),
  farModule: await far.parse(text),
  farExecutable: await far.compile(text),
  package: { load, bestBuild, numpy, loadWorker },
};

/** @param {any} object @param {string} name @param {any[]} args @returns {Promise<any>} what it throws, or is rejected with */
async function errorOf(object, name, args) {
  try {
    await object[name](...args);
  } catch (error) {
    return error;
  }
  return undefined;
}

for (const [kind, object] of Object.entries(objects))
  test(`surplus arguments of ${kind}`, async () => {
    const names = callsOf(object);
    assert.ok(names.length > 0);
    const extra = kind.startsWith('far') ? 1 : x;
    for (const name of names) {
      if (open_ended.includes(name) && ['hlo', 'np', 'array', 'farArray'].includes(kind)) continue;
      const error = await errorOf(object, name, Array(20).fill(extra));
      assert.ok(error instanceof HloError, `${kind}.${name}: ${error}`);
      const [, counted] = /takes (no|\d+) arguments?, got 20/.exec(error.message) ?? [];
      assert.ok(counted, `${kind}.${name}: ${error.message}`);
      assert.ok(error.message.startsWith(`${name}(`), error.message);
      // And that many are not too many: of one more undefined nothing is lost.
      const count = counted === 'no' ? 0 : Number(counted);
      const one = await errorOf(object, name, [...Array(count).fill(undefined), extra]);
      assert.match(String(one?.message), /is too many$/, `${kind}.${name}`);
      if (kind === 'np') continue; // which says that arguments are missing
      if (['dispose', 'terminate', 'load', 'loadWorker'].includes(name)) continue;
      const fits = await errorOf(object, name, Array(count + 1).fill(undefined));
      assert.doesNotMatch(String(fits?.message), /is too many/, `${kind}.${name}`);
    }
  });

test('methods speak of their own arguments', async () => {
  /** @type {any[]} */
  const traced = [];
  hlo.jit((/** @type {any} */ a) => {
    for (const [name, args] of calls)
      try {
        a[name](...args);
      } catch (error) {
        traced.push(error);
      }
    return a;
  })(x);
  for (const [i, [name, args, said]] of calls.entries()) {
    const errors = [await errorOf(x, name, args), traced[i]];
    errors.push(await errorOf(objects.farArray, name, args));
    for (const error of errors) assert.equal(error.message, said);
  }
});
/** @type {[string, any[], string][]} methods, arguments, and what is wrong */
const calls = [
  ['add', [], 'add(y, { dtype, casting }) takes 1 argument, got 0'],
  ['add', Array(20).fill(1), 'add(y, { dtype, casting }) takes 1 argument, got 20: 1 is too many'],
  ['exp', [1], 'exp({ dtype, casting }) takes no arguments, got 1: 1 is too many'],
  ['split', [], 'split(indicesOrSections, axis) takes 1 argument, got 0'],
  ['reshape', [], 'reshape(shape, order) takes 1 argument, got 0'],
  ['transpose', [null, 'b'], 'transpose(axes) takes 1 argument, got 2: "b" is too many'],
  [
    'sum',
    [0, 'f32', true],
    'sum(axis, dtype, { keepdims, initial, where }) takes 2 arguments, got 3: true is too many',
  ],
];

const pointwise = hlo.ops.flatMap((op) => (op.elementwise ? [[op.name, op.minOperands]] : []));

test('unknown options of all operations', () => {
  const signatures = Object.entries(signaturesOf(/** @type {any} */ ({ elementwise: pointwise })));
  assert.deepEqual(
    new Set(signatures.map(([name]) => name)),
    new Set(Object.keys(hlo)),
    'each operation has a signature, and each signature an operation',
  );
  const taking = signatures.filter(([, { place }]) => place >= 0);
  assert.ok(taking.length > 80);
  for (const [name, { names, page, place }] of taking) {
    assert.equal(place, names.length - 1, `options of ${name} come last`);
    const given = Array(place).fill(x);
    assert.throws(
      () => /** @type {any} */ (hlo)[name](...given, { typo: 1 }),
      new RegExp(`HloError: ${name} has no option "typo": it has \\w+`),
    );
    for (const wrong of [1, 'a', null, [1], x]) {
      // Unless XLA's order has such an argument there.
      const next = page[names.indexOf(page[place]) < 0 ? place : page.length];
      if (next !== undefined && takes(next, wrong)) continue;
      assert.throws(
        () => /** @type {any} */ (hlo)[name](...given, wrong),
        new RegExp(`HloError: ${name} takes options as an object, \\{ \\w+`),
      );
    }
  }
});

test('unknown options elsewhere, also within options', async () => {
  const options = { typo: 1 };
  const maps = objects.indexing;
  const lists = [[objects.farArray]];
  /** @type {Record<string, () => any>} */
  const calls = {
    array: () => hlo.array([1], options),
    parse: () => hlo.parse(text, options),
    compile: () => hlo.compile(text, options),
    'compile of a module': () => hlo.compile(module, options),
    jit: () => hlo.jit(() => x, /** @type {any} */ (options)),
    'module.compile': () => module.compile(options),
    optimize: () => module.optimize(options),
    graph: () => module.graph(options),
    toDot: () => module.toDot(options),
    cost: () => module.cost(options),
    indexing: () => module.indexing(options),
    indexingMaps: () => module.indexingMaps(options),
    'indexing.at': () => maps.at(0, [0], options),
    toTypedArray: () => x.toTypedArray(options),
    run: () => executable.run([x], options),
    runAsync: () => executable.runAsync([x], options),
    runReplicas: () => executable.runReplicas([[x]], options),
    runReplicasAsync: () => executable.runReplicasAsync([[x]], options),
    'open run': () => open.run([x], options),
    'open runAsync': () => open.runAsync([x], options),
    add: () => objects.computation.add('add', [], options),
    load: () => load(/** @type {any} */ (options)),
    loadWorker: () => loadWorker(/** @type {any} */ (options)),
    'far array': () => far.array([1], options),
    'far dot': () => far.dot(objects.farArray, objects.farArray, options),
    'far compile': () => far.compile(text, options),
    'far jit': () => far.jit(() => x, { hlo, ...options }),
    'far toTypedArray': () => objects.farArray.toTypedArray(options),
    'far run': () => objects.farExecutable.run([objects.farArray], options),
    'far runReplicas': () => objects.farExecutable.runReplicas(lists, options),
    'far module': () => objects.farModule.compile(options),
    layout: () => x.withLayout({ minorToMajor: [0], ...options }),
    'a shape’s layout': () => hlo.shape('f32', [2], { minorToMajor: [0], ...options }),
    'dimension numbers': () =>
      hlo.conv(hlo.array([[1]]), hlo.array([[1]]), [], 'VALID', {
        dimensionNumbers: /** @type {any} */ (options),
      }),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await errorOf({ call }, 'call', []);
    assert.ok(error instanceof HloError, `${name}: ${error}`);
    assert.match(error.message, /"typo"|dot\(lhs, rhs\) takes 2 arguments/, name);
  }
});

test('unknown options of all functions of the NumPy layer', () => {
  let tried = 0;
  for (const [name, text] of Object.entries(numpySignatures)) {
    const { required, order, named } = parseCall(text);
    if (named.length === 0) continue;
    tried++;
    // They may come in the place of any optional argument.
    for (let count = required.length; count <= order.length; count++)
      assert.throws(
        () => np[name](...Array(count).fill(x), { typo: 1 }),
        new RegExp(`HloError: ${name} has no option "typo": it has ${named[0]}`),
      );
  }
  assert.ok(tried > 90, `${tried}`);
  assert.throws(() => np.meshgrid(x, { typo: 1 }), /meshgrid has no option "typo"/);
  assert.throws(() => np.diff(x, { typo: 1 }), /diff has no option "typo"/);
  assert.throws(() => np.pad(x, 1, { statLength: 1 }), /pad in mode constant has no option "stat/);
  assert.throws(
    () => np.sum(x, 0, 'f32', true),
    /sum\(x, axis, dtype, \{ keepdims, initial, where \}\) takes 3 arguments, got 4: true/,
  );
  assert.throws(() => np.sum(x, 0, { axis: 0 }), /sum is given axis twice/);
  assert.throws(() => np.sum(x, { out: x }), /sum has no option "out": it has axis, dtype, keep/);
  assert.throws(() => np.dot(x, x, { out: x }), /dot\(x, y\) takes 2 arguments, got 3: an object/);
});

test('what operations take has the names that their types say', () => {
  const source = readFileSync(new URL('../../web/signatures.js', import.meta.url), 'utf8');
  // Generic and overloaded types as plain ones, with the same parameters.
  const text = source
    .replace(/\{Alike<\[(.*)\]>\} (?=\w)/g, '{(operands: Arrays, $1) => Arrays} ')
    .replace(/\{<\w+ extends [^>]*>\(/g, '{(')
    .replace(/\{\((\(.*?\) => HloArray)\) & .*\} while/g, '{$1} while');
  const signatures = signaturesOf(/** @type {any} */ ({ elementwise: pointwise }));
  // Those of one and two operands are typed together.
  const unions = [...text.matchAll(/@typedef \{(['\s*|\w]+)\} \w+Name/g)];
  const isUnion = (/** @type {string} */ name) =>
    unions.some(([, union]) => union.includes(`'${name}'`));
  /** @type {Record<'names' | 'page', string[]>} */
  const compared = { names: [], page: [] };
  for (const { 1: types, 2: name, index } of text.matchAll(/@property \{\((.*)\) => .*\} (\w+)/g)) {
    const given = [...types.matchAll(/(?:^|, )(\w+)\??: /g)].map(([, parameter]) => parameter);
    // Parameters within types of functions and objects are not the operation's own.
    let depth = 0;
    const own = [...types].map((c) => {
      if ('({['.includes(c)) depth++;
      if (')}]'.includes(c)) depth--;
      return depth === 0 || ')}]'.includes(c) ? c : ' ';
    });
    const parameters = [...own.join('').matchAll(/(?:^|, )(\w+)(\??): /g)];
    const names = parameters.map(([, one]) => one);
    assert.ok(names.length <= given.length);
    if (signatures[name] === undefined) continue;
    const order = index > text.indexOf('} PageOrders') ? 'page' : 'names';
    const required = parameters.filter(([, , mark]) => mark === '').length;
    if (order === 'names') assert.equal(signatures[name].least, required, `required, ${name}`);
    compared[order].push(name);
    assert.deepEqual(signatures[name][order], names, `${name}, ${order}`);
  }
  const all = Object.keys(signatures).filter((name) => !isUnion(name));
  const withPage = all.filter((name) => signatures[name].page.length > 0);
  assert.deepEqual(compared.names.sort(), all.sort());
  assert.deepEqual(compared.page.sort(), withPage.sort());
  assert.ok(Object.keys(methods).length > 8);
});
