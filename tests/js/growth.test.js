// Programs grow in one dimension at a time, and the time to compile them with it: families that once took the square or the
// cube. Sizes are a factor of eight apart, so that what is linear takes some 8 times as long, what is quadratic 64, and what is
// cubic 512; the bound lies between the first two, with the best of several runs of either size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HloError, load } from '../../web/index.js';

const hlo = await load();
const list = (n, item, between = ',') => Array.from({ length: n }, (_, i) => item(i)).join(between);

const families = {
  'a reduce of n arrays': (n) => `add {
${list(2 * n, (i) => `a${i} = f32[] parameter(${i})`, '\n')}
${list(n, (i) => `s${i} = f32[] add(a${i}, a${n + i})`, '\n')}
ROOT t = (${list(n, () => 'f32[]')}) tuple(${list(n, (i) => `s${i}`)})
}
ENTRY e {
${list(n, (i) => `p${i} = f32[8] parameter(${i})`, '\n')}
z = f32[] constant(0)
r = (${list(n, () => 'f32[]')}) reduce(${list(n, (i) => `p${i}`)}, ${list(n, () => 'z')}), dimensions={0}, to_apply=add
ROOT q = f32[] get-tuple-element(r), index=${n - 1}
}`,
  'n elements of a tuple': (n) => `ENTRY e {
p = (${list(n, () => 'f32[2]')}) parameter(0)
${list(n, (i) => `x${i} = f32[2] get-tuple-element(p), index=${i}`, '\n')}
s0 = f32[2] copy(x0)
${list(n, (i) => `s${i + 1} = f32[2] add(s${i}, x${i})`, '\n')}
ROOT q = f32[2] negate(s${n})
}`,
  'n fusions': (
    n,
  ) => `${list(n, (i) => `f${i} {\na = f32[2] parameter(0)\nROOT b = f32[2] negate(a)\n}`, '\n')}
ENTRY e {
x0 = f32[2] parameter(0)
${list(n, (i) => `x${i + 1} = f32[2] fusion(x${i}), kind=kLoop, calls=f${i}`, '\n')}
ROOT q = f32[2] negate(x${n})
}`,
};

/** The least of some times, in milliseconds. */
function timeOf(text) {
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    const from = performance.now();
    const module = hlo.parse(text);
    module.compile().dispose();
    module.compile({ optimize: false }).dispose();
    module.print();
    module.dispose();
    best = Math.min(best, performance.now() - from);
  }
  return best;
}

for (const [name, family] of Object.entries(families))
  test(`${name}: eight times as many take no 40 times as long`, () => {
    timeOf(family(100)); // compiles the engine's code
    const [small, large] = [timeOf(family(1000)), timeOf(family(8000))];
    assert.ok(large < 40 * Math.max(small, 5), `${small} ms, then ${large} ms`);
  });

test('indexing maps of many terms, and of ladders, are refused early', () => {
  const terms = list(2000, (i) => `d0 mod ${i + 2}`, ' + ');
  assert.throws(
    () => hlo.simplifyMap(`(d0) -> (${terms}), domain: d0 in [0, 9999]`),
    (error) => error instanceof HloError && /too large/.test(error.message),
  );
  const steps = 500;
  const ladder = hlo.parse(`ENTRY e {
x0 = f32[${steps + 1}] parameter(0)
${list(
  steps,
  (i) => `a${i} = f32[${steps - i}] slice(x${i}), slice={[0:${steps - i}]}
b${i} = f32[${steps - i}] slice(x${i}), slice={[1:${steps - i + 1}]}
x${i + 1} = f32[${steps - i}] add(a${i}, b${i})`,
  '\n',
)}
ROOT q = f32[1] negate(x${steps})
}`);
  const before = hlo.memory.peak;
  assert.match(ladder.indexing({ toParameters: true }), /unknown indexing|operand/);
  assert.ok(hlo.memory.peak - before < 200e6, `${hlo.memory.peak - before} bytes`);
  ladder.dispose();
});
