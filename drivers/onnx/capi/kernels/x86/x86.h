/**
 * Kernels for x86-64 with AVX-512 (F, BW, VL, DQ) and FMA: every file of this folder is compiled for those, so that nothing in it may run before dispatch.c
 * asked the processor.
 */
#ifndef EARSHOT_X86_H
#define EARSHOT_X86_H

#include "kernels/kernels.h"

extern const LinearKernel x86_linear; /* AVX-512 VNNI */
int x86_attention(const AttentionArgs *args); /* AVX-512 BF16 */
int x86_cross_attention(const CrossAttentionArgs *args);
int x86_self_attention(const SelfAttentionArgs *args);

#endif
