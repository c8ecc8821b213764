// One workload on one thread and on two, in a process of its own: what peers leave to be collected, and their threads, would
// take the second thread's processor. Sends the outcome.
//   fork('threads.js', [id])
import { adapterOf } from './adapters/hlo.js';
import { contest } from './contest.js';

const onTwo = adapterOf('relaxed-simd');
const outcome = await contest(process.argv[2], {
  builds: ['relaxed-simd'],
  peers: { 'two threads': async () => ({ ...onTwo, start: () => onTwo.start(2) }) },
});
process.send(outcome, () => process.exit());
