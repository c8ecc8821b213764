// Files of jax.export as they are: arguments by place, by name and nested, those that JAX dropped, results nested, the platform
// that is chosen, and a stored vector-Jacobian product. What must come out is JAX's (tests/fixtures/exports.py).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stepsOf } from '../../web/argument_names.js';
import { load } from '../../web/index.js';
import { show } from '../../web/show.js';
import { runCommand } from './command.js';

const folder = new URL('../fixtures/exports/', import.meta.url);
const hlo = await load();
const bytesOf = (/** @type {string} */ name) => new Uint8Array(readFileSync(new URL(name, folder)));
const textOf = (/** @type {string} */ name) => readFileSync(new URL(name, folder), 'utf8');
/** @type {any} */
const cases = JSON.parse(textOf('cases.json'));

/** JAX's names of leaves, in its order: keys of dictionaries are sorted. @returns {[string, any][]} */
function leavesOf(/** @type {any} */ tree, /** @type {string} */ name) {
  if (tree === null) return [];
  if (typeof tree !== 'object' || isArrayOfNumbers(tree)) return [[name, tree]];
  if (Array.isArray(tree)) return tree.flatMap((part, i) => leavesOf(part, `${name}[${i}]`));
  return Object.keys(tree)
    .sort()
    .flatMap((key) => leavesOf(tree[key], `${name}['${key}']`));
}
/** @returns {string | null} the shape of nested lists that are an array's elements */
function shapeOf(/** @type {any} */ tree) {
  if (typeof tree === 'number') return '';
  if (!Array.isArray(tree)) return null;
  const [first, ...others] = tree.map(shapeOf);
  return first != null && others.every((other) => other === first)
    ? `${tree.length},${first}`
    : null;
}
const isArrayOfNumbers = (/** @type {any} */ tree) => shapeOf(tree) !== null;

const near = (/** @type {any} */ got, /** @type {any} */ want, /** @type {string} */ what) => {
  const [a, b] = [[got].flat(9), [want].flat(9)];
  assert.equal(a.length, b.length, what);
  for (const [i, x] of a.entries())
    assert.ok(
      Math.abs(x - b[i]) <= 1e-4 * (1 + Math.abs(b[i])),
      `${what} ${i}: ${x} is not ${b[i]}`,
    );
};
const plain = (/** @type {any} */ tree) =>
  tree === null
    ? null
    : typeof tree.toNested === 'function'
      ? tree.toNested()
      : Array.isArray(tree)
        ? tree.map(plain)
        : Object.fromEntries(Object.entries(tree).map(([k, v]) => [k, plain(v)]));
function nearTree(/** @type {any} */ got, /** @type {any} */ want) {
  const [a, b] = [leavesOf(plain(got), 'result'), leavesOf(want, 'result')];
  assert.deepEqual(
    a.map(([name]) => name),
    b.map(([name]) => name),
  );
  for (const [i, [name, value]] of a.entries()) near(value, b[i][1], name);
}
/** A tree of the same nesting, in which all numbers are 1. @param {any} tree @returns {any} */
const onesLike = (tree) =>
  typeof tree === 'number'
    ? 1
    : Array.isArray(tree)
      ? tree.map(onesLike)
      : tree &&
        Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, onesLike(part)]));
const parameters = {
  blocks: ['params', 'ids'],
  nested: ['state', 'batch'],
  dropped: ['params', 'x', 'unused', 'y'],
  several: ['a', 'b'],
  elsewhere: ['a', 'b'],
};
const typeOf = (/** @type {string} */ name) => (name === 'ids' ? 's32' : 'f32');
/** Every leaf of the function's arguments as an array, with JAX's name. */
function inputsOf(/** @type {string} */ name) {
  const { args, kwargs } = cases[name];
  const leaves = [
    ...args.flatMap((/** @type {any} */ arg, /** @type {number} */ i) =>
      leavesOf(arg, parameters[/** @type {keyof typeof parameters} */ (name)][i]),
    ),
    ...Object.keys(kwargs)
      .sort()
      .flatMap((key) => leavesOf(kwargs[key], key)),
  ];
  return leaves.map(
    ([label, value]) => /** @type {const} */ ([label, hlo.array(value, typeOf(label))]),
  );
}

for (const name of Object.keys(cases))
  test(`${name}: by place, by name, nested`, () => {
    const executable = hlo.compile(bytesOf(`${name}.jax_export`));
    const { args, kwargs, result } = cases[name];
    const inputs = inputsOf(name);
    const labels = inputs.map(([label]) => label);
    for (const label of executable.parameterNames) assert.ok(labels.includes(label), label);
    const want = leavesOf(result, '').map(([, value]) => value);
    const check = (/** @type {any[]} */ results) =>
      results.forEach((array, i) => near(array.toNested(), want[i], `result ${i}`));
    check(executable.run(inputs.map(([, array]) => array))); // all of the function's
    check(
      executable.run(
        executable.parameterNames.map((label) => inputs[labels.indexOf(label)][1]), // the program's
      ),
    );
    check(executable.run(Object.fromEntries(inputs.toReversed())));
    check(executable.run(new Map(inputs.map(([label, x]) => [stepsOf(label).join('.'), x]))));
    const nested = name === 'nested' ? [...args, kwargs] : args;
    nearTree(executable.call(...nested), result);
    const text = hlo.compile(textOf(`${name}.mlir`));
    assert.deepEqual(text.parameterNames, executable.parameterNames);
    check(
      text.run(Object.fromEntries(inputs.filter(([label]) => text.parameterNames.includes(label)))),
    );
    // Names stay through both texts.
    for (const format of /** @type {const} */ (['hlo', 'stablehlo'])) {
      const again = hlo.compile(hlo.parse(bytesOf(`${name}.jax_export`)).print(format));
      assert.deepEqual(again.parameterNames, executable.parameterNames);
    }
  });

test('names in every order, whole or in part', () => {
  const executable = hlo.compile(bytesOf('blocks.jax_export'));
  const inputs = inputsOf('blocks');
  const [want] = executable.run(inputs.map(([, array]) => array));
  for (let seed = 1; seed <= 20; seed++) {
    const order = inputs
      .map((input, i) => ({ input, key: Math.sin(seed * 99 + i * 7.3) }))
      .sort((a, b) => a.key - b.key);
    const named = order.map(({ input: [label, array] }, i) => {
      const steps = stepsOf(label);
      const full = [label, steps.join('.'), steps.join('/')];
      return [(i + seed) % 3 === 0 ? steps.at(-1) : full[(i + seed) % 3], array];
    });
    assert.equal(String(executable.run(Object.fromEntries(named))[0]), String(want));
  }
  assert.throws(
    () => executable.run({ x: inputs[0][1] }),
    /names do not tell.*Given: "x".*takes: "params\['blocks.0.scale'\]"/s,
  );
  const { ['params']: _, ...missing } = Object.fromEntries(inputs);
  delete missing['ids'];
  assert.throws(() => executable.run(missing), /"ids" is missing/);
});

test('a stored vector-Jacobian product', () => {
  for (const name of ['nested', 'dropped']) {
    const executable = hlo.compile(bytesOf(`${name}.jax_export`));
    const vjp = executable.vjp();
    const ones = executable.results.map(({ dims }) =>
      hlo.array(new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(1), { shape: dims }),
    );
    const want = cases[name].vjp;
    const check = (/** @type {any[]} */ results) => {
      assert.equal(results.length, want.length);
      for (const [i, array] of results.entries()) near(array.toNested(), want[i], `cotangent ${i}`);
    };
    check(vjp.run([...inputsOf(name).map(([, array]) => array), ...ones]));
    // Nested: as the function's arguments, then cotangents as its results.
    const { args, kwargs, result } = cases[name];
    const own = name === 'nested' ? [...args, kwargs] : args;
    const gradients = vjp.call(...own, onesLike(result));
    assert.equal(gradients.length, own.length);
    const leaves = gradients.flatMap((/** @type {any} */ part, /** @type {number} */ i) => {
      const found = leavesOf(plain(part), 'x');
      assert.deepEqual(
        found.map(([label]) => label),
        leavesOf(own[i], 'x').map(([label]) => label),
      );
      return found;
    });
    for (const [i, [label, value]] of leaves.entries()) near(value, want[i], label);
    assert.throws(() => vjp.call(...own), /takes \d arguments, got \d/);
    assert.throws(() => vjp.vjp(), /has no vector-Jacobian product/);
  }
  assert.throws(() => hlo.compile(textOf('dropped.mlir')).vjp(), /serialize\(vjp_order=1\)/);
});

test('the platform is chosen, by a number of 32 or 64 bits', async () => {
  for (const file of ['several', 'wide', 'elsewhere'])
    for (const source of [bytesOf(`${file}.jax_export`), textOf(`${file}.mlir`)]) {
      const { parameters } = hlo.compile(source);
      assert.deepEqual(
        parameters.filter(({ text }) => text.endsWith('[]')),
        [],
      );
    }
  const x = hlo.array([0.5, 1], 'f64');
  near(
    hlo.compile(bytesOf('wide.jax_export')).run([x])[0].toNested(),
    [2 * Math.sin(0.5), 2 * Math.sin(1)],
    'sine',
  );
  const inputs = inputsOf('several');
  for (const [platform, target] of [
    ['cuda', 'cusolver_getrf_ffi'],
    ['tpu', 'LuDecomposition'],
    ['rocm', 'hipsolver_getrf_ffi'],
    ['cpu', 'lapack_sgetrf_ffi'],
    ['none of them', 'lapack_sgetrf_ffi'],
  ]) {
    const other = await load({ platform });
    const executable = other.compile(bytesOf('several.jax_export'));
    assert.match(executable.print(), new RegExp(target));
    const results = executable.run(inputs.map(([, array]) => other.array(array.toNested(), 'f32')));
    for (const [i, array] of results.entries())
      near(array.toNested(), cases.several.result[i], `${platform}: result ${i}`);
  }
});

test('calls with another structure', () => {
  const executable = hlo.compile(bytesOf('nested.jax_export'));
  const { args, kwargs } = cases.nested;
  assert.throws(
    () => executable.call(...args),
    /takes 2 arguments and an object with those by name, got 2/,
  );
  assert.throws(() => executable.call(args[0], {}, kwargs), /argument 1 has no "x"/);
  assert.throws(() => executable.call(args[0], { ...args[1], z: 1 }, kwargs), /argument 1 has "z"/);
  assert.throws(
    () => executable.call({ ...args[0], layers: [] }, args[1], kwargs),
    /argument 0\.layers is a list of 1, got a list/,
  );
  assert.throws(
    () => hlo.compile(textOf('nested.mlir')).call(1),
    /does not say how its arguments are nested/,
  );
});

test('hlo run binds files by names, and refuses those whose order alone would decide', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'exports-')), 'x');
  const inputs = inputsOf('blocks');
  const weights = inputs.filter(([label]) => label !== 'ids');
  const byName = (/** @type {string} */ label) => Number(/\d+/.exec(label)?.[0] ?? -1);
  const sorted = weights.toSorted(([a], [b]) => byName(a) - byName(b)); // blocks.2 before blocks.10, as a model has them
  const named = Object.fromEntries(sorted.map(([label, x]) => [stepsOf(label)[1], x]));
  const ids = /** @type {any} */ (inputs.find(([label]) => label === 'ids'))[1];
  writeFileSync(`${path}.safetensors`, hlo.toSafetensors(named));
  writeFileSync(`${path}.npz`, hlo.toNpz(named));
  writeFileSync(`${path}.npy`, hlo.toNpy(ids));
  const program = new URL('blocks.jax_export', folder).pathname;
  const want = show(hlo.compile(bytesOf('blocks.jax_export')).run(Object.fromEntries(inputs))[0]);
  for (const files of [
    [`${path}.safetensors`, `${path}.npy`],
    [`${path}.npy`, `${path}.npz`],
  ]) {
    const { status, stdout, stderr } = runCommand(
      'run',
      program,
      ...files.flatMap((f) => ['--input', f]),
    );
    assert.equal(status, 0, stderr);
    assert.equal(stdout.trim().replaceAll(/\s+/g, ' '), want.replaceAll(/\s+/g, ' '));
  }
  const other = Object.fromEntries(
    sorted.map(([, x], i) => [`weight${String.fromCharCode(97 + i)}`, x]),
  );
  writeFileSync(`${path}2.npz`, hlo.toNpz(other));
  const refused = runCommand('run', program, '--input', `${path}2.npz`, '--input', `${path}.npy`);
  assert.notEqual(refused.status, 0);
  assert.match(
    refused.stderr,
    /names do not tell.*"weighta".*The program takes: "params\['blocks.0.scale'\]"/s,
  );
  // Names that count are an order.
  writeFileSync(
    `${path}3.npz`,
    hlo.toNpz(Object.fromEntries(weights.map(([, x], i) => [`arr_${i}`, x]))),
  );
  const counted = runCommand('run', program, '--input', `${path}3.npz`, '--input', `${path}.npy`);
  assert.equal(
    counted.stdout.trim().replaceAll(/\s+/g, ' '),
    want.replaceAll(/\s+/g, ' '),
    counted.stderr,
  );
});

/** A complex number as two. */
const numbersOf = (/** @type {any} */ array) => array.toNested();
const flat = (/** @type {any} */ x) =>
  [x].flat(9).flatMap((v) => (typeof v === 'object' && v !== null ? [v.re, v.im] : [Number(v)]));

test('linear algebra for other platforms', () => {
  const programs = ['linalg.json.gz', 'device_calls.json.gz'].flatMap((name) =>
    JSON.parse(gunzipSync(readFileSync(new URL(name, folder))).toString()),
  );
  const seen = new Set();
  for (const { name, platform, inputs, results, text } of programs) {
    for (const [, target] of text.matchAll(/custom_call @"?([\w$]+)/g)) seen.add(target);
    const arrays = inputs.map((/** @type {any} */ { type, dims, values }) => {
      const isComplex = type === 'c64';
      const data = isComplex ? new Float32Array(values) : Float32Array.from(values);
      if (isComplex) return hlo.array(data, { type, shape: dims });
      if (type === 's32') return hlo.array(Int32Array.from(values), { shape: dims });
      if (type === 'u32') return hlo.array(Uint32Array.from(values), { shape: dims });
      const wide = hlo.array(data, { shape: dims });
      return type === 'f32' ? wide : hlo.convert(wide, type);
    });
    // What is in a descriptor of bytes stays through both texts.
    const formats = /(opaque|backend_config) = "[^"]/.test(text) ? ['hlo', 'stablehlo'] : [];
    const printed = formats.map((format) => hlo.parse(text).print(/** @type {any} */ (format)));
    const got = [text, ...printed].flatMap((program) => hlo.compile(program).run(arrays));
    assert.equal(got.length, results.length * (1 + printed.length));
    for (const [i, array] of got.entries()) {
      const plain = ['bf16', 'f16'].includes(array.type) ? hlo.convert(array, 'f32') : array;
      const [a, b] = [flat(numbersOf(plain)), results[i % results.length].values];
      assert.equal(a.length, b.length, `${name} for ${platform}`);
      const size = Math.max(1, ...b.filter((/** @type {any} */ x) => x !== null).map(Math.abs));
      for (const [k, x] of a.entries())
        assert.ok(
          b[k] === null ? Number.isNaN(x) : Math.abs(x - b[k]) <= 2e-4 * size,
          `${name} for ${platform}, result ${i}, ${k}: ${x} is not ${b[k]}\n${String(inputs.map((/** @type {any} */ x) => x.dims))}`,
        );
    }
  }
  for (const target of [
    'cusolver_gesvd_ffi',
    'hipsolver_gesvdj_ffi',
    'cusparse_gtsv2_ffi',
    'hipsparse_gtsv2_ffi',
    'cuhybrid_eig_comp',
    'cuhybrid_eig_real',
    'hiphybrid_geqp3',
    'LuDecomposition',
    '__op$block_scaled_dot',
    'cu_lu_pivots_to_permutation',
    'cusolver_sytrd_ffi',
    'cusolver_geev_ffi',
    'cusolver_csrlsvqr_ffi',
    'cusparse_csr_matvec_ffi',
    'cusparse_coo_matmat_ffi',
    'hipsparse_csr_matmat_ffi',
    'cusparse_coo_fromdense_ffi',
    'cu_threefry2x32_ffi',
    'cu_cholesky_update_ffi',
    'cu_tridiagonal_solve_perturbed',
    // as JAX 0.4 has them
    'cusolver_getrf',
    'cusolver_gesvdj',
    'cusolver_syevd',
    'cusolver_syevj',
    'cublas_geqrf_batched',
    'cusparse_gtsv2_f32',
    'cusparse_csr_todense',
    'cusolver_csrlsvqr',
    'cu_threefry2x32',
  ])
    assert.ok(seen.has(target), target);
});

test('custom calls of branches that are not taken', () => {
  const program = (
    /** @type {number} */ n,
  ) => `func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %i = stablehlo.constant dense<${n}> : tensor<i32>
    %j = stablehlo.optimization_barrier %i : tensor<i32>
    %0 = "stablehlo.case"(%j) ({
      %1 = stablehlo.custom_call @nobody_knows(%x) : (tensor<2xf32>) -> tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      %1 = stablehlo.add %x, %x : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }`;
  const x = hlo.array([1, 2], 'f32');
  for (const options of [{}, { optimize: false }, { reference: true }]) {
    assert.deepEqual(hlo.compile(program(1), options).run([x])[0].toNested(), [2, 4]);
    assert.throws(
      () => hlo.compile(program(0), options).run([x]),
      /instruction %[\w.-]+ .*no custom call target "nobody_knows" is registered/,
    );
  }
});
