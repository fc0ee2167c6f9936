/**
 * Products of float matrices, up to six rows by tile_vectors vectors of columns at a time, whose sums stay in registers.
 */
#ifndef EARSHOT_TILE_H
#define EARSHOT_TILE_H

#include "rows.h"
#include "vectors.h"

enum { tile_rows = six_rows, tile_columns = tile_vectors * lanes };

typedef struct {
  const float *left; /* [rows][count], rows left_stride apart */
  size_t left_stride;
  const float *right; /* [count][tile_columns], rows right_stride apart */
  size_t right_stride;
  size_t count;
  float *sums; /* [rows][tile_columns], rows sums_stride apart: the products are added to them */
  size_t sums_stride;
} Tile;

#define TAKE_SUM(row, vector) sum##row##vector = v_load(tile->sums + row * tile->sums_stride + vector * lanes);
#define ADD_PRODUCT(row, vector) sum##row##vector = v_plus_product(sum##row##vector, all, right##vector);
#define KEEP_SUM(row, vector) v_store(tile->sums + row * tile->sums_stride + vector * lanes, sum##row##vector);
#define DECLARE_SUM(row, vector) Vector sum##row##vector = v_all(0);
#define DECLARE_RIGHT(row, vector) Vector right##vector = v_load(right + vector * lanes);
#define DECLARE_ROW(row) EACH_VECTOR(DECLARE_SUM, row)
#define TAKE_ROW(row) if (rows > row) { EACH_VECTOR(TAKE_SUM, row) }
#define ADD_ROW(row)                                   \
  if (rows > row) {                                    \
    Vector all = v_all(left[row * tile->left_stride]); \
    EACH_VECTOR(ADD_PRODUCT, row)                      \
  }
#define KEEP_ROW(row) if (rows > row) { EACH_VECTOR(KEEP_SUM, row) }

/** @param rows a compile-time constant, so that the tests of it vanish. */
INLINE void add_products(const int rows, const Tile *tile) {
  EACH_ROW(DECLARE_ROW)
  EACH_ROW(TAKE_ROW)
  const float *left = tile->left, *right = tile->right;
  size_t right_stride = tile->right_stride;
  for (size_t i = tile->count; i > 0; i--, left++, right += right_stride) {
    EACH_VECTOR(DECLARE_RIGHT, 0)
    EACH_ROW(ADD_ROW)
  }
  EACH_ROW(KEEP_ROW)
}

#define TILE_OF(rows) \
  static void add_products_of_##rows(const Tile *tile) { add_products(rows, tile); }
TILE_OF(1) TILE_OF(2) TILE_OF(3) TILE_OF(4) TILE_OF(5) TILE_OF(6)

static void (*const tiles[tile_rows + 1])(const Tile *) = {NULL, add_products_of_1, add_products_of_2, add_products_of_3, add_products_of_4, add_products_of_5, add_products_of_6};

/**
 * weights [rows][count], rows `stride` apart, times values [count][64] -> out [rows][64]. The values are read once, in memory order: where a tile is narrower than a
 * row of values, it takes a few positions at a time, which then are in the L1 cache.
 */
static inline void mix_rows(size_t rows, const float *weights, size_t stride, const float *values, size_t count, float (*out)[64]) {
  enum { width = 64 };
  const size_t at_once = (int)tile_columns == (int)width ? count : 64;
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < width; i++) out[row][i] = 0;
  for (size_t first = 0; first < count; first += at_once)
    for (size_t column = 0; column < width; column += tile_columns) {
      Tile tile = {weights + first, stride, values + first * width + column, width, smaller(at_once, count - first), out[0] + column, width};
      tiles[rows](&tile);
    }
}

/** Scores [count] -> their exponentials, in place. @return 1 / their sum */
static inline float softmax_row(float *scores, size_t count) {
  Vector peak = peak_of(scores, count), sum = v_all(0);
  size_t at = 0;
  for (; at + lanes <= count; at += lanes) {
    Vector weight = exp_of(v_sub(v_load(scores + at), peak));
    v_store(scores + at, weight);
    sum = v_add(sum, weight);
  }
  if (at < count) {
    Vector weight = v_keep_first(exp_of(v_sub(v_load_first(scores + at, count - at), peak)), count - at);
    v_store_first(scores + at, weight, count - at);
    sum = v_add(sum, weight);
  }
  return 1 / v_sum(sum);
}

#endif
