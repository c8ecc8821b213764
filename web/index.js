// hlo-wasm: XLA's array language in WebAssembly. The package's entry point.
/// <reference lib="esnext.disposable" preserve="true" />
import { HloArray, shapeText } from './array.js';
import { Builder, Computation, Value } from './builder.js';
import { nameClasses } from './class_names.js';
import { allocateArray, createArray } from './create.js';
import { inXlaNames } from './dtypes.js';
import { registerCustomCall } from './custom_calls.js';
import { Shape, shapeFrom } from './shape.js';
import { giveShapeProperties } from './shaped.js';
import { hints } from './elsewhere.js';
import { HloError } from './errors.js';
import { absolute, allAddresses } from './files.js';
import { Indexing } from './indexing.js';
import { IndexingMap } from './indexing_map.js';
import { Instruction } from './inspect.js';
import { jit } from './jit.js';
import { throwExplained } from './loader.js';
import { readNpy, writeNpy } from './npy.js';
import { readNpz, writeNpz } from './npz.js';
import { nnOf } from './nn/functions.js';
import { methodsOf } from './methods/methods.js';
import { methodNames } from './methods/names.js';
import { numpyOf } from './numpy/functions.js';
import { operationsOf, signaturesOf } from './operations.js';
import { compileSource, OpenExecutable } from './open_program.js';
import {
  checkArguments,
  checkMethods,
  checkOptions,
  checkText,
  nameOf,
  signatureOf,
} from './options.js';
import { Executable } from './executable.js';
import { addedParts } from './parts.js';
import { Module } from './program.js';
import { readSafetensors, writeSafetensors } from './safetensors.js';
import { methods } from './signatures.js';
import { specialOf } from './special/functions.js';
import { startEngine } from './start.js';
import { eagerOperations, tidy } from './trace.js';
import { isShape } from './tree.js';
import { startWorker } from './workers.js';

export * from './errors.js';
export { bestBuild } from './loader.js';
export {
  Builder,
  Computation,
  Executable,
  HloArray,
  Indexing,
  IndexingMap,
  Instruction,
  Module,
  OpenExecutable,
  Shape,
  Value,
};
/** For web/numpy and web/worker, whose bundles share what this file exports. @internal */
export {
  checkArguments,
  checkMethods,
  checkOptions,
  giveShapeProperties,
  isShape,
  methodNames,
  nameOf,
  shapeFrom,
  signatureOf,
};
/** For web/worker. @internal */
export const workerFiles = { absolute, allAddresses, startWorker };

/** @typedef {import('./loader.js').LoadOptions} LoadOptions */
/** @typedef {import('./loader.js').Build} Build */
/** @typedef {import('./parts.js').Part} Part */
/** @typedef {import('./one_thread.js').ThreadsInfo} ThreadsInfo */
/** @typedef {import('./custom_calls.js').CustomCall} CustomCall */
/** @typedef {import('./custom_calls.js').CustomCallInfo} CustomCallInfo */
/** @typedef {import('./create.js').ArrayOptions} ArrayOptions */
/** @typedef {import('./create.js').ArrayData} ArrayData */
/** @typedef {import('./array.js').LayoutOption} LayoutOption */
/** @typedef {import('./dtypes.js').ElementType} ElementType */
/** @typedef {import('./elements.js').NestedList} NestedList */
/** @typedef {import('./elements.js').TypedArray} TypedArray */
/** @typedef {import('./signatures.js').Operations} Operations */
/** @typedef {import('./engine.js').ShapeInfo} ShapeInfo */
/** @typedef {import('./engine.js').TypeInfo} TypeInfo */
/** @typedef {import('./engine.js').OpInfo} OpInfo */
/** @typedef {import('./indexing.js').IndexingOptions} IndexingOptions */
/** @typedef {import('./indexing.js').IndexingEntry} IndexingEntry */
/** @typedef {import('./indexing.js').IndexingMapInfo} IndexingMapInfo */
/** @typedef {import('./indexing.js').Utilization} Utilization */
/** @typedef {import('./indexing.js').Coalescing} Coalescing */
/** @typedef {import('./indexing.js').Tile} Tile */
/** @typedef {import('./indexing_map.js').MapPoint} MapPoint */
/** @typedef {import('./program.js').Traffic} Traffic */
/** @typedef {import('./jit.js').JitOptions} JitOptions */
/** @typedef {import('./jit.js').JitMembers} JitMembers */
/** @typedef {import('./text_format.js').TextFormat} TextFormat */
/** @typedef {import('./text_format.js').ProgramSource} ProgramSource */
/** @typedef {import('./program.js').ParseOptions} ParseOptions */
/** @typedef {import('./program.js').Cost} Cost */
/** @typedef {import('./program.js').CostReport} CostReport */
/** @typedef {import('./inspect.js').Graph} Graph */

/** An engine: arrays, operations and programs that share one memory. Made by load(). */
export class Hlo {
  #engine;

  /** @type {import('./numpy/types.js').NumPy | undefined} */
  #numpy;

  /** @type {import('./nn/types.js').NeuralNetworks | undefined} */
  #nn;

  /** @type {import('./special/types.js').SpecialFunctions | undefined} */
  #special;

  /** @param {import('./engine.js').Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return `Hlo { build: '${this.build}', ${this.ops.length} operations, ${this.memory.inUse} bytes in use }`;
  }

  /** Which build runs, as load({ build }) names it. @returns {Build} */
  get build() {
    return this.#engine.build;
  }

  /**
   * NumPy's functions, under their names in camelCase: `const { np } = await load()`.
   * @returns {import('./numpy/types.js').NumPy}
   */
  get np() {
    return (this.#numpy ??= numpyOf(this));
  }

  /**
   * Functions of neural networks, with the names of jax.nn in camelCase: `const { nn } = await load()`.
   * @returns {import('./nn/types.js').NeuralNetworks}
   */
  get nn() {
    return (this.#nn ??= nnOf(this));
  }

  /**
   * Special functions, with the names of jax.scipy.special in camelCase: `const { special } = await load()`.
   * @returns {import('./special/types.js').SpecialFunctions}
   */
  get special() {
    return (this.#special ??= specialOf(this));
  }

  /** How many threads compute, and if it is only one, why. @returns {ThreadsInfo} */
  get threads() {
    return this.#engine.threads.info;
  }

  /** The parts that are there. @returns {Part[]} */
  get parts() {
    return ['arrays', ...addedParts.filter((part) => this.#engine.parts.modules[part])];
  }

  /**
   * Loads further parts, from the addresses that load() was given. Calls that failed without them work from then on.
   * (Two operands are added: with them it is the operation of that name.)
   * @param {Part | Part[]} parts
   * @returns {Promise<void>}
   */
  add(parts) {
    return this.#engine.add(parts).catch(throwExplained);
  }

  /**
   * Ends the engine's other threads, and frees the programs that were made for calls: of operations, of functions of np, nn and
   * special, and of what jit gave. A call makes its program again. Arrays, and programs of compile(), stay, and go on with one
   * thread.
   */
  dispose() {
    this.#engine.threads.end();
    this.#engine.caches.clear();
  }

  /** For `using`, where JavaScript has it: the same as dispose(). */
  [Symbol.dispose]() {
    this.dispose();
  }

  /** All operations with their arity and attributes, as the engine knows them. @returns {OpInfo[]} */
  get ops() {
    return this.#engine.ops;
  }

  /** All element types. @returns {TypeInfo[]} */
  get types() {
    return [...this.#engine.types.values()];
  }

  /** Bytes that arrays and programs take up in the engine: now, and at most so far. @returns {{ inUse: number, peak: number }} */
  get memory() {
    return this.#engine.memory;
  }

  /** Limits the bytes in use: creating arrays and running programs beyond it is an error. @param {number} bytes */
  setMemoryLimit(bytes) {
    if (typeof bytes !== 'number' || !(bytes > 0))
      throw new HloError('the limit is a number of bytes above 0; Infinity for none');
    this.#engine.setMemoryLimit(bytes);
  }

  /**
   * An array from nested lists, one element, a typed array that holds the memory in the layout given (an ArrayBuffer,
   * SharedArrayBuffer or DataView do as well, with a type), or text: "f32[2,3] {{8, 10, 12}, {11, 13, 15}}". The elements
   * are copied.
   * @param {ArrayData} data
   * @param {ElementType | ArrayOptions} [options] an element type, or options
   * @returns {HloArray} owned by the caller
   */
  array(data, options) {
    return createArray(this.#engine, data, options);
  }

  /**
   * A shape, checked: from its text form, or from type, dimensions and layout.
   * @param {string} text "f32[2,3]{0,1}", "(s32[], f32[<=4])", or an element type
   * @param {number[]} [dims]
   * @param {LayoutOption} [layout]
   * @returns {ShapeInfo}
   */
  shape(text, dims, layout) {
    checkText(text, 'a shape');
    const form = dims ? shapeText(text, dims, layout) : inXlaNames(text);
    this.#engine.count('hlo_api_shape_parse', form);
    return shapeFrom(JSON.parse(this.#engine.text()));
  }

  /**
   * A program from HLO or StableHLO text, or from the bytes of a StableHLO portable artifact, of a file of jax.export
   * (`exported.serialize()`) or of a serialized HLO module (`HloModuleProto`).
   * @param {ProgramSource} program
   * @param {TextFormat | ParseOptions} [options] the format; shapes of the arguments of a program that leaves sizes open
   * @returns {Module} owned by the caller
   */
  parse(program, options) {
    return Module.parse(this.#engine, program, options);
  }

  /**
   * A program from text or bytes, ready to run. A StableHLO program that leaves sizes of its arguments open (`tensor<?x4xf32>`),
   * unless `shapes` gives them, becomes an OpenExecutable: it takes arguments of any shapes that fit. Executables of the same
   * text share their plan. dispose() frees everything created here, including the module.
   * @param {ProgramSource | Module} program
   * @param {import('./program.js').CompileOptions & ParseOptions} [options]
   * @returns {Executable} owned by the caller
   */
  compile(program, options = {}) {
    checkOptions('compile', options, 'format shapes computation reference optimize fuseAll target');
    if (!(program instanceof Module)) return compileSource(this.#engine, program, options);
    const { format, shapes, ...others } = options;
    return program.compile(others);
  }

  /**
   * Registers a function that executes the custom calls of that target, in programs compiled from now on. It receives the
   * operands and a description of the call, and returns the result.
   * @param {string} target
   * @param {CustomCall | null} body null removes the function
   */
  registerCustomCall(target, body) {
    registerCustomCall(this.#engine, target, body);
  }

  /**
   * A function that runs as one compiled program, traced once per combination of argument structures and shapes. Arguments
   * and results may be arrays, and lists, objects and Maps of them; null stays null. Other plain values among the arguments
   * are compiled into the program: a new value means a new trace. Anything else (functions, instances of classes) has to be
   * named in `static`. The function runs once per trace, on values without elements: its other side effects happen then, and
   * arrays that it captures become constants of the program.
   * @template {HloArray[]} A
   * @template R
   * @overload
   * @param {(...args: A) => R extends import('./jit.js').Untraceable ? never : R} body not async
   * @param {JitOptions} [options]
   * @returns {((...args: A) => R) & JitMembers}
   */
  /**
   * @template {(...args: never[]) => unknown} F
   * @overload
   * @param {F & (ReturnType<F> extends import('./jit.js').Untraceable ? never : F)} body
   * @param {JitOptions} [options]
   * @returns {F & JitMembers}
   */
  /**
   * @param {(...args: any[]) => any} body
   * @param {JitOptions} [options]
   * @returns {any}
   */
  jit(body, options) {
    return jit(this.#engine, body, options);
  }

  /**
   * Calls a function and disposes of the arrays created meanwhile, except those that it returns (alone, or in lists and
   * objects). Arrays that are given, too, are used up: `y = hlo.tidy(() => hlo.add(y, 1), y)` frees the old y.
   * @template T
   * @param {() => T} body not async
   * @param {...HloArray} consumed
   * @returns {T}
   */
  tidy(body, ...consumed) {
    return tidy(this.#engine, body, consumed);
  }

  /**
   * An indexing map as a value, to evaluate, compose, simplify, intersect, compare and enumerate.
   * @param {string} text "(d0)[s0] -> (d0 * 4 + s0), domain: d0 in [0, 7], s0 in [0, 3]"
   * @returns {IndexingMap} owned by the caller
   */
  indexingMap(text) {
    return IndexingMap.parse(this.#engine, text);
  }

  /**
   * One indexing map in text form, simplified: "(d0)[s0] -> (d0 floordiv 8, s0), domain: d0 in [0, 7], s0 in [0, 3]".
   * @param {string} text
   */
  simplifyMap(text) {
    this.#engine.count('hlo_api_map_simplify', checkText(text, 'a map'));
    return this.#engine.text();
  }

  /** A module to be built instruction by instruction. @param {string} [name] */
  builder(name) {
    return new Builder(this.#engine, name);
  }

  /** An array from a .npy file's bytes. @param {Uint8Array | ArrayBuffer} bytes @returns {HloArray} owned by the caller */
  fromNpy(bytes) {
    return this.#fromBytes(readNpy(fileOf(bytes)));
  }

  /** @type {(read: { type: string, dims: number[], fortranOrder?: boolean, data: Uint8Array }) => HloArray} */
  #fromBytes({ type, dims, fortranOrder, data }) {
    const layout = fortranOrder ? dims.map((_, d) => d) : null;
    const array = allocateArray(this.#engine, shapeText(type, dims, layout));
    this.#engine.write(this.#engine.call('hlo_api_array_data', array.handle), data);
    return array;
  }

  /** A .npy file with the array. @param {HloArray} array @returns {Uint8Array} */
  toNpy(array) {
    const data = bytesOf(array);
    return writeNpy(array.type, array.dims, data);
  }

  /**
   * The arrays of a .npz file.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @returns {Promise<Record<string, HloArray>>} an object without prototype; the arrays are owned by the caller
   */
  async fromNpz(bytes) {
    return this.#fromFiles(await readNpz(fileOf(bytes)), (file) => readNpy(file));
  }

  /** A .npz file with the arrays. @param {Record<string, HloArray>} arrays @returns {Uint8Array} */
  toNpz(arrays) {
    return writeNpz(mapValues(arrays, (array) => this.toNpy(array)));
  }

  /**
   * The arrays of a .safetensors file.
   * @param {Uint8Array | ArrayBuffer} bytes
   * @returns {Record<string, HloArray>} an object without prototype; the arrays are owned by the caller
   */
  fromSafetensors(bytes) {
    const tensors = readSafetensors(
      fileOf(bytes),
      (type) => /** @type {TypeInfo} */ (this.#engine.types.get(type)).bytes,
    );
    return this.#fromFiles(tensors, (tensor) => tensor);
  }

  /**
   * Arrays of all files, or none: if one is rejected, the others are disposed of.
   * @template A
   * @param {Record<string, A>} files
   * @param {(file: A) => { type: string, dims: number[], fortranOrder?: boolean, data: Uint8Array }} read
   * @returns {Record<string, HloArray>} without prototype, so that any name is one
   */
  #fromFiles(files, read) {
    /** @type {Record<string, HloArray>} */
    const arrays = Object.create(null);
    for (const [name, file] of Object.entries(files))
      try {
        arrays[name] = this.#fromBytes(read(file));
      } catch (error) {
        for (const array of Object.values(arrays)) array.dispose();
        if (error instanceof HloError)
          error.message = `${JSON.stringify(name).slice(0, 80)}: ${error.message}`;
        throw error;
      }
    return arrays;
  }

  /** A .safetensors file with the arrays. @param {Record<string, HloArray>} arrays @returns {Uint8Array} */
  toSafetensors(arrays) {
    return writeSafetensors(
      mapValues(arrays, (array) => ({ data: bytesOf(array), type: array.type, dims: array.dims })),
    );
  }
}

Object.setPrototypeOf(
  Hlo.prototype,
  hints('hlo', (hlo) => (Object.hasOwn(hlo, 'constructor') ? undefined : hlo)),
);

/** @type {Record<string, Function>} */
const classes = {
  ...{
    Builder,
    Computation,
    Executable,
    Hlo,
    HloArray,
    Indexing,
    IndexingMap,
    Instruction,
    Module,
  },
  ...{ OpenExecutable, Shape, Value },
};
nameClasses(classes);
for (const [name, taken] of Object.entries(methods)) checkMethods(classes[name], taken);

/** @param {HloArray} array @returns {Uint8Array} its elements in row-major order */
function bytesOf(array) {
  if (!(array instanceof HloArray)) throw new HloError(`expected an array, got ${nameOf(array)}`);
  return new Uint8Array(array.toTypedArray().buffer);
}

/** @param {any} bytes @returns {Uint8Array} of a file */
function fileOf(bytes) {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  if (bytes instanceof Uint8Array) return bytes;
  throw new HloError(`a file is a Uint8Array or an ArrayBuffer, got ${nameOf(bytes)}`);
}

/**
 * @template A, B
 * @param {Record<string, A>} record
 * @param {(value: A) => B} replace
 * @returns {Record<string, B>}
 */
function mapValues(record, replace) {
  if (Object(record) !== record)
    throw new HloError(`expected arrays by their names, got ${nameOf(record)}`);
  const replaced = Object.create(null);
  for (const [name, value] of Object.entries(record)) replaced[name] = replace(value);
  return replaced;
}

/**
 * @param {import('./engine.js').Engine} engine
 * @param {(x: HloArray, type: string) => HloArray} convert
 * @returns {import('./engine.js').Engine['floatTable']}
 */
function floatTables(engine, convert) {
  /** @type {Map<string, Float64Array>} */
  const tables = new Map();
  return ({ name, bits }) => {
    const table = tables.get(name);
    if (table) return table;
    const patterns = createArray(
      engine,
      Uint8Array.from({ length: 2 ** bits }, (_, i) => i),
      name,
    );
    const values = convert(patterns, 'f64');
    tables.set(name, values.toTypedArray());
    patterns.dispose();
    values.dispose();
    return /** @type {Float64Array} */ (tables.get(name));
  };
}

/** @param {any} argument the only one of add() */
const namesParts = (argument) =>
  typeof argument === 'string' ||
  (Array.isArray(argument) && argument.every((part) => typeof part === 'string'));

const LOAD = signatureOf(
  'options{parts wasm programs extras build threads worker customCalls platform}',
);

/**
 * Loads the engine: by default the best build for this JavaScript engine, from the folder of this file.
 * @param {LoadOptions} [options]
 * @returns {Promise<Hlo & Operations>}
 */
export async function load(options = {}) {
  checkArguments('load', LOAD, arguments);
  if (typeof WebAssembly === 'undefined')
    throw new HloError('this JavaScript engine has no WebAssembly', 'unsupported');
  const engine = await startEngine(options).catch(throwExplained);
  if (options.platform !== undefined) engine.platform = checkText(options.platform, 'a platform');
  engine.operations = operationsOf(engine);
  const operations = eagerOperations(engine, signaturesOf(engine));
  engine.floatTable = floatTables(engine, operations.convert);
  for (const [target, body] of Object.entries(options.customCalls ?? {}))
    registerCustomCall(engine, target, body);
  const hlo = new Hlo(engine);
  engine.hlo = hlo;
  engine.makeMethods = () => methodsOf(hlo);
  const { add } = operations;
  // With the operation's name, by which functions given to operations are recognised.
  Object.assign(operations, {
    add: (/** @type {any[]} */ ...args) =>
      args.length === 1 && namesParts(args[0])
        ? Hlo.prototype.add.call(hlo, /** @type {any} */ (args[0]))
        : add(...args),
  });
  // `const { np, jit } = await load()` takes methods out of their object.
  for (const name of Object.keys(methods.Hlo)) {
    const value = /** @type {any} */ (hlo)[name].bind(hlo);
    Object.defineProperty(hlo, name, { value, configurable: true, writable: true });
  }
  return /** @type {any} */ (Object.assign(hlo, operations));
}
