// Results whose types follow from arguments: this compiles as it stands. tests/js/mistakes.test.js compiles it.
import { load, type HloArray } from 'hlo-wasm';
const { np, nn, special } = await load();
const x = np.array([
    [1, 2],
    [3, 4],
  ]),
  v = np.array([1, 2, 3]),
  i = v.astype('int32');
const one = (a: HloArray) => a;
const [k1, k2] = np.random.split(np.random.key(0));
one(k1);
one(k2);
for (const k of np.random.split(k1, 3)) one(np.random.normal(k));
for (const p of np.split(v, 3)) one(p);
for (const p of np.arraySplit(v, 2)) one(p);
for (const p of np.meshgrid(v, v)) one(p);
for (const p of np.nonzero(v)) one(p);
for (const p of np.divmod(v, 2)) one(p);
for (const p of np.modf(v)) one(p);
for (const p of np.frexp(v)) one(p);
for (const p of np.unravelIndex(i, [2, 3])) one(p);
for (const p of np.trilIndices(3)) one(p);
for (const p of np.diagIndices(3)) one(p);
for (const p of np.ix([0], [1])) one(p);
for (const p of np.unstack(x)) one(p);
for (const p of np.broadcastArrays(x, 1)) one(p);
for (const p of np.gradient<HloArray[]>(x)) one(p);
const [h, e] = np.histogram(v);
one(h);
one(e);
const [h2, ex, ey] = np.histogram2d(v, v);
one(h2);
one(ex);
one(ey);
const [q, r] = np.linalg.qr(x);
one(q);
one(r);
const [u, s, vt] = np.linalg.svd(x);
one(u);
one(s);
one(vt);
const [w, vec] = np.linalg.eigh(x);
one(w);
one(vec);
const [sign, logdet] = np.linalg.slogdet(x);
one(sign);
one(logdet);
const [sol, res, rank, sv] = np.linalg.lstsq(x, x);
one(sol);
one(res);
one(sv);
one(rank);
one(np.unique(v));
one(np.linspace(0, 1, 5));
one(np.average(v));
one(np.gradient(v));
const [uv, counts] = np.unique(v, { returnCounts: true });
one(uv);
one(counts);
const [pts, stepSize] = np.linspace(0, 1, 5, { retstep: true });
one(pts);
one(stepSize);
one(np.interp(v, v, v));
one(special.ndtri(0.3));
one(nn.softmax(x));
one(np.where(v.greater(1), v, 0));
const n: number = v.item(0);
void n;
