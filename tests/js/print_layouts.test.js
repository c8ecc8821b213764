// StableHLO text of programs whose arrays are laid out in other ways: XLA's optimised modules. What the text says gives the
// same values, and custom calls keep what they are told.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();

/** The program's results, and those of what it is printed as. */
function both(text, ...inputs) {
  const module = hlo.parse(text);
  const printed = module.print('stablehlo');
  const [want, got] = [module, hlo.parse(printed)].map((m) =>
    m
      .compile()
      .run(inputs)
      .map((x) => x.toNested()),
  );
  assert.deepEqual(got, want);
  return printed;
}
const numbers = (...shape) =>
  hlo.array(
    Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i),
    { shape },
  );

test('bitcasts between layouts are transposes and reshapes', () => {
  const program = (from, to) =>
    `HloModule m\nENTRY e { a = ${from} parameter(0)\n ROOT b = ${to} bitcast(a) }`;
  const text = both(program('f32[2,3,4]{0,2,1}', 'f32[6,4]{0,1}'), numbers(2, 3, 4));
  assert.match(text, /transpose[^]*reshape[^]*transpose/);
  both(program('f32[2,3,4]{1,2,0}', 'f32[24]'), numbers(2, 3, 4));
  both(program('f32[24]', 'f32[4,3,2]{1,0,2}'), numbers(24));
  both(program('f32[6,4]', 's32[4,6]{0,1}'), numbers(6, 4));
  assert.throws(() => hlo.parse(program('f32[4]', 's8[16]')).print('stablehlo'), {
    name: 'UnsupportedError',
  });
});

test('custom calls keep layouts, shardings and attributes of the front end', () => {
  hlo.registerCustomCall('twice', (operands) => operands.map((x) => x.data.map((v) => 2 * v)));
  const call = `custom-call(a), custom_call_target="twice", operand_layout_constraints={f32[2,3]{0,1}}, api_version=API_VERSION_STATUS_RETURNING, frontend_attributes={a="0",b.c="x \\"y\\""}, sharding={devices=[2,1]<=[2]}, metadata={op_name="n"}, backend_config="{}"`;
  const text = `HloModule m\nENTRY e { a = f32[2,3]{0,1} parameter(0)\n ROOT b = f32[2,3]{0,1} ${call} }`;
  const printed = hlo.parse(text).print('stablehlo');
  assert.match(printed, /mhlo\.frontend_attributes = \{a = "0", b\.c = "x \\"y\\""\}/);
  assert.match(printed, /mhlo\.sharding = "\{devices=\[2,1\]<=\[2\]\}"/);
  assert.match(
    printed,
    /operand_layouts = \[dense<\[0, 1\]> : tensor<2xindex>\], result_layouts = \[dense<\[0, 1\]> : tensor<2xindex>\]/,
  );
  const again = hlo.parse(printed).print();
  for (const part of [
    'f32[2,3]{0,1} custom-call',
    'operand_layout_constraints={f32[2,3]{0,1}}',
    'frontend_attributes={a="0",b.c="x \\"y\\""}',
    'sharding={devices=[2,1]<=[2]}',
  ])
    assert.ok(again.includes(part), part);
  assert.equal(hlo.parse(hlo.parse(again).print('stablehlo')).print(), again);
  hlo.registerCustomCall('twice', null);
  const bad = printed.replace(
    /operand_layouts = \[dense<\[0, 1\]> : tensor<2xindex>\]/,
    'operand_layouts = []',
  );
  assert.throws(() => hlo.parse(bad), /a layout for each operand/);
  assert.throws(() => hlo.parse(printed.replaceAll('[0, 1]>', '[0, 0]>')), { name: 'ShapeError' });
});

test('a dictionary is the configuration of the typed interface, whether the program says so or not', () => {
  for (const key of ['backend_config', 'mhlo.backend_config']) {
    const printed = hlo
      .parse(
        `func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
          %r = stablehlo.custom_call @some(%a) {${key} = {n = 3 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
          return %r : tensor<2xf32>
        }`,
      )
      .print('stablehlo');
    assert.match(printed, /api_version = 4 : i32, backend_config = \{n = 3 : i64\}/);
    assert.equal(hlo.parse(printed).print('stablehlo'), printed);
  }
});
