/** The kernels in plain C, in double precision: what the others are compared with. */
#ifndef EARSHOT_PLAIN_H
#define EARSHOT_PLAIN_H

#include "kernels.h"

/** y [rows, N] of x [rows, K] */
void plain_linear(const Layer *layer, const float *x, size_t rows, float *y);
void plain_attention(const AttentionArgs *args);
void plain_cross_attention(const CrossAttentionArgs *args);
void plain_self_attention(const SelfAttentionArgs *args);
float plain_add_bias(float *scores, const float *bias, size_t count);
void plain_add_exponentials(SoftmaxSum *all, const float *scores, size_t count, float peak);
/** @param weights [k / 4, 64, 4], which `args` has packed */
void plain_coarse_linear(const CoarseArgs *args, const int8_t *weights, float *y);
void plain_swoosh(const SwooshArgs *args);
void plain_filterbank(const FilterbankArgs *args);

#endif
