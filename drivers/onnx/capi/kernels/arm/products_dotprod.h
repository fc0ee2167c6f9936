/** arm/products.h with sdot: a tile is up to six rows by 16 outputs. Sixteen codes of each row are in a register, and sdot takes four of them by their place. */
enum { tile_rows = 6, tile_outputs = tile_vectors * vector_outputs };

#define DECLARE_SUM(row, vector) Integers sum##row##vector = v_zero;
#define DECLARE_ROW(row) EACH_VECTOR(DECLARE_SUM, row)
#define TAKE_SUM(row, vector) sum##row##vector = i_load(sums[row] + column + vector * vector_outputs);
#define TAKE_ROW(row) if (rows > row) { EACH_VECTOR(TAKE_SUM, row) }
#define LOAD_CODES(row) if (rows > row) codes##row = vld1q_s8(codes + row * k + i);
#define LOAD_FOUR(row) if (rows > row) codes##row = vreinterpretq_s8_s32(vld1q_dup_s32((const int32_t *)(const void *)(codes + row * k + i)));
#define DECLARE_CODES(row) int8x16_t codes##row = vdupq_n_s8(0);
#define KEEP_SUM(row, vector) i_store(sums[row] + column + vector * vector_outputs, sum##row##vector);
#define KEEP_ROW(row) if (rows > row) { EACH_VECTOR(KEEP_SUM, row) }

/** One vector of weights with the codes of each row: few registers are left for weights. */
#define ADD_OF_ROW(row, vector, group) if (rows > row) sum##row##vector = vdotq_laneq_s32(sum##row##vector, weights, codes##row, group);
#define ADD_VECTOR(vector, group)                                                                \
  {                                                                                              \
    int8x16_t weights = vld1q_s8(from + group * group_bytes + vector * vector_bytes);            \
    ADD_OF_ROW(0, vector, group) ADD_OF_ROW(1, vector, group) ADD_OF_ROW(2, vector, group)       \
    ADD_OF_ROW(3, vector, group) ADD_OF_ROW(4, vector, group) ADD_OF_ROW(5, vector, group)       \
  }
#define ADD_GROUP(group) ADD_VECTOR(0, group) ADD_VECTOR(1, group) ADD_VECTOR(2, group) ADD_VECTOR(3, group)

/** codes [rows][k] times a panel [k / 4, 64, 4] -> sums. @param rows a compile-time constant, so that the tests of it vanish. */
INLINE void multiply_rows(const int rows, const uint8_t *stored, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  const Integers v_zero = vdupq_n_s32(0);
  const int8_t *codes = (const int8_t *)stored;
  (void)after_gelu;
  size_t first = 0;
  do {
    size_t end = first + smaller(codes_at_once, k - first);
    for (size_t column = 0; column < panel_outputs; column += tile_outputs) {
      EACH_ROW(DECLARE_ROW)
      EACH_ROW(DECLARE_CODES)
      if (first > 0) { EACH_ROW(TAKE_ROW) }
      const int8_t *from = weights + first * panel_outputs + column * group_inputs;
      size_t i = first;
      for (; i + 16 <= end; i += 16, from += 4 * group_bytes) {
        EACH_ROW(LOAD_CODES)
        ADD_GROUP(0) ADD_GROUP(1) ADD_GROUP(2) ADD_GROUP(3)
      }
      for (; i < end; i += group_inputs, from += group_bytes) {
        EACH_ROW(LOAD_FOUR)
        ADD_GROUP(0)
      }
      EACH_ROW(KEEP_ROW)
    }
    first = end;
  } while (first < k);
}

#include "kernels/simd/each_count.h"
