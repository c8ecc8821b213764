// Runs the `hlo` command of this checkout and waits for it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const path = fileURLToPath(new URL('../../web/cli.js', import.meta.url));

/** @param {...string} args @returns what it wrote, and how it ended */
export function runCommand(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: 'utf8',
    cwd: root,
  });
  return { status, stdout, stderr };
}
