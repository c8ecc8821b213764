// The modules that the engine has compiled for fusions and loops.

/**
 * @param {() => Promise<void>} work compiles programs
 * @returns {Promise<{ bytes: Uint8Array, functions: number }[]>} each module's bytes, and how many functions it exports
 */
export async function emittedModules(work) {
  const { Module } = WebAssembly;
  const modules = [];
  WebAssembly.Module = class extends Module {
    constructor(bytes) {
      super(bytes);
      const copy = new Uint8Array(bytes.buffer ?? bytes).slice();
      modules.push({ bytes: copy, functions: Module.exports(this).length });
    }
  };
  try {
    await work();
  } finally {
    WebAssembly.Module = Module;
  }
  return modules;
}
