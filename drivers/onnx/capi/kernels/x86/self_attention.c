/** Causal self-attention in float. The past is scored while it is copied into the row's own cache, so that it is read once. */
#include <stdlib.h>
#include <string.h>

#include "vectors.h"
#include "x86.h"

enum { vectors = head_size / lanes };

/** Copies the past, then the new positions. */
static void join(float *present, const float *past, size_t past_count, const float *added, size_t count, size_t stride) {
  memcpy(present, past, past_count * head_size * sizeof *past);
  for (size_t i = 0; i < count; i++) memcpy(present + (past_count + i) * head_size, added + i * stride, head_size * sizeof *added);
}

static void score(const float *query, const float *keys, size_t seen, float *scores) {
  __m512 scale = _mm512_set1_ps(0.125f); /* 1 / sqrt(64) */
  __m512 parts[vectors];
#pragma GCC unroll 4
  for (int i = 0; i < vectors; i++) parts[i] = _mm512_mul_ps(scale, _mm512_loadu_ps(query + i * lanes));
  for (size_t key = 0; key < seen; key++, keys += head_size) {
    __m512 sum = _mm512_mul_ps(parts[0], _mm512_loadu_ps(keys));
#pragma GCC unroll 4
    for (int i = 1; i < vectors; i++) sum = _mm512_fmadd_ps(parts[i], _mm512_loadu_ps(keys + i * lanes), sum);
    scores[key] = _mm512_reduce_add_ps(sum);
  }
}

static void mix(const float *scores, const float *values, size_t seen, float *out) {
  __m512 sums[vectors], shares = _mm512_setzero_ps(), peak = peak_of(scores, seen);
#pragma GCC unroll 4
  for (int i = 0; i < vectors; i++) sums[i] = _mm512_setzero_ps();
  for (size_t first = 0; first < seen; first += lanes) {
    float weights[lanes];
    __mmask16 mask = first_lanes(seen - first);
    __m512 some = _mm512_maskz_mov_ps(mask, exp_of(_mm512_sub_ps(_mm512_maskz_loadu_ps(mask, scores + first), peak)));
    shares = _mm512_add_ps(shares, some);
    _mm512_storeu_ps(weights, some);
    for (size_t i = 0; i < lanes && first + i < seen; i++, values += head_size) {
      __m512 weight = _mm512_set1_ps(weights[i]);
#pragma GCC unroll 4
      for (int part = 0; part < vectors; part++) sums[part] = _mm512_fmadd_ps(weight, _mm512_loadu_ps(values + part * lanes), sums[part]);
    }
  }
  __m512 share = _mm512_set1_ps(1 / _mm512_reduce_add_ps(shares));
#pragma GCC unroll 4
  for (int i = 0; i < vectors; i++) _mm512_storeu_ps(out + i * lanes, _mm512_mul_ps(share, sums[i]));
}

int x86_self_attention(const SelfAttentionArgs *args) {
  float *scores = malloc((args->past + args->count + lanes) * sizeof *scores); /* + lanes: read a whole vector at a time */
  if (!scores) return -1;
  join(args->present_keys, args->past_keys, args->past, args->keys, args->count, args->stride);
  join(args->present_values, args->past_values, args->past, args->values, args->count, args->stride);
  for (size_t i = 0; i < args->count; i++) {
    size_t seen = args->past + i + 1;
    score(args->queries + i * args->stride, args->present_keys, seen, scores);
    mix(scores, args->present_values, seen, args->out + i * args->out_stride);
  }
  free(scores);
  return 0;
}
