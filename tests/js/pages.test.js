// The pages for people: each folder that is edited has one, they are short, and the files that they name exist. What
// programs and quotations on them say is guides.test.js's.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const words = (text) => text.split(/\s+/).filter(Boolean).length;

const roots = ['src', 'web', 'tests', 'demo', 'wasm', 'include', 'examples'];
const built = ['web/exports.js', 'demo/reference.html'];
const isBuilt = (path) =>
  built.includes(path) ||
  /(^|\/)(node_modules|web\/wasm)(\/|$)/.test(path) ||
  /\bbundle\b|\.bundle\.|hlo-worker\.js$/.test(path);

/** What people write by hand; folders with nothing else are data, which the page of the folder above describes. */
const sources = ['.c', '.h', '.def', '.js', '.py', '.sh', '.mk', '.html', '.css'];

/** All folders at and below one, with the names of their files. */
function* foldersIn(folder) {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).filter(
    ({ name }) => !isBuilt(`${folder}/${name}`) && name !== '__pycache__',
  );
  yield { folder, files: entries.filter((entry) => entry.isFile()).map(({ name }) => name) };
  for (const entry of entries) if (entry.isDirectory()) yield* foldersIn(`${folder}/${entry.name}`);
}

const folders = roots.flatMap((top) => [...foldersIn(top)]);
const pages = folders.flatMap(({ folder, files }) =>
  files.includes('README.md') ? [`${folder}/README.md`] : [],
);

test('each folder with sources has a page', () => {
  const without = folders
    .filter(({ files }) => files.some((name) => sources.includes(extname(name))))
    .filter(({ files }) => !files.includes('README.md'))
    .map(({ folder }) => folder);
  assert.deepEqual(without, []);
  assert.ok(pages.length > 50);
});

test('pages of folders have at most 300 words, DESIGN.md 1,500', () => {
  const long = pages
    .map((page) => [page, words(read(page))])
    .filter(([, count]) => Number(count) > 300);
  assert.deepEqual(long, []);
  assert.ok(words(read('DESIGN.md')) <= 1500, `DESIGN.md has ${words(read('DESIGN.md'))}`);
});

test('DESIGN.md and the pages of src/ have no timings: those are in docs/performance.md', () => {
  const timing = /(^|[^a-z])[0-9.]+ ?(ms|µs|ns)\b/;
  const lines = ['DESIGN.md', ...pages.filter((page) => page.startsWith('src/'))].flatMap((page) =>
    read(page)
      .split('\n')
      .filter((line) => timing.test(line))
      .map((line) => `${page}: ${line}`),
  );
  assert.deepEqual(lines, []);
});

/** Whether a name, with stars for any part of a file's or folder's name, is there. */
function exists(path) {
  const at = (/** @type {string} */ folder, /** @type {string[]} */ [first, ...rest]) => {
    if (first === undefined) return true;
    if (!first.includes('*'))
      return existsSync(join(folder, first)) && at(join(folder, first), rest);
    const name = new RegExp(`^${first.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
    const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
    return entries.some(
      (entry) =>
        name.test(entry.name) &&
        (rest.length === 0 || (entry.isDirectory() && at(join(folder, entry.name), rest))),
    );
  };
  return isBuilt(path) || at(root, path.split('/').filter(Boolean));
}

/** The folders that a name on a page may be relative to: the page's own and those above it. */
function* placesOf(page) {
  for (let folder = dirname(page); folder !== '.'; folder = dirname(folder)) yield folder;
  yield '.';
  yield 'src';
}

const docs = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`);
const general = [
  'README.md',
  'DESIGN.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...docs,
];

test('files and folders that pages name exist', () => {
  const missing = [...pages, ...general].flatMap((page) => {
    const text = read(page);
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => path);
    // `file.c`, `folder/`, `folder/file`, `name*.c`; a name in brackets or with capitals stands for others.
    const names = [...text.matchAll(/`([a-z_0-9*][\w*./-]*)`/g)]
      .map(([, name]) => name)
      .filter((name) => sources.includes(extname(name)) || /^(?:[\w-]+\/)+$/.test(name))
      .filter((name) => !/^(build|node_modules)\//.test(name));
    const places = [...placesOf(page)];
    return [
      ...links.filter((path) => !existsSync(join(root, dirname(page), path))),
      ...names.filter((name) => !places.some((place) => exists(join(place, name)))),
    ].map((name) => `${page}: ${name}`);
  });
  assert.deepEqual(missing, []);
});

test("the engine's functions, types and constants that pages name exist", () => {
  const code = folders
    .filter(({ folder }) => /^(src|include|wasm)\b/.test(folder))
    .flatMap(({ folder, files }) => files.map((name) => `${folder}/${name}`))
    .filter((path) => ['.c', '.h', '.def'].includes(extname(path)));
  const known = new Set(code.flatMap((path) => read(path).match(/\bhlo_\w+/gi) ?? []));
  const missing = [...pages, ...general].flatMap((page) =>
    [...read(page).matchAll(/`(hlo_\w*[a-z0-9])`/gi)]
      .filter(([, name]) => !known.has(name) && name !== 'HLO_PYTHON') // of the environment
      .map(([, name]) => `${page}: ${name}`),
  );
  assert.deepEqual(missing, []);
});

/** The entries of the notebook that a text names: docs/performance.md, "One", "… end of another" (a remark). */
const entriesIn = (/** @type {string} */ text) =>
  [
    ...text
      .replaceAll(/\n\s*\/\/ ?/g, ' ')
      .matchAll(/docs\/performance\.md((?:,? (?:and )?"[^"]+"(?: \([^)]*\))?)+)/g),
  ].flatMap(([, list]) => [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name));

test('comments name entries of docs/performance.md that are there', () => {
  const headings = [...read('docs/performance.md').matchAll(/^### (.*)$/gm)].map(
    ([, name]) => name,
  );
  const missing = folders
    .flatMap(({ folder, files }) => files.map((name) => `${folder}/${name}`))
    .filter((path) => /^(src|web|wasm)\b/.test(path) && sources.includes(extname(path)))
    .flatMap((path) => entriesIn(read(path)).map((name) => [path, name]))
    .filter(
      ([, name]) =>
        !headings.some(
          (each) => each === name || (/^… /.test(name) && each.endsWith(name.slice(2))),
        ),
    );
  assert.deepEqual(missing, []);
  assert.deepEqual(
    entriesIn('// docs/performance.md, "One",\n// "… two" (all), and "Three"; "not this"'),
    ['One', '… two', 'Three'],
  );
});

test('DESIGN.md states the layers that the include test keeps', () => {
  const [, rule] = /const layers = (\[[^]*?\n\]);/.exec(read('tests/js/include_direction.test.js'));
  const kept = [...rule.matchAll(/'(\w+)'/g)].map(([, name]) => name);
  const [, line] = /^ {4}(base → .*)$/m.exec(read('DESIGN.md'));
  const stated = line.match(/\w+/g);
  const folder = (name) => existsSync(join(root, 'src', name)) || name === 'wasm';
  assert.deepEqual(stated, kept.filter(folder));
});
