// `hlo demo`: a static server for the playground and the package's own files.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { usageError } from './files.js';

export const help = `hlo demo [--port N] [--host NAME]

Serves the playground on http://localhost:8080 (or another port; 0 takes a free one), to this computer alone. With
--host 0.0.0.0, or a name or address of this computer's, it serves others, too.`;

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

/** @typedef {import('node:http').IncomingMessage} Request */
/** @typedef {import('node:http').ServerResponse} Response */

/**
 * The path that a request's target asks for: in origin form ("/demo/?x") or absolute form (RFC 9112, 3.2), decoded.
 * @param {string} target
 * @returns {string | null} null: it is none
 */
function pathOf(target) {
  const path = target.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '').replace(/[?#].*$/s, '') || '/';
  try {
    const decoded = decodeURIComponent(path);
    return path.startsWith('/') && !/[\0\\]/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}

/**
 * Whether a request names this server. Requests of other sites whose names resolve to it (DNS rebinding) do not.
 * @param {string | undefined} header Host
 * @param {string} [asked] the host that the server was asked to listen on
 */
function isKnownHost(header, asked) {
  const name = /^(\[[\da-f:.]+\]|[^:[\]/@\s]+)(?::\d{0,5})?$/i.exec(header ?? '')?.[1];
  if (name === undefined) return false;
  // A name or an address that was asked for may be reached by any other.
  if (asked !== undefined && !isLoopback(asked)) return true;
  return isLoopback(name.toLowerCase().replace(/^\[|\]$/g, ''));
}

/** @param {string} host */
function isLoopback(host) {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host) || /\.localhost$/i.test(host);
}

/** @type {(response: Response, status: number, headers?: Record<string, string>, body?: string | Buffer) => void} */
function answer(response, status, headers = {}, body = '') {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  // Of HEAD, Node sends no body.
  response.writeHead(status, all).end(body);
}

/** @param {Response} response @param {number} status @param {string} why */
function refuse(response, status, why) {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  answer(
    response,
    status,
    status === 405 ? { ...headers, allow: 'GET, HEAD' } : headers,
    `${why}\n`,
  );
}

/** @param {Request} request @param {Response} response @param {string} [host] */
async function respond(request, response, host) {
  const { method, url = '/' } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return refuse(response, 405, `only GET and HEAD are answered, not ${method}`);
  // In absolute form the target names the host, and the header does not count (RFC 9112, 3.2.2).
  const named = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? request.headers.host;
  if (!isKnownHost(named, host))
    return refuse(response, 421, 'this server answers for localhost; --host NAME serves others');
  const path = pathOf(url);
  if (path === null) return refuse(response, 400, 'a request target that is no path');
  if (path === '/' || path === '/demo') return answer(response, 302, { location: '/demo/' });
  const file = normalize(path.endsWith('/') ? `${path}index.html` : path);
  const body = served.test(file) ? await readFile(join(root, file)).catch(() => null) : null;
  if (body === null) return refuse(response, 404, `not found: ${path.slice(0, 200)}`);
  const type = contentTypes[extname(file)] ?? 'text/plain; charset=utf-8';
  answer(response, 200, { 'content-type': type, 'cache-control': 'no-cache' }, body);
}

/**
 * @param {string} [host] what it will listen on; not given: a loopback address
 * @returns {import('node:http').Server} not listening yet
 */
export function demoServer(host) {
  const server = createServer((request, response) => {
    request.resume(); // a body is not read, and must not keep the connection
    respond(request, response, host).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'the server failed');
    });
  });
  // A client may end its side with its request, and still hears the answer.
  /** @type {any} */ (server).httpAllowHalfOpen = true;
  server.on('clientError', (/** @type {any} */ error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status =
      error.code === 'HPE_HEADER_OVERFLOW'
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  });
  for (const event of ['connect', 'upgrade'])
    server.on(event, (_request, /** @type {import('node:net').Socket} */ socket) =>
      socket.end(
        'HTTP/1.1 405 Method Not Allowed\r\nallow: GET, HEAD\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      ),
    );
  return server;
}

/** @param {string[]} args @returns {Promise<number>} when the server has ended */
export async function run(args) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '8080' },
      host: { type: 'string' },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65535)
    throw usageError(`--port takes a number up to 65535, got "${values.port}"`);
  if (!existsSync(new URL('../../demo/index.html', import.meta.url)))
    throw usageError(
      'the playground is in the repository of hlo-wasm, not in its package: clone that, and npm start',
    );
  const host = values.host ?? 'localhost';
  const server = demoServer(values.host);
  return new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('close', () => resolve(0));
    server.listen(port, host, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      console.log(
        `The playground is at http://${host.includes(':') ? `[${host}]` : host}:${address.port}/ (end with Ctrl-C)`,
      );
    });
  });
}
