// What `make neighbours` prints of its results.

/**
 * @typedef {{ family: string, name: string, problem?: string, ours?: number, xla?: number, compiling?: number,
 *   excess?: number }} Row ms; excess: the greatest difference as a part of what is allowed, null where it has no bound
 */

const FACTOR = 4; // times XLA's time, and
const LEAST = 0.3; // ms, from which a program is listed
const JUMP = 3; // between neighbours
const CHANGE = 1.5; // from the commit before: with less, it may be the machine
const MOST = 60; // rows of a list

const ratioOf = ({ ours, xla }) => ours / xla;
const isSlow = (row) => ratioOf(row) > FACTOR && row.ours > LEAST;
/** Infinity is null in JSON. */
export const isWrong = ({ excess }) => excess === null || !(excess <= 1);
const meanOf = (ratios) =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
const timesOf = ({ ours, xla }) => `${ours.toPrecision(3)} / ${xla.toPrecision(3)}`;

/** Lines under a title, which says how many there are; the first MOST. */
function list(title, lines) {
  const left = lines.length > MOST ? [`  and ${lines.length - MOST} more`] : [];
  return lines.length ? ['', `${title}: ${lines.length}`, ...lines.slice(0, MOST), ...left] : [];
}

/**
 * Names of the programs that the lists of slow ones and of jumps show: worth another measurement.
 * @param {Row[]} rows @param {[string, string][]} pairs
 */
export function listed(rows, pairs) {
  const timed = rows.filter(({ ours }) => ours);
  const sides = jumpsOf(timed, pairs).flatMap(({ fast, slow }) => [fast.name, slow.name]);
  return new Set([...timed.filter(isSlow).map(({ name }) => name), ...sides]);
}

function familyLines(timed) {
  const families = [...new Set(timed.map(({ family }) => family))];
  const lines = families.map((family) => {
    const rows = timed.filter((row) => row.family === family);
    const mean = meanOf(rows.map(ratioOf)).toFixed(2);
    return `${family.padEnd(18)} ${String(rows.length).padStart(8)} ${mean.padStart(10)} ${String(rows.filter(isSlow).length).padStart(6)}`;
  });
  return [
    `${'family'.padEnd(18)} ${'programs'.padStart(8)} ${'ours / XLA'.padStart(10)} ${'slow'.padStart(6)}`,
    ...lines,
  ];
}

/** Steps of one parameter after which we take more than JUMP times as long beside XLA, and longer than XLA. */
function jumpsOf(timed, pairs) {
  const byName = new Map(timed.map((row) => [row.name, row]));
  return pairs
    .map(([a, b]) => [byName.get(a), byName.get(b)])
    .filter(([a, b]) => a && b)
    .map(([a, b]) => (ratioOf(a) < ratioOf(b) ? [a, b] : [b, a]))
    .map(([fast, slow]) => ({ fast, slow, jump: ratioOf(slow) / ratioOf(fast) }))
    .filter(({ slow, jump }) => jump > JUMP && slow.ours > LEAST && ratioOf(slow) > 1)
    .sort((a, b) => b.jump - a.jump);
}

/** What only the slow one's name says, after what both say. */
function stepOf({ fast, slow, jump }) {
  const old = fast.name.split(' ');
  const change = slow.name
    .split(' ')
    .map((word, i) => (word === old[i] ? word : `[${old[i]} -> ${word}]`));
  return `  ${jump.toFixed(1).padStart(6)}  ${timesOf(fast)} -> ${timesOf(slow)}  ${change.join(' ')}`;
}

/** Both commits' times stand beside XLA's of the same minutes, which takes out how fast the machine was. */
function changes(timed, before, base) {
  const both = timed
    .map((row) => ({ row, old: base.get(row.name) }))
    .filter(({ old }) => old?.ours)
    .map(({ row, old }) => ({ row, old, change: ratioOf(row) / ratioOf(old) }))
    .sort((a, b) => b.change - a.change);
  if (!both.length) return [];
  const line = ({ row, old, change }) =>
    `  ${change.toFixed(2).padStart(6)}  ${timesOf(old)} -> ${timesOf(row)}  ${row.name}`;
  return [
    '',
    `beside ${before}: ${both.length} programs, geometric mean of now / then ${meanOf(both.map(({ change }) => change)).toFixed(3)}`,
    ...list(`over ${CHANGE} times as long`, both.filter(({ change }) => change > CHANGE).map(line)),
    ...list(
      `under 1 / ${CHANGE} of the time`,
      both
        .filter(({ change }) => change < 1 / CHANGE)
        .reverse()
        .map(line),
    ),
  ];
}

/**
 * @param {{ commit: string, rows: Row[], pairs: [string, string][], before?: string, base: Map<string, Row> }} results
 * @returns {string}
 */
export function report({ commit, rows, pairs, before, base }) {
  const timed = rows.filter(({ ours }) => ours);
  const slow = timed.filter(isSlow).sort((a, b) => ratioOf(b) - ratioOf(a));
  const wrong = timed.filter(isWrong);
  const problems = rows.filter(({ problem }) => problem);
  const line = (row) => `  ${ratioOf(row).toFixed(1).padStart(6)}  ${timesOf(row)}  ${row.name}`;
  return [
    ...familyLines(timed),
    `${timed.length} programs of ${commit}: geometric mean ${meanOf(timed.map(ratioOf)).toFixed(2)}, ` +
      `${((100 * slow.length) / timed.length).toFixed(1)} % over ${FACTOR} times XLA's time and ${LEAST} ms`,
    ...list(`over ${FACTOR} times XLA's time and ${LEAST} ms (ours / XLA, ms)`, slow.map(line)),
    ...list(
      `jumps over ${JUMP} times between neighbours (ours / XLA, ms)`,
      jumpsOf(timed, pairs).map(stepOf),
    ),
    ...list(
      'results that differ (as a part of what is allowed)',
      wrong.map((row) => `  ${row.excess?.toPrecision(3) ?? 'not finite'}  ${row.name}`),
    ),
    ...list(
      'not run',
      problems.map(({ name, problem }) => `  ${name}: ${problem}`),
    ),
    ...changes(timed, before, base),
  ].join('\n');
}
