// Signatures of `special`, in the form of parseCall() in ../numpy/calls.js, in the order of jax.scipy.special.
const names = (/** @type {string} */ text, /** @type {string} */ signature) =>
  Object.fromEntries(text.split(' ').map((name) => [name, signature]));

/** @type {Record<string, string>} */
export const signatures = {
  ...names('erf erfc erfinv ndtr ndtri logNdtr expit logit entr', 'x /'),
  ...names('gamma gammaln loggamma gammasgn digamma i0 i0e i1 i1e exp1 expi', 'x /'),
  ...names('beta betaln', 'a b /'),
  ...names('gammainc gammaincc', 'a x /'),
  ...names('xlogy xlog1py', 'x y /'),
  ...names('relEntr klDiv', 'p q /'),
  ...names('boxcox boxcox1p', 'x lmbda /'),
  ...names('polygamma expn', 'n x /'),
  betainc: 'a b x /',
  poch: 'z m /',
  zeta: 'x / q?',
  factorial: 'n / exact?',
  comb: 'N k / * repetition?',
  multigammaln: 'a d /',
  logsumexp: 'a / axis? b? keepdims? returnSign? where?',
  ...names('softmax logSoftmax', 'x / axis?'),
};
