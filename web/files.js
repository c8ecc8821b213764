// Addresses of the package's files that are not imported: the wasm files and the script of the workers.
import { HloError } from './errors.js';

// Written out so that bundlers see all files. A function each: an AudioWorklet has no URL.
/** @type {Record<string, () => URL>} */
const files = {
  'hlo.wasm': () => new URL('./wasm/hlo.wasm', import.meta.url),
  'hlo-programs.wasm': () => new URL('./wasm/hlo-programs.wasm', import.meta.url),
  'hlo-extras.wasm': () => new URL('./wasm/hlo-extras.wasm', import.meta.url),
  'hlo-relaxed.wasm': () => new URL('./wasm/hlo-relaxed.wasm', import.meta.url),
  'hlo-relaxed-programs.wasm': () => new URL('./wasm/hlo-relaxed-programs.wasm', import.meta.url),
  'hlo-relaxed-extras.wasm': () => new URL('./wasm/hlo-relaxed-extras.wasm', import.meta.url),
  'hlo-worker.js': () => new URL('./wasm/hlo-worker.js', import.meta.url),
};

/** Addresses that a worker was sent: its script may be a blob, to which nothing is relative. @type {Record<string, string>} */
let told = {};

/**
 * Vite's development server (before version 8) bundles packages into node_modules/.vite/deps, whose files it does not put
 * there: they are where they were installed.
 */
const PREBUNDLED = /\/node_modules\/\.vite\/deps\w*\/wasm\/([\w.-]+)$/;

/** @param {string} name @returns {string} its address */
export function addressOf(name) {
  if (told[name]) return told[name];
  checkUrls();
  // Next.js replaces what `files` makes by an object of its own, which knows only a path and does not change.
  const url = new URL(String(files[name]()), globalThis.location?.href);
  url.pathname = url.pathname.replace(PREBUNDLED, '/node_modules/hlo-wasm/web/wasm/$1');
  return url.href;
}

/** The addresses of all files, by their names. @returns {Record<string, string>} */
export function allAddresses() {
  return Object.fromEntries(Object.keys(files).map((name) => [name, addressOf(name)]));
}

/** @param {Record<string, string>} addresses of all files, as the page that started this worker knows them */
export function useAddresses(addresses) {
  told = addresses;
}

function checkUrls() {
  if (typeof URL === 'undefined')
    throw new HloError(
      'nothing can be fetched here, as in an AudioWorklet: give load({ wasm, programs, extras }) bytes or modules',
    );
}

/** @param {string | URL} url @returns {URL} relative ones to the page; in Node to these files */
export function absolute(url) {
  checkUrls();
  if (/^[a-z][a-z\d+.-]*:/i.test(String(url))) return new URL(url);
  return new URL(url, typeof location === 'undefined' ? addressOf('hlo.wasm') : location.href);
}
