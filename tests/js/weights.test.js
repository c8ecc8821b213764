// Weights that are constants of a program: the same bits as those that are arguments, in any build and on threads, in
// memory that is said and given back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

let seed = 1;
const numbers = (count) =>
  Float32Array.from({ length: count }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  });
const type = (dims) => `tensor<${dims.join('x')}xf32>`;

/** Two layers, their weights as they are and transposed; `weights`: constants in place of arguments. */
function program([m, k, n, o], weights) {
  const types = [
    [m, k],
    [k, n],
    [o, n],
  ].map(type);
  const list = types.slice(0, weights ? 1 : 3).map((t, i) => `%x${i}: ${t}`);
  const constants = (weights ?? []).map(
    (w, i) =>
      `%x${i + 1} = stablehlo.constant dense<"0x${Buffer.from(w.buffer).toString('hex')}"> : ${types[i + 1]}`,
  );
  return `func.func @main(${list.join(', ')}) -> ${type([m, o])} {
    ${constants.join('\n    ')}
    %h = stablehlo.dot_general %x0, %x1, contracting_dims = [1] x [0] : (${types[0]}, ${types[1]}) -> ${type([m, n])}
    %t = stablehlo.tanh %h : ${type([m, n])}
    %y = stablehlo.dot_general %t, %x2, contracting_dims = [1] x [1] : (${type([m, n])}, ${types[2]}) -> ${type([m, o])}
    return %y : ${type([m, o])}
  }`;
}

async function compare(hlo, sizes) {
  const [m, k, n, o] = sizes;
  const shapes = [
    [m, k],
    [k, n],
    [o, n],
  ];
  const data = shapes.map(([rows, columns]) => numbers(rows * columns));
  const arrays = data.map((d, i) => hlo.array(d, { type: 'f32', shape: shapes[i] }));
  const one = hlo.compile(program(sizes));
  const other = hlo.compile(program(sizes, data.slice(1)));
  await Promise.all([one.ready, other.ready]);
  const padded = (columns) => (m > 6 ? Math.ceil(columns / 8) * 8 : columns);
  assert.equal(other.memory.constants, 4 * (padded(n) * k + padded(o) * n), String(sizes));
  const [wanted] = one.run(arrays);
  for (let run = 0; run < 3; run++) {
    const [got] = other.run(arrays.slice(0, 1));
    assert.deepEqual(got.toTypedArray(), wanted.toTypedArray(), String(sizes));
    got.dispose();
  }
  for (const array of [wanted, ...arrays]) array.dispose();
  for (const executable of [one, other]) {
    executable.dispose();
    executable.module.dispose();
  }
}

for (const options of [{}, { build: 'simd' }, { build: 'simd', threads: 2 }]) {
  test(`constant weights give the bits of arguments: ${JSON.stringify(options)}`, async () => {
    const hlo = await load(options);
    const inUse = [];
    for (let round = 0; round < 2; round++) {
      for (const sizes of [
        [49, 600, 150, 33],
        [128, 64, 256, 64],
        [1, 300, 200, 100],
        [7, 33, 65, 35],
        [3, 40, 700, 500],
        [8, 40, 700, 501],
        [45, 40, 700, 530],
      ]) {
        await compare(hlo, sizes);
      }
      hlo.dispose(); // forgets plans of texts
      inUse.push(hlo.memory.inUse);
    }
    assert.equal(inUse[1], inUse[0]);
  });
}
