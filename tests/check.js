// check.js BUILD FILE…: the tests, as targets of make, that a change of these files breaks first: those that include or import
// what has changed, those that have a word of its name in theirs, and what the table says of its folder.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const HOUSE = 'include_direction file_cycles'; // what every change of C has to keep

/** Of changes below a folder, the tests that go through all of it, by the names of their files. */
export const table = {
  include: 'embed package exports',
  'src/api': 'array jit memory builder',
  'src/base': 'arena decimal literal hlo_parse',
  'src/codegen': 'emit loop emit_interior emit_narrow emit_types loops epilogues',
  'src/hlo': 'op_cases reference op_list constraints',
  'src/indexing': 'indexing_examples indexing_uses simplify',
  'src/kernels': 'op_cases ops epilogues',
  'src/math': 'elementary op_cases ops',
  'src/passes': 'passes passes_random op_cases layouts optimize',
  'src/reference': 'reference ops',
  'src/run': 'run plan_memory op_cases loops memory replicas',
  'src/shape': 'shape layout literal op_cases',
  'src/text':
    'hlo_parse hlo_print stablehlo_parse stablehlo_print hlo_bad_text bytecode hlo_proto fixtures',
  'tests/ops': 'op_cases reference ops',
  'tests/passes': 'passes',
  'tests/fixtures': 'fixtures gallery exports',
  wasm: 'package packaging parts ops',
  web: 'array jit options wrong_arguments surplus_arguments package',
  'web/cli': 'cli demo_server',
  'web/numpy': 'numpy numpy_table',
  'web/worker': 'worker worker_messages',
  demo: 'playground stepper operations_gallery gallery',
};

const list = (folder, end) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

/** The files of the project that a file names in its includes or imports. */
function namedIn(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const pattern = path.endsWith('.js')
    ? /^(?:import|export|\}) .*from '(\.[^']+)'|^import '(\.[^']+)'/gm
    : /^#include "([^"]+)"/gm;
  return [...text.matchAll(pattern)].map(([, a, b]) =>
    path.endsWith('.js') || !(a ?? b).includes('/')
      ? normalize(join(dirname(path), a ?? b))
      : `src/${a ?? b}`,
  );
}

/** The files that a test consists of: itself, and what it names in its own folders, through any number of others. */
function partsOf(test) {
  const parts = new Set([test]);
  for (const part of parts)
    if (part.startsWith('tests/'))
      for (const named of namedIn(part)) {
        parts.add(named);
        if (named.endsWith('.h') && list(dirname(named), '.c').includes(named.replace(/h$/, 'c')))
          parts.add(named.replace(/h$/, 'c'));
      }
  return parts;
}

export const stem = (path) => basename(path).replace(/(_test\.c|\.test\.js|\.[a-z]+)$/, '');

/** The words by which a test's name may say that it is about a source: of the source's name, and of its folder below a layer. */
function wordsOf(path) {
  const [, , ...below] = dirname(path).split('/');
  return [...below, ...stem(path).split('_')];
}

export const allTests = [
  ...list('tests/c', '_test.c'),
  ...list('tests/js', '.test.js'),
  ...list('tests/browser', '.test.js'),
];

/** @param {string[]} changed @returns {string[]} the tests' files */
export function testsOf(changed) {
  const names = new Set();
  const words = new Set();
  const touched = new Set(changed); // files, and folders of the engine in which a file has changed
  for (const path of changed) {
    for (const [folder, more] of Object.entries(table))
      if (path.startsWith(`${folder}/`)) for (const name of more.split(' ')) names.add(name);
    if (/\.[ch]$/.test(path)) for (const name of HOUSE.split(' ')) names.add(name);
    if (path.endsWith('.md')) for (const name of ['guides', 'pages', 'checklists']) names.add(name);
    if (path.startsWith('src/')) {
      touched.add(dirname(path));
      for (const word of wordsOf(path)) words.add(word);
    } else names.add(stem(path));
  }
  return allTests.filter((test) => {
    if (names.has(stem(test))) return true;
    if (
      stem(test)
        .split('_')
        .some((word) => words.has(word))
    )
      return true;
    return [...partsOf(test)].some((part) => touched.has(part) || touched.has(dirname(part)));
  });
}

/** @param {string[]} changed @param {string} build the folder of native programs */
export function targetsOf(changed, build) {
  const is = (pattern) => changed.some((path) => pattern.test(path));
  return [
    'format-changed',
    ...(is(/^(web|include)\/.*|tsconfig\.json$/) ? ['typecheck'] : []),
    ...(is(/^(include|examples)\//) ? ['test-embed'] : []),
    ...testsOf(changed).map((test) =>
      test.startsWith('tests/c/') ? `${build}/native/tests/${basename(test, '.c')}` : test,
    ),
    ...changed
      .filter((path) => /^tests\/fuzz\/.*_fuzz\.c$/.test(path))
      .map((path) => `${build}/native/fuzz/${basename(path, '.c')}`),
  ].map((target) => `${target}.run`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [build, ...changed] = process.argv.slice(2);
  console.log(targetsOf(changed, build).join(' '));
}
