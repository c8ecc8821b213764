// Pages for the benchmarks: serves the repository, with what pages import of npm packages bundled.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVED = /^\/(web|tests\/bench|build\/bench)\//;
const contentTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Only isolated pages have threads, and jax-js takes some wherever it may. */
const isolated = (path) =>
  path.endsWith('start.html')
    ? {}
    : {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      };

/** Bundles a file of this folder for pages, at /build/bench/. */
export const bundle = (file) =>
  build({
    entryPoints: [join(ROOT, 'tests/bench', file)],
    outdir: join(ROOT, 'build/bench'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: [
      '../../web/*',
      'node:*',
      'onnxruntime-web',
      'fs',
      'path',
      'worker_threads',
      'perf_hooks',
      'os',
      'util',
      'crypto',
    ],
    logLevel: 'error',
  });

/** @param {(report: any) => void} [take] is given what pages post to /report, as JSON */
export function serve(take) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    try {
      if (path === '/report' && take) {
        take(JSON.parse((await request.setEncoding('utf8').toArray()).join('')));
        response.writeHead(204).end();
        return;
      }
      if (!SERVED.test(path)) throw new Error('not served');
      const body = await readFile(join(ROOT, path));
      const type = contentTypes[extname(path)] ?? 'text/plain';
      response.writeHead(200, { 'content-type': type, ...isolated(path) }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        address: `http://127.0.0.1:${server.address().port}`,
        close() {
          server.closeAllConnections();
          server.close();
        },
      }),
    ),
  );
}
