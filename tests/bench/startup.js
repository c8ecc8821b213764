// The time from the start of a Node process to the first 2x2 dot, for this package and its peers.
//   fork('startup.js', [name]) sends the ms; 'empty' is a process that does nothing.
import { checkProduct, starts } from './starts.js';

const product = await starts[process.argv[2]]();
const time = performance.now(); // since the start of the process
checkProduct(product);
process.send(time, () => process.exit());
