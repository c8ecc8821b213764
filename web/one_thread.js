// An engine without worker threads: what threads.js does for those that have some.
import { compile } from './loader.js';

/** @typedef {import('./engine.js').Engine} Engine */

/**
 * The number of threads that compute, including the engine's own, and if it is one, the reason.
 * @typedef {{ count: number, reason?: string }} ThreadsInfo
 */

/** An engine with a single thread. threads.js has the other kind. */
export class OneThread {
  /** @type {Readonly<ThreadsInfo>} */
  info;
  /** Whether modules import the engine's memory as a shared one. */
  sharesMemory = false;

  /** @param {string} reason */
  constructor(reason) {
    this.info = Object.freeze({ count: 1, reason });
  }

  /** What the engine's modules import besides each other. @type {import('./parts.js').Shared} */
  imports = {};

  /** Compiles the engine's files. @type {import('./loader.js').Compile} */
  compile(opened, file) {
    return compile(opened, file);
  }

  /** Writes the first file's data segments to the memory, where the file does not do that itself. */
  fillMemory() {}

  /** Starts other threads, if there are to be any; what hinders them is in info. @param {Engine} _engine */
  async start(_engine) {}

  /**
   * Sends the threads functions that have been installed in the engine's table. Until all have received them, work that calls
   * such functions is not shared.
   * @param {Engine} _engine
   * @param {WebAssembly.Module} _module
   * @param {number[]} _slots where its exports 0, 1 … are
   */
  install(_engine, _module, _slots) {}

  /**
   * Sends the threads parts that were added.
   * @param {Engine} _engine
   * @param {import('./parts.js').PartModules} _parts
   */
  add(_engine, _parts) {}

  /** Ends the other threads: the engine continues with its own. @param {string} [_reason] */
  end(_reason) {}
}
