// A program printed as StableHLO, read and printed again is the same text, also where HLO takes what StableHLO has other
// operations for; and what StableHLO cannot say is an error that names the instruction.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const three = 'x = f32[3] parameter(0)';

/** Entries whose root is the operation. @type {Record<string, string>} */
const programs = {
  'scalar bounds of clamp': `${three} a = f32[] parameter(1) b = f32[] parameter(2) ROOT r = f32[3] clamp(a, x, b)`,
  'one scalar bound': `${three} a = f32[] parameter(1) ROOT r = f32[3] clamp(a, x, x)`,
  'scalar predicate of select': `${three} p = pred[] parameter(1) ROOT r = f32[3] select(p, x, x)`,
  'scalars everywhere': `x = f32[] parameter(0) p = pred[] parameter(1) ROOT r = f32[] select(p, x, x)`,
  'static dynamic-reshape': `x = f32[6] parameter(0) n = s32[] parameter(1) m = s32[] parameter(2)
    ROOT r = f32[2,3] dynamic-reshape(x, n, m)`,
  'layouts of a token': `${three} t = token[] after-all()
    ROOT r = f32[3] custom-call(x, t), custom_call_target="f", operand_layout_constraints={f32[3]{0}, token[]}`,
  ...Object.fromEntries(
    ['acos', 'acosh', 'asin', 'asinh', 'atanh', 'cosh', 'sinh', 'erf', 'erf-inv', 'digamma'].map(
      (name) => [name, `${three} ROOT r = f32[3] ${name}(x)`],
    ),
  ),
};

for (const [name, body] of Object.entries(programs))
  test(`${name}: printed, read and printed`, () => {
    const module = hlo.parse(`ENTRY e { ${body} }`);
    const text = module.print('stablehlo');
    const back = hlo.parse(text);
    assert.equal(back.print('stablehlo'), text);
    for (const m of [module, back]) m.dispose();
  });

test('hyperbolic functions are read as themselves', () => {
  for (const name of ['cosh', 'sinh']) {
    const text = hlo.parse(`ENTRY e { ${three} ROOT r = f32[3] ${name}(x) }`).print('stablehlo');
    assert.deepEqual(
      hlo
        .parse(text)
        .instructions()
        .map(({ opcode }) => opcode),
      ['parameter', name],
    );
  }
});

test('layouts of a tuple are not dropped', () => {
  const module = hlo.parse(`ENTRY e { ${three} t = (f32[3]) tuple(x)
    ROOT r = f32[3] custom-call(t), custom_call_target="f", operand_layout_constraints={(f32[3]{0})} }`);
  assert.throws(() => module.print('stablehlo'), /%r .*operand_layout_constraints/);
});

test('a wide tuple whose type would be written too often is refused early', () => {
  const n = 12000;
  const list = (/** @type {(i: number) => string} */ item) =>
    Array.from({ length: n }, (_, i) => item(i));
  const module = hlo.parse(`ENTRY e {
    p = (${list(() => 'f32[2]')}) parameter(0)
    b = (${list(() => 'f32[2]')}) opt-barrier(p)
    ${list((i) => `x${i} = f32[2] get-tuple-element(b), index=${i}, metadata={op_name="a"}`).join('\n')}
    ROOT r = (${list(() => 'f32[2]')}) tuple(${list((i) => `x${i}`)})
  }`);
  const before = hlo.memory.inUse;
  assert.throws(() => module.print('stablehlo'), /tuple types.*too long/);
  assert.ok(hlo.memory.peak - before < 3e8, `${hlo.memory.peak} bytes`);
  module.dispose();
});
