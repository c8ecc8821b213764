// `make growth`: how the work of every step grows with every dimension of programs, as a table. Arguments: the larger size, eight
// times the smaller one, and what names of families contain.
import { loadChecked } from '../js/checked_engine.js';
import * as families from './families.js';
import { protos } from './protos.js';
import { exponent, measure } from './measure.js';

const [size = '8000', pattern = ''] = process.argv.slice(2);
const large = Number(size);
const forms = { HLO: families.hlo, StableHLO: families.stablehlo, 'serialized HLO': protos };
for (const [form, all] of Object.entries(forms))
  for (const [name, family] of Object.entries(all).filter(([name]) => name.includes(pattern))) {
    const engine = await loadChecked();
    const [first, second] = [large / 8, large].map((n) => measure(engine, family(n)));
    console.log(`${form}, ${name}`);
    for (const [step, { work, milliseconds, refusal }] of Object.entries(second)) {
      const grown = exponent(first[step] ?? second[step], second[step], 8).toFixed(2);
      const millions = (work / 1e6).toFixed(1);
      const columns = [step.padEnd(28), `n^${grown}`, `${millions} M blocks`.padStart(18)];
      console.log(
        `  ${columns.join(' ')} ${milliseconds.toFixed(0).padStart(6)} ms  ${refusal ?? ''}`,
      );
    }
  }
