// Keeps the layers of the engine separate: reads the sources of src/ and wasm/ and fails on an #include that points back
// (include → base → math → shape → hlo → {text, indexing} → reference → kernels → transform → passes → codegen → run
// → wasm → api), on headers that are not published for other folders, and on system headers that the engine may not use.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

// A folder may include itself and folders of a lower layer; folders of one layer do not know each other.
const layers = [
  ['include'],
  ['base'],
  ['math'],
  ['shape'],
  ['hlo'],
  ['text', 'indexing'],
  ['reference'],
  ['kernels'],
  ['transform'],
  ['passes'],
  ['codegen'],
  ['run'],
  ['wasm'],
  ['api'],
];

// What files of other folders include of a folder: everything else is its own. To become fewer.
const published = {
  base: [
    'arena.h',
    'bits.h',
    'checked.h',
    'copy.h',
    'decimal.h',
    'error.h',
    'machine.h',
    'read_ahead.h',
    'string.h',
  ],
  codegen: ['codegen.h', 'encode/driver.h', 'graph/elementwise.h'],
  hlo: [
    'alias_form.h',
    'analysis/actual_sizes.h',
    'analysis/cost.h',
    'attributes/custom_call_config.h',
    'attributes/dot_algorithm.h',
    'attributes/ragged_dot.h',
    'attributes/sharding.h',
    'attributes/transfer_pairs.h',
    'attributes/window.h',
    'builder.h',
    'hlo.h',
    'infer/constraint.h',
    'infer/infer.h',
    'label.h',
    'name_hash.h',
    'name_table.h',
    'ops.def',
    'rewrite.h',
  ],
  indexing: ['indexing.h', 'maps/interval.h', 'uses.h'],
  kernels: [
    'backend.h',
    'elementwise/apply.h',
    'elementwise/lanes.h',
    'elementwise/narrow.h',
    'elementwise/pointwise.h',
    'eval.h',
    'indexed/true_places.h',
    'linalg/factor_batches.h',
    'linalg/linear_algebra.h',
    'linalg/triangular.h',
    'machine.h',
    'order/sort.h',
    'pool.h',
    'product/other_types/dot_converted.h',
    'product/strategies.h',
    'simd/kernels.h',
    'structural.h',
    'target.h',
  ],
  math: [
    'complex.h',
    'elementary.h',
    'elementary/coefficients.h',
    'elementary/cores.h',
    'elementary/double_double.h',
    'float_formats.h',
    'half_floats.h',
    'long_sums.h',
    'random/philox.h',
    'random/threefry.h',
    'vector/double_complex_template.h',
    'vector/double_erf_template.h',
    'vector/double_math_template.h',
    'vector/vector_math_template.h',
    'vector/wide_math_template.h',
    'vector_math.h',
  ],
  passes: ['lower/refine_shapes.h', 'passes.h'],
  reference: ['lapack.h', 'reference.h'],
  run: ['array.h', 'calls/custom_call.h', 'devices/group.h', 'executable.h'],
  shape: [
    'element_writer.h',
    'literal.h',
    'scan.h',
    'shape.h',
    'transpose_square.h',
    'type.h',
    'view.h',
  ],
  text: ['digest.h', 'export/jax_export.h', 'shardy/grids.h', 'source.h', 'text.h'],
};

// The engine runs where there is no file, no locale and no clock, and gives the same bits with every libm.
const foreignToEngine =
  /^(stdio|locale|math|tgmath|complex|fenv|time|wchar|wctype|setjmp|signal|pthread|threads)\.h$|^(emscripten|wasm_|simde)/;

// But for the one file that knows the intrinsics of the host.
const knowsHost = (path) => path.startsWith('wasm/') || path === 'src/kernels/simd/simd.h';

const maxLines = 600;
const maxFiles = 35; // in a folder of src/
const emptyNames = /^(utils?|helpers?|misc|common|stuff)$/i;

/** Paths of the files under the given folders, relative to the repository. */
function filesUnder(folders, extensions) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .map((name) => join(folder, name).replaceAll('\\', '/'))
        .filter((path) => !path.includes('/node_modules/'))
        .filter((path) => extensions.some((extension) => path.endsWith(extension))),
    )
    .sort();
}

/** The folder of src/ that a path belongs to, or 'wasm' or 'include'. */
function folderOf(path) {
  const [top, folder] = path.split('/');
  return top === 'src' ? folder : top;
}

/** Whether one of the folders has the file. */
function inFolders(folders, name) {
  return folders.some((folder) => existsSync(join(root, folder, name)));
}

function layerOf(folder) {
  return layers.findIndex((layer) => layer.includes(folder));
}

/** Where an include in quotes leads: beside the file, or under -Iinclude or -Isrc. */
function resolve(path, included) {
  return [dirname(path), 'include', 'src']
    .map((folder) => join(folder, included).replaceAll('\\', '/'))
    .find((candidate) => existsSync(join(root, candidate)));
}

/** What is wrong with the includes of one file, as messages. */
function wrongIncludes(path, text) {
  const wrong = [];
  const from = folderOf(path);
  if (layerOf(from) < 0) wrong.push(`${path}: src/${from} is in no layer`);
  for (const [, open, included] of text.matchAll(
    /^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]/gm,
  )) {
    if (open === '<') {
      if (!knowsHost(path) && foreignToEngine.test(included))
        wrong.push(`${path} includes <${included}>`);
      continue;
    }
    const target = resolve(path, included);
    const to = target === undefined ? undefined : folderOf(target);
    if (to === undefined) wrong.push(`${path} includes "${included}", which does not exist`);
    else if (to !== from && layerOf(to) >= layerOf(from))
      wrong.push(`${path} includes "${included}": ${from} lies below ${to}`);
  }
  return wrong;
}

/** Headers of other folders of src/ that one file includes: [folder, name in it]. */
function foreignHeaders(path, text) {
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"/]+)\/([^"]+)"/gm)]
    .map(([, folder, name]) => [folder, name])
    .filter(
      ([folder, name]) => folder !== folderOf(path) && inFolders(['src'], `${folder}/${name}`),
    );
}

/** The include guard of a header and the one that its path asks for; none in headers that are included several times. */
function guards(path, text) {
  const [, guard] = /^#ifndef (\w+_H)$/m.exec(text) ?? [];
  const expected = path.replace(/^(src|include)\//, 'HLO_').replace(/^(wasm|tests)\//, 'HLO_$1_');
  return guard === undefined ? [] : [guard, expected.toUpperCase().replace(/[/.]/g, '_')];
}

/** Lines of one file that switch over opcodes. */
function opcodeSwitches(path, text) {
  if (path === 'src/hlo/opcode.c') return [];
  return text
    .split('\n')
    .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
    .filter(({ line }) => /\bswitch\s*\(.*opcode/.test(line))
    .map(({ line, at }) => `${at}: ${line.trim()}`);
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

const engine = filesUnder(['include', 'src', 'wasm'], ['.c', '.h', '.def']).filter(
  (path) => !path.startsWith('wasm/toolchain'),
);
const sources = [...engine, ...filesUnder(['web', 'demo', 'tests'], ['.c', '.h', '.js', '.py'])];

test('there are sources to look at', () => {
  assert.ok(engine.some((path) => path.startsWith('src/base/')));
  assert.ok(engine.some((path) => path.startsWith('wasm/')));
});

test('no include points back', () => {
  assert.deepEqual(
    engine.flatMap((path) => wrongIncludes(path, read(path))),
    [],
  );
});

test('of other folders only published headers are included', () => {
  const found = {};
  for (const path of engine)
    for (const [folder, name] of foreignHeaders(path, read(path)))
      (found[folder] ??= new Set()).add(name);
  const sorted = Object.entries(found).map(([folder, names]) => [folder, [...names].sort()]);
  assert.deepEqual(Object.fromEntries(sorted), published);
});

test('an include guard is the path of its header', () => {
  const headers = sources.filter((path) => path.endsWith('.h') && path !== 'include/hlo.h');
  const wrong = headers.filter((path) => {
    const [guard, expected] = guards(path, read(path));
    return guard !== expected;
  });
  assert.deepEqual(wrong, []);
});

test('no switch over opcodes outside the op list', () => {
  assert.deepEqual(
    engine.flatMap((path) => opcodeSwitches(path, read(path))),
    [],
  );
});

/** A file and all that it includes, directly or not. */
function closureOf(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  for (const [, included] of read(path).matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^">]+)"/gm)) {
    const target = resolve(path, included);
    if (target !== undefined) closureOf(target, found);
  }
  return found;
}

test('what is compiled once for all builds does not look at the build', () => {
  const [, list] = /^WASM_SHARED := (.*)$/m.exec(read('wasm/flags.mk').replaceAll('\\\n', ''));
  const shared = list.split(/ +/).map((folder) => `src/${folder}/`);
  const paths = engine.filter((path) => shared.some((folder) => path.startsWith(folder)));
  assert.ok(paths.length > 100);
  const wrong = paths.flatMap((path) =>
    [...closureOf(path)]
      .filter((included) => read(included).includes('__wasm_relaxed_simd__'))
      .map((included) => `${path} sees ${included}`),
  );
  assert.deepEqual(wrong, []);
});

test('only kernels ask which instructions the build may use', () => {
  // Everything else is handed a target (kernels/target.h), or is the same for all builds.
  assert.deepEqual(
    engine.filter((path) => read(path).includes('__wasm_relaxed_simd__')),
    ['src/kernels/simd/kernels.c', 'src/kernels/simd/multiply_add.h', 'src/kernels/simd/relaxed.h'],
  );
});

test('names say something', () => {
  const vague = sources.filter((path) =>
    path.split('/').some((part) => part.split(/[._-]/).some((word) => emptyNames.test(word))),
  );
  assert.deepEqual(vague, []);
});

test(`no file is over ${maxLines} lines`, () => {
  const long = sources
    .filter((path) => !path.includes('/fixtures/'))
    .map((path) => ({ path, lines: read(path).split('\n').length - 1 }))
    .filter(({ lines }) => lines > maxLines);
  assert.deepEqual(long, []);
});

test(`no folder of src/ has more than ${maxFiles} files, and each has a page`, () => {
  const folders = new Map();
  for (const path of engine.filter((each) => each.startsWith('src/')))
    folders.set(dirname(path), (folders.get(dirname(path)) ?? 0) + 1);
  const wrong = [...folders].filter(
    ([folder, count]) => count > maxFiles || !existsSync(join(root, folder, 'README.md')),
  );
  assert.deepEqual(wrong, []);
});

test('every C file opens with its purpose', () => {
  assert.deepEqual(
    engine.filter((path) => !/^(\/\/|\/\*)/.test(read(path))),
    [],
  );
});

// The checks above pass on good sources; these show that they fail on bad ones.
test('the checks notice what they are for', () => {
  assert.deepEqual(
    wrongIncludes('src/shape/x.c', '#include "base/arena.h"\n#include <stdint.h>\n'),
    [],
  );
  assert.equal(wrongIncludes('src/base/x.c', '#include "shape/shape.h"\n').length, 1);
  assert.equal(wrongIncludes('src/base/x.c', '  #  include  "threads.h"\n').length, 1);
  assert.equal(wrongIncludes('src/base/x.c', '#include "base/nowhere.h"\n').length, 1);
  assert.equal(wrongIncludes('src/base/x.c', '#include <stdio.h>\n').length, 1);
  assert.equal(wrongIncludes('src/kernels/x.c', '#include <wasm_simd128.h>\n').length, 1);
  assert.equal(wrongIncludes('src/nowhere/x.c', '').length, 1);
  assert.deepEqual(
    wrongIncludes('wasm/x.c', '#include "shape/shape.h"\n#include <wasm_simd128.h>\n'),
    [],
  );
  assert.deepEqual(guards('src/base/a/x.h', '#ifndef HLO_BASE_X_H\n'), [
    'HLO_BASE_X_H',
    'HLO_BASE_A_X_H',
  ]);
  assert.equal(opcodeSwitches('src/kernels/x.c', '  switch (instruction->opcode) {\n').length, 1);
  assert.equal(opcodeSwitches('src/hlo/opcode.c', '  switch (opcode) {\n').length, 0);
});
