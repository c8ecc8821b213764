// Polynomials and constants of math/elementary. Written by coefficients.py, which says how; do not
// edit. Coefficients are in ascending order.
#ifndef HLO_MATH_ELEMENTARY_COEFFICIENTS_H
#define HLO_MATH_ELEMENTARY_COEFFICIENTS_H

#include <stdint.h>

// clang-format off

// 1 / log 2.
static const double LOG2_E = 0x1.71547652b82fep+0;

// log 2; 11-bit multiples of the first part are exact.
static const double LN2_1 = 0x1.62e42fefa3800p-1;
static const double LN2_2 = 0x1.ef35793c76730p-45;

// log 2.
static const double LN2_DD_1 = 0x1.62e42fefa39efp-1;
static const double LN2_DD_2 = 0x1.abc9e3b39803fp-56;

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

// (erf x / x - 2/√π) / x² in x², |x| < 1/2; the error counts in erf x / x. Degree 8 on [0, 0.2501], error below 2^-57.9.
static const double ERF[] = {-0x1.812746b0379e7p-2, 0x1.ce2f21a042bcfp-4, -0x1.b82ce31286ca6p-6, 0x1.565bcd0d2f387p-8, -0x1.c02db3355a85bp-11, 0x1.f9a2dd80b8e29p-14, -0x1.f4c2b3b43d836p-17, 0x1.b7f30850d48a8p-20, -0x1.3d8b39d54153dp-23};

// (x + 1/2) e^(x²) erfc x for x = 4.
static const double ERFCX_AT_4_1 = 0x1.3ba5916e9fd7fp-1;
static const double ERFCX_AT_4_2 = -0x1.aa9c415679e6fp-56;

// the same for x ≥ 1/2, less that, over t, in t = (x - 4) / (x + 4). Degree 21 on [-0.777778, 0.75], error below 2^-57.6.
static const double ERFCX[] = {-0x1.1df1ad154a28ep-4, 0x1.f7f5df66fd7b2p-8, 0x1.16ecefcfa535ep-5, -0x1.9ddb23c3e9031p-5, 0x1.7fee004e133fep-5, -0x1.0fb06dfe4ae62p-5, 0x1.3079edf651837p-6, -0x1.096238849da84p-7, 0x1.49c6729b3a225p-9, -0x1.8d4a9a74bc5aep-12, -0x1.a1df3a78d5b6ep-14, 0x1.3be049cb5e49cp-14, -0x1.9955fe1f7c723p-17, -0x1.7887641642368p-18, 0x1.7efee734cd055p-19, 0x1.3a4abcecffc00p-23, -0x1.b866313164033p-22, 0x1.45df9ea53bc50p-25, 0x1.be1afb0c39c6ap-25, -0x1.411c049f32334p-27, -0x1.528630bb1aba9p-28, 0x1.18d74b6e64fcep-30};

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

// of the Euler–Maclaurin formula: B(2j) / (2j)!, j = 1…13.
static const double EULER_MACLAURIN[] = {0x1.5555555555555p-4, -0x1.6c16c16c16c17p-10, 0x1.1566abc011567p-15, -0x1.bbd779334ef0bp-21, 0x1.66a8f2bf70ebep-26, -0x1.22805d644267fp-31, 0x1.d6db2c4e09162p-37, -0x1.7da4e1f79955cp-42, 0x1.355871d652e9ep-47, -0x1.f57d968caacf1p-53, 0x1.967e1f09c376fp-58, -0x1.497d9033a2b5cp-63, 0x1.0b132d7c6ad06p-68};

// (lgamma(1 + y) / y + γ) / y; the error counts in lgamma(1 + y) / y. Degree 10 on [-0.0625, 0.0625], error below 2^-59.5.
static const double LGAMMA_1[] = {0x1.a51a6625307d3p-1, -0x1.9a4d55beab2e5p-2, 0x1.151322ac7d855p-2, -0x1.a8b9c17a83eb3p-3, 0x1.5b40cb0fec778p-3, -0x1.2703a29c22e84p-3, 0x1.010b376117512p-3, -0x1.c8030709cb3cbp-4, 0x1.99feb881da608p-4, -0x1.77f3ed1d35a52p-4, 0x1.58944b413c2fcp-4};

// (lgamma(2 + y) / y - (1 - γ)) / y; the error counts in lgamma(2 + y) / y. Degree 8 on [-0.0625, 0.0625], error below 2^-59.6.
static const double LGAMMA_2[] = {0x1.4a34cc4a60fa6p-2, -0x1.13e001a5575ecp-4, 0x1.51322ac7d8453p-6, -0x1.e404fc22f1514p-8, 0x1.7add6eaef9e5dp-9, -0x1.38ac48440040cp-10, 0x1.0b369d59da740p-11, -0x1.d4d18c6c86aefp-13, 0x1.a1e976b4f689bp-14};

// lgamma(2 + y) / y, relative. Degree 11 on [-0.5, 0.5], error below 2^-37.0.
static const double LGAMMA_F32[] = {0x1.b0ee60720f144p-2, 0x1.4a34cc4a5e442p-2, -0x1.13e001bf9b68ap-4, 0x1.51322af89f70dp-6, -0x1.e404afd21cd14p-8, 0x1.7add27d2db2a1p-9, -0x1.38c08bc30f720p-10, 0x1.0b496d499e088p-11, -0x1.cf3295be08744p-13, 0x1.9cb4f2ee64828p-14, -0x1.bacfb050da62fp-15, 0x1.953f327c6696cp-16};

// where digamma is 0.
static const double DIGAMMA_ZERO_1 = 0x1.762d86356be3fp+0;
static const double DIGAMMA_ZERO_2 = 0x1.b86a722197829p-54;

// its derivative there.
static const double DIGAMMA_SLOPE_1 = 0x1.ef72bc8ee38acp-1;
static const double DIGAMMA_SLOPE_2 = -0x1.3879eb97bf58dp-55;

// (digamma(zero + y) / y - slope) / y; the error counts in digamma / y. Degree 9 on [-0.0625, 0.0625], error below 2^-58.9.
static const double DIGAMMA_NEAR_ZERO[] = {-0x1.c563b54aa1a36p-2, 0x1.08b4294d50381p-2, -0x1.4fc131725667fp-3, 0x1.b9a5b6370d3fep-4, -0x1.27baba3d44666p-4, 0x1.8fce02d1e4f80p-5, -0x1.0fa76a99f43bbp-5, 0x1.723cb6c2fe00fp-6, -0x1.fbc0444950b6ap-7, 0x1.5aea98604ef30p-7};

// digamma(y + 3/2) / (y + 3/2 - zero), relative. Degree 14 on [-0.5, 0.5], error below 2^-38.0.
static const double DIGAMMA_F32[] = {0x1.e6f0cbb873616p-1, -0x1.b1cb6301ea855p-2, 0x1.eca189baf66a6p-3, -0x1.2feee9cc7c487p-3, 0x1.8512e32ab1f6ap-4, -0x1.fb45548260512p-5, 0x1.4dea77a4f2fedp-5, -0x1.b9cb6718c99c4p-6, 0x1.25464086fa36dp-6, -0x1.8997b333499cep-7, 0x1.06023021899e8p-7, -0x1.37f358d2542cbp-8, 0x1.9fb19f53f0f30p-9, -0x1.dad6904ae0090p-9, 0x1.3c8394ae57afdp-9};

// √π / 2.
static const double HALF_ROOT_PI_1 = 0x1.c5bf891b4ef6bp-1;
static const double HALF_ROOT_PI_2 = -0x1.618f13eb7ca89p-55;

// y / x for erf y = x in w - 5/2, w = -log(1 - x²) ≤ 5, relative. Degree 13 on [-2.5, 2.5001], error below 2^-35.2.
static const double ERF_INV_NEAR[] = {0x1.805c5cfd043cbp+0, 0x1.f91e8993e053ap-3, -0x1.11c3c460cbcf3p-8, -0x1.4863cd7859b8cp-10, 0x1.c9b4a84778beep-13, -0x1.4f49523e45a00p-18, -0x1.caad4cf124c4dp-19, 0x1.010de9b62be69p-21, 0x1.d98d03299c32ap-27, -0x1.766c2e735296ap-27, 0x1.c2b4d1bc9121ep-31, 0x1.1ad154c005cd2p-33, -0x1.68f563bbc7ab3p-36, -0x1.3a808e90c58a1p-42};

// the same in √w - 4.2, 5 ≤ w ≤ 38, relative. Degree 20 on [-1.97, 1.97], error below 2^-36.9.
static const double ERF_INV_FAR[] = {0x1.02aba51394225p+2, 0x1.0288f59b1031ep+0, 0x1.a73478428f187p-11, -0x1.55d4e987b5340p-11, 0x1.e0917b0347b9cp-13, -0x1.2c659d52701f1p-14, 0x1.b41a7cce03a1cp-16, -0x1.ac33413960129p-17, 0x1.f2426e33ae4f6p-18, -0x1.1545df901f40dp-18, 0x1.e2874025f985dp-20, -0x1.ffde89c74763fp-22, 0x1.ff76ae6709de9p-25, 0x1.7442668334f9fp-29, -0x1.2e40e2a867cb2p-25, 0x1.142f50d86af16p-25, -0x1.60ad8d523fd23p-28, -0x1.19f8531730dbep-28, 0x1.61fe5567e51dfp-30, 0x1.53534837b8b8ap-33, -0x1.2924fddabc306p-34};

// (e^-x I₁(x) / x - 1/2) / x, the error counts in e^-x I₁(x) / x. Degree 10 on [0, 0.2501], error below 2^-58.3.
static const double BESSEL_I1E_NEAR[] = {-0x1p-1, 0x1.4000000000000p-2, -0x1.2aaaaaaaaaa47p-3, 0x1.bffffffff9e91p-5, -0x1.1999999813319p-6, 0x1.3111109ee2efep-8, -0x1.228a13c9e116fp-10, 0x1.ede5f88ebbf12p-13, -0x1.7acc3d67f6836p-15, 0x1.04ea56dde4272p-17, -0x1.16a279018f665p-20};

// e^-x I₁(x) / x on [1/4, 32): a row per quarter of an octave; with d = x - its centre it is r[0] + r[1] + d (r[2] + r[3] d + …). Error of d (…) below 2^-55.9.
static const double BESSEL_I1E[28][17] = {
  {0x1.864fd689d02e0p-2, 0x1.52f6ff5afffd5p-57, -0x1.6af544299112dp-2, 0x1.b2246efb2bae5p-3, -0x1.89718863dea3dp-4, 0x1.20f2144f849aep-5, -0x1.659331df12093p-7, 0x1.7eabc35cf26cdp-9, -0x1.68e9b807f40d2p-11, 0x1.30581178c6c69p-13, -0x1.d031563932fc3p-16, 0x1.431f90435c473p-18, -0x1.9dc85f3bd712fp-21, 0x1.ea903a69b486bp-24, -0x1.0eb733cbd11dap-26, 0x1.178184444cd1bp-29, -0x1.0f1043cef8f43p-32},
  {0x1.70739226fe4a0p-2, 0x1.147bcc7e6c57ep-56, -0x1.50f1419462282p-2, 0x1.8ee5956f149cap-3, -0x1.6703abc751222p-4, 0x1.065d50eb7fe3fp-5, -0x1.437c954a6b718p-7, 0x1.593444ff6da4cp-9, -0x1.44d680f096c02p-11, 0x1.116ac69f0286ep-13, -0x1.a061f7a925d1dp-16, 0x1.2177db552b38cp-18, -0x1.7246927a27a3cp-21, 0x1.b6908d2449051p-24, -0x1.e3a3523d61356p-27, 0x1.f2f9f8b8b5804p-30, -0x1.e3974c5bac594p-33},
  {0x1.5c2674f654cafp-2, 0x1.c379aca764bd9p-57, -0x1.390829a0af310p-2, 0x1.6eba75b53504cp-3, -0x1.47bf385661241p-4, 0x1.dca0ca3c2da58p-6, -0x1.24bb78cd5755ap-7, 0x1.377aa9e624864p-9, -0x1.246d150747b28p-11, 0x1.eb58e1eab8b26p-14, -0x1.758cbd87d6a05p-16, 0x1.0359a4846debdp-18, -0x1.4b60e6421296ep-21, 0x1.881d4d31366f2p-24, -0x1.b00caf184f102p-27, 0x1.bd6bef3b4c24ep-30, -0x1.af6771a50b5b5p-33},
  {0x1.49484dd457f08p-2, 0x1.efebcca58c750p-58, -0x1.230b0c0412f07p-2, 0x1.515ad9399f79dp-3, -0x1.2b57398e6d1bap-4, 0x1.b1180b6daf84ap-6, -0x1.08fab2956cf56p-7, 0x1.191dbf2ddd8d4p-9, -0x1.074cfb74802d4p-11, 0x1.b9908a15fd508p-14, -0x1.4f2bce4bd9b73p-16, 0x1.d0ca07db3551ap-19, -0x1.2899789a00530p-21, 0x1.5e9e060a46242p-24, -0x1.81ff12c47d296p-27, 0x1.8da504ee98a19p-30, -0x1.80dff36a5e1d3p-33},
  {0x1.2f6b8701cc08fp-2, 0x1.7aab9377b2927p-58, -0x1.054d9f948ed1fp-2, 0x1.29fbc237d7295p-3, -0x1.05828b382b610p-4, 0x1.7764d00f9cefap-6, -0x1.c8a9cee04f4d0p-8, 0x1.e247bfeb85c9bp-10, -0x1.c217695269dc2p-12, 0x1.784e83beb1363p-14, -0x1.1cf227d7a73fbp-16, 0x1.8a564cfceffb9p-19, -0x1.f66917ae2abfcp-22, 0x1.28831761550f5p-24, -0x1.4601d517d2f20p-27, 0x1.4f8322e0c35b9p-30, -0x1.4467792836f65p-33},
  {0x1.10f683d6e92adp-2, 0x1.1bdb62a3b6bf5p-59, -0x1.c5e3ce9aa0732p-3, 0x1.fa2b013e95c40p-4, -0x1.b587deb5960dap-5, 0x1.36a5ed10a4220p-6, -0x1.76db19c9ff1d9p-8, 0x1.896b761eb8121p-10, -0x1.6d59235ae44a6p-12, 0x1.303b37bc744c4p-14, -0x1.cb3635a1bab91p-17, 0x1.3cde282ae788ap-19, -0x1.92c0f0b296f24p-22, 0x1.da6c960d231d6p-25, -0x1.04588f8a8bed8p-27, 0x1.0b8506a07cc55p-30, -0x1.024e8da20a537p-33},
  {0x1.ecf0897e72c1dp-3, 0x1.1bee026ecebaap-57, -0x1.8b74e20bc2ef1p-3, 0x1.aef9cff9e8fb5p-4, -0x1.6ebbb77f20b34p-5, 0x1.01781a1e57d46p-6, -0x1.3416b2a0c76f3p-8, 0x1.4142aef3f0431p-10, -0x1.28d0057e78183p-12, 0x1.ec4615005256dp-15, -0x1.7240bb7b7eae1p-17, 0x1.fd80c374d0d76p-20, -0x1.43031676213cap-22, 0x1.7bb203078ef0dp-25, -0x1.9ff76adcfcdc6p-28, 0x1.aabf12476527ap-31, -0x1.9b7844e6ddec3p-34},
  {0x1.beb3f9b0e38b0p-3, 0x1.c258091c6e229p-59, -0x1.59a46243318cdp-3, 0x1.6fe3acc0f652ap-4, -0x1.34029c2bdd6ffp-5, 0x1.ab785086d7b06p-7, -0x1.fb1477fbd1976p-9, 0x1.069ce754dce47p-10, -0x1.e2b06d794325dp-13, 0x1.8e909e5108454p-15, -0x1.2ab6dac6e34c6p-17, 0x1.99d84c7d22831p-20, -0x1.032e1353f04ddp-22, 0x1.3001866a323dap-25, -0x1.4c6cbaa2b6a61p-28, 0x1.547b5d58d11c8p-31, -0x1.47d1e2b5cac9dp-34},
  {0x1.83e2b8096c2ffp-3, 0x1.630706bef6ed6p-57, -0x1.1c2043a29cc67p-3, 0x1.238f50ddbb1e4p-4, -0x1.dbfe1b8a60b9fp-6, 0x1.445212c74bec8p-7, -0x1.7b81271aaa076p-9, 0x1.84f99c3e9907bp-11, -0x1.62845345038abp-13, 0x1.22c65952386dep-15, -0x1.b175bc5c1d8e2p-18, 0x1.27fe3875ab3dbp-20, -0x1.74e7bbac0224cp-23, 0x1.b3f07bbcdc45cp-26, -0x1.db4ff4b935893p-29, 0x1.e5e4488b1e265p-32, -0x1.d2bff47581199p-35},
  {0x1.451c033865026p-3, 0x1.242999293300fp-61, -0x1.ba772a789992dp-4, 0x1.afa6a38de0b8ap-5, -0x1.54083bf1c83e3p-6, 0x1.c38c3e0c6631dp-8, -0x1.0320e06a05d2ap-9, 0x1.05ab30c9ae1dcp-11, -0x1.d767a5db50dcbp-14, 0x1.7f00bc6cbba82p-16, -0x1.1b435ab5b5891p-18, 0x1.805c84fbd48c0p-21, -0x1.e197a5d910ccdp-24, 0x1.182f423835eafp-26, -0x1.3041ba26d2664p-29, 0x1.35ee84ce5c1dap-32, -0x1.28ccaddda01d7p-35},
  {0x1.13eedd150fcd3p-3, 0x1.7e4a39c673b81p-57, -0x1.5cdff4ff462c5p-4, 0x1.42ff1b880ea12p-5, -0x1.ea224081ad4a2p-7, 0x1.3c9b26bbe335cp-8, -0x1.63f0bf05206ffp-10, 0x1.61befb32d8b64p-12, -0x1.3aa9fd1ecd34ap-14, 0x1.fa2b661442381p-17, -0x1.7345420d58fafp-19, 0x1.f45325b37c7c0p-22, -0x1.37a1f029c1055p-24, 0x1.68d175684118bp-27, -0x1.86265c7640e4bp-30, 0x1.8bf3b326d159dp-33, -0x1.79f115288e076p-36},
  {0x1.d9db1f585f5b9p-4, -0x1.7e710ea8b8c89p-58, -0x1.167a3d335fa04p-4, 0x1.e8b2edf0b2902p-6, -0x1.647eb05dbfdbdp-7, 0x1.bf534d3c4b735p-9, -0x1.ebeeedf93a6abp-11, 0x1.e0a5a19d83b42p-13, -0x1.a5d86a38ef4fap-15, 0x1.4fa70db1510dfp-17, -0x1.e813a787a911ep-20, 0x1.4678a0c48cd8dp-22, -0x1.94330ade017bfp-25, 0x1.d18d71378da44p-28, -0x1.f523287f452dfp-31, 0x1.fa9a6db54e030p-34, -0x1.e1e86b4a8d9d4p-37},
  {0x1.808213d637c7ap-4, 0x1.6d680e1241476p-61, -0x1.961415f90d47ep-5, 0x1.483d69ad9785fp-6, -0x1.c2293b7ef9cdbp-8, 0x1.0d8bd1d36ccbep-9, -0x1.1e0c49c1a0165p-11, 0x1.0fdd8a77ddfc8p-13, -0x1.d2e9b3489810cp-16, 0x1.6d0f9ca3684b3p-18, -0x1.05a77d8020e3bp-20, 0x1.59ebde17d854dp-23, -0x1.a80d4ee8a1a1ap-26, 0x1.e451fc8e1720ap-29, -0x1.02cb28e1cda37p-31, 0x1.04969d8f8b82ap-34, -0x1.ecf36e4d99db9p-38},
  {0x1.2c7362397058bp-4, -0x1.cf7d006e88d45p-59, -0x1.14f5327b1a259p-5, 0x1.910b8b72b7652p-7, -0x1.f8698d8cfc809p-9, 0x1.1a6857e5a313ap-10, -0x1.1c75ce7f87e3bp-12, 0x1.0387f1322a2bap-14, -0x1.af855be9436c3p-17, 0x1.48b7ddf5cf9dcp-19, -0x1.cd51946897718p-22, 0x1.2ba59aef1cb64p-24, -0x1.69fb5989bf1f2p-27, 0x1.9855af631e928p-30, -0x1.afc83b7f706c0p-33, 0x1.aecc70725691bp-36, -0x1.943d90c00b51cp-39},
  {0x1.e4095377e6158p-5, -0x1.640ad22d5fd85p-60, -0x1.89137c5ccb496p-6, 0x1.fec5a2d9f0712p-8, -0x1.25d079e91cac0p-9, 0x1.323c0dbe4747fp-11, -0x1.235933d6c3312p-13, 0x1.fc096b8598df5p-16, -0x1.974bad567ed19p-18, 0x1.2d4e044de501cp-20, -0x1.9cdbe749eaebep-23, 0x1.06eed3d9032b3p-25, -0x1.3872324f20e44p-28, 0x1.5b99160e28a1ep-31, -0x1.6b3cdf740fe2fp-34, 0x1.66ba123177f56p-37, -0x1.4da92acbf488dp-40},
  {0x1.8fb35b784f99dp-5, -0x1.d09d60eabbcd3p-59, -0x1.20c57a477cc7dp-6, 0x1.5213ee75bc0cap-8, -0x1.639ebb8de4896p-10, 0x1.57f641d064555p-12, -0x1.33d1e4ccdacf3p-14, 0x1.fec38df3ad961p-17, -0x1.895719f69501ap-19, 0x1.199e4dbed5dfap-21, -0x1.77afdec8065b8p-24, 0x1.d40cfee3b09b8p-27, -0x1.11035f94d0f15p-29, 0x1.2b0ccee4f8a91p-32, -0x1.346920d260758p-35, 0x1.2d23d13c96a48p-38, -0x1.15608004898adp-41},
  {0x1.373895f6f8c58p-5, -0x1.62d04376e8acbp-59, -0x1.800eaafaac306p-7, 0x1.8475c569123a3p-9, -0x1.6657ce622217dp-11, 0x1.352663e599984p-13, -0x1.f61a2b05f9477p-16, 0x1.80169c4b6a934p-18, -0x1.1490a00483e19p-20, 0x1.76a9b7e057ccdp-23, -0x1.dd6e39fcabfa6p-26, 0x1.1e4efc69ae8d4p-28, -0x1.4390c3ae71790p-31, 0x1.590e5822895ddp-34, -0x1.5be2b156e06b0p-37, 0x1.500562ef1aa4bp-40, -0x1.3024477f0b47ep-43},
  {0x1.d5c6e7778ad73p-6, -0x1.087830f9d03d9p-60, -0x1.e3573e92911b3p-8, 0x1.9ab54c836d99bp-10, -0x1.41bfc45b939f4p-12, 0x1.de1372c35b477p-15, -0x1.53c0fdc01963cp-17, 0x1.ceaabd16c14e4p-20, -0x1.2d77274f16c48p-22, 0x1.7732d5f6412dcp-25, -0x1.bd21ee14026bbp-28, 0x1.f6b96a772ea03p-31, -0x1.0e0b833a93322p-33, 0x1.13eba94f18cbfp-36, -0x1.0c41d9fcc4606p-39, 0x1.f61abc712663bp-43, -0x1.ba9024c480b26p-46},
  {0x1.726035266bb02p-6, -0x1.146c57d5e5396p-61, -0x1.461fc86f734d0p-8, 0x1.dbfc5468b67f5p-11, -0x1.41e6f69d5b2acp-13, 0x1.9fe8e6be1436bp-16, -0x1.0373aa7784ceap-18, 0x1.39a5b31e60885p-21, -0x1.6f5f34c244aeep-24, 0x1.a036045ba7429p-27, -0x1.c70c04d971919p-30, 0x1.defd31b2f6d1cp-33, -0x1.e477e6887add1p-36, 0x1.d62145b930651p-39, -0x1.b558d7fcd0028p-42, 0x1.89dacf3d468bcp-45, -0x1.50155edf307e2p-48},
  {0x1.2d8e3da2ff55ap-6, -0x1.12b93e4fd6f53p-60, -0x1.cfc1b713591e7p-9, 0x1.28137de349a15p-11, -0x1.5f3f006553d5bp-14, 0x1.8f82e4cd786d2p-17, -0x1.b9068ee035bebp-20, 0x1.dadfabb917b77p-23, -0x1.f3739ea567adbp-26, 0x1.0068e91e71318p-28, -0x1.0094dbea44fcdp-31, 0x1.f3564322e111ep-35, -0x1.d75da10ec90b8p-38, 0x1.aeb5d2aec41f2p-41, -0x1.7c4bd85c1c962p-44, 0x1.471b10b045569p-47, -0x1.0c73ff4e98231p-50},
  {0x1.cf36479fd7247p-7, -0x1.3016774ef722bp-61, -0x1.2b1a036a9d356p-9, 0x1.4126a1e3ea859p-12, -0x1.40f9605f5e9bdp-15, 0x1.345a5681ddbfcp-18, -0x1.20859209fb281p-21, 0x1.0898f70f44d82p-24, -0x1.dd13c6d216054p-28, 0x1.a73dbf1ad7c3bp-31, -0x1.716d1c4d6efc0p-34, 0x1.3cea6b4b85f31p-37, -0x1.0ac10f36a44e1p-40, 0x1.b78430ec03561p-44, -0x1.6204c02baa56ep-47, 0x1.1f9d7ed046afep-50, -0x1.b6f7791dfcf85p-54},
  {0x1.59b9bb14ca94dp-7, 0x1.1f28e1615f66dp-61, -0x1.6fb15625317acp-10, 0x1.456b97284e31cp-13, -0x1.0c619af461cf2p-16, 0x1.aa1a4c6cd44d9p-20, -0x1.4a0eeb4732018p-23, 0x1.f65f1411aaf5ap-27, -0x1.790d3611d34dep-30, 0x1.17aefaa53c17ep-33, -0x1.9a8117525d4cdp-37, 0x1.2a265ed709d74p-40, -0x1.ac82b1b671692p-44, 0x1.305a86d630b88p-47, -0x1.ab192f0d8651ep-51, 0x1.2f9c62e7b6bfbp-54, -0x1.9d3aa5a9f37a7p-58},
  {0x1.0ea4ff5b2a0aep-7, -0x1.7128f1fb8c054p-61, -0x1.e9378dd3f8a66p-11, 0x1.701c0ebe8c8eep-14, -0x1.023ee6ed57be0p-17, 0x1.5cff0aed58b0ep-21, -0x1.cc8ff92df7fddp-25, 0x1.2adc4f4017e3bp-28, -0x1.7ef9f60c4ea53p-32, 0x1.e5c5f00edd481p-36, -0x1.31693c99e89b6p-39, 0x1.7d0d2c50b773fp-43, -0x1.d7f5862baa524p-47, 0x1.22203c3921de5p-50, -0x1.6222157e2f4f0p-54, 0x1.b603d328bb6d9p-58, -0x1.06d3515d53e0ap-61},
  {0x1.b68a9d475f4e6p-8, 0x1.76ad6a3abfd41p-63, -0x1.588eb34076ce1p-11, 0x1.c2e142769a3f3p-15, -0x1.1321ec632fae0p-18, 0x1.4385fe1c294adp-22, -0x1.73a45f2635593p-26, 0x1.a40a9901261e6p-30, -0x1.d50693a81100fp-34, 0x1.035f46bdbfddcp-37, -0x1.1c9dc718d1190p-41, 0x1.3636bd17e3701p-45, -0x1.50158f2fa2af2p-49, 0x1.6a0dc5c4d23d0p-53, -0x1.84017690e61b7p-57, 0x1.a483aedb9ce36p-61, -0x1.bdc81740b130dp-65},
  {0x1.4f188324e42ffp-8, -0x1.b6096dca38736p-62, -0x1.b8375adc45bd5p-12, 0x1.e1b48e81b4d38p-16, -0x1.ebb8e8d81b194p-20, 0x1.e3c442e52d4abp-24, -0x1.d119ff25fc988p-28, 0x1.b81d9bd620dccp-32, -0x1.9ba0b4eeb7a7fp-36, 0x1.7d81f8d1a3ba7p-40, -0x1.5f03715435a2ap-44, 0x1.40fe77998a13ep-48, -0x1.2401142646455p-52, 0x1.0829597597b1ap-56, -0x1.dc6753b3268fep-61, 0x1.c0e7a4512bba3p-65, -0x1.919c203f3edf1p-69},
  {0x1.f1f9b1ca8da85p-9, 0x1.7017e771aed41p-64, -0x1.0c630c4816370p-12, 0x1.e204ca5c37811p-17, -0x1.93dd99e1cf46bp-21, 0x1.4630e614780b2p-25, -0x1.0182ce94b2cfap-29, 0x1.90467a2f3d2fbp-34, -0x1.338e3860a163ep-38, 0x1.d47e930108017p-43, -0x1.62564f685c83ap-47, 0x1.0a7646d3703bcp-51, -0x1.8ed319a97ac40p-56, 0x1.291a56733b9bcp-60, -0x1.b939d79e88cc0p-65, 0x1.514ae96ddce5dp-69, -0x1.f1b712034b134p-74},
  {0x1.84a94faa93066p-9, -0x1.b73b6e3bbb182p-63, -0x1.632cc16240ef8p-13, 0x1.0e6be1450a8a9p-17, -0x1.803f9d6fa7bf9p-22, 0x1.072f3bc09b442p-26, -0x1.606e9effe610bp-31, 0x1.d0ad9501dc39dp-36, -0x1.2ee435239c69ep-40, 0x1.877875bf0604dp-45, -0x1.f680e09e7e397p-50, 0x1.40b87ec8ee539p-54, -0x1.977ed807e064bp-59, 0x1.01cb35f3fecb3p-63, -0x1.452135927bcfep-68, 0x1.a26e0e1199487p-73, -0x1.0654400eed8c7p-77},
  {0x1.3a350ddd58ad6p-9, -0x1.a918177dd2744p-64, -0x1.f26561d4917fcp-14, 0x1.4959089d7b0bfp-18, -0x1.9631600e3b638p-23, 0x1.e2fefd3f9b3a6p-28, -0x1.18bb1f66f7963p-32, 0x1.4155e6d3bf78cp-37, -0x1.6bb422cc1d595p-42, 0x1.98260901a5059p-47, -0x1.c6f08032ba86dp-52, 0x1.f851e9f4ef75cp-57, -0x1.164251ab284d4p-61, 0x1.31d6ceb8612adp-66, -0x1.4f148bf8331afp-71, 0x1.74847d1b4c0f2p-76, -0x1.95e1154c86828p-81},
};

// 1 / √(2π).
static const double ONE_OVER_ROOT_TWO_PI_1 = 0x1.9884533d43651p-2;
static const double ONE_OVER_ROOT_TWO_PI_2 = -0x1.cbc0d30ebfd15p-56;

// (√(2πx) e^-x I₁(x) - 1) x in 1/x, x ≥ 32; the error counts in e^-x I₁(x). Degree 9 on [0.0001, 0.03125], error below 2^-61.9.
static const double BESSEL_I1E_TAIL[] = {-0x1.8000000000000p-2, -0x1.e0000000005cfp-4, -0x1.a3fffffe9f6e5p-4, -0x1.2750010dd6c99p-3, -0x1.1c3c960df7b71p-2, -0x1.5a823cf05da45p-1, -0x1.fb15be2709d62p+0, -0x1.db42eebb67618p+2, -0x1.b7e5cdf511126p+3, -0x1.24b0752f73e60p+8};

// e^-x I₁(x) / x, x ≤ 8, relative. Degree 22 on [0, 8], error below 2^-33.9.
static const double BESSEL_I1E_F32[] = {0x1p-1, -0x1.ffffffffffcb2p-2, 0x1.3fffffffe6fdep-2, -0x1.2aaaaaa6b7eafp-3, 0x1.bfffff80b3f5ap-5, -0x1.19999555cd6c0p-6, 0x1.3110e40ae0196p-8, -0x1.2288e9644c1f7p-10, 0x1.edde49c4ddb81p-13, -0x1.7afc3dab3ad76p-15, 0x1.08e5174a5add0p-17, -0x1.533106b56cebcp-20, 0x1.8e606e3f18b3ap-23, -0x1.ab3032b615781p-26, 0x1.9d4dc9751bee2p-29, -0x1.61ec24cdf59d0p-32, 0x1.057c65f00b073p-35, -0x1.432f32f1302fdp-39, 0x1.41d9a99a55776p-43, -0x1.ec5461314f810p-48, 0x1.0dc606f3a179cp-52, -0x1.775ec9de16113p-58, 0x1.f084224529786p-65};

// √x e^-x I₁(x) in 1/x, x ≥ 8, relative. Degree 10 on [8.67362e-19, 0.125], error below 2^-36.9.
static const double BESSEL_I1E_F32_TAIL[] = {0x1.9884533d4f8a3p-2, -0x1.32633f2542d75p-3, -0x1.7ef8831ea65f4p-5, -0x1.50cdd41abc7c9p-5, -0x1.6e61efbd031f2p-5, -0x1.21a2a6e7703c7p-1, 0x1.31ff1d9414deep+3, -0x1.0818038cd5675p+7, 0x1.06c827e17e5c9p+10, -0x1.223f719f055e7p+12, 0x1.052aebac8618bp+13};

// clang-format on
#endif
