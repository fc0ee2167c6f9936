/**
 * Vectors of floats under one set of names, so that the files of this folder are written once and compiled for each set of instructions (native/build). Here:
 * exponential, GELU, maximum. A header per kind of processor defines `Vector`, `lanes` and the operations.
 */
#ifndef EARSHOT_VECTORS_H
#define EARSHOT_VECTORS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

#if defined __AVX512F__
#include "kernels/x86/avx512.h"
#elif defined __AVX2__
#include "kernels/x86/avx2.h"
#elif defined __ARM_NEON
#include "kernels/arm/neon.h"
#endif

/** The name of a kernel as compiled for these instructions: avx2_linear. */
#define JOINED(set, name) set##_##name
#define JOIN(set, name) JOINED(set, name)
#define KERNEL(name) JOIN(INSTRUCTIONS, name)

INLINE size_t smaller(size_t one, size_t other) { return one < other ? one : other; }

/** exp(x) for x <= 0, relative error 2e-7: 2^n times a polynomial of the remainder. NaN stays NaN. */
INLINE Vector exp_of(Vector x) {
  x = v_max(v_all(-87.0f), x);
  Vector n = v_round(v_mul(x, v_all(1.44269504f)));
  Vector rest = v_minus_product(x, n, v_all(0.693359375f)); /* ln 2 in two parts */
  rest = v_minus_product(rest, n, v_all(-2.12194440e-4f));
  Vector sum = v_all(1.0f / 720);
  sum = v_plus_product(v_all(1.0f / 120), sum, rest);
  sum = v_plus_product(v_all(1.0f / 24), sum, rest);
  sum = v_plus_product(v_all(1.0f / 6), sum, rest);
  sum = v_plus_product(v_all(0.5f), sum, rest);
  sum = v_plus_product(v_all(1), sum, rest);
  sum = v_plus_product(v_all(1), sum, rest);
  return v_times_power_of_two(sum, n);
}

/** The maximum, in every lane. NaN where a score is NaN or not, depending on the processor: the exponentials of such a row are NaN either way. */
INLINE Vector peak_of(const float *scores, size_t count) {
  Vector peaks = v_all(-3.4e38f);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) peaks = v_max(peaks, v_load(scores + i));
  float peak = v_largest(peaks);
  for (; i < count; i++)
    if (scores[i] > peak) peak = scores[i];
  return v_all(peak);
}

/** GELU, x times the normal distribution function: Hendrycks and Gimpel, arXiv:1606.08415; erf by Abramowitz and Stegun 7.1.26 (1.5e-7). */
INLINE Vector gelu_of(Vector x) {
  Vector a = v_mul(v_abs(x), v_all(0.70710678f));
  Vector t = v_inverse(v_plus_product(v_all(1), a, v_all(0.3275911f)));
  Vector sum = v_all(1.061405429f);
  sum = v_plus_product(v_all(-1.453152027f), sum, t);
  sum = v_plus_product(v_all(1.421413741f), sum, t);
  sum = v_plus_product(v_all(-0.284496736f), sum, t);
  sum = v_plus_product(v_all(0.254829592f), sum, t);
  Vector half = v_mul(t, v_all(0.5f));
  Vector tail = v_mul(v_mul(sum, half), exp_of(v_minus_product(v_all(0), a, a))); /* beyond |x| */
  return v_mul(x, v_if_negative(x, tail, v_sub(v_all(1), tail)));
}

#endif
