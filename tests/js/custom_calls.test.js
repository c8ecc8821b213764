// Custom calls that JavaScript functions carry out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { load } from '../../web/index.js';

/** @type {any} */
let hlo;
before(async () => {
  hlo = await load({
    build: 'simd',
    customCalls: { double: ([x]) => x.toNested().map((/** @type {number} */ v) => 2 * v) },
  });
});

/** @param {string} target @param {string} [more] */
function program(target, more = '') {
  return `HloModule m
ENTRY main {
  x = f32[3] parameter(0)
  ROOT y = f32[3] custom-call(x), custom_call_target="${target}"${more}
}`;
}

/** @param {string} text @returns {number[]} what it makes of 1, 2, 3 */
function run(text) {
  const executable = hlo.compile(text);
  const x = hlo.array([1, 2, 3], 'f32');
  try {
    const [y] = executable.run([x]);
    const values = y.toNested();
    y.dispose();
    return values;
  } finally {
    x.dispose();
    executable.dispose();
    executable.module.dispose();
  }
}

test('load takes functions', () => {
  assert.deepEqual(run(program('double')), [2, 4, 6]);
});

test('a function gets what the program says and may use the engine', () => {
  hlo.registerCustomCall('rounds', (inputs, info) => {
    assert.equal(inputs.length, 1);
    assert.equal(inputs[0].xla.text, 'f32[3]');
    assert.equal(info.target, 'rounds');
    assert.match(info.backendConfig, /n = 3/);
    assert.deepEqual(
      info.results.map((shape) => shape.text),
      ['f32[3]'],
    );
    const inner = run(program('double')); // a program inside of the program
    assert.deepEqual(inner, [2, 4, 6]);
    return hlo.add(inputs[0], inputs[0]);
  });
  assert.deepEqual(run(program('rounds', ', backend_config={n = 3 : i64}')), [2, 4, 6]);
  hlo.registerCustomCall('rounds', null);
});

test('several results, none, and StableHLO', () => {
  const seen = [];
  hlo.registerCustomCall('split', ([x]) => ({ results: [x, [[1], [2]]] }));
  hlo.registerCustomCall('log', ([x]) => void seen.push(x.toNested()));
  const executable = hlo.compile(`
func.func @main(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<2x1xi8>) {
  stablehlo.custom_call @log(%x) {has_side_effect = true} : (tensor<2xf64>) -> ()
  %0:2 = stablehlo.custom_call @split(%x) : (tensor<2xf64>) -> (tensor<2xf64>, tensor<2x1xi8>)
  return %0#0, %0#1 : tensor<2xf64>, tensor<2x1xi8>
}`);
  const [a, b] = executable.run([hlo.array([5, 6], 'f64')]);
  assert.deepEqual(
    [a.toNested(), b.toNested()],
    [
      [5, 6],
      [[1], [2]],
    ],
  );
  assert.deepEqual(seen, [[5, 6]]);
  hlo.registerCustomCall('split', null);
  hlo.registerCustomCall('log', null);
});

test('what goes wrong in a function is the error of the run', () => {
  const cases = [
    [() => { throw new TypeError('not today'); }, /%y \(custom-call\): not today/], // prettier-ignore
    [() => [1, 2], /shape/],
    [() => hlo.array([1, 2], 'f32'), /must have shape f32\[3\]/],
    [() => hlo.array([1, 2, 3], 's32'), /must have shape f32\[3\]/],
    [() => undefined, /0 results instead of 1/],
    [() => ({ results: [] }), /0 results instead of 1/],
    [async () => [1, 2, 3], /asynchronous/],
    [() => run('HloModule broken\nENTRY main { x = f32[3] nonsense() }'), /nonsense/],
  ];
  const inUse = hlo.memory.inUse;
  for (const [body, message] of /** @type {any} */ (cases)) {
    hlo.registerCustomCall('wrong', body);
    assert.throws(() => run(program('wrong')), message);
    assert.deepEqual(run(program('double')), [2, 4, 6], 'the engine works on');
  }
  hlo.registerCustomCall('wrong', null);
  assert.equal(hlo.memory.inUse, inUse);
});

test('a function may dispose of the program that calls it, and a full cache let go of one', () => {
  const plus = (/** @type {any} */ x, /** @type {string} */ target) =>
    hlo.add(hlo.customCall(target, [x], x.xla.text), 1);
  const ending = hlo.jit((/** @type {any} */ x) => plus(x, 'ending'));
  hlo.registerCustomCall('ending', ([x]) => {
    ending.dispose();
    return x.toNested();
  });
  assert.deepEqual(ending(hlo.array([1, 2, 3])).toNested(), [2, 3, 4]);
  const shorter = hlo.jit((/** @type {any} */ x) => plus(x, 'shorter'), { cacheLimit: 1 });
  // Each calls the next shorter one, which takes its place in the cache.
  hlo.registerCustomCall('shorter', ([x]) => {
    const [first, ...rest] = x.toNested();
    return rest.length === 0 ? [first] : [first, ...shorter(hlo.array(rest)).toNested()];
  });
  assert.deepEqual(shorter(hlo.array([1, 2, 3, 4])).toNested(), [2, 4, 6, 8]);
  assert.equal(shorter.cacheSize, 1);
});

test('a name can be taken again and given back', () => {
  const executable = hlo.compile(program('later'));
  const x = hlo.array([1, 2, 3], 'f32');
  assert.throws(() => executable.run([x]), /no custom call target "later"/);
  hlo.registerCustomCall('later', () => [1, 1, 1]);
  assert.deepEqual(executable.run([x])[0].toNested(), [1, 1, 1]);
  hlo.registerCustomCall('later', () => [2, 2, 2]);
  assert.deepEqual(executable.run([x])[0].toNested(), [2, 2, 2]);
  hlo.registerCustomCall('later', null);
  assert.throws(() => executable.run([x]), /no custom call target "later"/);
  assert.throws(() => hlo.registerCustomCall('', () => [1]), /1 to 127 bytes/);
  assert.throws(() => hlo.registerCustomCall('x'.repeat(128), () => [1]), /1 to 127 bytes/);
  assert.throws(() => hlo.registerCustomCall('later', 3), /takes a function, got 3/);
});

test('callbacks to Python: what has no results is left out, other ones fail when they are reached', () => {
  const text = (/** @type {number} */ limit) => `
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) {has_side_effect = true} : (tensor<3xf32>) -> ()
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %limit = stablehlo.constant dense<${limit}.0> : tensor<f32>
  %p = stablehlo.compare GT, %sum, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %y = "stablehlo.if"(%p) ({
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%x) : (tensor<3xf32>) -> tensor<3xf32>
    stablehlo.return %0 : tensor<3xf32>
  }, {
    stablehlo.return %x : tensor<3xf32>
  }) : (tensor<i1>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}`;
  assert.deepEqual(run(text(9)), [1, 2, 3]);
  assert.throws(() => run(text(2)), /calls a function of Python's/);
  // As jax.debug.print(…, ordered=True), which hands a token on.
  const ordered = hlo.compile(`
func.func @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<3xf32>) -> (!stablehlo.token {jax.token = true}, tensor<3xf32>) {
  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t) {has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (!stablehlo.token) -> !stablehlo.token
  %1 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%0, %x) {has_side_effect = true, operand_layouts = [dense<> : tensor<0xindex>, dense<0> : tensor<1xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (!stablehlo.token, tensor<3xf32>) -> !stablehlo.token
  return %1, %x : !stablehlo.token, tensor<3xf32>
}`);
  const [token, same] = ordered.run([hlo.afterAll(), hlo.array([1, 2, 3], 'f32')]);
  assert.equal(token.type, 'token');
  assert.deepEqual(same.toNested(), [1, 2, 3]);
  hlo.registerCustomCall('xla_ffi_python_cpu_callback', ([x], { results }) => ({
    results: results.map(() => x),
  }));
  assert.deepEqual(run(text(2)), [1, 2, 3]);
  hlo.registerCustomCall('xla_ffi_python_cpu_callback', null);
});
