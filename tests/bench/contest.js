// Prepares one workload with this package and its peers, checks each result against the reference, times all of them side
// by side with the limit, and checks again. Runs in Node and in a page alike.
import { adapterOf } from './adapters/hlo.js';
import { memoryLimit, multiplyAddPeak } from './limits.js';
import { measure } from './measure.js';
import { check, Unsupported, workloads } from './workloads.js';

/** Contestants for the limit: { name: the build that it is the limit of, run, share: of the workload's work per call }. */
function limits(workload, ours) {
  if (workload.limit === 'peak')
    return ours.map(({ name }) => {
      const { run, operations } = multiplyAddPeak(name === 'relaxed-simd');
      return { name, run, share: operations / workload.flops };
    });
  if (!workload.limit) return [];
  const { run, bytes } = memoryLimit(workload.limit, workload.bytes);
  return [{ name: 'simd', run, share: bytes / workload.bytes }];
}

/**
 * @param {string} id of the workload
 * @param {{ builds: string[], peers: Record<string, () => Promise<object>>, threads?: number, budget?: number,
 *   ready?: (reasons: Record<string, string>) => void }} options peers: adapters by name; threads: of all of them, 1 if left
 *   out; ready: called when this package's result was right
 * @returns {Promise<object>} times (medians, and the least) and limits in ms, versions and reasons for missing times, all by name
 */
export async function contest(id, { builds, peers, threads = 1, budget, ready }) {
  const workload = workloads.get(id);
  const reference = workload.ref(workload.inputs());
  const outcome = {
    times: {},
    least: {},
    limits: {},
    versions: {},
    reasons: {},
    unsupported: false,
  };

  /** A contestant whose first result was right, or nothing, and the reason. */
  async function contestant(name, adapterFor) {
    try {
      const adapter = await adapterFor();
      const version = await adapter.start(threads);
      const { run, result } = await adapter.prepare(workload);
      await run();
      check(workload, await result(), reference);
      return { name, version, run, result };
    } catch (error) {
      const missing = error.code === 'ERR_MODULE_NOT_FOUND';
      if (error.name === 'UnsupportedError') outcome.unsupported = true;
      if (missing) outcome.reasons[name] = 'not installed';
      else if (error instanceof Unsupported || error.name === 'UnsupportedError')
        outcome.reasons[name] = error.message;
      else if (error instanceof WebAssembly.CompileError)
        outcome.reasons[name] = 'not for this engine';
      else outcome.reasons[name] = `${error}`.split('\n')[0];
      return null;
    }
  }

  const prepared = async (names, adapterFor) => {
    const list = [];
    for (const name of names) list.push(await contestant(name, () => adapterFor(name)));
    return list.filter((one) => one !== null);
  };
  const ours = await prepared(builds, (build) => adapterOf(build));
  if (!ours.length) return outcome;
  ready?.(outcome.reasons);
  const others = await prepared(Object.keys(peers), (name) => peers[name]());
  const bounds = limits(workload, ours);
  const contestants = [...ours, ...others];
  const times = await measure([...contestants, ...bounds], budget);
  for (const [i, { name, version, result }] of contestants.entries()) {
    outcome.versions[name] = version;
    try {
      check(workload, await result(), reference);
      outcome.times[name] = times[i].median;
      outcome.least[name] = times[i].least;
    } catch (error) {
      outcome.reasons[name] = `after the timing: ${error.message}`;
    }
  }
  for (const [i, { name, share }] of bounds.entries())
    outcome.limits[name] = times[contestants.length + i].median / share;
  return outcome;
}
