// Signatures of `nn`, in the form of parseCall() in ../numpy/calls.js, in the order of jax.nn.
export const signatures = {
  relu: 'x /',
  sigmoid: 'x /',
  softmax: 'x / axis? where?',
  logSoftmax: 'x / axis? where?',
  logsumexp: 'a / axis? b? keepdims? returnSign? where?',
};
