/**
 * x86/products.h without VNNI. vpmaddubsw multiplies unsigned by signed bytes and adds two products in 16 bits, where they may saturate: ONNX Runtime's layers are wrong then. Here no pair can:
 *
 * - After a GELU most codes are small. They are the unsigned side, and 127 times two of them fits if their sum is at most 258.
 * - Else codes less 128, mostly near 0, are the signed side, and weights plus 128 the unsigned one: 255 times two of them fits if their sum is within 128. What 128 times each code adds is subtracted.
 *
 * The first code of a pair that does not fit is left out, remembered behind the row's codes, and its products are added on their own: for a few in a hundred pairs.
 */
#if defined __AVX512F__
#define FLIP_SIGNS(x) _mm512_xor_si512(x, _mm512_set1_epi8(-128))
#define MULTIPLY_BYTES _mm512_maddubs_epi16
#define ADD_PAIRS(sum, pairs) sum = _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
#else
#define FLIP_SIGNS(x) _mm256_xor_si256(x, _mm256_set1_epi8(-128))
#define MULTIPLY_BYTES _mm256_maddubs_epi16
/** The ones stay in memory: all 16 registers are taken. */
static const int16_t ones[16] __attribute__((aligned(32))) = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
#define ADD_PAIRS(sum, pairs)                                                                                   \
  {                                                                                                             \
    __m256i four_products;                                                                                      \
    __asm__("vpmaddwd %2, %1, %0" : "=x"(four_products) : "x"(pairs), "m"(*(const __m256i *)(const void *)ones)); \
    sum = _mm256_add_epi32(sum, four_products);                                                                 \
  }
#endif

/** What is subtracted from codes where they are stored. */
static inline int code_shift(int after_gelu) { return after_gelu ? 0 : 128; }

/** Behind the codes of a row. */
typedef struct {
  int32_t sum; /* of all codes as they are stored */
  int32_t count;
  struct {
    uint32_t place;
    int32_t code;
  } left_out[];
} RowEnd;

static size_t row_bytes(size_t k) { return k + sizeof(RowEnd) + k / 2 * sizeof(((RowEnd *)0)->left_out[0]); }
static inline void store_codes(uint8_t *to, Vector x, int zero, size_t count) { v_store_codes8(to, x, zero, count); }

/** @param places bits of the first codes of pairs that do not fit */
static inline void leave_out(RowEnd *end, uint8_t *codes, size_t first, uint32_t places, int after_gelu) {
  for (; places; places &= places - 1) {
    size_t place = first + (size_t)__builtin_ctz(places);
    end->left_out[end->count].place = (uint32_t)place;
    end->left_out[end->count++].code = after_gelu ? codes[place] : (int8_t)codes[place];
    codes[place] = 0;
  }
}

/** Makes codes signed where they are to be, sums them up, and leaves out what does not fit: 32 at a time, the last of them padded. */
static inline void complete_row(uint8_t *codes, size_t k, int after_gelu) {
  RowEnd *end = (RowEnd *)(void *)(codes + k);
  const __m256i pair_max = _mm256_set1_epi16(after_gelu ? 258 : 128), one_each = _mm256_set1_epi8(1);
  __m256i sums = _mm256_setzero_si256();
  int32_t lanes_of_sum[8];
  end->sum = end->count = 0;
  for (size_t i = 0; i < k; i += 32) {
    uint8_t some[32] __attribute__((aligned(32)));
    size_t left = smaller(32, k - i);
    memset(some, after_gelu ? 0 : 128, sizeof some);
    memcpy(some, codes + i, left);
    __m256i all = _mm256_load_si256((const __m256i *)some);
    if (!after_gelu) all = _mm256_xor_si256(all, _mm256_set1_epi8(-128));
    __m256i pairs = after_gelu ? _mm256_maddubs_epi16(all, one_each) : _mm256_maddubs_epi16(one_each, all);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    _mm256_store_si256((__m256i *)some, all);
    memcpy(codes + i, some, left);
    uint32_t over = (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi16(_mm256_abs_epi16(pairs), pair_max));
    leave_out(end, codes, i, over & 0x55555555u, after_gelu);
  }
  _mm256_storeu_si256((__m256i *)lanes_of_sum, sums);
  for (int i = 0; i < 8; i++) end->sum += lanes_of_sum[i];
}

#define ADD_DOT(sum, codes, weights) ADD_PAIRS(sum, MULTIPLY_BYTES(codes, weights))
DEFINE_ADD_PRODUCTS(add_products_of_unsigned)
#undef ADD_DOT
#undef LOAD_WEIGHTS
#if defined __AVX512F__
#define LOAD_WEIGHTS(from) FLIP_SIGNS(_mm512_loadu_si512(from))
#else
#define LOAD_WEIGHTS(from) FLIP_SIGNS(_mm256_loadu_si256((const __m256i *)(from)))
#endif
#define ADD_DOT(sum, codes, weights) ADD_PAIRS(sum, MULTIPLY_BYTES(weights, codes))
DEFINE_ADD_PRODUCTS(add_products_of_signed)

/** The products of the codes that were left out of a row, added to sums [64]. */
static void add_left_out(const RowEnd *end, int after_gelu, const int8_t *weights, int32_t *sums) {
  for (size_t at = 0; at < panel_outputs; at += lanes) {
    Integers sum = i_load(sums + at);
    for (int32_t i = 0; i < end->count; i++) {
      uint32_t place = end->left_out[i].place;
      Integers flipped = LOAD_WEIGHTS(weights + place / group_inputs * panel_outputs * group_inputs + at * group_inputs);
      Integers all = BROADCAST((int32_t)((uint32_t)(uint8_t)end->left_out[i].code << 8 * (place % group_inputs)));
      ADD_PAIRS(sum, after_gelu ? MULTIPLY_BYTES(all, FLIP_SIGNS(flipped)) : MULTIPLY_BYTES(flipped, all));
    }
    i_store(sums + at, sum);
  }
}

INLINE void multiply_rows(const int rows, const uint8_t *codes, size_t k, int after_gelu, const int8_t *weights, Sums sums) {
  const size_t stride = row_bytes(k);
  for (size_t row = 0; row < (size_t)rows; row++) {
    const RowEnd *end = (const RowEnd *)(const void *)(codes + row * stride + k);
    for (size_t i = 0; i < panel_outputs; i++) sums[row][i] = after_gelu ? 0 : -128 * end->sum;
    if (end->count > 0) add_left_out(end, after_gelu, weights, sums[row]);
  }
  if (after_gelu) add_products_of_unsigned(rows, codes, stride, k, weights, sums);
  else add_products_of_signed(rows, codes, stride, k, weights, sums);
}
