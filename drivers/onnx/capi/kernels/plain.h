/** The kernels in plain C, in double precision: what the others are compared with. */
#ifndef EARSHOT_PLAIN_H
#define EARSHOT_PLAIN_H

#include "kernels.h"

/** y [rows, N] of x [rows, K] */
void plain_linear(const Layer *layer, const float *x, size_t rows, float *y);
void plain_attention(const AttentionArgs *args);
void plain_cross_attention(const CrossAttentionArgs *args);
void plain_self_attention(const SelfAttentionArgs *args);
void plain_swoosh(const SwooshArgs *args);
void plain_filterbank(const FilterbankArgs *args);

#endif
