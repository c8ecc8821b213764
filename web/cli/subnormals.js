// Subnormal numbers: those next to zero that have no normalised form. WebAssembly has no mode that flushes them to zero, as XLA
// does, and processors take up to 50 times as long for an instruction that meets one (docs/speed.md).

/**
 * The element types whose subnormal numbers the processor meets, with the words that an element's exponent and fraction fill:
 * the low word of 8 bytes matters only where the exponent is 0. f16 and smaller floats are computed in f32, where theirs are normal.
 * @type {Record<string, { word: number, exponent: number }>}
 */
const formats = {
  bf16: { word: 2, exponent: 0x7f80 },
  f32: { word: 4, exponent: 0x7f800000 },
  c64: { word: 4, exponent: 0x7f800000 },
  f64: { word: 8, exponent: 0x7ff00000 },
  c128: { word: 8, exponent: 0x7ff00000 },
};

/**
 * @param {import('../index.js').HloArray[]} arrays
 * @returns {number} how many of their elements (parts of elements, if complex) are subnormal
 */
export function countSubnormals(arrays) {
  let count = 0;
  for (const array of arrays) {
    const format = Object.hasOwn(formats, array.type) ? formats[array.type] : undefined;
    if (!format) continue;
    const { buffer } = array.toTypedArray();
    const { exponent } = format;
    const words = format.word === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer);
    const sign = format.word === 2 ? 0x8000 : 0x80000000;
    const step = format.word === 8 ? 2 : 1;
    for (let i = step - 1; i < words.length; i += step) {
      const word = words[i];
      if ((word & exponent) !== 0) continue;
      const fraction = (word & ~sign) | (step === 2 ? words[i - 1] : 0);
      if (fraction !== 0) count++;
    }
  }
  return count;
}
