/**
 * Products of 8-bit codes for processors with AVX-512 VNNI (products_fit): what ONNX Runtime does in seven passes (peak, division, codes, product, peak, bias, GELU)
 * while a tile of it lies in registers.
 *
 * An activation's row: value = (code - zero) * unit, unsigned, found while running. A weight: value = code * scale, signed, a scale per output.
 * Weights lie as the instruction reads them: [N / 64, K / 4, 64, 4], outputs filled up to 64 with zeros.
 */
#ifndef EARSHOT_PRODUCTS_H
#define EARSHOT_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

enum { panel_outputs = 64, group_inputs = 4 };

typedef struct {
  size_t k;
  size_t n;
  const int8_t *weights;
  const int32_t *sums;  /* [N filled up]: of each output's weights, for the zero point */
  const float *scales;  /* [N] */
  const float *bias;    /* [N] */
  int after_gelu;       /* its input is never below GELU's least value */
  int ends_in_gelu;
} Layer;

/** sums [panels * 64] of weights [panels, K / 4, 64, 4]. */
void sum_weights(const int8_t *weights, size_t panels, size_t k, int32_t *sums);

/** x [K] -> codes [K] and the unit of the row. NaN and infinity make it NaN. */
void quantize_row(const float *x, size_t k, int after_gelu, uint8_t *codes, float *unit);

/** codes [rows, K], units [rows] -> 64 outputs of y [rows, N], or fewer in the last panel. */
void multiply_panel(const Layer *layer, size_t panel, const uint8_t *codes, const float *units, size_t rows, float *y);

#endif
