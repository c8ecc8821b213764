// Writes ONNX models: the bytes of a ModelProto, by ONNX's published schema and protobuf's encoding.
const te = new TextEncoder();
/** A protobuf message, as a list of chunks, so that large initializers are not copied byte by byte. */
class Pb {
  constructor() {
    this.c = [];
    this.n = 0;
  }
  raw(u8) {
    this.c.push(u8);
    this.n += u8.length;
    return this;
  }
  varint(v) {
    const o = [];
    let b = BigInt.asUintN(64, BigInt(v));
    do {
      let x = Number(b & 127n);
      b >>= 7n;
      if (b) x |= 128;
      o.push(x);
    } while (b);
    return this.raw(Uint8Array.from(o));
  }
  key(f, w) {
    return this.varint((f << 3) | w);
  }
  int(f, v) {
    return this.key(f, 0).varint(v);
  }
  f32(f, v) {
    return this.key(f, 5).raw(new Uint8Array(Float32Array.of(v).buffer));
  }
  bytes(f, u8) {
    return this.key(f, 2).varint(u8.length).raw(u8);
  }
  str(f, s) {
    return this.bytes(f, te.encode(s));
  }
  msg(f, m) {
    this.key(f, 2).varint(m.n);
    for (const x of m.c) this.raw(x);
    return this;
  }
  done() {
    const u = new Uint8Array(this.n);
    let p = 0;
    for (const x of this.c) {
      u.set(x, p);
      p += x.length;
    }
    return u;
  }
}
export const DT = { float32: 1, int32: 6, int64: 7 };
function tensor(name, { shape, dtype, data }) {
  const t = new Pb();
  for (const d of shape) t.int(1, d);
  return t
    .int(2, DT[dtype])
    .str(8, name)
    .bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}
function attr(name, v) {
  const a = new Pb().str(1, name);
  if (typeof v === 'string') return a.bytes(4, te.encode(v)).int(20, 3);
  if (Array.isArray(v)) {
    for (const i of v) a.int(8, i);
    return a.int(20, 7);
  }
  if (v instanceof Float) return a.f32(2, v.v).int(20, 1);
  return a.int(3, v).int(20, 2);
}
class Float {
  constructor(v) {
    this.v = v;
  }
}
export const float = (v) => new Float(v);
function value(name, dtype, shape) {
  const sh = new Pb();
  for (const d of shape) sh.msg(1, new Pb().int(1, d));
  return new Pb().str(1, name).msg(2, new Pb().msg(1, new Pb().int(1, DT[dtype]).msg(2, sh)));
}
export class Graph {
  constructor() {
    this.g = new Pb();
    this.k = 0;
    this.init = new Map();
  }
  input(name, dtype, shape) {
    this.g.msg(11, value(name, dtype, shape));
    return name;
  }
  const(t, name = `c${this.k++}`) {
    this.g.msg(5, tensor(name, t));
    return name;
  }
  scalar(v) {
    return this.const({ shape: [], dtype: 'float32', data: Float32Array.of(v) });
  }
  i64(a, shape = [a.length]) {
    return this.const({ shape, dtype: 'int64', data: BigInt64Array.from(a.map(BigInt)) });
  }
  op(type, ins, attrs = {}, nout = 1) {
    const n = new Pb(),
      outs = Array.from({ length: nout }, () => `t${this.k++}`);
    for (const i of ins) n.str(1, i);
    for (const o of outs) n.str(2, o);
    n.str(3, `${type}_${this.k}`).str(4, type);
    for (const [k, v] of Object.entries(attrs)) n.msg(5, attr(k, v));
    this.g.msg(1, n);
    return nout === 1 ? outs[0] : outs;
  }
  output(name, dtype, shape) {
    this.g.msg(12, value(name, dtype, shape));
    return this;
  }
  model(opset = 20) {
    this.g.str(2, 'g');
    return new Pb()
      .int(1, 9)
      .str(2, 'peers')
      .msg(7, this.g)
      .msg(8, new Pb().str(1, '').int(2, opset))
      .done();
  }
}
