// The declarations that users see have no `any`: a mistake in a call is one for the compiler. The files that the entry points'
// declarations reach are read; those below describe the package's inner side, which no entry point exports.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../types/', import.meta.url);
const entries = ['index.d.ts', 'numpy/index.d.ts', 'worker/index.d.ts'];

/** Why declarations in a file may have `any`; of a file with public ones, the lines that may. @type {Record<string, RegExp>} */
const allowed = {
  // Checks of what callers give, which may be anything.
  'options.d.ts': /^export declare function /,
  'dtypes.d.ts': /^export declare function elementType/,
  'text_format.d.ts': /^export declare function sourceOf/,
  // Trees with anything as leaves, and literals of any nesting.
  'tree.d.ts': /^export declare function /,
  'elements.d.ts': /^export declare function /,
  'signature.d.ts': /^(bind|flatten|unflatten)\(/,
  // WebAssembly's imports and exports, and files as each host opens them.
  'engine.d.ts': /./,
  'parts.d.ts': /./,
  'loader.d.ts': /^export (declare function|type Compile)/,
  'one_thread.d.ts': /^compile\(/,
  // Described as JSON by the engine, before objects of a class are made of it.
  'shape.d.ts': /^(constructor|export declare function shapeFrom)\(/,
  'inspect.d.ts': /^constructor\(/,
  // Attributes of all operations, and functions of all signatures.
  'builder.d.ts': /^(attributes\?:|trace<T>)/,
  'numpy/random/generator.d.ts': /^export (type (Hlo|AnyFunction)|declare function)/,
  // Messages between threads.
  'worker/channel.d.ts': /./,
  'worker/index.d.ts': /^constructor\(/,
  'worker/jit.d.ts': /^rebuild:/,
  'worker/objects.d.ts': /^(constructor\(|export declare function objectFor)/,
};

/** @returns {Map<string, string>} texts of the declarations that the entry points reach, by file */
function reachable() {
  const found = new Map();
  const open = [...entries];
  for (const file of open) {
    if (found.has(file)) continue;
    const url = new URL(file, root);
    const text = readFileSync(url, 'utf8');
    found.set(file, text);
    for (const [, path] of text.matchAll(/['"](\.{1,2}\/[^'"]*)\.js['"]/g)) {
      const next = new URL(`${path}.d.ts`, url);
      if (existsSync(next)) open.push(next.href.slice(root.href.length));
    }
  }
  return found;
}

/** @param {string} text @returns {string[]} lines with the type `any`, not within comments and texts, nor as a name */
function linesWithAny(text) {
  const lines = text.split('\n');
  const blank = (/** @type {string} */ part) => part.replace(/[^\n]/g, ' ');
  const bare = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, blank).replace(/'[^'\n]*'|"[^"\n]*"/g, blank);
  return bare
    .split('\n')
    .flatMap((line, i) => (/\bany\b(?!\??\s*[:(])/.test(line) ? [lines[i].trim()] : []));
}

test('public declarations have no any', () => {
  const files = reachable();
  assert.ok(files.size > 30, `${files.size} files`);
  const used = new Set();
  for (const [file, text] of files)
    for (const line of linesWithAny(text)) {
      assert.match(line, allowed[file] ?? /^$/, `types/${file} has any`);
      used.add(file);
    }
  assert.deepEqual([...used].sort(), Object.keys(allowed).sort(), 'nothing is allowed in vain');
});

test('the search for any finds types, and nothing else', () => {
  const text = "/** any */ a: any;\n  any: (x: 'any') => number; // any\nb(...x: any[]): void;";
  assert.deepEqual(linesWithAny(text), ['/** any */ a: any;', 'b(...x: any[]): void;']);
});
