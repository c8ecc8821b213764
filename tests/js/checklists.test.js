// CONTRIBUTING.md's checklists, held to examples: each file that a list names says something of an example of its kind,
// and no other file of the engine, the package or the playground does.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A name between others, or in capitals. */
const word = (/** @type {string} */ name) =>
  new RegExp(`(^|[^a-zA-Z0-9])(${name}|${name.toUpperCase()})([^a-zA-Z0-9]|$)`);

/** Examples of each kind of change: what they are called in names of files, and how code speaks of them. */
const examples = {
  'A pointwise operation': [
    { name: 'popcnt', said: /POPULATION_COUNT|\bPOPCNT\b|\bpopcnt\b|populationCount/ },
    // Elsewhere: the function itself, and uses of the method.
    {
      name: 'tanh',
      said: word('tanh'),
      foreign: /^(src\/math|demo|web\/(program|methods|nn|numpy|special))/,
    },
    {
      name: 'sign',
      said: /\bHLO_OP_SIGN\b|\bSIGN, "|'sign'|\bsign\(/,
      foreign: /^(src\/math|demo\/examples|web\/(methods|nn|numpy|special))\//,
    },
  ],
  'An elementary function': [
    // Elsewhere: the operation.
    { name: 'tanh', said: word('tanh'), foreign: /^(demo|web|src\/(hlo|text))\// },
    { name: 'cbrt', said: word('cbrt'), foreign: /^(web|src\/(hlo|text|codegen))\// },
  ],
  'A structural operation': [
    {
      name: 'reverse',
      said: /\bHLO_OP_REVERSE\b|\bREVERSE, element, reverse\b|(infer|eval|reference|simplify|random)_reverse\b|\bREVERSE, "|"(stablehlo|vhlo)\.reverse|\breverse\((f32|p|a|x|%|\$)|\breverse:|rev: 'reverse'|'reverse'|hlo\.reverse/,
      foreign: /^web\/methods\//,
    },
    {
      name: 'topk',
      said: /\bHLO_OP_TOPK\b|(infer|eval|reference|print)_top_?k\b|\bTOPK,|\btopk\(|\bchlo\.top_k\b|\btopK:|'topk'/,
    },
  ],
  'An attribute': [{ name: 'fft_type', said: /FFT_TYPE\b|\bfft_type\b/ }],
  'A simplification': [
    { name: 'reverse', said: /hlo_simplify_reverse\b|\breverse\(/, foreign: /^(?!src\/passes)/ },
  ],
  'A pass': [{ name: 'byte_tables', said: /hlo_pass_byte_tables\b|byte-tables/ }],
  'A StableHLO operation': [
    { name: 'top_k', said: /top_k\b|TOPK\b/, foreign: /^(?!src\/text)/ }, // what is not its text form
  ],
  'A kernel strategy': [{ name: 'small_products', said: /small_products/ }],
  'An element type': [{ name: 'f8e3m4', said: /f8e3m4|F8E3M4/i }],
  'A NumPy function': [
    // Elsewhere: an argument of that name.
    { name: 'cov', said: /\bcov\b/, foreign: /^web\/numpy\/(random|signals|types)\// },
  ],
  'A page of the playground': [
    {
      name: 'shapes',
      said: /\bshapes\.(html|js|test)\b|\bopenPage\('\.\/shapes/,
      foreign: /make_reference/,
    },
  ],
};

/** @returns {string[]} files at and below a folder, but those that are built */
function filesIn(folder) {
  const built =
    /bundle|^web\/wasm$|^web\/exports\.js$|^demo\/reference\.html$|\.json$|node_modules|__pycache__/;
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !built.test(`${folder}/${entry.name}`))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? filesIn(path) : [path];
    });
}

const inner = ['src', 'web', 'demo'].flatMap(filesIn).filter((path) => !path.endsWith('README.md'));
const texts = new Map();
/** @returns {string} without lines that are comments, which may mention anything */
function codeOf(path) {
  if (!texts.has(path)) {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    const isComment = path.endsWith('.hlo')
      ? /^\s*\/\/(?!!)/
      : /^\s*(\/\/|#(?!define|include)|"""|print\('\/\/)/;
    const code = lines.filter((line) => !isComment.test(line));
    texts.set(path, code.map((line) => line.replace(/ \/\/ .*$/, '')).join('\n'));
  }
  return texts.get(path);
}
const says = (path, { said }) => new RegExp(said, `${said.flags}m`).test(codeOf(path));

/** The lists of a section: the patterns of files that each item names first, before the colon of each of its sentences. */
function readSection(title) {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, section] = page.split(`\n### ${title}\n`);
  assert.ok(section, `CONTRIBUTING.md has a section "${title}"`);
  const [body] = section.split(/\n##/);
  const [always, sometimes = ''] = body.split(/^Where it applies:$/m);
  const itemsOf = (/** @type {string} */ text) =>
    [...text.matchAll(/^- ([^]*?)(?=\n- |\n\n|\n*$(?![^]))/gm)].flatMap(([, item]) =>
      [...item.matchAll(/`((?:src|web|demo|tests)\/[^`]*)`/g)].map(([, path]) => path),
    );
  return { always: itemsOf(always), sometimes: itemsOf(sometimes) };
}

/** @returns {(path: string) => boolean} whether a path fits a pattern of the page */
function matcher(pattern, { name }) {
  const text = pattern
    .replaceAll('<name>', name)
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('[^/]*[^/]*/', '(?:.*/)?');
  return (path) => new RegExp(`^${text}$`).test(path);
}

const all = [...inner, ...filesIn('tests'), 'src/kernels/product/README.md'];

for (const [title, kinds] of Object.entries(examples))
  test(title, () => {
    const { always, sometimes } = readSection(title);
    assert.ok(always.length > 0, 'there is a list');
    const idle = (/** @type {string} */ pattern, example) =>
      !all
        .filter(matcher(pattern, example))
        .some((path) => says(path, example) || basename(path).startsWith(example.name));
    const wrong = kinds.flatMap((example) =>
      always
        .filter((pattern) => idle(pattern, example))
        .map((pattern) => `${pattern} says nothing of ${example.name}`),
    );
    const stale = sometimes.filter((pattern) => kinds.every((example) => idle(pattern, example)));
    wrong.push(...stale.map((pattern) => `${pattern} says nothing of any example`));
    for (const example of kinds) {
      const listed = [...always, ...sometimes].map((pattern) => matcher(pattern, example));
      const missing = inner.filter(
        (path) =>
          !example.foreign?.test(path) && says(path, example) && !listed.some((fits) => fits(path)),
      );
      wrong.push(...missing.map((path) => `${path} has ${example.name} and is not listed`));
    }
    assert.deepEqual(wrong, []);
  });

test('every checklist has an example', () => {
  const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, lists] = page.split('\n## Checklists\n');
  const titles = [...lists.matchAll(/^### (.*)$/gm)].map(([, title]) => title);
  assert.deepEqual(
    titles.filter((title) => !(title in examples) && title !== 'A custom call'),
    [],
  );
});
