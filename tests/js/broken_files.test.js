// Files of arrays that are broken on purpose: what they claim against what they hold, headers against their grammar, and
// thousands of mutations. A file is read as it says or refused with an HloError; nothing stays in use afterwards.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { HloError, load, ParseError } from '../../web/index.js';
import { readNpy } from '../../web/npy.js';
import { crc32 } from '../../web/crc32.js';
import { RandomProgram } from './random_program.js';

const hlo = await load();
const fixture = (name) => readFileSync(new URL(`../fixtures/array_files/${name}`, import.meta.url));

// --- files made by hand ---

/** A .npy file of one header. */
function npy(header, data = [], version = [1, 0]) {
  const bytes = Buffer.from(header, 'latin1');
  const length = Buffer.alloc(version[0] === 1 ? 2 : 4);
  length.writeUIntLE(bytes.length, 0, length.length);
  const magic = Buffer.from('\x93NUMPY', 'latin1');
  return Buffer.concat([magic, Buffer.from(version), length, bytes, Buffer.from(data)]);
}
const headerOf = (shape, descr = "'|u1'") =>
  `{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }\n`;

/**
 * A ZIP archive. Each entry may state anything: size, crc, flags, method, local (its own header's place), name in the
 * local header, `gap` bytes before it, extra (a Buffer) and descriptor (a Buffer).
 */
function zip(entries, end = {}) {
  const parts = [];
  const directory = [];
  let at = 0;
  const put = (part) => {
    parts.push(part);
    at += part.length;
  };
  for (const e of entries) {
    put(Buffer.alloc(e.gap ?? 0));
    const method = e.method ?? 0;
    const packed = method === 8 ? deflateRawSync(e.data) : Buffer.from(e.data);
    const size = e.size ?? e.data.length;
    const crc = e.crc ?? crc32(e.data);
    const fields = (to, from, late) => {
      to.writeUInt16LE(e.flags ?? 0, from);
      to.writeUInt16LE(method, from + 2);
      to.writeUInt32LE(late ? 0 : crc, from + 8);
      to.writeUInt32LE(late ? 0 : packed.length, from + 12);
      to.writeUInt32LE(late ? 0 : size, from + 16);
    };
    const name = Buffer.from(e.name);
    const inner = Buffer.from(e.localName ?? e.name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    fields(header, 6, ((e.flags ?? 0) & 8) !== 0);
    header.writeUInt16LE(inner.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    fields(central, 8, false);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(e.local ?? at, 42);
    directory.push(central, name);
    put(Buffer.concat([header, inner, packed, e.descriptor ?? Buffer.alloc(0)]));
  }
  const list = Buffer.concat(directory);
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(end.here ?? entries.length, 8);
  record.writeUInt16LE(end.count ?? entries.length, 10);
  record.writeUInt32LE(end.size ?? list.length, 12);
  record.writeUInt32LE(end.start ?? at, 16);
  return Buffer.concat([...parts, list, record]);
}
const one = npy(headerOf('(3,)'), [1, 2, 3]);
const entry = (name, more = {}) => ({ name: `${name}.npy`, data: one, ...more });

/** A .safetensors file. */
function safetensors(header, data = []) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, Buffer.from(data)]);
}

/** Refused, with a message that says the place, and nothing in use afterwards. */
async function refuses(read, bytes, message, kind = ParseError) {
  const before = hlo.memory.inUse;
  await assert.rejects(
    async () => read(bytes),
    (error) => error instanceof kind && message.test(error.message),
  );
  assert.equal(hlo.memory.inUse, before);
}
const npz = (bytes) => hlo.fromNpz(bytes);
const tensors = (bytes) => hlo.fromSafetensors(bytes);

// --- .npy ---

test('.npy headers are Python dictionaries of three keys', () => {
  const shapes = [
    ['()', []],
    ['(3,)', [3]],
    ['( 3 , )', [3]],
    ['(3L,)', [3]],
    ['(0,)', [0]],
    ['(2,3)', [2, 3]],
    ['(2, 3,)', [2, 3]],
    ['(1_0,)', [10]],
  ];
  for (const [shape, dims] of shapes) {
    const count = dims.reduce((a, b) => a * b, 1);
    assert.deepEqual(readNpy(npy(headerOf(shape), Array(count).fill(1))).dims, dims, shape);
  }
  const other = `{"shape": (1,), 'fortran_order':True,\n'descr' : "|u1"}`;
  for (const version of [
    [1, 0],
    [2, 0],
    [3, 0],
  ])
    assert.deepEqual(readNpy(npy(other, [7], version)).fortranOrder, true);
  for (const shape of `(3) 3 (1e1,) (3.,) (03,) (-1,) (0x3,) (,) (,,) ( ,,2,) (1,,2) (1 2) (1,2 (2,,) [3] (True,) (1,)) (3_,)
    (9007199254740993,) ('3',) (3LL,) (+3,)`.split(/\s(?![,2])/))
    assert.throws(
      () => readNpy(npy(headerOf(shape), [1, 2, 3])),
      (error) => error instanceof ParseError && /at byte \d+/.test(error.message),
      shape,
    );
});

test('.npy headers that are none', () => {
  const good = headerOf('(3,)');
  for (const header of [
    '',
    '{}',
    good.slice(0, 40),
    `${good}x`,
    good.replace('}', ", 'more': 1}"),
    good.replace('}', ", 'shape': (3,)}"),
    good.replace("'shape'", "'constructor'"),
    good.replace("'shape'", "'__proto__'"),
    good.replace("'shape': (3,), ", ''),
    good.replace('False', 'false'),
    good.replace('False', '0'),
    good.replace("'|u1'", "[('a', '<f4')]"),
    good.replace("'|u1'", "'constructor'"),
    good.replace("'|u1'", "'u1'u1'"),
    good.replace("'|u1'", "'\\x7cu1'"),
  ])
    assert.throws(() => readNpy(npy(header, [1, 2, 3])), ParseError, header);
  for (const version of [
    [0, 0],
    [1, 1],
    [4, 0],
    [255, 0],
  ])
    assert.throws(() => readNpy(npy(good, [1, 2, 3], version)), /version/);
  assert.throws(() => readNpy(npy(good, [1, 2])), /2 bytes of elements/);
  assert.throws(() => readNpy(npy(good, [1, 2, 3, 4])), /4 bytes of elements/);
});

test('.npy headers of any length and rank are read or refused', () => {
  const long = headerOf('(3,)').replace('}\n', `}${' '.repeat(200_000)}\n`);
  assert.deepEqual(readNpy(npy(long, [1, 2, 3], [2, 0])).dims, [3]);
  for (const count of [100, 16_000, 100_000]) {
    const file = npy(headerOf(`(${'1,'.repeat(count)})`), [1], [2, 0]);
    assert.throws(() => hlo.fromNpy(file), HloError); // may enlarge what strings go to the engine in
    const before = hlo.memory.inUse;
    assert.throws(() => hlo.fromNpy(file), HloError);
    assert.equal(hlo.memory.inUse, before);
  }
});

test('truth values are 0 and 1 wherever they come from', async () => {
  const file = npy(headerOf('(4,)', "'|b1'"), [0, 1, 2, 255]);
  const expected = [false, true, true, true];
  const { x } = await hlo.fromNpz(zip([{ name: 'x.npy', data: file }]));
  const { y } = hlo.fromSafetensors(
    safetensors({ y: { dtype: 'BOOL', shape: [4], data_offsets: [0, 4] } }, [0, 1, 2, 255]),
  );
  for (const array of [hlo.fromNpy(file), x, y]) {
    assert.deepEqual(array.toNested(), expected);
    assert.deepEqual([...hlo.convert(array, 's32').toTypedArray()], [0, 1, 1, 1]);
    assert.deepEqual([...array.toTypedArray()], [0, 1, 1, 1]);
  }
});

// --- .npz ---

test('ZIP archives are read as their specification says', async () => {
  const late = (size, signature) => {
    const bytes = Buffer.alloc(4 + 2 * size);
    bytes.writeUInt32LE(crc32(one), 0);
    bytes.writeUIntLE(one.length, 4, 4);
    bytes.writeUIntLE(one.length, 4 + size, 4);
    return Buffer.concat([Buffer.from(signature ? 'PK\x07\x08' : ''), bytes]);
  };
  for (const descriptor of [late(4, false), late(4, true), late(8, false), late(8, true)]) {
    const file = zip([entry('a', { flags: 8, descriptor }), entry('b', { method: 8 })]);
    assert.deepEqual(Object.keys(await npz(file)), ['a', 'b']);
  }
  const names = ['__proto__', 'constructor', 'toString', 'a.b', ''];
  const arrays = await npz(zip(names.map((name) => entry(name))));
  assert.deepEqual(Object.keys(arrays), names);
  assert.equal(Object.getPrototypeOf(arrays), null);
  assert.deepEqual([...arrays['__proto__'].toTypedArray()], [1, 2, 3]);
  assert.deepEqual(Object.keys(await npz(hlo.toNpz(arrays))), names);
  const page437 = zip([{ name: Buffer.from([0x81, 0x2e, 0x6e, 0x70, 0x79]), data: one }]);
  assert.deepEqual(Object.keys(await npz(page437)), ['ü']);
  assert.deepEqual(Object.keys(await npz(zip([]))), []);
  const comment = Buffer.concat([zip([entry('a')]), Buffer.from('PK\x05\x06 and more')]);
  comment.writeUInt16LE(13, comment.length - 15);
  assert.deepEqual(Object.keys(await npz(comment)), ['a']);
});

test('.npz files whose parts do not agree', async () => {
  const cases = [
    [[entry('a', { size: 100, method: 8 })], /"a.npy" cannot be decompressed/],
    [[entry('a', { size: 1e9, method: 8 })], /"a.npy" cannot have 1000000000 bytes/],
    [[entry('a', { size: 4 })], /"a.npy" cannot have 4 bytes/],
    [[entry('a', { crc: 1 })], /"a.npy" is damaged.* byte 0/],
    [[entry('a', { crc: 1, method: 8 })], /"a.npy" is damaged/],
    [[entry('a', { flags: 1 })], /"a.npy" is encrypted/],
    [[entry('a', { flags: 64 })], /"a.npy" is encrypted/],
    [[entry('a', { flags: 8192 })], /"a.npy" is encrypted/],
    [[entry('a', { method: 9 })], /"a.npy" is compressed by method 9/],
    [[entry('a'), entry('b', { local: 0 })], /".\.npy", at byte 0, .* overlap/],
    [[entry('a'), entry('b', { gap: 4 })], /"a.npy" ends at byte \d+, .*hole/],
    [[entry('a', { gap: 4 })], /"a.npy" is at byte 4.*hole/],
    [[entry('a', { localName: 'b.npy' })], /"a.npy": its header at byte 0/],
    [[entry('a'), entry('a')], /two arrays named "a"/],
    [[entry('a'), { name: 'a', data: one }], /two arrays named "a"/],
    [[{ name: Buffer.from([0x80, 0x80]), data: one, flags: 2048 }], /no UTF-8/],
    [[entry('a', { flags: 8, descriptor: Buffer.alloc(16) })], /"a.npy": .*data descriptor/],
    [[entry('a', { flags: 8 })], /"a.npy" ends at byte/],
    [[entry('a'), { name: 'b.npy', data: Buffer.from('no') }], /"b": not a .npy file/],
  ];
  for (const [entries, message] of cases) await refuses(npz, zip(entries), message);
  for (const end of [
    { count: 2, here: 2 },
    { count: 0, here: 0 },
    { here: 2 },
    { size: 3 },
    { start: 1 },
  ])
    await refuses(npz, zip([entry('a')], end), /ZIP/);
  await refuses(npz, Buffer.concat([zip([entry('a')]), Buffer.alloc(1)]), /directory at its end/);
});

// Bytes the process has had at most: what a file that lies makes it take.
test('files that lie about their size take no memory for it', () => {
  const zeros = deflateRawSync(Buffer.alloc(2 ** 28));
  const file = zip([{ name: 'a.npy', data: zeros, method: 0, size: 100, crc: 0 }]);
  // Stored bytes become deflated ones: the method in both headers.
  file.writeUInt16LE(8, 8);
  file.writeUInt16LE(8, file.length - 22 - 5 - 46 + 10);
  file.writeUInt32LE(100, file.length - 22 - 5 - 46 + 24);
  const reader = `
    import { readFileSync } from 'node:fs';
    import { load } from ${JSON.stringify(new URL('../../web/index.js', import.meta.url).href)};
    const hlo = await load();
    const bytes = readFileSync(0);
    const before = process.resourceUsage().maxRSS;
    let message = 'read';
    await hlo.fromNpz(bytes).catch((error) => (message = error.message));
    console.log(JSON.stringify({ message, grown: process.resourceUsage().maxRSS - before }));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', reader], {
    input: file,
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  const { message, grown } = JSON.parse(String(out));
  assert.match(message, /cannot be decompressed to 100 bytes/);
  assert.ok(grown < 100_000, `${grown} KB for a file of ${file.length} bytes`); // inflated: 262,144
});

// --- .safetensors ---

test('.safetensors files are read as their specification says', () => {
  const header = {
    __metadata__: { a: 'b' },
    y: { dtype: 'U8', shape: [2], data_offsets: [1, 3] },
    x: { dtype: 'U8', shape: [], data_offsets: [0, 1] },
    e: { dtype: 'F32', shape: [0, 7], data_offsets: [3, 3] },
  };
  const text = JSON.stringify(header).replace('"e"', '"__proto__"').padEnd(300);
  const arrays = tensors(safetensors(text, [1, 2, 3]));
  assert.deepEqual(Object.keys(arrays), ['y', 'x', '__proto__']);
  assert.equal(Object.getPrototypeOf(arrays), null);
  assert.equal(arrays['__proto__'].xla.text, 'f32[0,7]');
  assert.deepEqual([...arrays.y.toTypedArray()], [2, 3]);
  const again = tensors(hlo.toSafetensors(arrays));
  assert.deepEqual(Object.keys(again), Object.keys(arrays));
  assert.deepEqual(Object.keys(tensors(safetensors('{}'))), []);
});

test('.safetensors files whose parts do not agree', async () => {
  const u8 = (from, to, shape = [to - from]) => ({ dtype: 'U8', shape, data_offsets: [from, to] });
  const text = (fields) =>
    `{"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2], ${fields}}}`;
  const cases = [
    [{ a: u8(0, 2), b: u8(1, 3) }, /"b" starts at byte 1.*overlap/],
    [{ a: u8(0, 2), b: u8(0, 2) }, /overlap/],
    [{ a: u8(0, 1), b: u8(2, 3) }, /"b" starts at byte 2.*hole/],
    [{ a: u8(1, 3) }, /"a" starts at byte 1.*hole/],
    [{ a: u8(0, 2) }, /3 bytes of elements.*describes 2/],
    [{ a: u8(0, 9) }, /3 bytes of elements.*describes 9/],
    [{ a: u8(0, 2, [3]) }, /"a": U8\[3\] takes 3 bytes/],
    [{ a: u8(3, 0, [3]) }, /takes 3 bytes/],
    [{ a: u8(0, 3, [-3]) }, /character \d+/],
    [{ a: u8(0, 3, ['3']) }, /"a" has no shape/],
    [{ a: u8(0, 3, { length: 1 }) }, /"a" has no shape/],
    [{ a: { ...u8(0, 3), dtype: 'constructor' } }, /"a" has type "constructor"/],
    [{ a: { ...u8(0, 3), dtype: '__proto__' } }, /"a" has type/],
    [{ a: { ...u8(0, 3), dtype: ['U8'] } }, /"a" has type/],
    [{ a: null }, /"a" has type/],
    [{ a: u8(0, 3), __metadata__: { b: 1 } }, /"__metadata__" is no map/],
    [text('"shape": [2]'), /"shape" twice/],
    [text('"x": 1e1'), /number 1e1 at character/],
    ['{"a": 1, "a": 2}', /"a" twice/],
    ['{"a": 1, "\\u0061": 2}', /twice/],
    ['[]', /does not start with \{/],
    [' {}', /does not start with \{/],
    ['"x"', /does not start with \{/],
    ['{', /no JSON/],
    ['['.repeat(100_000), /no JSON/],
    ['{"a":'.repeat(50_000), /no JSON/],
  ];
  for (const [header, message] of cases)
    await refuses(tensors, safetensors(header, [1, 2, 3]), message);
  for (const number of ['2.0', '0.2e1', '2e0', '-0', '20e-1'])
    await refuses(
      tensors,
      safetensors(`{"a": {"dtype": "U8", "shape": [${number}], "data_offsets": [0, 2]}}`, [1, 2]),
      /which is no size/,
    );
  const bad = Buffer.from(safetensors({ a: u8(0, 3) }, [1, 2, 3]));
  bad[10] = 0xff;
  await refuses(tensors, bad, /no JSON/);
  bad.writeBigUInt64LE(2n ** 64n - 1n);
  await refuses(tensors, bad, /ends in its header/);
});

test('arrays made before one is refused are disposed of', async () => {
  const big = npy(headerOf('(100000,)'), Buffer.alloc(100_000));
  const many = Array.from({ length: 5 }, (_, i) => ({ name: `x${i}.npy`, data: big }));
  await refuses(npz, zip([...many, { name: 'y.npy', data: npy('{}') }]), /"y": a .npy header/);
  const tall = npy(headerOf(`(${'1,'.repeat(300)})`), [1]);
  await refuses(npz, zip([...many, { name: 'y.npy', data: tall }]), /"y": /, HloError);
  hlo.setMemoryLimit(hlo.memory.inUse + 250_000);
  await refuses(npz, zip(many), /"x\d": /, HloError).finally(() => hlo.setMemoryLimit(Infinity));
});

// --- mutations ---

const ENDS = [0, 1, 2, 4, 7, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff];

/** Changes a copy of a file in one to three places: bits, numbers, cuts, repeats, moves, words of its grammar. */
function mutated(random, original, words) {
  let bytes = Buffer.from(original);
  for (let n = 1 + random.below(3); n > 0; n--) {
    const at = random.below(bytes.length);
    const length = 1 + random.below(Math.min(64, bytes.length - at));
    const piece = Buffer.from(bytes.subarray(at, at + length));
    const splice = (from, to, part) =>
      Buffer.concat([bytes.subarray(0, from), part, bytes.subarray(to)]);
    const kinds = [
      () => void (bytes[at] ^= 1 << random.below(8)),
      () => void (bytes[at] = random.below(256)),
      () => {
        const size = Math.min(random.pick([1, 2, 4]), bytes.length - at);
        bytes.writeUIntLE(random.pick(ENDS) % 2 ** (8 * size), at, size);
      },
      () => (bytes = splice(at, at + length, Buffer.alloc(0))),
      () => (bytes = splice(at, at, piece)),
      () => (bytes = splice(random.below(bytes.length), at, Buffer.alloc(0))),
      () => (bytes = bytes.subarray(0, at + 1)),
      () => void piece.copy(bytes, random.below(bytes.length)),
      () => (bytes = splice(at, at + random.below(4), Buffer.from(random.pick(words)))),
    ];
    random.pick(kinds)();
    if (bytes.length === 0) break;
  }
  return bytes;
}

const textsOf = (arrays) => Object.values(arrays).map(String);
const WORDS = [
  ...'{ } ( ) [ ] , : \' " 0 1 -1 1e1 1.5 9007199254740993 True False null'.split(' '),
  ...'__proto__ constructor descr shape dtype data_offsets BOOL F64 <f8 |b1 >i4 PK'.split(' '),
];
const sources = {
  npz: [
    fixture('stored.npz'),
    fixture('compressed.npz'),
    zip([entry('a'), entry('b', { method: 8 })]),
  ],
  safetensors: [
    fixture('tensors.safetensors'),
    safetensors(
      {
        a: { dtype: 'BOOL', shape: [2, 2], data_offsets: [0, 4] },
        b: { dtype: 'U8', shape: [3], data_offsets: [4, 7] },
      },
      [0, 1, 1, 0, 1, 2, 3],
    ),
  ],
  npy: [
    one,
    npy(headerOf('(2, 2)', "'>i2'"), [0, 1, 0, 2, 0, 3, 0, 4]),
    npy(headerOf('(4,)', "'|b1'"), [0, 1, 1, 0]),
  ],
};

for (const [kind, count] of [
  ['npz', 4000],
  ['safetensors', 6000],
  ['npy', 6000],
])
  test(`${count} mutated .${kind} files are read or refused, and leave nothing behind`, async () => {
    const read = { npz, safetensors: tensors, npy: async (bytes) => ({ x: hlo.fromNpy(bytes) }) }[
      kind
    ];
    const expected = [];
    for (const source of sources[kind]) {
      const arrays = await read(source);
      expected.push(textsOf(arrays));
      for (const array of Object.values(arrays)) array.dispose();
    }
    let accepted = 0;
    for (let seed = 0; seed < count; seed++) {
      const random = new RandomProgram(seed);
      const which = seed % sources[kind].length;
      const bytes = mutated(random, sources[kind][which], WORDS);
      const before = hlo.memory.inUse;
      let arrays = {};
      try {
        arrays = await read(bytes);
        accepted++;
        // Checksums and names that stand twice leave nothing in a ZIP archive that could change alone.
        if (kind === 'npz') assert.deepEqual(textsOf(arrays), expected[which], `seed ${seed}`);
        for (const array of Object.values(arrays)) {
          const bits = array.type === 'pred' ? array.toTypedArray() : [];
          assert.ok(
            bits.every((bit) => bit <= 1),
            `seed ${seed}`,
          );
        }
      } catch (error) {
        assert.ok(error instanceof HloError, `seed ${seed}: ${error?.stack}`);
      }
      for (const array of Object.values(arrays)) array.dispose();
      assert.ok(
        hlo.memory.inUse <= before + 4096,
        `seed ${seed}: ${hlo.memory.inUse - before} bytes stay`,
      );
    }
    assert.ok(accepted > 0 && accepted < count / 2, `${accepted} were read`);
  });
