// Finds, fetches and instantiates the WebAssembly build that suits this JavaScript engine. No work at import.
// Must not know the engine's API.
import { HloError } from './errors.js';

/** (func (result v128) … i32x4.relaxed_trunc_f32x4_s): valid only where relaxed SIMD exists. */
const relaxedSimdProbe = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 11, 1, 9, 0, 65, 0, 253, 17,
  253, 129, 2, 11,
]);

/**
 * The builds of the engine, best first. `threads` will stand in front once it exists.
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

/**
 * @param {Response} response
 * @returns {Promise<WebAssembly.Module>}
 */
async function compileResponse(response) {
  if (!response.ok)
    throw new HloError(`cannot load ${response.url}: the server answered ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] !== 0 || bytes[1] !== 0x61) {
    throw new HloError(
      `${response.url} is not WebAssembly (content type "${type}"): the server may answer missing files with a page. ` +
        'Serve the .wasm files beside the JavaScript, or pass load({ wasm: url }).',
    );
  }
  return WebAssembly.compile(bytes);
}

/**
 * @param {URL} url
 * @returns {Promise<WebAssembly.Module>}
 */
async function compileUrl(url) {
  if (url.protocol !== 'file:') return compileResponse(await fetch(url));
  // Importing a module of Node's takes 3 ms, this none; Node 20.15 cannot do it. Bundlers leave both alone.
  const name = 'node:fs';
  const { readFileSync } =
    process.getBuiltinModule?.(name) ?? (await import(/* @vite-ignore */ name));
  return WebAssembly.compile(readFileSync(url));
}

/**
 * @typedef {object} LoadOptions
 * @property {string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module} [wasm] the engine itself,
 *   or where it is; by default the best build beside this file
 * @property {Build} [build] this build instead of the best
 * @property {Record<string, import('./custom_calls.js').CustomCall>} [customCalls] as by registerCustomCall
 */

/**
 * @param {LoadOptions} options
 * @returns {Promise<WebAssembly.Instance>}
 */
export async function instantiate(options) {
  /** @type {any} */
  const wasm = await (options.wasm ?? urlOf(options.build ?? bestBuild()));
  return WebAssembly.instantiate(await moduleOf(wasm), {});
}

/**
 * @param {any} wasm
 * @returns {Promise<WebAssembly.Module>}
 */
async function moduleOf(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (typeof wasm === 'string' || wasm instanceof URL) {
    const base = typeof location === 'undefined' ? import.meta.url : location.href;
    return compileUrl(new URL(wasm, base));
  }
  // Last, and only then: Node takes 15 ms to look up what a Response is.
  const isBytes = wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm);
  if (!isBytes && typeof Response !== 'undefined' && wasm instanceof Response)
    return compileResponse(wasm);
  return WebAssembly.compile(wasm);
}
