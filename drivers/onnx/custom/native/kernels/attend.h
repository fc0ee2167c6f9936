/**
 * Attention of one head of 64 in bfloat16 products for processors with AVX-512 BF16 (attention_fits): softmax(q k / 8) v, a tile of six queries after the other, so that
 * scores never leave the nearest cache. Sums, exponentials and the result are float. After FlashAttention (Dao et al., arXiv:2205.14135), without its
 * running maximum: a tile sees all scores of its queries.
 */
#ifndef EARSHOT_ATTEND_H
#define EARSHOT_ATTEND_H

#include <stddef.h>

/** One head among others: rows of 64 floats, so many floats apart. */
typedef struct {
  const float *queries;
  const float *keys;
  const float *values;
  float *out;
  size_t query_count;
  size_t key_count;
  size_t stride;
} Head;

/** @return 0, or -1: out of memory */
int attend(const Head *head);

#endif
