/** simd/vectors.h with AVX2 and FMA: vectors of 8 floats. */
#ifndef EARSHOT_AVX2_H
#define EARSHOT_AVX2_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef __m256 Vector;
/** Vectors of a tile: six rows of two sums, two of one operand, one of the other; there are 16 registers. */
enum { lanes = 8, tile_vectors = 2 };
#define EACH_VECTOR(WHAT, ROW) WHAT(ROW, 0) WHAT(ROW, 1)

static inline __m256i first_lanes(size_t left) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(left < lanes ? (int)left : lanes), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

static inline Vector v_all(float x) { return _mm256_set1_ps(x); }
static inline Vector v_load(const float *from) { return _mm256_loadu_ps(from); }
/** The first `count` lanes, or all; the others are 0. */
static inline Vector v_load_first(const float *from, size_t count) { return count >= lanes ? v_load(from) : _mm256_maskload_ps(from, first_lanes(count)); }
static inline void v_store(float *to, Vector x) { _mm256_storeu_ps(to, x); }
static inline void v_store_first(float *to, Vector x, size_t count) {
  if (count >= lanes) v_store(to, x);
  else _mm256_maskstore_ps(to, first_lanes(count), x);
}
static inline Vector v_keep_first(Vector x, size_t count) { return _mm256_and_ps(x, _mm256_castsi256_ps(first_lanes(count))); }
static inline Vector v_add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
static inline Vector v_sub(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
static inline Vector v_mul(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
static inline Vector v_div(Vector a, Vector b) { return _mm256_div_ps(a, b); }
/** sum + a b */
static inline Vector v_plus_product(Vector sum, Vector a, Vector b) { return _mm256_fmadd_ps(a, b, sum); }
/** sum - a b */
static inline Vector v_minus_product(Vector sum, Vector a, Vector b) { return _mm256_fnmadd_ps(a, b, sum); }
/** Where b is NaN, NaN. */
static inline Vector v_max(Vector a, Vector b) { return _mm256_max_ps(a, b); }
static inline Vector v_abs(Vector x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x); }
/** To the nearest integer, to the even one between two. */
static inline Vector v_round(Vector x) { return _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
/** @param n integers from -126 to 0 */
static inline Vector v_times_power_of_two(Vector x, Vector n) {
  return _mm256_mul_ps(x, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(_mm256_cvtps_epi32(n), _mm256_set1_epi32(127)), 23)));
}
/** 1 / x: the approximation has 11 bits, and two Newton steps take as long. */
static inline Vector v_inverse(Vector x) { return _mm256_div_ps(_mm256_set1_ps(1), x); }
static inline Vector v_if_negative(Vector x, Vector yes, Vector no) { return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ)); }
static inline float v_largest(Vector x) {
  __m128 four = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}
static inline float v_sum(Vector x) {
  __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

typedef __m256i Integers;
static inline Integers i_load(const int32_t *from) { return _mm256_loadu_si256((const __m256i *)from); }
static inline void i_store(int32_t *to, Integers x) { _mm256_storeu_si256((__m256i *)to, x); }
static inline Vector i_to_float(Integers x) { return _mm256_cvtepi32_ps(x); }
static inline Integers i_bits(Vector x) { return _mm256_castps_si256(x); }
static inline Integers i_max(Integers a, Integers b) { return _mm256_max_epi32(a, b); }
static inline Integers i_add(Integers a, Integers b) { return _mm256_add_epi32(a, b); }
static inline float i_largest_as_float(Integers x) {
  __m128i four = _mm_max_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  __m128i two = _mm_max_epi32(four, _mm_unpackhi_epi64(four, four));
  return _mm_cvtss_f32(_mm_castsi128_ps(_mm_max_epi32(two, _mm_shuffle_epi32(two, 1))));
}
static inline Integers i_times(Integers a, int32_t b) { return _mm256_mullo_epi32(a, _mm256_set1_epi32(b)); }

/** round(x) + zero, within 0 and 255, as eight 16-bit numbers. */
static inline __m128i codes_of(Vector x, int zero) {
  __m256i code = _mm256_add_epi32(_mm256_cvtps_epi32(x), _mm256_set1_epi32(zero));
  __m128i narrow = _mm_packs_epi32(_mm256_castsi256_si128(code), _mm256_extracti128_si256(code, 1));
  return _mm_min_epi16(_mm_max_epi16(narrow, _mm_setzero_si128()), _mm_set1_epi16(255));
}
/** @param count the first lanes that are stored */
static inline void v_store_codes8(uint8_t *to, Vector x, int zero, size_t count) {
  __m128i bytes = _mm_packus_epi16(codes_of(x, zero), _mm_setzero_si128());
  if (count >= lanes) _mm_storel_epi64((__m128i *)to, bytes);
  else
    for (uint64_t all = (uint64_t)_mm_cvtsi128_si64(bytes); count > 0; count--, all >>= 8) *to++ = (uint8_t)all;
}
/** The same of 32 numbers. */
static inline void v_store_four_codes8(uint8_t *to, Vector a, Vector b, Vector c, Vector d, int zero) {
  const __m256i shift = _mm256_set1_epi16((int16_t)zero);
  __m256i low = _mm256_packs_epi32(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b)), high = _mm256_packs_epi32(_mm256_cvtps_epi32(c), _mm256_cvtps_epi32(d));
  __m256i mixed = _mm256_packus_epi16(_mm256_adds_epi16(low, shift), _mm256_adds_epi16(high, shift)); /* four of a, b, c, d, and then the other four */
  _mm256_storeu_si256((__m256i *)(void *)to, _mm256_permutevar8x32_epi32(mixed, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)));
}

#endif
