/** Cross-attention in float. Keys and values are too large for the caches, so they are read once, in memory order, for up to six queries. */
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tile.h"

/** A line of the cache of each of some rows of keys, which then are in registers. */
enum { line_vectors = lanes < 16 ? 16 / lanes : 1, rows_of_keys = lanes < 16 ? 4 : 8 };

/** Adds to scores [rows][stride], from position `at` on, the products of the queries with `rows_of_keys` rows of keys. @param whole a line of positions, not the few lanes at the end; it and `rows` are compile-time constants */
INLINE void add_scores_at(const int rows, const int whole, const CrossAttentionArgs *args, const float *queries, const float *keys, size_t at, float *scores, size_t stride) {
  const int vectors = whole ? line_vectors : 1;
  Vector some[rows_of_keys][line_vectors];
#pragma GCC unroll 8
  for (int key = 0; key < rows_of_keys; key++) {
    const float *from = keys + key * args->positions + at;
    __builtin_prefetch(from + rows_of_keys * args->positions);
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; vector++) some[key][vector] = v_load_first(from + vector * lanes, whole ? lanes : args->seen - at);
  }
#pragma GCC unroll 6
  for (int row = 0; row < rows; row++) {
    const float *query = queries + row * args->stride;
    float *to = scores + row * stride + at;
#pragma GCC unroll 4
    for (int vector = 0; vector < vectors; vector++) {
      Vector sum = v_load(to + vector * lanes);
#pragma GCC unroll 8
      for (int key = 0; key < rows_of_keys; key++) sum = v_plus_product(sum, v_all(query[key]), some[key][vector]);
      v_store(to + vector * lanes, sum);
    }
  }
}

/**
 * Adds to scores [rows][stride] the products of the queries with all keys, a few dimensions at a time while the next ones are prefetched: the hardware
 * prefetcher does not recognize this pattern.
 */
INLINE void add_scores(const int rows, const CrossAttentionArgs *args, size_t first, float *scores, size_t stride) {
  for (size_t i = 0; i < head_size; i += rows_of_keys) {
    const float *keys = args->keys + i * args->positions;
    const float *queries = args->queries + first * args->stride + i;
    size_t at = 0;
    for (; at + line_vectors * lanes <= args->seen; at += line_vectors * lanes) add_scores_at(rows, 1, args, queries, keys, at, scores, stride);
    for (; at < args->seen; at += lanes) add_scores_at(rows, 0, args, queries, keys, at, scores, stride);
  }
}

#define SCORES_OF(rows) \
  static void scores_of_##rows(const CrossAttentionArgs *args, size_t first, float *scores, size_t stride) { add_scores(rows, args, first, scores, stride); }
SCORES_OF(1) SCORES_OF(2) SCORES_OF(3) SCORES_OF(4) SCORES_OF(5) SCORES_OF(6)

static void (*const score_rows[tile_rows + 1])(const CrossAttentionArgs *, size_t, float *, size_t) = {NULL, scores_of_1, scores_of_2, scores_of_3, scores_of_4, scores_of_5, scores_of_6};

static void keep_weights(const CrossAttentionArgs *args, size_t query, const float *weights, float share) {
  float *kept = args->weights + query / args->length * args->row_weights + query % args->length * args->positions;
  for (size_t i = 0; i < args->seen; i++) kept[i] = weights[i] * share;
  memset(kept + args->seen, 0, (args->positions - args->seen) * sizeof *kept);
}

int KERNEL(cross_attention)(const CrossAttentionArgs *args) {
  size_t stride = (args->seen + lanes - 1) / lanes * lanes;
  float *scores = malloc(tile_rows * stride * sizeof *scores);
  if (!scores) return -1;
  for (size_t first = 0; first < args->count; first += tile_rows) {
    size_t rows = smaller(args->count - first, tile_rows);
    for (size_t row = 0; row < rows; row++) {
      memcpy(scores + row * stride, args->bias, args->seen * sizeof *scores);
      memset(scores + row * stride + args->seen, 0, (stride - args->seen) * sizeof *scores);
    }
    score_rows[rows](args, first, scores, stride);
    float shares[tile_rows], mixed[tile_rows][head_size];
    for (size_t row = 0; row < rows; row++) shares[row] = softmax_row(scores + row * stride, args->seen);
    mix_rows(rows, scores, stride, args->values, args->seen, mixed);
    for (size_t row = 0; row < rows; row++) {
      float *out = args->out + (first + row) * args->stride;
      for (size_t i = 0; i < head_size; i++) out[i] = mixed[row][i] * shares[row];
      if (args->weights) keep_weights(args, first + row, scores + row * stride, shares[row]);
    }
  }
  free(scores);
  return 0;
}
