/** Vectors of 16 floats: exponential, GELU, maximum; and the macros for tiles of six rows. */
#ifndef EARSHOT_VECTORS_H
#define EARSHOT_VECTORS_H

#include <immintrin.h>
#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

/** Floats of a vector. */
enum { lanes = 16 };

/**
 * Rows of a tile: 6 x 4 registers of sums, 4 of one operand, 1 of the other. Each register is a variable of its own, written out by macros, because gcc 12
 * keeps an array of sums in memory, which takes twice the time.
 */
enum { tile_rows = 6 };
#define EACH_ROW(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3) WHAT(4) WHAT(5)

INLINE __mmask16 first_lanes(size_t left) { return left >= lanes ? (__mmask16)0xffff : (__mmask16)((1u << left) - 1); }

/** exp(x) for x <= 0, relative error 2e-7: 2^n times a polynomial of the remainder. NaN stays NaN. */
INLINE __m512 exp_of(__m512 x) {
  x = _mm512_max_ps(_mm512_set1_ps(-87.0f), x);
  __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), _MM_FROUND_TO_NEAREST_INT);
  __m512 rest = _mm512_fnmadd_ps(n, _mm512_set1_ps(0.693359375f), x); /* ln 2 in two parts */
  rest = _mm512_fnmadd_ps(n, _mm512_set1_ps(-2.12194440e-4f), rest);
  __m512 sum = _mm512_set1_ps(1.0f / 720);
  sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1.0f / 120));
  sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1.0f / 24));
  sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1.0f / 6));
  sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(0.5f));
  sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1));
  sum = _mm512_fmadd_ps(sum, rest, _mm512_set1_ps(1));
  return _mm512_scalef_ps(sum, n);
}

/** The maximum, in every lane. */
INLINE __m512 peak_of(const float *scores, size_t count) {
  __m512 peaks = _mm512_set1_ps(-3.4e38f);
  for (size_t i = 0; i < count; i += lanes) peaks = _mm512_mask_max_ps(peaks, first_lanes(count - i), peaks, _mm512_loadu_ps(scores + i));
  return _mm512_set1_ps(_mm512_reduce_max_ps(peaks));
}

/** GELU, x times the normal distribution function: Hendrycks and Gimpel, arXiv:1606.08415; erf by Abramowitz and Stegun 7.1.26 (1.5e-7). */
INLINE __m512 gelu_of(__m512 x) {
  __m512 a = _mm512_mul_ps(_mm512_abs_ps(x), _mm512_set1_ps(0.70710678f));
  __m512 divisor = _mm512_fmadd_ps(a, _mm512_set1_ps(0.3275911f), _mm512_set1_ps(1));
  __m512 t = _mm512_rcp14_ps(divisor);
  t = _mm512_mul_ps(t, _mm512_fnmadd_ps(divisor, t, _mm512_set1_ps(2))); /* one Newton step: 28 bits */
  __m512 sum = _mm512_set1_ps(1.061405429f);
  sum = _mm512_fmadd_ps(sum, t, _mm512_set1_ps(-1.453152027f));
  sum = _mm512_fmadd_ps(sum, t, _mm512_set1_ps(1.421413741f));
  sum = _mm512_fmadd_ps(sum, t, _mm512_set1_ps(-0.284496736f));
  sum = _mm512_fmadd_ps(sum, t, _mm512_set1_ps(0.254829592f));
  __m512 half = _mm512_mul_ps(t, _mm512_set1_ps(0.5f));
  __m512 tail = _mm512_mul_ps(_mm512_mul_ps(sum, half), exp_of(_mm512_fnmadd_ps(a, a, _mm512_setzero_ps()))); /* beyond |x| */
  __mmask16 negative = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
  return _mm512_mul_ps(x, _mm512_mask_mov_ps(_mm512_sub_ps(_mm512_set1_ps(1), tail), negative, tail));
}

#endif
