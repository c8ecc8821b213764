// Every name of the specification is there, is called in each order of arguments that the specification has, and gives what the
// specification says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';
import { callsOf } from './specification_calls.js';
import { programsOf } from './specification_programs.js';
import { rows, specificationTable } from './specification_table.js';

const hlo = /** @type {any} */ (await load());
const calls = callsOf(hlo);
const programs = programsOf(hlo);

/** @param {any} x arrays, or lists of them @returns {any} */
const nested = (x) => (Array.isArray(x) ? x.map(nested) : x.toNested());

/** Elements may differ by a few units in the last place of f32. @param {any} got @param {any} want @param {string} what */
function assertNear(got, want, what) {
  const error = `${what}: ${show(got)} instead of ${show(want)}`;
  if (Array.isArray(want)) {
    assert.ok(Array.isArray(got) && got.length === want.length, error);
    want.forEach((one, i) => assertNear(got[i], one, what));
  } else if (typeof want === 'object') {
    assertNear(got.re, want.re, what);
    assertNear(got.im, want.im, what);
  } else if (typeof want === 'number') {
    assert.ok(Math.abs(Number(got) - want) <= 1e-6 * Math.max(1, Math.abs(want)), error);
  } else assert.equal(got, want, error);
}

/** @param {any} value */
const show = (value) =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? Number(part) : part));

/** @param {import('./specification_programs.js').Program} program @returns {{ results: any, fed: any[] }} of the replicas */
function run({ build, inputs = [[]], feeds }) {
  const builder = hlo.builder('specification');
  const entry = builder.computation('entry');
  const parameters = inputs[0].map((x) => entry.parameter(x.xla.text));
  const result = entry.trace(build, parameters);
  const root = Array.isArray(result) ? entry.add('tuple', result) : result;
  const executable = builder.build(entry, root).compile();
  /** @type {any[]} */
  const fed = [];
  const results = executable.runReplicas(inputs, {
    infeed: feeds && [feeds],
    onOutfeed: (/** @type {any[]} */ arrays) => fed.push(nested(arrays)),
  });
  return {
    results: results.map((/** @type {any} */ one) =>
      Array.isArray(result) ? nested(one) : nested(one)[0],
    ),
    fed,
  };
}

const builders = rows.filter(({ here }) => here.includes('.')).map(({ name }) => name);

test('every row is called, in each of its orders', () => {
  const named = rows.map(({ name }) => name);
  assert.ok(named.length > 190, `${named.length}`);
  const called = [...Object.keys(calls), ...Object.keys(programs), ...builders];
  assert.deepEqual(called.sort(), named.sort());
  for (const { name, orders } of rows)
    for (const order of orders)
      if (calls[name])
        assert.ok(
          calls[name].some(([args]) => args.length === order.length),
          `${name}(${order.join(', ')}) is not called`,
        );
});

for (const { name, here } of rows)
  if (calls[name])
    test(`${name}: arrays, and a program`, () => {
      for (const [args, want] of calls[name]) {
        assertNear(nested(hlo[here](...args)), want, name);
        assertNear(nested(hlo.jit(() => hlo[here](...args))()), want, `${name} in jit`);
      }
      const { length } = hlo[here];
      assert.equal(length, 0, 'arguments are counted by the signature');
      assert.throws(() => hlo[here](...Array(20).fill(hlo)), HloError);
    });
  else if (programs[name])
    test(`${name}: a program of ${programs[name][0].inputs?.length ?? 1} replicas`, () => {
      for (const program of programs[name]) {
        const { results, fed } = run(program);
        assert.deepEqual(results, program.want);
        assert.deepEqual(fed, program.fed ?? []);
      }
    });

test('builders', () => {
  const builder = hlo.builder('b');
  const entry = builder.computation('entry');
  const x = entry.parameter('f32[2]');
  assert.equal(x.xla.text, 'f32[2]');
  const named = builder.computation('named');
  named.parameter(0, 'f32[2]', 'first');
  named.finish(named.parameter(1, x.xla, 'second'));
  assert.throws(() => named.parameter(1, 'f32[2]'), /parameter: the next number is 2/);
  assert.throws(() => named.parameter('f32[2]', 'a b'), /"a b" is no name of HLO text/);
  assert.throws(() => named.parameter(5), /the next number is 2/);
  assert.throws(() => named.parameter(2), /a shape is text, got undefined/);
  builder.setSharding('{replicated}');
  builder.setOpMetadata({ opName: 'of "x"', sourceFile: 'a.js', sourceLine: 3 });
  builder.setFrontendAttributes({ note: 'here' });
  const y = hlo.neg(x);
  builder.clearSharding();
  builder.clearOpMetadata();
  builder.setFrontendAttributes({});
  const module = builder.build(entry, hlo.abs(y));
  const lines = module.print().split('\n');
  assert.match(module.print(), /%first = f32\[2\]\{0\} parameter\(0\)[^]*%second = f32/);
  const lineOf = (/** @type {string} */ op) => lines.find((line) => line.includes(` ${op}(`));
  assert.match(
    lineOf('negate'),
    /sharding=\{replicated\}, metadata=\{op_name="of \\"x\\"" source_file="a.js" source_line=3\}, frontend_attributes=\{note="here"\}/,
  );
  assert.doesNotMatch(lineOf('abs'), /sharding|metadata|frontend/);
  assert.deepEqual(
    module
      .compile()
      .run([hlo.array([1, -2], 'f32')])[0]
      .toNested(),
    [1, 2],
  );
  assert.throws(() => hlo.builder().setSharding(1), /a sharding is text, got 1/);
  assert.throws(
    () => hlo.builder().setOpMetadata({ name: 'x' }),
    /setOpMetadata has no option "name"/,
  );
  assert.throws(() => hlo.builder().setFrontendAttributes('x'), /takes texts by name, got "x"/);
});

test('docs/operations.md has the table', () => {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  assert.ok(page.includes(specificationTable(hlo).join('\n')), 'run `make operations`');
});
