// In an AudioWorklet, which has no URL, TextEncoder, performance or setTimeout: the engine from modules that the page compiled.
import { load } from '../node_modules/hlo-wasm/web/bundle-index.js';

async function compute(modules) {
  for (const name of ['URL', 'TextEncoder', 'performance', 'setTimeout', 'fetch'])
    if (name in globalThis) return `${name} is there`;
  const hlo = await load(modules);
  const sum = hlo.add(hlo.array([1, 2], 'f32'), 1);
  const double = hlo.jit((x) => hlo.reduce(hlo.add(x, x), 0, 'add', [0]));
  const total = double(hlo.array(new Float32Array(4096).fill(1))).toNested();
  const program = hlo.parse(
    'ENTRY e { p = f32[2] parameter(0) ROOT r = f32[2] negate(p), metadata={op_name="é😀"} }',
  );
  const [name] = /é😀/.exec(program.print('hlo')) ?? ['no name'];
  const [op] = /stablehlo\.negate/.exec(program.print('stablehlo')) ?? ['no operation'];
  await program.compile().runAsync([sum], { onProgress: () => {} });
  const fetched = await load().catch((error) => error.constructor.name);
  return `${sum} ${total} ${op} ${name} fetched: ${fetched}`;
}

class Engine extends AudioWorkletProcessor {
  constructor() {
    super();
    this.port.onmessage = ({ data }) =>
      compute(data).then(
        (text) => this.port.postMessage(text),
        (error) => this.port.postMessage(`${error.stack}`),
      );
  }

  process() {
    return true;
  }
}
registerProcessor('engine', Engine);
