/**
 * Attention of one head with products in half precision (asimdhp), eight at a time. At most 32 of them are added up in half precision; all other sums, the exponentials and the result are
 * float. Works through tiles of four queries like simd/attention.c. Queries and keys beyond 65504 would overflow: they are a few dozen at most.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "kernels/simd/vectors.h"

typedef __fp16 Half;

/** Four rows: six would leave no register for the right side, as only half of them can be multiplied by one element. */
enum { tile_rows = 4, half_lanes = 8, columns = 32, terms = 32 };

#define EACH_ROW(WHAT) WHAT(0) WHAT(1) WHAT(2) WHAT(3)
#define DECLARE_SUM(row, vector) float16x8_t sum##row##vector = vdupq_n_f16(0);
#define DECLARE_ROW(row) EACH_VECTOR(DECLARE_SUM, row)
#define LOAD_LEFT(row) float16x8_t left##row = vld1q_f16(left + row * left_stride + i);
#define ADD_OF_ROW(row, vector, term) sum##row##vector = vfmaq_laneq_f16(sum##row##vector, right_values, left##row, term);
#define ADD_VECTOR(vector, term)                                                                             \
  {                                                                                                          \
    float16x8_t right_values = vld1q_f16(right + term * right_stride + vector * half_lanes);                 \
    ADD_OF_ROW(0, vector, term) ADD_OF_ROW(1, vector, term) ADD_OF_ROW(2, vector, term) ADD_OF_ROW(3, vector, term) \
  }
#define ADD_TERM(term) ADD_VECTOR(0, term) ADD_VECTOR(1, term) ADD_VECTOR(2, term) ADD_VECTOR(3, term)
#define KEEP_SUM(row, vector) keep(sums + row * sums_stride + vector * half_lanes, sum##row##vector);
#define KEEP_ROW(row) EACH_VECTOR(KEEP_SUM, row)

INLINE void keep(float *sums, float16x8_t some) {
  vst1q_f32(sums, vaddq_f32(vld1q_f32(sums), vcvt_f32_f16(vget_low_f16(some))));
  vst1q_f32(sums + 4, vaddq_f32(vld1q_f32(sums + 4), vcvt_high_f32_f16(some)));
}

/** left [4][32] times right [32][32] -> added to sums [4][32]. */
static void add_products(const Half *left, size_t left_stride, const Half *right, size_t right_stride, float *sums, size_t sums_stride) {
  EACH_ROW(DECLARE_ROW)
  for (size_t i = 0; i < terms; i += half_lanes, right += half_lanes * right_stride) {
    EACH_ROW(LOAD_LEFT)
    ADD_TERM(0) ADD_TERM(1) ADD_TERM(2) ADD_TERM(3) ADD_TERM(4) ADD_TERM(5) ADD_TERM(6) ADD_TERM(7)
  }
  EACH_ROW(KEEP_ROW)
}

/** The scratch memory of one head. */
typedef struct {
  size_t filled; /* keys, rounded up to 32 */
  Half *keys;    /* panels [filled / 32][64][32], padded with zeros */
  Half *values;  /* [filled][64], padded with zeros */
  Half *weights; /* [4][filled] */
  float *scores; /* [4][filled] */
} Scratch;

static void narrow(const float *from, Half *to) {
  for (size_t i = 0; i < head_size; i += half_lanes) vst1q_f16(to + i, vcvt_high_f16_f32(vcvt_f16_f32(vld1q_f32(from + i)), vld1q_f32(from + i + 4)));
}

static void pack(const AttentionArgs *args, const Scratch *scratch) {
  for (size_t key = 0; key < scratch->filled; key++) {
    Half some[head_size] = {0};
    if (key < args->key_count) narrow(args->keys + key * args->stride, some);
    Half *to = scratch->keys + key / columns * columns * head_size + key % columns;
    for (size_t i = 0; i < head_size; i++) to[i * columns] = some[i];
    if (key < args->key_count) narrow(args->values + key * args->stride, scratch->values + key * head_size);
    else memset(scratch->values + key * head_size, 0, sizeof some);
  }
}

/** Scores -> their exponentials in half precision, padded with zeros. @return 1 / their sum */
static float softmax_row(const float *scores, size_t count, size_t filled, Half *out) {
  Vector peak = peak_of(scores, count), sum = v_all(0);
  size_t at = 0;
  for (; at + half_lanes <= count; at += half_lanes) {
    Vector some = exp_of(v_sub(v_load(scores + at), peak)), more = exp_of(v_sub(v_load(scores + at + lanes), peak));
    vst1q_f16(out + at, vcvt_high_f16_f32(vcvt_f16_f32(some), more));
    sum = v_add(sum, v_add(some, more));
  }
  for (; at < filled; at += lanes) {
    Vector weight = v_keep_first(exp_of(v_sub(v_load(scores + at), peak)), at < count ? count - at : 0);
    vst1_f16(out + at, vcvt_f16_f32(weight));
    sum = v_add(sum, weight);
  }
  return 1 / v_sum(sum);
}

static void attend_tile(const AttentionArgs *args, const Scratch *scratch, size_t first) {
  size_t rows = smaller(args->query_count - first, tile_rows), filled = scratch->filled;
  Half queries[tile_rows][head_size] = {{0}};
  float mixed[tile_rows][head_size] = {{0}}, shares[tile_rows];
  for (size_t row = 0; row < rows; row++) {
    float scaled[head_size];
    for (size_t i = 0; i < head_size; i++) scaled[i] = args->queries[(first + row) * args->stride + i] * 0.125f; /* 1 / sqrt(64) */
    narrow(scaled, queries[row]);
  }
  memset(scratch->scores, 0, tile_rows * filled * sizeof(float));
  for (size_t key = 0; key < filled; key += columns)
    for (size_t i = 0; i < head_size; i += terms) add_products(queries[0] + i, head_size, scratch->keys + key * head_size + i * columns, columns, scratch->scores + key, filled);
  for (size_t row = 0; row < tile_rows; row++) shares[row] = softmax_row(scratch->scores + row * filled, args->key_count, filled, scratch->weights + row * filled);
  for (size_t key = 0; key < filled; key += terms)
    for (size_t column = 0; column < head_size; column += columns) add_products(scratch->weights + key, filled, scratch->values + key * head_size + column, head_size, mixed[0] + column, head_size);
  for (size_t row = 0; row < rows; row++)
    for (size_t i = 0; i < head_size; i++) args->out[(first + row) * args->stride + i] = mixed[row][i] * shares[row];
}

int KERNEL(attention)(const AttentionArgs *args) {
  size_t filled = (args->key_count + columns - 1) / columns * columns;
  Scratch scratch = {.filled = filled};
  char *memory = aligned_alloc(64, filled * (sizeof(Half) * (2 * head_size + tile_rows) + sizeof(float) * tile_rows));
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
