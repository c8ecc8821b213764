// Reproducible random inputs for trying programs out.
import { storageOf } from '../elements.js';

/** The traced generator of each engine. @type {WeakMap<object, any>} */
const generators = new WeakMap();

/**
 * A traced function that generates arrays of a shape from the state of Philox: as many random bits for an element as it has
 * itself (32 at most).
 * @param {any} hlo
 */
function traceGenerator(hlo) {
  const bits = (
    /** @type {any} */ state,
    /** @type {string} */ type,
    /** @type {number[]} */ dims,
  ) => hlo.rngBitGenerator('rng_philox', state, type, dims);
  const toUnitInterval = (
    /** @type {any} */ drawn,
    /** @type {number} */ width,
    /** @type {string} */ type,
  ) =>
    hlo.sub(
      hlo.mul(
        hlo.convert(hlo.shiftRightLogical(drawn, width > 24 ? 8 : 0), type),
        2 ** (1 - Math.min(width, 24)),
      ),
      1,
    );
  const maskBelow = (/** @type {any} */ drawn, /** @type {number} */ count) =>
    hlo.and(drawn, count - 1);
  return hlo.jit(
    (/** @type {any} */ state, /** @type {any} */ { name, kind, width, dims, isSigned }) => {
      const half = 2 ** Math.min(width - 1, 3);
      const drawnBits = Math.max(8, Math.min(kind === 'complex' ? width / 2 : width, 32));
      const [next, drawn] = bits(state, `u${drawnBits}`, dims);
      if (kind === 'pred') return hlo.ne(maskBelow(drawn, 2), 0);
      if (kind === 'unsigned') return hlo.convert(maskBelow(drawn, 2 * half), name);
      if (kind === 'signed')
        return hlo.convert(hlo.sub(hlo.convert(maskBelow(drawn, 2 * half), 's8'), half), name);
      if (kind === 'float') {
        const drawnValues = toUnitInterval(drawn, drawnBits, width > 32 ? 'f64' : 'f32');
        return hlo.convert(
          isSigned ? drawnValues : hlo.div(hlo.sub(1, drawnValues), 2), // never 0
          name,
        );
      }
      const [, other] = bits(next, `u${drawnBits}`, dims);
      const part = width > 64 ? 'f64' : 'f32';
      return hlo.complex(
        toUnitInterval(drawn, drawnBits, part),
        toUnitInterval(other, drawnBits, part),
      );
    },
  );
}

/**
 * Whether the float type has negative numbers; f8e8m0fnu has not, nor zero.
 * @param {any} hlo
 * @param {string} name
 */
function hasNegatives(hlo, name) {
  return hlo.tidy(() => !Number.isNaN(hlo.convert(hlo.array(-1, 'f32'), name).item()));
}

/**
 * Floats and complex parts in [-1, 1), or (0, 1] where there are no negative ones, integers from 0 (or -8) to 7 as far as the type goes, pred 0 or 1; a token as it is. The
 * engine makes them, by its own generator.
 * @param {import('../index.js').Hlo} hlo
 * @param {import('../index.js').ShapeInfo} shape
 * @param {number} seed
 */
export function randomArray(hlo, shape, seed) {
  if (shape.type === 'token') return /** @type {any} */ (hlo).afterAll();
  const type = /** @type {import('../index.js').TypeInfo} */ (
    hlo.types.find(({ name }) => name === shape.type)
  );
  const { name, class: kind, bits: width } = type;
  const { dims } = shape;
  if (kind === 'other' || dims.includes(0)) {
    const count = dims.reduce((product, size) => product * size, 1);
    return hlo.array(new (storageOf(type))(count), { type: name, shape: dims });
  }
  if (!generators.has(hlo)) generators.set(hlo, traceGenerator(hlo));
  const state = hlo.array(new BigUint64Array([BigInt(seed), 0n]), 'u64');
  try {
    const isSigned = kind !== 'float' || hasNegatives(hlo, name);
    return generators.get(hlo)(state, { name, kind, width, dims, isSigned });
  } finally {
    state.dispose();
  }
}
