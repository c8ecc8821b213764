// `hlo demo`: serves the playground and the package's own files, as any static server would.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { usageError } from './files.js';

export const help = `hlo demo [--port N] [--host NAME]

Serves the playground on http://localhost:8080 (or another port; 0 takes a free one).`;

const root = fileURLToPath(new URL('../..', import.meta.url));
const served = /^\/(demo|web)\//; // nothing else of the package's folder
/** @type {Record<string, string>} */
const contentTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.npy': 'application/octet-stream',
};

/** @returns {import('node:http').Server} not listening yet */
export function demoServer() {
  return createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/' || pathname === '/demo')
      return void response.writeHead(302, { location: '/demo/' }).end();
    try {
      const path = normalize(
        decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname),
      );
      if (!served.test(path)) throw new Error('not served');
      const body = await readFile(join(root, path));
      const type = contentTypes[extname(path)] ?? 'text/plain; charset=utf-8';
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end(`not found: ${pathname}\n`);
    }
  });
}

/** @param {string[]} args @returns {Promise<number>} when the server has ended */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8080' },
      host: { type: 'string', default: 'localhost' },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw usageError(`--port takes a number up to 65535, got "${values.port}"`);
  const server = demoServer();
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('close', () => resolve(0));
    server.listen(port, values.host, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      console.log(`The playground is at http://${values.host}:${address.port}/ (end with Ctrl-C)`);
    });
  });
}
