// One workload in a process of its own, with all peers that run in Node. Sends a message when this package's result was right,
// and one with the outcome.
//   fork('workload.js', [id])
import { peers } from './adapters/index.js';
import { contest } from './contest.js';

const outcome = await contest(process.argv[2], {
  builds: ['relaxed-simd', 'simd'],
  peers,
  ready: () => process.send({ ready: true }),
});
process.send(outcome, () => process.exit());
