/** Swoosh with AVX-512. */
#include "vectors.h"
#include "x86.h"

/** log(1 + u) of u in [0, 1], to 1e-7 of it: 2 artanh(u / (2 + u)) as a series. */
INLINE __m512 log_after_one(__m512 u) {
  __m512 s = _mm512_div_ps(u, _mm512_add_ps(u, _mm512_set1_ps(2)));
  __m512 square = _mm512_mul_ps(s, s);
  __m512 sum = _mm512_set1_ps(2.0f / 15);
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2.0f / 13));
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2.0f / 11));
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2.0f / 9));
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2.0f / 7));
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2.0f / 5));
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2.0f / 3));
  sum = _mm512_fmadd_ps(sum, square, _mm512_set1_ps(2));
  return _mm512_mul_ps(s, sum);
}

void x86_swoosh(const SwooshArgs *args) {
  __m512 shift = _mm512_set1_ps(args->shift), slope = _mm512_set1_ps(swoosh_slope), offset = _mm512_set1_ps(args->offset);
  for (size_t i = 0; i < args->count; i += lanes) {
    __mmask16 mask = first_lanes(args->count - i);
    __m512 x = _mm512_maskz_loadu_ps(mask, args->x + i);
    __m512 moved = _mm512_sub_ps(x, shift);
    __m512 small = _mm512_sub_ps(_mm512_setzero_ps(), _mm512_abs_ps(moved));
    __m512 above = _mm512_max_ps(_mm512_setzero_ps(), moved); /* what is no number stays none */
    __m512 soft = _mm512_add_ps(above, log_after_one(exp_of(small)));
    _mm512_mask_storeu_ps(args->y + i, mask, _mm512_sub_ps(_mm512_fnmadd_ps(x, slope, soft), offset));
  }
}
