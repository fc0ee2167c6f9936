/** simd/vectors.h with AVX-512 (F, BW, VL, DQ): vectors of 16 floats. */
#ifndef EARSHOT_AVX512_H
#define EARSHOT_AVX512_H

#include <immintrin.h>
#include <stddef.h>

typedef __m512 Vector;
/** Vectors of a tile: six rows of four sums, four of one operand, one of the other; there are 32 registers. */
enum { lanes = 16, tile_vectors = 4 };
#define EACH_VECTOR(WHAT, ROW) WHAT(ROW, 0) WHAT(ROW, 1) WHAT(ROW, 2) WHAT(ROW, 3)

static inline __mmask16 first_lanes(size_t left) { return left >= lanes ? (__mmask16)0xffff : (__mmask16)((1u << left) - 1); }

static inline Vector v_all(float x) { return _mm512_set1_ps(x); }
static inline Vector v_load(const float *from) { return _mm512_loadu_ps(from); }
/** The first `count` lanes, or all; the others are 0. */
static inline Vector v_load_first(const float *from, size_t count) { return _mm512_maskz_loadu_ps(first_lanes(count), from); }
static inline void v_store(float *to, Vector x) { _mm512_storeu_ps(to, x); }
static inline void v_store_first(float *to, Vector x, size_t count) { _mm512_mask_storeu_ps(to, first_lanes(count), x); }
static inline Vector v_keep_first(Vector x, size_t count) { return _mm512_maskz_mov_ps(first_lanes(count), x); }
static inline Vector v_add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
static inline Vector v_sub(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
static inline Vector v_mul(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
static inline Vector v_div(Vector a, Vector b) { return _mm512_div_ps(a, b); }
/** sum + a b */
static inline Vector v_plus_product(Vector sum, Vector a, Vector b) { return _mm512_fmadd_ps(a, b, sum); }
/** sum - a b */
static inline Vector v_minus_product(Vector sum, Vector a, Vector b) { return _mm512_fnmadd_ps(a, b, sum); }
/** Where b is NaN, NaN. */
static inline Vector v_max(Vector a, Vector b) { return _mm512_max_ps(a, b); }
static inline Vector v_abs(Vector x) { return _mm512_abs_ps(x); }
/** To the nearest integer, to the even one between two. */
static inline Vector v_round(Vector x) { return _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT); }
/** @param n integers from -126 to 0 */
static inline Vector v_times_power_of_two(Vector x, Vector n) { return _mm512_scalef_ps(x, n); }
/** 1 / x to 23 bits: one Newton step. */
static inline Vector v_inverse(Vector x) {
  Vector t = _mm512_rcp14_ps(x);
  return _mm512_mul_ps(t, _mm512_fnmadd_ps(x, t, _mm512_set1_ps(2)));
}
static inline Vector v_if_negative(Vector x, Vector yes, Vector no) { return _mm512_mask_mov_ps(no, _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ), yes); }
static inline float v_largest(Vector x) { return _mm512_reduce_max_ps(x); }
static inline float v_sum(Vector x) { return _mm512_reduce_add_ps(x); }

typedef __m512i Integers;
static inline Integers i_load(const int32_t *from) { return _mm512_loadu_si512(from); }
static inline void i_store(int32_t *to, Integers x) { _mm512_storeu_si512(to, x); }
static inline Vector i_to_float(Integers x) { return _mm512_cvtepi32_ps(x); }
static inline Integers i_bits(Vector x) { return _mm512_castps_si512(x); }
static inline Integers i_max(Integers a, Integers b) { return _mm512_max_epi32(a, b); }
static inline Integers i_add(Integers a, Integers b) { return _mm512_add_epi32(a, b); }
static inline float i_largest_as_float(Integers x) { return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128(_mm512_reduce_max_epi32(x)))); }
static inline Integers i_times(Integers a, int32_t b) { return _mm512_mullo_epi32(a, _mm512_set1_epi32(b)); }

/** round(x) + zero, within 0 and 255. @param count the first lanes that are stored */
static inline __m512i codes_of(Vector x, int zero) {
  __m512i code = _mm512_max_epi32(_mm512_add_epi32(_mm512_cvtps_epi32(x), _mm512_set1_epi32(zero)), _mm512_setzero_si512());
  return _mm512_min_epi32(code, _mm512_set1_epi32(255));
}
static inline void v_store_codes8(uint8_t *to, Vector x, int zero, size_t count) { _mm512_mask_cvtepi32_storeu_epi8(to, first_lanes(count), codes_of(x, zero)); }
/** The same of 64 numbers. */
static inline void v_store_four_codes8(uint8_t *to, Vector a, Vector b, Vector c, Vector d, int zero) {
  v_store_codes8(to, a, zero, lanes), v_store_codes8(to + lanes, b, zero, lanes), v_store_codes8(to + 2 * lanes, c, zero, lanes), v_store_codes8(to + 3 * lanes, d, zero, lanes);
}

#endif
