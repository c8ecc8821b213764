// What each bundled project runs: the package by its name, in the page with threads and in a worker; the page shows what
// came out.
import { load } from 'hlo-wasm';
import { numpy } from 'hlo-wasm/numpy';
import { loadWorker } from 'hlo-wasm/worker';

async function compute() {
  const hlo = await load({ threads: 2 });
  const here = numpy(hlo)
    .add(hlo.array([1, 2], 'f32'), 1)
    .toNested();
  hlo.simplifyMap('(d0) -> (d0)'); // by the engine's last file
  const far = await loadWorker({ threads: 2 });
  await far.simplifyMap('(d0) -> (d0)');
  const there = await (await far.add(await far.array([1, 2], 'f32'), 2)).toNested();
  const threads = [hlo, far].map(({ threads }) => threads.reason ?? threads.count);
  far.terminate();
  return `${here} ${there} ${hlo.build}, threads: ${threads.join(', ')}`;
}

const output = document.createElement('output');
document.body.append(output);
compute().then(
  (text) => (output.textContent = text),
  (error) => (output.textContent = String(error)),
);
