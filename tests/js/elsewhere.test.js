// Names looked for in the wrong place: an error says where they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { HloError, load } from '../../web/index.js';

const hlo = await load();
const { np, nn, special } = hlo;
const x = hlo.array([1, 2]);

test('names of another place, or in another spelling', () => {
  for (const [read, message] of [
    [() => hlo.linspace, 'hlo has no linspace: it is np.linspace'],
    [() => hlo.dot_general, 'hlo has no dot_general: it is hlo.dotGeneral'],
    [() => hlo.relu, 'hlo has no relu: it is nn.relu'],
    [() => hlo.svd, 'hlo has no svd: it is np.linalg.svd'],
    [() => np.dotGeneral, 'np has no dotGeneral: it is hlo.dotGeneral'],
    [() => np.relu, 'np has no relu: it is nn.relu'],
    [() => np.expand_dims, 'np has no expand_dims: it is np.expandDims'],
    [() => np.linalg.matrix_rank, 'np.linalg has no matrix_rank: it is np.linalg.matrixRank'],
    [() => np.linalg.fft, 'np.linalg has no fft: it is np.fft'],
    [() => np.erf, 'np has no erf: it is special.erf'],
    [() => nn.sum, 'nn has no sum: it is np.sum'],
    [() => special.relu, 'special has no relu: it is nn.relu'],
    [() => x.mul, 'an array has no mul: it is x.multiply'],
    [() => x.count_nonzero, 'an array has no count_nonzero: it is x.countNonzero'],
    [() => x.relu, 'an array has no relu: it is nn.relu'],
  ])
    assert.throws(read, (error) => {
      assert.ok(error instanceof HloError);
      assert.equal(error.message, message);
      return true;
    });
  hlo.jit((y) => {
    assert.throws(() => y.softmax, /an array has no softmax: it is nn.softmax/);
    return y;
  })(x);
});

test('objects without such a name are as others', async () => {
  for (const object of [hlo, np, np.linalg, np.fft, np.random, nn, special, x]) {
    assert.equal(await object, object);
    for (const name of ['relu', 'linspace', 'dotGeneral', 'expand_dims', 'nowhere'])
      assert.equal(name in object, Object.hasOwn(object, name));
    assert.deepEqual([object.nowhere, object.then, object.toJSON?.name], [undefined, undefined, object === x ? 'toJSON' : undefined]); // prettier-ignore
    assert.ok(inspect(object).length > 0);
    assert.equal(typeof object.hasOwnProperty, 'function');
  }
  assert.ok(hlo instanceof Object && Object.isFrozen(np) && Object.keys(np).includes('sum'));
  assert.equal(JSON.stringify({ ...nn }), '{}');
});
