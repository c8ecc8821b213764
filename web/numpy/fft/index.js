// np.fft: NumPy's Fourier transforms over XLA's, which transform up to three of the last dimensions. Types are JAX's: float32
// gives complex64, float64 complex128.
import { HloError, ShapeError } from '../../errors.js';
import { nameOf } from '../../options.js';
import { checkOperand } from '../operands.js';
import { bindNamespace } from '../namespace.js';
import { asFloat, axisOf, classOf, convert, product, range } from '../promotion.js';
import { checkSize, frequencies, shifts } from './frequencies.js';
import { signatures } from './signatures.js';

/** @typedef {any} Hlo */
/** @typedef {(x: any, axes: number[], sizes: number[], norm: string) => any} Transform */

const XLA_DIMENSIONS = 3; // the most that one operation transforms
const norms = ['backward', 'ortho', 'forward'];

/**
 * @param {Hlo} hlo
 * @returns {import('./types.js').FourierTransforms}
 */
export function fourierTransforms(hlo) {
  const functions = { ...transforms(hlo), ...frequencies(hlo), ...shifts(hlo) };
  return /** @type {any} */ (bindNamespace(hlo, functions, signatures, 'fft.'));
}

/** @param {any} norm @returns {string} */
function checkNorm(norm) {
  if (norm !== null && !norms.includes(norm))
    throw new HloError(`norm is ${norms.map(nameOf).join(', ')} or null, got ${nameOf(norm)}`);
  return norm ?? 'backward';
}

/** Cuts an axis to a size, or appends zeros. @param {Hlo} hlo @param {any} x @param {number} axis @param {number} size */
function resize(hlo, x, axis, size) {
  const own = x.dims[axis];
  if (size < own) return hlo.sliceInDim(x, 0, size, 1, axis);
  if (size === own) return x;
  const high = x.dims.map((/** @type {any} */ _, /** @type {number} */ d) =>
    d === axis ? size - own : 0,
  );
  return hlo.pad(x, hlo.array(0, x.type), { high });
}

/**
 * XLA's transform of any axes, up to three: those of the result have `sizes`.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {'FFT' | 'IFFT' | 'RFFT' | 'IRFFT'} type
 * @param {number[]} axes
 * @param {number[]} sizes of the transform; of what comes out of IRFFT and goes into RFFT
 */
function transformAxes(hlo, x, type, axes, sizes) {
  const order = [...range(x.rank).filter((d) => !axes.includes(d)), ...axes];
  const isInOrder = order.every((d, i) => d === i);
  if (isInOrder) return hlo.fft(x, type, sizes);
  const back = range(x.rank).map((d) => order.indexOf(d));
  return hlo.transpose(hlo.fft(hlo.transpose(x, order), type, sizes), back);
}

/**
 * Transforms complex numbers along axes, of which one may stand there twice, as in NumPy.
 * @param {Hlo} hlo
 * @param {any} x
 * @param {'FFT' | 'IFFT'} type
 * @param {number[]} axes
 * @param {number[]} sizes
 * @returns {any}
 */
function transformComplex(hlo, x, type, axes, sizes) {
  if (axes.length === 0) return x;
  const own = axes.filter((axis, i) => axes.indexOf(axis) === i).slice(-XLA_DIMENSIONS);
  const first = axes.length - own.length;
  const isPlain = own.every((axis, i) => axes[first + i] === axis);
  const count = isPlain ? own.length : 1;
  const last = axes.slice(-count);
  const resized = last.reduce(
    (y, axis, i) => resize(hlo, y, axis, sizes[sizes.length - count + i]),
    x,
  );
  const done = transformAxes(hlo, resized, type, last, sizes.slice(-count));
  return transformComplex(hlo, done, type, axes.slice(0, -count), sizes.slice(0, -count));
}

/**
 * The transforms along any axes, each as one program.
 * @param {Hlo} hlo
 * @returns {Record<string, Transform>}
 */
function programsOf(hlo) {
  /** What XLA's transforms, of which the inverse ones divide by the number of elements, are multiplied by. */
  const scale = (
    /** @type {any} */ x,
    /** @type {number[]} */ sizes,
    /** @type {string} */ norm,
    isInverse = false,
  ) => {
    if (norm === 'backward') return x;
    const part = norm === 'ortho' ? Math.sqrt(product(sizes)) : product(sizes);
    return hlo.mul(x, hlo.array(isInverse ? part : 1 / part, x.type));
  };
  const conjugate = (/** @type {any} */ x) => hlo.complex(hlo.real(x), hlo.neg(hlo.imag(x)));
  const opposite = (/** @type {string} */ norm) => norms[2 - norms.indexOf(norm)];
  /** @type {Record<string, Transform>} */
  const bodies = {
    fft: (x, axes, sizes, norm) =>
      scale(transformComplex(hlo, complexOf(hlo, x), 'FFT', axes, sizes), sizes, norm),
    ifft: (x, axes, sizes, norm) =>
      scale(transformComplex(hlo, complexOf(hlo, x), 'IFFT', axes, sizes), sizes, norm, true),
    rfft: (x, axes, sizes, norm) => {
      const [axis, size] = [axes[axes.length - 1], sizes[sizes.length - 1]];
      const half = transformAxes(hlo, resize(hlo, x, axis, size), 'RFFT', [axis], [size]);
      const all = transformComplex(hlo, half, 'FFT', axes.slice(0, -1), sizes.slice(0, -1));
      return scale(all, sizes, norm);
    },
    irfft: (x, axes, sizes, norm) => {
      const [axis, size] = [axes[axes.length - 1], sizes[sizes.length - 1]];
      const [others, theirs] = [axes.slice(0, -1), sizes.slice(0, -1)];
      const half = transformComplex(hlo, complexOf(hlo, x), 'IFFT', others, theirs);
      const cut = resize(hlo, half, axis, Math.floor(size / 2) + 1);
      return scale(transformAxes(hlo, cut, 'IRFFT', [axis], [size]), sizes, norm, true);
    },
    hfft: (x, axes, sizes, norm) =>
      bodies.irfft(conjugate(complexOf(hlo, x)), axes, sizes, opposite(norm)),
    ihfft: (x, axes, sizes, norm) => conjugate(bodies.rfft(x, axes, sizes, opposite(norm))),
  };
  return Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, hlo.jit(body)]));
}

/** @param {Hlo} hlo @param {any} x */
function complexOf(hlo, x) {
  return classOf(hlo, x) === 'complex' ? x : hlo.convert(x, x.type === 'f64' ? 'c128' : 'c64');
}

/** @param {Hlo} hlo @returns {Record<string, (...args: any[]) => any>} */
function transforms(hlo) {
  const programs = programsOf(hlo);
  const input = (/** @type {string} */ name, /** @type {any} */ a) => {
    const x = asFloat(hlo, checkOperand(a, 'a'));
    if (/^(rfft|ihfft)/.test(name) && classOf(hlo, x) === 'complex')
      throw new HloError(`a has real numbers, got ${x.type}`);
    return /^(f64|c64|c128)$/.test(x.type) ? x : convert(hlo, x, 'f32');
  };
  /** The size that an axis is transformed with by default: half a spectrum makes an even number. @param {string} name @param {number} size */
  const defaultSize = (name, size) => (/^(irfft|hfft)/.test(name) ? 2 * (size - 1) : size);

  const ofOneAxis =
    (/** @type {string} */ name) =>
    (/** @type {any} */ a, { n = null, axis = -1, norm = null } = {}) => {
      const x = input(name, a);
      const along = axisOf(axis, x.rank);
      const size =
        n === null
          ? checkSize(defaultSize(name, x.dims[along]), `the default of n`)
          : checkSize(n, 'n');
      return programs[name](x, [along], [size], checkNorm(norm));
    };
  const ofAxes =
    (/** @type {string} */ name, /** @type {any} */ defaultAxes = null) =>
    (
      /** @type {any} */ a,
      /** @type {any} */ { s = null, axes = defaultAxes, norm = null } = {},
    ) => {
      const x = input(name, a);
      const list = checkAxes(x.rank, s, axes);
      if (/^i?rfft/.test(name) && list.length === 0)
        throw new ShapeError('axes has one axis at least');
      const sizes = list.map((axis, i) => {
        if (s !== null && s[i] !== -1) return checkSize(s[i], `s[${i}]`);
        const isLast = i === list.length - 1;
        const own = isLast ? defaultSize(name, x.dims[axis]) : x.dims[axis];
        return checkSize(own, `the default of s[${i}]`);
      });
      return programs[name](x, list, sizes, checkNorm(norm));
    };
  const plane = [-2, -1];
  return {
    ...Object.fromEntries(Object.keys(programs).map((name) => [name, ofOneAxis(name)])),
    fft2: ofAxes('fft', plane),
    ifft2: ofAxes('ifft', plane),
    rfft2: ofAxes('rfft', plane),
    irfft2: ofAxes('irfft', plane),
    fftn: ofAxes('fft'),
    ifftn: ofAxes('ifft'),
    rfftn: ofAxes('rfft'),
    irfftn: ofAxes('irfft'),
  };
}

/**
 * The axes to transform: all, or as many of the last as there are sizes. One may stand there twice.
 * @param {number} rank
 * @param {any} s
 * @param {any} axes
 * @returns {number[]}
 */
function checkAxes(rank, s, axes) {
  if (s !== null && !Array.isArray(s))
    throw new ShapeError(`s is a list of sizes, got ${nameOf(s)}`);
  if (axes !== null && !Array.isArray(axes))
    throw new ShapeError(`axes is a list, got ${nameOf(axes)}`);
  const count = s?.length ?? rank;
  if (axes !== null) {
    if (s !== null && count !== axes.length)
      throw new ShapeError(`s has ${count} sizes for ${axes.length} axes`);
    return axes.map((/** @type {any} */ axis) => axisOf(axis, rank));
  }
  if (count > rank) throw new ShapeError(`s has ${count} sizes for the ${rank} dimensions of a`);
  return range(count).map((d) => rank - count + d);
}
