// Workloads under XLA's CPU backend, native, one thread: by xla.py, in the Python that HLO_PYTHON names or else in python3,
// where it has JAX.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const TIMEOUT = 60_000;

/**
 * XLA's process, or why there is none.
 * @returns {Promise<{ problem: string } | { problem: undefined, version: string, close(): void,
 *   time(text: string): Promise<{ ms?: number, problem?: string }> }>} time: of a call of that program
 */
export async function openXla() {
  const python = process.env.HLO_PYTHON ?? 'python3';
  const child = spawn(python, [fileURLToPath(new URL('xla.py', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.on('error', resolve));
  child.stdin.on('error', () => {}); // answered by the missing line
  const next = async () => {
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, TIMEOUT, { done: true })));
    const line = await Promise.race([lines.next(), ended, late]);
    clearTimeout(timer);
    if (typeof line?.value === 'string') return JSON.parse(line.value);
    child.kill();
    return { problem: 'no answer' };
  };
  const { version } = await next();
  if (!version) return { problem: `${python} has no JAX; set HLO_PYTHON` };
  return {
    version,
    async time(text) {
      child.stdin.write(`${JSON.stringify({ text })}\n`);
      return next();
    },
    close: () => child.kill(),
  };
}
