// An op case on an engine: what is wrong with its results. Runs in pages, too.

/** Runs a case; gives undefined, or what is wrong. */
export function runCase(hlo, test, options) {
  const kept = [];
  const keep = (object) => (kept.push(object), object);
  try {
    const inputs = test.inputs.map((text) => keep(hlo.array(text)));
    let results;
    try {
      const executable = keep(keep(hlo.parse(test.program)).compile(options));
      results = executable.run(inputs).map(keep);
    } catch (error) {
      if (test.error === undefined) return `failed: ${error.message}`;
      return error.message.includes(test.error)
        ? undefined
        : `refused with "${error.message}", not "${test.error}"`;
    }
    if (test.error !== undefined) return `must be refused for "${test.error}"`;
    if (results.length !== test.expects.length)
      return `${results.length} results, not ${test.expects.length}`;
    const isLoose = test.order !== undefined && options?.reference;
    for (const [i, result] of results.entries()) {
      const difference = compare(
        hlo,
        isLoose ? inAnyOrder(test, result.type) : test,
        keep(hlo.array(test.expects[i])),
        result,
        keep,
        test.phases?.includes(i) && options?.reference,
      );
      if (difference) return `result ${i}: ${difference}`;
    }
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}

/** Mantissa bits, the leading one included. */
const precisions = {
  ...{ f64: 53, c128: 53, f32: 24, c64: 24, f16: 11, bf16: 8, f8e3m4: 5 },
  ...{ f8e4m3: 4, f8e4m3fn: 4, f8e4m3fnuz: 4, f8e4m3b11fnuz: 4, f8e5m2: 3, f8e5m2fnuz: 3 },
};

/** The case for the oracle, which rounds once what others round in an order: 64 units of roundoff of the type. */
function inAnyOrder(test, type) {
  const loose = precisions[type] ? 64 * 2 ** -precisions[type] : 0;
  const { ulp, abs, rel } = test.tolerance;
  return { ...test, tolerance: { ulp, abs: abs + loose, rel: rel + loose } };
}

/** What differs. Vectors with phases of their own are compared by magnitude. */
function compare(hlo, test, want, got, keep, byMagnitude) {
  if (String([want.type, want.dims]) !== String([got.type, got.dims]))
    return `want ${want.xla.text}, got ${got.xla.text}`;
  const type = hlo.types.find(({ name }) => name === want.type);
  const floating = type.class === 'float' || type.class === 'complex';
  const values = (x) =>
    type.class === 'float' && type.bytes < 4
      ? keep(hlo.convert(x, 'f32')).toTypedArray()
      : x.toTypedArray();
  const [wants, gots] = [values(want), values(got)];
  if (byMagnitude) return compareMagnitudes(test, type.class === 'complex', wants, gots);
  const [wantBits, gotBits] = [ordinals(want, type), ordinals(got, type)];
  for (let i = 0; i < wants.length; i++) {
    if (floating ? !agree(test, wants[i], gots[i], wantBits(i), gotBits(i)) : wants[i] !== gots[i])
      return `at ${i}: want ${wants[i]}, got ${gots[i]}`;
  }
}

function compareMagnitudes(test, isComplex, wants, gots) {
  const magnitude = (x, i) => (isComplex ? Math.hypot(x[2 * i], x[2 * i + 1]) : Math.abs(x[i]));
  for (let i = 0; i < wants.length / (isComplex ? 2 : 1); i++) {
    const [want, got] = [magnitude(wants, i), magnitude(gots, i)];
    if (!agree(test, want, got, 0n, 1n)) return `at ${i}: want magnitude ${want}, got ${got}`;
  }
}

function agree({ tolerance: { ulp, abs, rel } }, want, got, wantBits, gotBits) {
  if (Number.isNaN(want) || Number.isNaN(got)) return Number.isNaN(want) && Number.isNaN(got);
  if (Object.is(want, got)) return true;
  const near = abs + rel * Math.abs(want);
  if (near > 0 && near < Infinity && Math.abs(got - want) <= near) return true;
  const distance = wantBits - gotBits;
  return ulp > 0 && (distance < 0n ? -distance : distance) <= BigInt(ulp);
}

/** Positions of an array's elements among all values of their type: neighbours differ by one. */
function ordinals(array, type) {
  const storage = array.toTypedArray();
  const part = type.class === 'complex' ? type.bytes / 2 : type.bytes;
  const Words = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array }[part];
  const words = new Words(storage.buffer);
  const signBit = type.name === 'f8e8m0fnu' ? 0n : 1n << BigInt(Math.min(type.bits, part * 8) - 1);
  return (i) => {
    const bits = BigInt(words[i]);
    return signBit && bits & signBit ? -(bits ^ signBit) : bits;
  };
}
