// The op cases of tests/ops (format: tests/ops/README.md), read from their files.
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
    else if (word === 'order') test.order = value;
    else if (word === 'phases') test.phases = value.split(' ').map(Number);
    else if (word === 'error') test.error = /"(.*)"/.exec(value)[1];
    else if (word === 'tolerance')
      for (const [, key, number] of value.matchAll(/(ulp|abs|rel)=(\S+)/g))
        test.tolerance[key] = Number(number);
    else throw new Error(`${test.name}: unknown directive ${word}`);
  }
  return { ...test, program: lines.slice(at).join('\n') };
}
