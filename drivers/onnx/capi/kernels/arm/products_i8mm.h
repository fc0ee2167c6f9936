/**
 * arm/products.h with smmla: a tile is up to six pairs of rows by 8 outputs, so that the zips that bring eight inputs of an output together serve six products. Codes are
 * packed by pairs of rows first: [k / 8][pairs][2 rows][8 codes].
 */
enum { tile_rows = 12, pairs_max = tile_rows / 2, tile_outputs = 8, step_codes = 8 };

#define EACH_PAIR(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3) WHAT(4) WHAT(5)
#define DECLARE_PAIR(pair) Integers sum##pair##0 = vdupq_n_s32(0), sum##pair##1 = sum##pair##0, sum##pair##2 = sum##pair##0, sum##pair##3 = sum##pair##0;
#define ADD_PAIR(pair)                                                 \
  if (pairs > pair) {                                                  \
    int8x16_t both = vld1q_s8(codes + pair * vector_bytes);           \
    sum##pair##0 = vmmlaq_s32(sum##pair##0, both, weights0);           \
    sum##pair##1 = vmmlaq_s32(sum##pair##1, both, weights1);           \
    sum##pair##2 = vmmlaq_s32(sum##pair##2, both, weights2);           \
    sum##pair##3 = vmmlaq_s32(sum##pair##3, both, weights3);           \
  }
/** Sums are [2 rows][2 outputs]. */
#define KEEP_TWO(pair, place)                                                                                               \
  vst1_s32(sums[2 * pair] + column + 2 * place, vadd_s32(vld1_s32(sums[2 * pair] + column + 2 * place), vget_low_s32(sum##pair##place))); \
  vst1_s32(sums[2 * pair + 1] + column + 2 * place, vadd_s32(vld1_s32(sums[2 * pair + 1] + column + 2 * place), vget_high_s32(sum##pair##place)));
#define KEEP_PAIR(pair) \
  if (pairs > pair) { KEEP_TWO(pair, 0) KEEP_TWO(pair, 1) KEEP_TWO(pair, 2) KEEP_TWO(pair, 3) }

#define BRING_TOGETHER(one, other, half) vreinterpretq_s8_s32(vzip##half##q_s32(vreinterpretq_s32_s8(one), vreinterpretq_s32_s8(other)))
/** Four inputs of eight outputs, and the four after them. */
#define ADD_STEP(after0, after1)                                                                                  \
  {                                                                                                               \
    int8x16_t one0 = vld1q_s8(from), one1 = vld1q_s8(from + vector_bytes), other0 = after0, other1 = after1;      \
    int8x16_t weights0 = BRING_TOGETHER(one0, other0, 1), weights1 = BRING_TOGETHER(one0, other0, 2);             \
    int8x16_t weights2 = BRING_TOGETHER(one1, other1, 1), weights3 = BRING_TOGETHER(one1, other1, 2);             \
    EACH_PAIR(ADD_PAIR)                                                                                           \
  }

/** @param count codes, a multiple of four; weights [count / 4, 64, 4]. @param pairs a compile-time constant */
INLINE void add_products(const int pairs, const int8_t *packed, size_t count, const int8_t *weights, Sums sums) {
  for (size_t column = 0; column < panel_outputs; column += tile_outputs) {
    EACH_PAIR(DECLARE_PAIR)
    const int8_t *from = weights + column * group_inputs, *codes = packed;
    for (size_t left = count / step_codes; left > 0; left--, from += 2 * group_bytes, codes += pairs * vector_bytes)
      ADD_STEP(vld1q_s8(from + group_bytes), vld1q_s8(from + group_bytes + vector_bytes))
    if (count % step_codes) ADD_STEP(vdupq_n_s8(0), vdupq_n_s8(0))
    EACH_PAIR(KEEP_PAIR)
  }
}

/** Eight codes of each row, zeros behind the last ones and for a row that is missing. */
static void pack_codes(size_t rows, size_t pairs, const int8_t *codes, size_t k, size_t count, int8_t *packed) {
  for (size_t i = 0; i < count; i += step_codes)
    for (size_t row = 0; row < 2 * pairs; row++, packed += step_codes) {
      int64_t eight = 0;
      if (row < rows) memcpy(&eight, codes + row * k + i, smaller(step_codes, count - i));
      memcpy(packed, &eight, sizeof eight);
    }
}

/** @param pairs a compile-time constant */
INLINE void multiply_pairs(const int pairs, size_t rows, const int8_t *codes, size_t k, const int8_t *weights, Sums sums) {
  int8_t packed[pairs_max * 2 * codes_at_once] __attribute__((aligned(16)));
  memset(sums, 0, 2 * (size_t)pairs * sizeof *sums);
  for (size_t first = 0; first < k; first += codes_at_once) {
    size_t count = smaller(codes_at_once, k - first);
    pack_codes(rows, (size_t)pairs, codes + first, k, count, packed);
    add_products(pairs, packed, count, weights + first * panel_outputs, sums);
  }
}

/** codes [rows][k] times a panel [k / 4, 64, 4] -> sums. */
static void multiply_tile(size_t rows, const uint8_t *stored, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  const int8_t *codes = (const int8_t *)stored;
  (void)after_gelu;
  switch ((rows + 1) / 2) {
    case 1: multiply_pairs(1, rows, codes, k, weights, sums); break;
    case 2: multiply_pairs(2, rows, codes, k, weights, sums); break;
    case 3: multiply_pairs(3, rows, codes, k, weights, sums); break;
    case 4: multiply_pairs(4, rows, codes, k, weights, sums); break;
    case 5: multiply_pairs(5, rows, codes, k, weights, sums); break;
    default: multiply_pairs(6, rows, codes, k, weights, sums);
  }
}
