// What a page loads, compressed: the JavaScript in one minified file, and the parts of either build of the engine.
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
  const rows = [['JS alone', script]];
  for (const name of ['hlo-relaxed', 'hlo']) {
    const parts = ['', '-programs', '-extras'].map((part) => [
      `${name}${part}.wasm`,
      wasm(name + part),
    ]);
    const all = parts.reduce((sum, [, bytes]) => sum + bytes, script);
    rows.push(
      [`${name}: arrays + JS`, parts[0][1] + script],
      [`${name}: all parts + JS`, all],
      ...parts,
    );
  }
  return rows;
}
