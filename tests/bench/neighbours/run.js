// `make neighbours`: the programs of all families beside XLA's CPU backend on one core. Results are kept by commit in
// build/neighbours/, a line of JSON a program; what is there already is not run again, so that a run can be stopped and go on.
// What would be listed as slow is timed once more, after the other programs of its family.
// Options are environment variables: FAMILY, parts of names of families; LIMIT, so many programs of each, those nearest to the
// bases; BASE, the commit to compare with, left out: the newest ancestor that has results.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../../../web/index.js';
import { Native } from './native.js';
import { isWrong, listed, report } from './report.js';
import { timed } from './time.js';

const folder = fileURLToPath(new URL('../../../build/neighbours/', import.meta.url));
const git = (...words) =>
  execFileSync('git', words, {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).trim();
const fileOf = (commit) => `${folder}${commit}.jsonl`;

/** The commit's short name; with changes to what runs that are not committed, also a digest of these. */
function commitNow() {
  const changes = git('diff', 'HEAD', '--', ':/src', ':/web', ':/wasm', ':/include');
  const commit = git('rev-parse', '--short=12', 'HEAD');
  return changes
    ? `${commit}+${createHash('sha256').update(changes).digest('hex').slice(0, 8)}`
    : commit;
}

function resultsOf(commit) {
  if (!commit || !existsSync(fileOf(commit))) return new Map();
  const lines = readFileSync(fileOf(commit), 'utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map((row) => [row.name, row]));
}

/** The newest commit before this one that has results. */
function commitBefore(commit) {
  if (process.env.BASE) return git('rev-parse', '--short=12', process.env.BASE);
  const ancestors = git('rev-list', '--abbrev-commit', '--abbrev=12', 'HEAD').split('\n');
  return ancestors.find((ancestor) => ancestor !== commit && existsSync(fileOf(ancestor)));
}

/** The least times of two measurements: others may have used the machine during one. */
function leastOf(row, old) {
  if (!old) return row;
  return {
    ...row,
    ours: Math.min(row.ours, old.ours),
    xla: Math.min(row.xla, old.xla),
    again: true,
  };
}

const native = new Native();
const { FAMILY = '', LIMIT } = process.env;
const limit = LIMIT ? Number(LIMIT) : Infinity;
const parts = FAMILY.split(/[ ,]+/).filter(Boolean);
const families = Object.entries(await native.families()).filter(
  ([name]) => !parts.length || parts.some((part) => name.includes(part)),
);
const commit = commitNow();
const rows = resultsOf(commit);
mkdirSync(folder, { recursive: true });
const hlo = await load();
async function timeAll(family, names) {
  for (const name of names) {
    let row = { family, name };
    try {
      row = leastOf({ ...row, ...(await timed(hlo, native, family, name)) }, rows.get(name));
    } catch (error) {
      row.problem = error.message.split('\n')[0];
    }
    rows.set(name, row);
    appendFileSync(fileOf(commit), `${JSON.stringify(row)}\n`);
  }
}

for (const [family, { programs, pairs }] of families) {
  const missing = programs.slice(0, limit).filter((name) => !rows.has(name));
  if (missing.length) console.error(`${family}: ${missing.length} programs`);
  await timeAll(family, missing);
  const ofFamily = [...rows.values()].filter((row) => row.family === family);
  const doubtful = [...listed(ofFamily, pairs)].filter((name) => !rows.get(name).again);
  if (doubtful.length) console.error(`${family}: ${doubtful.length} once more`);
  await timeAll(family, doubtful);
}
native.close();
const before = commitBefore(commit);
const names = new Set(families.map(([name]) => name));
const chosen = [...rows.values()].filter(({ family }) => names.has(family));
console.log(
  report({
    commit,
    rows: chosen,
    pairs: families.flatMap(([, { pairs }]) => pairs),
    before,
    base: resultsOf(before),
  }),
);
process.exitCode = chosen.some((row) => row.problem || isWrong(row)) ? 1 : 0;
