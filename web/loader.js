// Finds, fetches and instantiates the WebAssembly build that suits this JavaScript engine. No work at import.
// Must not know the engine's API.
import { HloError } from './errors.js';
import { nodeModule } from './node.js';

/** (func (result v128) … i32x4.relaxed_trunc_f32x4_s): valid only where relaxed SIMD exists. */
const relaxedSimdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 17,
  253, 129, 2, 11,
]);

/**
 * The builds of the engine, best first. Either can have threads.
 * @typedef {'relaxed-simd' | 'simd'} Build
 */
const files = { 'relaxed-simd': 'hlo-relaxed.wasm', simd: 'hlo.wasm' };

/** @returns {Build} the best build that this JavaScript engine can run */
export function bestBuild() {
  return WebAssembly.validate(relaxedSimdProbe) ? 'relaxed-simd' : 'simd';
}

/** @param {string} build */
function urlOf(build) {
  // Written out so that bundlers see both files.
  if (build === 'relaxed-simd') return new URL('./wasm/hlo-relaxed.wasm', import.meta.url);
  if (build === 'simd') return new URL('./wasm/hlo.wasm', import.meta.url);
  throw new HloError(
    `there is no build "${build}": the builds are ${Object.keys(files).join(', ')}`,
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
        'Serve the .wasm files beside the JavaScript, or pass load({ wasm: url }).',
    );
  }
  return bytes;
}

/** @param {string | URL} url @returns {Promise<Response | Uint8Array<ArrayBuffer>>} */
async function open(url) {
  const base = typeof location === 'undefined' ? import.meta.url : location.href;
  const absolute = new URL(url, base);
  if (absolute.protocol !== 'file:') return fetch(absolute);
  const { readFileSync } = await nodeModule('node:fs');
  return readFileSync(absolute);
}

/**
 * @typedef {object} LoadOptions
 * @property {string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module} [wasm] the engine itself,
 *   or where it is; by default the best build beside this file
 * @property {Build} [build] this build instead of the best
 * @property {boolean | number} [threads] true: as many threads as processors, at most 4; a number: at most so many. Only
 *   where memory may be shared: in Node, and in pages that are cross-origin isolated; hlo.threads says what came of it
 * @property {Record<string, import('./custom_calls.js').CustomCall>} [customCalls] as by registerCustomCall
 */

/**
 * @param {LoadOptions} options
 * @returns {Promise<WebAssembly.Instance>}
 */
export async function instantiate(options) {
  const wasm = await source(options);
  return WebAssembly.instantiate(
    wasm instanceof WebAssembly.Module ? wasm : await compile(wasm),
    {},
  );
}

/**
 * @param {LoadOptions} options with anything but a module
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function readWasm(options) {
  const wasm = await source(options);
  if (isResponse(wasm)) return bytesOfResponse(wasm);
  return ArrayBuffer.isView(wasm)
    ? new Uint8Array(/** @type {ArrayBuffer} */ (wasm.buffer), wasm.byteOffset, wasm.byteLength)
    : new Uint8Array(wasm);
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
  return typeof wasm === 'string' || wasm instanceof URL ? open(wasm) : wasm;
}

/** @param {ArrayBuffer | ArrayBufferView} wasm */
function checkMagic(wasm) {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(wasm) ? wasm : new Uint8Array(wasm);
  const [zero, a, s, m] = new Uint8Array(buffer, byteOffset, Math.min(byteLength, 4));
  if (zero !== 0 || a !== 0x61 || s !== 0x73 || m !== 0x6d)
    throw new HloError(
      'what load({ wasm }) was given is not WebAssembly: it does not begin with "\\0asm"',
    );
}

/** @param {any} wasm @returns {Promise<WebAssembly.Module>} */
async function compile(wasm) {
  if (!isResponse(wasm)) {
    checkMagic(wasm);
    return WebAssembly.compile(wasm);
  }
  if (contentType(wasm).startsWith('application/wasm')) return WebAssembly.compileStreaming(wasm);
  return WebAssembly.compile(await bytesOfResponse(wasm));
}

/** @param {any} wasm */
function isResponse(wasm) {
  // Response last, and only then: Node takes 15 ms to look up what that is.
  const isBytes = wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm);
  return !isBytes && typeof Response !== 'undefined' && wasm instanceof Response;
}
