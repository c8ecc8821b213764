// The op cases of tests/ops (format: tests/ops/README.md) for JavaScript: reading, running on an engine, comparing.
// Must not know which builds there are.
import { readdirSync, readFileSync } from 'node:fs';

const directory = new URL('../ops/', import.meta.url);

export function caseFiles() {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.hlo'))
    .sort();
}

/** All cases of a file. */
export function readCases(file) {
  const text = readFileSync(new URL(file, directory), 'utf8');
  return text
    .split(/^(?=\/\/! case )/m)
    .filter((part) => part.startsWith('//! case '))
    .map(readCase);
}

function readCase(text) {
  const lines = text.split('\n');
  const test = {
    name: lines[0].slice(9).trim(),
    inputs: [],
    expects: [],
    tolerance: { ulp: 0, abs: 0, rel: 0 },
  };
  let at = 1;
  for (; lines[at]?.startsWith('//! '); at++) {
    let directive = lines[at].slice(4);
    while (lines[at + 1]?.startsWith('//!+')) directive += lines[++at].slice(4);
    const [, word, value] = /^(\w+) ([^]*)$/.exec(directive);
    if (word === 'input') test.inputs.push(value);
    else if (word === 'expect') test.expects.push(value);
    else if (word === 'error') test.error = /"(.*)"/.exec(value)[1];
    else if (word === 'tolerance')
      for (const [, key, number] of value.matchAll(/(ulp|abs|rel)=(\S+)/g))
        test.tolerance[key] = Number(number);
    else throw new Error(`${test.name}: unknown directive ${word}`);
  }
  return { ...test, program: lines.slice(at).join('\n') };
}

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
    for (const [i, result] of results.entries()) {
      const difference = compare(hlo, test, keep(hlo.array(test.expects[i])), result, keep);
      if (difference) return `result ${i}: ${difference}`;
    }
  } finally {
    for (const object of kept.reverse()) object.dispose();
  }
}

function compare(hlo, test, want, got, keep) {
  if (String([want.type, want.dims]) !== String([got.type, got.dims]))
    return `want ${want.shape.text}, got ${got.shape.text}`;
  const type = hlo.types.find(({ name }) => name === want.type);
  const floating = type.class === 'float' || type.class === 'complex';
  const values = (x) =>
    type.class === 'float' && type.bytes < 4
      ? keep(hlo.convert(x, 'f32')).toTypedArray()
      : x.toTypedArray();
  const [wants, gots] = [values(want), values(got)];
  const [wantBits, gotBits] = [ordinals(want, type), ordinals(got, type)];
  for (let i = 0; i < wants.length; i++) {
    if (floating ? !agree(test, wants[i], gots[i], wantBits(i), gotBits(i)) : wants[i] !== gots[i])
      return `at ${i}: want ${wants[i]}, got ${gots[i]}`;
  }
}

function agree({ tolerance: { ulp, abs, rel } }, want, got, wantBits, gotBits) {
  if (Number.isNaN(want) || Number.isNaN(got)) return Number.isNaN(want) && Number.isNaN(got);
  if (Object.is(want, got)) return true;
  if (abs + rel > 0 && Math.abs(got - want) <= abs + rel * Math.abs(want)) return true;
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
