// How much work the engine does with a program, step by step: read it, print it, compile it, run it, ask for its indexing maps.
import { randomArray } from '../../web/cli/random.js';
import { HloError } from '../../web/index.js';

/**
 * The work of a step, the length of the text that it made or read, and with which message it was refused.
 * @typedef {{ work: number, milliseconds: number, length: number, refusal?: string }} Step
 */

/** Steps with a parsed program. @type {Record<string, (module: any, hlo: any) => unknown>} */
const steps = {
  print: (module) => module.print(),
  'print as StableHLO': (module) => module.print('stablehlo'),
  cost: (module) => module.cost(),
  'indexing of the root': (module) => module.indexing(),
  'indexing to parameters': (module) => module.indexing({ toParameters: true }),
  'indexing from a parameter': (module) => module.indexing({ inputToOutput: 0 }),
};

/**
 * @param {{ hlo: any, work: () => number }} engine
 * @param {string | Uint8Array} program
 * @param {(name: string) => boolean} [isWanted] steps besides reading
 * @returns {Record<string, Step>}
 */
export function measure({ hlo, work }, program, isWanted = () => true) {
  /** @type {Record<string, Step>} */
  const found = {};
  /** @param {string} name @param {() => any} step @param {number} [length] of what it reads */
  const take = (name, step, length = 0) => {
    if (!isWanted(name)) return undefined;
    const [before, from] = [work(), performance.now()];
    let result, refusal;
    try {
      result = step();
    } catch (error) {
      if (!(error instanceof HloError)) throw error;
      refusal = error.message.split('\n')[0];
    }
    if (typeof result === 'string') length = result.length;
    found[name] = {
      work: work() - before,
      milliseconds: performance.now() - from,
      length,
      refusal,
    };
    return result;
  };
  const module = take('read', () => hlo.parse(program), program.length);
  if (!module) return found;
  for (const [name, step] of Object.entries(steps)) {
    const result = take(name, () => step(module, hlo));
    if (name === 'print as StableHLO' && result)
      take('read as StableHLO', () => hlo.parse(result), result.length)?.dispose();
  }
  for (const optimize of [false, true]) {
    const kind = optimize ? '' : ' as written';
    const executable = take(`compile${kind}`, () => module.compile({ optimize }));
    if (!executable) continue;
    const inputs = executable.parameters.map((shape, i) => randomArray(hlo, shape, i));
    const results = take(`run${kind}`, () => executable.run(inputs));
    for (const array of [...inputs, ...(results ?? [])]) array.dispose();
    if (optimize) take('print optimized', () => executable.print());
    executable.dispose();
  }
  module.dispose();
  return found;
}

/** What a step does before it looks at a program. */
const AT_LEAST = 3000;

/**
 * How the work of a step grows with the size of the program, or with its text where that grows faster: 1 is linear.
 * @param {Step} small
 * @param {Step} large
 * @param {number} ratio of the sizes
 */
export function exponent(small, large, ratio) {
  const size = Math.max(ratio, large.length / Math.max(small.length, 1));
  return Math.log((large.work + AT_LEAST) / (small.work + AT_LEAST)) / Math.log(size);
}
