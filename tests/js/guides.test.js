// README.md, the guides and CONTRIBUTING.md say what is so: every program of the README and of the guides runs and prints what it says it
// prints, every quotation of CONTRIBUTING is in its file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { randomArray } from '../../web/cli/random.js';
import { load } from '../../web/index.js';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const guides = [
  'README.md',
  ...['javascript', 'jax', 'semantics', 'random', 'neural_networks'].map(
    (name) => `docs/${name}.md`,
  ),
];
const pages = guides.map(read).join('\n');
const folder = mkdtempSync(join(tmpdir(), 'hlo-readme-'));
after(() => rmSync(folder, { recursive: true }));

/** The pages' blocks with their languages, without the indentation of the list that they may stand in. */
const allBlocks = [...pages.matchAll(/^( *)```(.*)\n([^]*?)^\1```/gm)].map(
  ([, indent, language, text]) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }),
);
const blocks = (wanted) =>
  allBlocks.flatMap(({ language, text }) => (language === wanted ? [text] : []));

const modules = {
  'hlo-wasm': 'index.js',
  'hlo-wasm/numpy': 'numpy/index.js',
  'hlo-wasm/worker': 'worker/index.js',
};

/** Runs a block as a module in the folder; `before` stands in front of it. @returns what it prints */
function run(block, before = '') {
  const code = block.replaceAll(/from '([^']*)'/g, (_, name) => {
    const path = modules[name.replace(/^.*node_modules\/(hlo-wasm)\/web\/bundle-index\.js$/, '$1')];
    assert.ok(path, `${name} is part of the package`);
    return `from '${new URL(`web/${path}`, root)}'`;
  });
  writeFileSync(join(folder, 'block.mjs'), `${before}\n${code}\nprocess.exit(0);\n`);
  return execFileSync(process.execPath, ['block.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** What the comments behind console.log say that it prints; "…" leaves the rest open. */
const promises = (block) =>
  [...block.matchAll(/^ *console\.log\(.*\); \/\/ (.*)/gm)].map(([, said]) =>
    said.replace(/,? …$/, ''),
  );

/** White space aside, the output has everything that was promised, in that order. */
function keeps(output, promised) {
  const flat = output.replaceAll(/\s+/g, ' ');
  let at = 0;
  for (const text of promised) {
    const found = flat.indexOf(text, at);
    assert.ok(found >= 0, `prints "${text}": ${output}`);
    at = found + text.length;
  }
}

const engine = `import { load } from '${new URL('web/index.js', root)}';\nconst hlo = await load();`;

test('the page', () => {
  const [page] = blocks('html');
  const script = page.replaceAll(/<\/?script.*>/g, '');
  assert.equal(promises(script).length, 1);
  keeps(run(script), promises(script));
});

test('from JAX: the command and the page', async () => {
  const [python] = blocks('python');
  assert.equal(python, read('tests/fixtures/readme_forward.py'), 'gallery.py has run this version');
  writeFileSync(join(folder, 'forward.mlir'), read('tests/fixtures/readme_forward.mlir'));
  const hlo = await load();
  const executable = hlo.compile(read('tests/fixtures/readme_forward.mlir'));
  for (const [i, name] of ['w', 'b', 'x'].entries())
    writeFileSync(
      join(folder, `${name}.npy`),
      hlo.toNpy(randomArray(hlo, executable.parameters[i], i)),
    );
  const [commands] = blocks('').filter((block) => block.startsWith('npx hlo'));
  for (const line of commands
    .trim()
    .split('\n')
    .map((text) => text.trim())) {
    const [, name, ...words] = line.split(' ');
    assert.equal(name, 'hlo');
    const cli = new URL('web/cli.js', root).pathname;
    const printed = execFileSync(process.execPath, [cli, ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (!line.includes('--output')) assert.match(printed, /f32\[16,10\]/);
  }
  assert.deepEqual(hlo.fromNpy(readFileSync(join(folder, 'probabilities.npy'))).dims, [16, 10]);
  const files = `import { readFileSync } from 'node:fs';
    globalThis.fetch = async (path) => new Response(readFileSync(path));
    const [w, b, x] = ['w', 'b', 'x'].map((name) => hlo.fromNpy(readFileSync(name + '.npy')));`;
  const [inPage] = blocks('js').filter((block) => block.includes('forward.mlir'));
  assert.match(run(inPage, engine + files), /^\[\s*\[\s*0\.\d+/);
});

for (const [i, block] of blocks('js').entries())
  if (!block.includes('forward.mlir'))
    test(`block ${i}: ${block.split('\n')[0]}`, () => keeps(run(block, engine), promises(block)));

test('the README has 1,200 words at most', () => {
  const words = read('README.md').split(/\s+/).filter(Boolean);
  assert.ok(words.length <= 1200, `${words.length} words`);
});

test('quotations of CONTRIBUTING are what the files say', () => {
  const quotations = [...read('CONTRIBUTING.md').matchAll(/^```\w+ (\S+)\n([^]*?)^```/gm)];
  assert.ok(quotations.length >= 5);
  for (const [, path, text] of quotations) assert.ok(read(path).includes(text), `${path}: ${text}`);
});
