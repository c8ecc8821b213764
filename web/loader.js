// Finds, fetches and instantiates the WebAssembly build that suits this JavaScript engine. No work at import. Each build is a
// file per part; those asked for are fetched side by side and compiled while they come.
import { HloError } from './errors.js';
import { absolute, addressOf } from './files.js';
import { nodeModule } from './node.js';
import { checkArguments, NOTHING } from './options.js';
import { Parts, partsOf } from './parts.js';

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

/** @typedef {string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module} WasmSource */
/** @typedef {'wasm' | import('./parts.js').AddedPart} File as options name them */
/** Compiles a file that was opened. @typedef {(opened: any, file: File) => Promise<WebAssembly.Module>} Compile */

/** @type {Record<Build, string>} */
const names = { 'relaxed-simd': 'hlo-relaxed', simd: 'hlo' };

/** @param {string} build @param {File} file @returns {string} its name */
function nameOfFile(build, file) {
  const name = names[/** @type {Build} */ (build)];
  if (name) return `${name}${file === 'wasm' ? '' : `-${file}`}.wasm`;
  throw new HloError(
    `there is no build "${build}": the builds are ${Object.keys(names).join(', ')}`,
  );
}

/**
 * @typedef {object} LoadOptions
 * @property {Part | Part[]} [parts] what to load; all parts by default. 'arrays' is always there; 'programs' compiles programs and
 *   makes them fast; 'extras' has linear algebra, Fourier transforms, sorting, random numbers, rarer types and formats. What needs
 *   a part that is not there is an error that names it (code `not loaded`); hlo.add() adds it later
 * @property {WasmSource} [wasm] the file of the arrays, or where it is; by default that of the best build beside this script
 * @property {WasmSource} [programs] the file of that part, or where it is. By default beside `wasm` where that is the address of
 *   hlo.wasm or hlo-relaxed.wasm, else beside this script
 * @property {WasmSource} [extras] the same of that part
 * @property {Build} [build] this build instead of the best
 * @property {boolean | number} [threads] true: as many threads as processors, at most 4; a number: at most so many. Only
 *   where memory may be shared: in Node, and in pages that are cross-origin isolated; hlo.threads says what came of it
 * @property {() => Worker | Promise<Worker>} [worker] starts a worker for a thread, which runs hlo-wasm/hlo-worker.js: where a page
 *   may not start the one beside this file
 * @property {Record<string, import('./custom_calls.js').CustomCall>} [customCalls] as by registerCustomCall
 * @property {string} [platform] files of jax.export for several platforms (`platforms=['cpu', 'cuda']`) run as on this one of
 *   theirs; by default, and where they do not have it, as on the CPU or else the first
 */
/** @typedef {import('./parts.js').Part} Part */

/**
 * @typedef {object} Instantiated
 * @property {WebAssembly.Instance} instance of the part that all need
 * @property {Parts} parts to be installed
 * @property {(parts: import('./parts.js').AddedPart[], build: string) => Promise<import('./parts.js').PartModules>} get compiles parts;
 *   what build they are of the first file says, where it was given as bytes
 */

/**
 * Asks for all files at once.
 * @param {LoadOptions} options
 * @param {{ compile: Compile, imports: import('./parts.js').Shared, fillMemory(): void }} how
 * @returns {Promise<Instantiated>}
 */
export async function instantiate(options, how) {
  const wanted = partsOf(options.parts);
  const standard = nameOfFile(options.build ?? bestBuild(), 'wasm');
  const wasm = (await options.wasm) ?? addressOf(standard);
  /** @param {any} source @param {File} file @returns {Promise<WebAssembly.Module>} */
  const compile = async (source, file) => how.compile(await open(await source), file);
  /** @param {import('./parts.js').AddedPart} part @returns {any} as the user says, undefined where only the build says it */
  const sourceOf = (part) =>
    options[part] ??
    (options.wasm ? beside(wasm, part) : addressOf(nameOfFile(options.build ?? bestBuild(), part)));
  const early = new Map(
    wanted
      .map((part) => /** @type {const} */ ([part, sourceOf(part)]))
      .filter(([, source]) => source !== undefined)
      .map(([part, source]) => [part, compile(source, part)]),
  );
  for (const module of early.values()) module.catch(() => {}); // get() says it
  const module = await compile(wasm, 'wasm');
  const parts = new Parts(how.imports);
  const instance = await WebAssembly.instantiate(module, parts.imports);
  how.fillMemory();
  /** @type {Instantiated['get']} */
  const get = async (list, build) => {
    const modules = await Promise.all(
      list.map((part) => {
        const module =
          early.get(part) ?? compile(sourceOf(part) ?? addressOf(nameOfFile(build, part)), part);
        early.delete(part); // one that failed may be had later
        return module;
      }),
    );
    return Object.fromEntries(list.map((part, i) => [part, modules[i]]));
  };
  return { instance, parts, get };
}

/** @param {any} wasm @param {File} file @returns {URL | undefined} where it is by its name */
function beside(wasm, file) {
  const address = isResponse(wasm) ? wasm.url : wasm;
  if (!isAddress(address) || address === '') return undefined;
  const url = absolute(address);
  const name = /(^|\/)(hlo|hlo-relaxed)\.wasm$/;
  if (!name.test(url.pathname)) return undefined;
  url.pathname = url.pathname.replace(name, `$1$2-${file}.wasm`);
  return url;
}

/** @param {any} source @returns {Promise<any>} bytes, a Response or a module */
async function open(source) {
  if (!isAddress(source)) return source;
  const url = absolute(source);
  try {
    if (url.protocol !== 'file:') return await fetch(url);
    return await nodeModule('node:fs').promises.readFile(url);
  } catch (error) {
    throw new HloError(
      `cannot load ${url.href}: ${/** @type {any} */ (error).message}`,
      'not loaded',
    );
  }
}

/** @param {Response} response @returns {string} */
function contentType(response) {
  if (!response.ok)
    throw new HloError(
      `cannot load ${response.url}: the server answered ${response.status}`,
      'not loaded',
    );
  return response.headers.get('content-type') ?? '';
}

/**
 * @param {any} opened bytes or a Response
 * @param {File} file
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function bytesOfFile(opened, file) {
  const type = isResponse(opened) ? contentType(opened) : '';
  const bytes = bytesOf(isResponse(opened) ? await opened.arrayBuffer() : opened);
  const [zero, a, s, m] = bytes;
  if (zero === 0 && a === 0x61 && s === 0x73 && m === 0x6d) return bytes;
  if (!isResponse(opened))
    throw new HloError(
      `what load({ ${file} }) was given is not WebAssembly: it does not begin with "\\0asm"`,
    );
  throw new HloError(
    `${opened.url || `what load({ ${file} }) was given`} is not WebAssembly (content type "${type}"): the server may answer missing files with a page. ` +
      'Serve the .wasm files beside the JavaScript, or pass load({ wasm: url, programs: url, extras: url }).',
  );
}

/** @type {Compile} */
export async function compile(opened, file) {
  if (opened instanceof WebAssembly.Module) return opened;
  if (isResponse(opened) && contentType(opened).startsWith('application/wasm'))
    return WebAssembly.compileStreaming(opened);
  return WebAssembly.compile(await bytesOfFile(opened, file));
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

/** @param {unknown} wasm @returns {wasm is string | URL} */
function isAddress(wasm) {
  return typeof wasm === 'string' || (typeof URL !== 'undefined' && wasm instanceof URL);
}

/** @param {any} wasm @returns {boolean} */
function isResponse(wasm) {
  // Response last, and only then: Node takes 15 ms to look up what that is.
  const isOther =
    wasm === undefined ||
    isAddress(wasm) ||
    wasm instanceof WebAssembly.Module ||
    wasm instanceof ArrayBuffer ||
    ArrayBuffer.isView(wasm);
  return !isOther && typeof Response !== 'undefined' && wasm instanceof Response;
}
