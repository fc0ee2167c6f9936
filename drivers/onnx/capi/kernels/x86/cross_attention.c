/** Cross-attention in float. Keys and values are too large for the caches, so they are read once, in memory order, for up to six queries. */
#include <stdlib.h>
#include <string.h>

#include "vectors.h"
#include "x86.h"

enum { rows_of_keys = 8 };

/**
 * Adds to scores [rows][stride] the products of the queries with all keys, eight dimensions at a time while the next eight are prefetched: the hardware
 * prefetcher does not recognize this pattern.
 */
INLINE void add_scores(const int rows, const CrossAttentionArgs *args, size_t first, float *scores, size_t stride) {
  size_t count = args->seen, row_stride = args->positions;
  for (size_t i = 0; i < head_size; i += rows_of_keys) {
    const float *keys = args->keys + i * row_stride;
    const float *queries = args->queries + first * args->stride + i;
    for (size_t at = 0; at < count; at += lanes) {
      __mmask16 mask = first_lanes(count - at);
      __m512 some[rows_of_keys];
#pragma GCC unroll 8
      for (int key = 0; key < rows_of_keys; key++) {
        _mm_prefetch((const char *)(keys + (key + rows_of_keys) * row_stride + at), _MM_HINT_T0);
        some[key] = _mm512_maskz_loadu_ps(mask, keys + key * row_stride + at);
      }
#pragma GCC unroll 6
      for (int row = 0; row < rows; row++) {
        const float *query = queries + row * args->stride;
        __m512 sum = _mm512_loadu_ps(scores + row * stride + at);
#pragma GCC unroll 8
        for (int key = 0; key < rows_of_keys; key++) sum = _mm512_fmadd_ps(_mm512_set1_ps(query[key]), some[key], sum);
        _mm512_storeu_ps(scores + row * stride + at, sum);
      }
    }
  }
}

/** Scores -> their exponentials, in place. @return 1 / their sum */
static float softmax_row(float *scores, size_t count) {
  __m512 peak = peak_of(scores, count);
  __m512 sum = _mm512_setzero_ps();
  for (size_t at = 0; at < count; at += lanes) {
    __m512 weight = _mm512_maskz_mov_ps(first_lanes(count - at), exp_of(_mm512_sub_ps(_mm512_loadu_ps(scores + at), peak)));
    _mm512_storeu_ps(scores + at, weight);
    sum = _mm512_add_ps(sum, weight);
  }
  return 1 / _mm512_reduce_add_ps(sum);
}

#define BEGIN(row) __m512 sum##row##0 = _mm512_setzero_ps(), sum##row##1 = sum##row##0, sum##row##2 = sum##row##0, sum##row##3 = sum##row##0;
#define STEP(row)                                             \
  if (rows > row) {                                           \
    __m512 weight = _mm512_set1_ps(weights[row * stride + i]); \
    sum##row##0 = _mm512_fmadd_ps(weight, v0, sum##row##0);   \
    sum##row##1 = _mm512_fmadd_ps(weight, v1, sum##row##1);   \
    sum##row##2 = _mm512_fmadd_ps(weight, v2, sum##row##2);   \
    sum##row##3 = _mm512_fmadd_ps(weight, v3, sum##row##3);   \
  }
#define KEEP(row)                                                            \
  if (rows > row) {                                                          \
    __m512 share = _mm512_set1_ps(shares[row]);                              \
    float *out = args->out + (first + row) * args->stride;                   \
    _mm512_storeu_ps(out, _mm512_mul_ps(share, sum##row##0));                \
    _mm512_storeu_ps(out + 16, _mm512_mul_ps(share, sum##row##1));           \
    _mm512_storeu_ps(out + 32, _mm512_mul_ps(share, sum##row##2));           \
    _mm512_storeu_ps(out + 48, _mm512_mul_ps(share, sum##row##3));           \
  }

INLINE void mix_values(const int rows, const CrossAttentionArgs *args, size_t first, const float *weights, size_t stride, const float *shares) {
  EACH_ROW(BEGIN)
  const float *values = args->values;
  for (size_t i = 0; i < args->seen; i++, values += head_size) {
    __m512 v0 = _mm512_loadu_ps(values), v1 = _mm512_loadu_ps(values + 16), v2 = _mm512_loadu_ps(values + 32), v3 = _mm512_loadu_ps(values + 48);
    EACH_ROW(STEP)
  }
  EACH_ROW(KEEP)
}

#define TILE(rows)                                                                                                                                   \
  static void scores_of_##rows(const CrossAttentionArgs *args, size_t first, float *scores, size_t stride) { add_scores(rows, args, first, scores, stride); } \
  static void values_of_##rows(const CrossAttentionArgs *args, size_t first, const float *weights, size_t stride, const float *shares) {                      \
    mix_values(rows, args, first, weights, stride, shares);                                                                                          \
  }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)

static const struct {
  void (*add_scores)(const CrossAttentionArgs *, size_t, float *, size_t);
  void (*mix_values)(const CrossAttentionArgs *, size_t, const float *, size_t, const float *);
} tiles[tile_rows + 1] = {{NULL, NULL},
                          {scores_of_1, values_of_1},
                          {scores_of_2, values_of_2},
                          {scores_of_3, values_of_3},
                          {scores_of_4, values_of_4},
                          {scores_of_5, values_of_5},
                          {scores_of_6, values_of_6}};

static void keep_weights(const CrossAttentionArgs *args, size_t query, const float *weights, float share) {
  float *kept = args->weights + query / args->length * args->row_weights + query % args->length * args->positions;
  for (size_t i = 0; i < args->seen; i++) kept[i] = weights[i] * share;
  memset(kept + args->seen, 0, (args->positions - args->seen) * sizeof *kept);
}

int x86_cross_attention(const CrossAttentionArgs *args) {
  size_t stride = (args->seen + lanes - 1) / lanes * lanes;
  float *scores = malloc(tile_rows * stride * sizeof *scores);
  if (!scores) return -1;
  for (size_t first = 0; first < args->count; first += tile_rows) {
    size_t rows = args->count - first < tile_rows ? args->count - first : tile_rows;
    for (size_t row = 0; row < rows; row++) memcpy(scores + row * stride, args->bias, args->seen * sizeof *scores);
    tiles[rows].add_scores(args, first, scores, stride);
    float shares[tile_rows];
    for (size_t row = 0; row < rows; row++) shares[row] = softmax_row(scores + row * stride, args->seen);
    tiles[rows].mix_values(args, first, scores, stride, shares);
    for (size_t row = 0; args->weights && row < rows; row++) keep_weights(args, first + row, scores + row * stride, shares[row]);
  }
  free(scores);
  return 0;
}
