// Scatters of one slice whose place is a constant, inside of the array and outside: compiled against the oracle,
// bit by bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';
import { randomNumbers } from './random_program.js';

const hlo = await load();
const random = randomNumbers(11);
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];
const size = (dims) => dims.reduce((product, n) => product * n, 1);

const functions = {
  set: 'ROOT r = T[] parameter(1)',
  add: 'b = T[] parameter(1)\n  ROOT r = T[] add(a, b)',
  maximum: 'b = T[] parameter(1)\n  ROOT r = T[] maximum(b, a)',
  subtract: 'b = T[] parameter(1)\n  ROOT r = T[] subtract(b, a)',
};

/** A program, the dimensions of its two parameters, and whether the slice is inside. */
function scatter(type, combine) {
  const index = pick(['s32', 'u32', 's64', 's8']);
  const dims = Array.from({ length: 1 + below(3) }, () => 1 + below(12));
  const isInserted = dims.map(() => below(4) === 0);
  const window = dims.map((n, d) => (isInserted[d] ? 1 : 1 + below(n)));
  const some = dims.map((_, d) => d).filter((d) => isInserted[d] || below(2) === 0);
  const moved = (some.length > 0 ? some : [0]).reverse();
  const places = moved.map((d) =>
    below(5) === 0 ? below(30) - (index === 'u32' ? 0 : 8) : below(dims[d] - window[d] + 1),
  );
  const isInside = moved.every((d, i) => places[i] >= 0 && places[i] + window[d] <= dims[d]);
  const update = window.filter((_, d) => !isInserted[d]);
  const inserted = dims.map((_, d) => d).filter((d) => isInserted[d]);
  const layout = pick(['', '', `{${dims.map((_, d) => d)}}`]);
  const text = `HloModule m
f {
  a = T[] parameter(0)
  ${functions[combine]}
}
ENTRY e {
  x = T[${dims}]${layout} parameter(0)
  u = T[${update}] parameter(1)
  i = ${index}[${places.length}] constant({${places}})
  ROOT y = T[${dims}]${layout} scatter(x, i, u), update_window_dims={${update.map((_, d) => d)}}, inserted_window_dims={${inserted}}, scatter_dims_to_operand_dims={${moved}}, index_vector_dim=0, to_apply=f
}`;
  return { text: text.replaceAll('T[', `${type}[`), dims, update, isInside };
}

test('scatters of one slice at a known place', () => {
  const counts = { inside: 0, outside: 0 };
  for (let n = 0; n < 300; n++) {
    const type = pick(['f32', 's32', 'bf16', 'f64', 'u8']);
    const { text, dims, update, isInside } = scatter(type, pick(Object.keys(functions)));
    hlo.tidy(() => {
      const numbers = (shape) =>
        hlo.convert(
          hlo.array(
            Float32Array.from({ length: size(shape) }, () => below(9)),
            { shape },
          ),
          type,
        );
      const module = hlo.parse(text);
      const programs = [module.compile({ reference: true }), module.compile()];
      const inputs = [numbers(dims), numbers(update)];
      const [want, got] = programs.map((program) => program.run(inputs)[0]);
      assert.deepEqual(got.toTypedArray(), want.toTypedArray(), text);
      if (!isInside) assert.deepEqual(got.toTypedArray(), inputs[0].toTypedArray(), text);
      for (const one of [...programs, module]) one.dispose();
    });
    counts[isInside ? 'inside' : 'outside']++;
  }
  assert.ok(counts.inside > 100 && counts.outside > 30, JSON.stringify(counts));
});
