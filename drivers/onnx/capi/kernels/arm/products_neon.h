/**
 * arm/products.h without dot products: a tile is up to four rows by 8 outputs. Eight 16-bit lanes hold the products of two outputs with four inputs; two groups of inputs
 * are added before sadalp halves the number of lanes, so two lanes per output are left at the end.
 */
enum { tile_rows = 4, tile_outputs = 8 };

#define ROWS_MAX_FOUR
#undef EACH_ROW
#define EACH_ROW(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3)
#define EACH_PAIR(WHAT, row) WHAT(row, 0) WHAT(row, 1) WHAT(row, 2) WHAT(row, 3)

#define DECLARE_SUM(row, pair) Integers sum##row##pair = vdupq_n_s32(0);
#define DECLARE_ROW(row) EACH_PAIR(DECLARE_SUM, row)
#define TAKE_SUM(row, pair) sum##row##pair = i_load(lane_sums[row] + 2 * column + pair * lanes);
#define TAKE_ROW(row) if (rows > row) { EACH_PAIR(TAKE_SUM, row) }
#define KEEP_SUM(row, pair) i_store(lane_sums[row] + 2 * column + pair * lanes, sum##row##pair);
#define KEEP_ROW(row) if (rows > row) { EACH_PAIR(KEEP_SUM, row) }

#define CODES_AT(row, at) vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)(const void *)(codes + row * k + at)))
#define ADD_ROW(row)                                                                                                                                           \
  if (rows > row) {                                                                                                                                            \
    int8x16_t one = CODES_AT(row, i), other = CODES_AT(row, i + group_inputs);                                                                                 \
    sum##row##0 = vpadalq_s16(sum##row##0, vmlal_s8(vmull_s8(vget_low_s8(one0), vget_low_s8(one)), vget_low_s8(other0), vget_low_s8(other)));                  \
    sum##row##1 = vpadalq_s16(sum##row##1, vmlal_high_s8(vmull_high_s8(one0, one), other0, other));                                                            \
    sum##row##2 = vpadalq_s16(sum##row##2, vmlal_s8(vmull_s8(vget_low_s8(one1), vget_low_s8(one)), vget_low_s8(other1), vget_low_s8(other)));                  \
    sum##row##3 = vpadalq_s16(sum##row##3, vmlal_high_s8(vmull_high_s8(one1, one), other1, other));                                                            \
  }
#define ADD_LAST_ROW(row)                                                                               \
  if (rows > row) {                                                                                     \
    int8x16_t one = CODES_AT(row, i);                                                                   \
    sum##row##0 = vpadalq_s16(sum##row##0, vmull_s8(vget_low_s8(one0), vget_low_s8(one)));              \
    sum##row##1 = vpadalq_s16(sum##row##1, vmull_high_s8(one0, one));                                   \
    sum##row##2 = vpadalq_s16(sum##row##2, vmull_s8(vget_low_s8(one1), vget_low_s8(one)));              \
    sum##row##3 = vpadalq_s16(sum##row##3, vmull_high_s8(one1, one));                                   \
  }

/** codes [rows][k] times a panel [k / 4, 64, 4] -> sums. @param rows a compile-time constant, so that the tests of it vanish. */
INLINE void multiply_rows(const int rows, const uint8_t *stored, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  const int8_t *codes = (const int8_t *)stored;
  (void)after_gelu;
  int32_t lane_sums[tile_rows][2 * panel_outputs];
  memset(lane_sums, 0, (size_t)rows * sizeof *lane_sums);
  for (size_t first = 0; first < k; first += codes_at_once) {
    size_t end = first + smaller(codes_at_once, k - first);
    for (size_t column = 0; column < panel_outputs; column += tile_outputs) {
      EACH_ROW(DECLARE_ROW)
      EACH_ROW(TAKE_ROW)
      const int8_t *from = weights + first * panel_outputs + column * group_inputs;
      size_t i = first;
      for (; i + 2 * group_inputs <= end; i += 2 * group_inputs, from += 2 * group_bytes) {
        int8x16_t one0 = vld1q_s8(from), one1 = vld1q_s8(from + vector_bytes);
        int8x16_t other0 = vld1q_s8(from + group_bytes), other1 = vld1q_s8(from + group_bytes + vector_bytes);
        EACH_ROW(ADD_ROW)
      }
      if (i < end) {
        int8x16_t one0 = vld1q_s8(from), one1 = vld1q_s8(from + vector_bytes);
        EACH_ROW(ADD_LAST_ROW)
      }
      EACH_ROW(KEEP_ROW)
    }
  }
  for (size_t row = 0; row < (size_t)rows; row++)
    for (size_t i = 0; i < panel_outputs; i++) sums[row][i] = lane_sums[row][2 * i] + lane_sums[row][2 * i + 1];
}

#include "kernels/simd/each_count.h"
