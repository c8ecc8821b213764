// Polynomials and constants of elementary_*.c. Written by coefficients.py, which says how; do not
// edit. Coefficients are in ascending order. Knows nothing of the functions but their numbers.
#ifndef HLO_BASE_ELEMENTARY_COEFFICIENTS_H
#define HLO_BASE_ELEMENTARY_COEFFICIENTS_H

#include <stdint.h>

// clang-format off

// 1 / log 2.
static const double LOG2_E_1 = 0x1.71547652b82fep+0;
static const double LOG2_E_2 = 0x1.777d0ffda0d24p-56;

// log 2; 11-bit multiples of the first part are exact.
static const double LN2_1 = 0x1.62e42fefa3800p-1;
static const double LN2_2 = 0x1.ef35793c76730p-45;

// log 2.
static const double LN2_DD_1 = 0x1.62e42fefa39efp-1;
static const double LN2_DD_2 = 0x1.abc9e3b39803fp-56;

// 1 / log 10.
static const double LOG10_E_1 = 0x1.bcb7b1526e50ep-2;
static const double LOG10_E_2 = 0x1.95355baaafad3p-57;

// log 2 / log 10.
static const double LOG10_2_1 = 0x1.34413509f79ffp-2;
static const double LOG10_2_2 = -0x1.9dc1da994fd21p-59;

// log 10 / log 2.
static const double LOG2_10_1 = 0x1.a934f0979a371p+1;
static const double LOG2_10_2 = 0x1.7f2495fb7fa6dp-53;

// 2 / π.
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;

// π / 2; 20-bit multiples of the first three parts are exact.
static const double HALF_PI_1 = 0x1.921fb54400000p+0;
static const double HALF_PI_2 = 0x1.0b4611a600000p-34;
static const double HALF_PI_3 = 0x1.3198a2e000000p-69;
static const double HALF_PI_4 = 0x1.b839a252049c1p-104;

// π / 2.
static const double HALF_PI_DD_1 = 0x1.921fb54442d18p+0;
static const double HALF_PI_DD_2 = 0x1.1a62633145c07p-54;

// 1 / 6.
static const double SIXTH_1 = 0x1.5555555555555p-3;
static const double SIXTH_2 = 0x1.5555555555555p-57;

// 1 / 3.
static const double THIRD_1 = 0x1.5555555555555p-2;
static const double THIRD_2 = 0x1.5555555555555p-56;

// 1 / 5.
static const double FIFTH_1 = 0x1.999999999999ap-3;
static const double FIFTH_2 = -0x1.999999999999ap-57;

// The first 1280 bits of 2 / π after the point, the highest first.
static const uint32_t TWO_OVER_PI_BITS[] = {0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// (e^r - 1 - r - r²/2) / r³; the error counts in e^r. Degree 10 on [-0.3467, 0.3467], error below 2^-61.1.
static const double EXP[] = {0x1.5555555555555p-3, 0x1.5555555555556p-5, 0x1.1111111111111p-7, 0x1.6c16c16c162cfp-10, 0x1.a01a01a019b27p-13, 0x1.a01a01a6db488p-16, 0x1.71de3a5906976p-19, 0x1.27e4db5bb725ap-22, 0x1.ae643440b654ap-26, 0x1.1f7315649f2d7p-29, 0x1.61b2cab08ab83p-33};

// (e^r - 1 - r - r²/2 - r³/6) / r⁴; the error counts in e^r. Degree 10 on [-0.3467, 0.3467], error below 2^-64.6.
static const double EXP_DD[] = {0x1.5555555555555p-5, 0x1.1111111111111p-7, 0x1.6c16c16c16c17p-10, 0x1.a01a01a019b27p-13, 0x1.a01a01a019da1p-16, 0x1.71de3a5906976p-19, 0x1.27e4fb7956f8fp-22, 0x1.ae643440b654bp-26, 0x1.1eed7de0bdf67p-29, 0x1.61b2cab08aa6ap-33, 0x1.9425b0dff7640p-37};

// (sinh x / x - 1) / x² in x²; the error counts in sinh x / x. Degree 5 on [0, 0.1225], error below 2^-59.6.
static const double SINH[] = {0x1.5555555555555p-3, 0x1.1111111111111p-7, 0x1.a01a01a0195e9p-13, 0x1.71de3a5af8595p-19, 0x1.ae642ad7b698cp-26, 0x1.61c2b89c2d16dp-33};

// (tanh x / x - 1) / x² in x²; the error counts in tanh x / x. Degree 9 on [0, 0.1225], error below 2^-58.7.
static const double TANH[] = {-0x1.5555555555555p-2, 0x1.111111111110ep-3, -0x1.ba1ba1ba1af08p-5, 0x1.664f488230047p-6, -0x1.226e352211becp-7, 0x1.d6d3b3fa280abp-9, -0x1.7d9f2a9b3adecp-10, 0x1.34f5c85062f21p-11, -0x1.ea9313d37a771p-13, 0x1.3e90ab4045ca6p-14};

// (e^r - 1) / r. Degree 7 on [-0.3467, 0.3467], error below 2^-36.6.
static const double EXPM1_F32[] = {0x1p+0, 0x1p-1, 0x1.555555675a7dfp-3, 0x1.5555555c8a024p-5, 0x1.1110c61e50f27p-7, 0x1.6c16857b3af8dp-10, 0x1.a151a41f36204p-13, 0x1.a11341e452e9fp-16};

// 2 (atanh s / s - 1) / s² in s²; the error counts in atanh s / s. Degree 7 on [0, 0.0294809], error below 2^-60.7.
static const double LOG[] = {0x1.5555555555555p-1, 0x1.9999999999a39p-2, 0x1.24924924768ccp-2, 0x1.c71c7201ca461p-3, 0x1.745cf8d558977p-3, 0x1.3b1c3f6063f3cp-3, 0x1.0fbd899eaf6e0p-3, 0x1.0c0e8f3c98b3ep-3};

// (atanh s / s - 1 - s²/3 - s⁴/5) / s⁶ in s²; the error counts in atanh s / s. Degree 8 on [0, 0.0294809], error below 2^-72.0.
static const double LOG_DD[] = {0x1.2492492492492p-3, 0x1.c71c71c71c71ap-4, 0x1.745d1745d1f65p-4, 0x1.3b13b13a632c1p-4, 0x1.111111890908fp-4, 0x1.e1e1866b120d5p-5, 0x1.af3cd9dc86f1ep-5, 0x1.8372d42fae4d6p-5, 0x1.92f0b6dcd4852p-5};

// 2 atanh s / s in s². Degree 5 on [0, 0.0294809], error below 2^-43.1.
static const double LOG_F32[] = {0x1p+1, 0x1.5555555565077p-1, 0x1.999998c9bc826p-2, 0x1.249324e36ce94p-2, 0x1.c67a5bd2ae223p-3, 0x1.8c95a3c736163p-3};

// (sin r / r - 1) / r² in r²; the error counts in sin r / r. Degree 6 on [0, 0.616863], error below 2^-57.3.
static const double SIN[] = {-0x1.5555555555555p-3, 0x1.1111111111110p-7, -0x1.a01a01a019938p-13, 0x1.71de3a54608ffp-19, -0x1.ae645412bb710p-26, 0x1.61217f03a01dfp-33, -0x1.ab17cf6086991p-41};

// (cos r - 1 + r²/2) / r⁴ in r²; the error counts in cos r. Degree 5 on [0, 0.616863], error below 2^-60.0.
static const double COS[] = {0x1.5555555555555p-5, -0x1.6c16c16c16967p-10, 0x1.a01a019f4eabbp-16, -0x1.27e4fa17d4683p-22, 0x1.1eeb68e35d13ep-29, -0x1.907d9f2d485e1p-37};

// sin r / r in r². Degree 4 on [0, 0.616863], error below 2^-35.8.
static const double SIN_F32[] = {0x1p+0, -0x1.555555545e058p-3, 0x1.11110def2147ep-7, -0x1.a013a782656f6p-13, 0x1.6dbe029a9d540p-19};

// cos r in r². Degree 5 on [0, 0.616863], error below 2^-42.0.
static const double COS_F32[] = {0x1p+0, -0x1.fffffffffe697p-2, 0x1.555555514f614p-5, -0x1.6c16bae5d4b48p-10, 0x1.a01298c42fefdp-16, -0x1.2474dcfb50c98p-22};

// (atan t / t - 1) / t² in t²; the error counts in atan t / t. Degree 11 on [0, 0.171578], error below 2^-58.2.
static const double ATAN[] = {-0x1.5555555555555p-2, 0x1.9999999999953p-3, -0x1.249249248d7e8p-3, 0x1.c71c71c304728p-4, -0x1.745d165de6c19p-4, 0x1.3b1392d8695c8p-4, -0x1.110e87efaa766p-4, 0x1.e19a11516d8ebp-5, -0x1.ac7a81ce7905cp-5, 0x1.74dd831f5c013p-5, -0x1.1b32e90dc1b73p-5, 0x1.0ad19d106080cp-6};

// (asin x / x - 1) / x² in x², |x| ≤ 1/2; the error counts in asin x / x. Degree 13 on [0, 0.25], error below 2^-58.5.
static const double ASIN[] = {0x1.5555555555555p-3, 0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6, 0x1.6e8ba123e494cp-6, 0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7, 0x1.3b49de7121487p-7, 0x1.31622469ce5adp-7, 0x1.8f193743418ffp-9, 0x1.406192d124629p-6, -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6};

// atan t / t in t², |t| ≤ 1. Degree 12 on [0, 1], error below 2^-34.8.
static const double ATAN_F32[] = {0x1p+0, -0x1.555555543c557p-2, 0x1.9999971f594e7p-3, -0x1.2491d128f2977p-3, 0x1.c70a6be6d4163p-4, -0x1.73a719b0b93d9p-4, 0x1.36bfd2210f14ap-4, -0x1.ffb2b9595f5b2p-5, 0x1.837061ab40426p-5, -0x1.ea18af61c3e87p-6, 0x1.cd243cc325c05p-7, -0x1.14abab0185470p-8, 0x1.36ecfc48d188bp-11};

// asin x / x in x², |x| ≤ 1/2. Degree 7 on [0, 0.25], error below 2^-33.9.
static const double ASIN_F32[] = {0x1p+0, 0x1.5555555c0171dp-3, 0x1.33331ecf8b70bp-4, 0x1.6dc0f007c13e8p-5, 0x1.efedf83ab6506p-6, 0x1.82db23768c84fp-6, 0x1.5a80a068e3ee2p-7, 0x1.fb7ca379d49c6p-6};

// cube root on [1, 8] to start from, relative. Degree 5 on [1, 8], error below 2^-9.1.
static const double CBRT[] = {0x1.3784c81b01b17p-1, 0x1.f48b3890d403cp-2, -0x1.cb3e73ee2713fp-4, 0x1.2b08ff2518449p-6, -0x1.a29d4b8e82abep-10, 0x1.da65ac9237f24p-15};

// A third of the upper 32 bits of x plus this is the upper half of a double near the cube root of x.
static const uint64_t CBRT_F32_BITS = 0x2a9f760c;

// 2 / √π.
static const double TWO_OVER_ROOT_PI_1 = 0x1.20dd750429b6dp+0;
static const double TWO_OVER_ROOT_PI_2 = 0x1.1ae3a914fed80p-56;

// 1 / √π.
static const double ONE_OVER_ROOT_PI_1 = 0x1.20dd750429b6dp-1;
static const double ONE_OVER_ROOT_PI_2 = 0x1.1ae3a914fed80p-57;

// (erf x / x - 2/√π) / x² in x², |x| < 1/2; the error counts in erf x / x. Degree 8 on [0, 0.2501], error below 2^-57.9.
static const double ERF[] = {-0x1.812746b0379e7p-2, 0x1.ce2f21a042bcfp-4, -0x1.b82ce31286ca6p-6, 0x1.565bcd0d2f387p-8, -0x1.c02db3355a85bp-11, 0x1.f9a2dd80b8e29p-14, -0x1.f4c2b3b43d836p-17, 0x1.b7f30850d48a8p-20, -0x1.3d8b39d54153dp-23};

// erfcx on [1/2, 8): a row per quarter of an octave; with d = x - its centre, erfcx x = r[0] + r[1] + d (r[2] + r[3] d + …). Error of d (…) below 2^-57.3.
static const double ERFCX[16][15] = {
  {0x1.2b84f076e14fbp-1, 0x1.b8bd1accf8123p-55, -0x1.e18ab7052be7fp-2, 0x1.482bd9fad9ed0p-2, -0x1.8bed65e01718dp-3, 0x1.b1a22aa7a6dc0p-4, -0x1.b65943018044bp-5, 0x1.9dcc15144e3fap-6, -0x1.6ff6b38454be6p-7, 0x1.364eb298de842p-8, -0x1.f301024cb02efp-10, 0x1.80373248371f8p-11, -0x1.1c527494d2678p-12, 0x1.9642b7452ecbep-14, -0x1.181bbf07756d9p-15},
  {0x1.0fce4e96dd619p-1, -0x1.7210607953137p-57, -0x1.97fe7bf1c60f0p-2, 0x1.071da7f78298dp-2, -0x1.2ecd75f4d05d4p-3, 0x1.3e0e0ed6b5f18p-4, -0x1.358dce2b361d2p-5, 0x1.1a31bff524627p-6, -0x1.e5d3e4fd95cfdp-8, 0x1.8d62a93511556p-9, -0x1.366c6d2f792f8p-10, 0x1.d115523bed123p-12, -0x1.4f4104b0df112p-13, 0x1.d31aa82f955acp-15, -0x1.3a5c3a7e45401p-16},
  {0x1.f0723ff5acdf9p-2, -0x1.7b669ffa31576p-58, -0x1.5cbc2c216df00p-2, 0x1.aa32b83507192p-3, -0x1.d43ed8ca5d7a1p-4, 0x1.d7f26045a23f1p-5, -0x1.ba6d691685b3fp-6, 0x1.859d3cc5fa7e6p-7, -0x1.44bd2e2b88fcfp-8, 0x1.01b0620560ab8p-9, -0x1.87347d12c0836p-11, 0x1.1d2918ea0cbefp-12, -0x1.908569ce8549dp-14, 0x1.1019f1990c6bep-15, -0x1.6587192faeb1fp-17},
  {0x1.c7f81382721efp-2, -0x1.3f947ee724dfcp-62, -0x1.2c84af7c10e14p-2, 0x1.5c775dfc44978p-3, -0x1.6dcc9e7a2c9b5p-4, 0x1.61fee765ff5d7p-5, -0x1.3fc8366a2e3f3p-6, 0x1.102167daf789bp-7, -0x1.b75cb1aca9879p-9, 0x1.524f5c6e3860dp-10, -0x1.f329c42eefe81p-12, 0x1.621c0d3aca716p-13, -0x1.e49dde3690fd4p-15, 0x1.411c545d6a5fbp-16, -0x1.9bec78e721679p-18},
  {0x1.9531e09b149b5p-2, -0x1.aa513235e9c37p-58, -0x1.e78b356770fbbp-3, 0x1.05e72521ca1b8p-3, -0x1.01343a2c92265p-4, 0x1.d4e711a2df991p-6, -0x1.910a5d7c0a72ap-7, 0x1.446c5166c310dp-8, -0x1.f38c6d0504c3ap-10, 0x1.6fd9a5be90814p-11, -0x1.041e38fd16d7bp-12, 0x1.62735a11c3355p-14, -0x1.d2b1f704df294p-16, 0x1.2b01103f017c5p-17, -0x1.7206e5150cf32p-19},
  {0x1.5f88f52f3c76bp-2, -0x1.b7eb97a02d0e7p-57, -0x1.797a639d8129dp-3, 0x1.701342cbcea7bp-4, -0x1.4bcdb9d9083c2p-5, 0x1.17eba60d31fd1p-6, -0x1.bdf24bccac61ep-8, 0x1.51ab9ffce088cp-9, -0x1.e8ae68b416ffdp-11, 0x1.535f582c3e0eep-12, -0x1.c5fa6b3db04ebp-14, 0x1.254e37bf7aafep-15, -0x1.6f0579f5f929ap-17, 0x1.bfa42b0d868e6p-19, -0x1.083acf110d471p-20},
  {0x1.3583f6644327bp-2, -0x1.88eb8ebfdccaep-56, -0x1.2b11e6959934cp-3, 0x1.0a15ac2adab35p-4, -0x1.ba018e6428103p-6, 0x1.5a142948a9b34p-7, -0x1.014eae28304b0p-8, 0x1.6d609f6aac688p-10, -0x1.f1b43d3ab3045p-12, 0x1.465ecd36bc883p-13, -0x1.9d62285022408p-15, 0x1.fafbb2e8d214fp-17, -0x1.2db340f68185ap-18, 0x1.5e83abb87c1fbp-20, -0x1.8afd8b1738459p-22},
  {0x1.13e5743b60480p-2, 0x1.ca1dfca5d5331p-56, -0x1.e36580c7f734ap-4, 0x1.8a6efeed233adp-5, -0x1.2ef92f6f10797p-6, 0x1.b99589d40f240p-8, -0x1.33237c3eeacf0p-9, 0x1.99b60e42d9c0bp-11, -0x1.070e0cb5e08c2p-12, 0x1.4631c4c960382p-14, -0x1.87a61e5d24978p-16, 0x1.c858a38809c6bp-18, -0x1.0285e086c8ddcp-19, 0x1.1e564724ba684p-21, -0x1.34386eb0124f6p-23},
  {0x1.d94446d627932p-3, -0x1.a8198a8216449p-58, -0x1.6a70d2bb37411p-4, 0x1.0615670e25a7bp-5, -0x1.6883f9919a179p-7, 0x1.da595561f845ap-9, -0x1.2bd251bb2f39cp-10, 0x1.6d7743d1e8f4dp-12, -0x1.aed7ebc7e4ab6p-14, 0x1.ec7742e8f2c7cp-16, -0x1.117a6958d634bp-17, 0x1.27aa297cf26b2p-19, -0x1.37b4ba4a3a3ddp-21, 0x1.44f92ff5f9b20p-23, -0x1.46ebca92f1ee8p-25},
  {0x1.8c9eb68ff27d7p-3, -0x1.bb4e763c64a35p-57, -0x1.0305781330099p-4, 0x1.43b98bac83823p-6, -0x1.84e9ab30e6ab3p-8, 0x1.c2c72fd7278c1p-10, -0x1.f99e41ecb0b40p-12, 0x1.131bb160848fdp-13, -0x1.2312b258d86d7p-15, 0x1.2bfb5d35afb11p-17, -0x1.2da32bae5f00ap-19, 0x1.285365481cb12p-21, -0x1.1ccc6bc521ca2p-23, 0x1.0ef27b91683ddp-25, -0x1.f3ddce29143dcp-28},
  {0x1.54a7a08d4bb45p-3, -0x1.6a0d91336bdc9p-61, -0x1.82a8522b868a1p-5, 0x1.a7eddc9ee6425p-7, -0x1.c24b49c47a2c4p-9, 0x1.d085857a18035p-11, -0x1.d25ebba1c49e6p-13, 0x1.c882f022fff88p-15, -0x1.b45d025f3832cp-17, 0x1.97dd7a925a021p-19, -0x1.753cacc421d14p-21, 0x1.4ebdb00378173p-23, -0x1.2689de08dcb0bp-25, 0x1.00c9bbdf5bca9p-27, -0x1.b3ebe3c3cbd98p-30},
  {0x1.2a2af19c14930p-3, -0x1.fa04a06a33f29p-57, -0x1.2aa6503acda11p-5, 0x1.22f0664f3cbf9p-7, -0x1.1434ae05873abp-9, 0x1.fff032a0df8fep-12, -0x1.cfcdea1b1f5aap-14, 0x1.9b50d0d2263bfp-16, -0x1.65778aad0cab7p-18, 0x1.30c2fc08d1ee7p-20, -0x1.fe3e33e5d0b17p-23, 0x1.a3bc45e5bfcd9p-25, -0x1.5393135558e7ap-27, 0x1.1074472257be5p-29, -0x1.ab2075a632b5fp-32},
  {0x1.f5b2a049cf4c6p-4, -0x1.fc4bbbfb1695ap-58, -0x1.aa3eb6a946f7ep-6, 0x1.62c12cb5f756ep-8, -0x1.218ed930b23abp-10, 0x1.d00785f2f524ap-13, -0x1.6d54b133dba9bp-15, 0x1.1ad6a31e44879p-17, -0x1.aef8ea355c8f5p-20, 0x1.435515ec525edp-22, -0x1.de09786692a0dp-25, 0x1.5c4e6a1a6cb62p-27, -0x1.f4ca80eb61b65p-30, 0x1.6c3d8c092bfccp-32, -0x1.fdf4086e370f9p-35},
  {0x1.9d8a8f2284f2cp-4, -0x1.5b0277fa1ecb8p-58, -0x1.238ca71b93fc3p-6, 0x1.95252b932efe1p-9, -0x1.15976ddda3ca0p-11, 0x1.774f4826ddf01p-14, -0x1.f4e46d179fed5p-17, 0x1.4a17e1965341ap-19, -0x1.add7ac95defdbp-22, 0x1.149ce135a9d27p-24, -0x1.60002a1672164p-27, 0x1.baf9967b4a545p-30, -0x1.13d020e30bc6bp-32, 0x1.5a6594caf2075p-35, -0x1.a678134ea2821p-38},
  {0x1.5f75c42e97171p-4, -0x1.a1eaaa8191c30p-58, -0x1.a6e2cf277a0cbp-7, 0x1.f75ef7a0fb2dbp-10, -0x1.28787f0e7f4c6p-12, 0x1.59b29296c5705p-15, -0x1.8f23feccb7969p-18, 0x1.c871a15bf34c8p-21, -0x1.028f4645b7a68p-23, 0x1.22467e07c6ae4p-26, -0x1.4300395fb330bp-29, 0x1.6448f089f8aa6p-32, -0x1.85b8f6581ec1fp-35, 0x1.ad0b38ca07b53p-38, -0x1.cd9800de58f7bp-41},
  {0x1.31742f4d8d4d3p-4, -0x1.f82bc955e371ap-59, -0x1.404455ba9f3bep-7, 0x1.4d07bba601411p-10, -0x1.5783a27fad25ap-13, 0x1.5f8a69c9ddd43p-16, -0x1.64fcbb715412ap-19, 0x1.67ca2bf715263p-22, -0x1.67f14d345a249p-25, 0x1.657f3c3d18803p-28, -0x1.608ea5065e8b8p-31, 0x1.5941b3e7bc2fdp-34, -0x1.4fd3aa454bc07p-37, 0x1.484a032f5c9c5p-40, -0x1.3b1145e4c5cacp-43},
};

// (√π x erfcx x - 1) x² in 1/x², x ≥ 8; the error counts in erfcx. Degree 9 on [0.0013, 0.015625], error below 2^-61.2.
static const double ERFCX_TAIL[] = {-0x1.ffffffffffff9p-2, 0x1.7ffffffffe346p-1, -0x1.dffffffcd15b8p+0, 0x1.a3fffe7a50d6ap+2, -0x1.d87f8f6524056p+4, 0x1.44cd9acf97c24p+7, -0x1.074e61162d028p+10, 0x1.e2090a81dbe1ap+12, -0x1.b916b00630c14p+15, 0x1.16954572482a8p+18};

// erf x / x in x²/8 - 1, |x| ≤ 4, relative. Degree 19 on [-1, 1], error below 2^-33.7.
static const double ERF_F32[] = {0x1.6a0407813ba6ap-2, -0x1.69a0ccd9f6df8p-3, 0x1.0dabafa9f88e4p-3, -0x1.b92e963095bd0p-4, 0x1.717ed25590363p-4, -0x1.3215ca717cdadp-4, 0x1.ea9c22453d0afp-5, -0x1.76e9d031dbf77p-5, 0x1.0eba27d1d1e96p-5, -0x1.7022a7b996b7ep-6, 0x1.d7c38f92e4738p-7, -0x1.1a89711343d13p-7, 0x1.37242b1831533p-8, -0x1.4d36ca00e41d5p-9, 0x1.78c1edb02fd74p-10, -0x1.5b3198a59e823p-11, 0x1.4cf6ca5f0eadep-13, -0x1.462501dc85e0fp-14, 0x1.97ec8501d6727p-14, -0x1.2a5b1cc3bdea6p-15};

// erfcx x in (x - 2) / (x + 2), 0 ≤ x ≤ 10.1, relative. Degree 14 on [-1, 0.67], error below 2^-34.2.
static const double ERFCX_F32[] = {0x1.058671b52e946p-2, -0x1.b57034f0c71bap-2, 0x1.eeea7dc58a057p-3, -0x1.437f0a95ed2f5p-4, 0x1.e94734066271ep-9, 0x1.ca951c4c3b7c7p-8, -0x1.bc2d35d1c4095p-11, -0x1.01553f7ae4724p-10, 0x1.70f8e2b32d960p-15, 0x1.6b71d5e36c964p-13, 0x1.b1f1465e49161p-16, -0x1.b66c3dff66a63p-16, -0x1.68f58039ecea6p-17, 0x1.4f336088de1d1p-20, 0x1.27af549fb801ap-20};

// log √(2π).
static const double LOG_ROOT_TWO_PI_1 = 0x1.d67f1c864beb5p-1;
static const double LOG_ROOT_TWO_PI_2 = -0x1.65b5a1b7ff5dfp-55;

// log π.
static const double LOG_PI_1 = 0x1.250d048e7a1bdp+0;
static const double LOG_PI_2 = 0x1.7abf2ad8d5088p-57;

// π.
static const double PI_DD_1 = 0x1.921fb54442d18p+1;
static const double PI_DD_2 = 0x1.1a62633145c07p-53;

// 1 / 12.
static const double TWELFTH_1 = 0x1.5555555555555p-4;
static const double TWELFTH_2 = 0x1.5555555555555p-58;

// Euler's constant γ.
static const double EULER_1 = 0x1.2788cfc6fb619p-1;
static const double EULER_2 = -0x1.6cb90701fbfabp-58;

// 1 - γ.
static const double ONE_MINUS_EULER_1 = 0x1.b0ee6072093cep-2;
static const double ONE_MINUS_EULER_2 = 0x1.6cb90701fbfabp-58;

// Stirling's series of log Γ after 1/(12x): B(2k) / (2k (2k - 1)) of 1/x^(2k - 1), k = 2…12.
static const double STIRLING[] = {-0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11, 0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8, -0x1.e4286cb0f5398p-6, 0x1.6fe96381e0680p-3, -0x1.6476701181f3ap+0, 0x1.ace44322ce006p+3, -0x1.39b2525cccc1bp+7};

// of the asymptotic series of digamma after 1/(12x²): B(2k) / (2k) of 1/x^(2k), k = 2…12.
static const double DIGAMMA[] = {-0x1.1111111111111p-7, 0x1.0410410410410p-8, -0x1.1111111111111p-8, 0x1.f07c1f07c1f08p-8, -0x1.5995995995996p-6, 0x1.5555555555555p-4, -0x1.c5e5e5e5e5e5ep-2, 0x1.86e7f9b9fe6e8p+1, -0x1.a74ca514ca515p+4, 0x1.1975cc0ed7304p+8, -0x1.c2f0566566566p+11};

// (lgamma(1 + y) / y + γ) / y; the error counts in lgamma(1 + y) / y. Degree 10 on [-0.0625, 0.0625], error below 2^-59.5.
static const double LGAMMA_1[] = {0x1.a51a6625307d3p-1, -0x1.9a4d55beab2e5p-2, 0x1.151322ac7d855p-2, -0x1.a8b9c17a83eb3p-3, 0x1.5b40cb0fec778p-3, -0x1.2703a29c22e84p-3, 0x1.010b376117512p-3, -0x1.c8030709cb3cbp-4, 0x1.99feb881da608p-4, -0x1.77f3ed1d35a52p-4, 0x1.58944b413c2fcp-4};

// (lgamma(2 + y) / y - (1 - γ)) / y; the error counts in lgamma(2 + y) / y. Degree 8 on [-0.0625, 0.0625], error below 2^-59.6.
static const double LGAMMA_2[] = {0x1.4a34cc4a60fa6p-2, -0x1.13e001a5575ecp-4, 0x1.51322ac7d8453p-6, -0x1.e404fc22f1514p-8, 0x1.7add6eaef9e5dp-9, -0x1.38ac48440040cp-10, 0x1.0b369d59da740p-11, -0x1.d4d18c6c86aefp-13, 0x1.a1e976b4f689bp-14};

// where digamma is 0.
static const double DIGAMMA_ZERO_1 = 0x1.762d86356be3fp+0;
static const double DIGAMMA_ZERO_2 = 0x1.b86a722197829p-54;
static const double DIGAMMA_ZERO_3 = 0x1.e0d62a6be90c7p-109;

// its derivative there.
static const double DIGAMMA_SLOPE_1 = 0x1.ef72bc8ee38acp-1;
static const double DIGAMMA_SLOPE_2 = -0x1.3879eb97bf58dp-55;

// (digamma(zero + y) / y - slope) / y; the error counts in digamma / y. Degree 9 on [-0.0625, 0.0625], error below 2^-58.9.
static const double DIGAMMA_NEAR_ZERO[] = {-0x1.c563b54aa1a36p-2, 0x1.08b4294d50381p-2, -0x1.4fc131725667fp-3, 0x1.b9a5b6370d3fep-4, -0x1.27baba3d44666p-4, 0x1.8fce02d1e4f80p-5, -0x1.0fa76a99f43bbp-5, 0x1.723cb6c2fe00fp-6, -0x1.fbc0444950b6ap-7, 0x1.5aea98604ef30p-7};

// clang-format on
#endif
