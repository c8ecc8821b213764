// What other_browsers.test.js looks at in each browser. Runs in a page, and sends what it finds to who serves it.
import { bestBuild, load } from '/web/index.js';
import { compareWays } from '/tests/js/program_comparison.js';
import { randomFusion } from '/tests/js/fusion_generator.js';
import { RandomLoop } from '/tests/js/loop_generator.js';
import { runCase } from '/tests/js/op_comparison.js';

const SEEDS = 60; // random programs of a kind
const complaints = [];
const complain = (event) => complaints.push(String(event.reason ?? event.message ?? event));
addEventListener('error', complain);
addEventListener('unhandledrejection', complain);

/** Tells the server what is done now, for the case that this browser goes no further. @param {string} stage */
const tell = (stage) => navigator.sendBeacon('/stage', stage);

/** Every op case by the evaluator, compiled, and with all that can be in emitted code. */
function opCases(hlo, cases) {
  const failures = [];
  for (const [i, one] of cases.entries()) {
    if (i % 100 === 0) tell(`op case ${one.name}`);
    for (const options of [{ reference: true }, {}, { fuseAll: true }]) {
      const wrong = runCase(hlo, one, options);
      if (wrong) failures.push(`${one.name} ${JSON.stringify(options)}: ${wrong}`);
    }
  }
  return failures;
}

/** Random programs in emitted code and by the oracle. */
async function randomPrograms(hlo, make) {
  const found = { tried: 0, ready: 0, failures: [] };
  for (let seed = 1; seed <= SEEDS; seed++, found.tried++) {
    if (found.tried % 20 === 0) tell(`random program of seed ${seed}`);
    const program = make(seed);
    const { isReady, wrong } = await compareWays(hlo, program);
    if (wrong) found.failures.push(`seed ${seed}: ${wrong}\n${program.text}`);
    if (isReady) found.ready++;
  }
  return found;
}

/** The bits of a product and of a fusion, by one thread and by as many as there may be. */
async function threads(build) {
  tell('threads');
  const data = Float32Array.from({ length: 400 * 400 }, (_, i) => Math.sin(i));
  const [one, several] = await Promise.all(
    [false, true].map(async (wanted) => {
      const hlo = await load({ build, threads: wanted });
      const x = hlo.array(data, { shape: [400, 400] });
      const f = hlo.jit((a) => hlo.tanh(hlo.add(hlo.mul(a, a), 0.5)));
      f(x);
      await new Promise((resolve) => setTimeout(resolve, 200)); // its code may come later
      const results = [hlo.dot(x, x), f(x)].map((y) => Array.from(y.toTypedArray()));
      return { info: { ...hlo.threads }, results };
    }),
  );
  return {
    ...several.info,
    isAlike: JSON.stringify(one.results) === JSON.stringify(several.results),
  };
}

/** A program that JAX exported, with what JAX got for it: how far each result is beyond its tolerance. */
async function example(hlo, name) {
  tell(`example ${name}`);
  const read = async (file) =>
    new Uint8Array(await (await fetch(`/demo/examples/${name}/${file}`)).arrayBuffer());
  const { program, inputs, outputs } = JSON.parse(
    new TextDecoder().decode(await read('manifest.json')),
  );
  const arrays = await Promise.all(inputs.map(async ({ file }) => hlo.fromNpy(await read(file))));
  const results = hlo.compile(await read(program)).run(arrays);
  const beyond = [];
  for (const [i, { file, tolerance }] of outputs.entries()) {
    const { abs = 0, rel = 0 } = tolerance;
    const [want, got] = [hlo.fromNpy(await read(file)), results[i]].map((x) => x.toTypedArray());
    beyond.push(Math.max(...want.map((w, at) => Math.abs(got[at] - w) - abs - rel * Math.abs(w))));
  }
  return beyond;
}

async function lookAt(build, cases) {
  const hlo = await load({ build });
  return {
    build: hlo.build,
    opCases: opCases(hlo, cases),
    fusions: await randomPrograms(hlo, randomFusion),
    loops: await randomPrograms(hlo, (seed) => new RandomLoop(seed).make()),
    examples: [await example(hlo, 'classifier'), await example(hlo, 'training')],
    threads: await threads(build),
  };
}

const report = { userAgent: navigator.userAgent, isIsolated: crossOriginIsolated, builds: [] };
try {
  const cases = await (await fetch('/cases')).json();
  const builds = bestBuild() === 'simd' ? ['simd'] : ['simd', 'relaxed-simd'];
  for (const build of builds) report.builds.push(await lookAt(build, cases));
} catch (error) {
  complaints.push(`${error}\n${error?.stack}`);
}
await fetch('/report', { method: 'POST', body: JSON.stringify({ ...report, complaints }) });
