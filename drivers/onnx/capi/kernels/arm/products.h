/**
 * Products of simd/linear.c on arm64. Codes are stored less 128, so that they are signed like the weights; the difference is part of the zero point. In their layout, [K / 4, 64, 4], a vector
 * of weights has four outputs with four inputs each.
 *
 * - sdot adds four products per lane, for one row at a time.
 * - smmla (i8mm) adds eight products for each of two rows and two outputs: twice as many.
 * - without either, smull and smlal add two products in 16 bits, at most 2 x 128 x 127, and sadalp adds pairs of them to 32 bits: all exact.
 */
#ifndef EARSHOT_ARM_PRODUCTS_H
#define EARSHOT_ARM_PRODUCTS_H

/** What is subtracted from codes where they are stored. */
static inline int code_shift(int after_gelu) { return (void)after_gelu, 128; }
static size_t row_bytes(size_t k) { return k; }
static inline void store_codes(uint8_t *to, Vector x, int zero, size_t count) { v_store_codes_signed((int8_t *)to, x, zero, count); }
static inline void store_four_codes(uint8_t *to, Vector a, Vector b, Vector c, Vector d, int zero) { v_store_four_codes_signed((int8_t *)to, a, b, c, d, zero); }
static inline void complete_row(uint8_t *codes, size_t k, int after_gelu) { (void)codes, (void)k, (void)after_gelu; }

enum { vector_outputs = 4, vector_bytes = 16, group_bytes = panel_outputs * group_inputs };
/** A panel's weights are read in memory order: 16 KiB at a time, which stay in the L1 cache for all of its tiles. */
enum { codes_at_once = 256 };

#if defined __ARM_FEATURE_MATMUL_INT8
#include "products_i8mm.h"
#elif defined __ARM_FEATURE_DOTPROD
#include "products_dotprod.h"
#else
#include "products_neon.h"
#endif

#endif
