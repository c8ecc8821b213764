// One workload in a process of its own, with all peers that run in Node, and ours once more on two threads. Sends a message when this package's result was
// right, and one with the outcome.
//   fork('workload.js', [id])
import { adapterOf } from './adapters/hlo.js';
import { peers } from './adapters/index.js';
import { contest } from './contest.js';

const outcome = await contest(process.argv[2], {
  builds: ['relaxed-simd', 'simd'],
  peers: { ...peers, 'two threads': async () => adapterOf('relaxed-simd', 2) },
  ready: () => process.send({ ready: true }),
});
process.send(outcome, () => process.exit());
