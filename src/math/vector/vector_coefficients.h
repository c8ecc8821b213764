// Polynomials and constants of vector_math_template.h. Written by vector_coefficients.py, which
// says how; do not edit. Coefficients are in ascending order.
#ifndef HLO_MATH_VECTOR_VECTOR_COEFFICIENTS_H
#define HLO_MATH_VECTOR_VECTOR_COEFFICIENTS_H

// clang-format off

// log 2; 9-bit multiples of both parts are exact.
static const float V_LN2_1 = 0x1.62e4p-1f;
static const float V_LN2_2 = 0x1.7f7cp-20f;

// π / 2; 13-bit multiples of all but the last part are exact.
static const float V_HALF_PI_1 = 0x1.92p+0f;
static const float V_HALF_PI_2 = 0x1.fb4p-12f;
static const float V_HALF_PI_3 = 0x1.444p-24f;
static const float V_HALF_PI_4 = 0x1.68cp-39f;
static const float V_HALF_PI_5 = 0x1.1a6264p-54f;

// (e^r - 1 - r) / r²; the error counts in e^r. On [-0.3467, 0.3467], error below 2^-28.2.
static const float V_EXP[] = {0x1p-1f, 0x1.555492p-3f, 0x1.5554cp-5f, 0x1.12399cp-7f, 0x1.6d7a6p-10f};

// (x / tanh x - 1) / x² in x²; the error counts in tanh x. On [0, 0.06547], error below 2^-25.4.
static const float V_TANH[] = {0x1.555452p-2f, -0x1.68f3e8p-6f};

// 13/16 (x / tanh(x / 2) - 2) / x² in x²; the error counts in e^x. On [0, 0.1202], error below 2^-28.0.
static const float V_LOGISTIC[] = {0x1.155528p-3f, -0x1.26a392p-9f};

// (2 atanh s - 2 s) / s³ in s²; the error counts in atanh s. On [0, 0.02944], error below 2^-30.2.
static const float V_LOG[] = {0x1.55557ap-1f, 0x1.995ed6p-2f, 0x1.31e088p-2f};

// (sin r / r - 1) / r² in r²; the error counts in sin r / r. On [0, 0.617], error below 2^-28.0.
static const float V_SIN[] = {-0x1.555546p-3f, 0x1.11077cp-7f, -0x1.9955b6p-13f};

// (cos r - 1 + r²/2) / r⁴ in r²; the error counts in cos r. On [0, 0.617], error below 2^-33.1.
static const float V_COS[] = {0x1.55554ap-5f, -0x1.6c0c1ap-10f, 0x1.99e0ecp-16f};

// erf x - x between the first two, then erf x; the error counts in erf x. Between 0, 0.875, 1.625, 2.625, 3.94, error below 2^-26.6.
static const float V_ERF_CENTRES[4] = {0x0p+0f, 0x1.15a484p+0f, 0x1.17feecp+1f, 0x1.a0018ep+1f};
static const float V_ERF[][4] = {{0x1p+3f, 0x1.bff4cep-1f, 0x1.fefcc4p-1f, 0x1.ffff7p-1f}, {0x1.06eba8p-3f, 0x1.6463a8p-2f, 0x1.34e36p-7f, 0x1.e98f42p-16f}, {0x1.15c7a2p-22f, -0x1.8284dap-2f, -0x1.51d7f4p-6f, -0x1.90e6e4p-14f}, {-0x1.812acep-2f, 0x1.4155e2p-3f, 0x1.b92d8p-6f, 0x1.9ac472p-13f}, {0x1.a032aap-13f, 0x1.4dac9p-5f, -0x1.71da74p-6f, -0x1.23237ap-12f}, {0x1.c8cac2p-4f, -0x1.09206cp-4f, 0x1.7f51bep-7f, 0x1.461efcp-12f}, {0x1.30c598p-8f, 0x1.9d8c8cp-7f, -0x1.4c6882p-9f, -0x1.37935ap-12f}, {-0x1.281d4ap-5f, 0x1.6c507ep-7f, -0x1.64e86ap-10f, 0x1.851f6ep-13f}, {0x1.4f851ep-7f, -0x1.67bba6p-8f, 0x1.5372p-10f, -0x1.5fa234p-15f}};

// y / x for erf y = x in w = -log(1 - x²), less 1, 2, 2, 4; relative. Between 0, 3, 5, 9, 16, error below 2^-25.7.
static const float V_ERF_INV_CENTRES[4] = {0x1p+0f, 0x1p+2f, 0x1.cp+2f, 0x1.8p+3f};
static const float V_ERF_INV[][4] = {{0x1.04dcep-3f, -0x1.21386ap-3f, 0x1.eb4962p-2f, -0x1.66be98p-1f}, {0x1.fb8fc4p-3f, 0x1.d3abap-3f, 0x1.7f761p-3f, 0x1.29b5a8p-3f}, {0x1.168ed8p-8f, -0x1.d93ee8p-8f, -0x1.7e9598p-8f, -0x1.835dfcp-9f}, {-0x1.376bcp-9f, -0x1.abdf9p-13f, 0x1.1d803ap-12f, 0x1.e869f2p-14f}, {0x1.a62c54p-14f, 0x1.f3c9b2p-14f, -0x1.af11bep-19f, -0x1.6f094cp-18f}, {0x1.3a00cp-15f, -0x1.0296aep-16f, -0x1.105a74p-19f, 0x1.0f9e22p-22f}, {-0x1.2aba4p-18f, 0x1.1639dep-22f, 0x1.a5baecp-22f, -0x1.06f6eap-27f}, {-0x1.069572p-23f, 0x1.084f82p-23f, -0x1.535bd2p-25f, -0x1.9db926p-34f}};

// 2 e^(x²) erfc x (x + 17/16) - 11/8 in 1 / (x + 17/16) - 27/64, 0 ≤ x ≤ 10.06; the error counts in erfc, relative. On [-0.332, 0.5193], error below 2^-25.9.
static const float V_ERFC[] = {0x1.40a0ep-2f, 0x1.3e9e3ap+0f, -0x1.4953eep-1f, -0x1.660cd8p-1f, 0x1.1a4d68p+0f, -0x1.a9d27ap-3f, -0x1.39c2cep+0f, 0x1.de489cp+0f, -0x1.38cfe6p-1f, -0x1.07cc1p+1f, 0x1.a922a4p+1f, -0x1.a722bep+0f};

// clang-format on
#endif
