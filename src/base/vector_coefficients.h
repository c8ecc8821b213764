// Polynomials and constants of vector_math_template.h. Written by vector_coefficients.py, which
// says how; do not edit. Coefficients are in ascending order. Knows nothing of the functions but
// their numbers.
#ifndef HLO_BASE_VECTOR_COEFFICIENTS_H
#define HLO_BASE_VECTOR_COEFFICIENTS_H

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

// 2^t. On [-0.5002, 0.5002], error below 2^-23.0.
static const float V_EXP2[] = {0x1.000002p+0f, 0x1.62e432p-1f, 0x1.ebf86cp-3f, 0x1.c6adf8p-5f, 0x1.3d3008p-7f, 0x1.5f6c58p-10f};

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

// erf x / x - 1 in x²; the error counts in erf x / x. On [0, 1], error below 2^-29.6.
static const float V_ERF[] = {0x1.06eba8p-3f, -0x1.81274p-2f, 0x1.ce2d5p-4f, -0x1.b7fe9p-6f, 0x1.542e1p-8f, -0x1.a50b0ep-11f, 0x1.4c344ep-14f};

// log2 erfc x; the error counts in erf. On [1, 3.93], error below 2^-25.4.
static const float V_ERFC_LOG[] = {-0x1.f9355ap-9f, -0x1.9cb418p+0f, -0x1.e371d6p-1f, -0x1.05e1d6p-3f, 0x1.5d5006p-6f, -0x1.b31562p-10f};

// 2 e^(x²) erfc x (x + 17/16) - 11/8 in 1 / (x + 17/16) - 27/64, 0 ≤ x ≤ 10.06; the error counts in erfc, relative. On [-0.332, 0.5193], error below 2^-25.9.
static const float V_ERFC[] = {0x1.40a0ep-2f, 0x1.3e9e3ap+0f, -0x1.4953eep-1f, -0x1.660cd8p-1f, 0x1.1a4d68p+0f, -0x1.a9d27ap-3f, -0x1.39c2cep+0f, 0x1.de489cp+0f, -0x1.38cfe6p-1f, -0x1.07cc1p+1f, 0x1.a922a4p+1f, -0x1.a722bep+0f};

// clang-format on
#endif
