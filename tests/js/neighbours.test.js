// What `make neighbours` makes of its results: which programs, steps and changes it lists.
import assert from 'node:assert/strict';
import test from 'node:test';
import { listed, report } from '../bench/neighbours/report.js';

const row = (size, ours, xla, excess = 0) => ({
  family: 'dot',
  name: `dot m=${size} f32`,
  ours,
  xla,
  excess,
});
const printed = (rows, { pairs = [], ...rest } = {}) =>
  report({ commit: 'new', rows, pairs, base: new Map(), ...rest });

test('slow programs take over 4 times as long as under XLA, and over 0.3 ms', () => {
  const text = printed([row(1, 5, 1), row(2, 3.9, 1), row(3, 0.2, 0.01), row(4, 0.31, 0.07)]);
  assert.match(text, /50\.0 % over 4 times/);
  assert.match(
    text,
    /and 0\.3 ms \(ours \/ XLA, ms\): 2\n +5\.0 .* dot m=1 f32\n +4\.4 .* dot m=4/,
  );
});

test('a family has its geometric mean', () => {
  assert.match(printed([row(1, 1, 4), row(2, 9, 4)]), /^dot +2 +0\.75 +0$/m);
});

test('a jump is a step after which we are 3 times as slow beside XLA, and slower than it', () => {
  const [fast, slow, far] = [row(1, 1, 1), row(2, 4, 1), row(3, 40, 1)];
  const ahead = [row(8, 0.5, 50), row(9, 0.5, 1)]; // XLA's jump
  const pairs = [fast, slow, far, ...ahead].map(({ name }, i, all) => [
    name,
    (all[i + 1] ?? all[i]).name,
  ]);
  const text = printed([fast, slow, far, ...ahead], {
    pairs: pairs.filter(([a]) => !/m=[38]/.test(a)),
  });
  assert.match(
    text,
    /between neighbours \(ours \/ XLA, ms\): 2\n +10\.0 .*\[m=2 -> m=3\].*\n +4\.0 .*\[m=1 -> m=2\]/,
  );
  assert.match(
    printed(ahead, { pairs: [[ahead[0].name, ahead[1].name]] }),
    /^(?!.*between neighbours)/s,
  );
});

test('what is listed is worth another measurement', () => {
  const rows = [
    row(1, 0.5, 1),
    row(2, 2, 1),
    row(3, 9, 1),
    { ...row(4), problem: 'no', ours: undefined },
    row(5, 1, 1),
  ];
  const pairs = [
    [rows[0].name, rows[1].name],
    [rows[3].name, rows[4].name],
  ];
  assert.deepEqual(
    [...listed(rows, pairs)].sort(),
    rows.slice(0, 3).map(({ name }) => name),
  );
});

test('results that differ, or have no bound, are listed, and what did not run', () => {
  const text = printed([
    row(1, 1, 1, 2),
    row(2, 1, 1, null),
    { ...row(3), problem: 'no' },
    row(4, 1, 1, 1),
  ]);
  assert.match(text, /results that differ .*: 2\n +2\.00 .*m=1 f32\n +not finite .*m=2/);
  assert.match(text, /not run: 1\n +dot m=3 f32: no/);
});

test('a change is told beside XLA, which takes out the speed of the machine', () => {
  const base = new Map([row(1, 1, 1), row(2, 1, 1), row(3, 4, 1)].map((old) => [old.name, old]));
  const text = printed([row(1, 2, 2), row(2, 2, 1), row(3, 2, 1)], { before: 'old', base });
  assert.match(text, /beside old: 3 programs, geometric mean of now \/ then 1\.000/);
  assert.match(text, /over 1\.5 times as long: 1\n +2\.00 .*m=2/);
  assert.match(text, /under 1 \/ 1\.5 of the time: 1\n +0\.50 .*m=3/);
});
