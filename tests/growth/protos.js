// Serialized HLO modules that grow in one dimension, written by hand as XLA's hlo.proto and xla_data.proto say.
import { collisions } from './collisions.js';

/** A message as its pieces. @typedef {(number | Uint8Array)[]} Message */

const utf8 = new TextEncoder();

/** @param {number} n @returns {number[]} */
const varint = (n) => (n < 128 ? [n] : [(n % 128) | 128, ...varint(Math.floor(n / 128))]);

/** @param {Message[]} parts @returns {Uint8Array} */
function bytesOf(...parts) {
  const pieces = parts.flat();
  const size = pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'number' ? 1 : piece.length),
    0,
  );
  const out = new Uint8Array(Number(size));
  let at = 0;
  for (const piece of pieces)
    if (typeof piece === 'number') out[at++] = piece;
    else {
      out.set(piece, at);
      at += piece.length;
    }
  return out;
}

/** @param {number} number @param {Uint8Array} bytes @returns {Message} */
const field = (number, bytes) => [...varint(number * 8 + 2), ...varint(bytes.length), bytes];
/** @param {number} number @param {string} value */
const text = (number, value) => field(number, utf8.encode(value));
/** @param {number} number @param {number} value @returns {Message} */
const int = (number, value) => [...varint(number * 8), ...varint(value)];
/** @param {number} number @param {number[]} list */
const packed = (number, list) => field(number, bytesOf(list.flatMap(varint)));

/** @template T @param {number} n @param {(i: number) => T} item @returns {T[]} */
const list = (n, item) => Array.from({ length: n }, (_, i) => item(i));

const array = (/** @type {number[]} */ dims = [2]) => bytesOf(int(2, 11), packed(3, dims)); // f32
const tuple = (/** @type {Uint8Array[]} */ shapes) =>
  bytesOf(int(2, 13), ...shapes.map((shape) => field(4, shape)));

/**
 * @param {number} id
 * @param {string} opcode
 * @param {number[]} [operands]
 * @param {{ name?: string, shape?: Uint8Array, more?: Message[] }} [how]
 * @returns {Message}
 */
function instruction(
  id,
  opcode,
  operands = [],
  { name = `i${id}`, shape = array(), more = [] } = {},
) {
  const fields = [
    text(1, name),
    text(2, opcode),
    field(3, shape),
    int(35, id),
    packed(36, operands),
  ];
  return field(2, bytesOf(...fields, ...more));
}

/** @param {string} name @param {number} id @param {number} root @param {Message[]} instructions @returns {Message} */
const computation = (name, id, root, instructions) =>
  field(3, bytesOf(text(1, name), int(5, id), int(6, root), ...instructions));

/** @param {Message[]} instructions @param {number} root @param {Message[]} [others] computations */
const moduleOf = (instructions, root, others = []) =>
  bytesOf(
    text(1, 'm'),
    text(2, 'e'),
    ...others,
    computation('e', 1e6, root, instructions),
    int(6, 1e6),
  );

const x = instruction(1, 'parameter');
/** n instructions, each of the one before. @param {number} n @param {(i: number) => { name?: string, more?: Message[] }} how @param {string} [opcode] */
const chain = (n, how = () => ({}), opcode = 'negate') => [
  x,
  ...list(n, (i) => instruction(i + 2, opcode, [i + 1], how(i))),
];
/** A computation of the sine of its parameter. @param {number} id */
const sine = (id) =>
  computation(`f${id}`, id, 2e6 + id, [
    instruction(3e6 + id, 'parameter'),
    instruction(2e6 + id, 'sine', [3e6 + id]),
  ]);
/** @param {number} id of the computation */
const calls = (id) => ({ more: [packed(38, [id])] });

/** @type {Record<string, (n: number) => Uint8Array>} */
export const protos = {
  chain: (n) => moduleOf(chain(n), n + 1),
  'chain in reverse order': (n) => moduleOf(chain(n).reverse(), n + 1),
  computations: (n) =>
    moduleOf(
      chain(n, (i) => calls(i + 1), 'call'),
      n + 1,
      list(n, (i) => sine(i + 1)),
    ),
  'nested calls': (n) =>
    moduleOf([x, instruction(2, 'call', [1], calls(n))], 2, [
      sine(1),
      ...list(n - 1, (i) =>
        computation(`g${i}`, i + 2, 5e6 + i, [
          instruction(4e6 + i, 'parameter'),
          instruction(5e6 + i, 'call', [4e6 + i], calls(i + 1)),
        ]),
      ),
    ]),
  operands: (n) =>
    moduleOf(
      [
        x,
        instruction(
          2,
          'concatenate',
          list(n, () => 1),
          { shape: array([2 * n]), more: [packed(14, [0])] },
        ),
      ],
      2,
    ),
  'wide tuple': (n) => {
    const shape = tuple(list(n, () => array()));
    const elements = list(n, (i) =>
      instruction(i + 3, 'get-tuple-element', [2], { more: [int(13, i)] }),
    );
    return moduleOf(
      [
        x,
        instruction(
          2,
          'tuple',
          list(n, () => 1),
          { shape },
        ),
        ...elements,
      ],
      n + 2,
    );
  },
  'deep tuple': (n) => {
    let shape = array();
    for (let i = 0; i < n; i++) shape = tuple([shape]);
    return moduleOf([instruction(1, 'parameter', [], { shape })], 1);
  },
  dimensions: (n) => {
    const shape = array(list(n, () => 1));
    return moduleOf([instruction(1, 'parameter', [], { shape })], 1);
  },
  'control predecessors': (n) =>
    moduleOf(
      [
        ...chain(n),
        instruction(n + 2, 'negate', [1], {
          more: [
            packed(
              37,
              list(n, (i) => i + 2),
            ),
          ],
        }),
      ],
      n + 2,
    ),
  'frontend attributes': (n) => {
    const entries = list(n, (i) => field(1, bytesOf(text(1, `a${i}`), text(2, 'v'))));
    return moduleOf(
      [x, instruction(2, 'negate', [1], { more: [field(68, bytesOf(...entries))] })],
      2,
    );
  },
  'unknown fields': (n) =>
    moduleOf([x, instruction(2, 'negate', [1], { more: list(n, (i) => int(900, i)) })], 2),
  'backend configuration': (n) =>
    moduleOf([x, instruction(2, 'negate', [1], { more: [text(43, 'c'.repeat(n))] })], 2),
  'a long name': (n) => moduleOf([x, instruction(2, 'negate', [1], { name: 'n'.repeat(n) })], 2),
  'equal names': (n) =>
    moduleOf(
      chain(n, () => ({ name: 'same' })),
      n + 1,
    ),
  'names that collide': (n) => {
    const names = collisions(n);
    return moduleOf(
      chain(n, (i) => ({ name: names[i] })),
      n + 1,
    );
  },
  literal: (n) => {
    const values = new Uint8Array(new Float32Array(n).fill(1.5).buffer);
    const more = [field(8, bytesOf(field(1, array([n])), field(8, values)))];
    return moduleOf([instruction(1, 'constant', [], { shape: array([n]), more })], 1);
  },
  constants: (n) =>
    moduleOf(
      [
        ...list(n, (i) => {
          const values = new Uint8Array(new Float32Array([i]).buffer);
          const more = [field(8, bytesOf(field(1, array([])), field(8, values)))];
          return instruction(i + 1, 'constant', [], { shape: array([]), more });
        }),
        instruction(n + 1, 'negate', [n], { shape: array([]) }),
      ],
      n + 1,
    ),
  'schedule and metadata': (n) =>
    moduleOf(
      chain(n, (i) => ({
        more: [field(7, bytesOf(text(1, 'sin'), text(2, `jit(f)/sin${i}`), int(4, i)))],
      })),
      n + 1,
    ),
};
