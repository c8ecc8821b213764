// .npy files: the fixtures that NumPy wrote, round trips, byte and element order, broken files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, ParseError } from '../../web/index.js';
import { readNpy, writeNpy } from '../../web/npy.js';

const hlo = await load();
const labels = readFileSync(
  new URL('../../demo/examples/classifier/output_labels.npy', import.meta.url),
);

test('reads what NumPy wrote', () => {
  const x = hlo.fromNpy(labels);
  assert.equal(x.xla.text, 's32[16]');
  assert.deepEqual(Buffer.from(hlo.toNpy(x)), labels);
});

test('round trips every type NumPy has', () => {
  for (const type of [
    'pred',
    's8',
    's16',
    's32',
    's64',
    'u8',
    'u16',
    'u32',
    'u64',
    'f16',
    'bf16',
    'f32',
    'f64',
    'c64',
    'c128',
  ])
    for (const dims of [[], [3], [2, 3], [0, 2]]) {
      const x = hlo.iota('f32', dims.length ? dims : [1]);
      const y = hlo.convert(hlo.reshape(x, dims), type);
      assert.equal(String(hlo.fromNpy(hlo.toNpy(y))), String(y));
    }
});

/** A file with a header of the caller's. */
function npy(header, data, version = 1) {
  const bytes = Buffer.from(header.padEnd(117) + '\n', 'latin1');
  const length = version === 1 ? [bytes.length & 255, bytes.length >> 8] : [bytes.length, 0, 0, 0];
  return Buffer.concat([
    Buffer.from('\x93NUMPY', 'latin1'),
    Buffer.from([version, 0, ...length]),
    bytes,
    Buffer.from(data),
  ]);
}

test('column-major, big-endian and version 2 files', () => {
  const fortran = npy(
    "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
    [1, 4, 2, 5, 3, 6],
  );
  assert.equal(String(hlo.fromNpy(fortran)).replace(/\s/g, ''), 'u8[2,3]{0,1}{{1,2,3},{4,5,6}}');
  const big = npy("{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", [0, 1, 1, 0], 2);
  assert.deepEqual([...hlo.fromNpy(big).toTypedArray()], [1, 256]);
});

test('broken files are errors', () => {
  for (let length = 0; length < labels.length; length++)
    assert.throws(() => readNpy(labels.subarray(0, length)), ParseError);
  assert.throws(
    () => readNpy(npy("{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }", [])),
    /U4/,
  );
  assert.throws(
    () => readNpy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999,), }", [])),
    ParseError,
  );
  assert.throws(() => writeNpy('f8e4m3fn', [], new Uint8Array(1)), /convert/);
});
