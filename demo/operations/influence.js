// Which elements of the results depend on which elements of the inputs, found by trying: each element is changed a little, and
// what comes out is compared. Serves where indexing maps cannot tell, because data decides.

/** @typedef {import('../../web/index.js').HloArray} HloArray */

/** Floats as bytes from the least significant on: which byte and bit changes them a little, and which bytes are 1. @type {Record<string, { byte: number, bit: number, one: [number, number][] }>} */
const floats = {
  f64: {
    byte: 5,
    bit: 2,
    one: [
      [6, 0xf0],
      [7, 0x3f],
    ],
  },
  f32: {
    byte: 1,
    bit: 0x10,
    one: [
      [2, 0x80],
      [3, 0x3f],
    ],
  },
  bf16: {
    byte: 0,
    bit: 2,
    one: [
      [0, 0x80],
      [1, 0x3f],
    ],
  },
  f16: { byte: 0, bit: 0x10, one: [[1, 0x3c]] },
};

/** @param {string} type @param {Uint8Array} bytes of one element, changed in place */
function nudge(type, bytes) {
  const float = floats[type.replace('c64', 'f32').replace('c128', 'f64')];
  if (!float) bytes[0] ^= 1;
  else if (bytes.every((byte) => byte === 0)) for (const [at, byte] of float.one) bytes[at] = byte;
  else bytes[float.byte] ^= float.bit;
}

/** @param {HloArray} array @returns {Uint8Array} */
const bytesOf = (array) => new Uint8Array(array.toTypedArray().buffer);

/**
 * @param {any} hlo
 * @param {HloArray[]} inputs borrowed
 * @param {HloArray[]} results for these inputs
 * @param {(inputs: HloArray[]) => HloArray[]} run gives nothing when the inputs are wrong ones
 * @returns {number[][][][]} for each result, element and input: numbers of the elements that it depends on
 */
export function influences(hlo, inputs, results, run) {
  const before = results.map(bytesOf);
  const found = results.map(({ size }) =>
    Array.from({ length: size }, () => inputs.map(() => /** @type {number[]} */ ([]))),
  );
  inputs.forEach((input, which) => {
    const width = bytesOf(input).length / Math.max(1, input.size);
    for (let element = 0; element < input.size; element++) {
      const data = input.toTypedArray();
      nudge(input.type, new Uint8Array(data.buffer, element * width, width));
      const changed = hlo.array(data, { type: input.type, shape: input.dims });
      const after = run(inputs.map((other) => (other === input ? changed : other)));
      after.forEach((array, r) => {
        const bytes = bytesOf(array);
        const size = bytes.length / Math.max(1, array.size);
        for (let i = 0; i < found[r].length; i++)
          if (differs(before[r], bytes, i * size, size)) found[r][i][which].push(element);
      });
      for (const array of [changed, ...after]) array.dispose();
    }
  });
  return found;
}

/** @param {Uint8Array} a @param {Uint8Array} b @param {number} from @param {number} length */
function differs(a, b, from, length) {
  for (let i = from; i < from + length; i++) if (a[i] !== b[i]) return true;
  return false;
}
