// Estimators of how many bins a histogram takes, as NumPy's documentation defines them.
import { HloError } from '../../errors.js';
import { nameOf } from '../../options.js';

/** @typedef {any} Hlo */

/**
 * Widths of bins for n numbers that spread over `extent`, by name. An estimator of 0 has no opinion.
 * @type {Record<string, (data: { n: number, extent: number, std: () => number, iqr: () => number, skew: () => number }) => number>}
 */
const widths = {
  sqrt: ({ n, extent }) => extent / Math.sqrt(n),
  sturges: ({ n, extent }) => extent / (Math.log2(n) + 1),
  rice: ({ n, extent }) => extent / (2 * Math.cbrt(n)),
  scott: ({ n, std }) => Math.cbrt((24 * Math.sqrt(Math.PI)) / n) * std(),
  fd: ({ n, iqr }) => (2 * iqr()) / Math.cbrt(n),
  doane: ({ n, extent, skew }) => {
    if (n <= 2) return 0;
    const error = Math.sqrt((6 * (n - 2)) / ((n + 1) * (n + 3)));
    const own = skew();
    return Number.isNaN(own)
      ? 0
      : extent / (1 + Math.log2(n) + Math.log2(1 + Math.abs(own) / error));
  },
  auto: (data) => {
    const [fd, sturges, sqrt] = [widths.fd(data), widths.sturges(data), widths.sqrt(data)];
    return Math.min(sturges, Math.max(fd, sqrt / 2));
  },
};

/**
 * @param {Hlo} hlo
 * @param {Record<string, (...args: any[]) => any>} np
 * @param {any} x a vector
 * @param {string} name
 * @param {number[] | undefined} range
 * @returns {number}
 */
export function binCounts(hlo, np, x, name, range) {
  if (!Object.hasOwn(widths, name))
    throw new HloError(
      `bins are a number, edges, or ${Object.keys(widths).join(', ')}, got ${nameOf(name)}`,
    );
  const all = hlo.convert(x, 'f64');
  const own = range ? np.extract(hlo.and(hlo.ge(all, range[0]), hlo.le(all, range[1])), all) : all;
  if (own.size === 0) return 1;
  const std = () => np.std(own).item();
  const extent = np.ptp(own).item();
  const width = widths[name]({
    n: own.size,
    extent,
    std,
    iqr: () => {
      const [low, high] = np.quantile(own, [0.25, 0.75]).toNested();
      return high - low;
    },
    skew: () => {
      const scale = std();
      if (!(scale > 0)) return NaN;
      const z = np.divide(np.subtract(own, np.mean(own)), scale);
      return np.mean(np.multiply(np.multiply(z, z), z)).item();
    },
  });
  const [low, high] = range ?? [np.min(own).item(), np.max(own).item()];
  const whole = low === high ? 1 : high - low;
  if (!(width > 0)) return 1;
  // Bins of integers are one wide at least.
  const least = /^[su]/.test(x.type) ? Math.max(1, width) : width;
  return Math.max(1, Math.ceil(whole / least));
}
