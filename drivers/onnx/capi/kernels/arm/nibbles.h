/** simd/coarse_linear.c on arm64: sdot where it is there; else eight products are added in 16 bits, 8 x 15 x 127 is 15240. */
#ifndef EARSHOT_ARM_NIBBLES_H
#define EARSHOT_ARM_NIBBLES_H

#define LOW_NIBBLES(bytes) vreinterpretq_s8_u8(vandq_u8(bytes, vdupq_n_u8(15)))
#define HIGH_NIBBLES(bytes) vreinterpretq_s8_u8(vshrq_n_u8(bytes, 4))
#define ZERO vdupq_n_s32(0)

#if defined __ARM_FEATURE_DOTPROD
/* A step: two vectors of weights, sixteen inputs. The codes of a row are in one register, and sdot takes four of them by their place. */
enum { step_vectors = 2 };
#define LOAD_STEP(from)                                                      \
  const uint8x16_t first_bytes = vld1q_u8(from), second_bytes = vld1q_u8(from + 16); \
  const int8x16_t weights0 = LOW_NIBBLES(first_bytes), weights1 = HIGH_NIBBLES(first_bytes), weights2 = LOW_NIBBLES(second_bytes), weights3 = HIGH_NIBBLES(second_bytes);
#define ADD_STEP(row, codes)                                   \
  const int8x16_t given = vld1q_s8(codes);                     \
  sum##row = vdotq_laneq_s32(sum##row, weights0, given, 0);    \
  sum##row = vdotq_laneq_s32(sum##row, weights1, given, 1);    \
  sum##row = vdotq_laneq_s32(sum##row, weights2, given, 2);    \
  sum##row = vdotq_laneq_s32(sum##row, weights3, given, 3);
#define DECLARE_NARROW(row)
#define WIDEN(row)

#else
/* A step: one vector of weights, eight inputs. The sums of 32 inputs are narrow. */
enum { step_vectors = 1 };
#define LOAD_STEP(from)                     \
  const uint8x16_t bytes = vld1q_u8(from);  \
  const int8x16_t low = LOW_NIBBLES(bytes), high = HIGH_NIBBLES(bytes);
#define ADD_PRODUCTS(row, weights, codes)                                      \
  do {                                                                         \
    one##row = vmlal_s8(one##row, vget_low_s8(weights), vget_low_s8(codes));   \
    two##row = vmlal_high_s8(two##row, weights, codes);                        \
  } while (0)
#define ADD_STEP(row, codes)                                                             \
  const int8x16_t of_low = codes_at(codes), of_high = codes_at(codes + group_inputs);    \
  ADD_PRODUCTS(row, low, of_low);                                                        \
  ADD_PRODUCTS(row, high, of_high);
#define DECLARE_NARROW(row) int16x8_t one##row = vdupq_n_s16(0), two##row = one##row;
#define WIDEN(row) sum##row = vaddq_s32(sum##row, vpaddq_s32(vpaddlq_s16(one##row), vpaddlq_s16(two##row)));

static inline int8x16_t codes_at(const int8_t *codes) { return vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)(const void *)codes)); }
#endif

#endif
