/** Products of simd/linear.c on x64: vpdpbusd, or without VNNI products_exact.h. */
#ifndef EARSHOT_X86_PRODUCTS_H
#define EARSHOT_X86_PRODUCTS_H

enum { tile_rows = six_rows, tile_outputs = tile_vectors * lanes };
/** Where a panel takes several tiles, its weights are read in memory order all the same: 16 KiB at a time, which stay in the L1 cache for all of its tiles. */
static const size_t codes_at_once = (int)tile_outputs == (int)panel_outputs ? SIZE_MAX : 256;

#define DECLARE_SUM(row, vector) Integers sum##row##vector;
#define DECLARE_ROW(row) EACH_VECTOR(DECLARE_SUM, row)
#define TAKE_SUM(row, vector) sum##row##vector = i_load(sums[row] + column + vector * lanes);
#define TAKE_ROW(row) if (rows > row) { EACH_VECTOR(TAKE_SUM, row) }
#define DECLARE_WEIGHTS(row, vector) Integers weights##vector = LOAD_WEIGHTS(from + vector * lanes * group_inputs);
#define ADD_VECTOR(row, vector) ADD_DOT(sum##row##vector, all, weights##vector);
#define ADD_ROW(row)                                      \
  if (rows > row) {                                       \
    int32_t four;                                         \
    memcpy(&four, codes + row * stride + i, sizeof four); \
    Integers all = BROADCAST(four);                       \
    EACH_VECTOR(ADD_VECTOR, row)                          \
  }
#define KEEP_SUM(row, vector) i_store(sums[row] + column + vector * lanes, sum##row##vector);
#define KEEP_ROW(row) if (rows > row) { EACH_VECTOR(KEEP_SUM, row) }

/**
 * codes [rows][k], rows `stride` bytes apart, times a panel [k / 4, 64, 4], added to sums. A tile that is narrower than a panel leaves the lines between to the next one, which the hardware
 * does not foresee: so the same place in the next 16 KiB is prefetched.
 */
#define DEFINE_ADD_PRODUCTS(name)                                                                                                                        \
  INLINE void name(const int rows, const uint8_t *codes, size_t stride, size_t k, const int8_t *weights, Sums sums) {                                    \
    for (size_t first = 0; first < k;) {                                                                                                                 \
      size_t end = first + smaller(codes_at_once, k - first);                                                                                            \
      for (size_t column = 0; column < panel_outputs; column += tile_outputs) {                                                                          \
        EACH_ROW(DECLARE_ROW)                                                                                                                            \
        EACH_ROW(TAKE_ROW)                                                                                                                               \
        const int8_t *from = weights + first * panel_outputs + column * group_inputs;                                                                    \
        for (size_t i = first; i < end; i += group_inputs, from += panel_outputs * group_inputs) {                                                       \
          if ((int)tile_outputs < (int)panel_outputs) __builtin_prefetch(from + 256 * panel_outputs);                                                    \
          EACH_VECTOR(DECLARE_WEIGHTS, 0)                                                                                                                \
          EACH_ROW(ADD_ROW)                                                                                                                              \
        }                                                                                                                                                \
        EACH_ROW(KEEP_ROW)                                                                                                                               \
      }                                                                                                                                                  \
      first = end;                                                                                                                                       \
    }                                                                                                                                                    \
  }

#if defined __AVX512F__
#define BROADCAST(four) _mm512_set1_epi32(four)
#define LOAD_WEIGHTS(from) _mm512_loadu_si512(from)
#else
#define BROADCAST(four) _mm256_set1_epi32(four)
#define LOAD_WEIGHTS(from) _mm256_loadu_si256((const __m256i *)(from))
#endif

static inline void store_codes(uint8_t *to, Vector x, int zero, size_t count) { v_store_codes8(to, x, zero, count); }
static inline void store_four_codes(uint8_t *to, Vector a, Vector b, Vector c, Vector d, int zero) { v_store_four_codes8(to, a, b, c, d, zero); }

#if defined __AVX512VNNI__ || defined __AVXVNNI__

/** What is subtracted from codes where they are stored. */
static inline int code_shift(int after_gelu) { return (void)after_gelu, 0; }
static size_t row_bytes(size_t k) { return k; }
static inline void complete_row(uint8_t *codes, size_t k, int after_gelu) { (void)codes, (void)k, (void)after_gelu; }

/* Inline assembly: with the intrinsics, gcc 12 spills the sums. */
#if defined __AVX512VNNI__
#define ADD_DOT(sum, codes, weights) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(codes), "v"(weights))
#else
#define ADD_DOT(sum, codes, weights) __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(codes), "x"(weights))
#endif
DEFINE_ADD_PRODUCTS(add_products)

INLINE void multiply_rows(const int rows, const uint8_t *codes, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  (void)after_gelu;
  memset(sums, 0, (size_t)rows * sizeof *sums);
  add_products(rows, codes, k, k, weights, sums);
}

#else
#include "products_exact.h"
#endif

#include "kernels/simd/each_count.h"

#endif
