/**
 * Attention of one head with products in bfloat16 (bfmmla: two rows by two columns, four products each); sums, exponentials and the result are float. Works through tiles of six queries
 * like simd/attention.c.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/rows.h"
#include "kernels/simd/vectors.h"

typedef bfloat16_t Half;

/** A block is what one register holds: two rows (or columns) of four terms. */
enum { tile_rows = six_rows, tile_columns = 8, block_terms = 4, block = 8 };

#define EACH_PAIR(WHAT) WHAT(0) WHAT(1) WHAT(2)
#define DECLARE_PAIR(pair) Vector sum##pair##0 = v_all(0), sum##pair##1 = sum##pair##0, sum##pair##2 = sum##pair##0, sum##pair##3 = sum##pair##0;
#define ADD_PAIR(pair)                                                       \
  {                                                                          \
    bfloat16x8_t both = vld1q_bf16(left + pair * left_stride + i * block);   \
    sum##pair##0 = vbfmmlaq_f32(sum##pair##0, both, right0);                 \
    sum##pair##1 = vbfmmlaq_f32(sum##pair##1, both, right1);                 \
    sum##pair##2 = vbfmmlaq_f32(sum##pair##2, both, right2);                 \
    sum##pair##3 = vbfmmlaq_f32(sum##pair##3, both, right3);                 \
  }
#define KEEP_TWO(pair, place)                                                               \
  vst1_f32(out + 2 * pair * out_stride + 2 * place, vget_low_f32(sum##pair##place));        \
  vst1_f32(out + (2 * pair + 1) * out_stride + 2 * place, vget_high_f32(sum##pair##place));
#define KEEP_PAIR(pair) KEEP_TWO(pair, 0) KEEP_TWO(pair, 1) KEEP_TWO(pair, 2) KEEP_TWO(pair, 3)

/** left: 3 pairs of rows, `left_stride` apart, of `blocks` blocks; right [blocks][4 pairs of columns], `right_stride` apart -> out [6][8]. */
static void multiply(const Half *left, size_t left_stride, const Half *right, size_t right_stride, size_t blocks, float *out, size_t out_stride) {
  EACH_PAIR(DECLARE_PAIR)
  for (size_t i = 0; i < blocks; i++, right += right_stride) {
    bfloat16x8_t right0 = vld1q_bf16(right), right1 = vld1q_bf16(right + block), right2 = vld1q_bf16(right + 2 * block), right3 = vld1q_bf16(right + 3 * block);
    EACH_PAIR(ADD_PAIR)
  }
  EACH_PAIR(KEEP_PAIR)
}

/** The scratch memory of one head. */
typedef struct {
  size_t filled; /* keys, rounded up to 8 */
  Half *keys;    /* [filled / 8][16 blocks][4 pairs of keys][2][4 terms], padded with zeros */
  Half *values;  /* [filled / 4 blocks][32 pairs of columns][2][4 positions], padded with zeros */
  Half *weights; /* 3 pairs of rows, [filled / 4 blocks][2][4] */
  float *scores; /* [6][filled] */
} Scratch;

static void pack(const AttentionArgs *args, const Scratch *scratch) {
  for (size_t key = 0; key < scratch->filled; key++) {
    int is_padding = key >= args->key_count;
    const float *from = args->keys + key * args->stride, *values = args->values + key * args->stride;
    Half *to = scratch->keys + key / tile_columns * tile_columns * head_size + key % tile_columns * block_terms;
    for (size_t i = 0; i < head_size; i += block_terms) vst1_bf16(to + i / block_terms * 4 * block, vcvt_bf16_f32(is_padding ? v_all(0) : vld1q_f32(from + i)));
    to = scratch->values + key / block_terms * head_size * block_terms + key % block_terms;
    for (size_t i = 0; i < head_size; i++) to[i * block_terms] = vcvth_bf16_f32(is_padding ? 0.0f : values[i]);
  }
}

/** Scores -> their exponentials, padded with zeros, in blocks of four. @return 1 / their sum */
static float softmax_row(const float *scores, size_t count, size_t filled, Half *out) {
  Vector peak = peak_of(scores, count), sum = v_all(0);
  for (size_t at = 0; at < filled; at += lanes, out += block) {
    Vector weight = v_keep_first(exp_of(v_sub(v_load(scores + at), peak)), at < count ? count - at : 0);
    vst1_bf16(out, vcvt_bf16_f32(weight));
    sum = v_add(sum, weight);
  }
  return 1 / v_sum(sum);
}

static void attend_tile(const AttentionArgs *args, const Scratch *scratch, size_t first) {
  size_t rows = smaller(args->query_count - first, tile_rows), filled = scratch->filled;
  Half queries[tile_rows / 2][head_size / block_terms][2][block_terms];
  float mixed[tile_rows][head_size], shares[tile_rows];
  for (size_t row = 0; row < tile_rows; row++)
    for (size_t i = 0; i < head_size; i += block_terms)
      vst1_bf16(queries[row / 2][i / block_terms][row % 2], vcvt_bf16_f32(row < rows ? v_mul(vld1q_f32(args->queries + (first + row) * args->stride + i), v_all(0.125f)) : v_all(0))); /* 1 / sqrt(64) */
  for (size_t key = 0; key < filled; key += tile_columns)
    multiply(queries[0][0][0], 2 * head_size, scratch->keys + key * head_size, 4 * block, head_size / block_terms, scratch->scores + key, filled);
  for (size_t row = 0; row < tile_rows; row++)
    shares[row] = softmax_row(scratch->scores + row * filled, args->key_count, filled, scratch->weights + row / 2 * 2 * filled + row % 2 * block_terms);
  for (size_t column = 0; column < head_size; column += tile_columns)
    multiply(scratch->weights, 2 * filled, scratch->values + column * block_terms, head_size * block_terms, filled / block_terms, mixed[0] + column, head_size);
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < head_size; i++) args->out[(first + row) * args->stride + i] = mixed[row][i] * shares[row];
}

int KERNEL(attention)(const AttentionArgs *args) {
  size_t filled = (args->key_count + tile_columns - 1) / tile_columns * tile_columns;
  Scratch scratch = {.filled = filled};
  char *memory = malloc(filled * (sizeof(Half) * (2 * head_size + tile_rows) + sizeof(float) * tile_rows));
  if (!memory) return -1;
  scratch.scores = (float *)(void *)memory;
  scratch.keys = (Half *)(void *)(scratch.scores + tile_rows * filled);
  scratch.values = scratch.keys + filled * head_size;
  scratch.weights = scratch.values + filled * head_size;
  pack(args, &scratch);
  for (size_t first = 0; first < args->query_count; first += tile_rows) attend_tile(args, &scratch, first);
  free(memory);
  return 0;
}
