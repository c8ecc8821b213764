// The build of the engine for tests (tests/growth/growth.mk), all in one file: it traps where something has written outside of its
// memory, and counts what it does.
import { readFile } from 'node:fs/promises';
import { load } from '../../web/index.js';

const file = new URL('../../build/growth/hlo-checked.wasm', import.meta.url);

/**
 * work: how many basic blocks the engine has run so far; writeBehind writes at a place of an allocation of 5 bytes.
 * @returns {Promise<{ hlo: any, work: () => number, writeBehind: (place: number) => void }>}
 */
export async function loadChecked() {
  // What the engine exports beside its interface is not to be had from what load() gives.
  const { instantiate } = WebAssembly;
  let exports = /** @type {any} */ (null);
  WebAssembly.instantiate = /** @type {any} */ (
    async (/** @type {any} */ module, /** @type {any} */ imports) => {
      const instance = await instantiate(module, imports);
      exports = instance.exports;
      return instance;
    }
  );
  try {
    const hlo = await load({ parts: 'arrays', wasm: await readFile(file) });
    return { hlo, work: exports.hlo_api_work, writeBehind: exports.hlo_api_write_behind };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}
