/**
 * Codes whose products fit in 16 bits: x86/products_exact.h. A few products next to each other are added there: `products_added` of them.
 *
 * - After a GELU most codes are small. They are the unsigned side, and 127 times some of them fits if their sum is at most 258.
 * - Else codes less 128, mostly near 0, are the signed side, and weights plus 128 the unsigned one: 255 times some of them fits if those of one sign add up to at most 128.
 *
 * What is too much is left out of the largest code, and remembered behind the row's codes: in Whisper's encoder 5 to 8 times a row, since a few inputs are far larger than all others.
 */
enum { signed_most = 128, unsigned_most = 258 };

#if defined __AVX512F__
enum { products_added = 2 };
static const uint32_t first_of_added = 0x55555555; /* of 32 codes: 0 and 1, 2 and 3, ... */
#else
enum { products_added = 4 };
static const uint32_t first_of_added = 0x05050505; /* of 32 codes: 0, 1, 4 and 5; 2, 3, 6 and 7; ... */
#endif
static const uint8_t added_places[] = {0, 1, 4, 5};

/** What is subtracted from codes where they are stored. */
static inline int code_shift(int after_gelu) { return after_gelu ? 0 : 128; }

/** Behind the codes of a row. */
typedef struct {
  int32_t sum; /* of all codes, before anything was left out */
  int32_t count;
  struct {
    uint16_t place;
    int16_t code;
  } left_out[];
} RowEnd;

static size_t row_bytes(size_t k) { return k + sizeof(RowEnd) + k * sizeof(((RowEnd *)0)->left_out[0]); }

/** @param sign of the codes that are too much; 0: unsigned ones */
static void leave_out(RowEnd *end, uint8_t *codes, size_t k, size_t first, int sign) {
  const int most = sign == 0 ? unsigned_most : signed_most;
  for (;;) {
    int sum = 0, largest = 0;
    size_t largest_at = first;
    for (int i = 0; i < products_added; i++) {
      size_t place = first + added_places[i];
      int code = place >= k ? 0 : sign == 0 ? codes[place] : sign * (int8_t)codes[place];
      if (code > 0) sum += code;
      if (code > largest) largest = code, largest_at = place;
    }
    if (sum <= most) return;
    int code = sum - most < largest ? sum - most : largest;
    if (sign < 0) code = -code;
    end->left_out[end->count].place = (uint16_t)largest_at;
    end->left_out[end->count++].code = (int16_t)code;
    codes[largest_at] = (uint8_t)(codes[largest_at] - code);
  }
}

/** The last codes of a row, padded with others that add nothing. */
static inline __m256i last_codes(const uint8_t *codes, size_t left, int after_gelu) {
  uint8_t some[32];
  memset(some, code_shift(after_gelu), sizeof some);
  memcpy(some, codes, left);
  return _mm256_loadu_si256((const __m256i *)(const void *)some);
}

/** Makes codes signed where they are to be, sums them up, and leaves out what does not fit: 32 at a time. */
static inline void complete_row(uint8_t *codes, size_t k, int after_gelu) {
  RowEnd *end = (RowEnd *)(void *)(codes + k);
  const __m256i most = _mm256_set1_epi16(after_gelu ? unsigned_most : signed_most), one_each = _mm256_set1_epi8(1), none = _mm256_setzero_si256();
  __m256i sums = none;
  int32_t lanes_of_sum[8];
  end->sum = end->count = 0;
  for (size_t i = 0; i < k; i += 32) {
    __m256i all = k - i >= 32 ? _mm256_loadu_si256((const __m256i *)(void *)(codes + i)) : last_codes(codes + i, k - i, after_gelu), above, below = none;
    if (after_gelu) above = _mm256_maddubs_epi16(all, one_each);
    else {
      all = _mm256_xor_si256(all, _mm256_set1_epi8(-128));
      if (k - i >= 32) _mm256_storeu_si256((__m256i *)(void *)(codes + i), all);
      else
        for (size_t place = i; place < k; place++) codes[place] ^= 128;
      __m256i positive = _mm256_max_epi8(all, none);
      above = _mm256_maddubs_epi16(positive, one_each);
      below = _mm256_maddubs_epi16(_mm256_sub_epi8(positive, all), one_each);
    }
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_sub_epi16(above, below), _mm256_set1_epi16(1)));
    if (products_added == 4) {
      above = _mm256_add_epi16(above, _mm256_srli_epi64(above, 32));
      below = _mm256_add_epi16(below, _mm256_srli_epi64(below, 32));
    }
    uint32_t too_much = first_of_added & (uint32_t)_mm256_movemask_epi8(_mm256_cmpgt_epi16(_mm256_max_epi16(above, below), most));
    for (; too_much; too_much &= too_much - 1) {
      size_t first = i + (size_t)__builtin_ctz(too_much);
      if (after_gelu) leave_out(end, codes, k, first, 0);
      else leave_out(end, codes, k, first, 1), leave_out(end, codes, k, first, -1);
    }
  }
  _mm256_storeu_si256((__m256i *)(void *)lanes_of_sum, sums);
  for (int i = 0; i < 8; i++) end->sum += lanes_of_sum[i];
}
