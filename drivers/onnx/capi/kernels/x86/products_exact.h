/**
 * x86/products.h without VNNI. vpmaddubsw multiplies unsigned by signed bytes and adds two products in 16 bits, where they may saturate: ONNX Runtime's layers are wrong then. Here nothing can, as
 * what does not fit is left out of the codes (exact_codes.h), and its products are added on their own. With AVX2 the products of two groups of inputs are added in 16 bits as well, which
 * saves half of the steps to 32 bits.
 */
#include "exact_codes.h"

#if defined __AVX512F__
#define FLIP_SIGNS(x) _mm512_xor_si512(x, _mm512_set1_epi8(-128))
#define MULTIPLY_BYTES _mm512_maddubs_epi16
#define WIDEN_AND_ADD(sum, products) _mm512_add_epi32(sum, _mm512_madd_epi16(products, _mm512_set1_epi16(1)))
#else
#define FLIP_SIGNS(x) _mm256_xor_si256(x, _mm256_set1_epi8(-128))
#define MULTIPLY_BYTES _mm256_maddubs_epi16
#define WIDEN_AND_ADD(sum, products) _mm256_add_epi32(sum, _mm256_madd_epi16(products, _mm256_set1_epi16(1)))
#endif
/** Where codes are signed, weights are made unsigned. */
#define WEIGHTS_AT(from) (codes_are_signed ? FLIP_SIGNS(LOAD_WEIGHTS(from)) : LOAD_WEIGHTS(from))
#define PRODUCTS_OF(codes, weights) (codes_are_signed ? MULTIPLY_BYTES(weights, codes) : MULTIPLY_BYTES(codes, weights))

#if defined __AVX512F__

#define ADD_DOT(sum, codes, weights) sum = WIDEN_AND_ADD(sum, MULTIPLY_BYTES(codes, weights))
DEFINE_ADD_PRODUCTS(add_products_of_unsigned)
#undef ADD_DOT
#define ADD_DOT(sum, codes, weights) sum = WIDEN_AND_ADD(sum, MULTIPLY_BYTES(FLIP_SIGNS(weights), codes))
DEFINE_ADD_PRODUCTS(add_products_of_signed)

INLINE void add_products(const int rows, const int codes_are_signed, const uint8_t *codes, size_t stride, size_t k, const int8_t *weights, Sums sums) {
  if (codes_are_signed) add_products_of_signed(rows, codes, stride, k, weights, sums);
  else add_products_of_unsigned(rows, codes, stride, k, weights, sums);
}

#else

#define DECLARE_ROW_SUM(row) Integers row_sum##row;
#define TAKE_ROW_SUM(row) if (rows > row) row_sum##row = i_load(sums[row] + column);
#define KEEP_ROW_SUM(row) if (rows > row) i_store(sums[row] + column, row_sum##row);
#define ADD_ONE_GROUP(row)                                                                            \
  if (rows > row) {                                                                                   \
    int32_t four;                                                                                     \
    memcpy(&four, codes + row * stride + i, sizeof four);                                             \
    row_sum##row = WIDEN_AND_ADD(row_sum##row, PRODUCTS_OF(BROADCAST(four), weights_here));           \
  }
#define ADD_TWO_GROUPS(row)                                                                           \
  if (rows > row) {                                                                                   \
    int32_t four, next;                                                                               \
    memcpy(&four, codes + row * stride + i, sizeof four);                                             \
    memcpy(&next, codes + row * stride + i + group_inputs, sizeof next);                              \
    Integers products = PRODUCTS_OF(BROADCAST(four), weights_here), more = PRODUCTS_OF(BROADCAST(next), weights_next); \
    row_sum##row = WIDEN_AND_ADD(row_sum##row, _mm256_add_epi16(products, more));                     \
  }

/**
 * codes [rows][k], rows `stride` bytes apart, times a panel [k / 4, 64, 4], added to sums: eight outputs at a time, of some inputs. Where few rows share the weights, as in a decoder, these come
 * from memory, and the nearer to memory order they are read, the sooner they come; each column prefetches an eighth of what comes some KiB later.
 */
INLINE void add_products(const int rows, const int codes_are_signed, const uint8_t *codes, size_t stride, size_t k, const int8_t *weights, Sums sums) {
  enum { group_bytes = panel_outputs * group_inputs, line = 64 };
  const size_t inputs_at_once = rows < six_rows ? 16 : 128, ahead = (rows < six_rows ? 64 : 128) * panel_outputs;
  for (size_t first = 0; first < k;) {
    size_t end = first + smaller(inputs_at_once, k - first);
    for (size_t column = 0; column < panel_outputs; column += lanes) {
      EACH_ROW(DECLARE_ROW_SUM)
      EACH_ROW(TAKE_ROW_SUM)
      const int8_t *from = weights + first * panel_outputs + column * group_inputs;
      const int8_t *later = weights + first * panel_outputs + ahead + column / lanes * line;
      size_t i = first;
      for (; i + 2 * group_inputs <= end; i += 2 * group_inputs, from += 2 * group_bytes, later += 2 * group_bytes) {
        __builtin_prefetch(later);
        Integers weights_here = WEIGHTS_AT(from), weights_next = WEIGHTS_AT(from + group_bytes);
        EACH_ROW(ADD_TWO_GROUPS)
      }
      if (i < end) {
        Integers weights_here = WEIGHTS_AT(from);
        EACH_ROW(ADD_ONE_GROUP)
      }
      EACH_ROW(KEEP_ROW_SUM)
    }
    first = end;
  }
}

#endif

/** The products of what was left out of a row, added to sums [64]. */
INLINE void add_left_out(const RowEnd *end, const int codes_are_signed, const int8_t *weights, int32_t *sums) {
  for (int32_t i = 0; i < end->count; i++) {
    const size_t place = end->left_out[i].place;
    const int8_t *from = weights + place / group_inputs * panel_outputs * group_inputs;
    const Integers code = BROADCAST((int32_t)((uint32_t)(uint8_t)end->left_out[i].code << 8 * (place % group_inputs)));
    for (size_t at = 0; at < panel_outputs; at += lanes)
      i_store(sums + at, WIDEN_AND_ADD(i_load(sums + at), PRODUCTS_OF(code, WEIGHTS_AT(from + at * group_inputs))));
  }
}

INLINE void multiply_exactly(const int rows, const int codes_are_signed, const uint8_t *codes, size_t k, const int8_t *weights, Sums sums) {
  const size_t stride = row_bytes(k);
  for (size_t row = 0; row < (size_t)rows; row++) {
    const RowEnd *end = (const RowEnd *)(const void *)(codes + row * stride + k);
    const Integers start = BROADCAST(codes_are_signed ? -128 * end->sum : 0);
    for (size_t at = 0; at < panel_outputs; at += lanes) i_store(sums[row] + at, start);
    add_left_out(end, codes_are_signed, weights, sums[row]);
  }
  add_products(rows, codes_are_signed, codes, stride, k, weights, sums);
}

INLINE void multiply_rows(const int rows, const uint8_t *codes, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  if (after_gelu) multiply_exactly(rows, 0, codes, k, weights, sums);
  else multiply_exactly(rows, 1, codes, k, weights, sums);
}
