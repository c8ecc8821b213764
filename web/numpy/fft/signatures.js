// Signatures of np.fft, in the form of parseCall() in ../calls.js.

/** @param {string} names @param {string} text @returns {Record<string, string>} */
function each(names, text) {
  return Object.fromEntries(names.split(' ').map((name) => [name, text]));
}

export const signatures = {
  ...each('fft ifft rfft irfft hfft ihfft', 'a n? axis? norm?'),
  ...each('fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn', 'a s? axes? norm?'),
  ...each('fftfreq rfftfreq', 'n d? dtype?'),
  ...each('fftshift ifftshift', 'x axes?'),
};
