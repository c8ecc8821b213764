// Finds, fetches and instantiates the WebAssembly build that suits this JavaScript engine. No work at import. Each build is
// four files: rest.js says what becomes of the later ones. Must not know the engine's API.
import { HloError } from './errors.js';
import { nodeModule } from './node.js';
import { checkArguments, NOTHING } from './options.js';
import { laterFiles, Rest } from './rest.js';

/** (func (result v128) … i32x4.relaxed_trunc_f32x4_s): valid only where relaxed SIMD exists. */
const relaxedSimdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 17,
  253, 129, 2, 11,
]);

/** The builds of the engine, best first. Either can have threads. @typedef {'relaxed-simd' | 'simd'} Build */

/** @returns {Build} the best build that this JavaScript engine can run */
export function bestBuild() {
  checkArguments('bestBuild', NOTHING, arguments);
  return WebAssembly.validate(relaxedSimdProbe) ? 'relaxed-simd' : 'simd';
}

// Written out so that bundlers see all files.
const urls = {
  'relaxed-simd': {
    wasm: () => new URL('./wasm/hlo-relaxed.wasm', import.meta.url),
    programs: () => new URL('./wasm/hlo-relaxed-programs.wasm', import.meta.url),
    text: () => new URL('./wasm/hlo-relaxed-text.wasm', import.meta.url),
    rest: () => new URL('./wasm/hlo-relaxed-rest.wasm', import.meta.url),
  },
  simd: {
    wasm: () => new URL('./wasm/hlo.wasm', import.meta.url),
    programs: () => new URL('./wasm/hlo-programs.wasm', import.meta.url),
    text: () => new URL('./wasm/hlo-text.wasm', import.meta.url),
    rest: () => new URL('./wasm/hlo-rest.wasm', import.meta.url),
  },
};

/** @param {string} build */
function urlOf(build) {
  const url = urls[/** @type {Build} */ (build)];
  if (url) return url.wasm();
  throw new HloError(
    `there is no build "${build}": the builds are ${Object.keys(urls).join(', ')}`,
  );
}

/** @param {Response} response */
function contentType(response) {
  if (!response.ok)
    throw new HloError(`cannot load ${response.url}: the server answered ${response.status}`);
  return response.headers.get('content-type') ?? '';
}

/**
 * @param {Response} response
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function bytesOfResponse(response) {
  const type = contentType(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0 || bytes[1] !== 0x61) {
    throw new HloError(
      `${response.url} is not WebAssembly (content type "${type}"): the server may answer missing files with a page. ` +
        'Serve the .wasm files beside the JavaScript, or pass load({ wasm: url, programs: url, text: url, rest: url }).',
    );
  }
  return bytes;
}

/** @param {string | URL} url */
function absolute(url) {
  return new URL(url, typeof location === 'undefined' ? import.meta.url : location.href);
}

/** @param {string | URL} address @returns {Promise<Response | Uint8Array<ArrayBuffer>>} */
async function open(address) {
  const url = absolute(address);
  if (url.protocol !== 'file:') return fetch(url);
  const { readFileSync } = await nodeModule('node:fs');
  return readFileSync(url);
}

/** @typedef {string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module} WasmSource */
/**
 * @typedef {object} LoadOptions
 * @property {WasmSource} [wasm] the engine itself, or where it is; by default the best build beside this file
 * @property {WasmSource} [programs] the engine's second file, with what makes programs fast: an address is loaded when there
 *   is time, at the latest when it is needed. By default beside `wasm` where that is the address of hlo.wasm or
 *   hlo-relaxed.wasm, else beside this file
 * @property {WasmSource} [text] the same of the third, which reads programs written as text or bytes
 * @property {WasmSource} [rest] the same of the fourth, with what is needed seldom
 * @property {Build} [build] this build instead of the best
 * @property {boolean | number} [threads] true: as many threads as processors, at most 4; a number: at most so many. Only
 *   where memory may be shared: in Node, and in pages that are cross-origin isolated; hlo.threads says what came of it
 * @property {Record<string, import('./custom_calls.js').CustomCall>} [customCalls] as by registerCustomCall
 */

/**
 * @param {LoadOptions} options
 * @returns {Promise<{ instance: WebAssembly.Instance, rest: Rest }>} rest: to be started
 */
export async function instantiate(options) {
  const wasm = await source(options);
  const rest = new Rest();
  const module = await compile(wasm);
  return { instance: await WebAssembly.instantiate(module, rest.imports), rest };
}

/** @param {any} wasm @param {import('./rest.js').LaterFile} file @returns {URL | undefined} where it is by its name */
function beside(wasm, file) {
  const address = isResponse(wasm) ? wasm.url : wasm;
  if (!isAddress(address) || address === '') return undefined;
  const url = absolute(address);
  const name = /(^|\/)(hlo|hlo-relaxed)\.wasm$/;
  if (!name.test(url.pathname)) return undefined;
  url.pathname = url.pathname.replace(name, `$1$2-${file}.wasm`);
  return url;
}

/**
 * The later files, in the order in which they are installed.
 * @param {LoadOptions} options
 * @param {string} build what the first file says that it is
 * @param {(bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>} [rewrite] what is done to the bytes first
 * @returns {Promise<import('./rest.js').RestSource[]>}
 */
export async function restSources(options, build, rewrite) {
  return Promise.all(laterFiles.map((file) => restSource(options, build, file, rewrite)));
}

/**
 * @param {LoadOptions} options
 * @param {string} build
 * @param {import('./rest.js').LaterFile} file
 * @param {(bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>} [rewrite]
 * @returns {Promise<import('./rest.js').RestSource>}
 */
async function restSource(options, build, file, rewrite) {
  /** @type {any} */
  const rest =
    (await options[file]) ??
    beside(await options.wasm, file) ??
    urls[build === 'relaxed-simd' ? 'relaxed-simd' : 'simd'][file]();
  const given = `what load({ ${file} }) was given`;
  const compileNow = (/** @type {Uint8Array<ArrayBuffer>} */ bytes) =>
    new WebAssembly.Module(rewrite ? rewrite(bytes) : bytes);
  if (rest instanceof WebAssembly.Module) return { name: given, now: () => rest };
  if (isResponse(rest)) {
    const later = async () => (rewrite ? compileNow(await bytesOfResponse(rest)) : compile(rest));
    return { name: rest.url || given, later };
  }
  if (!isAddress(rest)) {
    checkMagic(rest);
    return { name: given, now: () => compileNow(bytesOf(rest)) };
  }
  const url = absolute(rest);
  if (url.protocol === 'file:') {
    const { readFileSync } = await nodeModule('node:fs');
    return { name: url.href, now: () => compileNow(readFileSync(url)) };
  }
  const later = async (/** @type {AbortSignal | undefined} */ signal) => {
    const response = await fetch(url, { signal, priority: 'low' });
    return rewrite ? compileNow(await bytesOfResponse(response)) : compile(response);
  };
  const now = () => compileNow(fetchNow(url));
  return typeof XMLHttpRequest === 'undefined'
    ? { name: url.href, later }
    : { name: url.href, now, later };
}

/** @param {URL} url @returns {Uint8Array<ArrayBuffer>} with the page or worker standing still until it has come */
function fetchNow(url) {
  const request = new XMLHttpRequest();
  request.open('GET', url, false);
  const inPage = typeof document !== 'undefined';
  // In a page, where buffers are not to be had this way: each character is a byte.
  if (inPage) request.overrideMimeType('text/plain; charset=x-user-defined');
  else request.responseType = 'arraybuffer';
  request.send();
  if (request.status !== 200 && request.status !== 0)
    throw new HloError(`the server answered ${request.status}`);
  if (!inPage) return new Uint8Array(request.response);
  const text = request.responseText;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/**
 * @param {LoadOptions} options with anything but a module
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function readWasm(options) {
  const wasm = await source(options);
  return isResponse(wasm) ? bytesOfResponse(wasm) : bytesOf(wasm);
}

/** @param {any} source an ArrayBuffer or a view @returns {Uint8Array<ArrayBuffer>} the same memory */
function bytesOf(source) {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(
        /** @type {ArrayBuffer} */ (source.buffer),
        source.byteOffset,
        source.byteLength,
      )
    : new Uint8Array(source);
}

/**
 * Throws the error of a load that failed; where a page's policy is the reason, saying what it lacks.
 * @param {any} error
 * @returns {never}
 */
export function throwExplained(error) {
  if (error instanceof HloError || !/content security policy|unsafe-eval|CSP/i.test(error?.message))
    throw error;
  throw new HloError(
    `this page's Content-Security-Policy allows no WebAssembly: add 'wasm-unsafe-eval' to its script-src (${error.message})`,
    'unsupported',
  );
}

/** @param {LoadOptions} options @returns {Promise<any>} bytes, a Response or a module */
async function source(options) {
  const wasm = await (options.wasm ?? urlOf(options.build ?? bestBuild()));
  return isAddress(wasm) ? open(wasm) : wasm;
}

/** @param {unknown} wasm @returns {wasm is string | URL} */
function isAddress(wasm) {
  return typeof wasm === 'string' || wasm instanceof URL;
}

/** @param {ArrayBuffer | ArrayBufferView} wasm */
function checkMagic(wasm) {
  const [zero, a, s, m] = bytesOf(wasm);
  if (zero !== 0 || a !== 0x61 || s !== 0x73 || m !== 0x6d)
    throw new HloError(
      'what load({ wasm }) was given is not WebAssembly: it does not begin with "\\0asm"',
    );
}

/** @param {any} wasm bytes, a Response or a module @returns {Promise<WebAssembly.Module>} */
async function compile(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (!isResponse(wasm)) {
    checkMagic(wasm);
    return WebAssembly.compile(wasm);
  }
  if (contentType(wasm).startsWith('application/wasm')) return WebAssembly.compileStreaming(wasm);
  return WebAssembly.compile(await bytesOfResponse(wasm));
}

/** @param {any} wasm @returns {boolean} */
function isResponse(wasm) {
  // Response last, and only then: Node takes 15 ms to look up what that is.
  const isOther =
    wasm === undefined ||
    typeof wasm === 'string' ||
    wasm instanceof URL ||
    wasm instanceof WebAssembly.Module ||
    wasm instanceof ArrayBuffer ||
    ArrayBuffer.isView(wasm);
  return !isOther && typeof Response !== 'undefined' && wasm instanceof Response;
}
