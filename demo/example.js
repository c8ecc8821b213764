// The example of `npm start`: a classifier's forward pass, exported by JAX, run in Node. Prints the labels and compares
// them with JAX's own.
import { readFile } from 'node:fs/promises';
import { load } from '../web/index.js';

const folder = new URL('./examples/classifier/', import.meta.url);
const read = (/** @type {string} */ name) => readFile(new URL(name, folder));
const { program, inputs, outputs, about } = JSON.parse(String(await read('manifest.json')));

const hlo = await load();
const executable = hlo.compile(String(await read(program)));
const arrays = await Promise.all(inputs.map(async ({ file }) => hlo.fromNpy(await read(file))));
const start = performance.now();
const [probabilities, labels] = executable.run(arrays);
const time = performance.now() - start;
const expected = hlo.fromNpy(await read(outputs[1].file));

console.log(`${program} (${about}), on ${hlo.build}, in ${time.toFixed(2)} ms:\n`);
const digit = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 1 });
for (const [i, label] of labels.toNested().entries()) {
  const agrees = label === expected.at(i) ? 'as JAX says' : `JAX says ${expected.at(i)}`;
  console.log(
    `  image ${String(i).padStart(2)}: ${label}  (${digit.format(probabilities.item(i, label))}, ${agrees})`,
  );
}
console.log();
