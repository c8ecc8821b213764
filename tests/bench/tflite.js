// Writes TFLite models: the bytes of a Model, by TensorFlow Lite's published schema, on the flatbuffers runtime.
import * as flatbuffers from 'flatbuffers';

// op -> [builtin code, options union id, option fields]; a field is [type, default]
const OPS = {
  ADD: [0, 11, { act: ['i8', 0] }],
  MUL: [18, 21, { act: ['i8', 0] }],
  SUB: [41, 28, { act: ['i8', 0] }],
  CONV_2D: [3, 1, { padding: ['i8', 0], sw: ['i32', 0], sh: ['i32', 0], act: ['i8', 0] }],
  DEPTHWISE_CONV_2D: [
    4,
    2,
    { padding: ['i8', 0], sw: ['i32', 0], sh: ['i32', 0], mult: ['i32', 0], act: ['i8', 0] },
  ],
  FULLY_CONNECTED: [9, 8, { act: ['i8', 0], fmt: ['i8', 0], keep: ['i8', 0] }],
  RESHAPE: [22, 17, {}],
  SOFTMAX: [25, 9, { beta: ['f32', 0] }],
  TANH: [28, 0, {}],
  GATHER: [36, 23, { axis: ['i32', 0] }],
  TRANSPOSE: [39, 26, {}],
  MEAN: [40, 27, { keep: ['i8', 0] }],
  SUM: [74, 27, { keep: ['i8', 0] }],
  EXP: [47, 33, {}],
  TOPK_V2: [48, 34, {}],
  ARG_MAX: [56, 40, { type: ['i8', 0] }],
  NEG: [59, 42, {}],
  RSQRT: [76, 0, {}],
  SQUARED_DIFFERENCE: [99, 76, {}],
  BATCH_MATMUL: [126, 101, { adjX: ['i8', 0], adjY: ['i8', 0] }],
  CUMSUM: [128, 102, {}],
  GELU: [150, 116, { approx: ['i8', 0] }],
};
const TYPE = { float32: 0, int32: 2 };

export class TfLite {
  constructor() {
    this.t = [];
    this.ops = [];
    this.bufs = [null];
    this.ins = [];
    this.outs = [];
  }
  #tensor(shape, dtype, buffer = 0) {
    this.t.push({ shape, dtype, buffer, name: `t${this.t.length}` });
    return this.t.length - 1;
  }
  input(t) {
    const i = this.#tensor(t.shape, t.dtype);
    this.ins.push(i);
    return i;
  }
  const({ shape, dtype, data }) {
    this.bufs.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    return this.#tensor(shape, dtype, this.bufs.length - 1);
  }
  f32(v, shape = []) {
    return this.const({ shape, dtype: 'float32', data: Float32Array.from([v].flat()) });
  }
  i32(a) {
    return this.const({ shape: [a.length], dtype: 'int32', data: Int32Array.from(a) });
  }
  /** op(name, inputs, output shape(s), options, output dtype) -> tensor index (or several) */
  op(name, ins, shape, opts = {}, dtype = 'float32') {
    const shapes = Array.isArray(shape[0]) ? shape : [shape],
      o = shapes.map((s, i) => this.#tensor(s, Array.isArray(dtype) ? dtype[i] : dtype));
    this.ops.push({ name, ins, outs: o, opts });
    return Array.isArray(shape[0]) ? o : o[0];
  }
  output(i) {
    this.outs.push(i);
    return this;
  }
  shape(i) {
    return this.t[i].shape;
  }
  bytes() {
    const b = new flatbuffers.Builder(1 << 16);
    const vec32 = (a) => {
      b.startVector(4, a.length, 4);
      for (let i = a.length - 1; i >= 0; i--) b.addInt32(a[i]);
      return b.endVector();
    };
    const vecOff = (a) => {
      b.startVector(4, a.length, 4);
      for (let i = a.length - 1; i >= 0; i--) b.addOffset(a[i]);
      return b.endVector();
    };
    const bufs = this.bufs.map((d) => {
      let v = 0;
      if (d) {
        b.startVector(1, d.length, 16);
        b.bb.setPosition((b.space -= d.length));
        b.bb.bytes().set(d, b.space);
        v = b.endVector();
      }
      b.startObject(1);
      if (d) b.addFieldOffset(0, v, 0);
      return b.endObject();
    });
    const names = [...new Set(this.ops.map((o) => o.name))];
    const codes = names.map((n) => {
      const c = OPS[n][0];
      b.startObject(4);
      b.addFieldInt8(0, Math.min(c, 127), 0);
      b.addFieldInt32(2, 1, 0);
      b.addFieldInt32(3, c, 0);
      return b.endObject();
    });
    const tensors = this.t.map((t) => {
      const s = vec32(t.shape),
        n = b.createString(t.name);
      b.startObject(9);
      b.addFieldOffset(0, s, 0);
      b.addFieldInt8(1, TYPE[t.dtype], 0);
      b.addFieldInt32(2, t.buffer, 0);
      b.addFieldOffset(3, n, 0);
      b.addFieldInt8(8, 1, 0);
      return b.endObject();
    });
    const ops = this.ops.map((o) => {
      const [, union, fields] = OPS[o.name],
        i = vec32(o.ins),
        u = vec32(o.outs);
      let opt = 0;
      if (union) {
        const fs = Object.entries(fields);
        b.startObject(Math.max(fs.length, 1));
        fs.forEach(([k, [ty, d]], n) => {
          const v = o.opts[k] ?? d;
          if (ty === 'i8') b.addFieldInt8(n, Number(v), d);
          else if (ty === 'i32') b.addFieldInt32(n, v, d);
          else b.addFieldFloat32(n, v, d);
        });
        opt = b.endObject();
      }
      b.startObject(5);
      b.addFieldInt32(0, names.indexOf(o.name), 0);
      b.addFieldOffset(1, i, 0);
      b.addFieldOffset(2, u, 0);
      if (union) {
        b.addFieldInt8(3, union, 0);
        b.addFieldOffset(4, opt, 0);
      }
      return b.endObject();
    });
    const tv = vecOff(tensors),
      iv = vec32(this.ins),
      ov = vec32(this.outs),
      opv = vecOff(ops),
      nm = b.createString('main');
    b.startObject(5);
    b.addFieldOffset(0, tv, 0);
    b.addFieldOffset(1, iv, 0);
    b.addFieldOffset(2, ov, 0);
    b.addFieldOffset(3, opv, 0);
    b.addFieldOffset(4, nm, 0);
    const sg = b.endObject(),
      cv = vecOff(codes),
      sv = vecOff([sg]),
      bv = vecOff(bufs),
      ds = b.createString('peers');
    b.startObject(8);
    b.addFieldInt32(0, 3, 0);
    b.addFieldOffset(1, cv, 0);
    b.addFieldOffset(2, sv, 0);
    b.addFieldOffset(3, ds, 0);
    b.addFieldOffset(4, bv, 0);
    b.finish(b.endObject(), 'TFL3');
    return b.asUint8Array();
  }
}
