/** simd/vectors.h with NEON, which every arm64 processor has: vectors of 4 floats. */
#ifndef EARSHOT_NEON_H
#define EARSHOT_NEON_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef float32x4_t Vector;
/** Vectors of a tile: six rows of four sums, four of one operand, one of the other; there are 32 registers. */
enum { lanes = 4, tile_vectors = 4 };
#define EACH_VECTOR(WHAT, ROW) WHAT(ROW, 0) WHAT(ROW, 1) WHAT(ROW, 2) WHAT(ROW, 3)

static inline Vector v_all(float x) { return vdupq_n_f32(x); }
static inline Vector v_load(const float *from) { return vld1q_f32(from); }
/** The first `count` lanes, or all; the others are 0. */
static inline Vector v_load_first(const float *from, size_t count) {
  float some[lanes] = {0};
  if (count >= lanes) return v_load(from);
  for (size_t i = 0; i < count; i++) some[i] = from[i];
  return v_load(some);
}
static inline void v_store(float *to, Vector x) { vst1q_f32(to, x); }
static inline void v_store_first(float *to, Vector x, size_t count) {
  float some[lanes];
  if (count >= lanes) v_store(to, x);
  else {
    v_store(some, x);
    for (size_t i = 0; i < count; i++) to[i] = some[i];
  }
}
static inline Vector v_keep_first(Vector x, size_t count) {
  static const uint32_t places[lanes] = {0, 1, 2, 3};
  uint32x4_t kept = vcltq_u32(vld1q_u32(places), vdupq_n_u32(count < lanes ? (uint32_t)count : lanes));
  return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(x), kept));
}
static inline Vector v_add(Vector a, Vector b) { return vaddq_f32(a, b); }
static inline Vector v_sub(Vector a, Vector b) { return vsubq_f32(a, b); }
static inline Vector v_mul(Vector a, Vector b) { return vmulq_f32(a, b); }
static inline Vector v_div(Vector a, Vector b) { return vdivq_f32(a, b); }
/** sum + a b */
static inline Vector v_plus_product(Vector sum, Vector a, Vector b) { return vfmaq_f32(sum, a, b); }
/** sum - a b */
static inline Vector v_minus_product(Vector sum, Vector a, Vector b) { return vfmsq_f32(sum, a, b); }
/** Where b is NaN, NaN. */
static inline Vector v_max(Vector a, Vector b) { return vmaxq_f32(a, b); }
static inline Vector v_abs(Vector x) { return vabsq_f32(x); }
/** To the nearest integer, to the even one between two. */
static inline Vector v_round(Vector x) { return vrndnq_f32(x); }
/** @param n integers from -126 to 0 */
static inline Vector v_times_power_of_two(Vector x, Vector n) {
  return vmulq_f32(x, vreinterpretq_f32_s32(vshlq_n_s32(vaddq_s32(vcvtq_s32_f32(n), vdupq_n_s32(127)), 23)));
}
/** 1 / x to 23 bits: two Newton steps. */
static inline Vector v_inverse(Vector x) {
  Vector t = vrecpeq_f32(x);
  t = vmulq_f32(t, vrecpsq_f32(x, t));
  return vmulq_f32(t, vrecpsq_f32(x, t));
}
static inline Vector v_if_negative(Vector x, Vector yes, Vector no) { return vbslq_f32(vcltzq_f32(x), yes, no); }
static inline float v_largest(Vector x) { return vmaxvq_f32(x); }
static inline float v_sum(Vector x) { return vaddvq_f32(x); }

typedef int32x4_t Integers;
static inline Integers i_load(const int32_t *from) { return vld1q_s32(from); }
static inline void i_store(int32_t *to, Integers x) { vst1q_s32(to, x); }
static inline Vector i_to_float(Integers x) { return vcvtq_f32_s32(x); }
static inline Integers i_bits(Vector x) { return vreinterpretq_s32_f32(x); }
static inline Integers i_max(Integers a, Integers b) { return vmaxq_s32(a, b); }
static inline Integers i_add(Integers a, Integers b) { return vaddq_s32(a, b); }
static inline float i_largest_as_float(Integers x) { return vgetq_lane_f32(vreinterpretq_f32_s32(vdupq_n_s32(vmaxvq_s32(x))), 0); }
static inline Integers i_times(Integers a, int32_t b) { return vmulq_n_s32(a, b); }

/** round(x) + zero within 0 and 255, less 128. @param count the first lanes that are stored */
static inline void v_store_codes_signed(int8_t *to, Vector x, int zero, size_t count) {
  int16x4_t codes = vqmovn_s32(vqaddq_s32(vcvtnq_s32_f32(x), vdupq_n_s32(zero - 128)));
  int32_t all = vget_lane_s32(vreinterpret_s32_s8(vqmovn_s16(vcombine_s16(codes, codes))), 0);
  memcpy(to, &all, count < lanes ? count : lanes);
}
/** The same of 16 numbers. */
static inline void v_store_four_codes_signed(int8_t *to, Vector a, Vector b, Vector c, Vector d, int zero) {
  const int16x8_t shift = vdupq_n_s16((int16_t)(zero - 128));
  int16x8_t low = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(a)), vcvtnq_s32_f32(b)), high = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(c)), vcvtnq_s32_f32(d));
  vst1q_s8(to, vqmovn_high_s16(vqmovn_s16(vqaddq_s16(low, shift)), vqaddq_s16(high, shift)));
}

#endif
