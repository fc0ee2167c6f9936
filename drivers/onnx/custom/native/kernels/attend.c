#include "attend.h"

#ifdef __x86_64__

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "head.h"
#include "vectors.h"

#define BRAIN __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,fma")))

/** Columns of a tile. */
enum { panel = 64 };

/** Two bfloat16 that are multiplied and added in one go, the first one low. */
typedef uint32_t Pair;

/** 32 floats, rounded, in their order. */
BRAIN INLINE __m512i narrowed(__m512 low, __m512 high) { return (__m512i)_mm512_cvtne2ps_pbh(high, low); }

/** Keys [S, 64] -> panels [S / 64][32 pairs][64 keys], filled up with zeros. */
BRAIN static void pack_keys(const Head *head, Pair *packed) {
  Pair pairs[head_size / 2] __attribute__((aligned(64)));
  size_t filled = (head->key_count + panel - 1) / panel * panel;
  for (size_t key = 0; key < filled; key++) {
    if (key < head->key_count) {
      const float *from = head->keys + key * head->stride;
      _mm512_store_si512(pairs, narrowed(_mm512_loadu_ps(from), _mm512_loadu_ps(from + 16)));
      _mm512_store_si512(pairs + 16, narrowed(_mm512_loadu_ps(from + 32), _mm512_loadu_ps(from + 48)));
    } else memset(pairs, 0, sizeof pairs);
    Pair *to = packed + key / panel * panel * (head_size / 2) + key % panel;
    for (size_t i = 0; i < head_size / 2; i++) to[i * panel] = pairs[i];
  }
}

/** Values [S, 64] -> [S / 2 pairs][64]. */
BRAIN static void pack_values(const Head *head, Pair *packed) {
  for (size_t key = 0; key < head->key_count; key += 2) {
    const float *first = head->values + key * head->stride;
    int is_last = key + 1 == head->key_count;
    for (size_t i = 0; i < head_size; i += lanes) {
      __m512 a = _mm512_loadu_ps(first + i);
      __m512 b = is_last ? _mm512_setzero_ps() : _mm512_loadu_ps(first + head->stride + i);
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
BRAIN static void multiply_pairs(const Pair *rows, size_t row_pairs, const Pair *columns, size_t pairs, float *out, size_t out_stride) {
  EACH_ROW(BEGIN)
  for (size_t i = 0; i < pairs; i++, columns += panel) {
    __m512i p0 = _mm512_loadu_si512(columns), p1 = _mm512_loadu_si512(columns + 16);
    __m512i p2 = _mm512_loadu_si512(columns + 32), p3 = _mm512_loadu_si512(columns + 48);
    EACH_ROW(STEP)
  }
  EACH_ROW(KEEP)
}

/** Scores -> their exponentials as pairs, zeros behind them. @return one by their sum */
BRAIN static float soften(const float *scores, size_t count, size_t filled, Pair *out) {
  __m512 peak = peak_of(scores, count);
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

/** What one head needs beside its tensors. */
typedef struct {
  size_t filled; /* keys, up to the end of a panel */
  Pair *keys;
  Pair *values;
  Pair *weights; /* [6][filled / 2] */
  float *scores; /* [6][filled] */
} Room;

BRAIN static void attend_tile(const Head *head, const Room *room, size_t first) {
  size_t some = head->query_count - first < tile_rows ? head->query_count - first : tile_rows;
  Pair queries[tile_rows][head_size / 2] __attribute__((aligned(64)));
  memset(queries, 0, sizeof queries);
  __m512 scale = _mm512_set1_ps(0.125f); /* one by the root of 64 */
  for (size_t row = 0; row < some; row++) {
    const float *from = head->queries + (first + row) * head->stride;
    for (size_t i = 0; i < head_size; i += 2 * lanes)
      _mm512_store_si512(queries[row] + i / 2, narrowed(_mm512_mul_ps(_mm512_loadu_ps(from + i), scale), _mm512_mul_ps(_mm512_loadu_ps(from + i + lanes), scale)));
  }
  for (size_t key = 0; key < room->filled; key += panel)
    multiply_pairs(queries[0], head_size / 2, room->keys + key * (head_size / 2), head_size / 2, room->scores + key, room->filled);
  float shares[tile_rows];
  for (size_t row = 0; row < tile_rows; row++) shares[row] = soften(room->scores + row * room->filled, head->key_count, room->filled, room->weights + row * room->filled / 2);
  float mixed[tile_rows][head_size];
  multiply_pairs(room->weights, room->filled / 2, room->values, (head->key_count + 1) / 2, mixed[0], head_size);
  for (size_t row = 0; row < some; row++)
    for (size_t i = 0; i < head_size; i += lanes)
      _mm512_storeu_ps(head->out + (first + row) * head->stride + i, _mm512_mul_ps(_mm512_loadu_ps(mixed[row] + i), _mm512_set1_ps(shares[row])));
}

int attend(const Head *head) {
  size_t filled = (head->key_count + panel - 1) / panel * panel;
  size_t pairs = filled * (head_size / 2);
  Room room = {.filled = filled};
  void *memory = aligned_alloc(64, sizeof(Pair) * (2 * pairs + tile_rows * filled / 2) + sizeof(float) * tile_rows * filled);
  if (!memory) return -1;
  room.keys = memory;
  room.values = room.keys + pairs;
  room.scores = (float *)(room.values + pairs);
  room.weights = (Pair *)(room.scores + tile_rows * filled);
  pack_keys(head, room.keys);
  pack_values(head, room.values);
  for (size_t first = 0; first < head->query_count; first += tile_rows) attend_tile(head, &room, first);
  free(memory);
  return 0;
}

#else

int attend(const Head *head) { return (void)head, -1; }

#endif
