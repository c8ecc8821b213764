// Signatures of `nn`, in the form of parseCall() in ../numpy/calls.js, in the order of jax.nn where that has the function.
const names = (/** @type {string} */ text, /** @type {string} */ signature) =>
  Object.fromEntries(text.split(' ').map((name) => [name, signature]));

/** @type {Record<string, string>} */
export const signatures = {
  ...names('identity relu relu6 hardTanh sigmoid softplus logSigmoid softSign silu swish', 'x /'),
  ...names('hardSigmoid hardSilu hardSwish mish selu sparsePlus sparseSigmoid log1mexp', 'x /'),
  ...names('elu celu', 'x / alpha?'),
  leakyRelu: 'x / negativeSlope?',
  squareplus: 'x / b?',
  gelu: 'x / approximate?',
  glu: 'x / axis?',
  ...names('softmax logSoftmax', 'x / axis? where?'),
  logsumexp: 'a / axis? b? keepdims? returnSign? where?',
  logmeanexp: 'x / axis? where? keepdims?',
  standardize: 'x / axis? mean? variance? epsilon? where?',
  layerNorm: 'x / scale? bias? * axis? epsilon?',
  rmsNorm: 'x / scale? * axis? epsilon?',
  batchNorm: 'x / mean? variance? scale? bias? * axis? epsilon?',
  groupNorm: 'x numGroups / scale? bias? * axis? epsilon?',
  oneHot: 'x numClasses / * dtype? axis?',
  dotProductAttention: 'query key value / bias? mask? * scale? isCausal?',
  conv: 'x kernel / * strides? padding? dilation? groups? bias? dataFormat?',
  convTranspose: 'x kernel / * strides? padding? dilation? bias? dataFormat?',
  maxPool: 'x window / * strides? padding? dataFormat?',
  avgPool: 'x window / * strides? padding? countIncludePad? dataFormat?',
  crossEntropy: 'logits labels / axis?',
  binaryCrossEntropy: 'logits labels /',
};
