// What a worker does with messages that its client would not send: it answers each that has a number for its id once, with a
// value or an error of this package, ignores the others, and works on. The messages are made of seeds, counted.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';

const script = new URL('../../web/wasm/hlo-worker.js', import.meta.url);
const files = new URL('../../web/wasm/', import.meta.url);
const wasm = Object.fromEntries(
  ['wasm', 'programs', 'extras'].map((file) => [
    file,
    new URL(file === 'wasm' ? 'hlo.wasm' : `hlo-${file}.wasm`, files).href,
  ]),
);
const workers = [];
after(() => Promise.all(workers.map((worker) => worker.terminate())));

/** A worker with what it has said, and a way to wait until it has said something with that id. */
function start() {
  const worker = new Worker(script);
  workers.push(worker);
  const said = [];
  const ended = new Promise((_, reject) => {
    worker.on('error', reject);
    worker.on('exit', (code) => reject(new Error(`the worker ended with code ${code}`)));
  });
  ended.catch(() => {});
  const until = (matches) =>
    Promise.race([
      ended,
      new Promise((resolve) => {
        const look = (message) => matches(message) && resolve(message);
        said.forEach(look);
        worker.on('message', look);
      }),
    ]);
  worker.on('message', (message) => said.push(message));
  return { worker, said, until };
}

let nextCheck = 1e6;

/** Loads the engine, unless it is there, and makes sure that it computes. */
async function checkItWorks({ worker, until }) {
  const [made, read] = [nextCheck++, nextCheck++];
  worker.postMessage({ load: wasm });
  worker.postMessage({ id: made, on: 0, method: 'array', args: [[1, 2], 'f32'] });
  const { value, error } = await until(({ id }) => id === made);
  assert.equal(error, undefined);
  worker.postMessage({ id: read, on: value.object, method: 'toNested', args: [] });
  assert.deepEqual((await until(({ id }) => id === read)).value, [1, 2]);
}

const isError = (error) =>
  [
    'HloError',
    'ParseError',
    'ShapeError',
    'UnsupportedError',
    'RunError',
    'DisposedError',
  ].includes(error?.name) &&
  typeof error.message === 'string' &&
  typeof error.code === 'string';

const cyclic = [];
cyclic.push(cyclic);
const shared = Array.from({ length: 40 }).reduce((list) => ({ a: list, b: list }), { c: 1 });
const things = [
  ...[
    null,
    undefined,
    0,
    -1,
    1.5,
    NaN,
    Infinity,
    2n,
    true,
    '',
    'text',
    'array',
    'dispose',
    'toNested',
  ],
  ...[
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'run',
    'runAsync',
    'compile',
    'then',
  ],
  ...[[], [[]], {}, new Map(), new Set([1]), new Date(0), /x/, new Error('x'), new Uint8Array(3)],
  ...[{ object: 1 }, { object: 99 }, { object: null }, { object: -0.5 }, [null], [[1, 2], 'f32']],
  ...[new ArrayBuffer(4), { object: 1, shape: 5 }, cyclic, shared, ['onProgress'], [5], [{}]],
  ...[
    new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }),
    { load: null },
    { abort: {} },
  ],
];
const keys = ['id', 'on', 'method', 'args', 'events', 'load', 'abort', 'module', 'later', 'memory'];
keys.push('thread', 'stack', 'slots', 'addresses');

/** Numbers that look random, the same each time. */
function generator(seed) {
  return (count) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * count);
  };
}

/** A message: any thing, or a call that is wrong in some places. */
function messageOf(random, id) {
  const thing = () => things[random(things.length)];
  if (random(6) === 0) return thing();
  const message = { id, on: 0, method: 'array', args: [[1, 2], 'f32'], events: [] };
  for (let changes = 1 + random(3); changes > 0; changes--) {
    const key = keys[random(keys.length)];
    if (random(4) === 0) delete message[key];
    else message[key] = thing();
  }
  return message;
}

for (const [when, isLoaded] of [
  ['before the engine is there', false],
  ['when it is there', true],
])
  test(`malformed messages, ${when}`, async () => {
    const at = start();
    if (isLoaded) await checkItWorks(at);
    const random = generator(isLoaded ? 1 : 2);
    const sent = [];
    for (let id = 1; id <= 3000; id++) {
      const message = messageOf(random, id);
      if (message && Object.getPrototypeOf(message) === Object.prototype) sent.push(message);
      at.worker.postMessage(message);
    }
    await checkItWorks(at);
    for (const message of at.said) {
      if ('ready' in message) continue;
      if ('failed' in message) assert.ok(isError(message.failed), JSON.stringify(message));
      else {
        assert.equal(typeof message.id, 'number');
        assert.ok('value' in message || isError(message.error), JSON.stringify(message));
      }
    }
    const answers = Map.groupBy
      ? Map.groupBy(at.said, ({ id }) => id)
      : at.said.reduce((map, one) => map.set(one.id, [...(map.get(one.id) ?? []), one]), new Map());
    let asked = 0;
    for (const message of sent) {
      const { id } = message;
      const isCall = typeof id === 'number' && !('load' in message) && !('abort' in message);
      if (!isCall || !(id >= 1 && id <= 3000 && Number.isInteger(id))) continue;
      asked++;
      assert.ok(answers.has(id), `no answer to ${Object.entries(message)}`);
      if (id > 1) assert.equal(answers.get(id).length, 1, `answers to ${Object.entries(message)}`);
    }
    assert.ok(asked > 1000);
  });

test('each thing alone as a message', async () => {
  const at = start();
  for (const thing of things) at.worker.postMessage(thing);
  await checkItWorks(at);
  for (const thing of things) at.worker.postMessage(thing);
  await checkItWorks(at);
});

test('a load that fails says why, and a call to no engine does', async () => {
  for (const options of [
    null,
    5,
    { build: 'none' },
    { wasm: 'http://localhost:1/x.wasm' },
    { x: 1 },
  ]) {
    const { worker, until } = start();
    worker.postMessage({ load: options });
    const { failed } = await until((message) => message.failed);
    assert.ok(isError(failed), JSON.stringify(failed));
    worker.postMessage({ id: 7, on: 0, method: 'array', args: [[1]] });
    const { error } = await until(({ id }) => id === 7);
    assert.match(error.message, /no engine in this worker/);
  }
});
