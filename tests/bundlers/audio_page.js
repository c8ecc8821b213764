// The page of the AudioWorklet: compiles the engine's files, hands them over, and shows what comes back.
const files = { wasm: 'hlo', programs: 'hlo-programs', extras: 'hlo-extras' };
const web = '../node_modules/hlo-wasm/web/wasm/';

async function compute() {
  const modules = {};
  for (const [file, name] of Object.entries(files))
    modules[file] = await WebAssembly.compileStreaming(fetch(`${web}${name}.wasm`));
  const context = new OfflineAudioContext(1, 128, 44100);
  await context.audioWorklet.addModule('audio.js');
  const node = new AudioWorkletNode(context, 'engine');
  const answer = new Promise((resolve) => (node.port.onmessage = ({ data }) => resolve(data)));
  node.connect(context.destination);
  node.port.postMessage(modules);
  await context.startRendering();
  return answer;
}

const output = document.createElement('output');
document.body.append(output);
compute().then(
  (text) => (output.textContent = text),
  (error) => (output.textContent = String(error)),
);
