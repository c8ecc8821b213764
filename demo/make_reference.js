// Writes reference.html, the API's reference, from the type declarations and the operations' types (`make reference`). Must
// not list classes, methods or operations itself.
import { readFileSync, writeFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, root), 'utf8');
const escape = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What a comment says, and what its tags say of parameters and result. @param {string} comment */
function documented(comment) {
  const text = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  const [summary, ...tags] = text.split(/ ?@(?=param|returns?|template|typedef|type|this)/);
  const details = tags
    .map((tag) => withoutType(tag))
    .filter(({ kind, text: said }) => /^(param|returns?)$/.test(kind) && said)
    .map(({ kind, text: said }) => (kind === 'param' ? said : `gives ${said}`));
  return { summary, details };
}

/** A tag without the type in braces, which the signature tells. @param {string} tag */
function withoutType(tag) {
  const kind = /^\w+/.exec(tag)?.[0] ?? '';
  let rest = tag.slice(kind.length).trimStart();
  if (rest.startsWith('{')) {
    let depth = 0;
    let at = 0;
    do {
      if (rest[at] === '{') depth++;
      if (rest[at] === '}') depth--;
      at++;
    } while (depth > 0 && at < rest.length);
    rest = rest.slice(at).trimStart();
  }
  const name = kind === 'param' ? /^\[?[\w.]+\]?/.exec(rest)?.[0] : undefined;
  const said = name ? rest.slice(name.length).trim() : rest.trim();
  return { kind, text: name && said ? `${name.replace(/[[\]]/g, '')}: ${said}` : name ? '' : said };
}

/** Declarations with the comments in front of them. @param {string} text @returns {{ comment: string, code: string }[]} */
function declarations(text) {
  const found = [];
  const pattern =
    /(\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*)?((?:get |static |async )?[\w[\].]+(?:<(?:[^<>]|=>)*>)?(?:\([^]*?\)|): [^;{]*(?:\{[^}]*\}[^;{]*)*;)/g;
  for (const [, comment = '', code] of text.matchAll(pattern))
    found.push({ comment: comment.trim(), code });
  return found;
}

/** @param {string} title @param {string} summary @param {string[]} entries */
function section(title, summary, entries) {
  const id = title.replace(/\W+/g, '-').toLowerCase();
  return {
    id,
    title,
    html: `<section aria-labelledby="${id}"><h2 id="${id}">${escape(title)}</h2><p>${escape(summary)}</p><dl class="reference">${entries.join('\n')}</dl></section>`,
  };
}

/** @param {string} code a declaration @param {{ summary: string, details: string[] }} doc */
function entry(code, { summary, details }) {
  const signature = code
    .replace(/;$/, '')
    .replace(/\s+/g, ' ')
    .replace(/import\(['"][^'"]*['"]\)\./g, '');
  const list = details.map((detail) => `<li>${escape(detail)}</li>`).join('');
  return `<dt><code>${escape(signature)}</code></dt><dd>${escape(summary)}${list && `<ul>${list}</ul>`}</dd>`;
}

/** Every exported class of a declaration file. @param {string} path */
function classes(path) {
  const text = read(path);
  const pattern =
    /(\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*)?export declare class (\w+)[^{]*\{\n([^]*?)\n\}/g;
  return [...text.matchAll(pattern)].map(([, comment = '', name, body]) => {
    const made = /(\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*)?constructor\([^]*?\);\n/g; // nobody calls them from outside
    const members = declarations(body.replace(made, ''))
      .filter(({ code }) => !/^(handle|handleIn|engine|channel|object|call)\b|#private/.test(code))
      .map(({ comment: said, code }) => entry(code, documented(said)));
    return section(name, documented(comment.trim()).summary, members);
  });
}

/** The functions that a file exports. @param {string} path @param {string} title @param {string} summary */
function functions(path, title, summary) {
  const pattern = /(\/\*\*(?:[^*]|\*(?!\/))*\*\/\s*)?export declare function ([^]*?);\n/g;
  const found = [...read(path).matchAll(pattern)].map(([, comment = '', code]) =>
    entry(code, documented(comment.trim())),
  );
  return section(title, summary, found);
}

/** The properties of the object types that files export, in one section. @param {string} title @param {string} summary @param {string[]} paths */
function records(title, summary, paths) {
  const pattern = /export type (\w+) = \{\n([^]*?)\n\};/g;
  const entries = paths.flatMap((path) =>
    [...read(path).matchAll(pattern)].flatMap(([, name, body]) =>
      declarations(body).map(({ comment, code }) => entry(`${name}.${code}`, documented(comment))),
    ),
  );
  return section(title, summary, entries);
}

/** The operations of a page of types: unions of names that share a type, and properties. @param {string} path @param {string} title @param {string} summary */
function operations(path, title, summary) {
  const text = read(path);
  /** @type {Map<string, string>} */
  const types = new Map();
  for (const [, type, name] of text.matchAll(/@typedef \{(\([^\n]*)\} (\w+)/g))
    types.set(name, type);
  /** @type {[string, string][]} */
  const entries = [];
  for (const [, union, name] of text.matchAll(/@typedef \{(['\s*|\w]+)\} (\w+)Name/g))
    for (const [, op] of union.matchAll(/'(\w+)'/g))
      entries.push([op, entry(op + (types.get(name) ?? ''), { summary: '', details: [] })]);
  for (const [, type, op, said] of text.matchAll(
    /@property \{((?:<[^<>]*>)?\(.*=>.*)\} (\w+)(.*(?:\n \*   .*)*)/g,
  )) {
    const summary = said.replace(/\n \* +/g, ' ').trim();
    entries.push([op, entry(op + type, { summary, details: [] })]);
  }
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return section(
    title,
    summary,
    entries.map(([, html]) => html),
  );
}

const sections = [
  functions('types/index.d.ts', 'load', 'import { load } from ‘hlo-wasm’'),
  ...classes('types/index.d.ts'),
  operations(
    'web/signatures.js',
    'Operations',
    'Methods of an engine, on arrays at once and on traced values inside jit, functions given to operations, and builders.',
  ),
  ...classes('types/array.d.ts'),
  ...classes('types/program.d.ts'),
  ...classes('types/executable.d.ts'),
  ...classes('types/indexing.d.ts'),
  ...classes('types/indexing_map.d.ts'),
  ...classes('types/inspect.d.ts'),
  ...classes('types/builder.d.ts'),
  records(
    'Options and results',
    'Objects that calls take and give: what each property means.',
    [
      'loader',
      'create',
      'jit',
      'program',
      'executable',
      'slices',
      'inspect',
      'indexing',
      'custom_calls',
    ].map((name) => `types/${name}.d.ts`),
  ),
  ...classes('types/errors.d.ts'),
  operations(
    'web/numpy/types.js',
    'np',
    'const { np } = await load(): NumPy’s functions with implicit broadcasting and promotion of types.',
  ),
  operations(
    'web/numpy/random/types.js',
    'np.random',
    'Random numbers of keys, with the bits of jax.random.',
  ),
  operations(
    'web/nn/types.js',
    'nn',
    'const { nn } = await load(): functions of neural networks, with the names of jax.nn in camelCase.',
  ),
  operations(
    'web/special/types.js',
    'special',
    'const { special } = await load(): special functions, with the names of jax.scipy.special in camelCase.',
  ),
  operations(
    'web/numpy/linalg/types.js',
    'np.linalg',
    'NumPy’s linear algebra, and some of SciPy’s.',
  ),
  operations('web/numpy/fft/types.js', 'np.fft', 'NumPy’s Fourier transforms.'),
  functions(
    'types/worker/index.d.ts',
    'loadWorker',
    'import { loadWorker } from ‘hlo-wasm/worker’',
  ),
  ...classes('types/worker/index.d.ts'),
  ...classes('types/worker/objects.d.ts'),
];
const page = read('demo/shapes.html')
  .replace(/<title>.*<\/title>/, '<title>Reference · hlo-wasm playground</title>')
  .replace('shapes.js', 'reference.js')
  .replace(
    /<main[^]*<\/main>/,
    () =>
      `<main id="main" class="column"><nav aria-label="Contents" class="fields">${sections
        .map(({ id, title }) => `<a href="#${id}">${escape(title)}</a>`)
        .join('')}</nav>${sections.map(({ html }) => html).join('\n')}</main>`,
  );
writeFileSync(new URL('reference.html', import.meta.url), page);
console.log(`demo/reference.html: ${sections.length} sections`);
