// Times contestants side by side: every round gives each of them one sample, so that whatever else the machine does
// slows all of them.

const WARM_UP = 150; // ms, and at least three calls: V8 optimises wasm after some calls
const SAMPLE = 8; // ms of calls that one sample lasts at least
const BUDGET = 1500;
const ROUNDS_AT_LEAST = 3;
const ROUNDS_AT_MOST = 15;
const FAR = 8; // times slower than the fastest: so few rounds are enough

async function timeOf(run, calls) {
  const start = performance.now();
  for (let i = 0; i < calls; i++) {
    const pending = run();
    if (pending?.then) await pending;
  }
  return performance.now() - start;
}

/** ms of its best call. Clocks of browsers are coarse: so many calls at once that they take a millisecond. */
async function warmUp(run) {
  let [best, calls] = [Infinity, 1];
  const end = performance.now() + WARM_UP;
  for (let rounds = 0; rounds < 3 || performance.now() < end; rounds++) {
    const time = await timeOf(run, calls);
    if (time < 1) calls *= 2;
    else best = Math.min(best, time / calls);
    if (best > WARM_UP) break;
  }
  return Number.isFinite(best) ? best : 1 / calls;
}

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/**
 * The median and the least ms per call of each contestant.
 * @param {{ run: () => unknown, share?: number }[]} contestants run() may return a promise; share: of a limit
 * @param {number} [budget] ms for the samples of all contestants, and at least ROUNDS_AT_LEAST rounds
 * @returns {Promise<{ median: number, least: number }[]>}
 */
export async function measure(contestants, budget = BUDGET) {
  const first = [];
  for (const { run } of contestants) first.push(await warmUp(run));
  const fastest = Math.min(...first.filter((_, i) => !contestants[i].share)); // limits do other work
  const calls = first.map((time) => Math.max(1, Math.ceil(SAMPLE / Math.max(time, 1e-4))));
  const samples = contestants.map(() => []);
  const end = performance.now() + budget;
  for (let round = 0; round < ROUNDS_AT_MOST; round++) {
    if (round >= ROUNDS_AT_LEAST && performance.now() > end) break;
    for (const [i, { run }] of contestants.entries()) {
      if (round >= ROUNDS_AT_LEAST && first[i] > FAR * fastest) continue;
      if (first[i] < 4 * SAMPLE) await timeOf(run, 1); // its data back into the caches, its threads awake
      samples[i].push((await timeOf(run, calls[i])) / calls[i]);
    }
  }
  return samples.map((times) => ({ median: median(times), least: Math.min(...times) }));
}
