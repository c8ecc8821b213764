// The libraries that `make bench` compares, by the name of their column. An adapter's module exports
//   start(threads): starts the library on so many threads, where pages may have several; else on one; returns its version
//   prepare(workload): uploads and compiles; returns
//     { run(): one execution, the output left where the library leaves it; may return a promise
//       result(): the output as flat arrays, in the order of the workload's reference }
//   Both throw Unsupported for what the library cannot do.
// What is timed is run(): inputs are already held by the library. onnxruntime-web's API copies tensors in and out, so that
// is part of its time; TensorFlow.js keeps B packed between calls.

export const peers = {
  'TF.js': () => import('./tfjs.js'),
  ORT: () => import('./onnxruntime.js'),
  'jax-js': () => import('./jaxjs.js'),
  'numpy-ts': () => import('./numpyts.js'),
  'plain JS': () => import('./plain.js'),
};
