// Finds, fetches and instantiates the WebAssembly build that suits this JavaScript engine. No work at import. Each build is
// four files, which are fetched side by side and compiled while they come.
import { HloError } from './errors.js';
import { absolute, addressOf } from './files.js';
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

/** @typedef {string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module} WasmSource */
/** @typedef {'wasm' | import('./rest.js').LaterFile} File as options name them */
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
 * @property {WasmSource} [wasm] the engine itself, or where it is; by default the best build beside this file
 * @property {WasmSource | null} [programs] the engine's second file, with what makes programs fast. By default beside `wasm`
 *   where that is the address of hlo.wasm or hlo-relaxed.wasm, else beside this file; null leaves it out: what needs it fails
 * @property {WasmSource | null} [text] the same of the third, which reads programs written as text or bytes
 * @property {WasmSource | null} [rest] the same of the fourth, with what is needed seldom
 * @property {Build} [build] this build instead of the best
 * @property {boolean | number} [threads] true: as many threads as processors, at most 4; a number: at most so many. Only
 *   where memory may be shared: in Node, and in pages that are cross-origin isolated; hlo.threads says what came of it
 * @property {() => Worker | Promise<Worker>} [worker] starts a worker for a thread, which runs hlo-wasm/hlo-worker.js: where a page
 *   may not start the one beside this file
 * @property {Record<string, import('./custom_calls.js').CustomCall>} [customCalls] as by registerCustomCall
 * @property {string} [platform] files of jax.export for several platforms (`platforms=['cpu', 'cuda']`) run as on this one of
 *   theirs; by default, and where they do not have it, as on the CPU or else the first
 */

/**
 * @typedef {object} Instantiated
 * @property {WebAssembly.Instance} instance of the first file
 * @property {Rest} rest to be installed
 * @property {(build: string) => Promise<(WebAssembly.Module | null)[]>} later gives the later files, in their order; what build
 *   they are of the first file says, where it was given as bytes
 */

/**
 * Asks for all files at once.
 * @param {LoadOptions} options
 * @param {{ compile: Compile, imports: import('./rest.js').Shared, fillMemory(): void }} how
 * @returns {Promise<Instantiated>}
 */
export async function instantiate(options, how) {
  const build = options.build ?? bestBuild();
  const standard = nameOfFile(build, 'wasm');
  const wasm = (await options.wasm) ?? addressOf(standard);
  const given = await Promise.all(laterFiles.map((file) => options[file]));
  /** @param {any} source @param {File} file @returns {Promise<WebAssembly.Module>} */
  const get = async (source, file) => how.compile(await open(source), file);
  const early = laterFiles.map((file, i) => {
    if (given[i] === null) return null;
    const source =
      given[i] ?? (options.wasm ? beside(wasm, file) : addressOf(nameOfFile(build, file)));
    return source && get(source, file);
  });
  Promise.all(early).catch(() => {}); // later() says it
  const module = await get(wasm, 'wasm');
  const rest = new Rest(how.imports);
  const instance = await WebAssembly.instantiate(module, rest.imports);
  how.fillMemory();
  const later = (/** @type {string} */ build) =>
    Promise.all(
      laterFiles.map((file, i) =>
        early[i] === undefined ? get(addressOf(nameOfFile(build, file)), file) : early[i],
      ),
    );
  return { instance, rest, later };
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
      'Serve the .wasm files beside the JavaScript, or pass load({ wasm: url, programs: url, text: url, rest: url }).',
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
