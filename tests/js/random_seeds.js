// Tests of random programs: a number of seeds, each of which makes the same program every time. SEEDS=1000 tries that many,
// SEED=17 that one, or from that one on.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';

const FEW = 20; // programs, which say nothing about how often there is code

/**
 * Registers a test of programs at random. A failure says its seed, the command that repeats it, and the program.
 * @template {{ text: string }} Program
 * @param {string} title
 * @param {object} how
 * @param {number} how.seeds how many programs an ordinary run tries
 * @param {(seed: number) => Program} how.make
 * @param {(program: Program, seed: number) => Promise<{ wrong?: string, isReady?: boolean }>} how.check what is wrong with its
 *   results, and whether there was code for it
 * @param {number} [how.ready] the least share of programs that must have had code
 */
export function testPrograms(title, { seeds, make, check, ready = 0 }) {
  test(title, async () => {
    const first = Number(process.env.SEED ?? 1);
    const count = Number(process.env.SEEDS ?? (process.env.SEED ? 1 : seeds));
    let readyCount = 0;
    for (let seed = first; seed < first + count; seed++) {
      const program = make(seed);
      const result = await check(program, seed).catch((error) => ({ wrong: error.stack }));
      if (result.wrong) {
        const only = basename(process.argv[1]).split('.')[0];
        const repeat = `SEED=${seed} make test-js ONLY=${only}`;
        assert.fail(`seed ${seed}: ${result.wrong}\n(repeat: ${repeat})\n${program.text}`);
      }
      readyCount += result.isReady ? 1 : 0;
    }
    if (ready > 0) console.log(`${count} programs, ${readyCount} of them with code`);
    assert.ok(
      count < FEW || readyCount >= ready * count,
      `code was made for only ${readyCount} of ${count}`,
    );
  });
}
