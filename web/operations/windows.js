// Windows that slide over an array: their attribute in HLO text, and padding by name.
import { ShapeError } from '../errors.js';
import { perDimension } from './arguments.js';

/**
 * Low and high padding per dimension: 'SAME', 'VALID', or pairs.
 * @param {any} padding
 * @param {{ size: number, window: number, stride: number, dilation: number }[]} axes
 */
function paddingOf(padding, axes) {
  if (padding === 'VALID') return axes.map(() => [0, 0]);
  if (padding === 'SAME')
    return axes.map(({ size, window, stride, dilation }) => {
      const reach = (window - 1) * dilation + 1;
      const total = Math.max((Math.ceil(size / stride) - 1) * stride + reach - size, 0);
      return [Math.floor(total / 2), total - Math.floor(total / 2)];
    });
  if (!Array.isArray(padding) || padding.length !== axes.length)
    throw new ShapeError("padding is 'SAME', 'VALID', or a [low, high] for each dimension");
  return padding.map((pair) => perDimension(2, 'padding of a dimension', pair));
}

/**
 * The window attribute in HLO text form.
 * @param {number[]} sizes of the window
 * @param {number[]} base sizes of the operand, before padding
 * @param {any} options
 * @param {string[]} [names] of the options with strides and dilations of the operand and of the window
 */
export function windowText(
  sizes,
  base,
  options,
  names = ['windowStrides', 'baseDilations', 'windowDilations'],
) {
  const ones = sizes.map(() => 1);
  const list = (/** @type {string} */ name) =>
    perDimension(sizes.length, name, options[name] ?? ones);
  const [strides, baseDilations, windowDilations] = names.map(list);
  const axes = sizes.map((window, d) => ({
    size: (base[d] - 1) * baseDilations[d] + 1,
    window,
    stride: strides[d],
    dilation: windowDilations[d],
  }));
  const pad = paddingOf(options.padding ?? 'VALID', axes).map(([low, high]) => `${low}_${high}`);
  const reversal = options.windowReversal?.map(Number);
  const parts = Object.entries({
    size: sizes,
    stride: strides,
    pad,
    lhs_dilate: baseDilations,
    rhs_dilate: windowDilations,
    rhs_reversal: reversal,
  });
  if (sizes.length === 0) return undefined;
  return `{${parts
    .filter(([, values]) => values)
    .map(([name, values]) => `${name}=${values.join('x')}`)
    .join(' ')}}`;
}
