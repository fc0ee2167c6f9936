/**
 * Coarse scores of a vocabulary: from the upper 4 bits of each weight, so that half as many bytes come from memory. Eight inputs of an output are in four bytes; those of one vector of
 * outputs are next to each other, in the order in which they are read.
 */
#include <string.h>

#include "kernels/kernels.h"
#include "rows.h"
#include "vectors.h"

#ifdef __x86_64__
#include "kernels/x86/nibbles.h"
#else
#include "kernels/arm/nibbles.h"
#endif

enum { vector_bytes = lanes * group_inputs, packed_inputs = 2 * group_inputs, rows_max = 5 };

/** To the nearest multiple of 16, from -8 to 7, as 0 to 15. */
static inline int nibble_of(int8_t weight) {
  int nibble = (weight + 8) >> 4;
  return (nibble > 7 ? 7 : nibble) + coarse_zero;
}

static void pack_panel(const int8_t *weights, size_t k, uint8_t *packed) {
  for (size_t column = 0; column < panel_outputs; column += lanes)
    for (size_t i = 0; i < k; i += packed_inputs, packed += vector_bytes) {
      const int8_t *low = weights + i * panel_outputs + column * group_inputs, *high = low + panel_outputs * group_inputs;
      for (size_t at = 0; at < vector_bytes; at++) packed[at] = (uint8_t)(nibble_of(low[at]) | nibble_of(high[at]) << 4);
    }
}

#define DECLARE_SUM(row) Integers sum##row = ZERO;
#define NARROW_OF(row) DECLARE_NARROW(row)
#define ADD_ROW(row) if (rows > row) { ADD_STEP(row, args->codes + row * args->k + i) }
#define WIDEN_ROW(row) if (rows > row) { WIDEN(row) }
#define FINISH_ROW(row)                                                                                          \
  if (rows > row) {                                                                                              \
    Vector product = v_sub(i_to_float(sum##row), v_all((float)(coarse_zero * args->code_sums[row])));            \
    Vector scaled = v_mul(product, v_all(coarse_step * args->units[row]));                                       \
    v_store_first(args->y + row * args->stride + column, v_plus_product(bias, scaled, scale), left);             \
  }

/** @param rows a compile-time constant, so that the tests of it vanish. */
INLINE void multiply_rows(const int rows, const CoarseArgs *args) {
  const uint8_t *from = args->packed;
  for (size_t column = 0; column < args->outputs; column += lanes) {
    const size_t left = args->outputs - column;
    EACH_ROW(DECLARE_SUM)
    for (size_t first = 0; first < args->k; first += coarse_inputs) {
      EACH_ROW(NARROW_OF)
      for (size_t i = first; i < first + coarse_inputs; i += step_vectors * packed_inputs, from += step_vectors * vector_bytes) {
        LOAD_STEP(from)
        EACH_ROW(ADD_ROW)
      }
      EACH_ROW(WIDEN_ROW)
    }
    const Vector scale = v_load_first(args->scales + column, left), bias = v_load_first(args->bias + column, left);
    EACH_ROW(FINISH_ROW)
  }
}

static void multiply_some(const CoarseArgs *args) {
  switch (args->rows) {
    case 1: multiply_rows(1, args); break;
    case 2: multiply_rows(2, args); break;
    case 3: multiply_rows(3, args); break;
    case 4: multiply_rows(4, args); break;
    case 5: multiply_rows(5, args); break;
  }
}

static void multiply_panel(const CoarseArgs *args) {
  CoarseArgs some = *args;
  for (size_t row = 0; row < args->rows; row += some.rows) {
    some.rows = smaller(args->rows - row, rows_max);
    multiply_some(&some);
    some.codes += some.rows * args->k, some.code_sums += some.rows, some.units += some.rows, some.y += some.rows * args->stride;
  }
}

const CoarseKernel KERNEL(coarse_linear) = {pack_panel, multiply_panel};
