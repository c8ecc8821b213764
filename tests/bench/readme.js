// What README.md and docs/benchmarks.md show of a run of the benchmark: a table to look at, and everything.
import {
  markdownTable,
  ms,
  otherBrowserCells,
  otherBrowserHeads,
  percent,
  rate,
  twoCells,
} from './tables.js';

// README's ten rows: one of each kind, those where we are not ahead among them.
export const SHOWN = [
  'matmul_1024',
  'conv3x3',
  'dwconv3x3',
  'add_16M',
  'softmax_1024',
  'sum_16M',
  'transpose_2048',
  'sort_1M',
  'fft_64k',
  'transformer',
];

const shownRows = (done) =>
  markdownTable(
    ['workload', 'ms', 'of the limit', 'best peer', 'ratio', 'XLA native'],
    done
      .filter(({ workload }) => SHOWN.includes(workload.id))
      .map(({ workload, ...row }) => [
        workload.title,
        ms(row.ours),
        percent(row.ofLimit(row.build)),
        row.best?.name,
        row.best?.ratio.toFixed(2),
        row.xla?.toFixed(2),
      ]),
  );

const everyRow = (done) =>
  markdownTable(
    [
      'workload',
      'ms',
      'rate',
      'of the limit',
      'plain SIMD, ms',
      'Chromium, ms',
      'two threads, ms',
      'faster',
      'best peer',
      'its ms',
      'ratio',
      'XLA native',
    ],
    done.map(({ workload, ...row }) => [
      workload.title,
      ms(row.ours),
      rate(workload, row.ours),
      percent(row.ofLimit(row.build)),
      ms(row.times.simd),
      ms(row.chromium),
      ms(row.two),
      row.faster?.toFixed(2),
      row.best?.name,
      ms(row.best?.time),
      row.best?.ratio.toFixed(2),
      row.xla?.toFixed(2),
    ]),
  );

const titlesOf = (done) => new Map(done.map(({ workload }) => [workload.id, workload.title]));

/**
 * The texts between README's marks and of docs/benchmarks.md: `rows` of workloads, what was `measured` besides, the names of the `peers` that run in
 * Node, who answered in Chromium and for XLA (each with a `problem` or a version), and what `others`, browsers, took.
 */
export function pageTexts({ rows, others, measured, machine, load, peers, chromium, xla }) {
  const versions = Object.assign({}, ...rows.map((row) => row.versions));
  const inChromium = chromium.problem
    ? 'without LiteRT.js, for want of Chromium'
    : `LiteRT.js ${versions['LiteRT.js']} in ${chromium.version}, beside ours there`;
  const native = xla.problem
    ? 'not measured, for want of JAX'
    : `the time of XLA's CPU backend (${xla.version}), native on one core, over ours`;
  const peerList = peers
    .filter((name) => versions[name])
    .map((name) => `${name} ${versions[name]}`);
  const done = rows.filter(({ problem }) => !problem);
  const waiting = rows
    .filter(({ unsupported }) => unsupported)
    .map(({ workload }) => workload.title);
  const shown = [
    shownRows(done),
    '',
    "Milliseconds of one core in Node; the limit's share, beyond 100 % where fewer products do (3x3 convolutions) or memory is read",
    "at two places (sums); times as fast as the best peer, and as XLA's CPU backend: native code with wider vectors, on one core.",
  ].join('\n');
  const lines = [
    '# Benchmarks',
    '',
    "Written by `make bench README=1`: every workload beside other packages, the limit of the machine, and XLA's CPU backend. The README has the",
    'first table; what was done for speed is in [performance.md](performance.md).',
    '',
    `${machine}, one thread but where a column says two, ${new Date().toISOString().slice(0, 10)}, load ${load.toFixed(1)} before the run${load > 1.5 ? ': the machine was not quiet, so that ratios say more than times' : ''}.`,
    `Peers: ${peerList.join(', ')} and plain JavaScript, in Node; ${inChromium}.`,
    "Each number is the median of samples that alternate with the peers' and the limit's, and passed a check against f64 before",
    "and after. The ratio is the best peer's time over ours in the same host, that of other types our f32's: below 1 we are slower.",
    'The limit is, in the same run, the f32 multiply-add rate of one core for dots, convolutions and models, and the plainest SIMD',
    'loop over the same bytes for the rest, medians of the same rounds. Two threads run beside one in a process of their own, both at',
    "their best, since a machine's processors are not always cores of their own: their time, and how much faster it is.",
    `XLA native: ${native}.`,
    '',
    everyRow(done),
    '',
    'On two threads, beside the packages that have them, in Chromium:',
    '',
    markdownTable(['workload', 'ms', 'LiteRT.js, ms', 'TF.js, ms', 'ratio'], twoCells(done)),
    '',
    ...(others.length
      ? [
          'In other browsers, beside LiteRT.js and TF.js there, on one thread:',
          '',
          markdownTable(
            ['workload', ...otherBrowserHeads(others)],
            otherBrowserCells(others, titlesOf(done)),
          ),
          '',
        ]
      : []),
    ...(waiting.length ? [`Not yet: ${waiting.join(', ')}.`, ''] : []),
    ...measured.startup,
    measured.calls,
    `Compressed: ${measured.size.map(([name, bytes]) => `${name} ${(bytes / 1024).toFixed(0)} KB`).join(', ')}.`,
  ];
  return { shown, all: `${lines.join('\n')}\n` };
}
