// Long work in slices, so that a page stays responsive and can show progress or abort it.
import { HloError } from './errors.js';
import { now, pause } from './host.js';
import { nameOf } from './options.js';

/**
 * @typedef {object} Progress
 * @property {number} steps approximate number of executed operations
 * @property {number} milliseconds since the start
 */
/**
 * @typedef {object} Slices
 * @property {AbortSignal | undefined} [signal] aborts the run: the promise is rejected with the signal's reason
 * @property {number} [steps] steps between two pauses; by default as many as take about 10 ms
 * @property {(progress: Progress) => void} [onProgress] called before each pause, and at the end
 */

const SLICE_MS = 10; // leaves a page time to render 60 frames per second

/**
 * @param {(steps: number) => boolean} advance executes that many steps; true: the work is done
 * @param {() => void} check throws when the work has to stop
 * @param {Slices} options
 */
export async function inSlices(advance, check, { signal, steps: fixed, onProgress }) {
  if (fixed !== undefined && !(Number.isInteger(fixed) && fixed > 0))
    throw new HloError(`steps is a whole number above 0, got ${nameOf(fixed)}`);
  const start = now();
  let steps = 0;
  let chunk = fixed ?? 1;
  for (;;) {
    signal?.throwIfAborted();
    check();
    const began = now();
    let isDone;
    do {
      const before = now();
      isDone = advance(chunk);
      steps += chunk;
      if (fixed !== undefined) break;
      const elapsed = now() - before;
      if (elapsed < SLICE_MS / 4) chunk = Math.min(chunk * 2, 1 << 20);
      else if (elapsed > SLICE_MS) chunk = Math.max(1, chunk >> 1);
    } while (!isDone && now() - began < SLICE_MS);
    onProgress?.({ steps, milliseconds: now() - start });
    if (isDone) return;
    await pause();
  }
}
