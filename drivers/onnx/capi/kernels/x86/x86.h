/**
 * Kernels for x86-64 with AVX-512 (F, BW, VL, DQ) and FMA. Every file of this folder is compiled for these, so nothing in it may run before dispatch.c has
 * checked the processor.
 */
#ifndef EARSHOT_X86_H
#define EARSHOT_X86_H

#include "kernels/kernels.h"

extern const LinearKernel x86_linear; /* AVX-512 VNNI */
int x86_attention(const AttentionArgs *args); /* AVX-512 BF16 */
int x86_cross_attention(const CrossAttentionArgs *args);
int x86_self_attention(const SelfAttentionArgs *args);
void x86_swoosh(const SwooshArgs *args);

#endif
