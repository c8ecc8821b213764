// What each bundled project runs: the package by its name, in the page with threads and in a worker; the page shows what
// came out.
import { load } from 'hlo-wasm';
import { numpy } from 'hlo-wasm/numpy';
import { loadWorker } from 'hlo-wasm/worker';

const output = document.createElement('output');
document.body.append(output);
try {
  const hlo = await load({ threads: 2 });
  const here = numpy(hlo)
    .add(hlo.array([1, 2], 'f32'), 1)
    .toNested();
  // Text needs later files of the engine, here and there: with threads it is there from the start, else it may not be yet.
  (await load()).simplifyMap('(d0) -> (d0)');
  const far = await loadWorker();
  await far.simplifyMap('(d0) -> (d0)');
  const there = await (await far.add(await far.array([1, 2], 'f32'), 2)).toNested();
  far.terminate();
  output.textContent = `${here} ${there} ${hlo.build}, threads: ${hlo.threads.reason ?? hlo.threads.count}`;
} catch (error) {
  output.textContent = String(error);
}
