// What a page loads, compressed: the JavaScript in one minified file, and either build of the engine: its first file, what usual
// programs need, and the last file, which few do.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const fileOf = (path) => new URL(`../../web/${path}`, import.meta.url);

/** Names and bytes. */
export async function sizes() {
  const { outputFiles } = await build({
    entryPoints: [fileOf('index.js').pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    external: ['node:*'],
    logLevel: 'error',
  });
  const compressed = (data) => gzipSync(data, { level: 9 }).length;
  const script = compressed(outputFiles[0].contents);
  const wasm = (name) => compressed(readFileSync(fileOf(`wasm/${name}.wasm`)));
  // What starts; what jit needs, too; what programs of text need, too.
  const parts = (name) =>
    [[name], [name, `${name}-programs`], [name, `${name}-programs`, `${name}-text`]].map(
      (files) => [
        `${files.map((file) => `${file}.wasm + `).join('')}JS`,
        files.reduce((sum, file) => sum + wasm(file), script),
      ],
    );
  return [
    ...parts('hlo-relaxed'),
    ...parts('hlo'),
    ['JS alone', script],
    ['hlo-relaxed-rest.wasm, later', wasm('hlo-relaxed-rest')],
    ['hlo-rest.wasm, later', wasm('hlo-rest')],
  ];
}
