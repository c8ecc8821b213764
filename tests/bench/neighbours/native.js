// XLA's process: the programs of families, in the Python that HLO_PYTHON names.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TIMEOUT = 120_000; // ms for an answer
const script = fileURLToPath(new URL('xla.py', import.meta.url));

/** Asks the process, and starts it again after a question that ended it or took too long. */
export class Native {
  #child;
  #lines;

  #start() {
    const python = process.env.HLO_PYTHON ?? 'python3';
    this.#child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#child.on('error', () => {}); // answered by the missing line
    this.#child.stdin.on('error', () => {});
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async #ask(question) {
    if (!this.#child) this.#start();
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, TIMEOUT, { done: true })));
    const line = await Promise.race([this.#lines.next(), late]);
    clearTimeout(timer);
    if (line.done) this.close();
    const answer = line.done ? { problem: 'no answer' } : JSON.parse(line.value);
    if (answer.problem) throw new Error(`under XLA: ${answer.problem}`);
    return answer;
  }

  /** @returns {Promise<Record<string, { programs: string[], pairs: [string, string][] }>>} families by name */
  async families() {
    return (await this.#ask({ list: true })).families;
  }

  /** The program's text, inputs and results; sample() is about it from now on. */
  prepare(family, name) {
    return this.#ask({ prepare: name, family });
  }

  /** The results of the prepared program's function of f64. */
  exact() {
    return this.#ask({ exact: true });
  }

  /** @returns {Promise<number>} ms of a call, the mean of as many as take so long */
  async sample(ms) {
    return (await this.#ask({ sample: ms })).ms;
  }

  close() {
    this.#child?.kill();
    this.#child = undefined;
  }
}
