// `make seldom`: writes wasm/seldom_functions.txt, the functions that stand in the last file although their source files do not:
// those that are called neither by what pages do first or usually (tests/js/first_steps.js), nor by the playground's programs,
// nor by more than three of those of `make survey` and of those that JAX and others exported for the tests, one for each operation
// and option; programs that need the last file anyway do not count. Needs HLO_PYTHON with JAX.
//   node --experimental-wasm-relaxed-simd find_seldom.js OUT BUILD "source files of its last file" …
// Runs every program in an engine of its own that counts calls.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { arrayOf, surveyed } from '../../tests/bench/surveyed.js';
import { common, usual } from '../../tests/js/first_steps.js';
import { areaNames, readArea, runProgram } from '../../tests/js/jax_corpus.js';
import { randomArray } from '../../web/cli/random.js';
import { load } from '../../web/index.js';
import { Rest } from '../../web/rest.js';
import { Reader } from '../../web/shared_module.js';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const HASH = 8; // bytes before the calls' times
const FUNCTIONS = 1; // the part of the section of names
/**
 * What tells that something is missing must not be; what JavaScript or a thread calls is small; and of kernels there are
 * variants for sizes and types, few of which these programs have.
 */
const ALWAYS =
  /^(src\/base\/(arena|error|string)|src\/kernels\/(simd\/\w+|convolution\/\w+|product\/dot\w*|elementwise\/lane\w*|reduce\/(fold|pooling|reduce|window)\w*|pool)|src\/shape\/transpose|wasm\/\w+)$/;

const FEW = 3; // of the programs of tests and survey

/** What the first file of the engine made last exports. @type {Record<string, any>} */
let exported = {};
const attach = Rest.prototype.attach;
Rest.prototype.attach = function (instance) {
  exported = instance.exports;
  attach.call(this, instance);
};

/** Whether each function has been called. @returns {boolean[]} in the order of the module */
function calls() {
  const { memory, __write_profile: write } = exported;
  const size = write(0, 0);
  const at = memory.buffer.byteLength;
  memory.grow(Math.ceil(size / 65536));
  write(at, size);
  return Array.from(new Uint32Array(memory.buffer, at + HASH, (size - HASH) / 4), Boolean);
}

/** Names of a module's functions, which imports none, in its order. @param {BufferSource} bytes */
function functionNames(bytes) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'name');
  const data = new Reader(new Uint8Array(section));
  const names = [];
  while (data.at < data.bytes.length) {
    const kind = data.number();
    const part = new Reader(data.counted());
    if (kind !== FUNCTIONS) continue;
    for (let count = part.number(); count > 0; count--)
      names[part.number()] = new TextDecoder().decode(part.counted());
  }
  return names;
}

/** Where functions come from: "src/run/exec/run", by their names. @param {string} build */
function sources(build) {
  const found = new Map();
  const line = new RegExp(`build/wasm/${build}/(\\S*)\\.o:\\((.*)\\)$`, 'gm');
  for (const [, source, name] of String(read(`build/wasm/${build}.whole.wasm.map`)).matchAll(line))
    if (!found.has(name)) found.set(name, source);
  return found;
}

/** As C calls it: static ones have longer names. @param {string} name */
function nameInC(name) {
  const [, length, rest] = /^_ZL(\d+)(.*)/.exec(name) ?? [];
  return length ? rest.slice(0, Number(length)) : name;
}

/** Everything that is run: functions of an engine, each with how many programs it counts for. */
async function* works() {
  const square = (hlo) => hlo.array([1, 2, 3, 4], { type: 'f32', shape: [2, 2] });
  for (const step of Object.values(common)) yield [(hlo) => step(hlo, square(hlo)), FEW + 1];
  const examples = JSON.parse(String(read('demo/examples/index.json')));
  for (const { program } of examples) {
    const text = String(read(`demo/examples/${program}`));
    yield [(hlo) => runExample(hlo.compile(text), text, hlo), FEW + 1];
  }
  const usualNames = Object.entries(usual).flatMap(([area, names]) =>
    names.split(' ').map((name) => `${area}/${name}`),
  );
  for (const program of areaNames().flatMap(readArea))
    yield [(hlo) => runProgram(hlo, program), usualNames.includes(program.name) ? FEW + 1 : 1];
  for await (const { text, inputs } of surveyed())
    if (text) {
      const arrays = (hlo) => inputs.map((input) => arrayOf(hlo, input));
      yield [(hlo) => runTwice(hlo.compile(text), arrays(hlo)), 1];
    }
}

function runExample(executable, text, hlo) {
  const inputs = executable.parameters.map((shape, i) => randomArray(hlo, shape, i));
  const count = Number(/replica_count=(\d+)/.exec(text)?.[1] ?? 1);
  executable.runReplicas(Array.from({ length: count }, () => inputs));
  if (count === 1) runTwice(executable, inputs);
}

function runTwice(executable, inputs) {
  for (let i = 0; i < 2; i++)
    for (const result of executable.run(inputs)) {
      result.toTypedArray();
      result.dispose();
    }
  executable.dispose();
}

/** One build of the engine. */
class Build {
  /** @param {string} name @param {string} last the source files of its last file */
  constructor(name, last) {
    const whole = fileURLToPath(new URL(`build/wasm/${name}.whole.wasm`, root));
    const counting = join(tmpdir(), `${name}.${process.pid}.wasm`);
    execFileSync('wasm/toolchain/split.sh', ['instrument', whole, counting], { cwd: root });
    this.bytes = readFileSync(counting);
    rmSync(counting);
    this.names = functionNames(this.bytes);
    const sourceOf = sources(name);
    const lastOnes = new Set(last.split(' '));
    this.source = this.names.map((each) => sourceOf.get(each) ?? '');
    this.isLast = this.source.map((each) => lastOnes.has(each));
    /** How often something calls each function that does without the last file. */
    this.calls = this.names.map(() => 0);
  }

  /** @param {(hlo: any) => unknown} work @param {number} count */
  async run(work, count) {
    const hlo = await load({ wasm: this.bytes });
    try {
      work(hlo);
    } catch {
      // Some programs are there to be refused.
    }
    const called = calls();
    if (called.some((is, i) => is && this.isLast[i])) return;
    for (const [i, is] of called.entries()) if (is) this.calls[i] += count;
  }
}

const [out, ...args] = process.argv.slice(2);
const builds = [];
for (let i = 0; i < args.length; i += 2) builds.push(new Build(args[i], args[i + 1]));
for await (const [work, count] of works()) for (const build of builds) await build.run(work, count);

/** Whether each function is usual in some build, by its source file and name. @type {Map<string, Map<string, boolean>>} */
const found = new Map();
for (const { names, source, isLast, calls: times } of builds)
  for (const [i, each] of names.entries()) {
    if (!source[i] || isLast[i] || ALWAYS.test(source[i])) continue;
    const ofFile = found.get(source[i]) ?? new Map();
    const name = nameInC(each);
    found.set(source[i], ofFile.set(name, times[i] > FEW || ofFile.get(name) === true));
  }
const lines = [...found].map(([source, ofFile]) => {
  const seldom = [...ofFile].filter(([, is]) => !is).map(([name]) => name);
  return seldom.length > 0 ? `${source}: ${seldom.sort().join(' ')}\n` : '';
});
writeFileSync(out, lines.sort().join(''));
