// Parse, compile and run times of the demo's programs, by the build that load() takes here.
import { readFileSync } from 'node:fs';
import { load } from '../../web/index.js';
import { measure } from './measure.js';

const examples = new URL('../../demo/examples/', import.meta.url);

export async function fixtures() {
  const hlo = await load();
  const rows = [];
  for (const name of ['classifier', 'training']) {
    const folder = new URL(`${name}/`, examples);
    const { program, inputs } = JSON.parse(readFileSync(new URL('manifest.json', folder)));
    const text = readFileSync(new URL(program, folder), 'utf8');
    const arrays = inputs.map(({ file }) => hlo.fromNpy(readFileSync(new URL(file, folder))));
    const module = hlo.parse(text);
    const [fast, slow] = [module.compile(), module.compile({ reference: true })];
    const runOf = (executable) => () => {
      for (const array of executable.run(arrays)) array.dispose();
    };
    const times = await measure([
      { run: () => hlo.parse(text).dispose() },
      { run: () => module.compile().dispose() },
      { run: runOf(fast) },
      { run: runOf(slow) },
    ]);
    const [parse, compile, run, reference] = times.map((time) => time.median);
    rows.push({ name, kilobytes: text.length / 1024, parse, compile, run, reference });
  }
  return rows;
}
