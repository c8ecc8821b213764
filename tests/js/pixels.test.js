// Pixels put together from channels of one or two bytes, in every way that the pass takes them apart, against the reference
// evaluator, bit for bit.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../web/index.js';

const [H, W] = [35, 61];
const sizes = { u8: 4, s8: 4, f8e4m3fn: 4, s16: 2, u16: 2, f16: 2, bf16: 2 };
const floats = { f16: true, bf16: true, f8e4m3fn: true };

/** Programs of an f32[C,H,W] x and an f32[H,W] y, whose results have `n` channels of a type. */
const programs = (type, n) => ({
  planes: `t = f32[${H},${W},${n}] transpose(x), dimensions={1,2,0}

 k = f32[${n}] constant({${Array.from({ length: n }, (_, i) => i + 0.5)}})
 b = f32[${H},${W},${n}] broadcast(k), dimensions={2}
 m = f32[${H},${W},${n}] multiply(t, b)
 a = ${type}[${H},${W},${n}] convert(m)
 l = ${type}[${H},${W},1] slice(a), slice={[0:${H}], [0:${W}], [0:1]}
 z = ${type}[${H},${W},${n - 1}] slice(a), slice={[0:${H}], [0:${W}], [1:${n}]}
 ROOT r = ${type}[${H},${W},${n}] concatenate(z, l), dimensions={2}`,
  'one after the other': `v = ${type}[${H},${W}] convert(y)
 one = ${type}[${H},${W},1] reshape(v)
 p = f32[${n - 1},${H},${W}] slice(x), slice={[0:${n - 1}], [0:${H}], [0:${W}]}
 t = f32[${W},${H},${n - 1}] transpose(p), dimensions={2,1,0}
 u = f32[${H},${W},${n - 1}] transpose(t), dimensions={1,0,2}
 m = f32[] constant(1.75)
 b = f32[${H},${W},${n - 1}] broadcast(m), dimensions={}
 s = f32[${H},${W},${n - 1}] multiply(u, b)
 c = ${type}[${H},${W},${n - 1}] convert(s)
 ROOT r = ${type}[${H},${W},${n}] concatenate(c, one), dimensions={2}`,
  'of columns': `v = f32[${W}] slice(f), slice={[3:${3 + W}]}
 b = f32[${H},${W},1] broadcast(v), dimensions={1}
 c = ${type}[${H},${W},1] convert(b)
 d = f32[${H},${W},${n - 1}] broadcast(y), dimensions={0,1}
 e = f32[${H},${W},${n - 1}] negate(d)
 g = ${type}[${H},${W},${n - 1}] convert(e)
 ROOT r = ${type}[${H},${W},${n}] concatenate(c, g), dimensions={2}`,
});

/** From -300 to 300, with what has no place in an integer. */
function numbers(length) {
  const special = [NaN, Infinity, -Infinity, -0, 1e9, -1e9, 1e-40, 127.5, 255.5, 65535.5];
  return Float32Array.from({ length }, (_, i) =>
    i % 17 === 0 ? special[(i / 17) % special.length] : ((i * 7919) % 1201) / 2 - 300,
  );
}

for (const build of ['simd', undefined])
  test(`of every type, ${build ?? 'the best build'}`, async () => {
    const hlo = await load({ build });
    for (const [type, n] of Object.entries(sizes))
      for (const [name, body] of Object.entries(programs(type, n))) {
        const program = hlo.parse(`HloModule pixels
ENTRY main {
 x = f32[${n},${H},${W}] parameter(0)
 y = f32[${H},${W}] parameter(1)
 f = f32[${H * W}] reshape(y)
 ${body}
}`);
        const x = hlo.array(numbers(n * H * W), { shape: [n, H, W] });
        const y = hlo.array(numbers(H * W).reverse(), { shape: [H, W] });
        const fast = program.compile();
        assert.match(fast.print(), /bitcast-convert/, `${type} ${name} is packed`);
        const [got, want] = [fast, program.compile({ reference: true })].map(
          (executable) => executable.run([x, y])[0],
        );
        const bits = ({ buffer, byteOffset, byteLength }) =>
          new Uint8Array(buffer, byteOffset, byteLength);
        const [a, b] = [got, want].map((array) => bits(array.toTypedArray()));
        // Converted NaNs are of any bits.
        if (!floats[type]) assert.deepEqual(a, b, `${type} ${name}`);
        else
          assert.deepEqual(
            hlo.convert(got, 'f32').toTypedArray(),
            hlo.convert(want, 'f32').toTypedArray(),
            `${type} ${name}`,
          );
      }
  });
