// `make bench`: our time, the best peer's, their ratio and the fraction of the limit, all measured in this run; then the
// fixtures, the start-up time and the size.
//   node run.js [--only TEXT]... [--readme]     TEXT: part of a workload's id or title, or fixtures, startup, calls, size, numpy
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { programOf } from './adapters/hlo.js';
import { peers } from './adapters/index.js';
import { openChromium, startsInChromium } from './chromium.js';
import { fixtures } from './fixtures.js';
import { median } from './measure.js';
import { numpyTimes } from './numpy.js';
import { contestsInOtherBrowsers } from './other_browsers.js';
import { pageTexts, SHOWN } from './readme.js';
import { sizes } from './size.js';
import {
  ms,
  otherBrowserCells,
  otherBrowserHeads,
  percent,
  rate,
  textLine,
  twoCells,
} from './tables.js';
import { workloads } from './workloads.js';
import { openXla } from './xla.js';

const ON_TWO = [
  'matmul_1024',
  'conv3x3',
  'conv1x1',
  'conv7x7s2',
  'add_16M',
  'chain_16M',
  'transformer',
  'convnet',
]; // compared with peers on two threads, too
const TIMEOUT = 60_000; // ms until ours is known to run, and again until the end
const STARTS = 7;
const README = new URL('../../README.md', import.meta.url);
const PAGE = new URL('../../docs/benchmarks.md', import.meta.url);
const MARKS = ['<!-- measured: made by `make bench README=1` -->', '<!-- end of measured -->'];

const { only = [], readme } = parseArgs({
  options: { only: { type: 'string', multiple: true }, readme: { type: 'boolean' } },
}).values;
if (readme && only.length) throw new Error('README takes all of the benchmark, not a part of it');
const wanted = (...names) =>
  !only.length ||
  names.some((name) => only.some((part) => name.toLowerCase().includes(part.toLowerCase())));

/** The messages of a child process, to its end or until it is silent for too long. */
function messagesOf(file, argument) {
  return new Promise((resolve) => {
    const child = fork(new URL(file, import.meta.url), [argument], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let messages = [];
    let failure = '';
    const stop = () => {
      failure = `no result in ${TIMEOUT / 1000} s`;
      child.kill('SIGKILL');
    };
    let timer = setTimeout(stop, TIMEOUT);
    child.on('message', (message) => {
      messages.push(message);
      clearTimeout(timer);
      timer = setTimeout(stop, TIMEOUT);
    });
    child.stderr.on('data', (data) => (failure = `${failure}${data}`.slice(-2000)));
    child.on('close', () => {
      clearTimeout(timer);
      resolve({ messages, failure: failure.trim() });
    });
  });
}

/** Everything that the tables say about one workload. Before it, `rows` has those of the workloads it is compared with. */
async function rowOf(workload, rows) {
  const { messages, failure } = await messagesOf('workload.js', workload.id);
  const outcome = messages.at(-1)?.times && messages.at(-1);
  const reasons = outcome?.reasons ?? {};
  const row = { workload, reasons, times: outcome?.times ?? {}, versions: outcome?.versions ?? {} };
  row.build = ['relaxed-simd', 'simd'].find((name) => name in row.times);
  row.ours = row.times[row.build];
  if (row.ours === undefined) {
    row.unsupported = outcome?.unsupported;
    row.problem = outcome ? (reasons.simd ?? reasons['relaxed-simd']) : failure;
    return row;
  }
  const threads = (await messagesOf('threads.js', workload.id)).messages.at(-1);
  row.two = threads?.least['two threads'];
  row.faster = row.two && threads.least['relaxed-simd'] / row.two;
  if (threads?.reasons['two threads']) reasons['two threads'] = threads.reasons['two threads'];
  const limitOf = (build) => outcome.limits[build] ?? outcome.limits.simd;
  row.ofLimit = (build) =>
    build in row.times && limitOf(build) && limitOf(build) / row.times[build];
  const rivals = Object.keys(peers)
    .filter((name) => name in row.times)
    .map((name) => ({ name, time: row.times[name], ratio: row.times[name] / row.ours }));
  const other = rows.find((one) => one.workload.id === workload.against);
  if (other?.ours)
    rivals.push({ name: 'ours, f32', time: other.ours, ratio: other.ours / row.ours });
  if (!chromium.problem) rivals.push(...(await addChromium(row)));
  if (!chromium.problem && ON_TWO.includes(workload.id)) {
    const { times, reasons } = await chromium.contest(workload.id, 2);
    row.onTwo = { ours: times['relaxed-simd'], ...times };
    for (const [name, reason] of Object.entries(reasons))
      row.reasons[`${name} on two threads`] = reason;
  }
  row.best = rivals.sort((x, y) => x.ratio - y.ratio)[0];
  if (!xla.problem) {
    const { ms: native, problem } = await xla.time(await programOf(workload));
    row.xla = native && native / row.ours;
    if (problem) reasons.XLA = problem;
  }
  return row;
}

/** Our time in Chromium goes into the row; returns the peers that run only there, against that time. */
async function addChromium(row) {
  const { times, versions = {}, reasons } = await chromium.contest(row.workload.id, 1);
  row.chromium = times['relaxed-simd'];
  row.times['LiteRT.js'] = times['LiteRT.js'];
  if (versions['LiteRT.js']) row.versions['LiteRT.js'] = versions['LiteRT.js'];
  for (const [name, reason] of Object.entries(reasons))
    row.reasons[name === 'relaxed-simd' ? 'Chromium' : name] = reason;
  const time = times['LiteRT.js'];
  return time && row.chromium ? [{ name: 'LiteRT.js', time, ratio: time / row.chromium }] : [];
}

const others = [...Object.keys(peers), 'LiteRT.js'];
const twoHeads = ['on two threads, in Chromium', 'ours', 'LiteRT.js', 'TF.js', 'ratio'];
const columns = [
  'workload',
  'ours',
  'rate',
  'of limit',
  'plain SIMD',
  'of limit',
  'Chromium',
  '2 threads',
  'faster',
  'ratio',
  'best peer',
  'XLA native',
];
const widths = [36, 9, 10, 8, 10, 8, 9, 9, 6, 6, 9, 10, ...others.map(() => 9)];

function printRow({ workload, problem, unsupported, ...row }) {
  if (problem) {
    console.log(
      textLine([workload.title, unsupported ? 'not yet' : 'no time'], widths),
      ` ${problem}`,
    );
    return;
  }
  const cells = [
    workload.title,
    ms(row.ours),
    rate(workload, row.ours),
    percent(row.ofLimit(row.build)),
    ms(row.times.simd),
    percent(row.ofLimit('simd')),
    ms(row.chromium),
    ms(row.two),
    row.faster?.toFixed(2),
    row.best?.ratio.toFixed(2),
    row.best?.name,
    row.xla?.toFixed(2),
    ...others.map((name) => ms(row.times[name])),
  ];
  console.log(textLine(cells, widths));
}

async function workloadRows() {
  const rows = [];
  const list = [...workloads.values()].filter(
    ({ id, title }) => id !== 'matmul_2' && wanted(id, title),
  );
  if (!list.length) return rows;
  console.log(textLine([...columns, ...others], widths), ' (ms per call)');
  for (const workload of list) {
    rows.push(await rowOf(workload, rows));
    printRow(rows.at(-1));
  }
  console.log(
    "\n2 threads, faster: beside one thread in a process of their own, at their best. ratio: the best peer's time over ours, so that more than 1 is faster;" +
      "\nLiteRT.js's over ours in Chromium." +
      "\nXLA native: XLA's time on one core, by native code, over ours.",
  );
  if (chromium.problem) console.log(`no Chromium: ${chromium.problem}`);
  if (xla.problem) console.log(`no XLA: ${xla.problem}`);
  const two = twoCells(rows);
  if (two.length)
    console.log(`\n${[twoHeads, ...two].map((cells) => textLine(cells, widths)).join('\n')}\n`);
  const without = new Map(); // reason -> peers and workloads
  for (const { workload, reasons, problem } of rows)
    if (!problem)
      for (const [name, reason] of Object.entries(reasons)) {
        const key = `${name}: ${reason}`;
        without.set(key, [...(without.get(key) ?? []), workload.title]);
      }
  for (const [reason, titles] of without)
    console.log(
      `no time of ${reason} (${titles.length > 3 ? `${titles.length} workloads` : titles.join('; ')})`,
    );
  console.log();
  return rows;
}

/** The rows of README's first table in Firefox and WebKit. */
async function timesInOtherBrowsers(rows) {
  const titles = new Map(
    rows
      .filter(({ workload, problem }) => SHOWN.includes(workload.id) && !problem)
      .map(({ workload }) => [workload.id, workload.title]),
  );
  if (titles.size === 0) return [];
  const browsers = await contestsInOtherBrowsers([...titles.keys()], (name, problem) =>
    console.log(`no time in ${name}: ${problem}`),
  );
  if (browsers.length > 0) {
    const lines = [
      ['in other browsers', ...otherBrowserHeads(browsers)],
      ...otherBrowserCells(browsers, titles),
    ];
    const wide = [widths[0], ...browsers.flatMap(() => [20, 14, 6])];
    console.log(`${lines.map((cells) => textLine(cells, wide)).join('\n')}\n`);
  }
  return browsers;
}

/** What new processes that run a file with one of these names send, several times each: name -> numbers. */
async function samplesOf(file, names) {
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let i = 0; i < STARTS; i++)
    for (const name of names) {
      const { messages } = await messagesOf(file, name);
      if (messages.length) samples[name].push(messages[0]);
    }
  return samples;
}

const medians = (samples, unit, digits = 0) =>
  Object.entries(samples)
    .flatMap(([name, all]) =>
      all.length ? [`${name} ${median(all).toFixed(digits)} ${unit}`] : [],
    )
    .join(', ') || 'not measured';

/** Two sentences: in Node, and in pages. */
async function startupTimes() {
  const names = ['empty', 'hlo-wasm', ...Object.keys(peers).filter((name) => name !== 'plain JS')];
  const samples = await samplesOf('startup.js', names);
  const inPages = await startsInChromium(['hlo-wasm', 'TF.js', 'jax-js'], STARTS);
  return [
    `Start of a Node process to its first 2x2 dot: ${medians(samples, 'ms')}.`,
    `In a page of a new Chromium that has come to rest, from import: ${medians(inPages, 'ms')}.`,
  ];
}

/** A sentence: an eager operation. */
async function callTimes() {
  const samples = await samplesOf('calls.js', ['hlo-wasm', 'TF.js', 'jax-js', 'numpy-ts']);
  return `An eager addition of 16 numbers, its result disposed of, in Node: ${medians(samples, 'µs', 1)}.`;
}

const load = loadavg()[0];
const machine = `${cpus()[0].model}, ${availableParallelism()} cores, ${process.platform}; Node ${process.version} (V8 ${process.versions.v8})`;
console.log(`${machine}; load ${load.toFixed(1)} before the run\n`);

const [chromium, xla] = [await openChromium(), await openXla()];
const rows = await workloadRows();
await chromium.close?.();
xla.close?.();
const inOthers = await timesInOtherBrowsers(rows);
const measured = {};
if (wanted('fixtures')) measured.fixtures = await fixtures();
if (wanted('startup')) measured.startup = await startupTimes();
if (wanted('calls')) measured.calls = await callTimes();
if (wanted('size')) measured.size = await sizes();
if (measured.fixtures) {
  console.log('fixtures     text, parse, compile, run, run by the oracle');
  for (const { name, kilobytes, parse, compile, run, reference } of measured.fixtures)
    console.log(
      `${name.padEnd(12)} ${kilobytes.toFixed(1)} KB, ${[parse, compile, run, reference].map((t) => `${ms(t)} ms`).join(', ')}`,
    );
}
if (only.length && wanted('numpy')) {
  for await (const { names, call, ours, theirs } of numpyTimes()) {
    if (names)
      console.log(`np on one core, ms, and how often that others take: ${names.join(', ')}`);
    else {
      const ratios = theirs.map((time) => (time === undefined ? '' : (time / ours).toFixed(2)));
      console.log(
        [call.padEnd(34), ms(ours).padStart(8), ...ratios.map((x) => x.padStart(8))].join(' '),
      );
    }
  }
}
if (measured.startup) console.log(`\n${measured.startup.join('\n')}`);
if (measured.calls) console.log(measured.calls);
if (measured.size)
  console.log(
    `\ngzip: ${measured.size.map(([name, bytes]) => `${name} ${(bytes / 1024).toFixed(0)} KB`).join(', ')}`,
  );

if (readme) {
  const text = readFileSync(README, 'utf8');
  const [start, end] = MARKS.map((mark) => text.indexOf(mark));
  if (start < 0 || end < start) throw new Error(`README.md has no ${MARKS.join(' … ')}`);
  const { shown, all } = pageTexts({
    rows,
    others: inOthers,
    measured,
    machine,
    load,
    peers: Object.keys(peers),
    chromium,
    xla,
  });
  writeFileSync(README, `${text.slice(0, start)}${MARKS[0]}\n${shown}\n${text.slice(end)}`);
  writeFileSync(PAGE, all);
  console.log('\nwrote README.md and docs/benchmarks.md');
}
process.exitCode = rows.some(({ reasons }) =>
  ['simd', 'relaxed-simd'].some((name) => /wrong/.test(reasons[name] ?? '')),
)
  ? 1
  : 0;
