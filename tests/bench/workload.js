// One workload, in a process of its own: prepares it with this package and every peer, checks each result against the
// reference, times them side by side with the limit, and checks again. Sends one message to run.js.
//   fork('workload.js', [id])
import { adapterOf } from './adapters/hlo.js';
import { peers } from './adapters/index.js';
import { memoryLimit, multiplyAddPeak } from './limits.js';
import { measure } from './measure.js';
import { check, Unsupported, workloads } from './workloads.js';

const workload = workloads.get(process.argv[2]);
const reference = workload.ref(workload.inputs());
const reasons = {}; // by name: why there is no time
let unsupported = false; // by this package

/** A contestant whose first result was right, or nothing, and the reason. */
async function contestant(name, adapterFor) {
  try {
    const adapter = await adapterFor();
    const version = await adapter.start();
    const { run, result } = await adapter.prepare(workload);
    await run();
    check(workload, await result(), reference);
    return { name, version, run, result };
  } catch (error) {
    const missing = error.code === 'ERR_MODULE_NOT_FOUND';
    if (error.name === 'UnsupportedError') unsupported = true;
    if (missing) reasons[name] = 'not installed';
    else if (error instanceof Unsupported || unsupported) reasons[name] = error.message;
    else if (error instanceof WebAssembly.CompileError) reasons[name] = 'not for this Node';
    else reasons[name] = `${error}`.split('\n')[0];
    return null;
  }
}

/** Contestants for the limit: { name: the build that it is the limit of, run, share: of the workload's work per call }. */
function limits(ours) {
  if (workload.limit === 'peak')
    return ours.map(({ name }) => {
      const { run, operations } = multiplyAddPeak(name === 'relaxed-simd');
      return { name, run, share: operations / workload.flops };
    });
  if (!workload.limit) return [];
  const { run, bytes } = memoryLimit(workload.limit, workload.bytes);
  return [{ name: 'simd', run, share: bytes / workload.bytes }];
}

async function main() {
  const ours = [];
  for (const build of ['relaxed-simd', 'simd']) {
    const own = await contestant(build, () => adapterOf(build));
    if (own) ours.push(own);
  }
  process.send({ ready: ours.length > 0, reasons });
  if (!ours.length) return { reasons, unsupported };

  const others = [];
  for (const [name, adapterFor] of Object.entries(peers)) {
    const peer = await contestant(name, adapterFor);
    if (peer) others.push(peer);
  }
  const bounds = limits(ours);
  const contestants = [...ours, ...others];
  const times = await measure([...contestants, ...bounds]);
  const outcome = { times: {}, limits: {}, versions: {}, reasons };
  for (const [i, { name, version, result }] of contestants.entries()) {
    outcome.versions[name] = version;
    try {
      check(workload, await result(), reference);
      outcome.times[name] = times[i].median;
    } catch (error) {
      reasons[name] = `after the timing: ${error.message}`;
    }
  }
  for (const [i, { name, share }] of bounds.entries())
    outcome.limits[name] = times[contestants.length + i].least / share;
  return outcome;
}

const outcome = await main();
process.send(outcome, () => process.exit());
