// Functions given to while, conditional, scan and call that use traced values from outside, beside the same in JavaScript; and
// what may not be used where.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const hlo = await load();
const f32 = (numbers) => hlo.array(numbers, 'f32');
const s32 = (number) => hlo.array(number, 's32');
const nested = (result) => (Array.isArray(result) ? result.map(nested) : result.toNested());

/** A function of traced values, compiled and by the evaluator, on such arguments. */
function check(body, args, want) {
  const traced = hlo.jit(body);
  const result = traced(...args);
  assert.deepEqual(nested(result), want);
  const module = traced.lower(...args);
  const plain = module.compile({ optimize: false });
  assert.deepEqual(
    nested(plain.run(args)),
    Array.isArray(result) ? want : [want],
    'the same by the program as it was written',
  );
  // It is an ordinary program: its text is one, too.
  assert.deepEqual(hlo.parse(module.toString()).toString(), module.toString());
  for (const owned of [plain, module, traced]) owned.dispose();
}

test('a condition and a body use values of the function around them', () => {
  const loop = (x, step, count) => {
    const twice = hlo.mul(x, 2);
    const [, y] = hlo.while(
      (i) => hlo.lt(i, count),
      (i, y) => [hlo.add(i, 1), hlo.add(hlo.mul(twice, step), y)],
      [s32(0), x],
    );
    return y;
  };
  check(loop, [f32([1, 2]), f32(3), s32(4)], [25, 50]);
});

test('a state of one array, and a body that only returns what is outside', () => {
  check(
    (x, most) =>
      hlo.while(
        (y) => hlo.lt(y, most),
        (y) => hlo.mul(y, 2),
        x,
      ),
    [f32(3), f32(40)],
    48,
  );
  check(
    (x, last) =>
      hlo.while(
        (y) => hlo.ne(y, last),
        () => last,
        x,
      ),
    [f32(3), f32(40)],
    40,
  );
  check(
    (x, y) =>
      hlo.while(
        () => hlo.lt(x, y),
        (z) => z,
        hlo.neg(x),
      ),
    [f32(7), f32(-1)],
    -7,
  );
});

test('branches, with and without operands', () => {
  const choose = (x, which, w) =>
    hlo.conditional(which, [(a) => hlo.add(a, w), () => hlo.mul(x, w)], [hlo.neg(x), x]);
  check(choose, [f32(5), hlo.array(true), f32(3)], -2);
  check(choose, [f32(5), hlo.array(false), f32(3)], 15);
  const bare = (x, which, w) =>
    hlo.conditional(which, [() => [x, w], () => [w, x], () => [hlo.add(x, w), x]]);
  check(bare, [f32(5), s32(0), f32(3)], [5, 3]);
  check(bare, [f32(5), s32(1), f32(3)], [3, 5]);
  check(
    (x, which) => hlo.conditional(which, [() => x, (y) => y], [[], x]),
    [f32(5), hlo.array(true)],
    5,
  );
  const [a, b] = [f32(1), f32(2)];
  assert.equal(hlo.conditional(hlo.array(false), [() => a, () => b]).item(), 2);
});

test('functions in functions take values from all around them', () => {
  const deep = (x, w) =>
    hlo.while(
      (y) => hlo.lt(y, 100),
      (y) =>
        hlo.conditional(hlo.gt(y, x), [
          () =>
            hlo.while(
              (z) => hlo.lt(z, hlo.mul(y, 2)),
              (z) => hlo.add(hlo.add(z, w), x),
              y,
            ),
          () => hlo.add(y, w),
        ]),
      x,
    );
  const inJavaScript = (x, w) => {
    let y = x;
    while (y < 100) {
      if (y > x) {
        let z = y;
        while (z < y * 2) z = z + w + x;
        y = z;
      } else y += w;
    }
    return y;
  };
  for (const [x, w] of [
    [1, 3],
    [5, 2],
    [200, 1],
  ])
    check(deep, [f32(x), f32(w)], inJavaScript(x, w));
});

test('scans carry what their function uses, and give as many results as without', () => {
  const linear = (xs, w) =>
    hlo.scan(
      (x, carried) => {
        const next = hlo.add(hlo.mul(w, carried), x);
        return [next, next];
      },
      [xs],
      [hlo.mul(w, 0)],
    );
  check(linear, [f32([1, 2, 3]), f32(2)], [[1, 4, 11], 11]);
  check((xs, w) => hlo.scan((x) => hlo.mul(x, w), xs), [f32([1, 2, 3]), f32(2)], [2, 4, 6]);
  check((xs, w) => hlo.scan((x) => [hlo.mul(x, w)], xs), [f32([1, 2]), f32(2)], [[2, 4]]);
  check((xs, w) => hlo.call((x) => [hlo.mul(x, w), w], [xs]), [f32([1, 2]), f32(2)], [[2, 4], 2]);
  check((xs, w) => hlo.call((x) => hlo.call(() => hlo.add(x, w), []), xs), [f32(1), f32(2)], 3);
});

test('values do not leave the function that they belong to, and reducers take only their arguments', () => {
  const another = { name: 'HloError', message: /a value of another function/ };
  let left;
  const leave = (y) => (left = hlo.add(y, 1));
  for (const body of [
    (x) =>
      hlo.add(
        hlo.while((y) => hlo.lt(y, 3), leave, x),
        left,
      ),
    (x) =>
      hlo.while(
        (y) => (left = hlo.lt(y, 3)),
        (y) => hlo.select(left, y, y),
        x,
      ),
    (x) => hlo.conditional(hlo.lt(x, 1), [(y) => leave(y), () => left], [x, x]),
    (x) => hlo.reduce(hlo.broadcast(x, [3]), 0, (a, b) => hlo.add(hlo.add(a, b), x)),
    (x) => hlo.sort([hlo.broadcast(x, [3])], { comparator: (a) => hlo.lt(a, x) }),
  ])
    assert.throws(() => hlo.jit(body)(f32(0)), another);
  const other = hlo.builder('other').computation('main').parameter('f32[]');
  assert.throws(
    () => hlo.jit((x) => hlo.while((y) => hlo.lt(y, other), leave, x))(f32(0)),
    another,
  );
  check((x) => hlo.add(x, 1), [f32(1)], 2);
});

test('functions use traced values also where all operands are constants', () => {
  const one = f32(1);
  const grow = (w) =>
    hlo.while(
      (y) => hlo.lt(y, 10),
      (y) => hlo.add(y, w),
      one,
    );
  check(grow, [f32(4)], 13);
  check(
    (w) =>
      hlo.while(
        (i, y) => hlo.lt(i, 3),
        (i, y) => [hlo.add(i, 1), hlo.mul(y, w)],
        [f32(0), one],
      ),
    [f32(2)],
    [3, 8],
  );
  check(
    (w) => hlo.conditional(hlo.array(true), [(y) => hlo.add(y, w), () => w], [one, one]),
    [f32(2)],
    3,
  );
  check((w) => hlo.scan((x) => hlo.mul(x, w), f32([1, 2])), [f32(2)], [2, 4]);
  check((w) => hlo.call((x) => hlo.add(x, w), one), [f32(2)], 3);
  // A function that uses none becomes part of the program as well.
  check(
    (w) =>
      hlo.add(
        w,
        hlo.reduce(f32([1, 2]), 0, (a, b) => hlo.add(a, b)),
      ),
    [f32(2)],
    5,
  );
});
