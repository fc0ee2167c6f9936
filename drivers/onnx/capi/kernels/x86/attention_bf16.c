/**
 * Attention of one head with products in bfloat16; sums, exponentials and the result are float. Works through tiles of six queries, so that their scores stay
 * in the L1 cache. After FlashAttention (Dao et al., arXiv:2205.14135), without its running maximum: a tile has all scores of its queries.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/rows.h"
#include "kernels/simd/vectors.h"

enum { tile_rows = six_rows };

/** Columns of a tile. */
enum { panel = 64 };

/** The operand of one vdpbf16ps lane: two bfloat16, the first in the low half. */
typedef uint32_t Pair;

/** 32 floats rounded to bfloat16, in order. */
INLINE __m512i narrowed(__m512 low, __m512 high) { return (__m512i)_mm512_cvtne2ps_pbh(high, low); }

/** Keys [S, 64] -> panels [S / 64][32 pairs][64 keys], padded with zeros. */
static void pack_keys(const AttentionArgs *args, Pair *packed) {
  Pair pairs[head_size / 2] __attribute__((aligned(64)));
  size_t filled = (args->key_count + panel - 1) / panel * panel;
  for (size_t key = 0; key < filled; key++) {
    if (key < args->key_count) {
      const float *from = args->keys + key * args->stride;
      _mm512_store_si512(pairs, narrowed(_mm512_loadu_ps(from), _mm512_loadu_ps(from + 16)));
      _mm512_store_si512(pairs + 16, narrowed(_mm512_loadu_ps(from + 32), _mm512_loadu_ps(from + 48)));
    } else memset(pairs, 0, sizeof pairs);
    Pair *to = packed + key / panel * panel * (head_size / 2) + key % panel;
    for (size_t i = 0; i < head_size / 2; i++) to[i * panel] = pairs[i];
  }
}

/** Values [S, 64] -> [S / 2 pairs][64]. */
static void pack_values(const AttentionArgs *args, Pair *packed) {
  for (size_t key = 0; key < args->key_count; key += 2) {
    const float *first = args->values + key * args->stride;
    int is_last = key + 1 == args->key_count;
    for (size_t i = 0; i < head_size; i += lanes) {
      __m512 a = _mm512_loadu_ps(first + i);
      __m512 b = is_last ? _mm512_setzero_ps() : _mm512_loadu_ps(first + args->stride + i);
      __m512i low = _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(a));
      __m512i high = _mm512_slli_epi32(_mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(b)), 16);
      _mm512_storeu_si512(packed + key / 2 * panel + i, _mm512_or_si512(low, high));
    }
  }
}

#define ADD(sum, one, other) __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(one), "v"(other))
#define BEGIN(row) __m512 sum##row##0 = _mm512_setzero_ps(), sum##row##1 = sum##row##0, sum##row##2 = sum##row##0, sum##row##3 = sum##row##0;
#define STEP(row)                                                       \
  {                                                                     \
    __m512i all = _mm512_set1_epi32((int)rows[row * row_pairs + i]);    \
    ADD(sum##row##0, all, p0);                                          \
    ADD(sum##row##1, all, p1);                                          \
    ADD(sum##row##2, all, p2);                                          \
    ADD(sum##row##3, all, p3);                                          \
  }
#define KEEP(row)                                            \
  _mm512_storeu_ps(out + row * out_stride, sum##row##0);       \
  _mm512_storeu_ps(out + row * out_stride + 16, sum##row##1);  \
  _mm512_storeu_ps(out + row * out_stride + 32, sum##row##2);  \
  _mm512_storeu_ps(out + row * out_stride + 48, sum##row##3);

/** rows [6][row_pairs] times a panel [pairs][64] -> out [6][64]. */
static void multiply_pairs(const Pair *rows, size_t row_pairs, const Pair *columns, size_t pairs, float *out, size_t out_stride) {
  EACH_ROW(BEGIN)
  for (size_t i = 0; i < pairs; i++, columns += panel) {
    __m512i p0 = _mm512_loadu_si512(columns), p1 = _mm512_loadu_si512(columns + 16);
    __m512i p2 = _mm512_loadu_si512(columns + 32), p3 = _mm512_loadu_si512(columns + 48);
    EACH_ROW(STEP)
  }
  EACH_ROW(KEEP)
}

/** Scores -> their exponentials as pairs, padded with zeros. @return 1 / their sum */
static float softmax_row(const float *scores, size_t count, size_t filled, Pair *out) {
  Vector peak = peak_of(scores, count);
  __m512 sum = _mm512_setzero_ps();
  for (size_t i = 0; i < filled; i += 2 * lanes) {
    __m512 weights[2];
    for (size_t half = 0; half < 2; half++) {
      size_t at = i + half * lanes;
      __mmask16 mask = at < count ? first_lanes(count - at) : 0;
      weights[half] = _mm512_maskz_mov_ps(mask, exp_of(_mm512_sub_ps(_mm512_loadu_ps(scores + at), peak)));
      sum = _mm512_add_ps(sum, weights[half]);
    }
    _mm512_storeu_si512(out + i / 2, narrowed(weights[0], weights[1]));
  }
  return 1 / _mm512_reduce_add_ps(sum);
}

/** The scratch memory of one head. */
typedef struct {
  size_t filled; /* keys, rounded up to whole panels */
  Pair *keys;
  Pair *values;
  Pair *weights; /* [6][filled / 2] */
  float *scores; /* [6][filled] */
} Scratch;

static void attend_tile(const AttentionArgs *args, const Scratch *scratch, size_t first) {
  size_t some = args->query_count - first < tile_rows ? args->query_count - first : tile_rows;
  Pair queries[tile_rows][head_size / 2] __attribute__((aligned(64)));
  memset(queries, 0, sizeof queries);
  __m512 scale = _mm512_set1_ps(0.125f); /* 1 / sqrt(64) */
  for (size_t row = 0; row < some; row++) {
    const float *from = args->queries + (first + row) * args->stride;
    for (size_t i = 0; i < head_size; i += 2 * lanes)
      _mm512_store_si512(queries[row] + i / 2, narrowed(_mm512_mul_ps(_mm512_loadu_ps(from + i), scale), _mm512_mul_ps(_mm512_loadu_ps(from + i + lanes), scale)));
  }
  for (size_t key = 0; key < scratch->filled; key += panel)
    multiply_pairs(queries[0], head_size / 2, scratch->keys + key * (head_size / 2), head_size / 2, scratch->scores + key, scratch->filled);
  float shares[tile_rows];
  for (size_t row = 0; row < tile_rows; row++) shares[row] = softmax_row(scratch->scores + row * scratch->filled, args->key_count, scratch->filled, scratch->weights + row * scratch->filled / 2);
  float mixed[tile_rows][head_size];
  multiply_pairs(scratch->weights, scratch->filled / 2, scratch->values, (args->key_count + 1) / 2, mixed[0], head_size);
  for (size_t row = 0; row < some; row++)
    for (size_t i = 0; i < head_size; i += lanes)
      _mm512_storeu_ps(args->out + (first + row) * args->stride + i, _mm512_mul_ps(_mm512_loadu_ps(mixed[row] + i), _mm512_set1_ps(shares[row])));
}

int avx512_bf16_attention(const AttentionArgs *args) {
  size_t filled = (args->key_count + panel - 1) / panel * panel;
  size_t pairs = filled * (head_size / 2);
  Scratch scratch = {.filled = filled};
  void *memory = aligned_alloc(64, sizeof(Pair) * (2 * pairs + tile_rows * filled / 2) + sizeof(float) * tile_rows * filled);
  if (!memory) return -1;
  scratch.keys = memory;
  scratch.values = scratch.keys + pairs;
  scratch.scores = (float *)(scratch.values + pairs);
  scratch.weights = (Pair *)(scratch.scores + tile_rows * filled);
  pack_keys(args, scratch.keys);
  pack_values(args, scratch.values);
  for (size_t first = 0; first < args->query_count; first += tile_rows) attend_tile(args, &scratch, first);
  free(memory);
  return 0;
}
