// `make bench`: parse, compile and run times of the fixtures, and the f32 dot against the multiply-add rate measured in the
// same run. Peers join with issue 5. Must not know how the engine works inside.
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { load } from '../../web/index.js';
import { peakOf } from './peak.js';

const examples = new URL('../../demo/examples/', import.meta.url);

/** The median of enough runs to fill half a second, after a warm-up of the same length, in ms. */
function measure(body) {
  for (let end = performance.now() + 250; performance.now() < end;) body();
  const times = [];
  for (let end = performance.now() + 500; performance.now() < end || times.length < 5;) {
    const start = performance.now();
    body();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

function table(rows) {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  for (const row of rows)
    console.log(
      row.map((cell, c) => (c ? cell.padStart(widths[c]) : cell.padEnd(widths[c]))).join('  '),
    );
  console.log();
}
const ms = (time) => `${time < 0.1 ? time.toFixed(4) : time.toFixed(2)} ms`;

function fixtures(hlo) {
  const rows = [[`fixtures (${hlo.build})`, 'text', 'parse', 'compile', 'run', 'run, reference']];
  for (const name of ['classifier', 'training']) {
    const folder = new URL(`${name}/`, examples);
    const { program, inputs } = JSON.parse(readFileSync(new URL('manifest.json', folder)));
    const text = readFileSync(new URL(program, folder), 'utf8');
    const arrays = inputs.map(({ file }) => hlo.fromNpy(readFileSync(new URL(file, folder))));
    const module = hlo.parse(text);
    const run = (executable) =>
      measure(() => executable.run(arrays).forEach((array) => array.dispose()));
    rows.push([
      name,
      `${(text.length / 1024).toFixed(1)} KB`,
      ms(measure(() => hlo.parse(text).dispose())),
      ms(measure(() => module.compile().dispose())),
      ms(run(module.compile())),
      ms(run(module.compile({ reference: true }))),
    ]);
  }
  table(rows);
}

function dots(hlo) {
  const rows = [[`dot f32 (${hlo.build})`, 'time', 'GFLOP/s', 'peak', 'of it']];
  for (const n of [64, 256, 512, 1024]) {
    const text = `HloModule dot\nENTRY main {\n a = f32[${n},${n}] parameter(0)\n b = f32[${n},${n}] parameter(1)\n ROOT c = f32[${n},${n}] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}`;
    const executable = hlo.compile(text);
    const [a, b] = [1, 2].map((seed) =>
      hlo.array(
        Float32Array.from({ length: n * n }, (_, i) => Math.sin(i * seed)),
        { shape: [n, n] },
      ),
    );
    const time = measure(() => executable.run([a, b])[0].dispose());
    const rate = (2 * n ** 3) / time / 1e6;
    const { multiplyAdd } = peakOf(hlo.build); // at once, since other work on the machine slows both
    rows.push([
      `${n} x ${n} x ${n}`,
      ms(time),
      rate.toFixed(1),
      multiplyAdd.toFixed(1),
      `${((100 * rate) / multiplyAdd).toFixed(0)} %`,
    ]);
    for (const array of [a, b]) array.dispose();
  }
  table(rows);
}

console.log(`${cpus()[0].model}, Node ${process.version}, V8 ${process.versions.v8}\n`);
for (const build of ['simd', 'relaxed-simd']) {
  const hlo = await load({ build }).catch((error) => error);
  if (hlo instanceof WebAssembly.CompileError) {
    console.log(`this Node has no ${build}: node --experimental-wasm-relaxed-simd, or a newer one`);
    continue;
  }
  fixtures(hlo);
  dots(hlo);
}
