/** Causal self-attention in float. The past is copied into the row's own cache, and scored while it is in the caches. */
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "vectors.h"

enum { vectors = head_size / lanes };

/** Copies the past, then the new positions. */
static void join(float *present, const float *past, size_t past_count, const float *added, size_t count, size_t stride) {
  memcpy(present, past, past_count * head_size * sizeof *past);
  for (size_t i = 0; i < count; i++) memcpy(present + (past_count + i) * head_size, added + i * stride, head_size * sizeof *added);
}

static void score(const float *query, const float *keys, size_t seen, float *scores) {
  Vector scale = v_all(0.125f); /* 1 / sqrt(64) */
  Vector parts[vectors];
#pragma GCC unroll 16
  for (int i = 0; i < vectors; i++) parts[i] = v_mul(scale, v_load(query + i * lanes));
  for (size_t key = 0; key < seen; key++, keys += head_size) {
    Vector sum = v_mul(parts[0], v_load(keys));
#pragma GCC unroll 16
    for (int i = 1; i < vectors; i++) sum = v_plus_product(sum, parts[i], v_load(keys + i * lanes));
    scores[key] = v_sum(sum);
  }
}

static void mix(const float *scores, const float *values, size_t seen, float *out) {
  Vector sums[vectors], shares = v_all(0), peak = peak_of(scores, seen);
#pragma GCC unroll 16
  for (int i = 0; i < vectors; i++) sums[i] = v_all(0);
  for (size_t first = 0; first < seen; first += lanes) {
    float weights[lanes];
    size_t left = seen - first;
    Vector some = v_keep_first(exp_of(v_sub(v_load_first(scores + first, left), peak)), left);
    shares = v_add(shares, some);
    v_store(weights, some);
    for (size_t i = 0; i < lanes && i < left; i++, values += head_size) {
      Vector weight = v_all(weights[i]);
#pragma GCC unroll 16
      for (int part = 0; part < vectors; part++) sums[part] = v_plus_product(sums[part], weight, v_load(values + part * lanes));
    }
  }
  Vector share = v_all(1 / v_sum(shares));
#pragma GCC unroll 16
  for (int i = 0; i < vectors; i++) v_store(out + i * lanes, v_mul(share, sums[i]));
}

int KERNEL(self_attention)(const SelfAttentionArgs *args) {
  float *scores = malloc((args->past + args->count) * sizeof *scores + 1);
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
