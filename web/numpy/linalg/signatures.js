// Signatures of np.linalg, in the form of parseCall() in ../calls.js: NumPy's functions with its order of arguments, then SciPy's.

/** @param {string} names @param {string} text @returns {Record<string, string>} */
function each(names, text) {
  return Object.fromEntries(names.split(' ').map((name) => [name, text]));
}

export const signatures = {
  ...each('inv det slogdet eig eigvals', 'a'),
  solve: 'a b',
  lstsq: 'a b rcond?',
  cholesky: 'a / * upper?',
  qr: 'a mode?',
  svd: 'a fullMatrices? computeUv? hermitian?',
  ...each('eigh eigvalsh', 'a UPLO?'),
  pinv: 'a rcond? hermitian? * rtol?',
  norm: 'x ord? axis? keepdims?',
  vectorNorm: 'x / * axis? keepdims? ord?',
  matrixNorm: 'x / * keepdims? ord?',
  cond: 'x p?',
  matrixRank: 'A tol? hermitian? * rtol?',
  matrixPower: 'a n',
  multiDot: 'arrays',
  tensorsolve: 'a b axes?',
  tensorinv: 'a ind?',
  ...each('svdvals matrixTranspose', 'x /'),
  ...each('matmul outer', 'x1 x2 /'),
  ...each('cross vecdot', 'x1 x2 / * axis?'),
  tensordot: 'x1 x2 / * axes?',
  diagonal: 'x / * offset?',
  trace: 'x / * offset? dtype?',

  ...each('expm sqrtm', 'A'),
  lu: 'a permuteL? * pIndices?',
  luFactor: 'a',
  luSolve: 'luAndPiv b trans?',
  choFactor: 'a lower?',
  choSolve: 'cAndLower b',
  solveTriangular: 'a b trans? lower? unitDiagonal?',
  schur: 'a output?',
  hessenberg: 'a calcQ?',
};
