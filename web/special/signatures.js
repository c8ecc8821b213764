// Signatures of `special`, in the form of parseCall() in ../numpy/calls.js, in the order of jax.scipy.special.
export const signatures = {
  erf: 'x /',
};
