// What a page loads, compressed: the JavaScript in one minified file, and either build of the engine.
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
  return [
    ['hlo-relaxed.wasm + JS', compressed(readFileSync(fileOf('wasm/hlo-relaxed.wasm'))) + script],
    ['hlo.wasm + JS', compressed(readFileSync(fileOf('wasm/hlo.wasm'))) + script],
    ['JS alone', script],
  ];
}
