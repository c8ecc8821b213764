// Every op case on every build: oracle and compiled program, plain and relaxed SIMD; and that small dots have
// the same bits. The relaxed build runs in a process of its own where this Node needs a flag for it.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { caseFiles, readCases } from './op_cases.js';
import { runCase } from './op_comparison.js';
import { randomNumbers } from './random_program.js';
import { onRelaxed } from './relaxed_process.js';

/** Dots of less products than from where on sums may be in any order, of all forms. */
function* smallDots() {
  const random = randomNumbers(1);
  const below = (n) => Math.floor(random() * n);
  for (let i = 0; i < 400; i++) {
    const type = i % 4 === 0 ? 'f64' : 'f32';
    const most = type === 'f64' ? 512 : 4096;
    const rows = below(8) === 0 ? [] : [1 + below(12)]; // of a vector: none
    const columns = below(8) === 0 ? [] : [i % 3 === 0 ? 1 + below(3) : 1 + below(40)];
    const result = [...rows, ...columns];
    const size = result.reduce((product, n) => product * n, 1);
    const k = Math.floor((most - 1) / size / 2 ** below(5));
    if (k < 2) continue;
    const [left, right] = [below(2) * rows.length, below(2) * columns.length]; // contracting
    const shapes = [left ? [...rows, k] : [k, ...rows], right ? [...columns, k] : [k, ...columns]];
    yield { type, shapes, left, right, result, random };
  }
}

/** Against the plain build, which adds each product with one rounding by way of f64. */
function compareSmallDots(hlo, plain) {
  let count = 0;
  for (const { type, shapes, left, right, result, random } of smallDots()) {
    const text = `HloModule m\nENTRY e {\n  a = ${type}[${shapes[0]}] parameter(0)\n  b = ${type}[${shapes[1]}] parameter(1)
  ROOT r = ${type}[${result}] dot(a, b), lhs_contracting_dims={${left}}, rhs_contracting_dims={${right}}\n}\n`;
    const data = shapes.map(([rows, columns]) =>
      Array.from({ length: rows * (columns ?? 1) }, () => random() * 2 - 1),
    );
    const [want, got] = [plain, hlo].map((engine) =>
      engine.tidy(() => {
        const arrays = data.map((numbers, i) => engine.array(numbers, { type, shape: shapes[i] }));
        const module = engine.parse(text);
        const executable = module.compile({ optimize: engine !== plain });
        const numbers = executable.run(arrays)[0].toTypedArray();
        executable.dispose();
        module.dispose();
        return numbers;
      }),
    );
    assert.deepEqual(got, want, text);
    count++;
  }
  assert.ok(count > 300);
}

async function runAll(build) {
  const hlo = await load({ build });
  for (const file of caseFiles()) {
    const cases = readCases(file);
    test(`${file} on ${hlo.build}`, () => {
      assert.ok(cases.length > 0, 'the file has no cases');
      const failures = cases.flatMap((one) =>
        [{ reference: true }, { reference: false }].flatMap((options) => {
          const wrong = runCase(hlo, one, options);
          return wrong ? [`${one.name}${options.reference ? ' (reference)' : ''}: ${wrong}`] : [];
        }),
      );
      assert.deepEqual(failures, []);
    });
  }
  const plain = await load({ build: 'simd' });
  test(`small dots on ${hlo.build}`, () => compareSmallDots(hlo, plain));
  return hlo;
}

if (process.env.HLO_TEST_BUILD) {
  await runAll(process.env.HLO_TEST_BUILD);
} else {
  const hlo = await runAll('simd');
  test('cases leave nothing in the engine', () => {
    // What a first run leaves are programs of eager operations: a second one has them.
    for (const file of caseFiles())
      for (const one of readCases(file))
        for (const reference of [true, false]) {
          runCase(hlo, one, { reference });
          const before = hlo.memory.inUse;
          runCase(hlo, one, { reference });
          assert.equal(hlo.memory.inUse - before, 0, `${file}, ${one.name} keeps bytes in use`);
        }
  });
  await onRelaxed(fileURLToPath(import.meta.url), runAll, /^not ok|want .* got/);
}
