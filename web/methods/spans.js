// The elements of an array in spans of its dimensions, read and replaced.

/** @typedef {Omit<import('./selection.js').Selection['spans'][number], 'start'>} Span */

/** @param {any} hlo @param {any} x @param {any} starts @param {number[]} lengths @returns {any} the block of x there */
function block(hlo, x, starts, lengths) {
  if (String(lengths) === String(x.dims)) return x;
  if (!Array.isArray(starts)) return hlo.dynamicSlice(x, scalarsOf(hlo, starts), lengths);
  const ends = starts.map((start, d) => start + lengths[d]);
  return hlo.slice(x, starts, ends);
}

/** @param {any} hlo @param {any} starts numbers, or an array of them @returns {any[]} */
function scalarsOf(hlo, starts) {
  if (Array.isArray(starts)) return starts;
  return Array.from({ length: starts.size }, (_, d) =>
    hlo.reshape(hlo.slice(starts, [d], [d + 1]), []),
  );
}

/** @param {any} hlo @param {any} part @param {Span[]} spans */
function reversed(hlo, part, spans) {
  const dimensions = spans.flatMap(({ isReversed }, d) => (isReversed ? [d] : []));
  return dimensions.length > 0 ? hlo.reverse(part, dimensions) : part;
}

/** @param {any} hlo @param {any} x @param {any} starts @param {Span[]} spans @returns {any} the elements of the spans */
export function readSpans(hlo, x, starts, spans) {
  const lengths = spans.map(({ length }) => length);
  let part = block(hlo, x, starts, lengths);
  if (spans.some(({ step }) => step > 1)) {
    const zeros = spans.map(() => 0);
    const steps = spans.map(({ step }) => step);
    part = hlo.slice(part, zeros, lengths, steps);
  }
  return reversed(hlo, part, spans);
}

/** @param {any} hlo @param {any} x @param {any} starts @param {any} part @param {Span[]} spans @returns {any} x with that part in the spans */
export function writeSpans(hlo, x, starts, part, spans) {
  const lengths = spans.map(({ length }) => length);
  let filled = reversed(hlo, part, spans);
  if (spans.some(({ step }) => step > 1)) {
    const gaps = { interior: spans.map(({ step }) => step - 1) };
    const isPart = spans
      .flatMap(({ step }, d) =>
        step > 1 ? [hlo.eq(hlo.rem(hlo.iota('s32', lengths, d), step), 0)] : [],
      )
      .reduce((a, b) => hlo.and(a, b));
    const spread = hlo.pad(filled, hlo.array(0, x.type), gaps);
    filled = hlo.select(isPart, spread, block(hlo, x, starts, lengths));
  }
  if (String(lengths) === String(x.dims)) return filled;
  return hlo.dynamicUpdateSlice(x, filled, scalarsOf(hlo, starts));
}
