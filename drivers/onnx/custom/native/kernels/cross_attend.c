#include "cross_attend.h"

#ifdef __x86_64__

#include <stdlib.h>
#include <string.h>

#include "head.h"
#include "vectors.h"

enum { rows_of_keys = 8 };

/**
 * Adds the products of the queries with all keys, eight of a key's numbers at a time, while the next eight are fetched: the processor does not see by itself
 * that they follow. scores [rows][stride].
 */
WIDE INLINE void add_scores(const int rows, const Look *look, size_t first, float *scores, size_t stride) {
  size_t count = look->seen, row_stride = look->positions;
  for (size_t i = 0; i < head_size; i += rows_of_keys) {
    const float *keys = look->keys + i * row_stride;
    const float *queries = look->queries + first * look->stride + i;
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
        const float *query = queries + row * look->stride;
        __m512 sum = _mm512_loadu_ps(scores + row * stride + at);
#pragma GCC unroll 8
        for (int key = 0; key < rows_of_keys; key++) sum = _mm512_fmadd_ps(_mm512_set1_ps(query[key]), some[key], sum);
        _mm512_storeu_ps(scores + row * stride + at, sum);
      }
    }
  }
}

/** Scores -> their exponentials, in place. @return one by their sum */
WIDE static float soften(float *scores, size_t count) {
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
    float *out = look->out + (first + row) * look->stride;                   \
    _mm512_storeu_ps(out, _mm512_mul_ps(share, sum##row##0));                \
    _mm512_storeu_ps(out + 16, _mm512_mul_ps(share, sum##row##1));           \
    _mm512_storeu_ps(out + 32, _mm512_mul_ps(share, sum##row##2));           \
    _mm512_storeu_ps(out + 48, _mm512_mul_ps(share, sum##row##3));           \
  }

WIDE INLINE void mix_values(const int rows, const Look *look, size_t first, const float *weights, size_t stride, const float *shares) {
  EACH_ROW(BEGIN)
  const float *values = look->values;
  for (size_t i = 0; i < look->seen; i++, values += head_size) {
    __m512 v0 = _mm512_loadu_ps(values), v1 = _mm512_loadu_ps(values + 16), v2 = _mm512_loadu_ps(values + 32), v3 = _mm512_loadu_ps(values + 48);
    EACH_ROW(STEP)
  }
  EACH_ROW(KEEP)
}

#define TILE(rows)                                                                                                                                   \
  WIDE static void scores_of_##rows(const Look *look, size_t first, float *scores, size_t stride) { add_scores(rows, look, first, scores, stride); } \
  WIDE static void values_of_##rows(const Look *look, size_t first, const float *weights, size_t stride, const float *shares) {                      \
    mix_values(rows, look, first, weights, stride, shares);                                                                                          \
  }
TILE(1) TILE(2) TILE(3) TILE(4) TILE(5) TILE(6)

static const struct {
  void (*add_scores)(const Look *, size_t, float *, size_t);
  void (*mix_values)(const Look *, size_t, const float *, size_t, const float *);
} tiles[tile_rows + 1] = {{NULL, NULL},
                          {scores_of_1, values_of_1},
                          {scores_of_2, values_of_2},
                          {scores_of_3, values_of_3},
                          {scores_of_4, values_of_4},
                          {scores_of_5, values_of_5},
                          {scores_of_6, values_of_6}};

static void keep_weights(const Look *look, size_t query, const float *weights, float share) {
  float *kept = look->weights + query / look->length * look->row_weights + query % look->length * look->positions;
  for (size_t i = 0; i < look->seen; i++) kept[i] = weights[i] * share;
  memset(kept + look->seen, 0, (look->positions - look->seen) * sizeof *kept);
}

int cross_attend(const Look *look) {
  size_t stride = (look->seen + lanes - 1) / lanes * lanes;
  float *scores = malloc(tile_rows * stride * sizeof *scores);
  if (!scores) return -1;
  for (size_t first = 0; first < look->count; first += tile_rows) {
    size_t rows = look->count - first < tile_rows ? look->count - first : tile_rows;
    for (size_t row = 0; row < rows; row++) memcpy(scores + row * stride, look->bias, look->seen * sizeof *scores);
    tiles[rows].add_scores(look, first, scores, stride);
    float shares[tile_rows];
    for (size_t row = 0; row < rows; row++) shares[row] = soften(scores + row * stride, look->seen);
    tiles[rows].mix_values(look, first, scores, stride, shares);
    for (size_t row = 0; look->weights && row < rows; row++) keep_weights(look, first + row, scores + row * stride, shares[row]);
  }
  free(scores);
  return 0;
}

#else

int cross_attend(const Look *look) { return (void)look, -1; }

#endif
