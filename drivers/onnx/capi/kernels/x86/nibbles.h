/** simd/coarse_linear.c on x64: unsigned 4-bit weights times signed codes. With vpmaddubsw eight sums of two products fit in 16 bits: 8 x 2 x 15 x 127 is 30480. */
#ifndef EARSHOT_X86_NIBBLES_H
#define EARSHOT_X86_NIBBLES_H

#if defined __AVX512F__
#define LOAD_NIBBLES(from) _mm512_loadu_si512(from)
#define LOW_NIBBLES(bytes) _mm512_and_si512(bytes, _mm512_set1_epi8(15))
#define HIGH_NIBBLES(bytes) _mm512_and_si512(_mm512_srli_epi16(bytes, 4), _mm512_set1_epi8(15))
#define BROADCAST(four) _mm512_set1_epi32(four)
#define ZERO _mm512_setzero_si512()
#else
#define LOAD_NIBBLES(from) _mm256_loadu_si256((const __m256i *)(const void *)(from))
#define LOW_NIBBLES(bytes) _mm256_and_si256(bytes, _mm256_set1_epi8(15))
#define HIGH_NIBBLES(bytes) _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(15))
#define BROADCAST(four) _mm256_set1_epi32(four)
#define ZERO _mm256_setzero_si256()
#endif

static inline Integers codes_at(const int8_t *codes) {
  int32_t four;
  __builtin_memcpy(&four, codes, sizeof four);
  return BROADCAST(four);
}

/* A step: one vector of weights, eight inputs. */
enum { step_vectors = 1 };
#define LOAD_STEP(from)                      \
  const Integers bytes = LOAD_NIBBLES(from); \
  const Integers low = LOW_NIBBLES(bytes), high = HIGH_NIBBLES(bytes);
#define ADD_STEP(row, codes)                                                                       \
  const Integers of_low = codes_at(codes), of_high = codes_at(codes + group_inputs);               \
  ADD_PRODUCTS(row, low, of_low);                                                                  \
  ADD_PRODUCTS(row, high, of_high);

/* The sums of 32 inputs, and of all. */
#if defined __AVX512VNNI__ || defined __AVXVNNI__
#if defined __AVX512VNNI__
#define ADD_DOT(sum, weights, codes) __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(weights), "v"(codes))
#else
#define ADD_DOT(sum, weights, codes) __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(weights), "x"(codes))
#endif
#define DECLARE_NARROW(row)
#define ADD_PRODUCTS(row, weights, codes) ADD_DOT(sum##row, weights, codes)
#define WIDEN(row)
#elif defined __AVX512F__
#define DECLARE_NARROW(row) Integers narrow##row = ZERO;
#define ADD_PRODUCTS(row, weights, codes) narrow##row = _mm512_add_epi16(narrow##row, _mm512_maddubs_epi16(weights, codes))
#define WIDEN(row) sum##row = _mm512_add_epi32(sum##row, _mm512_madd_epi16(narrow##row, _mm512_set1_epi16(1)));
#else
#define DECLARE_NARROW(row) Integers narrow##row = ZERO;
#define ADD_PRODUCTS(row, weights, codes) narrow##row = _mm256_add_epi16(narrow##row, _mm256_maddubs_epi16(weights, codes))
#define WIDEN(row) sum##row = _mm256_add_epi32(sum##row, _mm256_madd_epi16(narrow##row, _mm256_set1_epi16(1)));
#endif

#endif
