// How numbers and rows are written.

export const ms = (time) =>
  time === undefined
    ? ''
    : time < 0.1
      ? time.toFixed(4)
      : time < 10
        ? time.toFixed(3)
        : time.toFixed(1);

export const percent = (fraction) => (fraction ? `${(100 * fraction).toFixed(0)}%` : '');

/** The nominal rate of a workload that took that many ms. */
export function rate({ flops, bytes, limit }, time) {
  if (flops && limit === 'peak') return `${(flops / time / 1e6).toFixed(1)} GF/s`;
  return bytes ? `${(bytes / time / 1e6).toFixed(1)} GB/s` : '';
}

/** The first cell to the left, the others to the right. */
export const textLine = (cells, widths) =>
  cells
    .map((cell = '', i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
    .join('  ')
    .trimEnd();

export const markdownTable = (heads, rows) =>
  [heads, heads.map((_, i) => (i ? '--:' : '---')), ...rows]
    .map((cells) => `| ${cells.map((cell = '') => cell.replaceAll('*', '\\*')).join(' | ')} |`)
    .join('\n');

/** Two threads beside the peers': title, ours, LiteRT.js, TF.js, ratio, of the rows that have such times. */
export const twoCells = (rows) =>
  rows
    .filter(({ onTwo }) => onTwo?.ours)
    .map(({ workload, onTwo }) => {
      const peerTimes = [onTwo['LiteRT.js'], onTwo['TF.js']];
      const best = Math.min(...peerTimes.filter((time) => time));
      const ratio = Number.isFinite(best) ? (best / onTwo.ours).toFixed(2) : '';
      return [workload.title, ms(onTwo.ours), ...peerTimes.map(ms), ratio];
    });

/** What browsers of other kinds took: title, then ours, the best peer's and the ratio for each, of the workloads that ran in one. */
export const otherBrowserCells = (browsers, titles) =>
  [...titles]
    .filter(([id]) => browsers.some(({ outcomes }) => outcomes.has(id)))
    .map(([id, title]) => [
      title,
      ...browsers.flatMap(({ outcomes }) => {
        const { 'LiteRT.js': litert, 'TF.js': tfjs, ...own } = outcomes.get(id)?.times ?? {};
        const ours = own['relaxed-simd'] ?? own.simd;
        const best = Math.min(litert ?? Infinity, tfjs ?? Infinity);
        const isBest = ours && Number.isFinite(best);
        return [ms(ours), isBest ? ms(best) : '', isBest ? (best / ours).toFixed(2) : ''];
      }),
    ]);
export const otherBrowserHeads = (browsers) =>
  browsers.flatMap(({ version }) => [`${version}, ms`, 'best peer, ms', 'ratio']);
