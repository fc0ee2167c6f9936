/**
 * Attention of one head in float. Works through tiles of six queries, so that their scores stay in the L1 cache. After FlashAttention (Dao et al.,
 * arXiv:2205.14135), without its running maximum: a tile has all scores of its queries.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "tile.h"

/** The scratch memory of one head. */
typedef struct {
  size_t filled; /* keys, rounded up to whole panels */
  float *keys;   /* panels [filled / tile_columns][64][tile_columns], padded with zeros */
  float *values; /* [S][64] */
  float *scores; /* [6][filled] */
} Scratch;

static void pack(const AttentionArgs *args, const Scratch *scratch) {
  for (size_t key = 0; key < scratch->filled; key++) {
    float *to = scratch->keys + key / tile_columns * tile_columns * head_size + key % tile_columns;
    const float *from = args->keys + key * args->stride;
    int is_padding = key >= args->key_count;
    for (size_t i = 0; i < head_size; i++) to[i * tile_columns] = is_padding ? 0 : from[i];
    if (!is_padding) memcpy(scratch->values + key * head_size, args->values + key * args->stride, head_size * sizeof(float));
  }
}

static void attend_tile(const AttentionArgs *args, const Scratch *scratch, size_t first) {
  size_t rows = smaller(args->query_count - first, tile_rows), filled = scratch->filled;
  float queries[tile_rows][head_size], mixed[tile_rows][head_size];
  for (size_t row = 0; row < rows; row++) {
    const float *from = args->queries + (first + row) * args->stride;
    for (size_t i = 0; i < head_size; i++) queries[row][i] = from[i] * 0.125f; /* 1 / sqrt(64) */
    memset(scratch->scores + row * filled, 0, filled * sizeof(float));
  }
  for (size_t key = 0; key < filled; key += tile_columns) {
    Tile tile = {queries[0], head_size, scratch->keys + key * head_size, tile_columns, head_size, scratch->scores + key, filled};
    tiles[rows](&tile);
  }
  float shares[tile_rows];
  for (size_t row = 0; row < rows; row++) shares[row] = softmax_row(scratch->scores + row * filled, args->key_count);
  mix_rows(rows, scratch->scores, filled, scratch->values, args->key_count, mixed);
  for (size_t row = 0; row < rows; row++) {
    float *out = args->out + (first + row) * args->stride;
    for (size_t i = 0; i < head_size; i++) out[i] = mixed[row][i] * shares[row];
  }
}

int KERNEL(attention)(const AttentionArgs *args) {
  size_t filled = (args->key_count + tile_columns - 1) / tile_columns * tile_columns;
  Scratch scratch = {.filled = filled};
  float *memory = aligned_alloc(64, (filled * (2 * head_size + tile_rows) * sizeof(float) + 63) / 64 * 64);
  if (!memory) return -1;
  scratch.keys = memory;
  scratch.values = scratch.keys + filled * head_size;
  scratch.scores = scratch.values + filled * head_size;
  pack(args, &scratch);
  for (size_t first = 0; first < args->query_count; first += tile_rows) attend_tile(args, &scratch, first);
  free(memory);
  return 0;
}
